/** The table of a match under way or over, with what belongs beside it. */

import type { FunctionComponent } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { SeatSession } from "@machiavel/client";
import type { MatchPosition, Move } from "@machiavel/client/v1";
import { timestampMs } from "@bufbuild/protobuf/wkt";

import { Failure, Waiting } from "../app/Failure.js";
import { gameTitle } from "../app/facts.js";
import { useGlide } from "../app/glide.js";
import { lazily, useFetched } from "../app/lazily.js";
import type { Place } from "../app/places.js";
import { language } from "../app/settings.js";
import { said } from "../app/wording.js";
import { isToLearn } from "../learn/books.js";
import type { GameModel, PlainView, Words } from "../schema/game_model.js";
import { plainView } from "../schema/plain_view.js";
import { AboutPopover } from "../table/AboutPopover.js";
import { askedWords, tellsAsked } from "../table/asked.js";
import { MoveList } from "../table/MoveList.js";
import type { Gathered, MoveMark, TableProps } from "../table/table_props.js";
import { useTable } from "../table/tables.js";
import type { MatchActions, Pending } from "./actions.js";
import { RulesButton } from "../rules/RulesButton.js";
import { Banner } from "./Banner.js";
import { Clock } from "./Clock.js";
import { EventLog } from "./EventLog.js";
import { gameOf } from "./games.js";
import { useGathering } from "./gathering.js";
import { useKeptFocus } from "./kept_focus.js";
import type { MatchStore } from "./match_store.js";
import { Playback } from "./Playback.js";
import type { ResultProps } from "./Result.js";
import { SeatNames } from "./seat_names.js";
import { rolesOf } from "./roles.js";
import { useNews, useWait } from "./seat_news.js";
import { isOver, type Standing } from "./standing.js";
import { Together } from "./Together.js";
import { useSounds } from "./sounding.js";
import { texts } from "./texts.js";
import { turnWords, type AskedTexts } from "./turn_words.js";

const loadEnded = async () => (await import("./Ended.js")).Ended;
/** What is shown at the end is fetched some time before. */
const ENDED_MS = 5_000;
const loadLearning = async () => await import("../learn/in_match.js");
const HintPanel = lazily(async () => (await import("../hints/HintPanel.js")).HintPanel);

const SENDING: Pending = { kind: "play", isHeldUp: false };
const NO_MOVES: readonly Move[] = [];
const NO_ROLES: readonly Words[] = [];
const NO_MARKS: ReadonlyMap<string, MoveMark> = new Map();

export interface PlayProps extends Pick<ResultProps, "onRematch" | "isAlone" | "onGoOn"> {
  store: MatchStore;
  standing: Standing;
  actions: MatchActions;
  session: SeatSession;
  /** The places that this browser has at the match. */
  places: readonly Place[];
  onMenu: () => void;
}

