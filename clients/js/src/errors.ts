/** What a call can fail with: the server's errors by their names, with their fields. */

/** The names of gRPC's status codes. */
export type StatusCode =
  | "CANCELLED"
  | "UNKNOWN"
  | "INVALID_ARGUMENT"
  | "DEADLINE_EXCEEDED"
  | "NOT_FOUND"
  | "ALREADY_EXISTS"
  | "PERMISSION_DENIED"
  | "RESOURCE_EXHAUSTED"
  | "FAILED_PRECONDITION"
  | "ABORTED"
  | "OUT_OF_RANGE"
  | "UNIMPLEMENTED"
  | "INTERNAL"
  | "UNAVAILABLE"
  | "DATA_LOSS"
  | "UNAUTHENTICATED";

/** What an error is made of. */
export interface ErrorParts {
  reason?: string;
  metadata?: Readonly<Record<string, string>>;
  fields?: Readonly<Record<string, string>>;
  retryAfterMs?: number;
  requestId?: string;
  cause?: unknown;
}

/**
 * A call failed.
 *
 * `reason` is the server's name for it, empty where the error did not come from the server. `fields` are the paths in the request that
 * are wrong, with what is wrong there. `retryAfterMs` is undefined where the server says nothing. `requestId` is the name of the call in
 * the server's log.
 */
export class ServiceError extends Error {
  override readonly name: string = "ServiceError";
  readonly code: StatusCode;
  readonly reason: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, string>>;
  readonly retryAfterMs: number | undefined;
  readonly requestId: string;

  constructor(message: string, code: StatusCode, parts: ErrorParts = {}) {
    super(message, parts.cause === undefined ? undefined : { cause: parts.cause });
    this.code = code;
    this.reason = parts.reason ?? "";
    this.metadata = parts.metadata ?? {};
    this.fields = parts.fields ?? {};
    this.retryAfterMs = parts.retryAfterMs;
    this.requestId = parts.requestId ?? "";
  }

  /** A field that is a text. */
  protected textOf(name: string): string {
    return this.metadata[name] ?? "";
  }

  /** Another field, out of its JSON; what was cut short is no JSON any more. */
  protected jsonOf<Value>(name: string, missing: Value): Value {
    try {
      return JSON.parse(this.metadata[name] ?? "") as Value;
    } catch {
      return missing;
    }
  }
}

/** The rules refuse it; a call that throws one has changed nothing. */
export class GameError extends ServiceError {
  override readonly name: string = "GameError";
}

/** The server has no such game. */
export class UnknownGame extends GameError {
  override readonly name = "UnknownGame";
  readonly game = this.textOf("name");
  readonly known = this.jsonOf<readonly string[]>("known", []);
}

/** A game's engine does not fit the server's release. */
export class IncompatibleEngine extends GameError {
  override readonly name = "IncompatibleEngine";
  readonly game = this.textOf("name");
  readonly what = this.textOf("what");
}

/** A file that the server was given holds no game that can be played; `line` is where, null where that is not known. */
export class BadGameFile extends GameError {
  override readonly name = "BadGameFile";
  readonly problem = this.textOf("problem");
  readonly line = this.jsonOf<number | null>("line", null);
}

/** The rules of a game in a file went wrong on the server; `what` says where, for its author. */
export class GameFault extends GameError {
  override readonly name = "GameFault";
  readonly game = this.textOf("game");
  readonly what = this.textOf("what");
}

/** An option, a limit or a parameter has a value it cannot have. */
export class BadOption extends GameError {
  override readonly name = "BadOption";
  readonly option = this.textOf("option");
  readonly expected = this.textOf("expected");
}

/** A deck breaks a constraint. */
export class BadDeck extends GameError {
  override readonly name = "BadDeck";
  readonly source = this.textOf("source");
  readonly key = this.textOf("key");
  readonly problem = this.textOf("problem");
}

/** Luck that was laid out is impossible. */
export class BadLayout extends GameError {
  override readonly name = "BadLayout";
  readonly field = this.textOf("field");
  readonly problem = this.textOf("problem");
}

/** The match needs luck that was neither laid out nor seeded. */
export class MissingLuck extends GameError {
  override readonly name = "MissingLuck";
  readonly field = this.textOf("field");
}

