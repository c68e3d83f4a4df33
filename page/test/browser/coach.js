/** The coach: a match at a real table is entered by taps, with mistakes and corrections, and what is asked of the server is looked at. */
import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { AnalyzeMovesRequestSchema, ViewSchema } from "@machiavel/client/v1";

import { opened } from "./chromium.js";

const ENVELOPE = 5;
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

/** Enters a script, as `tests/page/coached.py` makes it. `views` are the views that advice was asked for, by the number of moves entered. */
export async function coached({ browser, address, script, look = "desktop", pictures }) {
  const { context, page, faults } = await opened(browser, address, { fragment: `#/coach/${script.game}`, ...(look === "phone" ? PHONE : {}) });
  const views = {};
  let asked = 0;
  page.on("request", (request) => {
    if (!request.url().endsWith("/AnalyzeMoves")) return;
    const { source } = fromBinary(AnalyzeMovesRequestSchema, request.postDataBuffer().subarray(ENVELOPE));
    views[page.entered] ??= [];
    views[page.entered].push(Buffer.from(toBinary(ViewSchema, source.value)).toString("hex"));
    asked += 1;
  });
  const seen = { slips: 0, refused: 0, reloads: 0, again: 0, wide: [] };
  await formFilled(page, script, seen, pictures);
  for (const [number, step] of script.steps.entries()) {
    if (step.auto && step.told.length === 0) continue;
    page.entered = number;
    await settled(page, number);
    if (step.seat === script.own) await advised(page, () => views[number] !== undefined);
    if (step.wrong !== null && number % 4 === 1) await mistaken(page, number, step, script.own, views, seen);
    if (step.seat !== script.own && !step.auto && seen.refused === 0) await typedWrong(page, seen);
    // Advice is asked for as soon as it is one's turn again.
    const next = nextAsked(script, number);
    page.entered = next;
    if (!step.auto) await made(page, step.place, step.seat === script.own);
    for (const { place, taps } of step.told) {
      await page.locator(`.coach-question[data-place="${quoted(place)}"]`).waitFor();
      await told(page, page.locator(".coach-follow"), taps);
    }
    if (pictures !== undefined && number < 4) await page.screenshot({ path: `${pictures}/${script.game}-${look}-${number}.png`, fullPage: true });
    await settled(page, next);
    // Nothing is wider than the window.
    if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth + 1)) seen.wide.push(number);
    if (number < 4 || step.auto || script.steps[next]?.auto === true) continue;
    if (seen.reloads === 0) await reloaded(page, next, seen);
    else if (seen.again === 0) await undoneAndRedone(page, next, views, seen);
  }
  await settled(page, script.steps.length);
  const url = page.url();
  const steps = await page.locator(".coach-log li").count();
  const isOver = (await page.locator(".coach-play").getAttribute("data-asked")) === null;
  await context.close();
  return { faults, views, asked, ...seen, steps, isOver, url };
}

/** So many moves are entered once this one is, with those after it that enter themselves. */
function nextAsked({ steps }, number) {
  let next = number + 1;
  while (steps[next]?.auto === true && steps[next].told.length === 0) next += 1;
  return next;
}

function quoted(text) {
  return text.replaceAll('"', '\\"');
}

/** A match is left, found again by its address and on the list, unknown to another browser, and removed; one who sits there has a name. */
export async function coachKept({ browser, address, script }) {
  const { context, page, faults } = await opened(browser, address, { fragment: `#/coach/${script.game}` });
  const sent = [];
  page.on("request", (request) => sent.push(request.postData() ?? "", request.url()));
  await formFilled(page, script, { slips: 0 }, undefined, "Camille");
  for (const [number, step] of script.steps.entries()) {
    await settled(page, number);
    await made(page, step.place, step.seat === script.own);
    for (const { taps } of step.told) await told(page, page.locator(".coach-follow"), taps);
  }
  await settled(page, script.steps.length);
  const url = page.url();
  const named = (await page.locator(".coach-table").textContent()).includes("Camille") ? "Camille" : "";
  await page.goto(`${address}/#/coach`);
  await page.locator(".coach-kept strong").first().waitFor();
  const listed = await page.locator(".coach-kept strong").allTextContents();
  await page.goto(url);
  await settled(page, script.steps.length);
  const again = await page.locator(".coach-log li").count();
  const other = await opened(browser, address, { fragment: new URL(url).hash });
  await other.page.locator(".coach-question").waitFor();
  const elsewhere = await other.page.locator(".coach-log li").count();
  await other.context.close();
  await page.goto(`${address}/#/coach`);
  await page.locator(".coach-kept button").click();
  await page.locator(".coach-kept").waitFor({ state: "detached" });
  const removed = await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("machiavel:coach:")));
  await context.close();
  return { faults: [...faults, ...other.faults], listed, again, steps: script.steps.length, elsewhere, removed, told: named, sent: sent.some((text) => text.includes("Camille")) };
}

/** So many moves are entered, and nothing is on its way. */
async function settled(page, count) {
  await page.locator(`.coach-play[data-busy="false"][data-steps="${count}"]`).waitFor({ timeout: 60_000 });
}

async function advised(page, isAsked) {
  for (let tries = 0; !isAsked(); tries += 1) {
    if (tries > 400) throw new Error("no advice was asked for");
    await page.waitForTimeout(25);
  }
}

// ---- The form ----

