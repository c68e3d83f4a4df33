/** The head of a seat: who sits there, whether they are asked, how much time they have. */

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

import { said } from "../app/wording.js";
import { aboutAttributes, aboutOf } from "./about.js";
import { actOn } from "./act_words.js";
import { useChoice } from "./choosing.js";
import { MarkOf } from "./MoveList.js";
import type { SeatModel } from "./table_model.js";
import type { SeatFace } from "./table_props.js";
import { keyOfSeat } from "./targets.js";
import { texts } from "./texts.js";

export interface SeatHeadProps {
  model: SeatModel;
  face: SeatFace;
  isAsked: boolean;
}

/** What holds for that seat alone, such as who leads, but for what it is called already. */
export function marksOf(model: SeatModel, face: SeatFace): string[] {
  const marks = model.marks.map(said).filter((mark) => mark !== face.name);
  return model.isOut ? [texts.value.out, ...marks] : marks;
}

export function spokenSeat(face: SeatFace, isAsked: boolean): string {
  return [face.name, face.note, isAsked ? texts.value.thinking : ""].filter((part) => part !== "").join(", ");
}

/**
 * Who sits there; a button where a move is about that seat. What holds for the seat alone, such as who leads, stands there where it is `marked`.
 * `sign` stands in place of the avatar.
 */
export function SeatHead({ model, face, isAsked, marked = false, sign }: SeatHeadProps & { marked?: boolean; sign?: ComponentChildren }) {
  const choice = useChoice();
  const key = keyOfSeat(model.seat);
  const isOpen = choice.isOpen(key);
  const note = [...(marked ? marksOf(model, face) : []), face.note].filter((part) => part !== "").join(" · ");
  const inside = (
    <>
      {sign ?? <Avatar face={face} isAsked={isAsked} />}
      <span class="seat-who">
        <span class="seat-name">{face.name}</span>
        {note !== "" && (
          <span class="seat-note" data-away={face.isAway}>
            {note}
          </span>
        )}
      </span>
      {face.due !== undefined && <Clock due={face.due} />}
    </>
  );
  const act = isOpen ? actOn(choice, key) : undefined;
  const mark = choice.markOf(key);
  const about = aboutSeat(model, face);
  if (!isOpen && about === "") {
    return (
      <div class="seat-head">
        {inside}
        <MarkOf mark={mark} />
      </div>
    );
  }
  return (
    <button
      type="button"
      class="seat-head"
      data-roving
      data-key={key}
      data-open={isOpen}
      data-chosen={choice.chosen.includes(key)}
      aria-pressed={isOpen ? choice.chosen.includes(key) : undefined}
      title={about === "" ? act?.all : undefined}
      {...aboutAttributes(about, act?.short)}
      onClick={() => choice.choose(key)}
      onPointerEnter={() => choice.point(key)}
      onPointerLeave={() => choice.point(undefined)}
      onFocus={() => choice.point(key)}
      onBlur={() => choice.point(undefined)}
    >
      {inside}
      {act !== undefined && <span class="seat-act">{act.short}</span>}
      <MarkOf mark={mark} />
    </button>
  );
}

/** What the things do that a seat is, such as its character. */
function aboutSeat({ parts }: SeatModel, { name }: SeatFace): string {
  const told = parts.flatMap((part) => {
    const about = aboutOf(part);
    const called = said(part.name) || part.text;
    return about === "" ? [] : [called === name ? about : `${called}. ${about}`];
  });
  return told.join("\n");
}

const COLOURS = ["blue", "orange", "green", "mauve", "teal", "red", "yellow"] as const;

export function Avatar({ face, isAsked }: { face: SeatFace; isAsked: boolean }) {
  return (
    <span class="avatar" data-asked={isAsked} data-colour={COLOURS[face.seat % COLOURS.length]} aria-hidden="true">
      {face.isBot ? (
        <svg viewBox="0 0 24 24">
          <path d="M12 3V6M6 8H18Q20 8 20 10V17Q20 19 18 19H6Q4 19 4 17V10Q4 8 6 8ZM9 12.500V14M15 12.500V14M2 12V15M22 12V15" />
        </svg>
      ) : (
        [...face.name][0]?.toLocaleUpperCase()
      )}
    </span>
  );
}

/** The time that is left. */
function Clock({ due }: { due: number }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  const left = Math.max(0, Math.ceil((due - now) / 1000));
  const time = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  return (
    <span class="seat-clock" data-late={left <= 10} role="timer" aria-label={texts.value.timeLeft(time)}>
      {time}
    </span>
  );
}
