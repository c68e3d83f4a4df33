/** How a server is reached: address and token. */

import type { Interceptor, Transport } from "@connectrpc/connect";

/** What `connect` takes everywhere. */
export interface ConnectOptions {
  /** The server's token, where it asks for one. */
  token?: string;
  /** Another way to the server, such as one of gRPC-Web; the address and all other options but the token are of no use then. */
  transport?: Transport | ((interceptors: Interceptor[]) => Transport);
  /** Whether messages go as JSON, to be read in a browser's network log; binary unless set. */
  json?: boolean;
}

/** The address of a server, without a slash at its end; throws where it is none. */
export function addressOf(url: string | URL): string {
  let address: URL;
  try {
    address = new URL(url);
  } catch {
    throw new TypeError(`${String(url)} is no address; expected one such as http://127.0.0.1:7789`);
  }
  if (address.protocol !== "http:" && address.protocol !== "https:") {
    throw new TypeError(`${address.href}: expected http:// or https://, such as http://127.0.0.1:7789`);
  }
  return `${address.origin}${address.pathname}`.replace(/\/+$/, "");
}

/** What goes with every call; throws rather than send a token where others could read it. */
export function headers(address: string, token: string | undefined): Interceptor[] {
  if (token === undefined) return [];
  if (!isPrivate(new URL(address))) {
    throw new TypeError(`a token would go to ${address} in the clear; expected https://, or an address of this machine`);
  }
  return [
    (next) => (request) => {
      request.header.set("authorization", `Bearer ${token}`);
      return next(request);
    },
  ];
}

/** Whether nobody else can listen in. */
function isPrivate({ protocol, hostname }: URL): boolean {
  return protocol === "https:" || hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}
