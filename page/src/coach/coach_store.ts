/** One match at a real table: questions until the view is known, then move after move, each of which can be undone. */

import { batch, computed, signal, type ReadonlySignal } from "@preact/signals";
import type { FollowQuestion, FollowViewResponse, Move, SeatMoves, View } from "@machiavel/client/v1";

import type { GameModel, Plain, PlainView } from "../schema/game_model.js";
import { plainView } from "../schema/plain_view.js";
import { walked, type AskForm, type Walked } from "./form_walk.js";
import { packed, unpacked, type Notes, type Step } from "./notes.js";

/** What is asked of the server. None of these calls leaves anything there. */
export interface CoachCalls {
  form: AskForm;
  /** The game under the options of a view. */
  game(view: View): Promise<GameModel>;
  /** What may come next; undefined when the match is over. */
  upcoming(view: View): Promise<SeatMoves | undefined>;
  follow(view: View, move: string, seat: number, answers: Readonly<Record<string, Plain>>): Promise<FollowViewResponse>;
}

/** The match as it is known. */
export interface Position {
  view: View;
  plain: PlainView;
  game: GameModel;
  /** One's own seat. */
  own: number;
  /** Whose move comes next, and what it may be; undefined when the match is over. */
  upcoming: SeatMoves | undefined;
}

/** A move that was entered, and what has to be told before it can be gone on from. */
export interface Pending {
  seat: number;
  move: Pick<Move, "text" | "label">;
  answers: Readonly<Record<string, Plain>>;
  /** The places answered, in their order, each with its question. */
  told: readonly FollowQuestion[];
  questions: readonly FollowQuestion[];
}

export class CoachStore {
  readonly #calls: CoachCalls;
  readonly #keep: (notes: Notes) => void;
  readonly #notes;
  readonly #walk = signal<Walked | undefined>(undefined);
  readonly #position = signal<Position | undefined>(undefined);
  readonly #pending = signal<Pending | undefined>(undefined);
  readonly #isBusy = signal(false);
  readonly #failure = signal<unknown>(undefined);
  readonly #problem = signal<unknown>(undefined);
  #again: () => Promise<void> = async () => undefined;
  // After something was undone nothing is entered by itself at that place.
  #pausedAt = -1;

  constructor(notes: Notes, calls: CoachCalls, keep: (notes: Notes) => void) {
    this.#notes = signal(notes);
    this.#calls = calls;
    this.#keep = keep;
  }

  get notes(): ReadonlySignal<Notes> {
    return this.#notes;
  }

  /** The form as far as it is answered; undefined before it is there. */
  get walk(): ReadonlySignal<Walked | undefined> {
    return this.#walk;
  }

  /** Undefined while the form is filled in. */
  get position(): ReadonlySignal<Position | undefined> {
    return this.#position;
  }

  get pending(): ReadonlySignal<Pending | undefined> {
    return this.#pending;
  }

  get isBusy(): ReadonlySignal<boolean> {
    return this.#isBusy;
  }

  /** Why the server could not be asked. */
  get failure(): ReadonlySignal<unknown> {
    return this.#failure;
  }

  /** What is wrong with what was entered last, as the server says it. */
  get problem(): ReadonlySignal<unknown> {
    return this.#problem;
  }

  readonly isBegun = computed(() => this.#notes.value.begun !== undefined);

  /** Comes back to where the notes are. */
  async open(): Promise<void> {
    await this.#doing(async () => {
      if (this.#notes.value.begun === undefined) await this.#walkOn();
      else await this.#stand();
    });
  }

  /** Tries once more what failed. */
  async retry(): Promise<void> {
    await this.#doing(this.#again);
  }

  // ---- The form ----

  /** Answers a question of the form. */
  async answer(key: string, entry: string): Promise<void> {
    const { given, order } = this.#notes.value;
    this.#write({ given: { ...given, [key]: entry }, order: [...order.filter((one) => one !== key), key] });
    await this.#doing(() => this.#walkOn());
  }

  /** Takes the last answer back. */
  async takeAnswerBack(): Promise<void> {
    const { given, order } = this.#notes.value;
    const last = order.at(-1);
    if (last === undefined) return;
    const { [last]: _, ...rest } = given;
    this.#write({ given: rest, order: order.slice(0, -1) });
    await this.#doing(() => this.#walkOn());
  }

  /** Agrees to the view that the answers make. */
  async begin(): Promise<void> {
    const view = this.#walk.value?.form.view;
    if (view === undefined) return;
    this.#write({ begun: packed(view), steps: [], ahead: [], over: false });
    this.#pausedAt = -1;
    await this.#doing(() => this.#stand());
  }

  /** Goes back to the questions; what was played since is forgotten. */
  async beginAgain(): Promise<void> {
    const { begun: _, ...notes } = this.#notes.value;
    this.#notes.value = { ...notes, steps: [], ahead: [], over: false };
    this.#write({});
    batch(() => {
      this.#position.value = undefined;
      this.#pending.value = undefined;
      this.#problem.value = undefined;
    });
    await this.#doing(() => this.#walkOn());
  }

  name(names: readonly string[]): void {
    this.#write({ names });
  }

