/** Agency's own table: hands fanned, the trick in the middle around the plan at stake, powers and accomplices as they come up. */

import type { RefObject } from "preact";
import { useMemo, useRef } from "preact/hooks";

import { language } from "@page/app/settings.js";
import type { GameModel, Words } from "@page/schema/game_model.js";
import { askedWords } from "@page/table/asked.js";
import { ChoosingProvider, useChoosing } from "@page/table/choosing.js";
import { useRest, useTravel } from "@page/table/motion.js";
import { roving, useStops } from "@page/table/roving.js";
import { faceOf, sidesOf } from "@page/table/seating.js";
import type { SeatModel } from "@page/table/table_model.js";
import type { SeatFace, TableProps } from "@page/table/table_props.js";
import { targetsOf } from "@page/table/targets.js";
import { texts as shared } from "@page/table/texts.js";

import { Own } from "./Own.js";
import { Pile } from "./Pile.js";
import { betweenViews } from "./resting.js";
import { Accomplice, Powers } from "./Rules.js";
import { Seat } from "./Seat.js";
import { sceneOf, type Scene } from "./scene.js";
import { seenOf, type Seen } from "./seen.js";
import { texts } from "./texts.js";
import { Trick } from "./Trick.js";
import { leadOf } from "./trick_lead.js";
import "@page/table/common.css";
import "./agency.css";

/** What is drawn: the view, or the trick before it as long as that is looked at. */
interface Shown {
  readonly seen: Seen;
  readonly scene: Scene;
  readonly isOver: boolean;
  readonly ask: Words | undefined;
}

export function Table(props: TableProps) {
  const { game, view, viewer, asked, moves, seats: faces, played, events } = props;
  const root = useRef<HTMLElement>(null);
  const now = useMemo(() => ({ view, between: false }), [view]);
  const { view: drawn, between: isOver } = useRest(now, (before) => {
    const found = betweenViews(before.view, view, { played, events }, viewer);
    return found === undefined ? undefined : { view: found, between: true };
  });
  const shown = useMemo((): Shown => {
    const seen = seenOf(drawn);
    return { seen, scene: sceneOf(game, seen, viewer), isOver, ask: askedWords(game, view) };
  }, [game, drawn, viewer]);
  const targets = useMemo(() => targetsOf(game, sceneOf(game, seenOf(view), viewer).table, moves), [game, view, viewer, moves]);
  const choosing = useChoosing(targets, props);
  useTravel(root, shown);
  useStops(root);
  const lowest = isOver ? lowestIn(events) : undefined;
  const turn = asked.join();
  // What has not changed is not compared either: whoever points at things draws the page anew, but not the table.
  return useMemo(
    () => (
      <ChoosingProvider value={choosing}>
        <Whole root={root} game={game} shown={shown} faces={faces} viewer={viewer} asked={asked} lowest={lowest} />
      </ChoosingProvider>
    ),
    [choosing, game, shown, faces, viewer, turn, lowest, language.value],
  );
}

/** The other seats by sides, clockwise from the viewer's left. Four sit two and two: above the trick there is little room. */
function sides(others: readonly SeatModel[]): [string, readonly SeatModel[]][] {
  if (others.length !== 4) return sidesOf(others);
  return [
    ["left", others.slice(0, 2)],
    ["right", others.slice(2)],
  ];
}

/** The plan from the bottom that went with the trick, as the game told it. */
function lowestIn(events: TableProps["events"]): number | undefined {
  const bottom = events?.findLast(({ kind }) => kind === "trick")?.fields?.["bottom"];
  return typeof bottom === "number" ? bottom : undefined;
}

interface WholeProps {
  root: RefObject<HTMLElement | null>;
  game: GameModel;
  shown: Shown;
  faces: readonly SeatFace[];
  viewer: number | undefined;
  asked: readonly number[];
  lowest: number | undefined;
}

function Whole({ root, game, shown, faces, viewer, asked, lowest }: WholeProps) {
  const { seen, scene, isOver, ask } = shown;
  const { table, hand, given } = scene;
  const [own, ...others] = table.seats;
  const isWatching = viewer === undefined;
  // While a trick is looked at, only who looks is asked: the others wait for it, too.
  const isAsked = (seat: number): boolean => asked.includes(seat) && (!isOver || seat === viewer);
  const seat = (model: SeatModel) => (
    <Seat key={model.seat} game={game} seen={seen} model={model} face={faceOf(faces, model.seat)} viewer={viewer} isAsked={isAsked(model.seat)} />
  );
  const chooser = seen.phase === "lead" ? "belton" : seen.phase === "look" ? "moignons" : undefined;
  const taker = isOver ? leadOf(seen.table, seen.stake?.accomplice ?? "")?.seat : chooser === undefined ? undefined : seen.agents.indexOf(chooser);
  return (
    <section class="table agency" aria-label={shared.value.table} ref={root} data-players={table.seats.length} data-watching={isWatching}>
      <div class="agency-felt" data-around={others.length} data-group onKeyDown={(event) => roving(event, event.currentTarget)}>
        {sides(others).map(([side, seats]) => (
          <div class="agency-side" key={side} data-side={side}>
            {seats.map(seat)}
          </div>
        ))}
        <div class="agency-middle" data-seats={table.seats.length}>
          <p class="agency-when">{texts.value.place(seen.round, seen.trick)}</p>
          <Accomplice game={game} seen={seen} />
          <Powers game={game} seen={seen} faces={faces} viewer={viewer} />
          <Pile game={game} seen={seen} taker={taker} lowest={lowest} />
          <Trick seen={seen} seats={table.seats} faces={faces} viewer={viewer} isOver={isOver} given={given} />
        </div>
        {isWatching && own !== undefined && (
          <div class="agency-side" data-side="bottom">
            {seat(own)}
          </div>
        )}
      </div>
      {own !== undefined && !isWatching && (
        <Own game={game} seen={seen} hand={hand} model={own} face={faceOf(faces, own.seat)} isAsked={isAsked(own.seat)} ask={ask} />
      )}
      <div class="motion-layer" aria-hidden="true" />
    </section>
  );
}
