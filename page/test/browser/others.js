/** A table at which this page has one seat, and others sit whom a test plays from node, through the client. */
import { connect } from "@machiavel/client";

/** The page's seat. */
export const OWN = 0;
const PERSON = 1;
const OVER = 3;

/** Who sits there: a person whom the test plays, by name. */
export function person(name) {
  return { kind: PERSON, name };
}

/**
 * Sets a match up in which this page has seat 0, and those after it are `seats`: people by `person`, or the names of bots.
 *
 * Gives the sessions of all persons by seat, what is to be kept in the page's storage, and the fragment that leads to its table.
 */
export async function setUp(address, game, seats, settings = {}) {
  const client = connect(address);
  const host = await client.createMatch(game, [person(""), ...seats], { hints: true, ...settings });
  const sessions = new Map(Object.keys(host.tokens).map((seat) => [Number(seat), host.at(Number(seat))]));
  const place = { match: host.match, seat: OWN, token: host.tokens[OWN], game, since: Date.now() };
  const storage = { [`machiavel:place:${host.match}:${OWN}`]: JSON.stringify(place) };
  return { client, host, sessions, storage, fragment: `#/match/${host.match}/${OWN}` };
}

/** The first of the persons' seats that is asked for a move, as soon as one is; undefined when the match is over. */
export async function turn({ sessions }) {
  for (;;) {
    for (const [seat, session] of sessions) {
      const { match, position, version } = await session.get();
      if (match.phase === OVER) return undefined;
      if (position.moves.length > 0) return { seat, session, position, version };
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** What a move of a question fails with that somebody else was asked as well, as with bond's interrupts, when they were quicker. */
const OVERTAKEN = new Set(["NOT_TO_MOVE", "STALE_VERSION", "MATCH_OVER"]);

/** Whether a move answered the question it was chosen for: a bot that was asked as well may have been quicker, and the question may be gone. */
export async function answered({ session }, text) {
  return inTime(() => session.play(text));
}

/** The same with the move that the server advises. */
export async function answeredAsAdvised({ session }) {
  return inTime(async () => session.play((await session.hint({ iterations: 100 })).move.text));
}

async function inTime(answer) {
  try {
    await answer();
    return true;
  } catch (failure) {
    if (!OVERTAKEN.has(failure.reason)) throw failure;
    return false;
  }
}

/** The page's own standing: so many events were there for it. */
export async function versionOf({ sessions }) {
  return (await sessions.get(OWN).get()).version;
}

/** Waits until the page shows so much. */
export async function caughtUp(page, version) {
  await page.waitForFunction((least) => Number(document.querySelector(".match")?.getAttribute("data-version") ?? -1) >= least, Number(version), { timeout: 30_000, polling: 20 });
}
