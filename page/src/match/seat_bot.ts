/** Gives an open seat to a bot: the host takes it by the code, and lets the bot play there. */

import type { Match } from "@machiavel/client/v1";

import { facts } from "../app/facts.js";
import { keepPlace } from "../app/places.js";
import { service } from "../app/server.js";
import { botName } from "../setup/bot_words.js";
import { USUAL_BOT } from "../setup/draft.js";

/** The bot that most tables have, or the strongest there is. */
function usualBot(): string {
  const bots = facts.value.state === "known" ? facts.value.value.bots : [];
  return (bots.find(({ name }) => name === USUAL_BOT) ?? bots.at(-1))?.name ?? USUAL_BOT;
}

/** Throws what the server says where the seat has been taken meanwhile. */
export async function seatBot(match: Match, code: string, seat: number): Promise<void> {
  const bot = usualBot();
  const session = await service().joinMatch(code, { seat, name: botName(seat) });
  // The place is kept, so that a rematch waits for nobody and has the bot again.
  keepPlace({ match: match.match, seat, token: session.token, game: match.game, bot, since: Date.now() });
  await session.takeOver(bot);
}
