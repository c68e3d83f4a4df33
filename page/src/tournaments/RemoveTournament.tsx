/** Forgets a tournament and its games, once that was confirmed. */

import { useId, useRef, useState } from "preact/hooks";
import { UnknownTournament } from "@machiavel/client";

import { failureText } from "../app/failures.js";
import { service } from "../app/server.js";
import { texts as frame } from "../app/texts.js";
import { texts } from "./texts.js";

export interface RemoveTournamentProps {
  name: string;
  /** What the button is called to whoever hears it, where there are several. */
  label?: string;
  isQuiet?: boolean;
  onGone: () => void;
}

export function RemoveTournament({ name, label, isQuiet = false, onGone }: RemoveTournamentProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [problem, setProblem] = useState<unknown>();
  const words = texts.value.remove;

  async function remove(): Promise<void> {
    setProblem(undefined);
    try {
      await service().deleteTournament(name);
      onGone();
    } catch (error) {
      if (error instanceof UnknownTournament) onGone(); // somebody else was quicker
      else setProblem(error);
    }
  }

  return (
    <>
      <button type="button" class={isQuiet ? "quiet small" : "danger"} aria-label={label} onClick={() => dialog.current?.showModal()}>
        {words.button}
      </button>
      {problem !== undefined && (
        <span class="note failed" role="alert">
          {failureText(problem)}
        </span>
      )}
      <dialog ref={dialog} aria-labelledby={id} onClose={() => dialog.current?.returnValue === "yes" && void remove()}>
        <form method="dialog" class="stack">
          <h3 id={id}>{words.title}</h3>
          <p>{words.text}</p>
          <div class="line">
            <button type="submit">{frame.value.cancel}</button>
            <button type="submit" class="danger" value="yes">
              {words.yes}
            </button>
          </div>
        </form>
      </dialog>
    </>
  );
}
