/** axe on every page and state: what it finds that is serious or critical. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import { toBinary } from "@bufbuild/protobuf";
import { ViewSchema } from "@machiavel/client/v1";

import { opened, QUICK } from "./chromium.js";
import { answered, caughtUp, OWN, person, setUp, turn, versionOf } from "./others.js";

const SOURCE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const GRAVE = ["serious", "critical"];
const LOOKS = {
  desktop: { settings: { ...QUICK, theme: "light" }, viewport: { width: 1280, height: 800 } },
  phone: { settings: { ...QUICK, theme: "dark", language: "fr" }, viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true },
};

/** What axe says of the page as it is now: the names of the rules that it applied, and what is grave. */
async function looked(page, state) {
  // A policy of the page keeps strings from becoming scripts, so this context goes without it; what is looked at is the same.
  await page.evaluate((source) => globalThis.axe ?? globalThis.eval(source), SOURCE);
  const { passes, violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  const grave = violations.filter(({ impact }) => GRAVE.includes(impact)).flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${state}: ${id}: ${target.join(" ")}: ${failureSummary}`));
  return { state, rules: passes.length + violations.length, grave };
}

/** Opens the page in one of the looks, at a fragment, without its policy. */
async function plain(browser, address, look, fragment, storage) {
  return opened(browser, address, { fragment, storage, bypassCSP: true, ...LOOKS[look] });
}

/** Makes some move of a puzzle. */
async function solvedInList(page) {
  const list = page.locator(".puzzle-moves details");
  if (!(await list.evaluate((one) => one.open))) await list.locator("summary").click();
  await list.locator("button").first().click();
  await page.locator(".puzzle-answer .puzzle-line ol").waitFor();
  await page.locator(".puzzle-tries summary").click();
}

async function settings(page) {
  await page.locator(".header-settings").click();
  await page.locator("#settings .choice").first().waitFor();
}

/** Matches that the coach knows: a hand is asked for, one's own turn, another's, and one that can be ended to be asked what is seen then. */
async function coachedMatches(client) {
  const { view: own } = await client.getView(await client.newState("whist", 3, { seed: 1 }), { seat: 0 });
  const { view: other } = await client.getView(await client.newState("whist", 3, { seed: 1 }), { seat: 1 });
  const citadel = await client.newState("citadel", 1, { seed: 1 });
  const { view: acting } = await client.getView(citadel, { seat: 0 });
  const [{ moves }] = await client.legalMoves(citadel);
  const notes = (id, game, more) => {
    const begun = more.view === undefined ? {} : { begun: Buffer.from(toBinary(ViewSchema, more.view)).toString("base64") };
    const given = more.given ?? {};
    return [`machiavel:coach:${id}`, JSON.stringify({ id, game, since: 1, last: 2, names: [], given, order: Object.keys(given), steps: [], ahead: [], over: false, ...begun })];
  };
  const storage = Object.fromEntries([
    notes("asked", "whist", { given: { players: "3", trump: "C" } }),
    notes("own", "whist", { view: own }),
    notes("other", "whist", { view: other }),
    notes("acting", "citadel", { view: acting }),
  ]);
  const ended = async (page) => {
    await page.locator(".coach-all summary").click();
    await page.locator(".coach-all .move").nth(moves.findIndex(({ text }) => text === "end")).click();
    await page.locator(".coach-follow h2").waitFor();
  };
  const places = {
    coach: ["#/coach", ".coach-kept"],
    "a hand for the coach": ["#/coach/whist/asked", '.coach-question[data-key="hand"] [data-look=card]'],
    "advice of the coach": ["#/coach/whist/own", ".coach-side .hint-advice"],
    "a move for the coach": ["#/coach/whist/other", ".coach-moves [data-move]"],
    "a question of the coach": ["#/coach/citadel/acting", ".coach-all", ended],
  };
  return { storage, places };
}

/** Every page but a table: as it comes, and the setup each way. */
export async function pagesByAxe({ browser, address, look }) {
  const over = await setUp(address, "kuhn", [person("Louise")], { spectators: true, openRecord: true });
  for (let asked = await turn(over); asked !== undefined; asked = await turn(over)) await asked.session.play(asked.position.moves[0].text);
  const begun = await over.client.startTournament({ game: "whist", options: { players: 2 }, bots: ["level1", "greedy", "random"], deals: 4 });
  const open = await over.client.createMatch("whist", [person("Camille"), { kind: 3 }, "level4"]);
  const place = { match: open.match, token: open.tokens[OWN], game: "whist", since: Date.now(), seat: OWN };
  const host = { ...place, seat: undefined, token: open.token, code: open.code };
  const coached = await coachedMatches(over.client);
  const storage = { ...over.storage, ...coached.storage, [`machiavel:place:${open.match}:0`]: JSON.stringify(place), [`machiavel:place:${open.match}:host`]: JSON.stringify(host) };
  const places = {
    home: ["#/", ".game-tile"],
    setup: ["#/setup/agency", ".setup-start"],
    "setup with friends": ["#/setup/bond/friends", ".setup-start"],
    "setup to watch": ["#/setup/citadel/watch", ".setup-start"],
    join: [`#/join/${open.code}`, ".join-form"],
    "join without a match": ["#/join/ABCDEFGH23", "main [role=alert], main .notice, .join-form"],
    lobby: [`#/match/${open.match}/0`, ".invitation-link"],
    "a match that is over": [over.fragment, ".match-end"],
    watched: [`#/match/${over.host.match}`, ".match-table .table"],
    review: [`#/review/${over.host.match}/0`, ".review-players"],
    record: ["#/review", ".record-drop"],
    rules: ["#/rules/citadel", ".rules-text table"],
    tournaments: ["#/tournaments", ".tournament-form .setup-start"],
    "a tournament": [`#/tournaments/${begun.name}`, ".deal-game a"],
    about: ["#/about", "main h2"],
    settings: ["#/about", "main h2", settings],
    learn: ["#/learn/agency", ".learn button"],
    puzzles: ["#/puzzles", ".puzzles-game"],
    "a puzzle": ["#/puzzles/citadel", ".puzzle-moves .move-list, .puzzle-moves details"],
    "a puzzle that was solved": ["#/puzzles/liars_dice", ".puzzle-table .table", solvedInList],
    gallery: ["#/gallery", ".gallery-part .agency-place"],
    ...coached.places,
    nowhere: ["#/nowhere", "main .button"],
  };
  const seen = [];
  const faults = [];
  for (const [state, [fragment, there, then]] of Object.entries(places)) {
    const { context, page, faults: found } = await plain(browser, address, look, fragment, storage);
    await page.locator(there).first().waitFor({ timeout: 60_000 });
    await then?.(page);
    seen.push(await looked(page, state));
    faults.push(...found);
    await context.close();
  }
  over.client.close();
  return { seen, faults };
}

