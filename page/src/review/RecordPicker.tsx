/** Where somebody drops a record, or picks its file. */

import type { ComponentChildren } from "preact";
import type { Record as MatchRecord } from "@machiavel/client/v1";

import { gameTitle, useFacts } from "../app/facts.js";
import type { Problem } from "./record_json.js";
import { texts } from "./texts.js";

interface RecordPickerProps {
  onFile(file: File): void;
  /** Of a file with several records: these. */
  records?: readonly MatchRecord[];
  onRecord?: (record: MatchRecord) => void;
  /** What was wrong with the last file. */
  problem?: ComponentChildren;
}

export function RecordPicker({ onFile, records, onRecord, problem }: RecordPickerProps) {
  useFacts();
  const words = texts.value.pick;
  return (
    <div class="column stack record-picker">
      <h1>{words.title}</h1>
      <p>{words.text}</p>
      {problem}
      {records !== undefined && (
        <section class="panel stack">
          <h2 class="panel-title">{words.several(records.length)}</h2>
          <ol class="record-list">
            {records.map((record, place) => (
              <li key={place}>
                <button type="button" onClick={() => onRecord?.(record)}>
                  {words.one(place + 1, gameTitle(record.game), record.moves.length)}
                </button>
              </li>
            ))}
          </ol>
        </section>
      )}
      <div class="record-drop">
        <p>{words.drop}</p>
        <p class="note">{words.or}</p>
        <label class="button primary record-file">
          {words.choose}
          <input
            type="file"
            class="heard"
            accept=".json,.jsonl,application/json"
            onChange={(event) => {
              const file = event.currentTarget.files?.[0];
              event.currentTarget.value = ""; // the same file may be chosen again
              if (file !== undefined) onFile(file);
            }}
          />
        </label>
      </div>
      <p class="note">{words.how}</p>
    </div>
  );
}

/** What is wrong with a file, in words. */
export function NoRecord({ problem }: { problem: Problem }) {
  return (
    <div class="notice failed" role="alert">
      <h2 class="panel-title">{texts.value.problems.title}</h2>
      <p>{problemWords(problem)}</p>
    </div>
  );
}

function problemWords(problem: Problem): string {
  const words = texts.value.problems;
  switch (problem.kind) {
    case "tooLarge":
      return words.tooLarge(problem.most);
    case "noGame":
      return words.noGame(problem.game);
    case "noReplay":
      return words.noReplay(problem.field, problem.problem);
    case "missing":
      return words.missing(problem.field);
    case "unknown":
      return words.unknown(problem.field);
    case "wrong":
      return words.wrong(problem.field, words.expected[problem.expected]);
    default:
      return words[problem.kind];
  }
}
