import { render } from "preact";
import { act } from "preact/test-utils";
import { expect, test } from "vitest";

import { betweenViews } from "../../../../server/games/agency/page/resting.js";
import { knownCards } from "../../../../server/games/agency/page/known_cards.js";
import { seenOf } from "../../../../server/games/agency/page/seen.js";
import { standingOf } from "../../../../server/games/agency/page/standing.js";
import { Table } from "../../../../server/games/agency/page/Table.js";
import { leadOf } from "../../../../server/games/agency/page/trick_lead.js";
import { listOf, recordOf } from "../../../src/table/pieces.js";
import { matchOf, type Played, type Position } from "../../table/played.js";
import { root, staged } from "../../table/stage.js";

staged();

/** Matches of each number of players, as each of some seats and as a spectator sees them. */
const MATCHES: readonly Played[] = [
  ...[2, 3, 4, 5].flatMap((players) => [matchOf("agency", players, players - 1, players), matchOf("agency", players, 0, 10 + players)]),
  matchOf("agency", 4, -1, 7),
];

function show({ game, viewer }: Played, position: Position, onMove?: (move: string) => void): void {
  const seats = Array.from({ length: game.players }, (_, seat) => ({ seat, name: `Player ${seat}`, isBot: false, note: "", due: undefined }));
  const { view, asked, moves } = position;
  // Without the moves that led there no trick is looked at first.
  void act(() => render(<Table game={game} view={view} viewer={viewer} seats={seats} asked={asked} moves={moves} {...(onMove === undefined ? {} : { onMove })} />, root));
}

/** Some of its positions: to draw all would take minutes. */
function some({ positions }: Played): readonly Position[] {
  return positions.filter(({ view }, index) => index % 5 === 0 || view["phase"] !== "play" || listOf(view["seen"]).length === 0);
}

function pairs({ positions }: Played): { before: Position; after: Position }[] {
  return positions.slice(1).map((after, index) => ({ before: positions[index] as Position, after }));
}

/** Where the last card of a trick was laid. */
function trickEnds(match: Played): { before: Position; after: Position }[] {
  return pairs(match).filter(({ before }) => before.view["phase"] === "play" && listOf(before.view["table"]).length + 1 === listOf(before.view["order"]).length);
}

test("what is drawn has a name, every thing and every button of it", () => {
  for (const match of MATCHES) {
    for (const position of some(match)) {
      show(match, position, () => {});
      expect(root.querySelector("section.table.agency")).not.toBeNull();
      for (const one of root.querySelectorAll("button, [role=img], [role=group], dialog")) {
        const name = one.getAttribute("aria-label") ?? [...one.childNodes].map(({ textContent }) => textContent).join("");
        expect(name.trim(), one.outerHTML.slice(0, 200)).not.toBe("");
      }
    }
  }
});

test("each move is made by one click on a card of the hand or on a seat", () => {
  for (const match of MATCHES) {
    for (const position of some(match).filter(({ moves }) => moves.length > 0)) {
      const made: string[] = [];
      show(match, position, (move) => made.push(move));
      const open = [...root.querySelectorAll<HTMLElement>("[data-roving][data-open=true]")];
      expect(open).toHaveLength(position.moves.length);
      for (const one of open) void act(() => one.click());
      expect([...made].sort()).toEqual(position.moves.map(({ text }) => text).sort());
    }
  }
});

test("the card that is ringed is the one that takes the trick by the rules", () => {
  const accomplices = new Set<string>();
  for (const match of MATCHES) {
    for (const { before, after } of trickEnds(match)) {
      const full = seenOf(betweenViews(before.view, after.view, after, match.viewer) ?? {});
      const [was, is] = [seenOf(before.view), seenOf(after.view)];
      if (was.round !== is.round || is.phase === "over") continue;
      const winner = is.tricks.findIndex((count, seat) => count > (was.tricks[seat] ?? 0));
      accomplices.add(was.stake?.accomplice ?? "");
      expect(leadOf(full.table, was.stake?.accomplice ?? "")?.seat).toBe(winner);
    }
  }
  expect([...accomplices].sort()).toEqual(["", "blue_over_mauve", "follow_suit", "low_wins", "pass_left", "plain_mauve"]);
});

