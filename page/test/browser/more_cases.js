/** What else is tried in a browser: hints, reviews, breaks, several people, what one seat's browser may have. */
import { writeFileSync } from "node:fs";

import { opened, QUICK } from "./chromium.js";
import { OWN, caughtUp, person, setUp, turn, versionOf } from "./others.js";
import { asked, played } from "./players.js";
import { killed, served } from "./servers.js";
import { byUi, createdWith, table } from "./tables.js";

/** A hint is asked for and settles, one move is asked about, the best one is played from the panel. */
export async function hint({ browser, address, game }) {
  const { context, page, faults } = await opened(browser, address);
  await byUi(page, game);
  // On to a position with a choice.
  while ((await asked(page)) && (await page.locator(".match-moves .move-list button").count()) < 3) await played(page, { most: 1 });
  await page.getByRole("button", { name: "Hint", exact: true }).click();
  const rows = page.locator(".hints .hint-move");
  await rows.first().waitFor();
  const first = await page.evaluate(() => document.querySelector(".hints")?.textContent ?? "");
  await page.waitForFunction(() => (document.querySelector(".hints .hint-advice [role=status]")?.textContent ?? "") !== "", undefined, { timeout: 20_000 });
  const settled = await page.evaluate(() => document.querySelector(".hints")?.textContent ?? "");
  const candidates = await rows.count();
  const said = await page.locator(".hints .hint-said").textContent();
  const unseen = await page.locator(".hints .unseen").count();
  const marks = await page.locator(".match-table [data-mark]").count();
  const bars = await rows.evaluateAll((all) =>
    all.map((row) => {
      const scale = new DOMMatrix(getComputedStyle(row.querySelector(".hint-fill")).transform).a;
      return { told: parseInt(row.querySelector(".hint-chance").textContent, 10), drawn: 100 * scale };
    }),
  );
  const best = (await page.locator(".hints .hint-advice .hint-play .hint-label").textContent())?.trim();
  await page.locator(".own .hands [data-open=true]").last().hover();
  await page.waitForFunction(() => (document.querySelector(".hints .hint-about [role=status]")?.textContent ?? "").length > 20, undefined, { timeout: 20_000 });
  const about = await page.locator(".hints .hint-about [role=status]").textContent();
  const own = ".match-log-box li.log-own";
  const before = await page.locator(own).count();
  await page.locator(".hints .hint-advice .hint-play").click();
  await page.waitForFunction(([lines, count]) => document.querySelectorAll(lines).length > count, [own, before]);
  const told = (await page.locator(own).allTextContents()).join(" ");
  const left = await page.locator(".hints").count();
  await context.close();
  return { candidates, settles: first !== settled, said, unseen, marks, bars, best, about, told, left, faults };
}

/**
 * On a phone, at so many questions: which single moves are offered, and which of them, or the hint, cannot be pressed where the page happens
 * to stand. What a finger would meet at its middle tells.
 */
export async function thumb({ browser, address, game, answers }) {
  const phone = { viewport: { width: 390, height: 664 }, isMobile: true, hasTouch: true };
  const { context, page, faults } = await opened(browser, address, phone);
  await byUi(page, game);
  let single = 0;
  const hidden = [];
  for (let question = 0; question < answers && (await asked(page)); question += 1) {
    for (const part of [0, 0.5, 1]) {
      const seen = await page.evaluate((down) => {
        scrollTo({ top: down * (document.querySelector(".match-table").getBoundingClientRect().bottom + scrollY - innerHeight), behavior: "instant" });
        const isThere = (button) => {
          const { left, top, width, height } = button.getBoundingClientRect();
          return button.contains(document.elementFromPoint(left + width / 2, top + height / 2));
        };
        const offered = [...document.querySelectorAll(".match-table .loose button")];
        const all = [...offered, ...document.querySelectorAll(".match-buttons button")];
        return { offered: offered.length, hidden: all.filter((button) => !isThere(button)).map((button) => button.textContent) };
      }, part);
      single += seen.offered;
      hidden.push(...seen.hidden);
    }
    // In the list no move lies half under another.
    if (question === 0) await page.locator(".match-moves summary").click();
    await played(page, { by: "list", most: 1, seed: question });
  }
  await context.close();
  return { single, hidden, faults };
}

/**
 * A bid is doubted twice while the page looks on: the first time it goes on by its button, the second time by itself. Says what stood there, and
 * how long it stood.
 */
