/** A map: places in their rows, the ways between them, and who and what is where. */

import { said } from "../app/wording.js";
import { aboutAttributes, aboutOf } from "./about.js";
import { actOn } from "./act_words.js";
import { useChoice } from "./choosing.js";
import { MarkOf } from "./MoveList.js";
import type { LinkModel, MapModel, PlaceMark, PlaceModel } from "./map_model.js";
import { PieceView } from "./PieceView.js";
import { Avatar } from "./SeatHead.js";
import { bareName, spokenName } from "./SpotView.js";
import { keyOfSpot } from "./targets.js";
import { texts } from "./texts.js";
import "./map.css";

export function MapView({ map }: { map: MapModel }) {
  const at = new Map(map.places.map((place) => [place.spot.text, place]));
  return (
    <div class="map" role="group" aria-label={texts.value.map}>
      <div
        class="map-grid"
        style={{
          gridTemplateColumns: `repeat(${map.columns}, minmax(0, 1fr))`,
          gridTemplateRows: `repeat(${map.rows}, minmax(var(--map-row), 1fr))`,
        }}
      >
        <svg class="map-ways" viewBox={`0 0 ${map.columns} ${map.rows}`} preserveAspectRatio="none" aria-hidden="true">
          {map.links.map((link) => (
            <path key={link.spot.id} d={wayOf(link, at, map)} class="map-way" data-on={link.state !== undefined} />
          ))}
        </svg>
        {map.places.map((place) => (
          <PlaceView key={place.spot.id} place={place} />
        ))}
        <div class="map-links">
          {map.links.map((link) => (
            <LinkView key={link.spot.id} link={link} at={at} map={map} />
          ))}
        </div>
      </div>
      {map.turnedOff.map(({ mark, off }) => (
        <p class="map-legend" key={off.en}>
          <span class="map-mark" data-off="true" aria-hidden="true">
            {said(mark)}
          </span>
          {said(off)}
        </p>
      ))}
    </div>
  );
}

/** The middles of the ends of a link, in squares. */
function endsOf({ ends }: LinkModel, at: ReadonlyMap<string, PlaceModel>): [number, number, number, number] {
  const [one, two] = [at.get(ends[0]), at.get(ends[1])];
  return [(one?.column ?? 0) + 0.5, (one?.row ?? 0) + 0.5, (two?.column ?? 0) + 0.5, (two?.row ?? 0) + 0.5];
}

/** How far outside the map a way runs that joins its far ends, in squares. */
const OUTSIDE = 0.08;

/** On which side a way runs around what lies between its ends; undefined where it goes straight. */
function detour([x1, y1, x2, y2]: readonly number[], map: MapModel): number | undefined {
  if (x1 !== x2 || x1 === undefined || Math.abs((y1 ?? 0) - (y2 ?? 0)) <= 1) return undefined;
  return x1 < map.columns / 2 ? -OUTSIDE : map.columns + OUTSIDE;
}

function wayOf(link: LinkModel, at: ReadonlyMap<string, PlaceModel>, map: MapModel): string {
  const ends = endsOf(link, at);
  const [x1, y1, x2, y2] = ends;
  const side = detour(ends, map);
  return side === undefined ? `M${x1} ${y1}L${x2} ${y2}` : `M${x1} ${y1}H${side}V${y2}H${x2}`;
}

function LinkView({ link, at, map }: { link: LinkModel; at: ReadonlyMap<string, PlaceModel>; map: MapModel }) {
  const choice = useChoice();
  const ends = endsOf(link, at);
  const [x1, y1, x2, y2] = ends;
  const x = detour(ends, map) ?? (x1 + x2) / 2;
  const y = (y1 + y2) / 2;
  const key = keyOfSpot(link.spot);
  const isOpen = choice.isOpen(key);
  // The half of each end lies towards it.
  const isTurned = x1 === x2 ? y1 > y2 : x1 > x2;
  const colours = isTurned ? [link.colours[1], link.colours[0]] : link.colours;
  const data = {
    "data-way": x1 === x2 ? "down" : "across",
    "data-on": link.state !== undefined,
    style: { left: `${(100 * x) / map.columns}%`, top: `${(100 * y) / map.rows}%` },
  };
  const label = [spokenName(link.spot), said(link.state)].filter((part) => part !== "").join(", ");
  const inside = colours.map((colour, index) => <span key={index} class="map-door" data-colour={colour} />);
  const about = aboutOf(link.spot.face);
  if (!isOpen && about === "") {
    return (
      <span class="map-link" {...data} role="img" aria-label={label}>
        {inside}
      </span>
    );
  }
  return (
    <button
      type="button"
      class="map-link"
      {...data}
      data-roving
      data-key={key}
      data-open={isOpen}
      data-chosen={choice.chosen.includes(key)}
      {...tellingOf(about, isOpen ? actOn(choice, key) : undefined)}
      onClick={() => choice.choose(key)}
      onPointerEnter={() => choice.point(key)}
      onPointerLeave={() => choice.point(undefined)}
      onFocus={() => choice.point(key)}
      onBlur={() => choice.point(undefined)}
    >
      {inside}
      <span class="heard">{label}</span>
      <MarkOf mark={choice.markOf(key)} />
    </button>
  );
}

