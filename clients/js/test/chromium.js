// Drives Chromium against a server: node chromium.js cases|closed '{"chromium": …, "door": …, "allowed": …, "foreign": …}'
// The pages of `allowed` and `foreign` load bundle.js, which puts the client into `machiavel`. Prints what was seen as one line of JSON.
import { chromium } from "playwright-core";

import { connect } from "../dist/node.js";

const FLAGS = [
  "--no-sandbox",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-default-apps",
  "--disable-sync",
  "--metrics-recording-only",
  "--no-first-run",
  "--host-resolver-rules=MAP elsewhere.example 127.0.0.1",
];

const [mode, given] = process.argv.slice(2);
const { chromium: executablePath, door, allowed, foreign, times = 1 } = JSON.parse(given);
const browser = await chromium.launch({ executablePath, args: FLAGS });
const service = connect(door);
try {
  console.log(JSON.stringify(mode === "closed" ? await closed(times) : await cases()));
} finally {
  service.close();
  await browser.close();
}

async function cases() {
  return {
    analysis: await analysis(),
    reloaded: await reloaded(),
    guide: await guide(),
    closed: (await closed(1)).length,
    refused: await refused(),
    host: await host(),
  };
}

/** A page of an origin. */
async function opened(origin) {
  const page = await browser.newPage();
  await page.goto(`${origin}/page.html`);
  await page.waitForFunction(() => "machiavel" in globalThis);
  return page;
}

/** What a page sees of an analysis, and of an error. */
async function analysis() {
  const page = await opened(allowed);
  const seen = await page.evaluate(async (address) => {
    const client = globalThis.machiavel.connect(address);
    const state = await client.newState("agency", 3, { seed: 42 });
    const finals = [];
    for await (const answer of client.analyzeMoves(state, { seconds: 1, intervalMs: 50 })) {
      document.body.textContent = `${answer.recommendation.best.text} ${answer.recommendation.iterations}`;
      finals.push(answer.final);
    }
    const error = await client.newState("chess", 2).catch((refused) => refused);
    return { finals, shown: document.body.textContent, error: { name: error.name, code: error.code, known: error.known } };
  }, door);
  await page.close();
  return seen;
}

/** A hosted match that a page plays to its end, though it is loaded again in the middle. */
async function reloaded() {
  const page = await opened(allowed);
  const play = (most) =>
    page.evaluate(
      async ([address, answers]) => {
        const client = globalThis.machiavel.connect(address, { token: "none-is-needed-here" }); // a header more to be allowed
        if (!sessionStorage.match) {
          const hosting = await client.createMatch("whist", ["person", "greedy"], { thinkMs: 20 });
          Object.assign(sessionStorage, { match: hosting.match, token: hosting.tokens[0] });
        }
        const session = client.session(sessionStorage.match, sessionStorage.token);
        let played = 0;
        for await (const position of session.turns()) {
          await session.play(position.moves[0].text);
          played += 1;
          if (played === answers) break;
        }
        return { played, utilities: (await session.get()).match.utilities };
      },
      [door, most],
    );
  const before = await play(3);
  await page.reload();
  await page.waitForFunction(() => "machiavel" in globalThis);
  const after = await play(-1);
  await page.close();
  return { before, after };
}

/** The page of the guide, played by clicks on the first move, and loaded again in the middle. */
async function guide() {
  const page = await browser.newPage();
  await page.goto(`${allowed}/index.html`);
  let clicks = 0;
  for (;;) {
    await page.waitForFunction(() => document.querySelector("button") ?? document.getElementById("told").textContent.includes("over."));
    const told = await page.textContent("#told");
    if (told.includes("The match is over.")) {
      await page.close();
      return { clicks, told };
    }
    const asked = await page.evaluate(() => {
      const [first] = document.querySelectorAll("button");
      first?.click();
      document.getElementById("moves").replaceChildren();
      return first !== undefined;
    });
    clicks += asked ? 1 : 0;
    if (clicks === 3) await page.reload();
  }
}

/**
 * When pages with an analysis were told to close, when they were closed, and when the server, which has room for one search, had
 * answered another: in milliseconds since 1970.
 */
async function closed(count) {
  const state = await service.newState("agency", 3, { seed: 42 });
  const took = [];
  for (let number = 0; number < count; number += 1) {
    const page = await opened(allowed);
    await page.evaluate(async (address) => {
      const client = globalThis.machiavel.connect(address);
      const answers = client.analyzeMoves(await client.newState("agency", 3, { seed: 42 }), { seconds: 15, intervalMs: 20 });
      globalThis.updates = 0;
      (async () => {
        for await (const answer of answers) globalThis.updates += answer.final ? 0 : 1;
      })();
    }, door);
    await page.waitForFunction(() => globalThis.updates >= 3);
    const began = performance.now();
    const closing = page.close().then(() => performance.now());
    await service.recommendMove(state, { iterations: 1, timeoutMs: 20_000 });
    const answered = performance.now();
    took.push([began, await closing, answered].map((at) => performance.timeOrigin + at));
  }
  return took;
}

/** What a page of an origin that may not call gets. */
async function refused() {
  const page = await opened(foreign);
  const seen = await page.evaluate(async (address) => {
    const error = await globalThis.machiavel.connect(address).listGames().catch((failed) => failed);
    return { name: error.name, code: error.code, reason: error.reason };
  }, door);
  await page.close();
  return seen;
}

/** What a page gets whose name was made to point to the server, and which calls it as its own. */
async function host() {
  const page = await browser.newPage();
  const address = door.replace("127.0.0.1", "elsewhere.example");
  const response = await page.goto(`${address}/`);
  const called = await page.evaluate(async () => {
    const headers = { "content-type": "application/json" };
    const answer = await fetch("/machiavel.v1.GameService/ListGames", { method: "POST", headers, body: "{}" });
    return { status: answer.status, text: await answer.text() };
  });
  await page.close();
  return { status: response.status(), called };
}
