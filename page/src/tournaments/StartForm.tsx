/** Sets a tournament up: what is played, which bots, how many deals, how long they think. */

import "../setup/setup.css";

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { durationMs } from "@bufbuild/protobuf/wkt";
import type { BotStyle, Game, GetGameResponse } from "@machiavel/client/v1";

import { Choice } from "../app/Choice.js";
import { Waiting } from "../app/Failure.js";
import { goTo, linkTo } from "../app/routes.js";
import { botStyles, botsWithRatings, service, type ServerFacts } from "../app/server.js";
import { said } from "../app/wording.js";
import { askOptions } from "../setup/create_match.js";
import { stylesFor } from "../setup/draft.js";
import { OptionControls } from "../setup/OptionControls.js";
import { optionFields } from "../setup/options.js";
import { texts as setup } from "../setup/texts.js";
import { timeWords } from "../setup/times.js";
import { Entrants } from "./Entrants.js";
import { dealSize, firstTournament, keepTournament, mostDeals, planOf, problemOf, withGame, type FormatName, type SeatingsName, type TournamentDraft } from "./draft.js";
import { counted } from "./figures.js";
import { texts } from "./texts.js";
import { TournamentFailure } from "./TournamentFailure.js";

const THINK = [20, 50, 100, 200, 500, 1000] as const;

export function StartForm({ facts: known }: { facts: ServerFacts }) {
  const { games } = known;
  const { limits } = known.info;
  const [bots, setBots] = useState(known.bots);
  const [draft, setDraft] = useState<TournamentDraft | undefined>(() => games[0] && firstTournament(games[0], known.bots));
  const [answer, setAnswer] = useState<GetGameResponse>();
  const [styles, setStyles] = useState<readonly BotStyle[]>();
  const [isStarting, setStarting] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  // The same plan that is sent twice starts one tournament.
  const requests = useRef(new Map<string, string>());
  const name = draft?.game;
  const players = draft?.players;
  const game = games.find((one) => one.name === name);
  const hasOptions = (game?.options.length ?? 0) > 0;
  const words = texts.value;

  useEffect(() => {
    // Without them a tournament can be set up all the same.
    botsWithRatings().then(setBots, () => undefined);
    botStyles().then(setStyles, () => setStyles([]));
  }, []);
  useEffect(() => {
    if (name === undefined || players === undefined || !hasOptions) return;
    const leaving = new AbortController();
    askOptions(name, players, leaving.signal).then(setAnswer, (error: unknown) => {
      if (!leaving.signal.aborted) setProblem(error);
    });
    return () => leaving.abort();
  }, [name, players, hasOptions]);
  const isAnswer = answer?.game?.name === name && answer?.options?.players === players;
  const shown = isAnswer || answer?.game?.name === name ? answer : undefined;
  const fields = useMemo(() => (shown === undefined ? [] : optionFields(shown)), [shown]);

  if (draft === undefined || game === undefined || styles === undefined) return <Waiting />;
  const isTeam = game.cooperative;
  const size = dealSize(draft, isTeam);
  const wrong = problemOf(draft, isTeam, limits);
  const change = (changes: Partial<TournamentDraft>): void => setDraft({ ...draft, ...changes });
  const think = THINK.filter((time) => limits?.mostTime === undefined || time <= durationMs(limits.mostTime));

  async function start(event: Event): Promise<void> {
    event.preventDefault();
    if (draft === undefined || wrong !== undefined || isStarting) return;
    setStarting(true);
    setProblem(undefined);
    try {
      const hasChosen = Object.keys(draft.options).length > 0;
      const meaning = isAnswer ? answer : hasChosen ? await askOptions(draft.game, draft.players) : undefined;
      const key = JSON.stringify(draft);
      const requestId = requests.current.get(key) ?? crypto.randomUUID();
      requests.current.set(key, requestId);
      const { name } = await service().startTournament(planOf(draft, bots, meaning), { requestId });
      keepTournament(draft);
      goTo({ page: "tournaments", name });
    } catch (error) {
      setProblem(error);
      setStarting(false);
    }
  }

  return (
    <form class="stack tournament-form" aria-labelledby="tournament-start" onSubmit={(event) => void start(event)}>
      <h2 id="tournament-start">{words.start.title}</h2>
      <div class="tournament-parts">
        <section class="panel stack" aria-labelledby="tournament-game">
          <h3 class="panel-title" id="tournament-game">
            {words.start.game}
          </h3>
          <GameChoice games={games} game={game} onChoose={(one) => setDraft(withGame(draft, one, bots))} />
          <p class="note">
            <a href={linkTo({ page: "rules", game: game.name })}>{setup.value.rules}</a>
          </p>
          {game.players.length > 1 && (
            <Choice
              title={setup.value.players}
              values={game.players.map((one) => [String(one), String(one)] as const)}
              value={String(draft.players)}
              onChoose={(one) => change({ players: Number(one), options: withoutSeats(draft, fields) })}
            />
          )}
          {hasOptions && (shown === undefined ? problem === undefined && <Waiting /> : <Options fields={fields} draft={draft} onChange={change} />)}
        </section>

        <section class="panel stack" aria-labelledby="tournament-bots">
          <h3 class="panel-title" id="tournament-bots">
            {words.start.bots}
          </h3>
          <p class="note">{isTeam ? words.start.teamsHelp : words.start.botsHelp}</p>
          <Entrants draft={draft} bots={bots} styles={stylesFor(game.name, styles)} onChange={change} />
          {wrong === "twice" && (
            <p class="note failed" role="alert">
              {words.start.twice}
            </p>
          )}
        </section>

        <section class="panel stack" aria-labelledby="tournament-length">
          <h3 class="panel-title" id="tournament-length">
            {words.start.length}
          </h3>
          <Deals draft={draft} most={mostDeals(draft, isTeam, limits)} isWrong={wrong === "deals"} onChange={change} />
          <label class="field">
            <span>{words.start.think}</span>
            <select value={draft.thinkMs} aria-describedby="tournament-think" onChange={(event) => change({ thinkMs: Number(event.currentTarget.value) })}>
              <option value={0}>{words.start.asLevel}</option>
              {think.map((time) => (
                <option key={time} value={time}>
                  {words.start.atMost(timeWords(time))}
                </option>
              ))}
            </select>
            <span class="note" id="tournament-think">
              {draft.thinkMs === 0 ? words.start.asLevelHelp : words.start.atMostHelp}
            </span>
          </label>
          <Experts draft={draft} isTeam={isTeam} isWrong={wrong === "seed"} onChange={change} />
        </section>
      </div>

      {problem !== undefined && <TournamentFailure error={problem} />}
      <div class="setup-start">
        <span role="status">{size === undefined ? words.start.tooMany : words.start.size(counted(size), counted(size * (draft.deals || 0)))}</span>
        <button class="primary" type="submit" disabled={isStarting || wrong !== undefined}>
          {isStarting ? words.start.starting : words.start.send}
        </button>
      </div>
    </form>
  );
}

