/** Cards, dice and tokens as they look. They say nothing to who hears the page: what holds them does. */

import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";

import { language } from "../app/settings.js";
import { said } from "../app/wording.js";
import type { SuitFace, ThingFace } from "../schema/game_model.js";
import { captionOf, indexOf, pictureOf, type Picture } from "./card_face.js";
import type { Spot } from "./pieces.js";
import { emblemOf, SHAPES, shapeOf } from "./suit_shapes.js";
import "./cards.css";

/** A thing as it is drawn. */
export function Thing({ spot }: { spot: Spot }) {
  if (spot.look === "die") return <Die face={spot.face?.text} />;
  if (spot.look !== "card" && spot.face !== undefined) return <Token face={spot.face} />;
  return spot.face === undefined ? <Back variant={spot.variant % 2} /> : <Card face={spot.face} variant={spot.variant} />;
}

/** So many letters fit in a line of a title. */
const LONG = 8;

/** A card. It is drawn once for its face and language: what is not made anew is not compared either. */
export function Card({ face, variant }: { face: ThingFace; variant: number }) {
  return useMemo(() => cardArt(face, variant), [face, variant, language.value]);
}

function cardArt(face: ThingFace, variant: number) {
  const picture = pictureOf(face);
  const index = picture.is === "title" ? "" : indexOf(face);
  const caption = captionOf(face);
  const emblem = emblemOf(face.kind, variant);
  return (
    <span
      class="card"
      data-colour={face.suit?.colour ?? "plain"}
      data-emblem={face.suit === undefined ? emblem : undefined}
      data-picture={picture.is}
      data-words={caption !== ""}
      aria-hidden="true"
    >
      <svg viewBox="0 0 100 140" class="card-art">
        <rect class="card-paper" x="0.75" y="0.75" width="98.500" height="138.500" rx="8" />
        <PictureArt picture={picture} face={face} emblem={emblem} hasCaption={caption !== ""} />
        {index !== "" && <Corner index={index} suit={face.suit} />}
        {index !== "" && caption === "" && (
          <g transform="rotate(180 50 70)">
            <Corner index={index} suit={face.suit} />
          </g>
        )}
      </svg>
      {caption !== "" && (
        <span class={picture.is === "title" ? "card-title" : "card-caption"} data-long={caption.split(/[\s-]/).some((word) => word.length > LONG)}>
          {caption}
        </span>
      )}
    </span>
  );
}

function Corner({ index, suit }: { index: string; suit: SuitFace | undefined }) {
  return (
    <g>
      <text class="card-index" x={index.length > 1 ? 15 : 13.5} y="26" text-anchor="middle" data-long={index.length > 1}>
        {index}
      </text>
      {suit !== undefined && <SuitArt suit={suit} x={13.5} y={38} size={14} />}
    </g>
  );
}

/** The shape of a suit around a point. */
export function SuitArt({ suit, x, y, size, turned = false }: { suit: SuitFace; x: number; y: number; size: number; turned?: boolean }) {
  const path = shapeOf(suit.symbol);
  const place = `translate(${x} ${y})${turned ? " rotate(180)" : ""} scale(${size / 100}) translate(-50 -50)`;
  if (path !== undefined) return <path class="card-suit" d={path} transform={place} fill-rule="evenodd" />;
  return (
    <text class="card-suit" transform={place} x="50" y="86" font-size="100" text-anchor="middle">
      {suit.symbol}
    </text>
  );
}

