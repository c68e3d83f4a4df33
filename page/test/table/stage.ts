/** Where tests draw tables: an element of its own for each test, in a document that lays nothing out. */
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeAll, beforeEach, vi } from "vitest";

import { matches } from "./played.js";

class NoObserver {
  observe(): void {}
  disconnect(): void {}
}

export let root: HTMLElement;

/** To be called once in a file of tests. */
export function staged(): void {
  beforeAll(() => void matches(), 120_000);

  beforeEach(() => {
    vi.stubGlobal("ResizeObserver", NoObserver);
    root = document.createElement("main");
    document.body.append(root);
  });

  afterEach(() => {
    void act(() => render(null, root));
    root.remove();
    vi.unstubAllGlobals();
  });
}
