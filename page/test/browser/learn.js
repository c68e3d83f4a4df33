/** Learning by playing: from a game's tile to the end of a first match, with every lesson that comes up. */
import { opened, QUICK } from "./chromium.js";
import { played } from "./players.js";

const LESSON = ".lesson";
const LISTED = ".match-moves .move-list button";
const OVER = ".match-end";

/** The lesson that is told, and whether it stands where it can be read, off what it is about. */
async function told(page) {
  return page.evaluate((selector) => {
    const note = document.querySelector(selector);
    const ring = document.querySelector(".lesson-ring")?.getBoundingClientRect();
    const box = note.getBoundingClientRect();
    const isWithin = box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
    const overlap = ring === undefined ? 0 : Math.max(0, Math.min(box.right, ring.right) - Math.max(box.left, ring.left)) * Math.max(0, Math.min(box.bottom, ring.bottom) - Math.max(box.top, ring.top));
    return {
      name: note.dataset.lesson,
      text: note.querySelector("p").textContent,
      // Whether what it is about is on the table; undefined where it is about nothing there.
      points: note.dataset.points,
      isSeen: ring === undefined || (ring.bottom > 0 && ring.top < innerHeight && ring.width > 12),
      isWithin,
      covered: ring === undefined ? 0 : overlap / Math.max(1, ring.width * ring.height),
      version: document.querySelector(".match").dataset.version,
    };
  }, LESSON);
}

/** Waits for what comes next: a lesson, a question, or the end. */
async function next(page) {
  await page.waitForFunction(([lesson, listed, over]) => [lesson, listed, over].some((one) => document.querySelector(one) !== null), [LESSON, LISTED, OVER], { timeout: 60_000, polling: 20 });
  // A lesson of the same moment comes with it, and takes its place a little later.
  await page.waitForTimeout(120);
  if ((await page.locator(LESSON).count()) > 0) return "lesson";
  return (await page.locator(OVER).count()) > 0 ? "over" : "asked";
}

/** One first match of a game, played by the list of moves; lessons are closed by Escape, by their button and by a tap in turn. */
export async function learnt({ browser, address, title, seed = 1, settings = {}, pictures, most = Infinity, ...context }) {
  const { context: own, page, faults } = await opened(browser, address, { settings: { ...QUICK, ...settings }, ...context });
  await page.locator(".game-tile", { has: page.getByRole("heading", { name: title, exact: true }) }).locator(".game-tile-reads a").first().click();
  await page.locator(".learn button").first().click();
  await page.locator(".match .match-table .table").waitFor({ timeout: 60_000 });
  const lessons = [];
  let moves = 0;
  let isReloaded = false;
  // The first view comes with lessons.
  await page.locator(LESSON).waitFor({ timeout: 30_000 });
  for (let what = await next(page); what !== "over" && moves < most; what = await next(page)) {
    if (what === "asked") {
      // On a phone the list is folded away.
      await page.locator(".match-moves").evaluate((list) => (list.open = true));
      await played(page, { by: "list", seed: seed + moves, most: 1 });
      moves += 1;
      continue;
    }
    const lesson = await told(page);
    if (pictures !== undefined) await page.screenshot({ path: `${pictures}-${String(lessons.length).padStart(2, "0")}-${lesson.name}.png` });
    const way = ["key", "button", "tap"][lessons.length % 3];
    lessons.push({ ...lesson, way });
    // What the pointer rests on may be told, over the lesson, until it moves.
    await page.mouse.move(2, 2);
    if (way === "key") await page.keyboard.press("Escape");
    else await page.locator(way === "button" ? `${LESSON} button` : `${LESSON} p`).click({ timeout: 5_000 });
    await page.waitForFunction((name) => document.querySelector(".lesson")?.getAttribute("data-lesson") !== name, lesson.name, { polling: 20 });
    // Who loads the page again is told nothing twice.
    if (lessons.length === 3 && !isReloaded) {
      isReloaded = true;
      await page.reload();
      await page.locator(".match .match-table .table").waitFor({ timeout: 60_000 });
      // Lessons are fetched after the table.
      await page.waitForTimeout(1_000);
    }
  }
  const end = await page.evaluate(() => ({
    learnt: [...document.querySelectorAll(".lessons-learnt > .lessons-told li")].map((one) => one.textContent),
    missed: document.querySelectorAll(".lessons-learnt details li").length,
    match: location.hash,
    kept: Object.keys(localStorage).filter((key) => key.startsWith("machiavel:setup:")).length,
  }));
  if (pictures !== undefined) await page.screenshot({ path: `${pictures}-end.png` });
  await own.close();
  return { lessons, moves, ...end, faults };
}
