/** What the page costs who looks at it: bytes, the wait until a move is seen, what shifts, what moves, what the main thread does. */
import { opened } from "./chromium.js";
import { caughtUp, OWN, person, setUp, turn, versionOf } from "./others.js";
import { byUi } from "./tables.js";
import { frames } from "./trace.js";

const LOOKS = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
};
/** As the page comes, but for the rests between moves, which are there to be waited for. */
const MOVING = { language: "en", pace: "fast", motion: "full", theme: "light" };

/** What a first visit transfers, headers and all, as it goes over the wire: the start page, and a table after it. */
export async function bytes({ browser, address, title }) {
  const sizes = new Map();
  const before = async (context, page) => {
    const cdp = await context.newCDPSession(page);
    await cdp.send("Network.enable");
    const add = (requestId, amount) => sizes.set(requestId, { ...sizes.get(requestId), size: (sizes.get(requestId)?.size ?? 0) + amount });
    cdp.on("Network.requestWillBeSent", ({ requestId, request }) => sizes.set(requestId, { size: 0, url: request.url }));
    // A stream never ends: its parts are counted as they come. What has ended is known as a whole.
    cdp.on("Network.responseReceived", ({ requestId, response }) => add(requestId, response.encodedDataLength));
    cdp.on("Network.dataReceived", ({ requestId, encodedDataLength }) => add(requestId, encodedDataLength));
    cdp.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => sizes.set(requestId, { ...sizes.get(requestId), size: encodedDataLength }));
  };
  const { context, page, faults } = await opened(browser, address, { settings: MOVING, before });
  await page.locator(".game-tile").first().waitFor();
  await page.waitForLoadState("networkidle");
  const home = sum(sizes);
  await byUi(page, title);
  await page.waitForTimeout(2_000);
  const all = [...sizes.values()].map(({ url, size }) => ({ path: new URL(url).pathname, size }));
  await context.close();
  return { home, table: sum(sizes), all, faults };
}

/** What is shown at the end of a match is fetched some seconds after its table, which on a busy machine is still waited for then. */
const LATER = /\/assets\/Ended-/;

function sum(sizes) {
  return [...sizes.values()].reduce((total, { size, url }) => (LATER.test(url) ? total : total + size), 0);
}

/** Watches what the page does from its first moment on. */
function watchPage() {
  const seen = (globalThis.seenHere = { shifts: [], changes: [], animated: [] });
  new PerformanceObserver((list) => {
    for (const { value, startTime, hadRecentInput, sources } of list.getEntries())
      seen.shifts.push({ value, at: startTime, hadRecentInput, nodes: sources.slice(0, 3).map(({ node, previousRect, currentRect }) => `${node?.nodeName}.${node?.className?.baseVal ?? node?.className} ${JSON.stringify(previousRect)} ${JSON.stringify(currentRect)}`) });
  }).observe({ type: "layout-shift", buffered: true });
  let isWaiting = false;
  new MutationObserver((records) => {
    if (isWaiting || !records.some(({ target }) => (target instanceof Element ? target : target.parentElement)?.closest(".match-table, .match-log") != null)) return;
    isWaiting = true;
    const noticed = performance.timeOrigin + performance.now();
    // The frame after the one in which it is drawn: by then it is on the screen.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        isWaiting = false;
        seen.changes.push({ noticed, shown: performance.timeOrigin + performance.now() });
      }),
    );
  }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  // Seen as they begin: looking at each frame would cost what is measured.
  const note = (animations) => {
    for (const { effect } of animations) for (const frame of effect.getKeyframes()) seen.animated.push(...Object.keys(frame));
    seen.animated = [...new Set(seen.animated)].filter((property) => !["offset", "computedOffset", "easing", "composite"].includes(property));
  };
  const { animate } = Element.prototype;
  Element.prototype.animate = function (...given) {
    const animation = animate.apply(this, given);
    note([animation]);
    return animation;
  };
  for (const begins of ["animationstart", "transitionrun"]) addEventListener(begins, ({ target }) => note(target.getAnimations({ subtree: true })), true);
}

/** A table of this game with people alone, none of whom touches the page, and the page at seat 0 of it. */
async function watched({ browser, address, game, players, look, settings = MOVING }) {
  const names = ["Louise", "Camille", "Noa", "Sacha", "Maxime"].slice(0, players - 1);
  const table = await setUp(address, game, names.map(person));
  const before = (context) => context.addInitScript(watchPage);
  const one = await opened(browser, address, { fragment: table.fragment, storage: table.storage, settings, before, ...LOOKS[look] });
  await one.page.locator(".match .match-table .table").waitFor({ timeout: 60_000 });
  await one.page.waitForTimeout(1_500);
  return { ...one, table };
}

async function left({ context, table }) {
  await context.close();
  table.client.close();
}

