/** What holds in this trick besides the rules: the plan's accomplice, and the powers that have come up. */

import { said } from "@page/app/wording.js";
import type { GameModel } from "@page/schema/game_model.js";
import { faceOf, nameOf } from "@page/schema/models.js";
import { aboutAttributes, aboutOf } from "@page/table/about.js";
import { faceOf as whoSits } from "@page/table/seating.js";
import type { SeatFace } from "@page/table/table_props.js";

import { AccompliceSign, AgentSign } from "./emblems.js";
import type { Seen } from "./seen.js";
import { texts } from "./texts.js";

/** A power at work, or just used. */
interface AtWork {
  readonly agent: string;
  readonly text: string;
}

export interface RulesProps {
  game: GameModel;
  seen: Seen;
  faces: readonly SeatFace[];
  viewer: number | undefined;
}

/** The accomplice of the plan at stake, in the corner by the viewer's left. */
export function Accomplice({ game, seen }: Pick<RulesProps, "game" | "seen">) {
  const accomplice = seen.stake?.accomplice ?? "";
  const effects: Readonly<Record<string, string>> = texts.value.effects;
  const place = `${seen.round}.${seen.trick}`;
  return (
    <div class="agency-corner" data-at="left" role="group" aria-label={texts.value.inThisTrick}>
      {accomplice !== "" && (
        <p
          class="agency-rule"
          key={place}
          data-spot={`rule:${place}`}
          data-from="pile"
          data-later="true"
          data-name={effects[accomplice]}
          {...aboutAttributes(aboutOf(faceOf(game, "plan", seen.stake?.text ?? "")))}
        >
          <span class="agency-rule-card">
            <AccompliceSign accomplice={accomplice} />
            <span>{effects[accomplice]}</span>
          </span>
        </p>
      )}
    </div>
  );
}

/** The powers of this trick, in the corner by the viewer's right. */
export function Powers({ game, seen, faces, viewer }: RulesProps) {
  const works = atWork(seen, faces, viewer);
  return (
    <div class="agency-corner" data-at="right" data-count={works.length} role="group" aria-label={texts.value.power}>
      {works.map(({ agent, text }) => {
        const seat = seen.agents.indexOf(agent);
        const name = titled(said(nameOf(game, "agent", agent)));
        return (
          <p
            class="agency-rule"
            key={agent}
            data-spot={`power:${seen.round}.${seen.trick}.${agent}`}
            data-from="pile"
            data-to={`won:${seat}`}
            data-later="true"
            data-name={name}
            {...aboutAttributes(aboutOf(faceOf(game, "agent", agent)))}
          >
            <span class="agency-rule-card">
              <AgentSign agent={agent} />
              <span>
                <b>{seat === viewer ? texts.value.you : name}</b> {text}
              </span>
            </span>
          </p>
        );
      })}
    </div>
  );
}

function titled(name: string): string {
  return name.charAt(0).toLocaleUpperCase() + name.slice(1);
}

function atWork(seen: Seen, faces: readonly SeatFace[], viewer: number | undefined): readonly AtWork[] {
  const { phase, look, agents } = seen;
  const has = (agent: string): boolean => agents.includes(agent);
  const effectOf = (agent: string): string => {
    const { effects, yours } = texts.value;
    const words: Readonly<Record<string, string>> = agents.indexOf(agent) === viewer ? yours : effects;
    return words[agent] ?? "";
  };
  const chooses = phase === "lead" ? "belton" : phase === "look" ? "moignons" : "";
  const found: AtWork[] = [];
  if (chooses !== "" && has(chooses)) found.push({ agent: chooses, text: effectOf(chooses) });
  if (look !== undefined && look.trick === seen.trick && phase !== "over" && has("moignons")) found.push({ agent: "moignons", text: lookWords(seen, faces, viewer) });
  if (seen.martha && has("martha")) found.push({ agent: "martha", text: effectOf("martha") });
  if (seen.last !== undefined && has("wxt")) found.push({ agent: "wxt", text: effectOf("wxt") });
  if (seen.jean && has("jean")) found.push({ agent: "jean", text: effectOf("jean") });
  return found;
}

function lookWords({ look }: Seen, faces: readonly SeatFace[], viewer: number | undefined): string {
  const words = texts.value;
  if (look === undefined) return "";
  if (look.target === viewer) return words.sawYours;
  return (look.looker === viewer ? words.youSawHand : words.saw)(whoSits(faces, look.target).name);
}
