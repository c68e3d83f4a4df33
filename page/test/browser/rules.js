/** The rules beside a table: one click away, read while the match goes on, and gone again. */
import { opened, QUICK } from "./chromium.js";
import { asked, played } from "./players.js";
import { byUi } from "./tables.js";

const LOOKS = { desktop: { viewport: { width: 1280, height: 800 } }, phone: { viewport: { width: 390, height: 740 }, isMobile: true, hasTouch: true } };

/** Opens the rules at a table, goes to a chapter, makes a move beside them, and closes them by key and by button. */
export async function rulesBeside({ browser, address, game, look, language = "en" }) {
  const { context, page, faults } = await opened(browser, address, { ...LOOKS[look], settings: { ...QUICK, language } });
  context.setDefaultTimeout(60_000);
  await byUi(page, game);
  await asked(page);
  const at = await page.evaluate(() => location.hash);
  const box = () => page.locator(".match-table").boundingBox();
  const before = await box();
  await page.locator(".rules-button").click();
  await page.locator(".rules-sheet .rules-text h2").first().waitFor();
  const after = await box();
  const title = await page.locator(".rules-sheet-head h2").textContent();
  const focused = await page.evaluate(() => document.activeElement?.closest(".rules-sheet") !== null);
  await page.locator(".rules-sheet-contents summary").click();
  const chapters = await page.locator(".rules-sheet-contents button").allTextContents();
  await page.locator(".rules-sheet-contents button").nth(2).click();
  const chapter = await page.evaluate(() => document.activeElement?.textContent);
  const expanded = await page.locator(".rules-button").getAttribute("aria-expanded");
  // Where there is room beside them the match is played on.
  const answers = look === "desktop" ? await playedBeside(page) : 0;
  const isOpen = await page.locator(".rules-sheet").isVisible();
  await page.locator(".rules-sheet-head h2").focus();
  await page.keyboard.press("Escape");
  await page.locator(".rules-sheet").waitFor({ state: "detached" });
  const back = await page.evaluate(() => document.activeElement?.className ?? "");
  await page.locator(".rules-button").click();
  await page.locator(".rules-sheet-head button").click();
  await page.locator(".rules-sheet").waitFor({ state: "detached" });
  const left = await page.evaluate(() => location.hash);
  await context.close();
  return { at, left, title, focused, chapters, chapter, expanded, answers, isOpen, back, moved: before.x !== after.x || before.width !== after.width, faults };
}

async function playedBeside(page) {
  await asked(page);
  const { answers } = await played(page, { most: 1, by: "things" });
  return answers;
}
