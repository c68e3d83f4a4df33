// A seat at a hosted match in JavaScript: sets one up with two bots, plays the first move whenever it is asked, reads the record.
// npm install, then: node table.js http://HOST:PORT [GAME]

import { AlreadyAnswered, connect, NotToMove, StaleVersion } from "@machiavel/client";

const [address, game = "whist"] = process.argv.slice(2);
const service = connect(address);

async function main() {
  const host = await service.createMatch(game, ["person", "greedy", "greedy"], { thinkMs: 20 });
  const mine = host.at(0);
  let answered = 0n; // the version right after our last answer
  let moves = 0;
  // The snapshot and then all events, until the match is over; after a break it goes on where it was.
  for await (const { what } of mine.watch()) {
    const { version, position, what: happened } = what.value;
    if (happened?.case === "move") console.log(`seat ${happened.value.seat}: ${happened.value.move.label.en}`);
    if (happened?.case === "over") console.log("results by seat:", ...happened.value.utilities);
    const asked = position.moves.length > 0 && version >= answered;
    if (!asked) continue;
    try {
      answered = (await mine.play(position.moves[0].text, { expectedVersion: version })).version;
      moves += 1;
    } catch (error) {
      // Somebody else's answer has settled it meanwhile, as a foil does: what comes next tells.
      if (![AlreadyAnswered, NotToMove, StaleVersion].some((kind) => error instanceof kind)) throw error;
    }
  }
  const { record, match } = await host.record();
  console.log(`${moves} answers of ours, ${record.moves.length} moves, committed to as ${match.commitment.slice(0, 8)}…`);
}

main()
  .catch((error) => {
    console.error(error);
    process.exitCode = 1;
  })
  .finally(() => service.close());
