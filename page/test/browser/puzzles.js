/** Puzzles: solved right and wrong on the table, in the list and by keys alone, one after the other. */
import { opened } from "./chromium.js";

const OPEN = ".puzzle-table [data-roving][data-open=true], .puzzle-table .actions .action:not([disabled])";
const LISTED = ".puzzle-moves .move-list button";
const ANSWER = ".puzzle-answer";

/** The puzzle that is shown, once its table is there. */
async function shown(page, before = "") {
  await page.waitForFunction(
    ([listed, last]) => {
      const id = document.querySelector(".puzzle")?.getAttribute("data-puzzle") ?? "";
      return id !== "" && id !== last && document.querySelector(listed) !== null && document.querySelector(".puzzle-table .table") !== null;
    },
    [LISTED, before],
    { timeout: 60_000, polling: 20 },
  );
  return page.locator(".puzzle").getAttribute("data-puzzle");
}

/** What stands there once it is answered. */
async function answered(page) {
  await page.locator(ANSWER).waitFor();
  await page.waitForFunction(() => document.activeElement?.closest(".puzzle-answer") !== null, undefined, { polling: 20 });
  return page.evaluate((answer) => {
    const text = (selector) => document.querySelector(`${answer} ${selector}`)?.textContent ?? "";
    return {
      kind: document.querySelector(answer)?.getAttribute("data-kind"),
      why: text(".puzzle-why").replaceAll("\u00a0", " "),
      best: text("[data-sign=best] .puzzle-chance-move"),
      yours: text("[data-sign=yours] .puzzle-chance-move"),
      moves: document.querySelectorAll(`${answer} .puzzle-chance`).length,
      marks: [...document.querySelectorAll(".puzzle-table [data-mark]")].map((one) => one.getAttribute("data-mark")),
      focused: document.activeElement?.textContent,
      state: document.querySelector(".puzzle-grid [aria-current]")?.getAttribute("data-state"),
    };
  }, ANSWER);
}

/** The move that something on the table makes at once, as the list has it: pointing at it shows which. */
async function pointedBy(page, thing) {
  await thing.hover();
  return page.evaluate((listed) => document.querySelector(`${listed}[data-pointed=true]`)?.textContent, LISTED);
}

/** Clicks on what makes a move at once that is wanted, and says whether that was a thing or a button; undefined where nothing on the table does. */
async function onTable(page, isWanted) {
  const things = page.locator(OPEN);
  const count = await things.count();
  for (let at = 0; at < count; at += 1) {
    const move = await pointedBy(page, things.nth(at));
    if (move === undefined || move === null || !isWanted(move)) continue;
    const isThing = await things.nth(at).evaluate((one) => one.matches("[data-key]"));
    await things.nth(at).click();
    return isThing ? "thing" : "button";
  }
  return undefined;
}

/** By keys alone: Tab to the list, arrows to the move, Enter. */
async function byKeys(page, move) {
  const focused = () => page.evaluate((listed) => (document.activeElement?.matches(listed) ? document.activeElement.textContent : undefined), LISTED);
  for (let tabs = 0; (await focused()) === undefined; tabs += 1) {
    if (tabs > 80) throw new Error("eighty Tabs did not come to the list of moves");
    await page.keyboard.press("Tab");
  }
  for (let steps = 0; (await focused()) !== move; steps += 1) {
    if (steps > 120) throw new Error(`no arrow came to ${move}`);
    await page.keyboard.press("ArrowDown");
  }
  await page.keyboard.press("Enter");
}

/** From the start page on: right on the table, wrong on the table, tried again, by keys, given up; then what is remembered. `best` is the solution of each by its id. */
export async function puzzles({ browser, address, title, best }) {
  const { context, page, faults } = await opened(browser, address);
  await page.getByRole("link", { name: "Choose a game" }).click();
  await page.getByRole("link", { name: `Start: ${title}` }).click();
  const order = [await shown(page)];
  const seen = {};
  const next = async () => {
    order.push(await shown(page, order.at(-1)));
    return order.at(-1);
  };
  // Where the solution takes more than one thing, the list has it.
  const solve = async (isWanted, move) => (await onTable(page, isWanted)) || (await page.locator(LISTED).filter({ hasText: move }).first().click(), undefined);

  let byTable;
  for (let tries = 0; tries < 8 && byTable === undefined; tries += 1) {
    const solution = best[order.at(-1)];
    byTable = await solve((move) => move === solution, solution);
    seen.right = await answered(page);
    await page.getByRole("button", { name: "Next puzzle" }).click();
    await next();
  }
  const solved = order.slice(0, -1);
  seen.byTable = byTable;

  const missed = order.at(-1);
  const other = (await page.locator(LISTED).allTextContents()).find((move) => move !== best[missed]);
  await solve((move) => move !== best[missed], other);
  seen.wrong = await answered(page);
  await page.getByRole("button", { name: "Try it again" }).click();
  await page.locator(LISTED).getByText(best[missed], { exact: true }).click();
  seen.again = await answered(page);

  await page.keyboard.press("Enter");
  const byKey = await next();
  await byKeys(page, best[byKey]);
  seen.typed = await answered(page);
  await page.keyboard.press("Enter");
  const given = await next();
  await page.getByRole("button", { name: "Show the solution" }).click();
  seen.shown = await answered(page);

  // Where one comes back to: what was never tried.
  await page.goto(`${address}/#/`);
  await page.reload();
  await page.getByRole("link", { name: "Choose a game" }).click();
  await page.getByRole("link", { name: `Go on: ${title}` }).click();
  const back = await shown(page);
  const states = await page.evaluate(() => [...document.querySelectorAll(".puzzle-grid a")].map((one) => one.getAttribute("data-state")));
  const link = await page.evaluate(() => location.hash);
  await context.close();
  // A link to one puzzle, for who has solved none.
  const stranger = await opened(browser, address, { fragment: link });
  const linked = await shown(stranger.page);
  await stranger.context.close();
  return { ...seen, order, solved, missed, byKey, given, back, states, linked, faults: [...faults, ...stranger.faults] };
}
