/** The lines of the log as a person reads them. */

import type { Match, Move } from "@machiavel/client/v1";

import { said } from "../app/wording.js";
import type { Happening } from "./happenings.js";
import { botWords, seatName, told } from "./seat_names.js";
import { texts } from "./texts.js";

/** A line, in the language that is set. */
export function lineWords({ what, seat }: Happening, match: Match, viewer: number | undefined): string {
  const words = texts.value.log;
  const name = seat === undefined ? "" : seatName(match, seat);
  const isOwn = seat !== undefined && seat === viewer;
  switch (what.kind) {
    case "game":
      return what.text !== undefined ? told(what.text, match) : words.move(isOwn ? texts.value.seats.you : name, moveWords(what.move, match));
    case "joined":
      return words.joined(isOwn ? seatName(match, seat) : name);
    case "takenOver":
      return isOwn ? words.takenOverYou(botWords(what.bot)) : words.takenOver(name, botWords(what.bot));
    case "handedBack":
      return isOwn ? words.handedBackYou : words.handedBack(name);
    case "forfeited":
      return isOwn ? words.forfeitedYou : words.forfeited(name);
    case "kept":
      return words.kept(moveWords(what.move, match));
    case "lapsed":
      return words.lapsed(moveWords(what.move, match));
    case "takenBack":
      return isOwn ? words.takenBackYou(what.moves) : words.takenBack(name);
    case "over":
      return words.over;
  }
}

function moveWords(move: Move | undefined, match: Match): string {
  if (move === undefined) return "";
  return said(move.label) === "" ? move.text : told(move.label, match);
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
