/** Walks the questions of a game's form: what is usual is taken for granted, and only what has to be said is asked. */

import { AnswerKind, type FormQuestion, type GameForm } from "@machiavel/client/v1";

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
/** What the key of a question begins with that is about a field of the view. */
const FIELD = "field:";

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
    const usual = isWorthAsking(one) ? undefined : (one.usual ?? only(one));
    if (usual === undefined) break;
    found[one.key] = usual;
  }
  return found;
}

/** Whose seat is one's own, and what lies where, nobody takes for granted; but of a game that is asked field by field most lie as at the beginning. */
function isWorthAsking({ key, type, usual }: FormQuestion): boolean {
  if (type?.kind === AnswerKind.THING) return usual !== type.nothing;
  return type?.kind === AnswerKind.SEAT ? usual !== type.nothing || usual === "" : type?.kind === AnswerKind.THINGS && !key.startsWith(FIELD);
}

/** What is answered where there is nothing to choose, such as how many play. */
function only({ type }: FormQuestion): string | undefined {
  return type?.kind === AnswerKind.NUMBER && type.least !== undefined && type.least === type.most ? String(type.least) : undefined;
}

function isOpen(question: FormQuestion, given: Readonly<Record<string, string>>, assumed: Readonly<Record<string, string>>): boolean {
  if (!question.asked) return false;
  return question.problem !== undefined || !(question.key in given || question.key in assumed);
}

function isSame(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => one[key] === other[key]);
}