function PlaceView({ place }: { place: PlaceModel }) {
  const choice = useChoice();
  const key = keyOfSpot(place.spot);
  const isOpen = choice.isOpen(key);
  const data = { style: { gridRow: String(place.row + 1), gridColumn: String(place.column + 1) } };
  const inside = (
    <>
      <span class="map-name">{bareName(place.spot)}</span>
      <span class="map-marks">
        {place.marks.map((mark, index) => (
          <MarkView key={`${mark.field}${index}`} mark={mark} />
        ))}
      </span>
      {place.seats.length > 0 && (
        <span class="map-seats">
          {place.seats.map((seat) => (
            <SeatToken key={seat} seat={seat} />
          ))}
        </span>
      )}
    </>
  );
  const about = aboutPlace(place);
  if (!isOpen && about === "") {
    return (
      <div class="map-place" {...data}>
        {inside}
        <MarkOf mark={choice.markOf(key)} />
      </div>
    );
  }
  return (
    <button
      type="button"
      class="map-place"
      {...data}
      data-roving
      data-key={key}
      data-open={isOpen}
      data-chosen={choice.chosen.includes(key)}
      {...tellingOf(about, isOpen ? actOn(choice, key) : undefined)}
      onClick={() => choice.choose(key)}
      onPointerEnter={() => choice.point(key)}
      onPointerLeave={() => choice.point(undefined)}
      onFocus={() => choice.point(key)}
      onBlur={() => choice.point(undefined)}
    >
      {inside}
      <MarkOf mark={choice.markOf(key)} />
    </button>
  );
}

/** What it tells who points at it: what it is for and what a click does, or else only that. */
function tellingOf(about: string, act: { short: string; all: string } | undefined): object {
  return about === "" ? { title: act?.all } : aboutAttributes(about, act?.short);
}

/** What a place is for, and what the things in it do, each in a paragraph. */
function aboutPlace({ spot, marks }: PlaceModel): string {
  const things = marks.flatMap(({ piece, off }) => {
    const thing = piece.is === "things" ? piece.spots[0] : undefined;
    const about = aboutOf(thing?.face);
    if (thing === undefined || about === "") return [];
    return `${off === undefined ? bareName(thing) : `${bareName(thing)} (${said(off)})`}. ${about}`;
  });
  return [aboutOf(spot.face), ...things].filter((text) => text !== "").join("\n");
}

function SeatToken({ seat }: { seat: number }) {
  const { seats } = useChoice();
  const face = seats.find((one) => one.seat === seat) ?? { seat, name: texts.value.seat(seat), isBot: false, note: "", due: undefined };
  return (
    <span class="map-seat" data-spot={`seat:${seat}`}>
      <span role="img" aria-label={face.name}>
        <Avatar face={face} isAsked={false} />
      </span>
    </span>
  );
}

/** Something in a place: a thing by its name, an amount behind it; else its label. */
function MarkView({ mark }: { mark: PlaceMark }) {
  const { piece, amount, off, label } = mark;
  const value = amount === undefined ? "" : said(amount.words) || String(amount.value);
  const thing = piece.is === "things" ? piece.spots[0] : undefined;
  const about = aboutOf(thing?.face);
  const spoken = [said(label), said(off), amount === undefined ? "" : `${said(amount.label)} ${value}`].filter((part) => part !== "").join(", ");
  // To who hears the page its place tells what it does.
  const telling = about === "" || thing === undefined ? { title: spoken } : { "data-about": about, "data-name": `${bareName(thing)} · ${spoken}` };
  return (
    <span
      class="map-mark"
      data-colour={mark.colour === "" ? undefined : mark.colour}
      data-off={off !== undefined}
      data-plain={piece.is === "none"}
      {...telling}
    >
      {thing !== undefined ? (
        bareName(thing)
      ) : piece.is === "none" ? (
        said(label)
      ) : (
        <PieceView piece={piece} />
      )}
      {off !== undefined && <span class="heard"> ({said(off)})</span>}
      {amount !== undefined && <span class="map-amount">{value}</span>}
    </span>
  );
}
