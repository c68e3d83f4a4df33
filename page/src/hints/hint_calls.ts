/** How hints are asked for: as an analysis of the seat's own view, or by the match's own call where a guest may make no other. */

import type { Client, SeatSession } from "@machiavel/client";
import type { Match } from "@machiavel/client/v1";

import type { AskHints, HintAnswer, HintQuestion } from "./hint_search.js";

/** How long a hint is searched for, in seconds. */
const SECONDS = 4;
const INTERVAL_MS = 200;
// A hint of the match has one answer. Asked for again with more time, it settles all the same.
const STEPS = [0.3, 1, 3];
const ANALYZE = "BotService.AnalyzeMoves";

export type HintClient = Pick<Client, "analyzeMoves" | "serverInfo" | "session">;

/** Asks by whatever call the server lets this caller make; which one that is, is asked once. */
export function hintsOf(client: HintClient, match: Pick<SeatSession, "hint">): AskHints {
  let may: Promise<boolean> | undefined;
  return async function* (question) {
    may ??= client.serverInfo({ signal: question.signal }).then(({ caller }) => caller?.calls.includes(ANALYZE) ?? false);
    may.catch(() => {
      may = undefined;
    });
    yield* (await may) ? analysis(client, question) : steps(match, question);
  };
}

/** Hints for a view that stands by itself: from the view, and from nothing else. */
export function analysisOf(client: Pick<HintClient, "analyzeMoves">): AskHints {
  return (question) => analysis(client, question);
}

function analysis(client: Pick<HintClient, "analyzeMoves">, { view, about, signal }: HintQuestion): AsyncIterable<HintAnswer> {
  return client.analyzeMoves(view, { seconds: SECONDS, intervalMs: INTERVAL_MS, explain: true, whatAbout: about, signal });
}

async function* steps(match: Pick<SeatSession, "hint">, { about, signal }: HintQuestion): AsyncGenerator<HintAnswer> {
  for (const [number, seconds] of STEPS.entries()) {
    if (signal.aborted) return;
    const answer = await match.hint({ seconds, explain: true, whatAbout: about, signal });
    const isForced = answer.recommendation?.candidates.length === 1;
    const final = isForced || number === STEPS.length - 1;
    yield { ...answer, final };
    if (final) return;
  }
}

/** The match with its settings and seats. It is asked by a place of its own: the table's knows which version it has shown. */
export async function matchOf(client: HintClient, match: SeatSession, signal: AbortSignal): Promise<Match | undefined> {
  return (await client.session(match.match, match.token, match.seat).get({ signal })).match;
}
