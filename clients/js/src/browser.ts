/** The client for browsers, and wherever else there is `fetch`. */

import type { Interceptor, Transport } from "@connectrpc/connect";

import { createBinaryTransport } from "./binary_transport.js";
import { Client } from "./client.js";
import { addressOf, headers, type ConnectOptions as CommonOptions } from "./connection.js";

export * from "./everywhere.js";

export interface ConnectOptions extends CommonOptions {
  /** Stands in for the browser's own. */
  fetch?: typeof globalThis.fetch;
}

/** A client for a server at an address such as `http://127.0.0.1:7789`; by default, for the one that the page came from. */
export function connect(url: string | URL = globalThis.location.origin, options: ConnectOptions = {}): Client {
  const address = addressOf(url);
  const interceptors = headers(address, options.token);
  const { transport, fetch, json = false } = options;
  if (transport !== undefined) return new Client(typeof transport === "function" ? transport(interceptors) : transport);
  return new Client(json ? inJson(address, interceptors, fetch) : createBinaryTransport({ baseUrl: address, interceptors, fetch }));
}

/** Messages as JSON, to be read in a network log; what writes them is fetched with the first call. */
function inJson(baseUrl: string, interceptors: Interceptor[], fetch: typeof globalThis.fetch | undefined): Transport {
  let made: Promise<Transport> | undefined;
  const transport = (): Promise<Transport> => {
    made ??= import("@connectrpc/connect-web").then(({ createConnectTransport }) =>
      createConnectTransport({ baseUrl, useBinaryFormat: false, interceptors, ...(fetch === undefined ? {} : { fetch }) }),
    );
    return made;
  };
  return {
    unary: async (...call) => (await transport()).unary(...call),
    stream: async (...call) => (await transport()).stream(...call),
  };
}
