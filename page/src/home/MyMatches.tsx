/** The list of matches to go back to. */

import { useEffect, useRef, useState } from "preact/hooks";

import { facts, gameTitle } from "../app/facts.js";
import { forgetPlace } from "../app/places.js";
import { linkTo } from "../app/routes.js";
import { mayReview } from "../app/server.js";
import { texts as frame } from "../app/texts.js";
import { askStanding, hasEnded as ended, myMatches, standings, type MyMatch, type Standing } from "./my_matches.js";
import { texts } from "./texts.js";

const FIRST = 6;
const AGAIN_MS = 20_000;
const DAY_MS = 86_400_000;

export function MyMatches() {
  const [matches, setMatches] = useState(myMatches);
  const [shown, setShown] = useState(FIRST);
  const seen = matches.slice(0, shown);
  const names = seen.map(({ match }) => match).join();

  useEffect(() => {
    const leaving = new AbortController();
    const ask = (): void => {
      if (document.visibilityState !== "visible") return;
      for (const one of seen) {
        void askStanding(one, leaving.signal).then((standing) => {
          if (!leaving.signal.aborted) standings.value = new Map(standings.value).set(one.match, standing);
        });
      }
    };
    ask();
    const timer = setInterval(ask, AGAIN_MS);
    document.addEventListener("visibilitychange", ask);
    return () => {
      leaving.abort();
      clearInterval(timer);
      document.removeEventListener("visibilitychange", ask);
    };
  }, [names]);

  if (matches.length === 0) return null;
  const words = texts.value.matches;
  const forget = ({ match, seats, isHost }: MyMatch): void => {
    for (const seat of seats) forgetPlace(match, seat);
    if (isHost) forgetPlace(match, undefined);
    setMatches(myMatches());
  };
  return (
    <section class="my-matches" aria-labelledby="my-matches">
      <h2 id="my-matches">{words.title}</h2>
      <ul class="my-matches-list">
        {seen.map((one) => (
          <Row key={one.match} match={one} standing={standings.value.get(one.match)} onForget={() => forget(one)} />
        ))}
      </ul>
      {matches.length > shown && (
        <button type="button" class="quiet small" onClick={() => setShown(matches.length)}>
          {words.more(matches.length - shown)}
        </button>
      )}
    </section>
  );
}

function Row({ match, standing, onForget }: { match: MyMatch; standing: Standing | undefined; onForget: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const words = texts.value.matches;
  const title = gameTitle(match.game);
  const hasEnded = ended(match);
  const days = Math.max(0, Math.floor((Date.now() - match.since) / DAY_MS));
  const place = match.seats.length === 0 ? [words.host] : match.seats.length > 1 ? match.seats.map(words.seat) : [];
  const seats = match.seats.length === 0 ? [undefined] : match.seats;
  const way = hasEnded || match.seats.length === 0 ? words.look : words.go;
  return (
    <li class={`my-match panel ${standing === "yourTurn" ? "my-match-asked" : ""}`}>
      <div class="my-match-told">
        <span class="my-match-game">{title}</span>
        <span class={`my-match-standing standing-${standing ?? "asking"}`}>{words[standing ?? "asking"]}</span>
        <span class="note">
          {[...place, words.when(days)].join(" · ")}
        </span>
      </div>
      <div class="my-match-ways">
        {standing !== "gone" &&
          seats.map((seat) => (
            <a
              key={seat ?? -1}
              class={`button small ${standing === "yourTurn" ? "primary" : ""}`}
              href={linkTo({ page: "match", match: match.match, seat })}
              aria-label={[texts.value.of(way, title), ...(seats.length > 1 && seat !== undefined ? [words.seat(seat)] : [])].join(", ")}
            >
              {way}
              {seats.length > 1 && seat !== undefined && ` · ${words.seat(seat)}`}
            </a>
          ))}
        {hasEnded && standing !== "gone" && facts.value.state === "known" && mayReview(facts.value.value) && (
          <a class="button small" href={linkTo({ page: "review", match: match.match, seat: seats[0] })} aria-label={texts.value.of(words.review, title)}>
            {words.review}
          </a>
        )}
        <button
          type="button"
          class="quiet small"
          aria-label={texts.value.of(words.forget, title)}
          onClick={() => (hasEnded || match.seats.length === 0 ? onForget() : dialog.current?.showModal())}
        >
          {words.forget}
        </button>
      </div>
      <dialog ref={dialog} aria-labelledby={`forget-${match.match}`} onClose={() => dialog.current?.returnValue === "yes" && onForget()}>
        <form method="dialog" class="stack">
          <h3 id={`forget-${match.match}`}>{words.forgetTitle}</h3>
          <p>{words.forgetText}</p>
          <div class="line">
            <button type="submit">{frame.value.cancel}</button>
            <button type="submit" class="danger" value="yes">
              {words.forgetYes}
            </button>
          </div>
        </form>
      </dialog>
    </li>
  );
}
