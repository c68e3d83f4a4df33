/** One of a few things to choose from, all of them in sight: radio buttons that look like a row of keys. */

import { useId } from "preact/hooks";

export interface ChoiceProps<Value extends string> {
  title: string;
  /** Where false, the title is heard but not seen. */
  isTitleSeen?: boolean;
  values: readonly (readonly [value: Value, text: string])[];
  value: Value;
  onChoose: (value: Value) => void;
  help?: string;
}

export function Choice<Value extends string>({ title, isTitleSeen = true, values, value, onChoose, help }: ChoiceProps<Value>) {
  const id = useId();
  return (
    <fieldset class="choice" aria-describedby={help === undefined ? undefined : `${id}-help`}>
      <legend class={isTitleSeen ? "choice-title" : "heard"}>{title}</legend>
      <div class="choice-keys">
        {values.map(([one, text]) => (
          <label key={one} class="choice-key">
            <input type="radio" class="heard" name={id} value={one} checked={one === value} onChange={() => onChoose(one)} />
            <span>{text}</span>
          </label>
        ))}
      </div>
      {help !== undefined && (
        <p class="note" id={`${id}-help`}>
          {help}
        </p>
      )}
    </fieldset>
  );
}
