/** What the others held at that moment, which the seat could not see. */

import { ValueKind, type ValueType } from "@machiavel/client/v1";

import { said } from "../app/wording.js";
import { ThingSign } from "../hints/ThingSign.js";
import type { SeatNames } from "../match/seat_names.js";
import { texts as seatTexts } from "../match/texts.js";
import type { GameModel, Plain } from "../schema/game_model.js";
import { faceOf } from "../schema/models.js";
import { plainView } from "../schema/plain_view.js";
import { hiddenValues } from "./hidden_values.js";
import type { Sight } from "./replay.js";
import { texts } from "./texts.js";

interface TruthProps {
  game: GameModel;
  sight: Sight | undefined;
  others: readonly Sight[];
  names: SeatNames;
}

export function Truth({ game, sight, others, names }: TruthProps) {
  const words = texts.value.truth;
  if (sight?.seen.view === undefined) return null;
  const viewers = plainView(game, sight.seen.view);
  const name = names.called(sight.seat);
  const isYou = name === seatTexts.value.seats.you;
  const rows = others.map(({ seat, seen }) => ({
    seat,
    values: seen.view === undefined ? [] : hiddenValues(game, seat, plainView(game, seen.view), viewers),
  }));
  const isAnything = rows.some(({ values }) => values.length > 0);
  return (
    <div class="review-truth">
      <p class="note">{isAnything ? (isYou ? words.textYou : words.text(name)) : isYou ? words.nothingYou : words.nothing(name)}</p>
      {isAnything && (
        <dl>
          {rows.map(({ seat, values }) => (
            <div key={seat}>
              <dt>{names.called(seat)}</dt>
              <dd>
                {values.length === 0 && <span class="note">{words.none}</span>}
                {values.map(({ name: field, type, field: declared, value }) => (
                  <div key={field} class="truth-value">
                    {values.length > 1 && <span class="note">{said(declared?.label) || field} </span>}
                    <Value game={game} type={type} value={value} />
                  </div>
                ))}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

/** A value in words and signs, as its type says. */
function Value({ game, type, value }: { game: GameModel; type: ValueType | undefined; value: Plain }) {
  if (value === null) return null;
  if (type?.kind === ValueKind.THING || type?.kind === ValueKind.THINGS) {
    const things = Array.isArray(value) ? (value as readonly Plain[]) : [value];
    return (
      <span class="things">
        {things.map((thing, place) => (
          <ThingSign key={place} face={faceOf(game, type.thing, String(thing))} text={String(thing)} />
        ))}
      </span>
    );
  }
  if (type?.kind === ValueKind.RECORD && typeof value === "object" && !Array.isArray(value)) {
    const parts = value as Readonly<Record<string, Plain>>;
    return (
      <>
        {type.fields
          .filter(({ name }) => !isNothing(parts[name]))
          .map((field) => (
            <span key={field.name} class="truth-part">
              {said(field.label) !== "" && <span class="note">{said(field.label)} </span>}
              <Value game={game} type={field.type} value={parts[field.name] ?? null} />
            </span>
          ))}
      </>
    );
  }
  if (Array.isArray(value)) {
    return (
      <span class="things">
        {(value as readonly Plain[]).map((one, place) => (
          <Value key={place} game={game} type={type?.inside[0]} value={one} />
        ))}
      </span>
    );
  }
  return <span class="thing-sign">{typeof value === "object" ? JSON.stringify(value) : String(value)}</span>;
}

function isNothing(value: Plain | undefined): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}
