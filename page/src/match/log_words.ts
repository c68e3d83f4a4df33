/** The lines of the log as a person reads them. */

import type { Move } from "@machiavel/client/v1";

import type { Happening } from "./happenings.js";
import { botWords, type SeatNames } from "./seat_names.js";
import { texts } from "./texts.js";

/** A line, in the language that is set. */
export function lineWords({ what, seat }: Happening, names: SeatNames): string {
  const words = texts.value.log;
  const name = seat === undefined ? "" : names.holder(seat);
  const character = seat === undefined ? "" : names.of(seat);
  const isOwn = seat !== undefined && seat === names.viewer;
  switch (what.kind) {
    case "game":
      return what.text !== undefined ? names.told(what.text) : words.move(isOwn ? texts.value.seats.you : character, moveWords(what.move, names));
    case "joined":
      return words.joined(name);
    case "takenOver":
      return isOwn ? words.takenOverYou(botWords(what.bot)) : words.takenOver(name, botWords(what.bot));
    case "handedBack":
      return isOwn ? words.handedBackYou : words.handedBack(name);
    case "forfeited":
      // The server does not say which of the two it was.
      if (names.match.settings?.moveTime !== undefined) return isOwn ? words.outOfTimeYou : words.outOfTime(name);
      return isOwn ? words.forfeitedYou : words.forfeited(name);
    case "kept":
      return words.kept(moveWords(what.move, names));
    case "lapsed":
      return words.lapsed(moveWords(what.move, names));
    case "takenBack":
      return isOwn ? words.takenBackYou(what.moves) : words.takenBack(name);
    case "over":
      return words.over;
  }
}

function moveWords(move: Move | undefined, names: SeatNames): string {
  if (move === undefined) return "";
  return names.moved(move);
}

/** The keys of the lines whose moves were taken back later. */
export function undoneLines(lines: readonly Happening[]): ReadonlySet<string> {
  const undone = new Set<string>();
  let standing = Number.POSITIVE_INFINITY;
  for (let place = lines.length - 1; place >= 0; place -= 1) {
    const { what, ply, key } = lines[place] as Happening;
    if (what.kind === "takenBack") standing = Math.min(standing, what.ply);
    else if (what.kind === "game" && ply !== undefined && ply > standing) undone.add(key);
  }
  return undone;
}
