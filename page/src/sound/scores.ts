/** The sounds of the page, written down: tones and the rustle of noise, all short and quiet. */

export type SoundName = "turn" | "card" | "trick" | "dice" | "won" | "lost";

/** A tone that glides from one pitch to another. */
export interface Tone {
  readonly wave: "sine" | "triangle";
  /** In hertz. */
  readonly from: number;
  readonly to: number;
}

/** Noise around a pitch. */
export interface Rustle {
  readonly wave: "noise";
  /** In hertz. */
  readonly from: number;
  readonly to: number;
  /** How narrow it is around the pitch. */
  readonly narrow: number;
}

/** When a part of a sound begins and how long it lasts, in seconds, and how loud it is at its loudest, 1 being all that there is. */
export type Part = (Tone | Rustle) & { readonly at: number; readonly lasts: number; readonly loud: number };

export const SCORES: Readonly<Record<SoundName, readonly Part[]>> = {
  turn: [
    { wave: "sine", from: 660, to: 660, at: 0, lasts: 0.14, loud: 0.07 },
    { wave: "sine", from: 880, to: 880, at: 0.1, lasts: 0.24, loud: 0.07 },
  ],
  card: [
    { wave: "noise", from: 2600, to: 1400, narrow: 0.9, at: 0, lasts: 0.07, loud: 0.1 },
    { wave: "sine", from: 170, to: 90, at: 0.02, lasts: 0.07, loud: 0.08 },
  ],
  trick: [
    { wave: "noise", from: 900, to: 2400, narrow: 0.8, at: 0, lasts: 0.2, loud: 0.1 },
    { wave: "triangle", from: 392, to: 392, at: 0.12, lasts: 0.16, loud: 0.05 },
    { wave: "triangle", from: 523, to: 523, at: 0.2, lasts: 0.2, loud: 0.05 },
  ],
  dice: [0, 0.07, 0.12, 0.21, 0.27, 0.36].map((at, place) => ({
    wave: "noise" as const,
    from: [3200, 2500, 3600, 2800, 2300, 2000][place] ?? 2500,
    to: 1800,
    narrow: 1.6,
    at,
    lasts: 0.035,
    loud: 0.2 - 0.015 * place,
  })),
  won: [523, 659, 784, 1047].map((pitch, place) => ({
    wave: "triangle" as const,
    from: pitch,
    to: pitch,
    at: 0.13 * place,
    lasts: place === 3 ? 0.5 : 0.22,
    loud: 0.07,
  })),
  lost: [440, 349, 294].map((pitch, place) => ({
    wave: "sine" as const,
    from: pitch,
    to: pitch * 0.985,
    at: 0.19 * place,
    lasts: place === 2 ? 0.5 : 0.26,
    loud: 0.08,
  })),
};

/** How long a sound lasts, in seconds. */
export function lengthOf(name: SoundName): number {
  return Math.max(...SCORES[name].map(({ at, lasts }) => at + lasts));
}
