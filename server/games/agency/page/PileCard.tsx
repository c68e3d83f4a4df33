/** A card of the Castor's pile as it looks: a plan, drawn like a blueprint, or the power card of an agent. */

import { useMemo } from "preact/hooks";

import { AccompliceArt, AgentLines, colourOf } from "./emblems.js";
import { isPlan, planOf } from "./seen.js";

/** It lies across: half as wide again as it is high. `name` stands on a power card. */
export function PileCard({ text, name }: { text: string; name: string }) {
  return useMemo(() => (isPlan(text) ? planArt(text) : powerArt(text, name)), [text, name]);
}

const GRID = Array.from({ length: 8 }, (_, at) => `M${16 + 16 * at} 7V93`).join("") + Array.from({ length: 5 }, (_, at) => `M7 ${18 + 16 * at}H133`).join("");
/** What the Castor builds: a wheel, a lever, and how long all that is. */
const MACHINE = "M97 30A18 18 0 1 0 97.100 30ZM97 42A6 6 0 1 0 97.100 42ZM97 30V22M97 66V74M79 48H71M115 48H123M84 35L79 30M110 61L115 66M84 61L79 66M110 35L115 30M70 84H124M70 80V88M124 80V88";

function planArt(text: string) {
  const { value, accomplice } = planOf(text);
  return (
    <span class="agency-card" data-is="plan" aria-hidden="true">
      <svg viewBox="0 0 140 100">
        <rect class="agency-paper" x="0.750" y="0.750" width="138.500" height="98.500" rx="7" />
        <path class="agency-grid" d={GRID} />
        {accomplice === "" ? (
          <path class="agency-machine" d={MACHINE} />
        ) : (
          <g>
            <circle class="agency-spot" cx="98" cy="50" r="37" />
            <g transform="translate(73 25) scale(0.500)">
              <AccompliceArt accomplice={accomplice} />
            </g>
          </g>
        )}
        <text class="agency-value" x="34" y="69" text-anchor="middle" data-long={value > 9}>
          {value}
        </text>
      </svg>
    </span>
  );
}

function powerArt(agent: string, name: string) {
  return (
    <span class="agency-card" data-is="power" data-colour={colourOf(agent)} aria-hidden="true">
      <svg viewBox="0 0 140 100">
        <rect class="agency-paper" x="0.750" y="0.750" width="138.500" height="98.500" rx="7" />
        <path class="agency-band" d="M8 1H132Q139 1 139 8V66H1V8Q1 1 8 1Z" />
        <g transform="translate(46 9) scale(2)">
          <AgentLines agent={agent} />
        </g>
        <text class="agency-name" x="70" y="88" text-anchor="middle">
          {name}
        </text>
      </svg>
    </span>
  );
}
