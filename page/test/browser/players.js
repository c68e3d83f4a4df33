/** Ways to play a match on the page to its end: by the things on the table, by the list of moves, by the keyboard. */

const OVER = ".match-end";
const THING = ".match-table [data-roving][data-open=true]:not([data-chosen=true])";
const LEFT = ".match-table .actions-row[data-choosing=true] button:not(.quiet)";
const LOOSE = ".match-table .actions .action:not([disabled])";
const COMPOSER = ".match-table .composer";
const LISTED = ".match-moves .move-list button";
/** There where several moves are chosen together, and whole only when so many are chosen. */
const CONFIRM = ".match-table .confirm";
const PATIENCE = 60_000;

/** Numbers that look drawn, the same each time. */
function draws(seed) {
  let state = seed >>> 0;
  return (count) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
}

/** Waits until the person is asked; false when the match is over. */
export async function asked(page) {
  await page.waitForFunction(
    ([over, listed]) => document.querySelector(over) !== null || document.querySelector(listed) !== null,
    [OVER, LISTED],
    { timeout: PATIENCE, polling: 20 },
  );
  return (await page.locator(OVER).count()) === 0;
}

/** What is asked now, as the list of moves has it. */
async function question(page) {
  return page.evaluate((listed) => `${document.querySelector(".match")?.getAttribute("data-version")} ${[...document.querySelectorAll(listed)].map((one) => one.textContent).join("|")}`, LISTED);
}

/** Waits until another question stands there, or none. */
async function answered(page, before) {
  await page.waitForFunction(
    ([listed, old]) => `${document.querySelector(".match")?.getAttribute("data-version")} ${[...document.querySelectorAll(listed)].map((one) => one.textContent).join("|")}` !== old,
    [LISTED, before],
    { timeout: PATIENCE, polling: 20 },
  );
}

/** Plays to the end, at most so many answers; says how many were given by which means. */
export async function played(page, { by = "things", seed = 1, most = Infinity } = {}) {
  const draw = draws(seed);
  const means = { thing: 0, left: 0, action: 0, composed: 0, list: 0, key: 0 };
  let answers = 0;
  while (answers < most && (await asked(page))) {
    const before = await question(page);
    if (by === "list") await inList(page, draw, means);
    else if (by === "keyboard") await byKeys(page, draw, means);
    else await onTable(page, draw, means);
    await answered(page, before);
    answers += 1;
  }
  return { answers, means };
}

async function inList(page, draw, means) {
  const confirm = page.locator(CONFIRM);
  const isGathering = (await confirm.count()) > 0;
  do {
    const moves = page.locator(`${LISTED}:not([aria-pressed=true])`);
    await moves.nth(draw(await moves.count())).click();
  } while (isGathering && (await confirm.isDisabled()));
  if (isGathering) await confirm.click();
  means.list += 1;
}

/** Clicks on things until a move is whole. */
async function onTable(page, draw, means) {
  const before = await question(page);
  for (let clicks = 0; clicks < 8; clicks += 1) {
    const left = page.locator(LEFT);
    const things = page.locator(THING);
    const loose = page.locator(LOOSE);
    const [lefts, lying, buttons] = [await left.count(), await things.count(), await loose.count()];
    if (lefts > 0) {
      await left.nth(draw(lefts)).click();
      means.left += 1;
    } else if (lying > 0 && (buttons === 0 || draw(lying + buttons) < lying)) {
      await things.nth(draw(lying)).click();
      means.thing += 1;
    } else if (buttons > 0) {
      await loose.nth(draw(buttons)).click();
      means.action += 1;
    } else if ((await page.locator(COMPOSER).count()) > 0) {
      await composed(page, draw);
      means.composed += 1;
    } else {
      throw new Error("nothing on the table can be chosen");
    }
    if ((await question(page)) !== before || (await page.locator(".match-pending, [data-pending=true]").count()) > 0) return;
    if ((await page.locator(LEFT).count()) === 0 && (await page.locator(`${THING.replace(":not([data-chosen=true])", "")}[data-chosen=true]`).count()) === 0) return;
  }
  throw new Error("eight clicks made no move");
}

async function composed(page, draw) {
  const rows = page.locator(`${COMPOSER} .composer-row`);
  for (let row = 0; row < (await rows.count()); row += 1) {
    const open = rows.nth(row).locator("button:not([data-dim=true])");
    await open.nth(draw(await open.count())).click();
  }
  await page.locator(`${COMPOSER} button.primary`).click();
}

/** By keys alone: Tab to the list of moves, arrows to a move, Enter; where several are chosen together, so many, and then the button. */
async function byKeys(page, draw, means) {
  const confirm = page.locator(CONFIRM);
  const isGathering = (await confirm.count()) > 0;
  const isThere = (selector) => page.evaluate((listed) => document.activeElement?.matches(listed) ?? false, selector);
  const tabTo = async (selector) => {
    for (let tabs = 0; !(await isThere(selector)); tabs += 1) {
      if (tabs > 60) throw new Error(`sixty Tabs did not come to ${selector}`);
      await page.keyboard.press("Tab");
    }
  };
  do {
    await tabTo(LISTED);
    const steps = draw(Math.min(4, await page.locator(LISTED).count()));
    for (let step = 0; step < steps; step += 1) await page.keyboard.press("ArrowDown");
    // On from one that is chosen already.
    while (await isThere(`${LISTED}[aria-pressed=true]`)) await page.keyboard.press("ArrowDown");
    if (!(await isThere(LISTED))) throw new Error("an arrow key left the list of moves");
    await page.keyboard.press("Enter");
  } while (isGathering && (await confirm.isDisabled()));
  if (isGathering) {
    await tabTo(CONFIRM);
    await page.keyboard.press("Enter");
  }
  means.key += 1;
}
