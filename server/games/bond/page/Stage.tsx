/** The middle of the table: whose turn it is, the attack under way, what it comes to, and who may still foil a taunt. */

import { said } from "@page/app/wording.js";
import type { Words } from "@page/schema/game_model.js";
import { useChoice } from "@page/table/choosing.js";
import { faceOf } from "@page/table/seating.js";
import { Avatar } from "@page/table/SeatHead.js";
import { spokenName } from "@page/table/SpotView.js";
import type { SeatFace } from "@page/table/table_props.js";
import { texts as shared } from "@page/table/texts.js";

import { BondCard, Sign } from "./BondCard.js";
import { foilersOf, otherOf } from "./foiling.js";
import { CAPTURED } from "./orders.js";
import type { Moment } from "./resting.js";
import type { Lying, Scene } from "./scene.js";
import { scoreOf, strengthOf, worthOf, type Attack, type Seen } from "./seen.js";
import { texts } from "./texts.js";

const LETTERS = [..."ABCDEFGHI"];

export interface StageProps {
  seen: Seen;
  scene: Scene;
  moment: Moment | undefined;
  faces: readonly SeatFace[];
  viewer: number | undefined;
  /** All seats that are asked now. */
  asked: readonly number[];
  /** What is asked, in the game's words. */
  ask: Words | undefined;
}

export function Stage(props: StageProps) {
  const { seen } = props;
  return (
    <div class="bond-happening" role="group" aria-label={seen.attack === undefined ? texts.value.turn : texts.value.attack}>
      {seen.attack === undefined ? <Calm {...props} /> : <Struck {...props} attack={seen.attack} />}
    </div>
  );
}

/** Nobody is attacked: whose turn it is, how far, and which Doublers are out. */
function Calm({ seen, faces, viewer, ask }: StageProps) {
  const words = texts.value;
  const at = seen.phase === "lair" ? 1 : 2;
  return (
    <>
      {seen.phase === "over" ? (
        <p class="bond-calm">{words.over}</p>
      ) : (
        <div class="bond-calm">
          <b key={seen.turn}>{seen.turn === viewer ? shared.value.yourTurn : words.turnOf(faceOf(faces, seen.turn).name)}</b>
          <ol class="bond-steps" aria-hidden="true">
            {words.steps.map((step, index) => (
              <li key={step} data-at={index === at} data-done={index < at}>
                {step}
              </li>
            ))}
          </ol>
          {ask !== undefined && (
            <p key={said(ask)} class="bond-ask">
              {said(ask)}
            </p>
          )}
        </div>
      )}
      <Letters seen={seen} />
    </>
  );
}

/** By letter how many of its two Doublers are out: with one out, a taunt with the other is safe. */
function Letters({ seen: { discard, idle, players } }: { seen: Seen }) {
  const words = texts.value;
  const outOf = (letter: string): number => discard.doublers.filter((one) => one === letter).length;
  const spoken = LETTERS.filter((letter) => outOf(letter) > 0).map((letter) => `${letter} (${outOf(letter) > 1 ? words.both : words.one})`);
  return (
    <div class="bond-outcome">
      <span class="bond-letters-title" aria-hidden="true">
        <Sign name="doubler" /> {words.lettersOut}
      </span>
      <span class="bond-letters" role="img" aria-label={`${words.lettersOut}: ${spoken.join(", ") || words.none}`}>
        {LETTERS.map((letter) => (
          <span key={letter} data-out={outOf(letter)}>
            {letter}
          </span>
        ))}
      </span>
      {idle > 0 && <p class="bond-idle">{words.idle(idle, players)}</p>}
    </div>
  );
}

function Struck(props: StageProps & { attack: Attack }) {
  const { seen, scene, attack, moment, faces, viewer } = props;
  const strength = strengthOf(attack);
  const worth = worthOf(seen.lairs[attack.target] ?? []);
  return (
    <>
      <p class="bond-caption">{attackWords(attack, faces, viewer)}</p>
      <div class="bond-clash">
        <Things things={scene.attack?.spies ?? []} doublers={scene.attack?.doublers ?? []} attack={attack} isFoiled={moment?.is === "foiled"} />
        <span class="bond-sum" aria-hidden="true">
          <span>
            <Sign name="spy" />
            <b>{strength ?? "?"}</b>
          </span>
          <i>{strength === undefined ? "?" : strength > worth ? ">" : "≤"}</i>
          <span>
            <Sign name="lair" />
            <b>{worth}</b>
          </span>
        </span>
      </div>
      <Outcome {...props} />
    </>
  );
}

function attackWords({ source, attacker, victim, target, spies }: Attack, faces: readonly SeatFace[], viewer: number | undefined): string {
  const words = texts.value;
  const name = (seat: number): string => faceOf(faces, seat).name;
  const isOwn = attacker === viewer;
  const what =
    source === "steal" && victim !== undefined
      ? words.steals(name(attacker), isOwn, victim === viewer ? words.you : name(victim))
      : source === "deck"
        ? words.takes(name(attacker), isOwn)
        : words.sends(name(attacker), isOwn, spies.length);
  return `${what} → ${words.whoseLair(name(target), target === viewer, target === attacker)}`;
}

interface ThingsProps {
  things: readonly Lying[];
  doublers: readonly Lying[];
  attack: Attack;
  isFoiled: boolean;
}

