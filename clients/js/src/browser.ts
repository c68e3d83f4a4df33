/** The client for browsers, and wherever else there is `fetch`. */

import { createConnectTransport } from "@connectrpc/connect-web";

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
  return new Client(createConnectTransport({ baseUrl: address, useBinaryFormat: !json, interceptors, fetch }));
}
