// Makes calls as clients that nobody here wrote do: connect-web, connect-node, and Google's grpc-web for the text of gRPC-Web.
// A line of JSON on stdin is a call, a line on stdout what came of it: node callers.mjs CLIENTS_JS_FOLDER
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const folder = process.argv[2];
const require = createRequire(join(folder, "package.json"));
const load = async (name) => import(pathToFileURL(require.resolve(name)));
const { create, fromBinary, toBinary } = await load("@bufbuild/protobuf");
const { Code, ConnectError, createClient } = await load("@connectrpc/connect");
const web = await load("@connectrpc/connect-web");
const node = await load("@connectrpc/connect-node");
const api = await import(pathToFileURL(join(folder, "dist", "v1.js")));

const WAIT = 20_000; // milliseconds
const transports = {
  "connect-web JSON": (call) => web.createConnectTransport({ baseUrl: call.web }),
  "connect-web binary": (call) => web.createConnectTransport({ baseUrl: call.web, useBinaryFormat: true }),
  "connect-web gRPC-Web": (call) => web.createGrpcWebTransport({ baseUrl: call.web }),
  "connect-web gRPC-Web JSON": (call) => web.createGrpcWebTransport({ baseUrl: call.web, useBinaryFormat: false }),
  "connect-node JSON": (call) => node.createConnectTransport({ baseUrl: call.web, httpVersion: "1.1", useBinaryFormat: false }),
  "connect-node binary": (call) => node.createConnectTransport({ baseUrl: call.web, httpVersion: "1.1" }),
  "connect-node gRPC-Web": (call) => node.createGrpcWebTransport({ baseUrl: call.web, httpVersion: "1.1" }),
  "connect-node JSON, HTTP/2": (call) => node.createConnectTransport({ baseUrl: call.web, httpVersion: "2", useBinaryFormat: false }),
  "connect-node gRPC-Web, HTTP/2": (call) => node.createGrpcWebTransport({ baseUrl: call.web, httpVersion: "2" }),
  "connect-node gRPC": (call) => node.createGrpcTransport({ baseUrl: call.native }),
};
const made = new Map();
const base64 = (bytes) => Buffer.from(bytes).toString("base64");

function transport(call) {
  const key = [call.way, call.web, call.native].join(" ");
  if (!made.has(key)) made.set(key, transports[call.way](call));
  return made.get(key);
}

async function connect(call, service, method, request) {
  const leaves = new AbortController();
  const options = { signal: leaves.signal, timeoutMs: call.timeoutMs ?? WAIT, headers: call.headers };
  const client = createClient(service, transport(call));
  const answers = [];
  try {
    if (call.leavesAfter === 0) setTimeout(() => leaves.abort(), call.leavesMs);
    const answer = client[method.localName](request, options);
    if (method.methodKind === "unary") answers.push(await answer);
    else {
      for await (const one of answer) {
        answers.push(one);
        if (answers.length === call.leavesAfter) {
          leaves.abort();
          break;
        }
      }
    }
  } catch (error) {
    if (!leaves.signal.aborted) {
      const { code, rawMessage, details } = ConnectError.from(error);
      const values = details.map((one) => ({ type: one.type, value: base64(one.value ?? []) }));
      return { code, message: rawMessage, details: values, answers };
    }
  }
  return { code: leaves.signal.aborted ? -1 : 0, message: "", details: [], answers };
}

// As much of a browser's XMLHttpRequest as Google's client asks for.
globalThis.XMLHttpRequest = class {
  readyState = 0;
  status = 0;
  statusText = "";
  responseText = "";
  responseType = "";
  #headers = {};
  #received = new Headers();
  #leaves = new AbortController();

  open(method, url) {
    this.request = { method, url };
    this.#state(1);
  }
  setRequestHeader(name, value) {
    this.#headers[name] = value;
  }
  getResponseHeader(name) {
    return this.#received.get(name);
  }
  getAllResponseHeaders() {
    return [...this.#received].map(([name, value]) => `${name}: ${value}\r\n`).join("");
  }
  abort() {
    this.#leaves.abort();
  }
  send(body) {
    this.#exchange(body).catch(() => this.#state(4));
  }
  async #exchange(body) {
    const { method, url } = this.request;
    const response = await fetch(url, { method, body, headers: this.#headers, signal: this.#leaves.signal });
    this.#received = response.headers;
    this.status = response.status;
    this.statusText = response.statusText;
    this.#state(2);
    for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
      this.responseText += text;
      this.#state(3);
    }
    this.#state(4);
  }
  #state(state) {
    this.readyState = state;
    this.onreadystatechange?.();
  }
};

// gRPC-Web as text is what Google's client alone speaks.
function text(call, service, method, request) {
  const { GrpcWebClientBase, MethodDescriptor, MethodType } = require("grpc-web");
  const streams = method.methodKind !== "unary";
  const read = (bytes) => fromBinary(method.output, new Uint8Array(bytes));
  const path = `/${service.typeName}/${method.name}`;
  const kind = streams ? MethodType.SERVER_STREAMING : MethodType.UNARY;
  const message = class {};
  const descriptor = new MethodDescriptor(path, kind, message, message, (one) => toBinary(method.input, one), read);
  const metadata = { ...call.headers };
  if (call.timeoutMs !== undefined) metadata.deadline = `${Date.now() + call.timeoutMs}`;
  const client = new GrpcWebClientBase({ format: "text" });
  const answers = [];
  return new Promise((resolve) => {
    const stream = streams
      ? client.serverStreaming(call.web + path, request, metadata, descriptor)
      : client.rpcCall(call.web + path, request, metadata, descriptor, (error, answer) => {
          if (error) failed(error);
          else resolve({ code: 0, message: "", details: [], answers: [answer] });
        });
    const leave = () => {
      stream.cancel();
      resolve({ code: -1, message: "", details: [], answers });
    };
    const failed = (error) => {
      const packed = error.metadata?.["grpc-status-details-bin"];
      resolve({ code: error.code, message: error.message, packed, details: [], answers });
    };
    if (call.leavesAfter === 0) setTimeout(leave, call.leavesMs);
    if (!streams) return;
    stream.on("data", (answer) => {
      if (answers.length === call.leavesAfter) return;
      answers.push(answer);
      if (answers.length === call.leavesAfter) leave();
    });
    stream.on("error", failed);
    stream.on("end", () => resolve({ code: 0, message: "", details: [], answers }));
  });
}

async function run(call) {
  const service = api[call.service];
  const method = service.methods.find((one) => one.name === call.method);
  const request = fromBinary(method.input, Buffer.from(call.request, "base64"));
  const made = await (call.way === "grpc-web text" ? text : connect)(call, service, method, request);
  const answers = made.answers.map((one) => base64(toBinary(method.output, one)));
  return { ...made, code: made.code < 0 ? "LEFT" : made.code === 0 ? "OK" : Code[made.code], answers };
}

const late = () => new Promise((_, reject) => setTimeout(() => reject(new Error("no outcome")), WAIT).unref());

for await (const line of createInterface({ input: process.stdin })) {
  const outcome = await Promise.race([run(JSON.parse(line)), late()]).catch((error) => ({ fault: String(error.stack) }));
  process.stdout.write(`${JSON.stringify(outcome)}\n`);
}
process.exit(0);
