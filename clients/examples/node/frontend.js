// A frontend in JavaScript: it reads the .proto files as they are, and hosts a match of three bots.
// npm install, then: node frontend.js HOST:PORT [PROTO_FOLDER]

const path = require("node:path");
const grpc = require("@grpc/grpc-js");
const loader = require("@grpc/proto-loader");

const [address, folder = path.join(__dirname, "..", "..", "..", "proto")] = process.argv.slice(2);
const definition = loader.loadSync(
  ["game_service", "bot_service"].map((name) => `machiavel/v1/${name}.proto`),
  { includeDirs: [folder], keepCase: true, longs: Number, enums: String, oneofs: true },
);
const { GameService, BotService } = grpc.loadPackageDefinition(definition).machiavel.v1;
const credentials = grpc.credentials.createInsecure();
const games = new GameService(address, credentials);
const bots = new BotService(address, credentials);

// What is 0, false or empty does not travel: a field that is not there has that value.

// A call with a deadline, in milliseconds: a bot thinks as long as that lets it.
const call = (service, method, request, milliseconds = 5000) =>
  new Promise((resolve, reject) => {
    const deadline = new Date(Date.now() + milliseconds);
    service[method](request, { deadline }, (error, answer) => (error ? reject(error) : resolve(answer)));
  });

// What is known so far, until the final answer.
const analyze = (request) =>
  new Promise((resolve, reject) => {
    let last = null;
    const stream = bots.AnalyzeMoves(request);
    stream.on("data", (answer) => (last = answer));
    stream.on("error", reject);
    stream.on("end", () => resolve(last));
  });

async function main() {
  const { games: found } = await call(games, "ListGames", {});
  console.log("games:", found.map((game) => game.name).join(" "));

  let { state } = await call(games, "NewState", { game: "bond", options: { players: 3 }, seed: "5" });
  while (!state.over && (state.ply ?? 0) < 12) {
    const seat = state.seat_to_move;
    const { view } = await call(games, "GetView", { record: state.record, seat });
    const { move } = await call(bots, "RecommendMove", { view, bot: seat ? "greedy" : "ismcts:iterations=300,seed=1" });
    ({ state } = await call(games, "ApplyMove", { record: state.record, move: move.text, seat }));
    console.log(`${state.ply} seat ${seat}: ${move.label.en}`);
  }

  const last = await analyze({ record: state.record, limits: { iterations: 500 } });
  console.log(`final: ${last.final}, best: ${last.recommendation.best.text}, ${last.recommendation.iterations ?? 0} iterations`);

  try {
    await call(games, "ApplyMove", { record: state.record, move: "no such move" });
  } catch (error) {
    console.log(`${grpc.status[error.code]}: ${error.details.slice(0, 32)}`);
  }
}

main()
  .catch((error) => {
    console.error(error);
    process.exitCode = 1;
  })
  .finally(() => {
    games.close();
    bots.close();
  });