/** What was chosen for each seat fits one number of players alone. */
function withoutSeats(draft: TournamentDraft, fields: ReturnType<typeof optionFields>): TournamentDraft["options"] {
  const bySeat = new Set(fields.flatMap(({ name, control }) => (control.kind === "each" ? [name] : [])));
  return Object.fromEntries(Object.entries(draft.options).filter(([name]) => !bySeat.has(name)));
}

function GameChoice({ games, game, onChoose }: { games: readonly Game[]; game: Game; onChoose: (game: Game) => void }) {
  return (
    <label class="field">
      <span>{texts.value.start.which}</span>
      <select
        name="game"
        value={game.name}
        onChange={(event) => {
          const chosen = games.find(({ name }) => name === event.currentTarget.value);
          if (chosen !== undefined) onChoose(chosen);
        }}
      >
        {games.map((one) => (
          <option key={one.name} value={one.name}>
            {said(one.title) || one.name}
          </option>
        ))}
      </select>
    </label>
  );
}

interface PartProps {
  draft: TournamentDraft;
  onChange: (changes: Partial<TournamentDraft>) => void;
}

function Options({ fields, draft, onChange }: PartProps & { fields: ReturnType<typeof optionFields> }) {
  const seats = Array.from({ length: draft.players }, (_, seat) => setup.value.seat(seat));
  return (
    <details class="tournament-options" open={Object.keys(draft.options).length > 0}>
      <summary>{setup.value.options}</summary>
      <OptionControls fields={fields} seats={seats} values={draft.options} onChange={(options) => onChange({ options })} />
    </details>
  );
}

function Deals({ draft, most, isWrong, onChange }: PartProps & { most: number; isWrong: boolean }) {
  const words = texts.value.start;
  return (
    <label class="field">
      <span>{words.deals}</span>
      <input
        class="number-input"
        type="number"
        name="deals"
        inputmode="numeric"
        required
        min={1}
        max={Math.max(1, most)}
        value={draft.deals}
        aria-invalid={isWrong}
        aria-describedby="tournament-deals"
        onInput={({ currentTarget: { valueAsNumber } }) => onChange({ deals: Number.isNaN(valueAsNumber) ? 0 : valueAsNumber })}
      />
      <span class={isWrong ? "note failed" : "note"} id="tournament-deals">
        {isWrong ? words.dealsWrong(counted(most)) : words.dealsHelp}
      </span>
    </label>
  );
}

const FORMATS: readonly FormatName[] = ["roundRobin", "gauntlet", "teams"];
const SEATINGS: readonly SeatingsName[] = ["usual", "rotations"];

function Experts({ draft, isTeam, isWrong, onChange }: PartProps & { isTeam: boolean; isWrong: boolean }) {
  const words = texts.value.start;
  const isUsual = draft.format === "roundRobin" && draft.seatings === "usual" && draft.seed === "";
  return (
    <details class="tournament-experts" open={!isUsual}>
      <summary>{setup.value.more}</summary>
      <div class="stack option-details">
        <label class="field">
          <span>{words.format}</span>
          <select value={draft.format} onChange={(event) => onChange({ format: event.currentTarget.value as FormatName })}>
            {FORMATS.map((one) => (
              <option key={one} value={one}>
                {one === "roundRobin" && isTeam ? words.formats.together : words.formats[one]}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>{words.seatings}</span>
          <select value={draft.seatings} onChange={(event) => onChange({ seatings: event.currentTarget.value as SeatingsName })}>
            {SEATINGS.map((one) => (
              <option key={one} value={one}>
                {words.seatingsOf[one]}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>{words.seed}</span>
          <input
            name="seed"
            inputmode="numeric"
            autocomplete="off"
            maxLength={39}
            value={draft.seed}
            placeholder={setup.value.random}
            aria-invalid={isWrong}
            aria-describedby="tournament-seed"
            onInput={(event) => onChange({ seed: event.currentTarget.value })}
          />
          <span class={isWrong ? "note failed" : "note"} id="tournament-seed">
            {isWrong ? words.seedWrong : words.seedHelp}
          </span>
        </label>
      </div>
    </details>
  );
}