export async function doubted({ browser, address, pace, motion }) {
  const table = await setUp(address, "liars_dice", [person("Louise"), person("Lorenzo")]);
  const { context, page, faults } = await opened(browser, address, { fragment: table.fragment, settings: { language: "en", pace, motion }, storage: table.storage });
  await page.locator(".match .match-table .table").waitFor();
  const seen = [];
  for (const goesOn of [true, false]) {
    const { seat, session } = await turn(table);
    await session.play("2x3");
    const caller = table.sessions.get((seat + 1) % 3);
    await caughtUp(page, await versionOf(table));
    await caller.get(); // it answers what stands there now
    await caller.play("liar");
    const began = Date.now();
    await caughtUp(page, await versionOf(table));
    const told = await page.evaluate(() => {
      const count = (selector) => document.querySelectorAll(`.match-table ${selector}`).length;
      const texts = (selector) => [...document.querySelectorAll(`.match-table ${selector}`)].map(({ textContent }) => textContent.trim());
      const isOpen = document.querySelector(".match-table .table").dataset.open === "true";
      return { isOpen, marked: count(".trick .spot[data-counts=true]"), lying: count(".trick .trick-things .spot"), said: texts(".verdict p"), found: texts(".found b"), caption: texts(".trick-caption b") };
    });
    if (goesOn && told.isOpen) await page.getByRole("button", { name: "Go on", exact: true }).click();
    await page.waitForFunction(() => document.querySelector(".match-table .table").dataset.open === "false", undefined, { timeout: 20_000, polling: 20 });
    const lasted = Date.now() - began;
    seen.push({ ...told, lasted, after: await page.locator(".match-table .trick-caption b").allTextContents() });
  }
  const log = await page.locator(".match-log-box li").allTextContents();
  await context.close();
  table.client.close();
  return { seen, log, faults };
}

/** A hint is watched while its search runs: how often rows change places, how often the words change, and what jumps meanwhile. */
export async function calm({ browser, address, game }) {
  const { context, page, faults } = await opened(browser, address, { settings: { language: "en", pace: "fast", motion: "full" } });
  await byUi(page, game);
  await asked(page);
  await page.getByRole("button", { name: "Hint", exact: true }).click();
  await page.locator(".hints .hint-move").first().waitFor();
  await page.waitForTimeout(600); // what a click moves is let off for half a second
  await page.evaluate(() => {
    const seen = (globalThis.calmHere = { shift: 0, nodes: [], orders: [], words: [], bars: [], since: performance.now() });
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries()) {
        if (hadRecentInput) continue;
        seen.shift += value;
        seen.nodes.push(...sources.map(({ node }) => `${node?.nodeName}.${node?.className}`));
      }
    }).observe({ type: "layout-shift" });
    const note = (all, one) => all.at(-1) !== one && all.push(one);
    const look = () => {
      note(seen.orders, [...document.querySelectorAll(".hints .hint-move .hint-label")].map((one) => one.textContent).join("|"));
      note(seen.words, document.querySelector(".hints .hint-said")?.textContent);
      note(seen.bars, document.querySelector(".hints .hint-fill")?.style.transform);
      requestAnimationFrame(look);
    };
    look();
  });
  await page.waitForFunction(() => (document.querySelector(".hints .hint-advice [role=status]")?.textContent ?? "") !== "", undefined, { timeout: 20_000 });
  await page.waitForTimeout(500);
  const seen = await page.evaluate(() => ({ ...globalThis.calmHere, lasted: performance.now() - globalThis.calmHere.since }));
  await context.close();
  return { ...seen, faults };
}

/** Somebody lets a bot play, comes back, says nothing for a while, and gives up: what the page of the other one shows each time. */
export async function leaves({ browser, address, game, language }) {
  const table = await setUp(address, game, [person("Louise"), { kind: 2, bot: "greedy" }]);
  const { context, page, faults } = await opened(browser, address, { fragment: table.fragment, storage: table.storage, settings: { ...QUICK, language } });
  await page.locator(".match .match-table .table").waitFor();
  const louise = table.sessions.get(1);
  const seen = {};
  for (const [what, change] of Object.entries({ takenOver: () => louise.takeOver("level2"), back: () => louise.handBack(), forfeited: () => louise.forfeit() })) {
    const before = await page.locator(".match-log .log-match").count();
    await change();
    await page.waitForFunction((count) => document.querySelectorAll(".match-log .log-match").length > count, before);
    const log = await page.locator(".match-log [role=log] .log-match").last().textContent();
    const banner = page.locator(".match-banner-text.news", { hasText: log });
    await banner.waitFor();
    seen[what] = {
      log,
      banner: await banner.textContent(),
      seat: (await page.locator(".seat[data-seat='1'] .seat-note[data-away]").allTextContents()).join(),
    };
  }
  await context.close();
  table.client.close();
  return { ...seen, faults };
}

