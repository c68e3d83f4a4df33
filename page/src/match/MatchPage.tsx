/** The page of one match: the table, whose turn it is, what happened, and all that a person can do there. */

import "./match.css";

import { untracked, useSignalEffect } from "@preact/signals";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { SeatSession } from "@machiavel/client";
import { MatchPhase, SeatKind, type MatchRematch } from "@machiavel/client/v1";

import { Failure, Waiting } from "../app/Failure.js";
import { gameTitle, useFacts } from "../app/facts.js";
import { lazily } from "../app/lazily.js";
import { forgetPlace, placeAt, type Place } from "../app/places.js";
import { goTo, linkTo } from "../app/routes.js";
import { service } from "../app/server.js";
import { motion, pace } from "../app/settings.js";
import { MatchActions } from "./actions.js";
import { Banner } from "./Banner.js";
import { MatchStore } from "./match_store.js";
import { Play } from "./Play.js";
import { followRematch, placesAt } from "./rematch.js";
import { SeatNames } from "./seat_names.js";
import type { Standing } from "./standing.js";
import { Curtain, curtainFor, liftCurtain } from "./Together.js";
import { texts } from "./texts.js";

const Lobby = lazily(async () => (await import("./Lobby.js")).Lobby);
const MatchMenu = lazily(async () => (await import("./MatchMenu.js")).MatchMenu);

export interface MatchPageProps {
  match: string;
  /** The seat whose place is taken; without one the match is watched, as host where this browser has the host's place. */
  seat: number | undefined;
}

export function MatchPage({ match, seat }: MatchPageProps) {
  const place = placeAt(match, seat);
  const [passedTo, passTo] = useState(() => curtainFor(match, seat));
  if (seat !== undefined && place === undefined) return <NoPlace match={match} seat={seat} />;
  if (passedTo !== undefined) {
    const lift = (): void => {
      liftCurtain();
      passTo(undefined);
    };
    return <Curtain name={passedTo} onLift={lift} />;
  }
  return <Followed match={match} seat={seat} token={place?.token ?? ""} />;
}

function Followed({ match, seat, token }: MatchPageProps & { token: string }) {
  const session = useMemo(() => service().session(match, token, seat), [match, token, seat]);
  const store = useMemo(() => new MatchStore(session, { viewer: seat }), [session, seat]);
  const actions = useMemo(() => new MatchActions(store), [store]);
  const host = useMemo(() => {
    const kept = placeAt(match, undefined);
    return kept === undefined ? undefined : seat === undefined ? session : service().session(match, kept.token);
  }, [match, seat, session]);
  const phase = store.shown.value?.match.phase;
  const places = useMemo(() => placesAt(match), [match, phase]);
  const [isMenuOpen, openMenu] = useState(false);

  // Another pace holds at once, also for what waits.
  useSignalEffect(() => {
    void [pace.value, motion.value];
    untracked(() => store.repace());
  });
  useEffect(() => {
    const retry = (): void => store.retry();
    const see = (): void => {
      if (document.visibilityState === "visible") store.catchUp();
    };
    store.start();
    addEventListener("online", retry);
    document.addEventListener("visibilitychange", see);
    return () => {
      removeEventListener("online", retry);
      document.removeEventListener("visibilitychange", see);
      store.stop();
      actions.stop();
    };
  }, [store, actions]);

  const rematch = store.rematch.value;
  const isAsker = rematch?.match !== undefined && rematch.match !== "" && actions.hasAskedRematch.value;
  const goOn = async (begun: MatchRematch | undefined): Promise<void> => {
    if (begun === undefined || begun.match === "") return;
    try {
      const target = await followRematch(service(), match, begun.match, seat);
      goTo({ page: "match", ...target }, { replace: true });
    } catch (error) {
      actions.fail(error);
    }
  };
  // Who asked for it goes there when it begins.
  useEffect(() => {
    if (isAsker) void goOn(rematch);
  }, [isAsker]);

  const link = store.link.value;
  const standing = store.shown.value;
  if (link.kind === "gone") return <Gone match={match} seat={seat} />;
  if (link.kind === "failed") return <Failed error={link.error} onRetry={() => store.start()} />;
  if (standing === undefined)
    return (
      <div class="match-opening">
        <Banner store={store} actions={actions} />
        <Waiting text={texts.value.bar.opening} />
      </div>
    );
  const isWaiting = standing.match.phase === MatchPhase.WAITING;
  const asker = rematchAsker(standing, places, seat, session, host);
  return (
    <>
      {isWaiting ? (
        <Waits standing={standing} store={store} actions={actions} onMenu={() => openMenu(true)} />
      ) : (
        <Play
          store={store}
          standing={standing}
          actions={actions}
          session={session}
          places={places}
          onMenu={() => openMenu(true)}
          onRematch={asker === undefined ? undefined : (rotate) => void actions.askRematch(asker, rotate)}
          isAlone={asker === host || personsOf(standing).length < 2}
          onGoOn={() => void goOn(rematch)}
        />
      )}
      {isMenuOpen && (
        <MatchMenu standing={standing} names={new SeatNames(standing.match, seat)} actions={actions} session={session} host={host} onClose={() => openMenu(false)} />
      )}
    </>
  );
}

