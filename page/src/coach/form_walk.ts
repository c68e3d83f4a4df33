/** Walks the questions of a game's form: what is usual is taken for granted, and only what has to be said is asked. */

import type { FormQuestion, GameForm } from "@machiavel/client/v1";

/** Asks the server for the form after these answers. */
export type AskForm = (answers: Readonly<Record<string, string>>) => Promise<GameForm>;

export interface Walked {
  form: GameForm;
  /** What was taken for granted, by question. */
  assumed: Readonly<Record<string, string>>;
  /** The question that has to be answered next; undefined where all is said. */
  next: FormQuestion | undefined;
}

const MOST_ROUNDS = 40;

/** Goes as far as the given answers lead. */
export async function walked(ask: AskForm, given: Readonly<Record<string, string>>): Promise<Walked> {
  let assumed: Record<string, string> = {};
  for (let round = 0; ; round += 1) {
    const form = await ask({ ...assumed, ...given });
    const found = assumptions(form, given);
    const next = form.questions.find((one) => isOpen(one, given, found));
    if (isSame(found, assumed) || round === MOST_ROUNDS) return { form, assumed: found, next };
    assumed = found;
  }
}

/** What is usual, question by question, up to the first that has to be answered: what comes after it goes by its answer. */
function assumptions(form: GameForm, given: Readonly<Record<string, string>>): Record<string, string> {
  const found: Record<string, string> = {};
  for (const one of form.questions) {
    if (!one.asked || one.key in given) {
      if (one.problem !== undefined && one.asked) break;
      continue;
    }
    if (one.usual === undefined) break;
    found[one.key] = one.usual;
  }
  return found;
}

function isOpen(question: FormQuestion, given: Readonly<Record<string, string>>, assumed: Readonly<Record<string, string>>): boolean {
  if (!question.asked) return false;
  return question.problem !== undefined || !(question.key in given || question.key in assumed);
}

function isSame(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => one[key] === other[key]);
}
