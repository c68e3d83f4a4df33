/** Takes an open seat of a match, by the code in the address. */

import "./join.css";

import { ServiceError } from "@machiavel/client";
import { useEffect, useState } from "preact/hooks";

import { askFacts, gameTitle } from "../app/facts.js";
import { Failure } from "../app/Failure.js";
import { isAway } from "../app/failures.js";
import { keepPlace } from "../app/places.js";
import { goTo, linkTo, type Invitation } from "../app/routes.js";
import { service } from "../app/server.js";
import { nickname } from "../app/settings.js";
import { attemptWith, forgetAttempt, keepAttempt, type Attempt } from "./attempt.js";
import { codeOf, spacedCode } from "./code.js";
import { texts } from "./texts.js";
import { WhoIsThere } from "./WhoIsThere.js";

export function JoinPage({ code: given, invitation }: { code: string; invitation: Invitation | undefined }) {
  const code = codeOf(given);
  const [isJoining, setJoining] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const words = texts.value;

  async function join(attempt: Attempt): Promise<void> {
    setJoining(true);
    setProblem(undefined);
    try {
      const session = await service().joinMatch(code, attempt);
      const { match } = await session.get();
      const place = { match: session.match, seat: session.seat, token: session.token, game: match?.game ?? "", since: Date.now() };
      keepPlace(place);
      forgetAttempt(code);
      goTo({ page: "match", match: session.match, seat: session.seat }, { replace: true });
    } catch (error) {
      // What the server has refused is not asked again; what was lost on the way is, by the same name.
      if (error instanceof ServiceError && !isAway(error)) forgetAttempt(code);
      setProblem(error);
      setJoining(false);
    }
  }

  // The page was loaded again while it was asking.
  useEffect(() => {
    void askFacts();
    const attempt = attemptWith(code);
    if (attempt !== undefined) void join(attempt);
  }, [code]);

  const submit = (event: Event): void => {
    event.preventDefault();
    void join(attemptWith(code) ?? keepAttempt(code, nickname.value.trim()));
  };
  return (
    <div class="column narrow stack">
      <h1>{invitation === undefined ? words.title : words.titleOf(gameTitle(invitation.game))}</h1>
      {invitation !== undefined && (
        <p class="join-host">
          {words.invites(invitation.host)}{" "}
          <a href={linkTo({ page: "rules", game: invitation.game })}>{words.rules}</a>
        </p>
      )}
      <p>{words.text}</p>
      <form class="panel stack join-form" onSubmit={submit}>
        <p class="join-code">{words.code(spacedCode(code))}</p>
        <label class="field">
          <span>{words.name}</span>
          <input
            name="nickname"
            autocomplete="nickname"
            maxLength={64}
            value={nickname.value}
            aria-describedby="join-name-help"
            onInput={(event) => (nickname.value = event.currentTarget.value)}
          />
        </label>
        <p class="note" id="join-name-help">
          {words.nameHelp}
        </p>
        <p>
          <button class="primary" type="submit" disabled={isJoining}>
            {isJoining ? words.sending : words.send}
          </button>
        </p>
      </form>
      {invitation !== undefined && <WhoIsThere match={invitation.match} />}
      {problem !== undefined && <Failure error={problem} onRetry={() => void join(attemptWith(code) ?? keepAttempt(code, nickname.value.trim()))} />}
    </div>
  );
}
