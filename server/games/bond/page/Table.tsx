/** Bond's own table: lairs that grow, spies by their backs, and in the middle the attack, with who may still foil a taunt. */

import type { RefObject } from "preact";
import { useMemo, useRef } from "preact/hooks";

import { language } from "@page/app/settings.js";
import type { GameModel, PlainView, Words } from "@page/schema/game_model.js";
import { askedWords } from "@page/table/asked.js";
import { ChoosingProvider } from "@page/table/choosing.js";
import { useRest, useTravel } from "@page/table/motion.js";
import { roving, useStops } from "@page/table/roving.js";
import { faceOf } from "@page/table/seating.js";
import type { SeatModel } from "@page/table/table_model.js";
import type { SeatFace, TableProps } from "@page/table/table_props.js";
import { texts as shared } from "@page/table/texts.js";

import { targetsOf, useOrders } from "./orders.js";
import { Own } from "./Own.js";
import { Discard, Pile } from "./Piles.js";
import { betweenViews, momentRest, type Moment } from "./resting.js";
import { sceneOf, type Scene } from "./scene.js";
import { Seat, SeatLair } from "./Seat.js";
import { seenOf, type Seen } from "./seen.js";
import { Stage } from "./Stage.js";
import { texts } from "./texts.js";
import "@page/table/common.css";
import "./bond.css";

/** What is drawn: the view, or what came of the attack before it as long as that is looked at. */
interface Shown {
  readonly seen: Seen;
  readonly scene: Scene;
  readonly moment: Moment | undefined;
  readonly ask: Words | undefined;
  readonly askOthers: Words | undefined;
}

interface Drawn {
  readonly view: PlainView;
  readonly moment: Moment | undefined;
}

export function Table(props: TableProps) {
  const { game, view, viewer, asked, moves, seats: faces, events } = props;
  const root = useRef<HTMLElement>(null);
  const now = useMemo((): Drawn => ({ view, moment: undefined }), [view]);
  const drawn = useRest(
    now,
    (before) => betweenViews(before.view, view, events),
    ({ moment }) => momentRest(moment),
  );
  const shown = useMemo((): Shown => {
    const seen = seenOf(drawn.view);
    const { moment } = drawn;
    const foil = moment?.is === "foiled" && moment.letter !== undefined ? { seat: moment.seat, letter: moment.letter } : undefined;
    return { seen, scene: sceneOf(game, seen, viewer, foil), moment, ask: askedWords(game, view), askOthers: askedWords(game, view, "others") };
  }, [game, drawn, viewer]);
  const targets = useMemo(() => {
    const seen = seenOf(view);
    return targetsOf(sceneOf(game, seen, viewer), moves, seen.attack?.taunt);
  }, [game, view, viewer, moves]);
  const choosing = useOrders(targets, props);
  useTravel(root, shown);
  useStops(root);
  const turn = asked.join();
  // What has not changed is not compared either: whoever points at things draws the page anew, but not the table.
  return useMemo(
    () => (
      <ChoosingProvider value={choosing}>
        <Whole root={root} game={game} shown={shown} faces={faces} viewer={viewer} asked={asked} onEscape={choosing.clear} />
      </ChoosingProvider>
    ),
    [choosing, game, shown, faces, viewer, turn, language.value],
  );
}

/** The other seats by sides, clockwise from the viewer's left: as many as can be beside the middle, since above it there is little room. */
export function sidesOf<Seated>(others: readonly Seated[]): [string, readonly Seated[]][] {
  if (others.length < 2) return [["top", others]];
  const beside = Math.floor(others.length / 2);
  return [
    ["left", others.slice(0, beside)],
    ["top", others.slice(beside, others.length - beside)],
    ["right", others.slice(others.length - beside)],
  ];
}

interface WholeProps {
  root: RefObject<HTMLElement | null>;
  game: GameModel;
  shown: Shown;
  faces: readonly SeatFace[];
  viewer: number | undefined;
  asked: readonly number[];
  onEscape: () => void;
}

function Whole({ root, shown, faces, viewer, asked, onEscape }: WholeProps) {
  const { seen, scene, moment, ask, askOthers } = shown;
  const [own, ...others] = scene.seats;
  const isWatching = viewer === undefined;
  // While it is looked at what came of an attack, only who looks is asked: the others wait for it, too.
  const isAsked = (seat: number): boolean => asked.includes(seat) && (moment === undefined || seat === viewer);
  const partsOf = (model: SeatModel) => ({ seen, scene, moment, model, face: faceOf(faces, model.seat), viewer, isAsked: isAsked(model.seat) });
  const isOwnTurn = viewer !== undefined && asked.includes(viewer);
  return (
    <section
      class="table bond"
      aria-label={shared.value.table}
      ref={root}
      data-players={scene.seats.length}
      data-watching={isWatching}
      onKeyDown={(event) => event.key === "Escape" && onEscape()}
    >
      <div class="bond-felt" data-around={others.length} data-group onKeyDown={(event) => roving(event, event.currentTarget)}>
        {sidesOf(others).map(([side, seats]) => (
          <div class="bond-side" key={side} data-side={side} data-count={seats.length}>
            {seats.map((model) => (
              <Seat key={model.seat} {...partsOf(model)} />
            ))}
          </div>
        ))}
        <div class="bond-middle bond-stage" data-phase={moment?.is ?? seen.phase}>
          <Pile seen={seen} />
          <Stage seen={seen} scene={scene} moment={moment} faces={faces} viewer={viewer} asked={asked} ask={isOwnTurn ? ask : askOthers} />
          <Discard seen={seen} />
        </div>
        {own !== undefined && (
          <div class="bond-side" data-side="bottom">
            {isWatching ? (
              <Seat {...partsOf(own)} />
            ) : (
              <div class="bond-mine">
                <span aria-hidden="true">{texts.value.yourLair}</span>
                <SeatLair {...partsOf(own)} />
              </div>
            )}
          </div>
        )}
      </div>
      {own !== undefined && !isWatching && <Own {...partsOf(own)} faces={faces} ask={ask} />}
      <div class="motion-layer" aria-hidden="true" />
    </section>
  );
}