/** So many matches are played until one came to all that is looked at: in some a seat is hardly ever asked. */
const MATCHES = 4;

/** A table of a game: asked, with hints, while others think, the menu, the result over it and beside it. */
export async function tableByAxe({ browser, address, look, game, seats = ["level1"] }) {
  const seen = [];
  const faults = [];
  const left = new Set(["asked", "hints", "others", "result"]);
  for (let matches = 0; matches < MATCHES && left.size > 0; matches += 1) faults.push(...(await matchByAxe({ browser, address, look, game, seats }, left, seen)));
  return { seen, faults, missing: [...left] };
}

/** One match: looks at what is left, and takes it from there. Gives the page's faults. */
async function matchByAxe({ browser, address, look, game, seats }, left, seen) {
  const table = await setUp(address, game, [person("Louise"), ...seats]);
  const { context, page, faults } = await plain(browser, address, look, table.fragment, table.storage);
  await page.locator(".match .match-table .table").waitFor({ timeout: 60_000 });
  const see = async (state) => seen.push(await looked(page, state));
  let answers = 0;
  for (let asked = await turn(table); asked !== undefined; asked = await turn(table)) {
    const { seat, position } = asked;
    await caughtUp(page, await versionOf(table));
    if (seat === OWN && left.delete("asked")) await see("asked");
    else if (seat === OWN && answers > 3 && position.moves.length > 1 && left.delete("hints")) {
      await page.locator(".match-buttons button[aria-pressed]").click();
      await page.waitForFunction(() => (document.querySelector(".hints .hint-advice [role=status]")?.textContent ?? "") !== "", undefined, { timeout: 60_000 });
      await see("hints");
      await page.locator(".match-buttons button[aria-pressed]").click();
      await page.locator(".match-menu-button").click();
      await see("menu");
      await page.keyboard.press("Escape");
      await page.locator(".rules-button").click();
      await page.locator(".rules-sheet .rules-text h2").first().waitFor();
      await see("rules");
      await page.locator(".rules-sheet-head button").click();
    } else if (seat !== OWN && answers > 3 && left.delete("others")) await see("others");
    if (await answered(asked, position.moves[(7 * answers) % position.moves.length].text)) answers += 1;
  }
  await page.locator("dialog.match-end-dialog").waitFor({ timeout: 60_000 });
  if (left.delete("result")) {
    await see("result");
    await page.keyboard.press("Escape");
    await see("over");
  }
  await context.close();
  table.client.close();
  return faults;
}
