/** The table of any game, from its schema alone. */

import type { RefObject } from "preact";
import { useMemo, useRef } from "preact/hooks";

import { language } from "../app/settings.js";
import { said } from "../app/wording.js";
import type { GameModel, Words } from "../schema/game_model.js";
import { Actions, ChoiceMenu } from "./Actions.js";
import { ASKED, askedWords, tellsAsked } from "./asked.js";
import { captionOf } from "./card_face.js";
import { ChoosingProvider, useChoosing } from "./choosing.js";
import { useCounted, type Counted } from "./counted.js";
import { Found, Verdict } from "./Found.js";
import { Hand } from "./Hand.js";
import { MapView } from "./MapView.js";
import { roomFor } from "./moves_room.js";
import { useMoving } from "./moving.js";
import { EntryView, PieceView, SeatNames } from "./PieceView.js";
import { Pile } from "./Pile.js";
import type { Entry } from "./pieces.js";
import { roving, useStops } from "./roving.js";
import { faceOf, sidesOf } from "./seating.js";
import { SeatHead } from "./SeatHead.js";
import { Scores, SeatPanel } from "./SeatPanel.js";
import { hasMidst, hasMoments, hasPlays, laysCards, tableModel, type SeatModel, type TableModel } from "./table_model.js";
import type { SeatFace, TableProps } from "./table_props.js";
import { targetsOf } from "./targets.js";
import { texts } from "./texts.js";
import { Trick } from "./Trick.js";
import "./common.css";
import "./choices.css";
import "./table.css";

export function GenericTable(props: TableProps) {
  const { game, view, viewer, asked, moves, seats: faces } = props;
  const root = useRef<HTMLElement>(null);
  const table = useMemo(() => tableModel(game, view, viewer), [game, view, viewer]);
  const targets = useMemo(() => targetsOf(game, table, moves), [game, table, moves]);
  const choosing = useChoosing(targets, props);
  const { table: shown, taker, open, goOn } = useMoving(root, table, props);
  const counted = useCounted(table, props.events);
  const goesOn = useRef(props.onGoOn);
  goesOn.current = props.onGoOn;
  useStops(root);
  const turn = asked.join();
  const ask = useMemo(() => askedWords(game, view), [game, view]);
  // What has not changed is not compared either: whoever points at things draws the page anew, but not the table.
  return useMemo(
    () => (
      <ChoosingProvider value={choosing}>
        <Whole
          root={root}
          game={game}
          table={shown}
          isResting={shown !== table}
          faces={faces}
          viewer={viewer}
          asked={open === undefined ? asked : NOBODY}
          ask={ask}
          taker={taker}
          counted={counted}
          open={open}
          onGoOn={() => {
            goOn();
            goesOn.current?.();
          }}
        />
      </ChoosingProvider>
    ),
    [choosing, game, shown, table, faces, viewer, turn, ask, taker, counted, open, goOn, language.value],
  );
}

interface WholeProps {
  root: RefObject<HTMLElement | null>;
  game: GameModel;
  table: TableModel;
  /** Whether a trick that is over still lies there. */
  isResting: boolean;
  faces: readonly SeatFace[];
  viewer: number | undefined;
  asked: readonly number[];
  /** What is asked of those, where the game tells. */
  ask: Words | undefined;
  taker: number | undefined;
  /** What was counted last, as long as it lies there. */
  counted: Counted | undefined;
  /** The same, while it is looked at. */
  open: Counted | undefined;
  onGoOn: () => void;
}

const NOBODY: readonly number[] = [];

function Whole({ root, game, table: shown, isResting, faces, viewer, asked, ask, taker, counted, open, onGoOn }: WholeProps) {
  const [own, ...others] = shown.seats;
  const main = mainHand(game, shown);
  const aside = shown.hands.filter((entry) => entry !== main);
  const isWatching = viewer === undefined;
  const toDo = ask === undefined ? shown.moment : [ask, ...shown.moment];
  const place = [...shown.place.filter(({ field }) => isWatching || field !== ASKED), ...diceAsFact(shown), ...inWords(game, shown)];
  const panel = (seat: SeatModel) => <SeatPanel key={seat.seat} model={seat} face={faceOf(faces, seat.seat)} isAsked={asked.includes(seat.seat)} />;
  return (
    <section class="table" aria-label={texts.value.table} ref={root} data-players={shown.seats.length} data-watching={isWatching} data-seats-act={seatsAct(game)} data-resting={isResting} data-open={open !== undefined}>
      {place.length > 0 && <Place entries={place} hasMoments={hasMoments(game)} />}
      <div class="felt" data-around={others.length} data-group onKeyDown={(event) => roving(event, event.currentTarget)}>
        {sidesOf(others).map(([side, seats]) => (
          <div class="side" key={side} data-side={side}>
            {seats.map(panel)}
          </div>
        ))}
        <Middle game={game} table={shown} faces={faces} taker={taker} counted={counted} open={open} />
        {isWatching && own !== undefined && (
          <div class="side" data-side="bottom">
            {panel(own)}
          </div>
        )}
      </div>
      {own !== undefined && !isWatching && (
        <div class="own own-apart" data-asked={asked.includes(own.seat)} data-seat={own.seat}>
          <div class="own-cards">
            <div
              class="own-bar"
              data-aside={game.fields.filter(({ zone }) => zone === "hand").length > 1}
              data-tells={hasMoments(game) || tellsAsked(game)}
              data-group
              onKeyDown={(event) => roving(event, event.currentTarget)}
            >
              <span data-home={own.seat}>
                <SeatHead model={own} face={faceOf(faces, own.seat)} isAsked={false} marked />
              </span>
              <span class="own-turn" data-on={asked.includes(own.seat)}>
                {texts.value.yourTurn}
              </span>
              {(hasMoments(game) || tellsAsked(game)) && (
                <span class="own-ask">{asked.includes(own.seat) && toDo.map((words) => said(words)).join(" · ")}</span>
              )}
              {own.scores.length > 0 && <Scores model={own} />}
              {aside.map((entry) => (
                <Hand key={entry.field} entry={entry} isMain={false} />
              ))}
              {own.holds.map((entry) => (
                <div class="seat-holds" key={entry.field}>
                  <EntryView entry={entry} />
                </div>
              ))}
            </div>
            <div class="hands">{main !== undefined && <Hand key={main.field} entry={main} isMain counted={open} />}</div>
          </div>
          {open === undefined ? <Actions game={game} /> : <Verdict counted={open} faces={faces} viewer={viewer} room={roomFor(game)} onGoOn={onGoOn} />}
        </div>
      )}
      {/* Who only watches sees what lies open for all, such as the cards of this turn. */}
      {isWatching && main !== undefined && (
        <div class="own">
          <div class="hands">
            {shown.hands.map((entry) => (
              <Hand key={entry.field} entry={entry} isMain={entry === main} />
            ))}
          </div>
        </div>
      )}
      <ChoiceMenu root={root} />
      <div class="motion-layer" aria-hidden="true" />
    </section>
  );
}

