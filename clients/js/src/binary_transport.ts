/** The Connect protocol over fetch with messages as bytes: what a page needs, without the reading and writing of messages as JSON. */

import { fromBinary, toBinary, type DescMessage, type DescMethodStreaming, type DescMethodUnary, type MessageShape } from "@bufbuild/protobuf";
import { Code, ConnectError, createContextValues, type Interceptor, type StreamResponse, type Transport, type UnaryResponse } from "@connectrpc/connect";
import {
  compressedFlag,
  createEnvelopeReadableStream,
  createMethodUrl,
  encodeEnvelope,
  runStreamingCall,
  runUnaryCall,
} from "@connectrpc/connect/protocol";
import {
  endStreamFlag,
  endStreamFromJson,
  errorFromJson,
  requestHeader,
  trailerDemux,
  validateResponse,
} from "@connectrpc/connect/protocol-connect";

export interface BinaryTransportOptions {
  baseUrl: string;
  interceptors: Interceptor[];
  /** Stands in for the browser's own. */
  fetch: typeof globalThis.fetch | undefined;
}

/** Calls and streams of answers; pages can send no streams. */
export function createBinaryTransport({ baseUrl, interceptors, fetch }: BinaryTransportOptions): Transport {
  const send = (url: string, headers: Headers, signal: AbortSignal, body: Uint8Array): Promise<Response> =>
    (fetch ?? globalThis.fetch)(url, { method: "POST", redirect: "error", headers, signal, body: body as Uint8Array<ArrayBuffer> });
  return {
    unary<I extends DescMessage, O extends DescMessage>(
      method: DescMethodUnary<I, O>,
      ...[signal, timeoutMs, header, message, contextValues]: Tail<Parameters<Transport["unary"]>>
    ): Promise<UnaryResponse<I, O>> {
      return runUnaryCall<I, O>({
        interceptors,
        signal,
        timeoutMs,
        req: {
          stream: false,
          service: method.parent,
          method,
          requestMethod: "POST",
          url: createMethodUrl(baseUrl, method),
          header: requestHeader(method.methodKind, true, timeoutMs, header, false),
          contextValues: contextValues ?? createContextValues(),
          message: message as MessageShape<I>,
        },
        next: async (request) => {
          const response = await send(request.url, request.header, request.signal, toBinary(method.input, request.message));
          const { isUnaryError, unaryError } = validateResponse(method.methodKind, true, response.status, response.headers);
          const [own, trailer] = trailerDemux(response.headers);
          if (isUnaryError) {
            const told = (await response.json()) as Parameters<typeof errorFromJson>[0];
            throw errorFromJson(told, new Headers([...own, ...trailer]), unaryError);
          }
          const answer = fromBinary(method.output, new Uint8Array(await response.arrayBuffer()));
          return { stream: false, service: method.parent, method, header: own, message: answer, trailer };
        },
      });
    },
    stream<I extends DescMessage, O extends DescMessage>(
      method: DescMethodStreaming<I, O>,
      ...[signal, timeoutMs, header, input, contextValues]: Tail<Parameters<Transport["stream"]>>
    ): Promise<StreamResponse<I, O>> {
      return runStreamingCall<I, O>({
        interceptors,
        signal,
        timeoutMs,
        req: {
          stream: true,
          service: method.parent,
          method,
          requestMethod: "POST",
          url: createMethodUrl(baseUrl, method),
          header: requestHeader(method.methodKind, true, timeoutMs, header, false),
          contextValues: contextValues ?? createContextValues(),
          message: input as AsyncIterable<MessageShape<I>>,
        },
        next: async (request) => {
          const message = await firstOf(request.message);
          const response = await send(request.url, request.header, request.signal, encodeEnvelope(0, toBinary(method.input, message)));
          validateResponse(method.methodKind, true, response.status, response.headers);
          if (response.body === null) throw new ConnectError("missing response body", Code.Internal);
          const trailer = new Headers();
          return { ...request, header: response.headers, trailer, message: answers(method, response.body, response.headers, trailer, request.signal) };
        },
      });
    },
  };
}

type Tail<List extends readonly unknown[]> = List extends [unknown, ...infer Rest] ? Rest : never;

async function firstOf<Message>(messages: AsyncIterable<Message>): Promise<Message> {
  const { done, value } = await messages[Symbol.asyncIterator]().next();
  if (done === true) throw new ConnectError("missing request message", Code.Internal);
  return value;
}

/** The answers of a stream, until its end says that they were all. */
async function* answers<O extends DescMessage>(
  { output }: { output: O },
  body: ReadableStream<Uint8Array>,
  header: Headers,
  trailer: Headers,
  signal: AbortSignal,
): AsyncGenerator<MessageShape<O>, void, void> {
  const reader = createEnvelopeReadableStream(body).getReader();
  let isWhole = false;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const { flags, data } = part.value;
    if ((flags & compressedFlag) !== 0) throw new ConnectError("protocol error: received unsupported compressed output", Code.Internal);
    if ((flags & endStreamFlag) === 0) {
      yield fromBinary(output, data);
      continue;
    }
    isWhole = true;
    const { error, metadata } = endStreamFromJson(data);
    if (error !== undefined) {
      header.forEach((value, key) => error.metadata.append(key, value));
      throw error;
    }
    metadata.forEach((value, key) => trailer.set(key, value));
  }
  // An abort before the first part was read does not throw everywhere.
  signal.throwIfAborted();
  if (!isWhole) throw "missing EndStreamResponse"; // as the transport of Connect says it
}
