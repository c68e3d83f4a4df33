/** Tournaments: started, watched to the end, read, a game opened in the review, another one cancelled and deleted. */
import { opened, QUICK } from "./chromium.js";

const FORM = ".tournament-form";
const START = ".setup-start button[type=submit]";

/** Sets one up as it comes but for what is given, and starts it. */
async function started(page, { game, players, deals, think }) {
  await page.locator(`${FORM} select[name=game]`).selectOption(game);
  if (players !== undefined) await page.getByRole("radio", { name: String(players), exact: true }).check({ force: true });
  await page.locator(`${FORM} input[name=deals]`).fill(String(deals));
  if (think !== undefined) await page.locator(`${FORM} select[aria-describedby=tournament-think]`).selectOption(String(think));
  const size = await page.locator(".setup-start [role=status]").textContent();
  await page.locator(START).click();
  await page.locator(".tournament[data-state]").waitFor();
  return size;
}

async function texts(page, selector) {
  return (await page.locator(selector).allTextContents()).map((text) => text.replaceAll("\u00a0", " ").trim());
}

/** From the start page to the report, to a review and back; then a long one that is cancelled and deleted. */
export async function tournament({ browser, address }) {
  const { context, page, faults } = await opened(browser, address);
  context.setDefaultTimeout(60_000); // bots that play take the machine's time
  await page.locator('.home-ways a[href="#/tournaments"]').click();
  await page.locator(FORM).waitFor();
  // The third bot goes, comes back, and goes for points.
  await page.getByRole("button", { name: "Remove bot 3" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".entrant").length === 2 && document.activeElement?.getAttribute("aria-label") === "Bot 2");
  await page.getByRole("button", { name: "Add a bot" }).click();
  await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "Bot 3");
  await page.locator(".entrant select").nth(2).selectOption("level1");
  const twice = await page.locator(`${FORM} [role=alert]`).textContent();
  const couldStart = await page.locator(START).isEnabled();
  await page.locator(".entrant .style-choice summary").nth(2).click();
  await page.locator(".entrant .style-list").nth(2).getByRole("button").nth(1).click();
  const size = await started(page, { game: "agency", players: 2, deals: 3 });
  const own = await page.evaluate(() => location.hash);
  await page.locator(".tournament[data-state=PLAYED] .tournament-headline").waitFor({ timeout: 120_000 });
  const heading = await page.locator("h1").textContent();
  const sections = await texts(page, ".tournament .panel-title");
  const bots = await texts(page, "section[aria-labelledby=ratings] tbody th");
  const heard = await texts(page, ".tournament-progress [role=status]");
  await page.locator('.deal-games[aria-busy=false] a[href$="/0/1"]').waitFor({ timeout: 60_000 });
  const first = await texts(page, ".deal-game-seats");
  await page.getByRole("button", { name: "Next", exact: true }).click();
  await page.locator('.deal-games[aria-busy=false] a[href$="/1/1"]').waitFor({ timeout: 60_000 });
  const second = await texts(page, ".deal-game-seats");
  const winners = await page.locator(".deal-seat.won").count();

  await page.locator('.deal-game a[href$="/1/1"]').click();
  await page.locator(".review-players").waitFor({ timeout: 120_000 });
  const review = {
    address: await page.evaluate(() => location.hash),
    seats: await texts(page, ".review-players tbody th"),
    table: await page.locator(".review-table .table").count(),
  };
  await page.reload();
  await page.locator(".review-table .table").waitFor({ timeout: 60_000 });
  await page.locator(`.review-tools a[href="${own}"]`).click();
  await page.locator(".tournament-headline").waitFor();

  await page.locator(".tournament-back a").click();
  await page.locator(FORM).waitFor();
  await started(page, { game: "agency", players: 4, deals: 2000, think: 20 });
  await page.locator(".tournament[data-state=RUNNING] .figure-table .interval-dot").first().waitFor({ timeout: 120_000 });
  const live = await texts(page, ".tournament .panel-title");
  await page.getByRole("button", { name: "End it now" }).click();
  await page.locator(".tournament[data-state=CANCELLED]").waitFor({ timeout: 60_000 });
  const cancelled = await page.locator(".tournament-state").textContent();
  await page.locator(".tournament-back a").click();
  await page.locator(".my-tournament").nth(1).waitFor();
  const before = await texts(page, ".my-tournament-state");
  await page.locator(".my-tournament button").first().click();
  await page.locator("dialog[open] button.danger").click();
  await page.waitForFunction(() => document.querySelectorAll(".my-tournament").length === 1);
  await page.reload();
  await page.locator(".my-tournament").first().waitFor();
  const after = await texts(page, ".my-tournament-state");
  await context.close();
  return { twice, couldStart, size, heading, sections, bots, heard, first, second, winners, review, live, cancelled, before, after, faults };
}

/** What stands there where there is nothing to start: at a fragment, in both languages. */
export async function noTournaments({ browser, address }) {
  const seen = [];
  const faults = [];
  for (const language of ["en", "fr"]) {
    const { context, page, faults: found } = await opened(browser, address, { fragment: "#/tournaments", settings: { ...QUICK, language } });
    await page.locator(".tournaments .notice").waitFor();
    seen.push({
      title: await page.locator(".tournaments .notice h2").textContent(),
      asksForToken: await page.locator("input[name=server-token]").count(),
      forms: await page.locator(FORM).count(),
    });
    await page.goto(`${address}/#/`);
    await page.locator(".game-tile").first().waitFor();
    seen.at(-1).onStartPage = await page.locator('.home-ways a[href="#/tournaments"]').count();
    faults.push(...found);
    await context.close();
  }
  return { seen, faults };
}
