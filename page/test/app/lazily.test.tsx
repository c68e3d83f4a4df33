import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { useFetched } from "../../src/app/lazily.js";

const Part = () => <b>part</b>;
const AHEAD_MS = 5_000;
let box: HTMLElement;
let load: () => Promise<typeof Part>;

function Page({ afterMs }: { afterMs: number }) {
  const Found = useFetched(load, afterMs);
  return Found === undefined ? <i>nothing</i> : <Found />;
}

const draw = (afterMs: number) => act(() => render(<Page afterMs={afterMs} />, box));
const wait = (ms: number) => act(async () => void (await vi.advanceTimersByTimeAsync(ms)));

beforeEach(() => {
  vi.useFakeTimers();
  box = document.body.appendChild(document.createElement("div"));
});
afterEach(() => {
  render(null, box);
  box.remove();
  vi.useRealTimers();
});

test("what is wanted later is fetched before, once", async () => {
  load = vi.fn(async () => Part);
  await draw(AHEAD_MS);
  await wait(AHEAD_MS - 1);
  expect(load).not.toHaveBeenCalled();
  await wait(1);
  expect(box.textContent).toBe("part");
  await draw(0);
  expect(box.textContent).toBe("part");
  expect(load).toHaveBeenCalledTimes(1);
});

test("what could not be fetched before is fetched when it is wanted", async () => {
  load = vi.fn(async () => Part).mockRejectedValueOnce(new TypeError("away"));
  await draw(AHEAD_MS);
  await wait(AHEAD_MS);
  expect(box.textContent).toBe("nothing");
  await draw(0);
  await wait(0);
  expect(box.textContent).toBe("part");
});

test("what cannot be fetched when it is wanted is told", async () => {
  load = async () => Promise.reject(new TypeError("away"));
  await draw(0);
  await wait(0);
  expect(box.querySelector("button")).not.toBeNull();
  expect(box.textContent).not.toContain("nothing");
});
