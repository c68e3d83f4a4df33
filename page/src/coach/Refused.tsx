/** Why something that was entered cannot be, and what would be right. */

import { ServiceError } from "@machiavel/client";

import { language } from "../app/settings.js";
import { texts } from "./texts.js";

export function Refused({ problem }: { problem: unknown }) {
  if (problem === undefined) return null;
  const words = texts.value.play;
  // What the server says of a request is in English.
  const reason = problem instanceof ServiceError && language.value === "en" ? problem.message : "";
  return (
    <div class="notice failed coach-refused" role="alert">
      <p>{words.cannot}</p>
      {reason !== "" && <p>{reason}</p>}
      <p>{words.cannotHelp}</p>
    </div>
  );
}
