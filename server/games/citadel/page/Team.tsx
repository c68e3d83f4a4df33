/** The team: who plays whom, whose turn it is, where everybody is, and whose power is ready. */

import { said } from "@page/app/wording.js";
import type { GameModel } from "@page/schema/game_model.js";
import { faceOf, nameOf } from "@page/schema/models.js";
import { aboutOf } from "@page/table/about.js";
import { SeatHead } from "@page/table/SeatHead.js";
import { faceOf as whoSits } from "@page/table/seating.js";
import type { SeatModel } from "@page/table/table_model.js";
import type { SeatFace } from "@page/table/table_props.js";
import { keyOfSeat } from "@page/table/targets.js";

import { CharacterSign, StarSign } from "./emblems.js";
import { useLit } from "./lit.js";
import { bare } from "./names.js";
import { colourOf } from "./Pawns.js";
import { deckLeft, type Seen } from "./seen.js";
import { Target } from "./Target.js";
import { keyOfPower } from "./targets.js";
import { texts } from "./texts.js";

export interface TeamProps {
  game: GameModel;
  seen: Seen;
  faces: readonly SeatFace[];
  viewer: number | undefined;
  asked: readonly number[];
}

/** The cards of a character. */
const DECK = 6;

export function Team({ game, seen, faces, viewer, asked }: TeamProps) {
  const first = viewer ?? 0;
  const count = seen.characters.length;
  return (
    <div class="citadel-team" role="group" aria-label={texts.value.team} data-count={count}>
      {seen.characters.map((_, index) => {
        const seat = (first + index) % count;
        return <Player key={seat} game={game} seen={seen} face={whoSits(faces, seat)} isOwn={seat === viewer} isAsked={asked.includes(seat)} />;
      })}
    </div>
  );
}

interface PlayerProps {
  game: GameModel;
  seen: Seen;
  face: SeatFace;
  isOwn: boolean;
  isAsked: boolean;
}

function Player({ game, seen, face, isOwn, isAsked }: PlayerProps) {
  const words = texts.value;
  const lit = useLit();
  const { seat } = face;
  const character = seen.characters[seat] ?? "";
  const name = said(nameOf(game, "character", character));
  const place = seen.places[seat];
  const isUp = seen.powers[seat] === true;
  const isSpent = isUp && seat === seen.active && seen.isPowerUsed;
  const power = isSpent ? words.powerUsed : isUp ? words.powerUp : words.powerDown;
  const key = keyOfSeat(seat);
  return (
    <div
      class="citadel-player"
      data-seat={seat}
      data-home={seat}
      data-own={isOwn}
      data-active={seat === seen.active && seen.phase !== "over"}
      data-asked={isAsked}
      onPointerEnter={() => lit.light([key])}
      onPointerLeave={() => lit.light([])}
    >
      <SeatHead model={modelOf(game, seat, isOwn, character)} face={{ ...face, name: firstOf(face.name) }} isAsked={isAsked} marked={isOwn} sign={<Disc seat={seat} character={character} name={name} />} />
      <span class="citadel-where">{place === undefined ? words.outside : bare(game, "room", place)}</span>
      <Target keyed={keyOfPower(seat)} class="citadel-power" label={`${power}, ${name}`} about={aboutOf(faceOf(game, "character", character))} isStop={false} data={{ "data-up": isUp, "data-spent": isSpent, "data-name": `${name} · ${power}` }}>
        <StarSign />
      </Target>
      <Deck left={deckLeft(seen, seat, DECK)} />
    </div>
  );
}

/** The first of several names, by which the game tells of players, too. */
function firstOf(name: string): string {
  return name.split(" ")[0] ?? name;
}

function Disc({ seat, character, name }: { seat: number; character: string; name: string }) {
  return (
    <span class="citadel-pawn" data-colour={colourOf(seat)} data-still="true" aria-hidden="true">
      <CharacterSign character={character} name={name} />
    </span>
  );
}

/** How many cards are left to draw, as backs. */
function Deck({ left }: { left: number }) {
  const label = texts.value.deck(left);
  return (
    <span class="citadel-deck" role="img" aria-label={label} title={label}>
      {Array.from({ length: DECK }, (_, index) => (
        <span key={index} class="citadel-back" data-on={index < left} />
      ))}
    </span>
  );
}

/** As the head of a seat takes it. */
function modelOf(game: GameModel, seat: number, isViewer: boolean, character: string): SeatModel {
  const face = faceOf(game, "character", character);
  const none = { isOut: false, plays: [], holds: [], backs: [], shown: [], scores: [] };
  return { ...none, seat, isViewer, marks: [nameOf(game, "character", character)], parts: face === undefined ? [] : [face] };
}
