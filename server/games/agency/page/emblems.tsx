/** The pictures of agents and accomplices. They say nothing to who hears the page: what holds them does. */

import { SHAPES } from "@page/table/suit_shapes.js";

/** Lines in a square of 24, drawn with a round pen. */
const AGENTS: Readonly<Record<string, string>> = {
  // Who goes first: an arrow to a post.
  belton: "M3 12H15M10 6.500L15.500 12L10 17.500M20 4V20",
  // What lies lowest comes out from below.
  martha: "M4 4H20M4 8.500H20M4 13H20M12 22V16.500M8.500 19.500L12 16L15.500 19.500",
  // The last grain of sand.
  wxt: "M6 3H18M6 21H18M8 3C8 8.500 16 9.500 16 12.500C16 15.500 8 15.500 8 21M16 3C16 8.500 8 9.500 8 12.500C8 15.500 16 15.500 16 21",
  // A leaf struck out.
  jean: "M6 19C4 10 9 5 19 5C19 15 14.500 19.500 6 19ZM6 19L12 12.500M4 4L20 20",
  moignons: "M2.500 12C5.500 7.500 8.500 5.500 12 5.500C15.500 5.500 18.500 7.500 21.500 12C18.500 16.500 15.500 18.500 12 18.500C8.500 18.500 5.500 16.500 2.500 12ZM12 9A3 3 0 1 0 12 15A3 3 0 0 0 12 9Z",
};

const COLOURS: Readonly<Record<string, string>> = { belton: "teal", martha: "red", wxt: "black", jean: "orange", moignons: "blue" };

/** The colour of an agent, which tells them apart beside the picture. */
export function colourOf(agent: string): string {
  return COLOURS[agent] ?? "black";
}

export function AgentLines({ agent }: { agent: string }) {
  return <path class="agency-lines" d={AGENTS[agent] ?? ""} />;
}

export function AgentSign({ agent }: { agent: string }) {
  return (
    <span class="agency-agent" data-colour={colourOf(agent)} aria-hidden="true">
      <svg viewBox="0 0 24 24">
        <AgentLines agent={agent} />
      </svg>
    </span>
  );
}

/** A shape of a suit in a square of 100, its middle there. */
function Shape({ name, colour, x, y, size }: { name: string; colour: string; x: number; y: number; size: number }) {
  return (
    <path class="card-suit" data-colour={colour} d={SHAPES[name] ?? ""} transform={`translate(${x} ${y}) scale(${size / 100}) translate(-50 -50)`} fill-rule="evenodd" />
  );
}

/** What an accomplice does, as a picture in a square of 100. */
export function AccompliceArt({ accomplice }: { accomplice: string }) {
  switch (accomplice) {
    case "blue_over_mauve":
      return (
        <g>
          <Shape name="drop" colour="blue" x={27} y={50} size={56} />
          <path class="agency-stroke" d="M55 38L67 50L55 62" />
          <Shape name="moon" colour="mauve" x={84} y={50} size={30} />
        </g>
      );
    case "plain_mauve":
      return (
        <g>
          <Shape name="crown" colour="yellow" x={50} y={22} size={38} />
          <path class="agency-stroke" d="M26 6L74 38" />
          <Shape name="moon" colour="mauve" x={50} y={70} size={52} />
        </g>
      );
    case "low_wins":
      return (
        <g>
          <path class="agency-bars" d="M8 14H28V92H8ZM38 40H58V92H38ZM70 66H90V92H70Z" />
          <Shape name="crown" colour="yellow" x={80} y={48} size={30} />
        </g>
      );
    case "follow_suit":
      return (
        <g>
          <path class="agency-outline" d="M8 18H42V84H8ZM58 18H92V84H58Z" />
          <Shape name="leaf" colour="green" x={25} y={51} size={26} />
          <Shape name="leaf" colour="green" x={75} y={51} size={26} />
        </g>
      );
    case "pass_left":
      return (
        <g>
          <path class="agency-outline" d="M52 16H90V86H52Z" />
          <path class="agency-stroke" d="M66 51H10M28 33L10 51L28 69" />
        </g>
      );
    default:
      return null;
  }
}

export function AccompliceSign({ accomplice }: { accomplice: string }) {
  return (
    <span class="agency-accomplice" aria-hidden="true">
      <svg viewBox="0 0 100 100">
        <AccompliceArt accomplice={accomplice} />
      </svg>
    </span>
  );
}