/** A person is waited for: what is said after so many minutes. */
export async function waits({ browser, address, game, minutes }) {
  const table = await setUp(address, game, [person("Louise")]);
  for (let asked = await turn(table); asked?.seat === OWN; asked = await turn(table)) await asked.session.play(asked.position.moves[0].text);
  const before = (context) => context.clock.install();
  const { context, page, faults } = await opened(browser, address, { fragment: table.fragment, storage: table.storage, before });
  await page.locator(".match .match-table .table").waitFor();
  const seen = [];
  for (let minute = 0; minute <= minutes; minute += 1) {
    seen.push((await page.locator(".match-since").allTextContents()).join());
    await context.clock.runFor(60_500);
  }
  await context.close();
  table.client.close();
  return { seen, faults };
}

/** A match is played to its end and looked back at; then a record out of a file, and one that is broken. */
export async function review({ browser, address, game, record, folder }) {
  const { context, page, faults } = await opened(browser, address);
  await byUi(page, game);
  await played(page, { by: "list" });
  await page.getByRole("link", { name: "Review the match" }).last().click();
  const whole = await reviewed(page);
  await page.locator(".review-table .table").waitFor();
  await page.getByRole("button", { name: "All moves", exact: true }).click();
  await page.locator(".review-move").first().click();
  const steps = [];
  for (let step = 0; step < Math.min(5, whole.moves); step += 1) {
    steps.push(await page.locator(".review-move[aria-current=step]").textContent());
    await page.keyboard.press("ArrowRight");
  }
  const truth = await page.locator(".review-side").textContent();
  await page.goto(`${address}/#/review`);
  await page.locator("input[type=file]").first().setInputFiles(record);
  const again = await reviewed(page);
  const broken = `${folder}/broken.json`;
  writeFileSync(broken, '{"game": "whist", "moves": ["C2"');
  await page.goto(`${address}/#/`);
  await page.locator(".game-tile").first().waitFor(); // two fragments at once are one: the page would stay where it is
  await page.goto(`${address}/#/review`);
  await page.locator("input[type=file]").first().setInputFiles(broken);
  const refused = await page.getByRole("alert").first().textContent();
  await context.close();
  return { whole, again, steps, truth, refused, faults };
}

/** Waits until a review is whole; says what it came to. */
async function reviewed(page) {
  await page.locator(".review-moments").waitFor({ timeout: 120_000 });
  const progress = await page.locator(".review-progress").textContent();
  return { moves: await page.locator(".review-move").count(), moments: await page.locator(".review-moments button").count(), graph: await page.locator(".review svg path").count(), progress };
}

/** The server is killed in the middle of a match and started again; the page goes on by itself. A reload comes back, too. */
export async function restart({ browser, python, folder, game }) {
  let server = await served(python, folder);
  try {
    const { context, page, faults } = await opened(browser, server.address);
    await byUi(page, game);
    const before = await played(page, { most: 3 });
    await killed(server);
    await page.locator(".match-banner-text").waitFor();
    const banner = await page.locator(".match-banner-text").textContent();
    server = await served(python, folder, server.port);
    await page.waitForFunction(() => document.querySelector(".match-banner-text") === null, undefined, { timeout: 40_000 });
    const middle = await played(page, { most: 2 });
    await page.reload();
    await page.locator(".match .match-table .table").waitFor();
    const after = await played(page);
    const seen = await table(page);
    await context.close();
    return { before: before.answers, middle: middle.answers, after: after.answers, banner, ...seen, faults };
  } finally {
    await killed(server);
  }
}

