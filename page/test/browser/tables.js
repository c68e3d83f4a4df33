/** The way to a table, and what stands there. */

/** The start page's button that deals a game: it is named by the game's title. */
export async function byUi(page, title, { keyboard = false } = {}) {
  const button = page.locator(".game-tile", { has: page.getByRole("heading", { name: title, exact: true }) }).locator(".game-tile-play button");
  await button.waitFor();
  if (keyboard) {
    const isThere = () => button.evaluate((one) => document.activeElement === one);
    for (let tabs = 0; !(await isThere()); tabs += 1) {
      if (tabs > 120) throw new Error("no number of Tabs came to the button that deals");
      await page.keyboard.press("Tab");
    }
    await page.keyboard.press("Enter");
  } else await button.click();
  await page.locator(".match .match-table .table").waitFor();
}

/** The page where a match is put together: which way, as it comes, and begun. */
export async function createdWith(page, title, way, players) {
  const tile = page.locator(".game-tile", { has: page.getByRole("heading", { name: title, exact: true }) });
  await tile.getByRole("link", { name: /^Choose the table/ }).click();
  await page.getByRole("radio", { name: { bots: "Me and bots", friends: "Me and friends", watch: "Only bots" }[way] }).check({ force: true });
  await page.getByRole("radio", { name: String(players), exact: true }).check({ force: true });
  await page.locator(".setup-start button[type=submit]").click();
}

/** What a finished table says. Its log comes once it has what was before. */
export async function table(page) {
  await page.locator(".match-log-box li").first().waitFor();
  return page.evaluate(() => ({
    headline: document.querySelector(".match-end .result-headline")?.textContent ?? "",
    told: document.querySelectorAll(".match-log-box li").length,
    address: location.href,
    drawn: [...(document.querySelector(".match-table .table")?.classList ?? [])],
  }));
}
