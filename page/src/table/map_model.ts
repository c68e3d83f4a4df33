/** The map of a game that has places and ways between them: what lies in which place, and which ways are open. */

import type { GameModel, PlainView } from "../schema/game_model.js";
import type { Spot } from "./pieces.js";

export interface MapModel {
  /** The fields that are drawn on the map, and nowhere else. */
  readonly fields: ReadonlySet<string>;
  /** The places, as things that can be chosen. */
  readonly spots: readonly Spot[];
}

/** The map of a view; undefined in a game without one. */
export function mapModel(_game: GameModel, _view: PlainView): MapModel | undefined {
  return undefined;
}
