/** The model of a match's game, asked for once for each way of setting it up. */

import { create, toBinary } from "@bufbuild/protobuf";
import { GamePart, OptionsSchema, type Match } from "@machiavel/client/v1";

import { service } from "../app/server.js";
import type { GameModel } from "../schema/game_model.js";
import { gameModel } from "../schema/models.js";

const asked = new Map<string, Promise<GameModel>>();
const MOST = 8;

/** The model; asked for again after a failure. */
export function gameOf(match: Match): Promise<GameModel> {
  const options = match.options ?? create(OptionsSchema);
  const key = `${match.game} ${match.rulesVersion} ${toBinary(OptionsSchema, options).join()}`;
  const known = asked.get(key);
  if (known !== undefined) return known;
  const model = service()
    .getGame(match.game, { options, parts: [GamePart.TABLE] })
    .then(gameModel);
  asked.set(key, model);
  model.catch(() => asked.delete(key));
  for (const old of asked.keys()) {
    if (asked.size <= MOST) break;
    asked.delete(old);
  }
  return model;
}
