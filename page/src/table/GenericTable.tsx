/** The table of any game, from its schema alone. */

import { useMemo, useRef } from "preact/hooks";

import { said } from "../app/wording.js";
import { Actions } from "./Actions.js";
import { ChoosingProvider, useChoosing } from "./choosing.js";
import { Hand } from "./Hand.js";
import { EntryView, PieceView } from "./PieceView.js";
import { Pile } from "./Pile.js";
import type { Entry } from "./pieces.js";
import { Scores, SeatHead, SeatPanel } from "./SeatPanel.js";
import { tableModel, type SeatModel } from "./table_model.js";
import type { SeatFace, TableProps } from "./table_props.js";
import { targetsOf } from "./targets.js";
import { texts } from "./texts.js";
import { Trick } from "./Trick.js";
import { useMotion } from "./motion.js";
import "./table.css";

export function GenericTable(props: TableProps) {
  const { game, view, viewer, asked, moves, seats: faces } = props;
  const root = useRef<HTMLElement>(null);
  const table = useMemo(() => tableModel(game, view, viewer, asked), [game, view, viewer, asked]);
  const targets = useMemo(() => targetsOf(game, table, moves), [game, table, moves]);
  const choosing = useChoosing(targets, props);
  const shown = useMotion(root, table, props);
  const [own, ...others] = shown.seats;
  const isWatching = viewer === undefined;
  const around = isWatching || own === undefined ? shown.seats : others;
  const hasTrick = game.fields.some(({ zone, type }) => zone === "table" && isLaid(type?.kind)) || shown.seats.some((seat) => seat.plays.length > 0);
  return (
    <ChoosingProvider value={choosing}>
      <section class="table" aria-label={texts.value.table} ref={root} data-players={shown.seats.length} data-watching={isWatching}>
        {shown.place.length > 0 && <Place entries={shown.place} />}
        <div class="felt">
          {around.map((seat, index) => (
            <SeatPanel key={seat.seat} model={seat} face={faceOf(faces, seat)} place={sideOf(index, around.length, isWatching)} />
          ))}
          <div class="middle">
            {hasTrick && <Trick seats={shown.seats} faces={faces} />}
            {(shown.centre.length > 0 || shown.piles.length > 0) && (
              <div class="laid">
                {shown.piles.map((entry) => (
                  <Pile key={entry.field} entry={entry} />
                ))}
                {shown.centre.map((entry) => (
                  <Laid key={entry.field} entry={entry} />
                ))}
              </div>
            )}
          </div>
        </div>
        {own !== undefined && !isWatching && (
          <div class="own" data-asked={own.isAsked} data-seat={own.seat}>
            <div class="own-bar">
              <SeatHead model={own} face={faceOf(faces, own)} />
              {own.isAsked && <span class="own-turn">{texts.value.yourTurn}</span>}
              {own.scores.length > 0 && <Scores model={own} />}
              {[...own.holds].map((entry) => (
                <div class="seat-holds" key={entry.field}>
                  <EntryView entry={entry} />
                </div>
              ))}
            </div>
            <div class="hands" data-home={own.seat}>
              {shown.hands.map((entry, index) => (
                <Hand key={entry.field} entry={entry} isMain={index === 0} />
              ))}
            </div>
            <Actions game={game} />
          </div>
        )}
      </section>
    </ChoosingProvider>
  );
}

import { ValueKind } from "@machiavel/client/v1";

function isLaid(kind: ValueKind | undefined): boolean {
  return kind === ValueKind.LIST || kind === ValueKind.BY_SEAT;
}

function faceOf(faces: readonly SeatFace[], { seat }: SeatModel): SeatFace {
  return faces.find((face) => face.seat === seat) ?? { seat, name: texts.value.seat(seat), isBot: false, note: "", due: undefined };
}

/** At which side of the table a seat sits, clockwise from the viewer's left. */
function sideOf(index: number, seats: number, isWatching: boolean): string {
  if (isWatching) return "top";
  if (seats === 1) return "top";
  const sides = seats >= 6 ? 2 : 1;
  if (index < sides) return sides === 2 ? ["left-low", "left-high"][index] ?? "left" : "left";
  if (index >= seats - sides) return sides === 2 ? ["right-high", "right-low"][index - seats + sides] ?? "right" : "right";
  return "top";
}

function Place({ entries }: { entries: readonly Entry[] }) {
  return (
    <dl class="place">
      {entries.map((entry) => (
        <div class="fact" key={entry.field}>
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
  return (
    <div class="laid-entry" data-is={entry.piece.is}>
      <span class="pile-label">{said(entry.label)}</span>
      <PieceView piece={entry.piece} label={said(entry.label)} />
    </div>
  );
}
