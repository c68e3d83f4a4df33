/** The button that every table has: it opens the rules beside the table, and closes them again. */

import type { ComponentType } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { goTo } from "../app/routes.js";
import { texts } from "../match/texts.js";

type Sheet = ComponentType<{ game: string; onClose: () => void }>;

export function RulesButton({ game }: { game: string }) {
  // Fetched when it is wanted first; nothing stands in its place until then, so nothing moves.
  const [Opened, open] = useState<{ Sheet: Sheet }>();
  const button = useRef<HTMLButtonElement>(null);
  const isHere = useRef(true);
  useEffect(
    () => () => {
      isHere.current = false;
    },
    [],
  );
  const close = (): void => {
    open(undefined);
    button.current?.focus({ preventScroll: true });
  };
  const press = (): void => {
    if (Opened !== undefined) return close();
    import("./RulesSheet.js").then(
      ({ RulesSheet }) => isHere.current && open({ Sheet: RulesSheet }),
      // The page of rules says what can be done about it.
      () => goTo({ page: "rules", game }),
    );
  };
  return (
    <>
      <button type="button" class="rules-button" aria-expanded={Opened !== undefined} ref={button} onClick={press}>
        {texts.value.bar.rules}
      </button>
      {Opened !== undefined && <Opened.Sheet game={game} onClose={close} />}
    </>
  );
}