async function formFilled(page, script, seen, pictures, name) {
  const left = new Set(Object.keys(script.form));
  for (let round = 0; round < 100; round += 1) {
    await page.locator('.coach-ask[data-busy="false"] .coach-question').waitFor({ timeout: 60_000 });
    const card = page.locator(".coach-question");
    const key = await card.getAttribute("data-key");
    if (key === "ready") {
      const [open] = left;
      if (open === undefined) break;
      // It was taken for granted, and is not so.
      await page.locator(`.coach-answer[data-key="${open}"]`).click();
      await page.locator(`.coach-question[data-key="${open}"]`).waitFor();
      continue;
    }
    if (pictures !== undefined) await page.screenshot({ path: `${pictures}/${script.game}-form-${String(round).padStart(2, "0")}-${key.replace(/\W/g, "-")}.png` });
    if (!(key in script.form)) throw new Error(`${key} is asked, but is as usual`);
    await told(page, card, script.form[key]);
    left.delete(key);
    await page.locator(`.coach-question:not([data-key="${key}"]), .coach-problem`).first().waitFor({ timeout: 60_000 });
    if (round === 1) {
      // Taken back, and answered once more.
      await page.locator('.coach-ask[data-busy="false"]').waitFor();
      await page.locator(".coach-ask > .coach-back").click();
      await page.locator(`.coach-question[data-key="${key}"]`).waitFor();
      left.add(key);
      seen.slips += 1;
    }
  }
  if (pictures !== undefined) await page.screenshot({ path: `${pictures}/${script.game}-form-ready.png`, fullPage: true });
  page.entered = 0;
  if (name !== undefined) {
    await page.locator(".coach-names summary").click();
    await page.locator(".coach-names input").first().fill(name);
  }
  await page.locator(".coach-start").click();
}

/** Taps what answers a question, whatever was there before. */
async function told(page, card, taps) {
  const hasNext = (await card.locator(".coach-next").count()) > 0;
  await tapped(page, card, taps);
  if (hasNext) await card.locator(".coach-next").click();
}

async function tapped(page, box, taps) {
  if (!Array.isArray(taps)) {
    const option = box.locator(`[data-value=${JSON.stringify(taps)}]`);
    if ((await option.count()) > 0) return option.first().click();
    return box.locator('input[type="number"], .coach-text').first().fill(taps);
  }
  const items = box.locator(":scope > .coach-each > .coach-item, :scope > .coach-nullable > .coach-each > .coach-item");
  if ((await items.count()) > 0) {
    for (const [at, one] of taps.entries()) await tapped(page, items.nth(at), one);
    return undefined;
  }
  const chips = box.locator(".coach-chip");
  while ((await chips.count()) > 0) await chips.first().click();
  for (const one of taps) await box.locator(`[data-value=${JSON.stringify(one)}]`).first().click();
  return undefined;
}

// ---- Moves ----

/** Enters the move at that place among those that there may be. */
async function made(page, place, isOwn) {
  if (isOwn) {
    const list = page.locator(".coach-all");
    if (!(await list.evaluate((one) => one.open))) await list.locator("summary").click();
    await list.locator(".move").nth(place).click();
    return;
  }
  const texts = await page.locator(".coach-moves [data-move]").evaluateAll((all) => all.map((one) => Number(one.getAttribute("data-place"))));
  await page.locator(".coach-moves [data-move]").nth(texts.indexOf(place)).click();
}

/** Another move was entered by mistake: back to where it was. */
async function mistaken(page, number, step, own, views, seen) {
  page.entered = "by mistake";
  await made(page, step.wrong, step.seat === own);
  await page.locator(`.coach-play[data-busy="false"]:not([data-steps="${number}"]), .coach-play[data-busy="false"] .coach-follow`).first().waitFor({ timeout: 60_000 });
  const had = views[number]?.length ?? 0;
  if ((await page.locator(".coach-follow").count()) === 0) page.entered = number;
  await page.locator(".coach-entered .coach-back").click();
  await settled(page, number);
  // The advice is asked for once more.
  if (step.seat === own && page.entered === number) await advised(page, () => views[number].length > had);
  page.entered = number;
  if ((await page.locator(".coach-follow").count()) > 0) throw new Error("what was asked for after a mistake is still asked");
  seen.slips += 1;
}

/** What no seat can have played is refused, and says what to do. */
async function typedWrong(page, seen) {
  await page.locator(".coach-turn .coach-typed summary").click();
  await page.locator(".coach-turn .coach-typed input").fill("zz");
  await page.locator(".coach-turn .coach-typed button").click();
  await page.locator(".coach-refused[role=alert]").waitFor();
  seen.refused += 1;
}

async function reloaded(page, next, seen) {
  await page.reload();
  await settled(page, next);
  seen.reloads += 1;
}

/** The last move is undone, and entered again at one tap. */
async function undoneAndRedone(page, next, views, seen) {
  page.entered = "undone";
  await page.locator(".coach-entered .coach-back").click();
  const before = page.locator(`.coach-play[data-busy="false"]:not([data-steps="${next}"])`);
  await before.waitFor();
  if ((await before.getAttribute("data-asked")) === (await before.getAttribute("data-own"))) await advised(page, () => views.undone !== undefined);
  page.entered = next;
  await page.locator(".coach-redo").click();
  await settled(page, next);
  seen.again += 1;
}