  async #walkOn(): Promise<void> {
    this.#walk.value = await walked(this.#calls.form, this.#notes.value.given);
  }

  // ---- Moves ----

  /** Enters a move of whoever comes next. */
  async play(move: Pick<Move, "text" | "label">): Promise<void> {
    const seat = this.#position.value?.upcoming?.seat;
    if (seat === undefined) return;
    await this.#doing(() => this.#follow({ seat, move, answers: {}, told: [], questions: [] }, false));
  }

  /** Tells what was asked for after the move. */
  async tell(question: FollowQuestion, value: Plain): Promise<void> {
    const pending = this.#pending.value;
    if (pending === undefined) return;
    const answers = { ...pending.answers, [question.place]: value };
    await this.#doing(() => this.#follow({ ...pending, answers, told: [...pending.told, question] }, false));
  }

  /** One step back: what was told last, else the move that was entered last. */
  async back(): Promise<void> {
    const pending = this.#pending.value;
    this.#problem.value = undefined;
    if (pending === undefined) return this.#undo();
    const last = pending.told.at(-1);
    if (last === undefined) {
      this.#pending.value = undefined;
      return;
    }
    const { [last.place]: _, ...answers } = pending.answers;
    await this.#doing(() => this.#follow({ ...pending, answers, told: pending.told.slice(0, -1) }, false));
  }

  /** Enters once more what was undone, as long as it is possible. */
  async redo(): Promise<void> {
    const [next] = this.#notes.value.ahead;
    if (next === undefined) return;
    await this.#doing(() => this.#follow({ seat: next.seat, move: { text: next.move, label: worded(next) }, answers: next.answers, told: [], questions: [] }, next.auto));
  }

  async #undo(): Promise<void> {
    const { steps, ahead } = this.#notes.value;
    let kept = steps.length;
    while (kept > 0 && steps[kept - 1]?.auto === true) kept -= 1;
    if (kept === 0) return this.beginAgain();
    kept -= 1;
    this.#pausedAt = kept;
    this.#write({ steps: steps.slice(0, kept), ahead: [...steps.slice(kept).map(withoutView), ...ahead], over: false });
    await this.#doing(() => this.#stand());
  }

  async #follow(pending: Pending, auto: boolean): Promise<void> {
    const { view } = this.#position.value ?? {};
    if (view === undefined) return;
    let found: FollowViewResponse;
    try {
      found = await this.#calls.follow(view, pending.move.text, pending.seat, pending.answers);
    } catch (error) {
      if (!isRefused(error)) throw error;
      this.#problem.value = error;
      return;
    }
    if (found.view === undefined) {
      this.#pending.value = { ...pending, questions: found.questions };
      return;
    }
    const step: Step = {
      seat: pending.seat,
      move: pending.move.text,
      label: { en: pending.move.label?.en ?? pending.move.text, fr: pending.move.label?.fr ?? pending.move.text },
      answers: pending.answers,
      told: found.events.flatMap(({ text }) => (text === undefined ? [] : [{ en: text.en, fr: text.fr }])),
      auto,
      view: packed(found.view),
    };
    const { steps, ahead } = this.#notes.value;
    const [next, ...later] = ahead;
    const isAgain = next !== undefined && next.seat === step.seat && next.move === step.move;
    this.#write({ steps: [...steps, step], ahead: isAgain ? later : next?.seat === step.seat ? later : [] });
    this.#pending.value = undefined;
    await this.#stand();
  }

  /** Finds out where the match stands after the last step. */
  async #stand(): Promise<void> {
    const view = await this.#viewAt(this.#notes.value.steps.length);
    const [game, upcoming] = await Promise.all([this.#calls.game(view), this.#calls.upcoming(view)]);
    const plain = plainView(game, view);
    const own = typeof plain["seat"] === "number" ? plain["seat"] : 0;
    batch(() => {
      this.#pending.value = undefined;
      this.#position.value = { view, plain, game, own, upcoming };
    });
    const isOver = upcoming === undefined;
    if (isOver !== this.#notes.value.over) this.#write({ over: isOver });
    const [only, ...others] = upcoming?.moves ?? [];
    const isForced = upcoming !== undefined && upcoming.seat !== own && only !== undefined && others.length === 0;
    if (isForced && this.#notes.value.steps.length !== this.#pausedAt) await this.#follow({ seat: upcoming.seat, move: only, answers: {}, told: [], questions: [] }, true);
  }

  /** The view after so many steps: as it is kept, or found again from the one before it that is. */
  async #viewAt(count: number): Promise<View> {
    const { begun, steps } = this.#notes.value;
    const step = steps[count - 1];
    if (step === undefined) return unpacked(begun ?? "");
    if (step.view !== undefined) return unpacked(step.view);
    const before = await this.#viewAt(count - 1);
    const { view } = await this.#calls.follow(before, step.move, step.seat, step.answers);
    if (view === undefined) throw new Error(`the view after ${step.move} cannot be found again`);
    return view;
  }

  // ---- What is common ----

  #write(change: Partial<Notes>): void {
    this.#notes.value = { ...this.#notes.value, ...change, last: Date.now() };
    this.#keep(this.#notes.value);
  }

  async #doing(work: () => Promise<void>): Promise<void> {
    this.#again = work;
    batch(() => {
      this.#isBusy.value = true;
      this.#failure.value = undefined;
      this.#problem.value = undefined;
    });
    try {
      await work();
    } catch (error) {
      this.#failure.value = error;
    } finally {
      this.#isBusy.value = false;
    }
  }
}

/** Whether the server says that what was entered cannot be. */
function isRefused(error: unknown): boolean {
  const reasons = ["NOT_A_MOVE", "ILLEGAL_MOVE", "AMBIGUOUS_MOVE", "BAD_VIEW", "NOT_TO_MOVE", "BAD_REQUEST"];
  return error instanceof Error && "reason" in error && reasons.includes(String(error.reason));
}

function withoutView({ view: _, ...step }: Step): Step {
  return step;
}

function worded({ label }: Step): Move["label"] {
  return label as Move["label"];
}