/** The hand that one plays from: the first that the game declares, also when nothing is left in it and another is. */
function mainHand(game: GameModel, { hands }: TableModel): Entry | undefined {
  const first = game.fields.find(({ zone }) => zone === "hand");
  return first === undefined ? hands[0] : hands.find(({ field }) => field === first.name);
}

/** Whether moves may be about seats: then room is kept for what a click on one does. */
function seatsAct({ shapes }: GameModel): boolean {
  return shapes.some(({ parts }) => parts.some(({ thing }) => thing === "seat"));
}

interface MiddleProps {
  game: GameModel;
  table: TableModel;
  faces: readonly SeatFace[];
  taker: number | undefined;
  counted: Counted | undefined;
  open: Counted | undefined;
}

/** What lies between the seats: the map, what was played, with the stake or the bid in its midst, and piles beside it. */
function Middle({ game, table, faces, taker, counted, open }: MiddleProps) {
  const isTrick = hasPlays(game, table);
  const inMidst = isTrick ? [...table.piles.filter(isStack), ...table.centre.filter(isSmall)].slice(0, 1) : [];
  const beside = [...table.piles, ...table.centre].filter((entry) => !inMidst.includes(entry));
  const lie = (entry: Entry) => (table.piles.includes(entry) ? <Pile key={entry.field} entry={entry} /> : <Laid key={entry.field} entry={entry} />);
  return (
    <div class="middle" data-midst={isTrick && hasMidst(game)}>
      {table.map !== undefined && <MapView map={table.map} />}
      {isTrick && (
        <Trick seats={table.seats} faces={faces} taker={taker} counted={counted} isOpen={open !== undefined} hasSlots={laysCards(game) && inMidst.length === 0}>
          {inMidst.map(lie)}
          {open !== undefined && <Found counted={open} faces={faces} isTold={!table.seats.some(({ isViewer }) => isViewer)} />}
        </Trick>
      )}
      {beside.length > 0 && (
        <div class="laid" data-beside={isTrick}>
          {beside.map(lie)}
        </div>
      )}
    </div>
  );
}

/** How many dice a bid is about. */
function diceAsFact({ dice }: TableModel): Entry[] {
  const label = texts.value.diceInPlay;
  return dice === undefined ? [] : [{ field: "dice in play", label: { en: label, fr: label }, piece: { is: "amount", amount: dice, most: undefined } }];
}

/** What stands in small letters on the card that all is about, to be read. */
function inWords(game: GameModel, table: TableModel): Entry[] {
  if (!hasPlays(game, table)) return [];
  return [...table.piles, ...table.centre].flatMap(({ field, label, piece }): Entry[] => {
    const top = piece.is === "things" && piece.inOrder ? piece.spots[0] : undefined;
    const caption = top?.face === undefined || top.look !== "card" ? "" : captionOf(top.face);
    return caption.includes(" ") ? [{ field: `${field} in words`, label, piece: { is: "words", words: { en: caption, fr: caption } } }] : [];
  });
}

/** A pile with something on top that matters, such as a stake. */
function isStack({ piece }: Entry): boolean {
  return piece.is === "things" && piece.inOrder;
}

function isSmall({ piece }: Entry): boolean {
  return piece.is === "composed" || (piece.is === "things" && piece.spots.length === 1);
}

function Place({ entries, hasMoments: tellsMore }: { entries: readonly Entry[]; hasMoments: boolean }) {
  return (
    <dl class="place" data-moments={tellsMore}>
      {entries.map((entry) => (
        <div class="fact" key={entry.field} data-field={entry.field} data-is={entry.piece.is}>
          <dt>{said(entry.label)}</dt>
          <dd>
            <PieceView piece={entry.piece} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Laid({ entry }: { entry: Entry }) {
  const { piece } = entry;
  const label = said(entry.label);
  return (
    <div class="laid-entry" data-field={entry.field} data-is={piece.is} role="group" aria-label={label}>
      <PieceView piece={piece} label={label} />
      <span class="pile-label">
        {label} {piece.is === "composed" && piece.seats.length > 0 && <SeatNames seats={piece.seats} />}
      </span>
    </div>
  );
}
