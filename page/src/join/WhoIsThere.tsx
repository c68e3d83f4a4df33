/** Who sits at a match already and which seats are free, where it lets spectators see so. */

import { SeatKind, type Match } from "@machiavel/client/v1";
import { useEffect, useState } from "preact/hooks";

import { service } from "../app/server.js";
import { texts } from "./texts.js";

export function WhoIsThere({ match: name }: { match: string }) {
  const [match, setMatch] = useState<Match>();
  useEffect(() => {
    const leaving = new AbortController();
    service()
      .session(name)
      .get({ signal: leaving.signal, timeoutMs: 8_000 })
      .then(
        (snapshot) => setMatch(snapshot.match),
        () => undefined, // then only those who play there may know
      );
    return () => leaving.abort();
  }, [name]);
  if (match === undefined) return null;
  const words = texts.value;
  const isFree = (kind: SeatKind): boolean => kind === SeatKind.OPEN;
  const free = match.seats.filter(({ kind }) => isFree(kind)).length;
  return (
    <section class="panel stack" aria-labelledby="join-seats">
      <h2 class="panel-title" id="join-seats">
        {words.free(free)}
      </h2>
      <ol class="join-seats">
        {match.seats.map(({ seat, kind, name: sitter }) => {
          const name = sitter || words.player(seat);
          return (
            <li key={seat} data-free={isFree(kind)}>
              <span class="join-chair" aria-hidden="true">
                {isFree(kind) ? "?" : [...name][0]?.toLocaleUpperCase()}
              </span>
              <span class="join-name">{isFree(kind) ? words.freeSeat : name}</span>
              <span class="note">{isFree(kind) ? "" : kind === SeatKind.BOT ? words.bot : words.person}</span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
