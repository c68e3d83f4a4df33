/** What a click on something on the table does, in the words of its moves. */

import type { Choosing } from "./choosing.js";
import { moveWords, sharedWords } from "./move_words.js";
import { candidates } from "./targets.js";
import { texts } from "./texts.js";

/** What a click on a seat or a thing does: what its move is called, or all of its moves, told by how they begin. */
export function actOn(choice: Choosing, key: string): { short: string; all: string } {
  // Where it goes with what is chosen already, it means that; else it is chosen anew.
  const together = candidates(choice.targets, [...choice.chosen, key]);
  const moves = together.length > 0 ? together : candidates(choice.targets, [key]);
  const labels = moves.flatMap((text) => choice.targets.labels.get(text) ?? []).map((move) => moveWords(move, choice.seats, choice.viewer));
  const [only] = labels;
  const shared = sharedWords(labels);
  const several = shared === "" ? texts.value.severalMoves(labels.length) : texts.value.andMore(shared);
  const short = labels.length === 1 && only !== undefined ? only : several;
  return { short, all: labels.join("\n") };
}
