/** Puts a match together: the game's options, the seats, what is agreed. */

import "./setup.css";

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { BotStyle, Game, GetGameResponse } from "@machiavel/client/v1";

import { Choice } from "../app/Choice.js";
import { askFacts, useFacts } from "../app/facts.js";
import { Failure, TokenForm, Waiting } from "../app/Failure.js";
import { linkTo, type SetupWay } from "../app/routes.js";
import { botStyles, botsWithRatings, mayCall, type ServerFacts } from "../app/server.js";
import { nickname } from "../app/settings.js";
import { said } from "../app/wording.js";
import { hasLessons } from "../learn/books.js";
import { BotSelect } from "./BotSelect.js";
import { StyleChoice } from "./StyleChoice.js";
import { askOptions, createMatch } from "./create_match.js";
import { mayPractise, ratingOf, seatedBy, stylesFor, wayOf, withBots, withPlayers, type Draft } from "./draft.js";
import { firstDraft } from "./last_draft.js";
import { OptionControls } from "./OptionControls.js";
import { optionFields } from "./options.js";
import { seatLabels } from "./seat_labels.js";
import { SeatRows } from "./SeatRows.js";
import { texts } from "./texts.js";
import { moveTimes, thinkTimes, timeWords, usualThink } from "./times.js";

const WAYS: readonly SetupWay[] = ["bots", "friends", "watch"];

export function SetupPage({ game: name, way }: { game: string; way: SetupWay }) {
  const facts = useFacts();
  if (facts.state === "asking") return <Waiting />;
  if (facts.state === "failed") {
    return (
      <div class="column narrow">
        <Failure error={facts.error} onRetry={() => void askFacts()} />
      </div>
    );
  }
  const game = facts.value.games.find((one) => one.name === name);
  const words = texts.value;
  if (game === undefined) {
    return (
      <div class="column narrow stack">
        <h1>{words.unknown.title}</h1>
        <p>{words.unknown.text}</p>
        <p>
          <a class="button" href={linkTo({ page: "home" })}>
            {words.unknown.home}
          </a>
        </p>
      </div>
    );
  }
  if (!mayCall(facts.value, "MatchService.CreateMatch")) {
    return (
      <div class="column narrow stack">
        <h1>{said(game.title)}</h1>
        <TokenForm onDone={() => void askFacts()} />
      </div>
    );
  }
  return <Setup game={game} way={way} facts={facts.value} />;
}

