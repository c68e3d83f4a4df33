/** Buttons that step through a match. */

import type { ComponentChildren } from "preact";

import { texts } from "./texts.js";

interface StepsProps {
  ply: number;
  plies: number;
  /** Where somebody gave something away, ascending. */
  slips: readonly number[];
  onPly(ply: number): void;
}

export function Steps({ ply, plies, slips, onPly }: StepsProps) {
  const words = texts.value.steps;
  const graph = texts.value.graph;
  return (
    <div class="review-steps" role="group" aria-label={ply < plies ? graph.at(ply + 1, plies) : graph.end}>
      <Step label={words.slipBack} target={slips.findLast((one) => one < ply)} onPly={onPly} word={words.slip}>
        <path d="M11 3 5 8l6 5" />
      </Step>
      <Step label={words.first} target={ply > 0 ? 0 : undefined} onPly={onPly}>
        <path d="M12 3 6 8l6 5M4 3v10" />
      </Step>
      <Step label={words.back} target={ply > 0 ? ply - 1 : undefined} onPly={onPly}>
        <path d="M11 3 5 8l6 5" />
      </Step>
      <span class="review-at" aria-hidden="true">
        {Math.min(ply + 1, plies)} / {plies}
      </span>
      <Step label={words.on} target={ply < plies ? ply + 1 : undefined} onPly={onPly}>
        <path d="m5 3 6 5-6 5" />
      </Step>
      <Step label={words.last} target={ply < plies ? plies : undefined} onPly={onPly}>
        <path d="m4 3 6 5-6 5M12 3v10" />
      </Step>
      <Step label={words.slipOn} target={slips.find((one) => one > ply)} onPly={onPly} word={words.slip} isBehind>
        <path d="m5 3 6 5-6 5" />
      </Step>
    </div>
  );
}

interface StepProps {
  label: string;
  /** Undefined where there is nowhere to go. */
  target: number | undefined;
  onPly(ply: number): void;
  /** Stands beside the sign where that alone would not tell. */
  word?: string;
  /** The sign stands behind the word. */
  isBehind?: boolean;
  children: ComponentChildren;
}

function Step({ label, target, onPly, word, isBehind, children }: StepProps) {
  return (
    <button type="button" class="review-step" aria-label={label} title={label} aria-disabled={target === undefined} onClick={() => target !== undefined && onPly(target)}>
      {isBehind && word}
      <svg width="18" height="18" viewBox="0 0 16 16" aria-hidden="true">
        {children}
      </svg>
      {!isBehind && word}
    </button>
  );
}
