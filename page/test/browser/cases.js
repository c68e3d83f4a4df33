// Drives the page in Chromium: node cases.js CASE '{"chromium": …, "address": …, …}'. Prints what was seen as one line of JSON.
import { launched, opened } from "./chromium.js";
import { asked, played } from "./players.js";
import { table, byUi } from "./tables.js";
import * as about from "./about.js";
import * as axe from "./axe.js";
import * as coach from "./coach.js";
import * as learn from "./learn.js";
import * as measures from "./measures.js";
import * as more from "./more_cases.js";
import * as pictures from "./pictures.js";
import * as rules from "./rules.js";
import * as sound from "./sound.js";
import * as tournaments from "./tournaments.js";
import * as puzzles from "./puzzles.js";

const [name, given] = process.argv.slice(2);
const { chromium, address, ...rest } = JSON.parse(given);
const browser = await launched(chromium);
const cases = { match, keyboard, ...about, ...more, ...pictures, ...puzzles, ...learn, ...axe, ...coach, ...measures, ...tournaments, ...sound, ...rules };
try {
  const run = cases[name];
  if (run === undefined) throw new Error(`${name}: expected one of ${Object.keys(cases).join(", ")}`);
  console.log(JSON.stringify(await run({ browser, address, ...rest })));
} catch (error) {
  // What was seen last helps more than where it stopped.
  const pages = browser.contexts().flatMap((context) => context.pages());
  for (const [number, page] of pages.entries()) await page.screenshot({ path: `${process.env.PAGE_PICTURES ?? "/tmp"}/page-${name}-${number}.png` });
  throw error;
} finally {
  await browser.close();
}

/** A whole match of a game, set up on the start page, or on the page that a fragment leads to, and played by clicks on what lies on the table. */
async function match({ game, seed = 1, by = "things", fragment }) {
  const { context, page, faults } = await opened(browser, address, { fragment });
  if (fragment === undefined) await byUi(page, game);
  else await page.locator(".setup-start button[type=submit]").click();
  const result = await played(page, { by, seed });
  const seen = await table(page);
  await context.close();
  return { ...result, ...seen, faults };
}

/** The same without a pointer: from the start page to the end and on to the review. */
async function keyboard({ game, seed = 1 }) {
  const { context, page, faults } = await opened(browser, address);
  await byUi(page, game, { keyboard: true });
  await asked(page);
  const result = await played(page, { by: "keyboard", seed });
  const seen = await table(page);
  await context.close();
  return { ...result, ...seen, faults };
}
