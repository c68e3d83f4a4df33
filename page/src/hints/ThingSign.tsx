/** A thing among many in little room: its rank and suit where it has both, else its name. */

import { said } from "../app/wording.js";
import type { ThingFace } from "../schema/game_model.js";
import { SuitSign } from "../table/Card.js";
import { indexOf } from "../table/card_face.js";

import "./things.css";

/** Of a name that is longer than that the sign is shown, if that is short. */
const SIGN = 3;

export function ThingSign({ face, text, copies = 1 }: { face: ThingFace | undefined; text: string; copies?: number }) {
  const name = said(face?.name) || text;
  const many = copies > 1 ? `${copies} × ` : "";
  if (face?.suit === undefined) {
    return (
      <span class="thing-sign">
        {many}
        {text.length <= SIGN && name.length > 4 * SIGN ? text : name}
      </span>
    );
  }
  return (
    <span class="thing-sign" data-colour={face.suit.colour} title={name}>
      <span class="heard">{many + name}</span>
      <span aria-hidden="true">{many + indexOf(face)}</span>
      <SuitSign suit={face.suit} />
    </span>
  );
}
