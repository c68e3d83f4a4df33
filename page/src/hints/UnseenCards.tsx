/** Where the cards are that a seat does not see: a map of each place, suit by suit, or a table of places and things. */

import { useMemo, useState } from "preact/hooks";
import type { HiddenPlace, UnseenMap } from "@machiavel/client/v1";

import { said } from "../app/wording.js";
import type { GameModel, ThingFace } from "../schema/game_model.js";
import { faceOf } from "../schema/models.js";
import { SuitSign } from "../table/Card.js";
import { indexOf } from "../table/card_face.js";
import { amount, count, percent, wholePercent } from "./shares.js";
import { texts } from "./texts.js";
import { ThingSign } from "./ThingSign.js";
import { alike, bySuit, namedThings, placesWith, type NamedThing, type PlaceMap } from "./unseen_rows.js";

export function UnseenCards({ map, game }: { map: UnseenMap; game: GameModel }) {
  const words = texts.value.unseen;
  const things = useMemo(() => namedThings(map, (kind, text) => faceOf(game, kind, text)), [map, game]);
  const places = useMemo(() => bySuit(map, things), [map, things]);
  const [isTable, setTable] = useState(false);
  return (
    <details class="unseen">
      <summary>{words.title}</summary>
      {things.length === 0 ? (
        <p class="note">{words.nothing}</p>
      ) : (
        <>
          {places.length > 0 && (
            <div class="unseen-ways" role="group" aria-label={words.title}>
              <button type="button" class="small" aria-pressed={!isTable} onClick={() => setTable(false)}>
                {words.byPlace}
              </button>
              <button type="button" class="small" aria-pressed={isTable} onClick={() => setTable(true)}>
                {words.asTable}
              </button>
            </div>
          )}
          {places.length > 0 && !isTable ? <Places places={places} /> : <Tables map={map} things={things} />}
          <Basis map={map} />
        </>
      )}
    </details>
  );
}

/** A map for each place: the likelier a card is there, the darker. */
function Places({ places }: { places: readonly PlaceMap[] }) {
  const words = texts.value.unseen;
  return (
    <>
      <div class="unseen-places">
        {places.map(({ place, suits }) => (
          <section key={placeKey(place)} class="unseen-place">
            <h4>
              {sentence(said(place.label))} <span class="note">{words.size(size(place))}</span>
            </h4>
            {suits.map(({ suit, cells }) => (
              <div key={suit.text} class="unseen-suit" data-colour={suit.colour}>
                <SuitSign suit={suit} />
                <ul aria-label={said(suit.name) || suit.text}>
                  {cells.map(({ face, chance }) => (
                    <Cell key={face.text} face={face} chance={chance} />
                  ))}
                </ul>
              </div>
            ))}
          </section>
        ))}
      </div>
      <p class="note">{words.legend}</p>
    </>
  );
}

function Cell({ face, chance }: { face: ThingFace; chance: number }) {
  const words = texts.value.unseen;
  const label = words.cell(said(face.name) || face.text, percent(chance));
  return (
    <li class={chance === 0 ? "never" : ""} style={{ "--chance": chance }} title={label}>
      <span class="heard">{label}</span>
      <span class="unseen-rank" aria-hidden="true">
        {indexOf(face)}
      </span>
      <span class="unseen-share" aria-hidden="true">
        {chance === 0 ? words.never : wholePercent(chance)}
      </span>
    </li>
  );
}

/** A table for each kind of things, a row for all that are as likely everywhere. */
function Tables({ map, things }: { map: UnseenMap; things: readonly NamedThing[] }) {
  const kinds = [...new Set(things.map(({ unseen }) => unseen.kind))];
  return (
    <>
      {kinds.map((kind) => (
        <Grouped key={kind} map={map} things={things.filter(({ unseen }) => unseen.kind === kind)} />
      ))}
    </>
  );
}

function Grouped({ map, things }: { map: UnseenMap; things: readonly NamedThing[] }) {
  const words = texts.value.unseen;
  const places = placesWith(map, things);
  return (
    <div class="unseen-table" tabIndex={0} role="region" aria-label={words.title}>
      <table>
        <thead>
          <tr>
            <th scope="col">{words.what}</th>
            {places.map((at) => (
              <th key={at} scope="col">
                {sentence(said((map.places[at] as HiddenPlace).label))} <span class="note">({total(things, at)})</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {alike(things, map.standardError).map((group) => (
            <tr key={group.things[0]?.unseen.name}>
              <th scope="row">
                {group.things.map((one) => (
                  <ThingSign
                    key={one.unseen.name}
                    face={one.face}
                    text={one.unseen.name}
                    copies={one.unseen.kind === "die" ? 1 : Math.round(one.unseen.count)}
                  />
                ))}
              </th>
              {places.map((at) => {
                const chance = group.chances[at] ?? 0;
                return (
                  <td key={at} style={{ "--chance": chance }}>
                    {chance === 0 ? words.never : percent(chance)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Basis({ map }: { map: UnseenMap }) {
  const words = texts.value.unseen;
  if (map.standardError === 0) return <p class="note">{words.certain}</p>;
  return (
    <p class="note">
      {words.worlds(count(map.worlds), amount(100 * map.standardError))}
      {map.weighedBy.includes("habits") && ` ${words.habits}`}
      {map.weighedBy.includes("inference") && ` ${words.inference}`}
    </p>
  );
}

function placeKey({ field, seat, index }: HiddenPlace): string {
  return `${field}:${seat ?? ""}:${index ?? ""}`;
}

function size({ size: many }: HiddenPlace): string {
  return rounded(many);
}

function total(things: readonly NamedThing[], at: number): string {
  return rounded(things.reduce((sum, { unseen }) => sum + (unseen.expected[at] ?? 0), 0));
}

function rounded(many: number): string {
  return Math.abs(many - Math.round(many)) < 0.05 ? count(Math.round(many)) : amount(many);
}

/** A label at the beginning of a line. */
function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

