/** What is tapped for an answer: cards, seats, numbers, yes or no, and rows of these. */

import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";

import { said } from "../app/wording.js";
import type { GameModel, Plain, ThingFace } from "../schema/game_model.js";
import { faceOf } from "../schema/models.js";
import { Card, Die } from "../table/Card.js";
import { captionOf } from "../table/card_face.js";
import { roving, useStops } from "../table/roving.js";
import { isShort, listOf, withAt, type Draft } from "./drafts.js";
import type { ItemLabel, Option, Shape } from "./shapes.js";
import { texts } from "./texts.js";
import { toldValue } from "./told_value.js";

export interface InputContext {
  game: GameModel | undefined;
  players: number;
  /** What a seat is called. */
  seat(seat: number): string;
}

interface InputProps {
  shape: Shape;
  draft: Draft;
  /** What is asked, for who hears the page. */
  label: string;
  context: InputContext;
  onDraft(draft: Draft): void;
}

export function ShapeInput(props: InputProps) {
  const { shape, draft, label, onDraft } = props;
  const words = texts.value.input;
  const inner = <Inner {...props} />;
  if (!shape.nullable || shape.is === "row" || shape.is === "things") return inner;
  return (
    <div class="coach-nullable">
      {shape.is !== "choice" && shape.is !== "seat" && inner}
      {(shape.is === "choice" || shape.is === "seat") && inner}
      <button type="button" class="coach-option" data-value="" aria-pressed={draft === null} aria-label={label === "" ? undefined : `${label}: ${words.nothing}`} onClick={() => onDraft(draft === null ? undefined : null)}>
        {words.nothing}
      </button>
    </div>
  );
}

function Inner({ shape, draft, label, context, onDraft }: InputProps) {
  const words = texts.value.input;
  switch (shape.is) {
    case "flag":
      return (
        <Options label={label}>
          {[true, false].map((value) => (
            <OptionButton key={String(value)} value={String(value)} isChosen={draft === value} onChoose={() => onDraft(value)}>
              {value ? words.yes : words.no}
            </OptionButton>
          ))}
        </Options>
      );
    case "number":
      return <NumberInput {...{ shape, draft, label, context, onDraft }} />;
    case "choice":
      return <Choices options={shape.options} thing={shape.thing} {...{ draft, label, context, onDraft }} />;
    case "seat":
      return (
        <Options label={label}>
          {Array.from({ length: context.players }, (_, seat) => (
            <OptionButton key={seat} value={String(seat)} isChosen={draft === seat} onChoose={() => onDraft(seat)}>
              {context.seat(seat)}
            </OptionButton>
          ))}
          {shape.options.map(({ value, words: name }) => (
            <OptionButton key={String(value)} value={String(value)} isChosen={draft === value} onChoose={() => onDraft(value)}>
              {said(name) || String(value)}
            </OptionButton>
          ))}
        </Options>
      );
    case "things":
      return <ThingsInput {...{ shape, draft, label, context, onDraft }} />;
    case "row":
      return <RowInput {...{ shape, draft, label, context, onDraft }} />;
    case "each":
      return (
        <div class="coach-each" role="group" aria-label={label}>
          {shape.items.map((item, at) => {
            const name = labelText(item.label, context);
            return (
              <div class="coach-item" key={at} data-item={at}>
                {name !== "" && <span class="coach-item-label">{name}</span>}
                <ShapeInput
                  shape={item.shape}
                  draft={listOf(draft)[at]}
                  label={[label, name].filter((part) => part !== "").join(", ")}
                  context={context}
                  onDraft={(value) => onDraft(withAt(Array.from({ length: shape.items.length }, (_, number) => listOf(draft)[number]), at, value))}
                />
              </div>
            );
          })}
        </div>
      );
    default:
      return (
        <input
          class="coach-text"
          aria-label={label}
          autocomplete="off"
          spellcheck={false}
          value={typeof draft === "string" ? draft : ""}
          onInput={(event) => onDraft(event.currentTarget.value)}
        />
      );
  }
}

