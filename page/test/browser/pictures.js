/** Pictures of the page as WebP: four states of a table, and each page once. */
import { mkdirSync, writeFileSync } from "node:fs";

import { opened, QUICK } from "./chromium.js";
import { answeredAsAdvised, caughtUp, OWN, person, setUp, turn, versionOf } from "./others.js";

/** How the page is looked at. */
const LOOKS = {
  desktop: { viewport: { width: 1280, height: 800 }, theme: "light" },
  phone: { viewport: { width: 390, height: 844 }, theme: "dark", deviceScaleFactor: 2, isMobile: true, hasTouch: true },
};
const QUALITY = 70;
/** A long page is shown so far. */
const TALLEST = 1800;
/** Something lies on the table: cards that were played, where the game has such a place. */
const PLAYED = ".match-table .trick-things .spot";
const LYING = ".match-table .felt:not(:has(.trick)) .spot, .match-table .table:is(.bond, .citadel)";
/** Names of bots, such as the page gives them. */
const BOTS = ["Lorenzo", "Lucrezia", "Niccolò"];

/** The page as it is seen now; `whole` shows what is further down as well. */
async function shot(context, page, path, { whole = false } = {}) {
  await page.evaluate(() => Promise.all([...document.getAnimations()].filter((one) => one.effect?.getTiming().iterations !== Infinity).map((one) => one.finished.catch(() => undefined))));
  const cdp = await context.newCDPSession(page);
  const { width, height } = page.viewportSize();
  const tall = whole ? Math.min(TALLEST, await page.evaluate(() => document.documentElement.scrollHeight)) : height;
  if (tall > height) await page.setViewportSize({ width, height: tall });
  const { data } = await cdp.send("Page.captureScreenshot", { format: "webp", quality: QUALITY });
  if (tall > height) await page.setViewportSize({ width, height });
  await cdp.detach();
  writeFileSync(path, Buffer.from(data, "base64"));
}

function bots(levels) {
  return levels.map((bot, index) => ({ kind: 2, bot, name: BOTS[index] }));
}

/** Waits until the page shows so much, and nothing lies there any more that is over. */
async function atRest(page, version) {
  await caughtUp(page, version);
  await page.locator(".match-table .table[data-resting=true]").waitFor({ state: "detached" });
}

/** What each look at one seat does in the same match: one context for each. */
async function looks(browser, address, table, folder, language = "en") {
  return Promise.all(
    Object.entries(LOOKS).map(async ([name, { theme, ...context }]) => {
      const settings = { ...QUICK, language, theme };
      const one = await opened(browser, address, { fragment: table.fragment, settings, storage: table.storage, ...context });
      await one.page.locator(".match .match-table .table").waitFor({ timeout: 60_000 });
      await one.page.locator(".match-log-box :is(li, .note)").first().waitFor();
      return { ...one, path: (state) => `${folder}/${state}-${name}.webp` };
    }),
  );
}

/**
 * Four states of a game's table, each desktop and light, phone and dark: the first question, a hint in the midst of the match, somebody
 * else's turn with things on the table, the end.
 */
export async function states({ browser, address, game, seats, folder, midst }) {
  mkdirSync(folder, { recursive: true });
  const table = await setUp(address, game, [person("Louise"), ...bots(seats)]);
  const views = await looks(browser, address, table, folder);
  const seen = async (state, options) => {
    const version = await versionOf(table);
    for (const { context, page, path } of views) {
      await atRest(page, version);
      await shot(context, page, path(state), options);
    }
  };
  const [{ page }] = views;
  const lying = async () => {
    if (midst === 0) return true;
    await atRest(page, await versionOf(table));
    return (await page.locator(`${PLAYED}, ${LYING}`).count()) > 0;
  };
  const left = new Set(["first", "hint", "other"]);
  let answers = 0;
  for (let asked = await turn(table); asked !== undefined; asked = await turn(table)) {
    const { seat, position } = asked;
    const isOwn = seat === OWN;
    if (isOwn && left.delete("first")) await seen("1-first");
    if (left.has("hint") && isOwn && answers >= midst && position.moves.length >= 2 && (await lying())) {
      left.delete("hint");
      for (const view of views) await hinted(view);
      await seen("2-hint");
      for (const { page } of views) await page.getByRole("button", { name: "Hint", exact: true }).click();
    } else if (!left.has("hint") && left.has("other") && !isOwn && !position.seatsToMove.includes(OWN) && (await lying())) {
      left.delete("other");
      await seen("3-other");
    }
    if ((await answeredAsAdvised(asked)) && isOwn) answers += 1;
  }
  for (const { page } of views) await page.locator(".match-end-dialog").waitFor({ timeout: 60_000 });
  await seen("4-end");
  const faults = views.flatMap(({ faults }) => faults);
  for (const { context } of views) await context.close();
  table.client.close();
  return { missing: [...left], faults };
}

