/** Addresses, tokens and arguments, before anything is sent. */

import { expect, test } from "vitest";

import { connect as connectInBrowser } from "../src/browser.js";
import { connect } from "../src/node.js";

test.each(["", "127.0.0.1:7788", "grpc://127.0.0.1:7788", "unix:/tmp/socket"])("'%s' is no address", (address) => {
  expect(() => connect(address)).toThrow(/such as http:\/\/127.0.0.1:7789/);
  expect(() => connectInBrowser(address)).toThrow(/such as http:\/\/127.0.0.1:7789/);
});

test.each(["http://games.example", "http://10.0.0.1:7789", "http://127.example"])("a token never goes to %s in the clear", (address) => {
  expect(() => connect(address, { token: "secret" })).toThrow(/in the clear; expected https/);
  expect(() => connectInBrowser(address, { token: "secret" })).toThrow(/in the clear; expected https/);
});

test.each(["https://games.example/machiavel/", "http://127.0.0.1:7789", "http://localhost:7789", "http://[::1]:7789"])(
  "a token may go to %s",
  (address) => {
    connect(address, { token: "secret" }).close();
    connectInBrowser(address, { token: "secret" }).close();
  },
);

test("what is no match is refused before anything is sent", async () => {
  const service = connect("http://127.0.0.1:9");
  const wrong = { game: "whist" } as never;
  await expect(service.getState(wrong)).rejects.toThrow(/expected a Record or a State/);
  expect(() => service.analyzeMoves(wrong)).toThrow(/expected a Record, State, View or GetViewResponse/);
  await expect(service.newState("whist", 3, { seed: 2 ** 60 })).rejects.toThrow(/below 2\^53, a bigint or a text/);
});
