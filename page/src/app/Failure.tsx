/** What stands where something is not there: a failure with what helps, or a sign that it is on its way. */

import { useState } from "preact/hooks";

import { failureWords, wantsToken } from "./failures.js";
import { tryToken } from "./server.js";
import { texts } from "./texts.js";

/** Says what went wrong. Where the server wants its token it asks for it, and then goes on. */
export function Failure({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { title, text, help } = failureWords(error);
  return (
    <div class="notice failed stack" role="alert">
      <div>
        <h2 class="panel-title">{title}</h2>
        <p>{text}</p>
      </div>
      {wantsToken(error) && <TokenForm onDone={onRetry} />}
      {help === "retry" && onRetry !== undefined && (
        <p>
          <button type="button" onClick={onRetry}>
            {texts.value.retry}
          </button>
        </p>
      )}
    </div>
  );
}

/** Asks for the token of the server, and tries it before it is used. */
export function TokenForm({ onDone }: { onDone?: () => void }) {
  const [token, setToken] = useState("");
  const [isTrying, setTrying] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const words = texts.value.token;

  async function send(event: Event): Promise<void> {
    event.preventDefault();
    if (token.trim() === "") return;
    setTrying(true);
    setProblem(undefined);
    try {
      await tryToken(token.trim());
      onDone?.();
    } catch (error) {
      setProblem(error);
      setTrying(false);
    }
  }

  return (
    <form class="stack" onSubmit={(event) => void send(event)}>
      <label class="field token-field">
        <span>{words.label}</span>
        <input
          type="password"
          name="server-token"
          autocomplete="off"
          value={token}
          aria-invalid={problem !== undefined}
          aria-describedby="token-help"
          onInput={(event) => setToken(event.currentTarget.value)}
        />
        <span class={problem === undefined ? "note" : "note failed"} id="token-help" role="status">
          {problem === undefined ? words.help : wantsToken(problem) ? words.wrong : failureWords(problem).text}
        </span>
      </label>
      <p>
        <button class="primary" type="submit" disabled={isTrying || token.trim() === ""}>
          {words.send}
        </button>
      </p>
    </form>
  );
}

/** Something is on its way. It is only seen where that takes a while. */
export function Waiting({ text }: { text?: string }) {
  return (
    <p class="waiting" role="status">
      {text ?? texts.value.waiting}
    </p>
  );
}
