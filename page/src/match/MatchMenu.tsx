/** What a person can do about the match besides playing: a bot in their place, giving up, leaving; as host for others, too. */

import "./end.css";

import { useState } from "preact/hooks";
import { MatchPhase, SeatKind, type MatchSeat } from "@machiavel/client/v1";

import { useFacts } from "../app/facts.js";
import { forgetPlace } from "../app/places.js";
import { goTo, linkTo } from "../app/routes.js";
import type { MatchActions, Seated } from "./actions.js";
import { Confirm, Dialog } from "./Dialog.js";
import { placesAt } from "./rematch.js";
import { botWords, type SeatNames } from "./seat_names.js";
import type { Standing } from "./standing.js";
import { texts } from "./texts.js";

export interface MatchMenuProps {
  standing: Standing;
  names: SeatNames;
  actions: MatchActions;
  /** The viewer's own place. */
  session: Seated;
  /** The host's place, where this browser has it. */
  host: Seated | undefined;
  onClose: () => void;
}

type Asked = "forfeit" | "delete";

export function MatchMenu({ standing, names, actions, session, host, onClose }: MatchMenuProps) {
  const [asked, ask] = useState<Asked>();
  const words = texts.value.actions;
  const { match } = standing;
  const { viewer } = names;
  const isPlaying = match.phase === MatchPhase.PLAYING;
  const own = viewer === undefined ? undefined : match.seats[viewer];
  const others = host === undefined ? [] : match.seats.filter((seat) => seat.seat !== viewer && seat.kind === SeatKind.PERSON && !seat.forfeited);
  const isBusy = actions.pending.value !== undefined;

  function run(action: Promise<unknown>): void {
    void action;
    onClose();
  }

  async function remove(): Promise<void> {
    onClose();
    if (host === undefined || !(await actions.delete(host))) return;
    for (const place of placesAt(match.match)) forgetPlace(place.match, place.seat);
    goTo({ page: "home" });
  }

  if (asked === "forfeit")
    return (
      <Confirm
        title={words.forfeitTitle}
        text={words.forfeitText}
        yes={words.forfeitYes}
        no={words.cancel}
        onYes={() => run(actions.forfeit(session))}
        onNo={onClose}
      />
    );
  if (asked === "delete")
    return (
      <Confirm title={words.deleteTitle} text={words.deleteText} yes={words.deleteYes} no={words.cancel} onYes={() => void remove()} onNo={onClose} />
    );
  return (
    <Dialog title={texts.value.bar.menu} onClose={onClose} class="match-menu">
      {isPlaying && own !== undefined && !own.forfeited && (
        <TakeOver seat={own} isBusy={isBusy} isOwn onStart={(bot) => run(actions.takeOver(session, bot))} onEnd={() => run(actions.handBack(session))} name="" />
      )}
      {isPlaying &&
        host !== undefined &&
        others.map((seat) => (
          <TakeOver
            key={seat.seat}
            seat={seat}
            isBusy={isBusy}
            isOwn={false}
            name={names.of(seat.seat)}
            onStart={(bot) => run(actions.takeOver(host, bot, seat.seat))}
            onEnd={() => run(actions.handBack(host, seat.seat))}
          />
        ))}
      <div class="line">
        {!isPlaying && (
          <a class="button" href={linkTo({ page: "rules", game: match.game })}>
            {texts.value.bar.rules}
          </a>
        )}
        {isPlaying && own !== undefined && !own.forfeited && (
          <button type="button" class="danger" disabled={isBusy} onClick={() => ask("forfeit")}>
            {words.forfeit}
          </button>
        )}
        {host !== undefined && (
          <button type="button" class="danger" disabled={isBusy} onClick={() => ask("delete")}>
            {words.delete}
          </button>
        )}
      </div>
      <div class="match-menu-end">
        <p class="note">{viewer === undefined ? "" : words.leaveNote}</p>
        <div class="line">
          <a class="button" href={linkTo({ page: "home" })}>
            {words.leave}
          </a>
          <button type="button" class="primary" onClick={onClose}>
            {words.close}
          </button>
        </div>
      </div>
    </Dialog>
  );
}

interface TakeOverProps {
  seat: MatchSeat;
  name: string;
  isOwn: boolean;
  isBusy: boolean;
  onStart: (bot: string) => void;
  onEnd: () => void;
}

const USUAL = "level5";

/** A bot in a person's place, or the person back in it. */
function TakeOver({ seat, name, isOwn, isBusy, onStart, onEnd }: TakeOverProps) {
  const facts = useFacts();
  const known = facts.state === "known" ? facts.value.bots.map((kind) => kind.name).filter((bot) => bot.startsWith("level") || bot === "greedy") : [];
  const bots = known.length > 0 ? known : ["greedy"];
  const [bot, setBot] = useState<string>();
  const chosen = bot ?? (bots.includes(USUAL) ? USUAL : bots[0]) ?? "";
  const words = texts.value.actions;
  if (seat.takenOver)
    return (
      <div class="line">
        <span class="note">{texts.value.seats.takenOver(botWords(seat.bot))}</span>
        <button type="button" class="primary" disabled={isBusy} onClick={onEnd}>
          {isOwn ? words.handBack : words.handBackSeat(name)}
        </button>
      </div>
    );
  return (
    <form
      class="line match-menu-bot"
      onSubmit={(event) => {
        event.preventDefault();
        onStart(chosen);
      }}
    >
      <label>
        <span>{isOwn ? words.takeOver : words.takeOverSeat(name)}</span>
        <select value={chosen} onChange={(event) => setBot(event.currentTarget.value)}>
          {bots.map((one) => (
            <option key={one} value={one}>
              {botWords(one)}
            </option>
          ))}
        </select>
      </label>
      <button type="submit" disabled={isBusy}>
        {words.start}
      </button>
    </form>
  );
}