function PictureArt({ picture, face, emblem, hasCaption }: { picture: Picture; face: ThingFace; emblem: string; hasCaption: boolean }) {
  const suit = face.suit ?? NEUTRAL;
  switch (picture.is) {
    case "pips":
      return (
        <g>
          {picture.at.map(([x, y]) => (
            <SuitArt key={`${x} ${y}`} suit={suit} x={x} y={y} size={20} turned={y > 70} />
          ))}
        </g>
      );
    case "ace":
      return <SuitArt suit={suit} x={50} y={70} size={48} />;
    case "court":
      return <Court figure={picture.figure} suit={suit} />;
    case "number":
      return face.suit === undefined ? (
        <g>
          <path
            class="card-emblem"
            d={SHAPES[emblem] ?? ""}
            transform={`translate(50 ${hasCaption ? 60 : 70}) scale(0.460) translate(-50 -50)`}
            fill-rule="evenodd"
          />
        </g>
      ) : (
        <g>
          <rect class="card-panel" x="26" y="14" width="48" height="112" rx="24" />
          <SuitArt suit={suit} x={50} y={36} size={22} />
          <text class="card-number" x="50" y="84" text-anchor="middle">
            {face.rank}
          </text>
          <SuitArt suit={suit} x={50} y={104} size={22} turned />
        </g>
      );
    case "title":
      return (
        <g>
          <rect class="card-frame" x="7" y="7" width="86" height="126" rx="4" />
          <path class="card-watermark" d={SHAPES[emblem] ?? ""} transform="translate(50 70) scale(0.700) translate(-50 -50)" fill-rule="evenodd" />
        </g>
      );
  }
}

/** What cards without suits have for pips. */
const NEUTRAL: SuitFace = { text: "", name: undefined, symbol: "spark", colour: "plain", order: 0 };

/** What a king, a queen and a jack wear. */
const CROWNS = {
  king: "M-16 8L-19-9L-9.500-1L0-14L9.500-1L19-9L16 8ZM-16 11H16V15H-16Z",
  queen: "M-15 11C-19 4-19-4-16-10C-13-5-10-4-8-6C-8-11-3-12 0-16C3-12 8-11 8-6C10-4 13-5 16-10C19-4 19 4 15 11Z",
  jack: "M-17 10C-17-2-9-10 2-10C4-16 10-19 18-17C14-14 12-11 11-8C15-4 17 2 17 10Z",
} as const;

/** A court card is the same from both sides: a bust above, another below. */
function Court({ figure, suit }: { figure: "king" | "queen" | "jack"; suit: SuitFace }) {
  const half = (
    <g>
      <path class="court-robe" d="M27 70V62C31 53 40 50 50 50C60 50 69 53 73 62V70Z" />
      <path class="court-sash" d="M44 51L50 63L56 51L61 52.500L50 70L39 52.500Z" />
      <circle class="court-face" cx="50" cy="42" r="9" />
      {figure === "king" && <path class="court-hair" d="M41 43C41 53 45 57 50 57C55 57 59 53 59 43C57 47 54 48 50 48C46 48 43 47 41 43Z" />}
      {figure === "queen" && (
        <path class="court-hair" d="M40.500 40C37 47 38 53 42 56C43 51 42 46 43 40ZM59.500 40C63 47 62 53 58 56C57 51 58 46 57 40Z" />
      )}
      {figure === "jack" && <path class="court-hair" d="M41 38C39 44 40 48 43 50L43 40ZM59 38C61 44 60 48 57 50L57 40Z" />}
      <path class="court-crown" d={CROWNS[figure]} transform="translate(50 27) scale(0.620)" />
      <SuitArt suit={suit} x={34} y={32} size={13} />
    </g>
  );
  return (
    <g>
      <rect class="court-frame" x="26.500" y="16" width="47" height="108" rx="3" />
      {half}
      <g transform="rotate(180 50 70)">{half}</g>
      <path class="court-belt" d="M26.500 70H73.500" />
    </g>
  );
}

/** The back of a card: two kinds, told apart by pattern and colour. */
export function Back({ variant }: { variant: number }) {
  return useMemo(() => backArt(variant), [variant]);
}