test("while cards lie there, that one is ringed and said to take the trick so far", () => {
  const match = MATCHES[4] as Played;
  for (const position of some(match).filter(({ view }) => listOf(view["table"]).length > 1)) {
    show(match, position);
    const seen = seenOf(position.view);
    const ahead = leadOf(seen.table, seen.stake?.accomplice ?? "");
    const ringed = [...root.querySelectorAll(".agency-place[data-ahead=true]")];
    expect(ringed).toHaveLength(1);
    expect(ringed[0]?.textContent).toContain(`Player ${ahead?.seat}`);
    expect(ringed[0]?.innerHTML).toContain("takes the trick so far");
  }
});

test("the card that is passed lies before who passes it, in its hand no more; the others see its back", () => {
  let [own, others] = [0, 0];
  for (const match of MATCHES) {
    for (const position of match.positions.filter(({ view }) => view["phase"] === "pass")) {
      const seen = seenOf(position.view);
      const gave = match.viewer === undefined ? undefined : seen.half.at(-1)?.gave;
      show(match, position, () => {});
      const hand = root.querySelectorAll(".hand [data-spot]").length;
      expect(hand).toBe(listOf(position.view["hand"]).length - Number(gave !== undefined));
      const backs = root.querySelectorAll(".agency-place .card[data-back]").length;
      expect(backs).toBe(match.game.players - seen.asked.length - Number(gave !== undefined));
      expect(root.querySelectorAll(".agency-place .card:not([data-back])")).toHaveLength(Number(gave !== undefined));
      own += Number(gave !== undefined);
      others += backs;
    }
  }
  expect(Math.min(own, others)).toBeGreaterThan(3);
});

test("between two tricks the first lies there in full, with nothing that was not known then", () => {
  for (const match of MATCHES) {
    for (const { before, after } of pairs(match)) {
      const between = betweenViews(before.view, after.view, after, match.viewer);
      const isEnd = trickEnds(match).some((one) => one.before === before);
      expect(between !== undefined).toBe(isEnd);
      if (between === undefined) continue;
      const last = after.played[0];
      expect(listOf(between["table"])).toEqual([...listOf(before.view["table"]), [last?.seat, last?.text]]);
      for (const name of ["pile", "stake", "plan_points", "greens", "tricks", "round", "trick"]) expect(between[name]).toEqual(before.view[name]);
      const isAsked = match.viewer !== undefined && after.asked.includes(match.viewer);
      const hand = before.view["hand"] === null ? null : listOf(before.view["hand"]).filter((card) => card !== last?.text);
      expect(between["hand"]).toEqual(isAsked ? after.view["hand"] : hand);
    }
  }
});

test("the end of a trick is told by what the game told, too, and by nothing where neither is known", () => {
  const match = MATCHES[2] as Played;
  const { before, after } = trickEnds(match)[0] ?? {};
  const [play] = after?.played ?? [];
  const events = [{ kind: "play", fields: { who: play?.seat, card: play?.text } }] as never;
  expect(betweenViews(before?.view ?? {}, after?.view ?? {}, { events }, 0)).toEqual(betweenViews(before?.view ?? {}, after?.view ?? {}, after ?? {}, 0));
  expect(betweenViews(before?.view ?? {}, after?.view ?? {}, {}, 0)).toBeUndefined();
  expect(betweenViews(after?.view ?? {}, before?.view ?? {}, after ?? {}, 0)).toBeUndefined();
});

test("the bonus as it stands is what the game says it is", () => {
  let [bonuses, maluses] = [0, 0];
  for (const match of MATCHES) {
    for (const { view } of match.positions) {
      for (let seat = 0; seat < match.game.players; seat += 1) {
        const { bonus, malus, plans, total } = standingOf(match.game, seenOf(view), seat);
        expect(bonus - malus).toBe(listOf(view["bonus"])[seat]);
        expect(plans + bonus - malus).toBe(total);
        bonuses += bonus;
        maluses += malus;
      }
    }
  }
  expect(Math.min(bonuses, maluses)).toBeGreaterThan(0);
});