/** Two people in two browsers: one sets a table up, the other follows the link. What each browser was sent and shows is kept. */
export async function two({ browser, address, title, cards }) {
  const calls = [];
  const before = async (context, page) => calls.push(await listened(context, page));
  const one = await opened(browser, address, { before });
  await createdWith(one.page, title, "friends", 2);
  const link = await one.page.locator(".invitation-link").inputValue();
  const code = link.split("/").at(-1);
  const other = await opened(browser, address, { fragment: new URL(link).hash, before });
  await other.page.locator(".join-form button[type=submit]").first().click();
  await Promise.all([one, other].map(({ page }) => page.locator(".match .match-table .table").waitFor()));
  await one.page.waitForTimeout(500);
  const people = [one, other];
  const leaks = [];
  const hands = [];
  for (const { page } of people) hands.push(await held(page, cards));
  let looks = 0;
  const look = async () => {
    looks += 1;
    for (const [number, { page }] of people.entries()) {
      const now = await held(people[1 - number].page, cards);
      const document = await page.evaluate(() => document.documentElement.outerHTML);
      const log = await sentTo(page);
      for (const card of now) {
        if (document.includes(card)) leaks.push(`page ${number} shows ${card}`);
        if (log.includes(card)) leaks.push(`browser ${number} was sent ${card}`);
      }
    }
  };
  await look();
  for (let turn = 0; turn < 400; turn += 1) {
    const ready = await Promise.all(people.map(({ page }) => page.evaluate(() => (document.querySelector(".match-end") ? "over" : document.querySelector(".match-moves .move-list button") && document.querySelector(".match")?.getAttribute("data-pending") === "false" ? "asked" : ""))));
    if (ready.every((state) => state === "over")) break;
    const mover = ready.indexOf("asked");
    if (mover < 0) {
      await one.page.waitForTimeout(30);
      continue;
    }
    const before = Math.max(...(await versions(people)));
    await played(people[mover].page, { most: 1, seed: turn });
    await drawnBeyond(people, before);
    if (turn % 3 === 0) await look();
  }
  const ends = await Promise.all(people.map(({ page }) => table(page)));
  const sent = await Promise.all(people.map(({ page }) => sentTo(page)));
  const unheard = await Promise.all(people.map(async ({ page }, number) => calls[number].requests - (await page.evaluate(() => globalThis.heard.calls))));
  const kept = await Promise.all(people.map(({ page }) => page.evaluate(() => Object.entries(localStorage))));
  const tokens = kept.map((items) => items.flatMap(([key, value]) => (key.startsWith("machiavel:place:") ? [JSON.parse(value).token] : [])));
  const addresses = people.map(({ page }) => page.url());
  await Promise.all(people.map(({ context }) => context.close()));
  return {
    hands: hands.map((hand) => hand.length),
    apart: hands[0].every((card) => !hands[1].includes(card)),
    looks,
    leaks,
    code,
    bytes: sent.map((text) => text.length),
    unheard,
    ownSent: hands.map((hand, number) => hand.filter((card) => sent[number].includes(card)).length),
    shared: tokens[0].filter((token) => tokens[1].includes(token)),
    inAddress: addresses.filter((place) => tokens.flat().some((token) => place.includes(token))),
    headlines: ends.map(({ headline }) => headline),
    faults: people.flatMap(({ faults }) => faults),
  };
}

/** Which moment of the match each page shows. */
async function versions(people) {
  return Promise.all(people.map(async ({ page }) => Number(await page.locator(".match").getAttribute("data-version"))));
}

/** Waits until all pages show the same moment, a later one: until then a hand may still show the card that was played from it. */
async function drawnBeyond(people, version) {
  for (let tries = 0; tries < 600; tries += 1) {
    const shown = await versions(people);
    if (shown.every((one) => one > version && one === shown[0])) return;
    await people[0].page.waitForTimeout(20);
  }
  throw new Error(`the pages show the moments ${(await versions(people)).join(" and ")}; expected one after ${version} on all`);
}

/** The cards in the hand that a page shows, by their names. */
async function held(page, cards) {
  const shown = await page.locator(".own .hands [data-spot]").evaluateAll((spots) => spots.map((spot) => spot.getAttribute("data-spot")));
  return cards.filter((card) => shown.some((spot) => spot?.includes(card)));
}

/**
 * Keeps all that a page is sent, streams as they come, but for what a game consists of, which names every card there is.
 *
 * `requests` counts the calls that the browser made: each must have been heard here.
 */
async function listened(context, page) {
  const calls = { requests: 0 };
  page.on("request", (request) => {
    if (request.url().includes("/machiavel.v1.")) calls.requests += 1;
  });
  await context.addInitScript(() => {
    const heard = (globalThis.heard = { calls: 0, text: [] });
    const ask = globalThis.fetch;
    globalThis.fetch = async (...given) => {
      const url = given[0] instanceof Request ? given[0].url : String(given[0]);
      if (url.includes("/machiavel.v1.")) heard.calls += 1;
      const answer = await ask(...given);
      if (answer.body === null || /\/(GetGame|ListGames)$/.test(url)) return answer;
      const [one, other] = answer.body.tee();
      (async () => {
        const bytes = new TextDecoder("latin1");
        for await (const part of one) heard.text.push(bytes.decode(part, { stream: true }));
      })().catch(() => undefined);
      return new Response(other, { status: answer.status, statusText: answer.statusText, headers: answer.headers });
    };
  });
  return calls;
}

/** What a page was sent so far. */
async function sentTo(page) {
  return page.evaluate(() => globalThis.heard.text.join(""));
}
