/** What things do, asked on the page: by the mouse, by keys, by a finger, by who only watches. Asking plays nothing, asks no server and moves nothing. */
import { opened, QUICK } from "./chromium.js";
import { OWN, person, setUp, turn, versionOf } from "./others.js";

const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
/** A card that the viewer may play, on the generic table or on citadel's own. */
const CARD = ":is(.hand[data-main=true] .spot, .citadel-cards .citadel-card)[data-about]";
const OPEN = `${CARD}[data-open=true]`;
/** What is chosen and waits to be told more of. */
const CHOSEN = ".choice-menu, .table [data-chosen=true]";

/** Matches may end before it comes to that; so many in a row do not. */
const MATCHES = 12;

/** A match of which the page has seat 0, at a question that a card of its hand answers. */
async function atTable(address, game, people) {
  for (let matches = 0; matches < MATCHES; matches += 1) {
    const table = await setUp(address, game, Array.from({ length: people - 1 }, (_, index) => person(`Person ${index}`)), { spectators: true });
    for (let asked = await turn(table); asked !== undefined; asked = await turn(table)) {
      const { seat, session, position } = asked;
      const uses = position.moves.filter(({ text }) => /^(card|lair|spy):|^[MBGY]\d+$/.test(text));
      if (seat === OWN && uses.length > 0) return table;
      await session.play(position.moves.at(-1).text);
    }
    table.client.close();
  }
  throw new Error(`${game}: expected a card of seat 0 to answer a question in one of ${MATCHES} matches`);
}

/** What stands in the popover, or nothing while it is shut. */
async function told(page) {
  return page.evaluate(() => {
    const box = document.querySelector(".about-popover");
    return box?.matches(":popover-open") === true ? [...box.children].map(({ textContent }) => textContent) : [];
  });
}

async function shut(page) {
  await page.waitForFunction(() => document.querySelector(".about-popover:popover-open") === null);
}

async function open(page) {
  await page.locator(".about-popover:popover-open").waitFor();
  return told(page);
}

/** Where nothing is pointed at. */
async function away(page) {
  await page.mouse.move(2, 2);
  await shut(page);
}

/** What the page asks of the server, and how much shifts in it, from now on. */
async function watched(page) {
  const calls = [];
  page.on("request", (request) => calls.push(request.url()));
  await page.evaluate(() => {
    globalThis.shifted = 0;
    new PerformanceObserver((list) => {
      for (const { value } of list.getEntries()) globalThis.shifted += value;
    }).observe({ type: "layout-shift" });
  });
  return { calls, shifted: () => page.evaluate(() => globalThis.shifted) };
}

/** A finger on the left edge of a card, which no other one lies on, for so long. */
async function pressed(context, page, locator, milliseconds) {
  const { x, y, height } = await locator.boundingBox();
  const cdp = await context.newCDPSession(page);
  await cdp.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x: x + 12, y: y + height / 2 }] });
  await page.waitForTimeout(milliseconds);
  await cdp.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await page.waitForTimeout(300);
  await cdp.detach();
}

/** What whoever points there is to be told: where a room can be clicked, what lies in it does not stand in the way. */
function aboutHere(thing) {
  const isThrough = getComputedStyle(thing).pointerEvents === "none";
  return (isThrough ? thing.closest(".citadel-room").querySelector(".citadel-in") : thing).dataset.about;
}

/** By mouse and keys, on a wide page; each way what was told, and what became of the match. */
export async function aboutByPointer({ browser, address, game, people }) {
  const table = await atTable(address, game, people);
  const version = await versionOf(table);
  const { context, page, faults } = await opened(browser, address, { fragment: table.fragment, settings: QUICK, storage: table.storage });
  const card = page.locator(OPEN).first();
  await card.waitFor();
  const description = await card.getAttribute("aria-description");
  const seen = await watched(page);
  await card.hover();
  const hovered = await open(page);
  // Who reads may point at what is read.
  await page.locator(".about-popover").hover();
  await page.waitForTimeout(400);
  const stays = (await told(page)).length > 0;
  await away(page);
  // Onto the hand by its one stop of the tab key.
  for (let tabs = 0; !(await page.evaluate((one) => document.activeElement?.matches(one) === true, CARD)); tabs += 1) {
    if (tabs > 80) throw new Error("no number of Tabs came to the hand");
    await page.keyboard.press("Tab");
  }
  const focused = await open(page);
  await page.keyboard.press("Escape");
  await shut(page);
  const seats = [];
  for (const one of await page.locator(`.table [data-about]:not(${CARD})`).all()) {
    const about = await one.evaluate(aboutHere);
    await one.hover({ position: { x: 4, y: 4 }, force: true });
    seats.push({ about, told: await open(page) });
    await away(page);
  }
  const shifted = await seen.shifted();
  // How the match stands is asked now and then, whoever points at what.
  const calls = seen.calls.filter((url) => !/MatchService\/(Get|Watch)Match$|\/assets\//.test(url));
  const after = await versionOf(table);
  await context.close();
  table.client.close();
  return { description, hovered, stays, focused, seats, shifted, calls, played: Number(after - version), faults };
}

/** By a finger, on a phone: held, on the sign, and then, last, tapped. */
export async function aboutByTouch({ browser, address, game, people }) {
  const table = await atTable(address, game, people);
  const version = await versionOf(table);
  const { context, page, faults } = await opened(browser, address, { fragment: table.fragment, settings: QUICK, storage: table.storage, ...PHONE });
  const card = page.locator(OPEN).first();
  await card.waitFor();
  await card.evaluate((one) => one.scrollIntoView({ block: "center", behavior: "instant" }));
  await page.waitForTimeout(300);
  await pressed(context, page, card, 700);
  const held = await told(page);
  await page.keyboard.press("Escape");
  await shut(page);
  const sign = card.locator(".about-sign");
  const hasSign = (await sign.count()) > 0 && (await sign.isVisible());
  if (hasSign) await sign.tap();
  const signed = hasSign ? await open(page) : [];
  await page.waitForTimeout(200);
  const chosen = await page.locator(CHOSEN).count();
  const asked = Number((await versionOf(table)) - version);
  await page.keyboard.press("Escape");
  await shut(page);
  await card.tap({ position: { x: 10, y: 50 } });
  await page.waitForFunction(
    ([old, chosen]) => document.querySelector(chosen) !== null || Number(document.querySelector(".match")?.dataset.version) > old,
    [Number(version), CHOSEN],
    { timeout: 10_000 },
  );
  await context.close();
  table.client.close();
  return { held, hasSign, signed, asked: asked + chosen, faults };
}

/** Who only watches sees the cards of the turn, and may ask what they do. */
export async function aboutWatched({ browser, address, game, people }) {
  const table = await atTable(address, game, people);
  const { context, page, faults } = await opened(browser, address, { fragment: `#/match/${table.host.match}`, settings: QUICK });
  const cards = page.locator(":is(.hands .spot, .citadel-cards .citadel-card)[data-about]");
  await cards.first().waitFor();
  const shown = await page.locator(".hands .spot, .citadel-cards .citadel-card").count();
  await cards.first().hover();
  const hovered = await open(page);
  await context.close();
  table.client.close();
  return { shown, hovered, faults };
}
