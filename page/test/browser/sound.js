/** Sounds: none before they are wanted, then made in the page and fetched from nowhere, and silent until somebody presses something. */
import { opened, QUICK } from "./chromium.js";
import { asked, played } from "./players.js";
import { byUi } from "./tables.js";

/** Writes down what sounds, before the page can. */
async function noted(own) {
  await own.addInitScript(() => {
    const seen = { contexts: [], started: [], ended: 0 };
    globalThis.heardSounds = seen;
    // Buffers have a way of their own to start.
    for (const { prototype } of [AudioScheduledSourceNode, AudioBufferSourceNode]) {
      const { start } = prototype;
      prototype.start = function (at) {
        seen.started.push({ kind: this.constructor.name, allowed: this.context.state });
        this.addEventListener("ended", () => (seen.ended += 1));
        return start.call(this, at);
      };
    }
    globalThis.AudioContext = class extends AudioContext {
      constructor(...given) {
        super(...given);
        seen.contexts.push(this);
      }
    };
  });
}

/** What was heard so far. */
async function heard(page) {
  return page.evaluate(() => {
    const { contexts, started, ended } = globalThis.heardSounds;
    return { contexts: contexts.map(({ state }) => state), started: started.length, kinds: [...new Set(started.map(({ kind }) => kind))].sort(), silent: started.filter(({ allowed }) => allowed !== "running").length, ended };
  });
}

async function chosen(page, name) {
  await page.locator(".header-settings").click();
  await page.locator("#settings").getByRole("group", { name: "Sounds" }).getByRole("radio", { name, exact: true }).check({ force: true });
  await page.keyboard.press("Escape");
}

/** A match of a game that is played first without sounds, then with them, and looked at again after a reload. */
export async function sounds({ browser, address, game }) {
  const fetched = [];
  const before = async (own, page) => {
    await noted(own);
    page.on("request", (request) => fetched.push(new URL(request.url()).pathname));
  };
  const isOfSound = (path) => /\/(listen|instrument|scores|heard)-/.test(path);
  const { context, page, faults } = await opened(browser, address, { before, settings: { ...QUICK, pace: "normal" } });
  context.setDefaultTimeout(60_000);
  await byUi(page, game);
  await played(page, { most: 2, by: "list" });
  const off = { ...(await heard(page)), fetched: fetched.filter(isOfSound) };
  await chosen(page, "On");
  await page.waitForFunction(() => globalThis.heardSounds.started.length >= 2);
  const tried = await heard(page);
  const files = [...new Set(fetched.filter(isOfSound))];
  await page.waitForFunction(() => performance.getEntriesByType("resource").some(({ name }) => /\/listen-/.test(name)));
  await asked(page);
  await played(page, { most: 2, by: "list" });
  await page.waitForFunction((count) => globalThis.heardSounds.started.length > count + 4, tried.started, { timeout: 60_000 });
  const on = await heard(page);
  await page.waitForFunction(() => globalThis.heardSounds.ended > 2);

  // Whoever comes back has pressed nothing yet.
  await page.reload();
  await asked(page);
  await page.waitForFunction(() => globalThis.heardSounds.contexts.length === 1);
  const reloaded = await heard(page);
  await played(page, { most: 1, by: "list" });
  await page.waitForFunction(() => globalThis.heardSounds.started.length > 0, undefined, { timeout: 60_000 });
  const again = await heard(page);
  await chosen(page, "Off");
  await page.waitForFunction(() => globalThis.heardSounds.contexts.every(({ state }) => state === "closed"));
  const last = await heard(page);
  await played(page, { most: 1, by: "list" });
  const after = await heard(page);
  await context.close();
  return { off, tried, files, on, reloaded, again, quiet: after.started - last.started, faults };
}