/** A view is malformed or contradicts itself. */
export class BadView extends GameError {
  override readonly name = "BadView";
  readonly field = this.textOf("field");
  readonly problem = this.textOf("problem");
}

/** A record is malformed, or does not replay. */
export class BadRecord extends GameError {
  override readonly name = "BadRecord";
  readonly field = this.textOf("field");
  readonly problem = this.textOf("problem");
}

/** Nobody can move any more. */
export class MatchOver extends GameError {
  override readonly name = "MatchOver";
}

/** A result was asked for too early. */
export class MatchNotOver extends GameError {
  override readonly name = "MatchNotOver";
}

/** A seat that is not asked was to move; `seat` is null for a spectator. */
export class NotToMove extends GameError {
  override readonly name = "NotToMove";
  readonly seat = this.jsonOf<number | null>("seat", null);
  readonly seatsToMove = this.jsonOf<readonly number[]>("seats_to_move", []);
}

/** A text cannot be played; `text` is the text as given. */
export class MoveError extends GameError {
  override readonly name: string = "MoveError";
  readonly text = this.textOf("text");
}

/** The text is no move of this game at all. */
export class NotAMove extends MoveError {
  override readonly name = "NotAMove";
  readonly expected = this.textOf("expected");
}

/** The text is a move, but not a legal one now. */
export class IllegalMove extends MoveError {
  override readonly name = "IllegalMove";
  readonly seat = this.jsonOf("seat", -1);
  readonly why = this.textOf("why");
  readonly legal = this.jsonOf<readonly string[]>("legal", []);
}

/** The text fits more than one legal move. */
export class AmbiguousMove extends MoveError {
  override readonly name = "AmbiguousMove";
  readonly seat = this.jsonOf("seat", -1);
  readonly candidates = this.jsonOf<readonly string[]>("candidates", []);
}

/** The text of a bot names no bot, or a parameter it cannot have. */
export class BadBot extends GameError {
  override readonly name = "BadBot";
  readonly text = this.textOf("text");
  readonly problem = this.textOf("problem");
}

/** A field of the request is missing or cannot be. */
export class BadRequest extends ServiceError {
  override readonly name = "BadRequest";
  readonly field = this.textOf("field");
  readonly problem = this.textOf("problem");
}

/** The request is larger than what the server takes; both sizes are in bytes. */
export class MessageTooLarge extends ServiceError {
  override readonly name = "MessageTooLarge";
  readonly size = this.jsonOf("size", 0);
  readonly most = this.jsonOf("most", 0);
}

/** The server has no such method; `services` are those it has. */
export class UnknownMethod extends ServiceError {
  override readonly name = "UnknownMethod";
  readonly services = this.jsonOf<readonly string[]>("services", []);
}

/** The server was called over HTTP by a name that is not its own; `known` are its names. */
export class ForeignHost extends ServiceError {
  override readonly name = "ForeignHost";
  readonly known = this.jsonOf<readonly string[]>("known", []);
}

/** The call came over HTTP from a page that may not call. */
export class ForeignOrigin extends ServiceError {
  override readonly name = "ForeignOrigin";
}

/** The server does not know what the request is compressed with; `known` is what it does. */
export class UnknownEncoding extends ServiceError {
  override readonly name = "UnknownEncoding";
  readonly known = this.jsonOf<readonly string[]>("known", []);
}

/** The health of a service was asked for that the server does not have. */
export class UnknownService extends ServiceError {
  override readonly name = "UnknownService";
  readonly service = this.textOf("name");
  readonly known = this.jsonOf<readonly string[]>("known", []);
}

/** The server has too many calls or searches already; `retryAfterMs` says when to come again. */
export class TooBusy extends ServiceError {
  override readonly name = "TooBusy";
}

/** The deadline passed, or left no time to think. */
export class NoTime extends ServiceError {
  override readonly name = "NoTime";
}

/** The server is going, or cannot be reached. */
export class ShuttingDown extends ServiceError {
  override readonly name = "ShuttingDown";
}

/** A token is missing or unknown. */
export class BadToken extends ServiceError {
  override readonly name = "BadToken";
}

/** There is no such match, or the token does not open what was asked for. */
export class NoAccess extends ServiceError {
  override readonly name = "NoAccess";
}

/** The seat has been asked anew since the version that was expected. */
export class StaleVersion extends ServiceError {
  override readonly name = "StaleVersion";
  readonly expectedVersion = this.jsonOf("expected_version", -1);
  readonly version = this.jsonOf("version", -1);
}