/**
 * How long after the server has a move of somebody else the page shows something new: from the time that the server wrote with it, and
 * from when the call was sent. Each move comes to a page at rest.
 */
export async function pace({ browser, address, game, players, look, seconds, rest = 1_000 }) {
  const one = await watched({ browser, address, game, players, look });
  const { page, table, faults } = one;
  const times = [];
  const stop = new AbortController();
  const events = new Map();
  void (async () => {
    for await (const answer of table.sessions.get(OWN).watch({ signal: stop.signal })) {
      if (answer.what.case !== "event") continue;
      const { version, time, what } = answer.what.value;
      if (what.case === "move") events.set(version, Number(time.seconds) * 1000 + time.nanos / 1e6);
    }
  })().catch(() => undefined);
  const until = Date.now() + 1000 * seconds;
  for (let asked = await turn(table); asked !== undefined && Date.now() < until; asked = await turn(table)) {
    const { seat, session, position } = asked;
    const version = await versionOf(table);
    await caughtUp(page, version);
    await page.waitForTimeout(rest);
    await page.evaluate(() => (globalThis.seenHere.changes.length = 0));
    const sent = performance.timeOrigin + performance.now();
    await session.play(position.moves[times.length % position.moves.length].text);
    const answered = performance.timeOrigin + performance.now();
    if (seat === OWN) continue;
    await page.waitForFunction(() => globalThis.seenHere.changes.length > 0, undefined, { timeout: 10_000 });
    const [{ shown, noticed }] = await page.evaluate(() => globalThis.seenHere.changes);
    const written = [...events].find(([number]) => number > version)?.[1];
    times.push({ sent: shown - sent, written: written === undefined ? undefined : shown - written, answered: shown - answered, noticed: shown - noticed });
  }
  stop.abort();
  await left(one);
  return { times, faults };
}

/**
 * What shifts and what is animated in a match played to its end, with nobody's hand on the page: so no shift is let off as an answer to
 * input. Moves come as a quick person makes them.
 */
export async function shifts({ browser, address, game, players, look, seed = 1, rest = 350 }) {
  const one = await watched({ browser, address, game, players, look });
  const { page, table, faults } = one;
  let moves = 0;
  for (let asked = await turn(table); asked !== undefined; asked = await turn(table)) {
    await caughtUp(page, await versionOf(table));
    if (rest > 0) await page.waitForTimeout(rest);
    const { session, position } = asked;
    await session.play(position.moves[(moves * 7 + seed) % position.moves.length].text);
    moves += 1;
  }
  await page.locator("dialog.match-end-dialog").waitFor({ timeout: 120_000 });
  await page.waitForTimeout(500);
  const { shifts: all, animated } = await page.evaluate(() => globalThis.seenHere);
  await left(one);
  return { moves, cls: worstWindow(all), total: all.reduce((total, { value }) => total + value, 0), shifts: all.filter(({ value }) => value > 0.0005), animated, faults };
}

/** Cumulative layout shift as browsers define it: the worst run of shifts less than 1 s apart, 5 s long at most. */
function worstWindow(all) {
  let [worst, run, began, last] = [0, 0, -Infinity, -Infinity];
  for (const { value, at } of all) {
    if (at - last >= 1_000 || at - began >= 5_000) [run, began] = [0, at];
    run += value;
    last = at;
    worst = Math.max(worst, run);
  }
  return worst;
}

/** What the main thread does in so many moves with full motion, at the pace that the page comes with. */
export async function traced({ browser, address, game, players, look, moves, skip = 4 }) {
  const one = await watched({ browser, address, game, players, look, settings: { ...MOVING, pace: "normal" } });
  const { page, table, faults } = one;
  const play = async () => {
    const asked = await turn(table);
    if (asked === undefined) return false;
    await asked.session.play(asked.position.moves[0].text);
    await caughtUp(page, await versionOf(table));
    return true;
  };
  for (let move = 0; move < skip; move += 1) await play();
  await page.waitForTimeout(2_500);
  const categories = ["toplevel", "disabled-by-default-devtools.timeline.frame", "v8.execute", "devtools.timeline", "disabled-by-default-devtools.timeline", "v8", "blink.animations", "benchmark", "rail", "blink.user_timing", "__metadata"];
  await browser.startTracing(page, { categories });
  const began = performance.now();
  let played = 0;
  while (played < moves && (await play())) {
    played += 1;
    await page.waitForTimeout(900);
  }
  await page.waitForTimeout(1_500);
  const seconds = (performance.now() - began) / 1000;
  const trace = JSON.parse(await browser.stopTracing());
  const { animated } = await page.evaluate(() => globalThis.seenHere);
  await left(one);
  return { moves: played, seconds, animated, ...frames(trace.traceEvents), faults };
}
