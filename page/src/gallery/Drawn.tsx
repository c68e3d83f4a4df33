/** A part of a table as its specimen feeds it, to be looked at and clicked. */

import "../table/common.css";
import "../table/choices.css";
import "../table/table.css";

import { create } from "@bufbuild/protobuf";
import { MoveSchema } from "@machiavel/client/v1";
import { useMemo, useRef, useState } from "preact/hooks";

import type { GameModel } from "../schema/game_model.js";
import { ChoosingProvider, useChoosing } from "../table/choosing.js";
import { roving, useStops } from "../table/roving.js";
import { tableModel } from "../table/table_model.js";
import type { SeatFace } from "../table/table_props.js";
import { targetsOf } from "../table/targets.js";
import type { Specimen } from "./specimen.js";
import { texts } from "./texts.js";

export function Drawn({ specimen, game }: { specimen: Specimen; game: GameModel }) {
  const root = useRef<HTMLElement>(null);
  const [made, make] = useState<string>();
  const { view, viewer } = specimen;
  const names = texts.value.names;
  const seats = useMemo(
    (): SeatFace[] => names.slice(0, game.players).map((name, seat) => ({ seat, name, isBot: seat > 0, note: "", due: undefined })),
    [game, names],
  );
  const moves = useMemo(() => (specimen.moves ?? []).map((text) => create(MoveSchema, { text, label: { en: text, fr: text } })), [specimen]);
  const table = useMemo(() => tableModel(game, view, viewer), [game, view, viewer]);
  const targets = useMemo(() => targetsOf(game, table, moves), [game, table, moves]);
  const choosing = useChoosing(targets, { game, view, seats, viewer, asked: [], moves, onMove: make });
  useStops(root);
  return (
    <ChoosingProvider value={choosing}>
      <div>
        <section class="table gallery-stage" aria-label={specimen.words().title} ref={root} data-players={game.players}>
          <div class="gallery-ground" data-ground={specimen.ground} data-group onKeyDown={(event) => roving(event, event.currentTarget)}>
            {specimen.draw({ game, view, table, faces: seats, viewer })}
          </div>
        </section>
        {moves.length > 0 && (
          <p class="note gallery-made" role="status">
            {made !== undefined && texts.value.moved(made)}
          </p>
        )}
      </div>
    </ChoosingProvider>
  );
}