/** Another call had that request id. */
export class RequestReused extends ServiceError {
  override readonly name = "RequestReused";
  readonly field = this.textOf("field");
}

/** No match has that code. */
export class BadCode extends ServiceError {
  override readonly name = "BadCode";
}

/** The seat is not open; or, where `seat` is null, no seat is open any more. */
export class SeatTaken extends ServiceError {
  override readonly name = "SeatTaken";
  readonly seat = this.jsonOf<number | null>("seat", null);
}

/** The match waits for its open seats to be taken. */
export class NotStarted extends ServiceError {
  override readonly name = "NotStarted";
  readonly openSeats = this.jsonOf<readonly number[]>("open_seats", []);
}

/** The match was set up without that. */
export class NotAllowed extends ServiceError {
  override readonly name = "NotAllowed";
  readonly setting = this.textOf("setting");
}

/** The seat is not held in the way that the call takes. */
export class SeatHeld extends ServiceError {
  override readonly name = "SeatHeld";
  readonly seat = this.jsonOf("seat", -1);
  readonly problem = this.textOf("problem");
}

/** The seat has answered, and its answer waits for its turn. */
export class AlreadyAnswered extends ServiceError {
  override readonly name = "AlreadyAnswered";
  readonly seat = this.jsonOf("seat", -1);
}

/** The server cannot read or write what it keeps just now; nothing was answered that is not on disk. */
export class StorageFailed extends ServiceError {
  override readonly name = "StorageFailed";
}

/** A watcher did not keep up; it may go on from `resumeAfter`. */
export class SlowWatcher extends ServiceError {
  override readonly name = "SlowWatcher";
  readonly resumeAfter = this.jsonOf("resume_after", -1);
}

/** The match has been taken over and back, or followed by rematches, `most` times, and that is all the server takes. */
export class TooManyChanges extends ServiceError {
  override readonly name = "TooManyChanges";
  readonly most = this.jsonOf("most", 0);
}

/** What the caller's matches take on disk is all that it may have; deleting some helps at once. */
export class TooMuchKept extends ServiceError {
  override readonly name = "TooMuchKept";
}

/** As many matches are under way as the server takes. */
export class TooManyMatches extends ServiceError {
  override readonly name = "TooManyMatches";
}

/** The caller has as many open watches as it may have now, or somebody with fewer was let in instead; `retryAfterMs` says when to come again. */
export class TooManyWatchers extends ServiceError {
  override readonly name = "TooManyWatchers";
}

/** Newer watches with the same token have taken the place of this one. */
export class WatchDisplaced extends ServiceError {
  override readonly name = "WatchDisplaced";
}

/** The caller has no tournament of that name. */
export class UnknownTournament extends ServiceError {
  override readonly name = "UnknownTournament";
  readonly tournament = this.textOf("name");
}

/** Another tournament was started with that request id, which is in `given`. */
export class OtherTournament extends ServiceError {
  override readonly name = "OtherTournament";
  readonly given = this.textOf("given");
}

/** Too many tournaments are in line, `most` of them; `retryAfterMs` says when to come again. */
export class TooManyTournaments extends ServiceError {
  override readonly name = "TooManyTournaments";
  readonly most = this.jsonOf("most", 0);
}

/** The server keeps no tournaments. */
export class NoTournaments extends ServiceError {
  override readonly name = "NoTournaments";
}

/** The server changes nothing that it keeps just now; `retryAfter` says when to come again. */
export class ReadOnly extends ServiceError {
  override readonly name = "ReadOnly";
}

/** The server takes no new matches and tournaments just now; `retryAfter` says when to come again. */
export class Draining extends ServiceError {
  override readonly name = "Draining";
}

/** Only an operator of the server may call that. */
export class NotAdmin extends ServiceError {
  override readonly name = "NotAdmin";
}

/** The seat has made no decision yet. */
export class NothingToTakeBack extends ServiceError {
  override readonly name = "NothingToTakeBack";
  readonly seat = this.jsonOf("seat", -1);
}

/** A fault of the server. */
export class Fault extends ServiceError {
  override readonly name = "Fault";
}

/** The call was cancelled, by whoever made it or by the server. */
export class Cancelled extends ServiceError {
  override readonly name = "Cancelled";
}