test("after a round each seat has what it brought, until the first card is played", () => {
  let told = 0;
  for (const match of MATCHES) {
    for (const position of some(match)) {
      const seen = seenOf(position.view);
      show(match, position);
      const lines = [...root.querySelectorAll(".agency-before dd")].map((one) => one.textContent?.trim());
      const isTold = seen.lastRound !== undefined && seen.played.length === 0;
      expect(lines).toHaveLength(isTold ? match.game.players : 0);
      if (!isTold) continue;
      told += 1;
      const points = seen.lastRound?.points.map((one) => `Round ${seen.round - 1}: ${one < 0 ? `−${-one}` : one} ${one === 1 ? "point" : "points"}`) ?? [];
      expect([...lines].sort()).toEqual([...points].sort());
    }
  }
  expect(told).toBeGreaterThan(5);
});

test("of another hand the viewer is told what it saw or passed, and what was not played since", () => {
  let known = 0;
  for (const match of MATCHES) {
    for (const { view } of match.positions) {
      const { viewer } = match;
      if (viewer === undefined) continue;
      const seen = seenOf(view);
      const mayKnow = new Set([...(seen.look?.looker === viewer ? seen.look.cards : []), ...seen.half.flatMap(({ gave }) => gave ?? [])]);
      for (let seat = 0; seat < match.game.players; seat += 1) {
        if (seat === viewer) continue;
        for (const { card } of knownCards(seen, seat, viewer)) {
          known += 1;
          expect(mayKnow.has(card)).toBe(true);
          expect(seen.played).not.toContain(card);
          expect(listOf(view["hand"])).not.toContain(card);
        }
      }
    }
  }
  expect(known).toBeGreaterThan(10);
});

test("nothing of a hand that the viewer does not see is on the page", () => {
  for (const match of MATCHES) {
    const cards = [...(match.game.kinds.get("card")?.things.keys() ?? [])];
    for (const position of some(match)) {
      const { view } = position;
      const { viewer } = match;
      const seen = seenOf(view);
      show(match, position, () => {});
      const others = viewer === undefined ? [] : Array.from({ length: match.game.players }, (_, seat) => knownCards(seen, seat, viewer)).flat();
      const may = new Set([...listOf(view["hand"]), ...seen.table.map(({ card }) => card), ...others.map(({ card }) => card)]);
      const drawn = new Set([...root.querySelectorAll<HTMLElement>("[data-spot]")].map((one) => /^[^:]*:([MBGY]\d+)#/.exec(one.dataset["spot"] ?? "")?.[1]));
      for (const card of cards) {
        if (may.has(card)) continue;
        expect(drawn.has(card), card).toBe(false);
        const name = match.game.kinds.get("card")?.things.get(card)?.name?.en ?? "";
        expect(new RegExp(`\\b${name}\\b`).test(root.textContent ?? ""), card).toBe(false);
      }
    }
  }
});

test("the pile tells what everybody may know to be left in it, and no order", () => {
  for (const match of MATCHES) {
    for (const position of match.positions.filter((_, index) => index % 17 === 0)) {
      show(match, position);
      void act(() => root.querySelector<HTMLElement>(".agency-pile-open")?.click());
      const lists = [...root.querySelectorAll("dialog .agency-left")].map((list) =>
        [...list.querySelectorAll("li")].reduce((sum, one) => sum + Number(/×\s*(\d+)/.exec(one.textContent ?? "")?.[1] ?? 1), 0),
      );
      const [, ...below] = listOf(position.view["pile"]);
      const unseen = listOf(position.view["segments"]).map((one) => listOf(recordOf(one)["unseen"]).length);
      const known = below.filter((one) => one !== "?").length;
      const top = listOf(position.view["pile"]).length > 0 ? [1] : [];
      expect(lists).toEqual([...top, ...unseen, ...(known > 0 ? [known] : [])]);
    }
  }
});
