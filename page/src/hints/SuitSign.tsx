/** The sign of a suit where there is only room for one. */

import type { SuitFace } from "../schema/game_model.js";

export function SuitSign({ suit }: { suit: SuitFace }) {
  return (
    <span class={`suit-sign suit-${suit.colour}`} aria-hidden="true">
      {suit.symbol.length <= 2 ? suit.symbol : suit.text}
    </span>
  );
}
