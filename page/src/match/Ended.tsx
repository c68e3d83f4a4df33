/** What stands beside a table when the match is over, and over it. */

import "./end.css";

import { useState } from "preact/hooks";

import type { GameModel } from "../schema/game_model.js";
import { Dialog } from "./Dialog.js";
import type { PlayProps } from "./Play.js";
import { Playback } from "./Playback.js";
import { Result, type ResultProps } from "./Result.js";
import { resultOf } from "./results.js";
import type { SeatNames } from "./seat_names.js";
import { texts } from "./texts.js";

/** The result beside the table; over it, once, for who saw the end. */
export function Ended(props: PlayProps & { game: GameModel | undefined; names: SeatNames }) {
  const { standing, store, game, names } = props;
  const isFresh = standing.cause.kind === "over";
  const [isOpen, open] = useState(isFresh && store.viewer !== undefined);
  const { headline } = resultOf(names, game?.answer.game?.cooperative ?? false);
  const shared: ResultProps = {
    standing,
    names,
    game,
    actions: props.actions,
    rematch: store.rematch.value,
    onRematch: props.onRematch,
    isAlone: props.isAlone,
    onGoOn: props.onGoOn,
  };
  return (
    <>
      <section class="match-end panel">
        <Result {...shared} />
      </section>
      {store.viewer === undefined && <Playback store={store} onFailure={(error) => props.actions.fail(error)} />}
      {isOpen && (
        <Dialog title={headline} class="match-end-dialog" onClose={() => open(false)}>
          <Result {...shared}>
            <button type="button" onClick={() => open(false)}>
              {texts.value.result.table}
            </button>
          </Result>
        </Dialog>
      )}
    </>
  );
}