/** The spies, with the Doublers that lie on them. */
function Things({ things, doublers, attack, isFoiled }: ThingsProps) {
  const choice = useChoice();
  const isOpen = choice.isOpen(CAPTURED);
  const spies = things.map((lying, index) => <Placed key={lying.spot.id} lying={lying} at={index} label={spokenName(lying.spot)} />);
  const mark = choice.markOf(CAPTURED);
  return (
    <div class="bond-things" style={{ "--more": String(Math.max(things.length + doublers.length - 1, 1)) }}>
      {isOpen ? (
        <button
          key="open"
          type="button"
          class="bond-spies"
          data-roving
          data-key={CAPTURED}
          data-open="true"
          data-mark={mark?.kind}
          title={said(choice.targets.labels.get("kill")?.label)}
          onClick={() => choice.choose(CAPTURED)}
          onPointerEnter={() => choice.point(CAPTURED)}
          onPointerLeave={() => choice.point(undefined)}
          onFocus={() => choice.point(CAPTURED)}
          onBlur={() => choice.point(undefined)}
        >
          {spies}
        </button>
      ) : (
        <span key="shut" class="bond-spies">
          {spies}
        </span>
      )}
      {attack.captured && (
        <span class="bond-score" key={attack.taunts.length} data-times={attack.taunts.length} aria-hidden="true">
          {scoreOf(attack)}
          {attack.taunt !== undefined && <i>→ {scoreOf(attack, attack.taunts.length + 1)}?</i>}
        </span>
      )}
      {doublers.length > 0 && (
        <span key="doublers" class="bond-doublers">
          {doublers.map((lying, index) => {
            const isLast = index === doublers.length - 1;
            return <Placed key={lying.spot.id} lying={lying} at={index} label={spokenName(lying.spot)} is={isFoiled && isLast ? "foil" : attack.taunt !== undefined && index === attack.taunts.length ? "asked" : "stands"} />;
          })}
        </span>
      )}
    </div>
  );
}

function Placed({ lying: { spot, from, to }, at, label, is }: { lying: Lying; at: number; label: string; is?: string }) {
  return (
    <span class="bond-placed spot" data-spot={spot.id} data-from={from} data-to={to} data-is={is} role="img" aria-label={label} style={{ "--at": String(at) }}>
      <span class="bond-turned" key={spot.text} data-hidden={spot.face === undefined}>
        <BondCard spot={spot} />
      </span>
    </span>
  );
}

/** What it comes to: captured or not, what a kill scores, who may foil. */
function Outcome({ seen, attack, moment, faces, viewer, asked }: StageProps & { attack: Attack }) {
  const words = texts.value;
  const owner = faceOf(faces, attack.target).name;
  const isOwn = attack.target === viewer;
  if (moment !== undefined) {
    const [what, more] = momentWords(moment, attack, faces, viewer);
    return (
      <p key={moment.is} class="bond-outcome" data-is={moment.is}>
        <b>{what}</b>
        <span>{more}</span>
      </p>
    );
  }
  if (attack.taunt !== undefined) return <Taunt seen={seen} attack={attack} letter={attack.taunt} faces={faces} viewer={viewer} asked={asked} />;
  if (!attack.captured) {
    return (
      <p key="more" class="bond-outcome">
        <b>{words.more(attack.attacker === viewer, faceOf(faces, attack.attacker).name)}</b>
      </p>
    );
  }
  const safe = isOwn ? safeLetters(seen, attack) : [];
  return (
    <p key="captured" class="bond-outcome" data-is="captured">
      <b>{words.killOrTaunt(isOwn, owner)}</b>
      <span>{words.killNow(scoreOf(attack))}</span>
      {safe.length > 0 && <span>{words.safe(safe.join(", "))}</span>}
    </p>
  );
}

/** What came of an attack, and what follows. */
function momentWords({ is, seat, points }: Moment, attack: Attack, faces: readonly SeatFace[], viewer: number | undefined): [string, string] {
  const words = texts.value;
  switch (is) {
    case "killed":
      return [words.killed(points), ""];
    case "foiled":
      return [words.foiled(faceOf(faces, seat).name, seat === viewer), words.freed];
    case "stood":
      return [words.stood, words.killNow(scoreOf(attack, attack.taunts.length + 1))];
    case "escaped":
      return [words.escaped, words.wrecked];
  }
}

/** The letters of the hand with which a taunt cannot be foiled. */
function safeLetters(seen: Seen, attack: Attack): string[] {
  const letters = new Set(seen.hand?.doublers ?? []);
  return [...letters].filter((letter) => !attack.taunts.includes(letter) && otherOf(seen, letter, true) !== "unknown");
}

interface TauntProps extends Pick<StageProps, "seen" | "faces" | "viewer" | "asked"> {
  attack: Attack;
  letter: string;
}

/** A taunt is on: what it would bring, and one by one who lets it pass. */
function Taunt({ seen, attack, letter, faces, viewer, asked }: TauntProps) {
  const words = texts.value;
  const isOwn = attack.target === viewer;
  const foilers = foilersOf(seen, viewer, asked);
  const other = otherOf(seen, letter);
  const may = foilers.filter((one) => one.may).length;
  const fact = other === "gone" ? words.otherGone(letter) : other === "mine" ? (isOwn ? words.otherSafe(letter) : words.otherMine(letter)) : words.mayFoil(may);
  return (
    <div class="bond-outcome" data-is="taunt">
      <p>
        <b>{words.taunted(isOwn, faceOf(faces, attack.target).name, letter)}</b>
        <span>{words.ifStands(scoreOf(attack), scoreOf(attack, attack.taunts.length + 1))}</span>
      </p>
      <ol class="bond-foilers" aria-label={words.foilers}>
        {foilers.map(({ seat, state, isAsked }) => {
          const face = faceOf(faces, seat);
          return (
            <li key={seat} data-state={state} data-asked={isAsked} title={`${face.name} ${words.states[state]}`}>
              <span class="heard">{`${face.name} ${words.states[state]}`}</span>
              <Avatar face={face} isAsked={false} />
            </li>
          );
        })}
      </ol>
      <p class="bond-fact">{fact}</p>
    </div>
  );
}
