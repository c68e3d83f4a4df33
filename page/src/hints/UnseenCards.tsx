/** Where the cards are that a seat does not see: a map of each place, suit by suit, or a table of places and things. */

import { signal } from "@preact/signals";
import { useMemo, useState } from "preact/hooks";
import type { HiddenPlace, UnseenMap } from "@machiavel/client/v1";

import { said } from "../app/wording.js";
import type { SeatNames } from "../match/seat_names.js";
import type { GameModel, ThingFace } from "../schema/game_model.js";
import { faceOf } from "../schema/models.js";
import { SuitSign } from "../table/Card.js";
import { indexOf } from "../table/card_face.js";
import { amount, count, percent, wholePercent } from "./shares.js";
import { texts } from "./texts.js";
import { ThingSign } from "./ThingSign.js";
import { alike, bySuit, namedThings, placesWith, totalOf, type NamedThing, type PlaceMap } from "./unseen_rows.js";

/** Who has opened it finds it open at the next move. */
const isOpen = signal(false);

interface UnseenCardsProps {
  map: UnseenMap;
  game: GameModel;
  names: SeatNames;
}

export function UnseenCards({ map, game, names }: UnseenCardsProps) {
  const words = texts.value.unseen;
  const kinds = useMemo(() => byKind(namedThings(map, (kind, text) => faceOf(game, kind, text))), [map, game]);
  const hasSuits = kinds.some((things) => bySuit(map, things).length > 0);
  const [isTable, setTable] = useState(false);
  return (
    <details class="unseen" open={isOpen.value} onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
      <summary>{words.title}</summary>
      {kinds.length === 0 ? (
        <p class="note">{words.nothing}</p>
      ) : (
        <div class="stack">
          {hasSuits && (
            <div class="unseen-ways" role="group" aria-label={words.title}>
              <button type="button" class="small" aria-pressed={!isTable} onClick={() => setTable(false)}>
                {words.byPlace}
              </button>
              <button type="button" class="small" aria-pressed={isTable} onClick={() => setTable(true)}>
                {words.asTable}
              </button>
            </div>
          )}
          {kinds.map((things) => {
            const places = isTable ? [] : bySuit(map, things);
            const key = things[0]?.unseen.kind;
            return places.length > 0 ? <Places key={key} places={places} names={names} /> : <Grouped key={key} map={map} things={things} names={names} />;
          })}
          <Basis map={map} />
        </div>
      )}
    </details>
  );
}

function byKind(things: readonly NamedThing[]): NamedThing[][] {
  return [...new Set(things.map(({ unseen }) => unseen.kind))].map((kind) => things.filter(({ unseen }) => unseen.kind === kind));
}

/** As many maps as are looked at together; of more places one is chosen. */
const TOGETHER = 3;

/** A map for each place: the likelier a card is there, the darker. */
function Places({ places, names }: { places: readonly PlaceMap[]; names: SeatNames }) {
  const words = texts.value.unseen;
  const [chosen, choose] = useState(0);
  const isChosen = places.length > TOGETHER;
  const at = Math.min(chosen, places.length - 1);
  const label = ({ place }: PlaceMap): string => sentence(names.told(place.label));
  return (
    <div class="unseen-map">
      {isChosen && (
        <div class="unseen-ways" role="group" aria-label={words.place}>
          {places.map((place, number) => (
            <button key={placeKey(place.place)} type="button" class="small" aria-pressed={number === at} onClick={() => choose(number)}>
              {label(place)}
            </button>
          ))}
        </div>
      )}
      {places.map(
        (place, number) =>
          (!isChosen || number === at) && (
            <section key={placeKey(place.place)} class="unseen-place">
              <h4>
                {label(place)} <span class="note">{words.size(rounded(place.total))}</span>
              </h4>
              {place.suits.map(({ suit, cells }) => (
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
          ),
      )}
      <p class="note">{words.legend}</p>
    </div>
  );
}

function Cell({ face, chance }: { face: ThingFace; chance: number }) {
  const words = texts.value.unseen;
  const label = words.cell(said(face.name) || face.text, percent(chance));
  return (
    <li class={chance === 0 ? "never" : ""} style={{ "--shade": Math.sqrt(chance) }} title={label}>
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

/** A table: a group of rows for all that are as likely everywhere, their names above, their chances below. */
function Grouped({ map, things, names }: { map: UnseenMap; things: readonly NamedThing[]; names: SeatNames }) {
  const words = texts.value.unseen;
  const places = placesWith(map, things);
  return (
    <div class="unseen-table" tabIndex={0} role="region" aria-label={words.title}>
      <table>
        <thead>
          <tr>
            {places.map((at) => (
              <th key={at} scope="col">
                {sentence(names.told((map.places[at] as HiddenPlace).label))} <span class="note">({rounded(totalOf(things, at))})</span>
              </th>
            ))}
          </tr>
        </thead>
        {alike(things, map.standardError).map((group) => (
          <tbody key={group.things[0]?.unseen.name}>
            <tr>
              <th scope="rowgroup" colSpan={places.length}>
                <span class="things">
                  {group.things.map((one) => (
                    <ThingSign
                      key={one.unseen.name}
                      face={one.face}
                      text={one.unseen.name}
                      copies={one.unseen.kind === "die" ? 1 : Math.round(one.unseen.count)}
                    />
                  ))}
                </span>
              </th>
            </tr>
            <tr>
              {places.map((at) => {
                const chance = group.chances[at] ?? 0;
                return (
                  <td key={at} style={{ "--shade": Math.sqrt(chance) }}>
                    {chance === 0 ? words.never : percent(chance)}
                  </td>
                );
              })}
            </tr>
          </tbody>
        ))}
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

function rounded(many: number): string {
  return Math.abs(many - Math.round(many)) < 0.05 ? count(Math.round(many)) : amount(many);
}

/** A label at the beginning of a line. */
function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