export function Play(props: PlayProps) {
  const { store, standing, actions, session, places } = props;
  const { match, position } = standing;
  const { viewer } = store;
  const { game, failure, retry } = useGame(store, standing);
  const Drawn = useTable(match.game);
  const view = useMemo(() => (game && position?.view ? plainView(game, position.view) : undefined), [game, position]);
  const roles = useRoles(game, view);
  const names = useMemo(() => new SeatNames(match, viewer, roles), [match, viewer, roles]);
  const faces = useMemo(() => names.faces(undefined), [names, language.value]);
  const pending = actions.pending.value;
  const isEnd = isOver(standing);
  const isFree = pending === undefined && actions.queued.value.length === 0;
  const own = viewer === undefined ? undefined : match.seats[viewer];
  // While a bot plays the seat, nothing is asked of its person.
  const moves = (isFree && own?.takenOver !== true && position?.moves) || NO_MOVES;
  // Between two moves that are made one after the other nothing is asked of the person.
  const sent = pending ?? (isFree ? undefined : SENDING);
  const turn = turnWords(standing, names, sent, askedTexts(game, view, viewer));
  const due = dueHere(position, store.ahead.value);
  const news = useNews(standing, names);
  const minutes = useWait(standing, viewer);
  const [isHinting, hint] = useState(false);
  const [marks, setMarks] = useState(NO_MARKS);
  const [pointed, point] = useState<string>();
  const [isWide] = useState(() => matchMedia("(min-width: 64rem)").matches);
  const words = texts.value;

  const keepFocus = useKeptFocus(turn.isAsked && moves.length > 0, standing.version);
  const { gathered, toggle } = useGathering(game, view, viewer, moves, (all) => {
    keepFocus();
    point(undefined);
    void actions.playAll(session, all);
  });
  const play = (move: string): void => {
    if (gathered !== undefined) return toggle(move);
    keepFocus();
    point(undefined);
    void actions.play(session, move);
  };
  useTurnInTitle(turn.isAsked);
  const learning = useLearning(viewer === undefined ? undefined : match.match);
  useSounds(store, game);
  const Ended = useFetched(loadEnded, isEnd ? 0 : ENDED_MS);
  // The result pushes the log away, hints the list of moves.
  const side = useRef<HTMLElement>(null);
  useGlide(side);
  const mayHint = viewer !== undefined && match.settings?.hints === true && !isEnd;
  const mayTakeBack = viewer !== undefined && match.settings?.practice === true && !isEnd;

  return (
    <div class="match" data-version={String(standing.version)} data-pending={!isFree}>
      <Banner store={store} actions={actions} news={news} />
      <header class="match-bar">
        <h1 class="match-title">{said(game?.answer.game?.title) || gameTitle(match.game)}</h1>
        <p class={turn.isAsked ? "match-turn asked" : "match-turn"} data-tells={game !== undefined && tellsAsked(game)}>{game !== undefined && turn.text}</p>
        <p class="heard" role="status">
          {game !== undefined && turn.isAsked && turn.text}
        </p>
        {minutes !== undefined && <p class="match-since note">{words.bar.since(minutes)}</p>}
        {due !== undefined && game !== undefined && turn.isAsked && <Clock due={due} />}
      </header>
      <div class="match-body">
        <div class={(view === undefined || Drawn === undefined) && failure === undefined ? "match-table opening" : "match-table"}>
          <CatchUp store={store} />
          {failure !== undefined ? (
            <Failure error={failure} onRetry={retry} />
          ) : game === undefined || view === undefined || position === undefined || Drawn === undefined ? (
            <Waiting text={words.bar.opening} />
          ) : (
            <Table
              Drawn={Drawn}
              game={game}
              store={store}
              names={names}
              version={standing.version}
              view={view}
              position={position}
              moves={moves}
              marks={marks}
              due={due}
              gathered={gathered}
              onMove={viewer === undefined ? undefined : play}
              onPoint={point}
            />
          )}
          <AboutPopover />
          {learning !== undefined && game !== undefined && view !== undefined && position !== undefined && viewer !== undefined && Drawn !== undefined && (
            <learning.Lessons game={game} store={store} standing={standing} position={position} view={view} viewer={viewer} />
          )}
        </div>
        <aside class="match-side" ref={side}>
          <div class="match-buttons" data-still>
            {mayHint && (
              <button type="button" aria-pressed={isHinting} onClick={() => hint(!isHinting)}>
                {words.actions.hint}
              </button>
            )}
            {mayTakeBack && (
              <button type="button" title={words.actions.takeBackHelp} disabled={!isFree} onClick={() => void actions.takeBack(session)}>
                {words.actions.takeBack}
              </button>
            )}
            {own?.takenOver === true && !isEnd && (
              <button type="button" class="primary" disabled={!isFree} onClick={() => void actions.handBack(session)}>
                {words.actions.handBack}
              </button>
            )}
            <RulesButton game={match.game} />
            <button type="button" class="match-menu-button" onClick={props.onMenu}>
              {words.bar.menu}
            </button>
          </div>
          {isHinting && mayHint && game !== undefined && view !== undefined && position?.view !== undefined && (
            <HintPanel
              game={game}
              view={position.view}
              plain={view}
              viewer={viewer}
              moves={moves}
              match={session}
              pointed={pointed}
              onMarks={setMarks}
              onPlay={(move) => {
                // The next one is asked for when it is wanted.
                hint(false);
                play(move);
              }}
            />
          )}
          {isEnd && Ended !== undefined ? (
            <Ended {...props} game={game} names={names} />
          ) : viewer === undefined ? (
            <Playback store={store} onFailure={(error) => actions.fail(error)} />
          ) : (
            <details class="match-moves panel" open={isWide && !isHinting}>
              <summary>{words.actions.movesList(moves.length)}</summary>
              <div class="match-moves-box">
                <MoveList
                  moves={moves}
                  marks={marks}
                  seats={faces}
                  viewer={viewer}
                  chosen={gathered?.chosen}
                  pointed={pointed}
                  onMove={play}
                  onPoint={point}
                />
              </div>
            </details>
          )}
          {isEnd && learning !== undefined && <learning.Learnt game={match.game} match={match.match} />}
          <Together standing={standing} names={names} places={places} />
          <EventLog store={store} names={names} />
        </aside>
      </div>
    </div>
  );
}

interface SeenTableProps {
  Drawn: FunctionComponent<TableProps>;
  game: GameModel;
  store: MatchStore;
  names: SeatNames;
  version: bigint;
  view: PlainView;
  position: MatchPosition;
  moves: readonly Move[];
  marks: ReadonlyMap<string, MoveMark>;
  due: number | undefined;
  gathered: Gathered | undefined;
  onMove: ((move: string) => void) | undefined;
  onPoint: (move: string | undefined) => void;
}

