// A seat at a hosted match in JavaScript: sets one up with two bots, plays the first move whenever it is asked, reads the record.
// npm install, then: node table.js HOST:PORT [GAME] [PROTO_FOLDER]

const path = require("node:path");
const { randomUUID } = require("node:crypto");
const grpc = require("@grpc/grpc-js");
const loader = require("@grpc/proto-loader");

const [address, game = "whist", folder = path.join(__dirname, "..", "..", "..", "proto")] = process.argv.slice(2);
const definition = loader.loadSync("machiavel/v1/match_service.proto", {
  includeDirs: [folder],
  keepCase: true,
  longs: Number,
  enums: String,
  oneofs: true,
});
const { MatchService } = grpc.loadPackageDefinition(definition).machiavel.v1;
const service = new MatchService(address, grpc.credentials.createInsecure());

const PERSON = { kind: "SEAT_KIND_PERSON", name: "Node" };
const BOT = { kind: "SEAT_KIND_BOT", bot: "greedy", think: { nanos: 20_000_000 } };
const PATIENCE = 60_000; // milliseconds that the server may be away

const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

// A call that may be repeated, for its request_id stays the same: again and again while the server is away.
async function insist(method, request) {
  const until = Date.now() + PATIENCE;
  for (let pause = 100; ; pause = Math.min(2 * pause, 2000)) {
    try {
      return await new Promise((resolve, reject) =>
        service[method](request, { deadline: until }, (error, answer) => (error ? reject(error) : resolve(answer))),
      );
    } catch (error) {
      if (error.code !== grpc.status.UNAVAILABLE || Date.now() + pause > until) throw error;
      await sleep(pause);
    }
  }
}

// The snapshot and then all events of a match, until it is over; after a break it goes on where it was.
async function* watch(match, token) {
  let version = null;
  for (let until = Date.now() + PATIENCE; ; ) {
    const stream = service.WatchMatch({ match, token, ...(version === null ? {} : { after: version }) });
    try {
      for await (const answer of stream) {
        const what = answer.snapshot ?? answer.event;
        version = what.version ?? 0;
        until = Date.now() + PATIENCE;
        yield what;
      }
      return;
    } catch (error) {
      if (error.code !== grpc.status.UNAVAILABLE || Date.now() > until) throw error;
      await sleep(200);
    } finally {
      stream.cancel();
    }
  }
}

async function main() {
  const made = await insist("CreateMatch", { game, seats: [PERSON, BOT, BOT], request_id: randomUUID() });
  const { match } = made.match;
  const token = made.seat_tokens[0];
  let answered = 0; // the version right after our last answer
  let moves = 0;
  for await (const what of watch(match, token)) {
    if (what.move) console.log(`seat ${what.move.seat ?? 0}: ${what.move.move.label.en}`);
    if (what.over) console.log("results by seat:", ...what.over.utilities);
    // What is 0, false or empty does not travel: seat 0 is asked where it has moves.
    const asked = what.position?.moves?.length > 0 && (what.version ?? 0) >= answered;
    if (!asked) continue;
    const move = what.position.moves[0].text;
    const request = { match, token, move, expected_version: what.version ?? 0, request_id: randomUUID() };
    try {
      answered = (await insist("PlayMove", request)).version;
      moves += 1;
    } catch (error) {
      // Somebody else's answer has settled it meanwhile, as a foil does: what comes next tells.
      if (![grpc.status.ABORTED, grpc.status.FAILED_PRECONDITION].includes(error.code)) throw error;
    }
  }
  const { record, match: over } = await insist("GetRecord", { match, token: made.host_token });
  console.log(`${moves} answers of ours, ${record.moves.length} moves, committed to as ${over.commitment.slice(0, 8)}…`);
}

main()
  .catch((error) => {
    console.error(error);
    process.exitCode = 1;
  })
  .finally(() => service.close());