/**
 * The place by which a rematch is asked for; undefined where none may ask. The host's word begins it at once: it is given where no
 * person elsewhere is to be asked, or where the match lets only the host ask.
 */
function rematchAsker(
  standing: Standing,
  places: readonly Place[],
  seat: number | undefined,
  session: SeatSession,
  host: SeatSession | undefined,
): SeatSession | undefined {
  const mayAsk = seat !== undefined && standing.match.settings?.rematch === true;
  const here = places.map((place) => place.seat);
  const isHere = personsOf(standing).every((person) => here.includes(person));
  return mayAsk && !isHere ? session : (host ?? (mayAsk ? session : undefined));
}

function personsOf({ match }: Standing): number[] {
  return match.seats.flatMap(({ seat, kind }) => (kind === SeatKind.PERSON ? [seat] : []));
}

function Waits({ standing, store, actions, onMenu }: { standing: Standing; store: MatchStore; actions: MatchActions; onMenu: () => void }) {
  const { match } = standing;
  const names = new SeatNames(match, store.viewer);
  useFacts();
  return (
    <div class="match-waits">
      <header class="match-bar">
        <h1 class="match-title">{gameTitle(match.game)}</h1>
        <span class="match-buttons">
          <button type="button" class="small" onClick={onMenu}>
            {texts.value.bar.menu}
          </button>
        </span>
      </header>
      <Banner store={store} actions={actions} />
      <Lobby names={names} />
      <p class="heard" role="log">
        {store.lines.value.map((line) => (line.what.kind === "joined" ? texts.value.log.joined(names.of(line.seat ?? 0)) : "")).join(" ")}
      </p>
    </div>
  );
}

function Gone({ match, seat }: MatchPageProps) {
  const words = texts.value.gone;
  const isOwn = placeAt(match, seat) !== undefined;
  return (
    <div class="column stack">
      <h1>{words.title}</h1>
      <p>{isOwn ? words.seat : words.spectator}</p>
      <p class="line">
        <a class="button primary" href={linkTo({ page: "home" })}>
          {words.home}
        </a>
        {isOwn && (
          <button
            type="button"
            onClick={() => {
              forgetPlace(match, seat);
              goTo({ page: "home" });
            }}
          >
            {words.forget}
          </button>
        )}
      </p>
    </div>
  );
}

function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div class="column stack">
      <Failure error={error} onRetry={onRetry} />
      <p>
        <a class="button" href={linkTo({ page: "home" })}>
          {texts.value.gone.home}
        </a>
      </p>
    </div>
  );
}

function NoPlace({ match, seat }: { match: string; seat: number }) {
  const words = texts.value.gone;
  return (
    <div class="column stack">
      <h1>{words.noPlaceTitle}</h1>
      <p>{words.noPlace(seat)}</p>
      <p class="line">
        <a class="button primary" href={linkTo({ page: "home" })}>
          {words.home}
        </a>
        <a class="button" href={linkTo({ page: "match", match, seat: undefined })}>
          {words.watch}
        </a>
      </p>
    </div>
  );
}
