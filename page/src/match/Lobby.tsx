/** While seats are open: who is there, and the link that brings the others. */

import "./lobby.css";

import { useRef, useState } from "preact/hooks";
import { SeatKind } from "@machiavel/client/v1";

import { linkTo } from "../app/routes.js";
import { placesAt } from "./rematch.js";
import { botWords, type SeatNames } from "./seat_names.js";
import { texts } from "./texts.js";

export function Lobby({ names }: { names: SeatNames }) {
  const words = texts.value.lobby;
  const { match, viewer } = names;
  const code = placesAt(match.match).find((place) => place.code)?.code;
  return (
    <div class="lobby">
      <section class="panel stack" aria-labelledby="lobby-title">
        <h2 id="lobby-title">{words.title}</h2>
        <p>{words.lead}</p>
        {code === undefined ? <p class="note">{words.noCode}</p> : <Invitation code={code} />}
      </section>
      <section class="panel stack" aria-label={words.seats}>
        <h2 class="panel-title">{words.seats}</h2>
        <ol class="lobby-seats">
          {match.seats.map((seat) => {
            const isOpen = seat.kind === SeatKind.OPEN;
            const isBot = seat.kind === SeatKind.BOT;
            return (
              <li key={seat.seat} class={isOpen ? "lobby-seat open" : "lobby-seat"}>
                <span class="lobby-chair" aria-hidden="true">
                  {isOpen ? "?" : names.of(seat.seat).slice(0, 1).toUpperCase()}
                </span>
                <span class="lobby-name">
                  {isOpen ? texts.value.seats.openSeat : names.of(seat.seat)}
                  {seat.seat === viewer && <span class="lobby-you"> ({texts.value.seats.you.toLowerCase()})</span>}
                </span>
                <span class="note">{isOpen ? words.waiting : isBot ? botWords(seat.bot) : words.here}</span>
              </li>
            );
          })}
        </ol>
      </section>
    </div>
  );
}

/** The link and the code. Neither is a token: they open a free seat, and nothing else. */
function Invitation({ code }: { code: string }) {
  const words = texts.value.lobby;
  const link = new URL(linkTo({ page: "join", code }), location.href).href;
  const field = useRef<HTMLInputElement>(null);
  const [state, setState] = useState<"" | "copied" | "refused">("");

  async function copy(): Promise<void> {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(link);
      setState("copied");
    } catch {
      setState("refused"); // not on https, or the browser was told not to
    }
  }

  return (
    <div class="invitation">
      <label class="field">
        <span>{words.link}</span>
        <input ref={field} class="invitation-link" readOnly value={link} onFocus={(event) => event.currentTarget.select()} />
      </label>
      <div class="line">
        <button type="button" class="primary" onClick={() => void copy()}>
          {state === "copied" ? words.copied : words.copy}
        </button>
        {"share" in navigator && (
          <button type="button" onClick={() => void navigator.share({ url: link }).catch(() => undefined)}>
            {words.share}
          </button>
        )}
        <span class="note" role="status">
          {state === "refused" ? words.notCopied : ""}
          {state === "copied" && <span class="heard">{words.copied}</span>}
        </span>
      </div>
      <p class="invitation-code">
        {words.code} <strong>{code.replace(/(.{5})(?=.)/g, "$1-")}</strong>
      </p>
    </div>
  );
}
