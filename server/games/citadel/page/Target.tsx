/** Something on the table that tells what it is, and is clicked where a move is made on it. */

import type { ComponentChildren } from "preact";

import { aboutAttributes } from "@page/table/about.js";
import { actOn } from "@page/table/act_words.js";
import { useChoice } from "@page/table/choosing.js";
import { MarkOf } from "@page/table/MoveList.js";

import { useLit } from "./lit.js";

export interface TargetProps {
  /** What the moves made on it are found by, see `targets.ts`. */
  keyed: string;
  class: string;
  /** What it is, where it is heard. */
  label: string;
  /** What it does, for who asks. */
  about?: string | undefined;
  /** What is lit while it is pointed at: keys of other things. */
  lights?: readonly string[];
  /** Whether the arrow keys stop there when nothing can be done with it. */
  isStop?: boolean;
  /** Whether a finger finds a sign on it that asks what it does, as on cards. */
  hasSign?: boolean;
  /** Further attributes. */
  data?: { readonly title?: string } & Readonly<Record<`data-${string}`, unknown>>;
  children?: ComponentChildren;
}

export function Target({ keyed, class: name, label, about = "", lights, isStop = true, hasSign = false, data, children }: TargetProps) {
  const choice = useChoice();
  const lit = useLit();
  const isOpen = choice.isOpen(keyed);
  const isLit = lit.has(keyed);
  const point = (isOn: boolean): void => {
    lit.light(isOn ? [keyed, ...(lights ?? [])] : []);
    choice.point(isOn ? keyed : undefined);
  };
  if (!isOpen && (about === "" || !isStop)) {
    return (
      <span class={name} {...(data as object)} data-lit={isLit} role="img" aria-label={label} {...aboutAttributes(about)} onPointerEnter={() => point(true)} onPointerLeave={() => point(false)}>
        {children}
        <MarkOf mark={choice.markOf(keyed)} />
      </span>
    );
  }
  const act = isOpen ? actOn(choice, keyed) : undefined;
  return (
    <button
      type="button"
      class={name}
      {...(data as object)}
      data-roving
      data-key={keyed}
      data-open={isOpen}
      data-lit={isLit}
      data-chosen={choice.chosen.includes(keyed)}
      aria-disabled={!isOpen}
      aria-pressed={choice.chosen.includes(keyed) ? true : undefined}
      title={about === "" ? act?.all : undefined}
      {...aboutAttributes(about, act?.short)}
      onClick={() => choice.choose(keyed)}
      onPointerEnter={() => point(true)}
      onPointerLeave={() => point(false)}
      onFocus={() => point(true)}
      onBlur={() => point(false)}
    >
      {children}
      <span class="heard">{label}</span>
      {hasSign && about !== "" && (
        <span class="about-sign" aria-hidden="true">
          i
        </span>
      )}
      <MarkOf mark={choice.markOf(keyed)} />
    </button>
  );
}