function labelText(label: ItemLabel, context: InputContext): string {
  return "seat" in label ? context.seat(label.seat) : sentence(said(label.words));
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

// ---- Buttons ----

function Options({ label, children, look = "plain" }: { label: string; children: ComponentChildren; look?: string }) {
  const group = useRef<HTMLDivElement>(null);
  useStops(group);
  return (
    <div class="coach-options" data-look={look} role="group" aria-label={label} data-group ref={group} onKeyDown={(event) => roving(event, group.current)}>
      {children}
    </div>
  );
}

interface OptionProps {
  value: string;
  isChosen: boolean;
  isOff?: boolean;
  name?: string | undefined;
  /** How often it was chosen, where that may be more than once. */
  times?: number;
  look?: string | undefined;
  onChoose(): void;
  children: ComponentChildren;
}

function OptionButton({ value, isChosen, isOff = false, name, times = 0, look, onChoose, children }: OptionProps) {
  return (
    <button type="button" class="coach-option" data-roving data-value={value} data-look={look} aria-pressed={isChosen} disabled={isOff} onClick={onChoose}>
      {name !== undefined && <span class="heard">{name}</span>}
      {name === undefined ? children : <span aria-hidden="true">{children}</span>}
      {times > 1 && <span class="coach-times">×{times}</span>}
    </button>
  );
}

interface ChoicesProps extends Omit<InputProps, "shape"> {
  options: readonly Option[];
  thing: string;
}

function Choices({ options, thing, draft, label, context, onDraft }: ChoicesProps) {
  const kind = context.game?.kinds.get(thing);
  const chosen = JSON.stringify(draft);
  const faces = options.map(({ value }) => (typeof value === "string" && context.game !== undefined ? faceOf(context.game, thing, value) : undefined));
  const isCards = kind?.look === "card" && faces.every((face) => face !== undefined && isPlain(face));
  return (
    <Options label={label} look={isCards ? "cards" : "plain"}>
      {options.map((option, at) => (
        <OptionButton
          key={JSON.stringify(option.value)}
          value={typeof option.value === "string" ? option.value : JSON.stringify(option.value)}
          isChosen={chosen === JSON.stringify(option.value)}
          look={isCards ? "card" : undefined}
          name={isCards ? faceName(faces[at], option.value) : undefined}
          onChoose={() => onDraft(option.value)}
        >
          {isCards && faces[at] !== undefined ? <ThingArt face={faces[at]} context={context} /> : optionText(option, faces[at], context)}
        </OptionButton>
      ))}
    </Options>
  );
}

function optionText({ value, words, seat }: Option, face: ThingFace | undefined, context: InputContext): string {
  if (seat !== undefined) return context.seat(seat);
  return sentence(said(face?.name) || said(words) || toldValue(value, context));
}

/** Whether a card is known by its sign: what stands on it in words cannot be read so small. */
function isPlain(face: ThingFace): boolean {
  return captionOf(face) === "";
}

function faceName(face: ThingFace | undefined, value: Plain): string {
  return said(face?.name) || String(value);
}

/** A thing as it looks on the table, small. */
export function ThingArt({ face, context }: { face: ThingFace; context: Pick<InputContext, "game"> }) {
  const kind = context.game?.kinds.get(face.kind);
  if (kind?.look === "die") return <Die face={face.text} />;
  if (kind?.look === "card") return <Card face={face} variant={kind.variant} />;
  return <>{sentence(said(face.name) || face.text)}</>;
}

type Of<Is extends Shape["is"]> = Extract<Shape, { is: Is }>;

// ---- Numbers ----

function NumberInput({ shape, draft, label, onDraft }: InputProps & { shape: Of<"number"> }) {
  const { least, most, step, die } = shape;
  const words = texts.value.input;
  if (isShort(least, most, step)) {
    const numbers = Array.from({ length: Math.floor((most - least) / step) + 1 }, (_, at) => least + at * step);
    return (
      <Options label={label}>
        {numbers.map((number) => (
          <OptionButton key={number} value={String(number)} isChosen={draft === number} look={die ? "die" : "number"} name={die ? String(number) : undefined} onChoose={() => onDraft(number)}>
            {die && number > 0 ? <Die face={String(number)} /> : number}
          </OptionButton>
        ))}
      </Options>
    );
  }
  const value = typeof draft === "number" ? draft : undefined;
  const to = (next: number): void => onDraft(Math.max(least, Math.min(most ?? Number.MAX_SAFE_INTEGER, next)));
  return (
    <div class="coach-number" role="group" aria-label={label}>
      <button type="button" class="small" aria-label={words.less} disabled={value === undefined || value <= least} onClick={() => to((value ?? least) - step)}>
        −
      </button>
      <input
        type="number"
        inputMode="numeric"
        aria-label={label}
        min={least}
        max={most}
        step={step}
        value={value === undefined ? "" : String(value)}
        onInput={(event) => onDraft(event.currentTarget.value === "" ? undefined : Number(event.currentTarget.value))}
      />
      <button type="button" class="small" aria-label={words.more} disabled={value !== undefined && most !== undefined && value >= most} onClick={() => to(value === undefined ? least : value + step)}>
        +
      </button>
    </div>
  );
}

// ---- Things ----

function ThingsInput({ shape, draft, label, context, onDraft }: InputProps & { shape: Of<"things"> }) {
  const chosen = listOf(draft).filter((one): one is string => typeof one === "string");
  const kind = context.game?.kinds.get(shape.thing);
  const faces = [...(kind?.things.values() ?? [])].filter(({ text }) => shape.only?.includes(text) ?? true);
  const isFull = shape.most !== undefined && chosen.length >= shape.most;
  const tap = (text: string): void => {
    if (!shape.repeats && chosen.includes(text)) onDraft(chosen.filter((one) => one !== text));
    else if (isFull && shape.most === 1) onDraft([text]);
    else if (!isFull) onDraft([...chosen, text]);
  };
  const words = texts.value.input;
  const rows = bySuit(faces);
  const look = kind?.look === "card" && faces.every(isPlain) ? "cards" : "plain";
  return (
    <div class="coach-things">
      <Chosen chosen={chosen} label={label} context={context} thing={shape.thing} onRemove={(at) => onDraft(chosen.filter((_, number) => number !== at))} />
      {rows.map((row, number) => (
        <Options key={row[0]?.text} label={rows.length > 1 ? `${label}, ${said(row[0]?.suit?.name) || number + 1}` : label} look={look}>
          {row.map((face) => {
            const times = chosen.filter((one) => one === face.text).length;
            return (
              <OptionButton
                key={face.text}
                value={face.text}
                isChosen={times > 0}
                isOff={isFull && shape.most !== 1 && times === 0}
                times={times}
                look={look === "cards" ? "card" : undefined}
                name={faceName(face, face.text)}
                onChoose={() => tap(face.text)}
              >
                {look === "cards" ? <ThingArt face={face} context={context} /> : sentence(faceName(face, face.text))}
              </OptionButton>
            );
          })}
        </Options>
      ))}
      {faces.length === 0 && <p class="note">{words.noThings}</p>}
    </div>
  );
}

function bySuit(faces: readonly ThingFace[]): ThingFace[][] {
  const rows = new Map<string, ThingFace[]>();
  for (const face of faces) {
    const key = face.suit?.text ?? face.text.split(":").slice(0, -1).join(":");
    rows.set(key, [...(rows.get(key) ?? []), face]);
  }
  return [...rows.values()];
}

/** What was chosen so far, in that order; a tap takes it away. */
function Chosen({ chosen, label, context, thing, onRemove }: { chosen: readonly string[]; label: string; context: InputContext; thing: string; onRemove(at: number): void }) {
  const words = texts.value.input;
  return (
    <div class="coach-chosen" role="group" aria-label={words.chosen(label)}>
      {chosen.length === 0 ? (
        <span class="note">{words.none}</span>
      ) : (
        chosen.map((text, at) => {
          const face = context.game === undefined ? undefined : faceOf(context.game, thing, text);
          const name = faceName(face, text);
          return (
            <button key={at} type="button" class="coach-chip" aria-label={words.remove(name)} title={words.remove(name)} onClick={() => onRemove(at)}>
              {sentence(name)} <span aria-hidden="true">×</span>
            </button>
          );
        })
      )}
      <span class="heard" role="status">
        {words.count(chosen.length)}
      </span>
    </div>
  );
}

// ---- Rows ----

function RowInput({ shape, draft, label, context, onDraft }: InputProps & { shape: Of<"row"> }) {
  const values = listOf(draft);
  const { of } = shape;
  const words = texts.value.input;
  if (of.is === "each" || of.is === "row" || of.is === "things") {
    return (
      <div class="coach-each">
        {values.map((one, at) => (
          <div class="coach-item" key={at} data-item={at}>
            <ShapeInput shape={of} draft={one} label={`${label}, ${at + 1}`} context={context} onDraft={(value) => onDraft(withAt(values, at, value))} />
            <button type="button" class="quiet small" aria-label={words.remove(String(at + 1))} onClick={() => onDraft(values.filter((_, number) => number !== at))}>
              ×
            </button>
          </div>
        ))}
        <button type="button" class="small coach-add" onClick={() => onDraft([...values, of.is === "each" ? of.items.map(() => undefined) : []])}>
          {words.add}
        </button>
      </div>
    );
  }
  // One tap adds a value; where none may come twice, a second one takes it away.
  const tap = (value: Draft): void => {
    if (value === undefined) return;
    if (!shape.repeats && values.includes(value)) onDraft(values.filter((one) => one !== value));
    else onDraft([...values, value]);
  };
  const told = (value: Draft): string => (of.is === "seat" && typeof value === "number" ? context.seat(value) : sentence(wordsOf(of, value, context)));
  return (
    <div class="coach-things">
      <div class="coach-chosen" role="group" aria-label={words.chosen(label)}>
        {values.length === 0 && <span class="note">{words.none}</span>}
        {values.map((value, at) => (
          <button key={at} type="button" class="coach-chip" aria-label={words.remove(told(value))} onClick={() => onDraft(values.filter((_, number) => number !== at))}>
            {told(value)} <span aria-hidden="true">×</span>
          </button>
        ))}
      </div>
      <ShapeInput shape={{ ...of, nullable: false }} draft={undefined} label={label} context={context} onDraft={tap} />
    </div>
  );
}

function wordsOf(shape: Shape, value: Draft, context: InputContext): string {
  if (shape.is === "choice") {
    const option = shape.options.find((one) => one.value === value);
    const face = typeof value === "string" && context.game !== undefined ? faceOf(context.game, shape.thing, value) : undefined;
    return said(option?.words) || said(face?.name) || String(value);
  }
  return String(value);
}
