/** While seats are open: who is there, and the link that brings the others. */

import "./lobby.css";

import { useRef, useState } from "preact/hooks";
import { SeatKind } from "@machiavel/client/v1";

import { failureText } from "../app/failures.js";
import { linkTo, type Invitation as InvitationTold } from "../app/routes.js";
import { nickname } from "../app/settings.js";
import { spacedCode } from "../join/code.js";
import { placesAt } from "./rematch.js";
import { botWords, type SeatNames } from "./seat_names.js";
import { seatBot } from "./seat_bot.js";
import { texts } from "./texts.js";

export function Lobby({ names }: { names: SeatNames }) {
  const words = texts.value.lobby;
  const { match, viewer } = names;
  const code = placesAt(match.match).find((place) => place.code)?.code;
  const [seating, seat] = useState<number>();
  const [problem, setProblem] = useState<unknown>();
  const host = match.seats.find((one) => one.seat === viewer)?.name || nickname.value.trim();

  async function giveToBot(place: number, by: string): Promise<void> {
    seat(place);
    setProblem(undefined);
    try {
      await seatBot(match, by, place);
    } catch (error) {
      setProblem(error);
    }
    seat(undefined);
  }

  return (
    <div class="lobby">
      <section class="panel stack" aria-labelledby="lobby-title">
        <h2 id="lobby-title">{words.title}</h2>
        <p>{words.lead}</p>
        {code === undefined ? <p class="note">{words.noCode}</p> : <Invitation code={code} invitation={{ game: match.game, match: match.match, host }} />}
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
                {isOpen && code !== undefined ? (
                  <button type="button" class="small" disabled={seating !== undefined} onClick={() => void giveToBot(seat.seat, code)}>
                    {words.seatBot}
                  </button>
                ) : (
                  <span class="note">{isOpen ? words.waiting : isBot || seat.takenOver ? botWords(seat.bot) : words.here}</span>
                )}
              </li>
            );
          })}
        </ol>
        <p role="alert" class="note failed">
          {problem !== undefined && failureText(problem)}
        </p>
      </section>
    </div>
  );
}

/** The link and the code. Neither is a token: they open a free seat, and nothing else. */
function Invitation({ code, invitation }: { code: string; invitation: InvitationTold }) {
  const words = texts.value.lobby;
  const link = new URL(linkTo({ page: "join", code, invitation }), location.href).href;
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
        {words.code} <strong>{spacedCode(code)}</strong>
      </p>
    </div>
  );
}