function Setup({ game, way, facts: known }: { game: Game; way: SetupWay; facts: ServerFacts }) {
  const [bots, setBots] = useState(known.bots);
  const facts = { ...known, bots };
  const [draft, setDraft] = useState<Draft>(() => firstDraft(game, facts.bots, way));
  const [answer, setAnswer] = useState<GetGameResponse>();
  const [styles, setStyles] = useState<readonly BotStyle[]>();
  const [isStarting, setStarting] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const words = texts.value;
  const players = draft.seats.length;
  const count = (who: "me" | "open" | "bot"): number => draft.seats.filter((seat) => seat.who === who).length;
  const kindOfTable = wayOf(draft);
  const hasOptions = game.options.length > 0;

  useEffect(() => {
    // Without them the table can be set up all the same: bots then play to win.
    botsWithRatings().then(setBots, () => undefined);
    botStyles().then((all) => setStyles(stylesFor(game.name, all)), () => setStyles([]));
  }, [game.name]);
  useEffect(() => {
    if (!hasOptions) return;
    const leaving = new AbortController();
    askOptions(game.name, players, leaving.signal).then(setAnswer, (error: unknown) => {
      if (!leaving.signal.aborted) setProblem(error);
    });
    return () => leaving.abort();
  }, [game.name, players]);

  async function start(event: Event): Promise<void> {
    event.preventDefault();
    setStarting(true);
    setProblem(undefined);
    try {
      await createMatch(draft, answer?.options?.players === players ? answer : undefined);
    } catch (error) {
      setProblem(error);
      setStarting(false);
    }
  }

  // All at once, so that nothing moves when the rest arrives.
  if (styles === undefined || (hasOptions && answer === undefined && problem === undefined)) return <Waiting />;
  return (
    <form class="column setup" onSubmit={(event) => void start(event)}>
      <div class="setup-title">
        <h1>{said(game.title) || game.name}</h1>
        <span class="line">
          {hasLessons(game.name) && <a href={linkTo({ page: "learn", game: game.name })}>{words.learn}</a>}
          <a href={linkTo({ page: "rules", game: game.name })}>{words.rules}</a>
        </span>
      </div>

      <div class={`setup-parts ${hasOptions ? "" : "setup-plain"}`}>
        <section class="panel stack setup-table" aria-labelledby="setup-table">
          <h2 class="panel-title" id="setup-table">
            {words.table}
          </h2>
          <Choice
            title={words.way}
            values={WAYS.map((one) => [one, words.ways[one]] as const)}
            value={kindOfTable ?? ("" as SetupWay)}
            help={words.wayHelp[kindOfTable ?? "mixed"]}
            onChoose={(one) => setDraft(seatedBy(draft, one))}
          />
          {game.players.length > 1 && (
            <Choice
              title={words.players}
              values={game.players.map((one) => [String(one), String(one)] as const)}
              value={String(players)}
              onChoose={(one) => setDraft(withPlayers(withoutSeats(draft, answer), Number(one)))}
            />
          )}
          {count("bot") > 1 && <AllBots draft={draft} facts={facts} styles={styles} onChange={setDraft} />}
          <Seats draft={draft} facts={facts} styles={styles} onChange={setDraft} />
          <Ratings draft={draft} facts={facts} />
          {count("me") > 1 && <p class="notice">{words.severalMine}</p>}
          {count("me") > 0 && count("open") > 0 && <Name />}
        </section>
        {hasOptions && answer !== undefined && (
          <section class="panel stack setup-options" aria-labelledby="setup-options">
            <h2 class="panel-title" id="setup-options">
              {words.options}
            </h2>
            <OptionControls
              fields={optionFields(answer)}
              seats={seatLabels(draft)}
              values={draft.options}
              onChange={(options) => setDraft({ ...draft, options })}
            />
          </section>
        )}
        <Agreed draft={draft} facts={facts} onChange={setDraft} />
      </div>

      {problem !== undefined && <Failure error={problem} />}
      <div class="setup-start">
        <span>{words.summary(count("me"), count("open"), count("bot"))}</span>
        <button class="primary" type="submit" disabled={isStarting}>
          {isStarting ? words.starting : words.start[count("open") > 0 ? "friends" : count("me") > 0 ? "bots" : "watch"]}
        </button>
      </div>
    </form>
  );
}

/** Without what was chosen for each seat: it fits one number of players alone. */
function withoutSeats(draft: Draft, answer: GetGameResponse | undefined): Draft {
  const bySeat = new Set(answer === undefined ? [] : optionFields(answer).flatMap(({ name, control }) => (control.kind === "each" ? [name] : [])));
  return { ...draft, options: Object.fromEntries(Object.entries(draft.options).filter(([name]) => !bySeat.has(name))) };
}

interface PartProps {
  draft: Draft;
  facts: ServerFacts;
  onChange: (draft: Draft) => void;
}

function AllBots({ draft, facts, styles, onChange }: PartProps & { styles: readonly BotStyle[] }) {
  const words = texts.value;
  const bots = draft.seats.filter(({ who }) => who === "bot");
  const [first] = bots;
  const bot = bots.every((seat) => seat.bot === first?.bot) ? first?.bot : undefined;
  const style = bots.every((seat) => seat.style === first?.style) ? first?.style : undefined;
  return (
    <div class="field">
      <span>{words.allBots}</span>
      <div class="line all-bots">
        <BotSelect
          label={words.allBots}
          game={draft.game}
          players={draft.seats.length}
          bots={facts.bots}
          bot={bot}
          onChoose={(one) => onChange(withBots(draft, { bot: one, style: "" }))}
        />
        <StyleChoice
          label={words.allStyles}
          styles={styles}
          kind={facts.bots.find(({ name }) => name === bot)}
          style={style}
          onChoose={(one) => onChange(withBots(draft, { style: one }))}
        />
      </div>
    </div>
  );
}

