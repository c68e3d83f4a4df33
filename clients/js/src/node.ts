/** The client for node. */

import { Agent } from "node:http";
import { Agent as SecureAgent } from "node:https";

import { createConnectTransport } from "@connectrpc/connect-node";

import { Client } from "./client.js";
import { addressOf, headers, type ConnectOptions as CommonOptions } from "./connection.js";

export * from "./everywhere.js";

/** Certificates, as PEM: whom to trust (left out: whom node trusts), and one's own where the server asks for it. */
export interface Tls {
  root?: string | Uint8Array;
  certificate?: string | Uint8Array;
  key?: string | Uint8Array;
}

export interface ConnectOptions extends CommonOptions {
  tls?: Tls;
}

// An idle connection is closed before a server or a proxy closes it under a call.
const KEPT = { keepAlive: true, timeout: 30_000 };

/** A client for a server at an address such as `http://127.0.0.1:7789`. */
export function connect(url: string | URL, options: ConnectOptions = {}): Client {
  const address = addressOf(url);
  const interceptors = headers(address, options.token);
  const { transport, tls = {}, json = false } = options;
  if (transport !== undefined) return new Client(typeof transport === "function" ? transport(interceptors) : transport);
  const certificates = { ca: pem(tls.root), cert: pem(tls.certificate), key: pem(tls.key) };
  const agent = address.startsWith("https:") ? new SecureAgent({ ...KEPT, ...certificates }) : new Agent(KEPT);
  const made = createConnectTransport({ baseUrl: address, httpVersion: "1.1", useBinaryFormat: !json, interceptors, nodeOptions: { agent } });
  return new Client(made, () => agent.destroy());
}

function pem(text: string | Uint8Array | undefined): string | Buffer | undefined {
  return text instanceof Uint8Array ? Buffer.from(text) : text;
}
