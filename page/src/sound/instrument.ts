/** Plays sounds by Web Audio. They are made here, out of tones and noise: nothing is fetched. */

import { lengthOf, SCORES, type Part, type SoundName } from "./scores.js";

/** How long a part takes to come up, in seconds: without it there is a click. */
const RISE = 0.006;
/** Between two sounds of one step. */
const GAP = 0.05;
const NOISE_SECONDS = 0.5;
/** What is as good as silence; a fade to 0 itself would be no curve. */
const SILENCE = 0.0001;

/** After so long without a sound the browser may do without it, in milliseconds. */
const REST_MS = 5_000;

let context: AudioContext | undefined;
let noise: AudioBuffer | undefined;
let resting: ReturnType<typeof setTimeout> | undefined;
/** Whether it is silent because nothing was to be heard, and not because the browser does not allow it yet. */
let hasRested = false;

/** Browsers let a page sound only once somebody has pressed something in it: until then it waits for that. */
export function awaken(): void {
  if (context !== undefined) return;
  context = made();
  if (context === undefined || context.state === "running") return;
  const wake = (): void => void context?.resume().catch(() => undefined);
  wake();
  for (const event of ["pointerdown", "keydown"]) addEventListener(event, wake, { once: true, capture: true });
}

/** Plays these, one after the other. What cannot be heard now is not heard later. */
export function play(names: readonly SoundName[]): void {
  awaken();
  if (context?.state === "running") ringOut(context, names);
  else if (hasRested) void tryOut(...names);
}

/** The same as soon as it can be heard: for who has just pressed something. */
export async function tryOut(...names: SoundName[]): Promise<void> {
  awaken();
  const own = context;
  await own?.resume().catch(() => undefined);
  if (own !== undefined && own === context && own.state === "running") ringOut(own, names);
}

/** No more is to be heard: gives back what the browser holds for it. */
export function hush(): void {
  clearTimeout(resting);
  void context?.close().catch(() => undefined);
  resting = undefined;
  hasRested = false;
  context = undefined;
  noise = undefined;
}

function ringOut(into: AudioContext, names: readonly SoundName[]): void {
  ring(into, names);
  hasRested = false;
  clearTimeout(resting);
  resting = setTimeout(() => {
    resting = undefined;
    hasRested = true;
    void into.suspend().catch(() => undefined);
  }, REST_MS);
}

/** Lets sounds ring out in a context; an offline one for who measures them. */
export function ring(into: BaseAudioContext, names: readonly SoundName[]): void {
  let at = into.currentTime;
  for (const name of names) {
    for (const part of SCORES[name]) sound(into, part, at + part.at);
    at += Math.min(lengthOf(name), 0.25) + GAP;
  }
}

function made(): AudioContext | undefined {
  try {
    return new AudioContext({ latencyHint: "interactive" });
  } catch {
    return undefined; // a browser without sound, or a machine without a device
  }
}

function sound(into: BaseAudioContext, part: Part, at: number): void {
  const loudness = into.createGain();
  loudness.gain.setValueAtTime(SILENCE, at);
  loudness.gain.exponentialRampToValueAtTime(part.loud, at + RISE);
  loudness.gain.exponentialRampToValueAtTime(SILENCE, at + part.lasts);
  loudness.connect(into.destination);
  const end = at + part.lasts;
  if (part.wave === "noise") {
    const source = new AudioBufferSourceNode(into, { buffer: noiseFor(into), loop: true });
    const filter = new BiquadFilterNode(into, { type: "bandpass", Q: part.narrow });
    filter.frequency.setValueAtTime(part.from, at);
    filter.frequency.exponentialRampToValueAtTime(part.to, end);
    source.connect(filter).connect(loudness);
    start(source, at, end);
    return;
  }
  const source = new OscillatorNode(into, { type: part.wave });
  source.frequency.setValueAtTime(part.from, at);
  source.frequency.exponentialRampToValueAtTime(part.to, end);
  source.connect(loudness);
  start(source, at, end);
}

function start(source: AudioScheduledSourceNode, at: number, end: number): void {
  source.start(at);
  source.stop(end);
}

function noiseFor(into: BaseAudioContext): AudioBuffer {
  if (noise?.sampleRate === into.sampleRate) return noise;
  noise = new AudioBuffer({ length: Math.ceil(NOISE_SECONDS * into.sampleRate), sampleRate: into.sampleRate });
  const samples = noise.getChannelData(0);
  for (let place = 0; place < samples.length; place += 1) samples[place] = 2 * Math.random() - 1;
  return noise;
}