function Table({ Drawn, game, store, names, version, view, position, moves, marks, due, gathered, onMove, onPoint }: SeenTableProps) {
  const { played, events } = useSince(store, version);
  const faces = useMemo(() => names.faces(due), [names, due, language.value]);
  return (
    <Drawn
      game={game}
      view={view}
      seats={faces}
      viewer={store.viewer}
      asked={position.seatsToMove.filter((seat) => seat !== store.viewer || names.match.seats[seat]?.takenOver !== true)}
      moves={moves}
      played={played}
      events={events}
      marks={marks}
      gathered={gathered}
      onPoint={onPoint}
      onGoOn={() => store.goOn()}
      {...(onMove === undefined ? {} : { onMove })}
    />
  );
}

/** What happened since the standing that was drawn before: one move as a rule, several after catching up. */
function useSince(store: MatchStore, version: bigint): Required<Pick<TableProps, "played" | "events">> {
  const drawn = useRef(version - 1n);
  const since = useMemo(() => ({ played: store.playedSince(drawn.current), events: store.toldSince(drawn.current) }), [store, version]);
  useLayoutEffect(() => {
    drawn.current = version;
  }, [version]);
  return since;
}

/** What tells lessons, fetched where the match is one to learn by. */
function useLearning(match: string | undefined): Awaited<ReturnType<typeof loadLearning>> | undefined {
  const [learning, setLearning] = useState<Awaited<ReturnType<typeof loadLearning>>>();
  useEffect(() => {
    // Without it, the match is one like any other.
    if (match !== undefined && isToLearn(match)) loadLearning().then(setLearning, () => undefined);
  }, [match]);
  return learning;
}

/** Whom the seats play. It stays the same list while it stays the same. */
function useRoles(game: GameModel | undefined, view: PlainView | undefined): readonly Words[] {
  const roles = game === undefined || view === undefined ? NO_ROLES : rolesOf(game, view);
  const key = roles.map(({ en }) => en).join("\n");
  return useMemo(() => roles, [key]);
}

/** The model of the match's game. While the server is away it is asked for again when that is back. */
function useGame(store: MatchStore, { match }: Standing): { game: GameModel | undefined; failure: unknown; retry: () => void } {
  const [game, setGame] = useState<GameModel>();
  const [failure, setFailure] = useState<unknown>();
  const [tries, setTries] = useState(0);
  useEffect(() => {
    let isHere = true;
    setFailure(undefined);
    gameOf(match).then(
      (model) => isHere && setGame(model),
      (error: unknown) => isHere && setFailure(error),
    );
    return () => {
      isHere = false;
    };
  }, [store, tries]);
  const isBack = failure !== undefined && store.link.value.kind === "live";
  useEffect(() => {
    if (!isBack) return;
    const timer = setTimeout(() => setTries(tries + 1), 1_000);
    return () => clearTimeout(timer);
  }, [isBack, tries]);
  return { game, failure, retry: () => setTries(tries + 1) };
}

/** Shown while what happened waits to be seen; it keeps its room. */
function CatchUp({ store }: { store: MatchStore }) {
  const waiting = store.waiting.value;
  const isShown = store.viewer !== undefined && waiting > 1;
  const words = texts.value.behind;
  return (
    <button
      type="button"
      class={isShown ? "small match-behind" : "small match-behind away"}
      disabled={!isShown}
      aria-hidden={!isShown}
      aria-label={words.label(waiting)}
      onClick={() => store.catchUp()}
    >
      {words.button(waiting)}
    </button>
  );
}

/** What is asked, as it is read above the table; who only watches reads it beside where the match stands. */
function askedTexts(game: GameModel | undefined, view: PlainView | undefined, viewer: number | undefined): AskedTexts {
  if (game === undefined || view === undefined) return { own: "", others: "" };
  return { own: said(askedWords(game, view)), others: viewer === undefined ? "" : said(askedWords(game, view, "others")) };
}

/** By when the viewer has to answer, by this browser's clock. */
function dueHere(position: MatchPosition | undefined, ahead: number | undefined): number | undefined {
  return position?.due === undefined ? undefined : timestampMs(position.due) - (ahead ?? 0);
}

/** A dot before the title of the tab while the person is asked. */
function useTurnInTitle(isAsked: boolean): void {
  useEffect(() => {
    if (!isAsked) return;
    const title = document.title;
    document.title = `● ${title}`;
    return () => {
      if (document.title === `● ${title}`) document.title = title;
    };
  }, [isAsked]);
}