/** The seats one by one: folded away where all others are bots, of whom one choice is enough. */
function Seats({ draft, facts, styles, onChange }: PartProps & { styles: readonly BotStyle[] }) {
  const bots = draft.seats.filter(({ who }) => who === "bot");
  const [isMixed] = useState(() => bots.some(({ bot, style }) => bot !== bots[0]?.bot || style !== bots[0]?.style));
  const rows = <SeatRows draft={draft} bots={facts.bots} styles={styles} onChange={onChange} />;
  const way = wayOf(draft);
  if (bots.length < 2 || way === undefined || way === "friends") return rows;
  return (
    <details class="seats-apart" open={isMixed}>
      <summary>{texts.value.seatsApart}</summary>
      {rows}
    </details>
  );
}

/** What the ratings mean, where there are any. */
function Ratings({ draft, facts }: { draft: Draft; facts: ServerFacts }) {
  const seat = draft.seats.find(({ who }) => who === "bot");
  const rated = facts.bots.map((bot) => ratingOf(bot, draft.game, draft.seats.length)).find((rating) => rating !== undefined);
  if (seat === undefined || rated === undefined) return null;
  return <p class="note">{texts.value.ratingHelp(rated.players)}</p>;
}

function Name() {
  return (
    <label class="field">
      <span>{texts.value.name}</span>
      <input
        name="nickname"
        autocomplete="nickname"
        maxLength={64}
        value={nickname.value}
        onInput={(event) => (nickname.value = event.currentTarget.value)}
      />
    </label>
  );
}

function Agreed({ draft, facts, onChange }: PartProps) {
  const words = texts.value;
  const { limits } = facts.info;
  const usual = usualThink(limits);
  const hasBots = draft.seats.some(({ who }) => who === "bot");
  const hasPersons = draft.seats.some(({ who }) => who !== "bot");
  const isTable = draft.seats.filter(({ who }) => who !== "bot").length > 1;
  return (
    <section class="panel stack setup-agreed" aria-labelledby="setup-agreed">
      <h2 class="panel-title" id="setup-agreed">
        {words.agreed}
      </h2>
      {hasPersons && (
        <Tick text={words.hints} help={words.hintsHelp} isOn={draft.hints} onChange={(hints) => onChange({ ...draft, hints })} />
      )}
      {mayPractise(draft) && (
        <Tick
          text={words.practice}
          help={words.practiceHelp}
          isOn={draft.practice}
          onChange={(practice) => onChange({ ...draft, practice })}
        />
      )}
      <Tick
        text={words.spectators}
        help={words.spectatorsHelp}
        isOn={draft.spectators}
        onChange={(spectators) => onChange({ ...draft, spectators })}
      />
      {isTable && (
        <>
          <Tick text={words.rematch} help={words.rematchHelp} isOn={draft.rematch} onChange={(rematch) => onChange({ ...draft, rematch })} />
          <Tick
            text={words.openRecord}
            help={words.openRecordHelp}
            isOn={draft.openRecord}
            onChange={(openRecord) => onChange({ ...draft, openRecord })}
          />
        </>
      )}
      {hasBots && (
        <label class="field">
          <span>{words.think}</span>
          <select value={draft.thinkMs} onChange={(event) => onChange({ ...draft, thinkMs: Number(event.currentTarget.value) })}>
            <option value={0}>{words.usualThink(usual === undefined ? "…" : timeWords(usual))}</option>
            {thinkTimes(limits)
              .filter((time) => time !== usual)
              .map((time) => (
                <option key={time} value={time}>
                  {timeWords(time)}
                </option>
              ))}
          </select>
        </label>
      )}
      {hasPersons && (
        <label class="field">
          <span>{words.clock}</span>
          <select
            value={draft.moveTimeMs}
            aria-describedby="clock-help"
            onChange={(event) => onChange({ ...draft, moveTimeMs: Number(event.currentTarget.value) })}
          >
            <option value={0}>{words.noClock}</option>
            {moveTimes(limits).map((time) => (
              <option key={time} value={time}>
                {timeWords(time)}
              </option>
            ))}
          </select>
          <Help id="clock-help">{words.clockHelp}</Help>
        </label>
      )}
    </section>
  );
}

function Help({ id, children }: { id: string; children: ComponentChildren }) {
  return (
    <span class="note" id={id}>
      {children}
    </span>
  );
}

function Tick({ text, help, isOn, onChange }: { text: string; help: string; isOn: boolean; onChange: (isOn: boolean) => void }) {
  return (
    <label class="tick">
      <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>
        {text}
        <span class="note tick-help">{help}</span>
      </span>
    </label>
  );
}
