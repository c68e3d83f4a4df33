/** Chromium for the tests of the page: what opens it, and what a page must never do. */
import { chromium } from "playwright-core";

const FLAGS = [
  "--no-sandbox",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-default-apps",
  "--disable-sync",
  "--disable-quic",
  "--metrics-recording-only",
  "--no-first-run",
];

/** Settings of the page that make tests quick: nothing waits to be looked at, nothing moves. */
export const QUICK = { language: "en", pace: "fast", motion: "none" };

export async function launched(executablePath) {
  return chromium.launch({ executablePath, args: FLAGS });
}

/**
 * A browser of its own with one page, at the start page or at a fragment.
 *
 * `faults` collects what no page may have: errors, broken policies, calls elsewhere. `before` is called before the page asks for anything.
 */
export async function opened(browser, address, { fragment = "", settings = QUICK, storage = {}, before, ...context } = {}) {
  const own = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "en-GB", ...context });
  own.setDefaultTimeout(30_000);
  own.setDefaultNavigationTimeout(60_000);
  const page = await own.newPage();
  const faults = watched(page, address);
  await before?.(own, page);
  const kept = Object.fromEntries(Object.entries(settings).map(([name, value]) => [`machiavel:setting:${name}`, value]));
  await own.addInitScript((items) => {
    for (const [key, value] of Object.entries(items)) if (localStorage.getItem(key) === null) localStorage.setItem(key, value);
  }, { ...kept, ...storage });
  await page.goto(`${address}/${fragment}`);
  return { context: own, page, faults };
}

function watched(page, address) {
  const faults = [];
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("console", (message) => {
    const text = message.text();
    // A server that is away is said by the browser itself.
    if (message.type() === "error" && !text.includes("ERR_CONNECTION") && !text.startsWith("Failed to load resource")) faults.push(`console: ${text}`);
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(address) && !url.startsWith("blob:")) faults.push(`asked elsewhere: ${url}`);
  });
  return faults;
}