/** Opens the hints, and waits until they are settled. */
async function hinted({ page }) {
  await page.getByRole("button", { name: "Hint", exact: true }).click();
  await settled(page);
}

async function settled(page) {
  await page.waitForFunction(() => (document.querySelector(".hints .hint-advice [role=status]")?.textContent ?? "") !== "", undefined, { timeout: 30_000 });
  await page.locator(".hints .unseen").waitFor();
}

/** Each page once in French: desktop and light, phone and dark in turns. */
export async function pages({ browser, address, folder }) {
  mkdirSync(folder, { recursive: true });
  const table = await setUp(address, "agency", [person("Louise"), ...bots(["level3", "level2"])], { spectators: true });
  const open = await table.client.createMatch("whist", [person("Camille"), { kind: 3 }, ...bots(["level4"])], { spectators: true });
  const over = await setUp(address, "agency", bots(["level2", "level1"]), { openRecord: true });
  const place = { match: open.match, seat: OWN, token: open.tokens[OWN], game: "whist", since: Date.now() };
  const hosted = { ...place, seat: undefined, token: open.token, code: open.code };
  const storage = {
    ...table.storage,
    [`machiavel:place:${open.match}:0`]: JSON.stringify(place),
    [`machiavel:place:${open.match}:host`]: JSON.stringify(hosted),
    [Object.keys(over.storage)[0]]: Object.values(over.storage)[0],
  };
  await playedOn(over, Infinity);
  await playedOn(table, 9);
  const faults = [];
  const kept = async (name, look, fragment, ready) => {
    const { theme, ...rest } = LOOKS[look];
    const { context, page, faults: found } = await opened(browser, address, { fragment, settings: { ...QUICK, language: "fr", theme }, storage, ...rest });
    await ready(page);
    await shot(context, page, `${folder}/${name}.webp`, { whole: name !== "review" });
    faults.push(...found);
    await context.close();
  };
  const there = (selector) => async (page) => {
    await page.locator(selector).first().waitFor({ timeout: 120_000 });
    await page.waitForTimeout(500); // names of games come last
  };
  await kept("home", "desktop", "#/", there(".emblem-piece"));
  await kept("home-phone", "phone", "#/", there(".emblem-piece"));
  await kept("setup", "desktop", "#/setup/agency", there(".setup-start"));
  await kept("setup-friends", "phone", "#/setup/bond/friends", there(".setup-start"));
  await kept("join", "phone", `#/join/${open.code}/whist/${open.match}/Camille`, there(".join-seats"));
  await kept("lobby", "desktop", `#/match/${open.match}/0`, there(".invitation-link"));
  await kept("match", "desktop", table.fragment, there(".match-table .table"));
  await kept("match-hint", "phone", table.fragment, async (page) => {
    await page.locator(".match-table .table").waitFor();
    await page.getByRole("button", { name: "Conseil", exact: true }).click();
    await settled(page);
  });
  await kept("watch", "desktop", `#/match/${table.host.match}`, there(".match-table .table"));
  await kept("review", "desktop", `#/review/${over.host.match}/0`, there(".review-players"));
  await kept("review-phone", "phone", `#/review/${over.host.match}/0`, there(".review-players"));
  await kept("record", "desktop", "#/review", there(".record-drop"));
  const begun = await table.client.startTournament({ game: "whist", options: { players: 2 }, bots: ["level1", "greedy", "random"], deals: 20 });
  await kept("tournaments", "phone", "#/tournaments", there(".tournament-form .setup-start"));
  await kept("tournament", "desktop", `#/tournaments/${begun.name}`, there(".tournament[data-state=PLAYED] .deal-game a"));
  await kept("puzzle", "desktop", "#/puzzles/whist", there(".puzzle-table .table"));
  await kept("coach", "phone", "#/coach/whist", there("main h1"));
  await kept("gallery", "desktop", "#/gallery", there(".gallery-part .agency-place"));
  await kept("rules", "desktop", "#/rules/citadel", there(".rules table"));
  await kept("about", "phone", "#/about", there("main h2"));
  await kept("nowhere", "phone", "#/nowhere", there("main .button"));
  for (const { client } of [table, over]) client.close();
  return { faults };
}

/** The persons answer as the server advises: so often at least, until this page's seat is asked or all is over. */
async function playedOn(table, least) {
  for (let answers = 0; ; answers += 1) {
    const asked = await turn(table);
    if (asked === undefined || (answers >= least && asked.seat === OWN && asked.position.moves.length > 2)) return;
    await answeredAsAdvised(asked);
  }
}