function backArt(variant: number) {
  return (
    <span class="card" data-back={variant} aria-hidden="true">
      <svg viewBox="0 0 100 140" class="card-art">
        <rect class="card-paper" x="0.750" y="0.750" width="98.500" height="138.500" rx="8" />
        <rect class="back-field" x="6" y="6" width="88" height="128" rx="5" />
        {variant === 0 ? <path class="back-lines" d={LATTICE} /> : <path class="back-lines" d={RAYS} />}
        <rect class="back-border" x="10" y="10" width="80" height="120" rx="3" />
        <path
          class="back-emblem"
          d={SHAPES[variant === 0 ? "diamond" : "hexagon"] ?? ""}
          transform="translate(50 70) scale(0.340) translate(-50 -50)"
          fill-rule="evenodd"
        />
      </svg>
    </span>
  );
}

const LATTICE = lattice();
const RAYS = rays();

function lattice(): string {
  const lines: string[] = [];
  for (let at = -120; at <= 90; at += 15) {
    const [x1, y1] = at < 0 ? [10, 10 - at] : [10 + at, 10];
    const run = Math.min(90 - x1, 130 - y1);
    if (run > 0) lines.push(`M${x1} ${y1}l${run} ${run}`, `M${100 - x1} ${y1}l${-run} ${run}`);
  }
  return lines.join("");
}

function rays(): string {
  const lines = [26, 40, 54].map(
    (radius) => `M${50 - radius * 0.7} 70a${radius * 0.7} ${radius} 0 1 0 ${radius * 1.4} 0a${radius * 0.7} ${radius} 0 1 0 ${-radius * 1.4} 0`,
  );
  return lines.join("");
}

const SPOTS: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  "1": [[50, 50]],
  "2": [
    [28, 28],
    [72, 72],
  ],
  "3": [
    [26, 26],
    [50, 50],
    [74, 74],
  ],
  "4": [
    [28, 28],
    [72, 28],
    [28, 72],
    [72, 72],
  ],
  "5": [
    [27, 27],
    [73, 27],
    [50, 50],
    [27, 73],
    [73, 73],
  ],
  "6": [
    [29, 25],
    [71, 25],
    [29, 50],
    [71, 50],
    [29, 75],
    [71, 75],
  ],
};

const DIE_COLOURS = new Set(["red", "green", "blue", "yellow", "orange", "black", "mauve", "teal"]);

/** A die as it lies; without a face nobody sees what it shows. */
export function Die({ face }: { face: string | undefined }) {
  const spots = face === undefined ? undefined : SPOTS[face];
  const colour = face !== undefined && DIE_COLOURS.has(face) ? face : undefined;
  return (
    <span class="die" data-hidden={face === undefined} aria-hidden="true">
      <svg viewBox="0 0 100 100">
        <rect class="die-side" x="3" y="3" width="94" height="94" rx="18" />
        {spots?.map(([x, y]) => (
          <circle key={`${x} ${y}`} class="die-spot" cx={x} cy={y} r="9.500" />
        ))}
        {colour !== undefined && <circle class="die-dye" data-colour={colour} cx="50" cy="50" r="28" />}
        {spots === undefined && colour === undefined && (
          <text class="die-text" x="50" y={face === undefined || face.length < 3 ? 66 : 57} text-anchor="middle" data-long={(face?.length ?? 0) > 2}>
            {face ?? "?"}
          </text>
        )}
      </svg>
    </span>
  );
}

/** What is no card: its name on a small plate. */
export function Token({ face, children }: { face: ThingFace; children?: ComponentChildren }) {
  const name = said(face.name);
  return (
    <span class="token">
      {face.suit !== undefined && <SuitSign suit={face.suit} />}
      {name === "" ? face.text : name}
      {children}
    </span>
  );
}

/** A suit as a sign in a line of text. */
export function SuitSign({ suit }: { suit: SuitFace }) {
  return (
    <svg viewBox="0 0 100 100" class="suit-sign" data-colour={suit.colour} aria-hidden="true">
      <SuitArt suit={suit} x={50} y={50} size={100} />
    </svg>
  );
}
