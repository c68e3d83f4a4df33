// A frontend in JavaScript: it hosts a match of three bots.
// npm install, then: node frontend.js http://HOST:PORT

import { connect, NotAMove } from "@machiavel/client";

const service = connect(process.argv[2]);

async function main() {
  const games = await service.listGames();
  console.log("games:", games.map((game) => game.name).join(" "));

  let state = await service.newState("bond", 3, { seed: 5 });
  while (!state.over && state.ply < 12) {
    const seat = state.seatToMove;
    const seen = await service.getView(state, { seat });
    const { move } = await service.recommendMove(seen, { bot: seat === 0 ? "greedy" : "ismcts:iterations=300,seed=1" });
    ({ state } = await service.applyMove(state, move.text, { seat }));
    console.log(`${state.ply} seat ${seat}: ${move.label.en}`);
  }

  // What is known so far, until the final answer. Leaving the loop earlier would end the search.
  let last;
  for await (const answer of service.analyzeMoves(state, { iterations: 500 })) last = answer;
  const { best, iterations } = last.recommendation;
  console.log(`final: ${last.final}, best: ${best.text}, ${iterations} iterations`);

  try {
    await service.applyMove(state, "no such move");
  } catch (error) {
    if (!(error instanceof NotAMove)) throw error;
    console.log(`${error.code}: ${error.message.slice(0, 32)}`);
  }
}

main()
  .catch((error) => {
    console.error(error);
    process.exitCode = 1;
  })
  .finally(() => service.close());
