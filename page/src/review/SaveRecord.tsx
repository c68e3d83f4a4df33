/** Saves the record of a match as a file, which can be dropped here or given to `machiavel review`. */

import type { Record as MatchRecord } from "@machiavel/client/v1";

import { fileOf } from "./record_json.js";
import { texts } from "./texts.js";

export function SaveRecord({ record, match }: { record: MatchRecord; match: string }) {
  return (
    <button type="button" class="small" onClick={() => save(record, `${record.game}-${match.slice(0, 6)}.json`)}>
      {texts.value.save}
    </button>
  );
}

function save(record: MatchRecord, name: string): void {
  const address = URL.createObjectURL(new Blob([`${JSON.stringify(fileOf(record))}\n`], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
