/** Citadel's own table: the house as a map around its clock, who walks about in it, what can be saved, and the turn. */

import type { RefObject } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";

import { language, mayMove } from "@page/app/settings.js";
import type { GameModel, PlainView, Words } from "@page/schema/game_model.js";
import { askedWords } from "@page/table/asked.js";
import { ChoosingProvider, useChoice } from "@page/table/choosing.js";
import { useTravel } from "@page/table/motion.js";
import { roving, useStops } from "@page/table/roving.js";
import type { SeatFace, TableProps } from "@page/table/table_props.js";
import { texts as shared } from "@page/table/texts.js";

import { Clock } from "./Clock.js";
import { Dice } from "./Dice.js";
import { House } from "./House.js";
import { LitProvider, useLighting } from "./lit.js";
import { Menu } from "./Moves.js";
import { DICE, seenOf, type DieName, type Seen } from "./seen.js";
import { Team } from "./Team.js";
import { rollRest, walkRest } from "./timing.js";
import { Treasures } from "./Treasures.js";
import { Turn } from "./Turn.js";
import { useUsing } from "./using.js";
import { stagesBetween, walkOf, type Stage, type Walk } from "./walk.js";
import "@page/table/common.css";
import "@page/table/cards.css";
import "./citadel.css";

/** What is drawn: the view, or what is looked at on the way to it. */
interface Shown {
  readonly view: PlainView;
  readonly seen: Seen;
  readonly is: Stage["is"] | "rest";
  readonly walk: Walk | undefined;
  /** How often each die has been seen to roll here. */
  readonly rolls: ReadonlyMap<DieName, number>;
}

export function Table(props: TableProps) {
  const { game, view, viewer, asked, seats: faces } = props;
  const root = useRef<HTMLElement>(null);
  const shown = useShown(props);
  const seen = useMemo(() => seenOf(view), [view]);
  const { choosing, pointing } = useUsing(game, seen, props);
  const lit = useLighting();
  const isOwn = viewer !== undefined && asked.includes(viewer);
  const ask = useMemo(() => askedWords(game, view, isOwn ? "asked" : "others"), [game, view, isOwn]);
  useTravel(root, shown);
  useStops(root);
  useEffect(() => {
    if (pointing !== undefined) show(root.current?.querySelector(".citadel-house"));
  }, [pointing]);
  const turn = asked.join();
  // What has not changed is not compared either: whoever points at things draws the page anew, but not the table.
  return useMemo(
    () => (
      <ChoosingProvider value={choosing}>
        <LitProvider value={lit}>
          <Whole root={root} game={game} shown={shown} faces={faces} viewer={viewer} asked={asked} ask={ask} pointing={pointing} />
        </LitProvider>
      </ChoosingProvider>
    ),
    [choosing, pointing, lit, game, shown, faces, viewer, turn, ask, language.value],
  );
}

/** What is to be pointed at comes into sight: on a phone the cards lie below the house. */
function show(house: Element | null | undefined): void {
  house?.scrollIntoView({ block: "nearest", behavior: mayMove() ? "smooth" : "instant" });
}

/** The views between the one before and this one, each for its while, and then this one. */
function useShown(props: TableProps): Shown {
  const { game, view } = props;
  const before = useRef<Shown | undefined>(undefined);
  const plan = useMemo(() => {
    const was = before.current;
    const stages = was === undefined || !mayMove() ? [] : stagesBetween(was.view, view, props);
    const all = [...stages, { is: "rest", view } as const].reduce<Shown[]>((found, stage) => [...found, shownAs(game, found.at(-1) ?? was, stage, props)], []);
    before.current = all.at(-1);
    return all;
  }, [game, view]);
  const [step, go] = useState<{ plan: readonly Shown[]; at: number }>();
  const at = step?.plan === plan ? step.at : 0;
  const shown = plan[at] as Shown;
  useEffect(() => {
    if (shown.is === "rest") return undefined;
    const timer = setTimeout(() => go({ plan, at: at + 1 }), shown.is === "roll" ? rollRest() : walkRest(shown.walk));
    return () => clearTimeout(timer);
  }, [plan, at]);
  return shown;
}

function shownAs(game: GameModel, before: Shown | undefined, { is, view }: { is: Shown["is"]; view: PlainView }, { played }: TableProps): Shown {
  const seen = seenOf(view);
  const walk = before === undefined ? undefined : walkOf(game, before.seen, seen, is === "walk");
  const [verb, words = ""] = before === undefined || before.is !== "rest" ? [] : (played?.at(-1)?.text.split(":") ?? []);
  const isRolled = verb === "end" || verb === "reroll";
  const rolls = new Map(DICE.map((die) => [die, (before?.rolls.get(die) ?? 0) + Number(isRolled && (verb === "end" || words.split("+").includes(die)))]));
  return { view, seen, is, walk, rolls };
}

interface WholeProps {
  root: RefObject<HTMLElement | null>;
  game: GameModel;
  shown: Shown;
  faces: readonly SeatFace[];
  viewer: number | undefined;
  asked: readonly number[];
  ask: Words | undefined;
  pointing: string | undefined;
}

const LEFT: readonly DieName[] = ["professor", "colour"];
const RIGHT: readonly DieName[] = ["clock"];
const NOBODY: readonly number[] = [];

function Whole({ root, game, shown, faces, viewer, asked, ask, pointing }: WholeProps) {
  const { seen, walk, rolls, is } = shown;
  const choice = useChoice();
  const isStill = is === "rest";
  const isAsked = isStill && viewer !== undefined && asked.includes(viewer);
  return (
    <section
      class="table citadel"
      aria-label={shared.value.table}
      ref={root}
      data-players={seen.characters.length}
      data-watching={viewer === undefined}
      data-stage={is}
      onKeyDown={(event) => event.key === "Escape" && choice.clear()}
    >
      <div class="citadel-board">
        <div class="citadel-top" data-group onKeyDown={(event) => roving(event, event.currentTarget)}>
          <Team game={game} seen={seen} faces={faces} viewer={viewer} asked={isStill ? asked : NOBODY} />
        </div>
        <div class="citadel-main" data-group onKeyDown={(event) => roving(event, event.currentTarget)}>
          <House game={game} seen={seen} faces={faces} viewer={viewer} walk={walk}>
            <Dice game={game} seen={seen} which={LEFT} rolled={rolls} />
            <Clock game={game} seen={seen} />
            <Dice game={game} seen={seen} which={RIGHT} rolled={rolls} />
          </House>
        </div>
        <Treasures game={game} seen={seen} />
        <Turn game={game} seen={seen} faces={faces} viewer={viewer} isAsked={isAsked} ask={ask} pointing={pointing} />
      </div>
      {pointing === undefined && <Menu root={root} />}
      <div class="motion-layer" aria-hidden="true" />
    </section>
  );
}
