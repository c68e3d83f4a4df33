/** What went wrong with a tournament, in words that fit. */

import { ServiceError } from "@machiavel/client";

import { Failure } from "../app/Failure.js";
import { texts } from "./texts.js";

export function TournamentFailure({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const reasons = texts.value.reasons as Record<string, { title: string; text: string } | undefined>;
  const told = error instanceof ServiceError ? reasons[error.reason] : undefined;
  if (told === undefined) return <Failure error={error} {...(onRetry === undefined ? {} : { onRetry })} />;
  return (
    <div class="notice failed" role="alert">
      <h2 class="panel-title">{told.title}</h2>
      <p>{told.text}</p>
    </div>
  );
}
