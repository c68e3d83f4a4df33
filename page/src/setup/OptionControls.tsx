/** The options of a game, each with the control that fits its type. */

import type { ComponentChild } from "preact";
import { useId, useState } from "preact/hooks";
import type { JsonValue } from "@bufbuild/protobuf";

import { said } from "../app/wording.js";
import { eachOnce } from "./each_once.js";
import { typedValue, type OptionControl, type OptionField, type OptionThing, type OptionValues } from "./options.js";
import { texts } from "./texts.js";

export interface OptionControlsProps {
  fields: readonly OptionField[];
  /** What the seats are called. */
  seats: readonly string[];
  values: OptionValues;
  onChange: (values: OptionValues) => void;
}

export function OptionControls({ fields, seats, values, onChange }: OptionControlsProps) {
  const set = (name: string, value: JsonValue | undefined): void => {
    const { [name]: _, ...others } = values;
    onChange(value === undefined ? others : { ...others, [name]: value });
  };
  const input = (field: OptionField): ComponentChild => (
    <OptionInput key={field.name} field={field} seats={seats} value={values[field.name]} onChange={(value) => set(field.name, value)} />
  );
  const typed = fields.filter(({ control }) => control.kind === "text");
  return (
    <div class="stack">
      {fields.filter((field) => !typed.includes(field)).map(input)}
      {typed.length > 0 && (
        <details open={typed.some(({ name }) => values[name] !== undefined)}>
          <summary>{texts.value.more}</summary>
          <div class="stack option-details">{typed.map(input)}</div>
        </details>
      )}
    </div>
  );
}

interface InputProps<Control extends OptionControl> {
  label: string;
  help: string;
  control: Control;
  value: JsonValue | undefined;
  /** Undefined: as the game has it. */
  onChange: (value: JsonValue | undefined) => void;
}

interface OptionInputProps {
  field: OptionField;
  seats: readonly string[];
  value: JsonValue | undefined;
  onChange: (value: JsonValue | undefined) => void;
}

function OptionInput({ field, seats, value, onChange }: OptionInputProps) {
  const { control } = field;
  const given = { label: upper(said(field.label)) || field.name, help: upper(said(field.meaning)), value, onChange };
  switch (control.kind) {
    case "flag":
      return <FlagInput {...given} control={control} />;
    case "number":
      return <NumberInput {...given} control={control} />;
    case "one":
      return <OneInput {...given} control={control} />;
    case "each":
      return <EachInput {...given} seats={seats} control={control} />;
    case "text":
      return <TextInput {...given} control={control} />;
  }
}

function FlagInput({ label, control, value, onChange }: InputProps<OptionControl & { kind: "flag" }>) {
  const isOn = typeof value === "boolean" ? value : control.usual;
  return (
    <label class="tick">
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ currentTarget: { checked } }) => onChange(checked === control.usual ? undefined : checked)}
      />
      <span>{label}</span>
    </label>
  );
}

function NumberInput({ label, help, control, value, onChange }: InputProps<OptionControl & { kind: "number" }>) {
  const { least, most, step, usual } = control;
  const number = typeof value === "number" ? value : usual;
  const set = (next: number): void => {
    if (Number.isNaN(next)) return;
    const bound = Math.min(most, Math.max(least, Math.round(next / step) * step));
    onChange(bound === usual ? undefined : bound);
  };
  return (
    <label class="field">
      <span>{label}</span>
      <input
        class="number-input"
        type="number"
        inputmode="numeric"
        min={least}
        max={most}
        step={step}
        value={number}
        title={help}
        onChange={(event) => {
          set(event.currentTarget.valueAsNumber);
          event.currentTarget.value = String(Math.min(most, Math.max(least, event.currentTarget.valueAsNumber || usual)));
        }}
      />
    </label>
  );
}

function OneInput({ label, control, value, onChange }: InputProps<OptionControl & { kind: "one" }>) {
  const chosen = value === undefined || value === null ? (control.usual ?? "") : String(value);
  return (
    <label class="field">
      <span>{label}</span>
      <select
        value={chosen}
        onChange={({ currentTarget: { value: text } }) =>
          onChange(text === (control.usual ?? "") ? undefined : control.isNumber ? Number(text) : text)
        }
      >
        {control.usual === null && <option value="">{texts.value.random}</option>}
        {control.things.map((thing) => (
          <option key={thing.text} value={thing.text}>
            {thingWords(thing)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** One thing for each seat. All seats or none: where one is chosen, the others get what is left. */
function EachInput({ label, seats, control, value, onChange }: InputProps<OptionControl & { kind: "each" }> & { seats: readonly string[] }) {
  const words = texts.value;
  const chosen = Array.isArray(value) && value.length === control.count ? value.map(String) : [];
  const set = (seat: number, text: string): void => {
    if (text === "") onChange(undefined);
    else onChange(eachOnce(chosen, seat, text, control));
  };
  return (
    <fieldset class="field">
      <legend class="choice-title">{label}</legend>
      <div class="each-input">
        {Array.from({ length: control.count }, (_, seat) => (
          <label key={seat} class="each-line">
            <span class="note">{seats[seat] ?? words.seat(seat)}</span>
            <select value={chosen[seat] ?? ""} onChange={(event) => set(seat, event.currentTarget.value)}>
              <option value="">{words.random}</option>
              {control.things.map((thing) => (
                <option key={thing.text} value={thing.text}>
                  {thingWords(thing)}
                </option>
              ))}
            </select>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function TextInput({ label, help, control, value, onChange }: InputProps<OptionControl & { kind: "text" }>) {
  const id = useId();
  const words = texts.value;
  const [file, setFile] = useState("");
  const [isWrong, setWrong] = useState(false);
  const isOwn = typeof value === "object" && value !== null;
  const text = value === undefined || value === null ? control.usual : typeof value === "string" ? value : JSON.stringify(value);
  const read = async (chosen: File | undefined): Promise<void> => {
    if (chosen === undefined) return;
    try {
      const read: unknown = JSON.parse(await chosen.text());
      setWrong(typeof read !== "object" || read === null);
      if (typeof read !== "object" || read === null) return;
      setFile(chosen.name);
      onChange(read as JsonValue);
    } catch {
      setWrong(true);
    }
  };
  return (
    <div class="field">
      <span id={`${id}-label`}>{label}</span>
      <div class="line">
        <input
          class="text-option"
          aria-labelledby={`${id}-label`}
          aria-describedby={`${id}-help`}
          value={isOwn && file !== "" ? words.ownFile(file) : text}
          placeholder={words.usual}
          onChange={({ currentTarget: { value: typed } }) => {
            const next = typedValue(typed);
            onChange(next === "" || next === control.usual ? undefined : next);
          }}
        />
        <label class="button small file-button">
          <input type="file" class="heard" accept=".json,application/json" onChange={(event) => void read(event.currentTarget.files?.[0])} />
          {words.fromFile}
        </label>
      </div>
      <p class="note" id={`${id}-help`} role={isWrong ? "alert" : undefined}>
        {isWrong ? words.noJson : help}
      </p>
    </div>
  );
}

function thingWords({ text, name }: OptionThing): string {
  return said(name) || upper(text.replaceAll("_", " "));
}

function upper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
