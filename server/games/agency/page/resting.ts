/** A trick that is over lies there in full for a moment: the view as it was when its last card had been laid. */

import type { Plain, PlainView } from "@page/schema/game_model.js";
import { listOf } from "@page/table/pieces.js";
import type { SeenPlay, TableProps } from "@page/table/table_props.js";

export type Since = Pick<TableProps, "played" | "events">;

/** The view between two, where the last card of a trick was laid since; else undefined. Who is asked next has their hand already. */
export function betweenViews(before: PlainView, after: PlainView, since: Since, viewer: number | undefined): PlainView | undefined {
  const order = listOf(before["order"]);
  const laid = listOf(before["table"]);
  const isSame = before["round"] === after["round"] && before["trick"] === after["trick"] && after["phase"] !== "over";
  if (before["phase"] !== "play" || isSame || Number(after["ply"]) < Number(before["ply"])) return undefined;
  const more = missing(order.slice(laid.length), since.played ?? told(since.events));
  if (more === undefined) return undefined;
  const full = [...laid, ...more];
  const cards = new Set(more.map(([, card]) => card));
  const givers = new Set(more.map(([seat]) => seat));
  const counts = listOf(before["hand_counts"]).map((count, seat) => (givers.has(seat) ? Number(count) - 1 : count));
  const hand = before["hand"] === null || before["hand"] === undefined ? null : listOf(before["hand"]).filter((card) => !cards.has(String(card)));
  const isAsked = viewer !== undefined && listOf(after["to_move"]).includes(viewer);
  const own: PlainView = isAsked ? { hand: after["hand"] ?? null, reserve: after["reserve"] ?? 0 } : { hand };
  return { ...before, to_move: [], table: full, hand_counts: counts, ...own };
}

/** The plays that the game told. */
function told(events: TableProps["events"]): SeenPlay[] {
  return (events ?? []).flatMap(({ kind, fields }) => (kind === "play" ? [{ seat: Number(fields?.["who"]), text: String(fields?.["card"]) }] : []));
}

/** The cards that these seats laid, as the moves tell; undefined where they do not tell all. */
function missing(seats: readonly Plain[], played: readonly SeenPlay[]): [Plain, string][] | undefined {
  const cards = played.filter(({ text }) => !text.includes(":"));
  const found = seats.map((seat, index): [Plain, string] | undefined => {
    const play = cards[index];
    return play?.seat === seat ? [seat, play.text] : undefined;
  });
  return found.every((one) => one !== undefined) ? found : undefined;
}
