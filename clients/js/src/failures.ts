/** Errors as they come from the wire, made into ours. */

import { fromBinary, type DescMessage, type MessageShape } from "@bufbuild/protobuf";
import { durationMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";

import * as errors from "./errors.js";
import type { ErrorParts, ServiceError, StatusCode } from "./errors.js";
import { BadRequestSchema, ErrorInfoSchema, RequestInfoSchema, RetryInfoSchema } from "./generated/status_pb.js";

export const DOMAIN = "machiavel";

type Kind = new (message: string, code: StatusCode, parts?: ErrorParts) => ServiceError;

/** The class of each reason. */
export const KINDS: Readonly<Record<string, Kind>> = {
  UNKNOWN_GAME: errors.UnknownGame,
  INCOMPATIBLE_ENGINE: errors.IncompatibleEngine,
  BAD_GAME_FILE: errors.BadGameFile,
  GAME_FAULT: errors.GameFault,
  BAD_OPTION: errors.BadOption,
  BAD_DECK: errors.BadDeck,
  BAD_LAYOUT: errors.BadLayout,
  MISSING_LUCK: errors.MissingLuck,
  BAD_VIEW: errors.BadView,
  BAD_RECORD: errors.BadRecord,
  MATCH_OVER: errors.MatchOver,
  MATCH_NOT_OVER: errors.MatchNotOver,
  NOT_TO_MOVE: errors.NotToMove,
  NOT_A_MOVE: errors.NotAMove,
  ILLEGAL_MOVE: errors.IllegalMove,
  AMBIGUOUS_MOVE: errors.AmbiguousMove,
  BAD_BOT: errors.BadBot,
  BAD_REQUEST: errors.BadRequest,
  MESSAGE_TOO_LARGE: errors.MessageTooLarge,
  UNKNOWN_METHOD: errors.UnknownMethod,
  FOREIGN_HOST: errors.ForeignHost,
  FOREIGN_ORIGIN: errors.ForeignOrigin,
  UNKNOWN_ENCODING: errors.UnknownEncoding,
  UNKNOWN_SERVICE: errors.UnknownService,
  TOO_BUSY: errors.TooBusy,
  NO_TIME: errors.NoTime,
  SHUTTING_DOWN: errors.ShuttingDown,
  BAD_TOKEN: errors.BadToken,
  NO_ACCESS: errors.NoAccess,
  STALE_VERSION: errors.StaleVersion,
  REQUEST_REUSED: errors.RequestReused,
  BAD_CODE: errors.BadCode,
  SEAT_TAKEN: errors.SeatTaken,
  NOTHING_TO_TAKE_BACK: errors.NothingToTakeBack,
  NOT_STARTED: errors.NotStarted,
  NOT_ALLOWED: errors.NotAllowed,
  SEAT_HELD: errors.SeatHeld,
  ALREADY_ANSWERED: errors.AlreadyAnswered,
  STORAGE: errors.StorageFailed,
  SLOW_WATCHER: errors.SlowWatcher,
  TOO_MANY_CHANGES: errors.TooManyChanges,
  TOO_MUCH_KEPT: errors.TooMuchKept,
  TOO_MANY_MATCHES: errors.TooManyMatches,
  TOO_MANY_WATCHERS: errors.TooManyWatchers,
  WATCH_DISPLACED: errors.WatchDisplaced,
  UNKNOWN_TOURNAMENT: errors.UnknownTournament,
  OTHER_TOURNAMENT: errors.OtherTournament,
  TOO_MANY_TOURNAMENTS: errors.TooManyTournaments,
  NO_TOURNAMENTS: errors.NoTournaments,
  READ_ONLY: errors.ReadOnly,
  DRAINING: errors.Draining,
  NOT_ADMIN: errors.NotAdmin,
  FAULT: errors.Fault,
};

const NAMES: Readonly<Record<Code, StatusCode>> = {
  [Code.Canceled]: "CANCELLED",
  [Code.Unknown]: "UNKNOWN",
  [Code.InvalidArgument]: "INVALID_ARGUMENT",
  [Code.DeadlineExceeded]: "DEADLINE_EXCEEDED",
  [Code.NotFound]: "NOT_FOUND",
  [Code.AlreadyExists]: "ALREADY_EXISTS",
  [Code.PermissionDenied]: "PERMISSION_DENIED",
  [Code.ResourceExhausted]: "RESOURCE_EXHAUSTED",
  [Code.FailedPrecondition]: "FAILED_PRECONDITION",
  [Code.Aborted]: "ABORTED",
  [Code.OutOfRange]: "OUT_OF_RANGE",
  [Code.Unimplemented]: "UNIMPLEMENTED",
  [Code.Internal]: "INTERNAL",
  [Code.Unavailable]: "UNAVAILABLE",
  [Code.DataLoss]: "DATA_LOSS",
  [Code.Unauthenticated]: "UNAUTHENTICATED",
};

// Where the transport itself failed, or a server that says no more.
const WITHOUT_REASON: Readonly<Partial<Record<StatusCode, Kind>>> = {
  CANCELLED: errors.Cancelled,
  DEADLINE_EXCEEDED: errors.NoTime,
  PERMISSION_DENIED: errors.NoAccess,
  UNAUTHENTICATED: errors.BadToken,
  UNIMPLEMENTED: errors.UnknownMethod,
  UNAVAILABLE: errors.ShuttingDown,
};

// What node says of a connection that could not be made, or ended in the middle.
const BROKEN = new Set([
  "EAI_AGAIN",
  "ECONNABORTED",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EPIPE",
  "ERR_HTTP2_INVALID_STREAM",
  "ERR_STREAM_DESTROYED",
  "ERR_STREAM_PREMATURE_CLOSE",
  "ETIMEDOUT",
  "UND_ERR_SOCKET",
]);
const CUT_SHORT = "missing EndStreamResponse";

/** The error of a call, as one of ours; reasons that this release does not know are plain ServiceErrors. */
export function fromCall(error: unknown): ServiceError {
  if (error instanceof errors.ServiceError) return error;
  const failure = ConnectError.from(error);
  const info = detail(failure, ErrorInfoSchema);
  if (info === undefined && isBreak(failure)) {
    return new errors.ShuttingDown(`the server cannot be reached, or the connection ended: ${failure.rawMessage}`, "UNAVAILABLE", {
      cause: error,
    });
  }
  const reason = info?.domain === DOMAIN ? info.reason : "";
  const wrong = detail(failure, BadRequestSchema)?.fieldViolations ?? [];
  const delay = detail(failure, RetryInfoSchema)?.retryDelay;
  const code = NAMES[failure.code];
  const kind = KINDS[reason] ?? WITHOUT_REASON[code] ?? errors.ServiceError;
  return new kind(failure.rawMessage, code, {
    reason,
    metadata: info?.metadata ?? {},
    fields: Object.fromEntries(wrong.map((one) => [one.field, one.description])),
    retryAfterMs: delay === undefined ? undefined : durationMs(delay),
    requestId: detail(failure, RequestInfoSchema)?.requestId ?? "",
    cause: error,
  });
}

/** A detail of an error, by the last part of its name; undefined where there is none, or it cannot be read. */
function detail<Schema extends DescMessage>(failure: ConnectError, schema: Schema): MessageShape<Schema> | undefined {
  for (const one of failure.details) {
    if ("value" in one && one.value instanceof Uint8Array && "type" in one && one.type === `google.rpc.${schema.name}`) {
      try {
        return fromBinary(schema, one.value);
      } catch {
        return undefined;
      }
    }
  }
  return undefined;
}

/** Whether the connection failed, rather than the call. */
function isBreak(failure: ConnectError): boolean {
  if (failure.code === Code.Canceled || failure.code === Code.DeadlineExceeded) return false;
  if (failure.rawMessage === CUT_SHORT) return true;
  for (let cause: unknown = failure.cause; cause instanceof Error; cause = cause.cause) {
    // Browsers say no more than this of a fetch that failed.
    if (cause instanceof TypeError) return true;
    if ("code" in cause && typeof cause.code === "string" && BROKEN.has(cause.code)) return true;
  }
  return false;
}
