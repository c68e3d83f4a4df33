/** Who asks what a thing does: whoever points at it, comes to it by the keyboard, or holds it down on a touch screen. */

/** How long a pointer or the focus rests on a thing before it is told of, and how long it may leave it, in milliseconds. */
const REST_MS = 350;
const NEXT_MS = 60;
const LEAVE_MS = 160;
/** How long a finger holds it, and how far it may stray meanwhile, in pixels. */
const HOLD_MS = 450;
const STRAY = 10;
/** A click that belongs to a finger's hold comes within this. */
const AFTER_HOLD_MS = 500;
/** How often it is looked whether the thing is still there. */
const LOOK_MS = 250;

const THING = "[data-about]";
/** The small "i" on a card: it asks, wherever the card itself is played by a click. */
const SIGN = ".about-sign";
const ACTS = "[data-open='true']";

export type Ask = (thing: HTMLElement | undefined) => void;

/** Listens to the whole page; `ask` is told of which thing, or undefined when that is over. Gives what ends it. */
export function listen(ask: Ask, isWithin: (node: Node) => boolean): () => void {
  const asking = new Asking(ask, isWithin);
  const leaving = new AbortController();
  const { signal } = leaving;
  const on = <Name extends keyof DocumentEventMap>(name: Name, call: (event: DocumentEventMap[Name]) => void): void =>
    document.addEventListener(name, call, { capture: true, signal });
  on("pointerover", (event) => asking.over(event));
  on("pointerdown", (event) => asking.down(event));
  on("pointermove", (event) => asking.move(event));
  on("pointerup", () => asking.up());
  on("pointercancel", () => asking.up());
  on("contextmenu", (event) => asking.menu(event));
  on("click", (event) => asking.click(event));
  on("focusin", (event) => asking.focus(event.target));
  on("focusout", () => asking.blur());
  on("keydown", (event) => event.key === "Escape" && asking.end());
  on("scroll", () => asking.scrolled());
  addEventListener("resize", () => asking.end(), { signal });
  return () => {
    leaving.abort();
    asking.end();
  };
}

class Asking {
  readonly #ask: Ask;
  readonly #isWithin: (node: Node) => boolean;
  #shown: HTMLElement | undefined;
  /** What the pointer or the focus is on, shown or not. */
  #on: HTMLElement | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #look: ReturnType<typeof setInterval> | undefined;
  /** What is played by a mouse needs no words any more, until the pointer has been elsewhere. */
  #clicked: HTMLElement | undefined;
  #held: { x: number; y: number } | undefined;
  #heldUntil = 0;

  constructor(ask: Ask, isWithin: (node: Node) => boolean) {
    this.#ask = ask;
    this.#isWithin = isWithin;
  }

  over({ pointerType, target }: PointerEvent): void {
    if (pointerType === "touch") return;
    // Who reads may point at what is read.
    if (target instanceof Node && this.#isWithin(target)) return clearTimeout(this.#timer);
    const thing = thingAt(target);
    if (thing !== undefined && thing === this.#clicked) return undefined;
    this.#clicked = undefined;
    return this.#turnTo(thing);
  }

  focus(target: EventTarget | null): void {
    const thing = thingAt(target);
    if (thing === target && thing?.matches(":focus-visible") === true) this.#turnTo(thing);
  }

  blur(): void {
    this.#turnTo(undefined);
  }

  down({ pointerType, target, clientX, clientY }: PointerEvent): void {
    if (target instanceof Node && this.#isWithin(target)) return;
    const thing = thingAt(target);
    if (pointerType !== "touch") {
      if (!acts(target)) return;
      this.end();
      this.#clicked = thing;
      return;
    }
    if (this.#shown !== undefined && thing !== this.#shown) this.end();
    if (thing === undefined) return;
    this.#held = { x: clientX, y: clientY };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#heldUntil = Infinity;
      this.#show(thing);
    }, HOLD_MS);
  }

  move({ clientX, clientY }: PointerEvent): void {
    const from = this.#held;
    if (from !== undefined && Math.hypot(clientX - from.x, clientY - from.y) > STRAY) this.#letGo();
  }

  up(): void {
    if (this.#heldUntil === Infinity) this.#heldUntil = performance.now() + AFTER_HOLD_MS;
    this.#letGo();
  }

  /** A finger that holds a thing asks what it does, and for nothing else. */
  menu(event: MouseEvent): void {
    if (this.#held !== undefined || performance.now() < this.#heldUntil) event.preventDefault();
  }

  /** Asking never plays: neither the click that ends a hold, nor one on the sign. A click on what only informs shows what it says. */
  click(event: MouseEvent): void {
    const { target } = event;
    const thing = thingAt(target);
    const isOfHold = performance.now() < this.#heldUntil;
    const isOnSign = target instanceof Element && target.closest(SIGN) !== null;
    this.#heldUntil = 0;
    if (isOfHold || isOnSign) {
      event.preventDefault();
      event.stopPropagation();
    }
    if (thing === undefined || isOfHold || (acts(target) && !isOnSign)) return;
    if (this.#shown === thing && event.detail !== 1) this.end();
    else this.#show(thing);
  }

  /** It lies where the thing was. What is rested on, but not told of yet, is told of all the same: the pointer stays where it is. */
  scrolled(): void {
    if (this.#shown !== undefined) this.end();
  }

  end(): void {
    clearTimeout(this.#timer);
    clearInterval(this.#look);
    this.#on = undefined;
    if (this.#shown === undefined) return;
    this.#shown = undefined;
    this.#ask(undefined);
  }

  #turnTo(thing: HTMLElement | undefined): void {
    if (thing === this.#on && (thing === undefined) === (this.#shown === undefined)) return;
    this.#on = thing;
    clearTimeout(this.#timer);
    if (thing === undefined) this.#timer = setTimeout(() => this.end(), LEAVE_MS);
    else if (thing !== this.#shown) this.#timer = setTimeout(() => this.#show(thing), this.#shown === undefined ? REST_MS : NEXT_MS);
  }

  #show(thing: HTMLElement): void {
    clearTimeout(this.#timer);
    clearInterval(this.#look);
    if (!thing.isConnected) return;
    this.#on = this.#shown = thing;
    this.#look = setInterval(() => !thing.isConnected && this.end(), LOOK_MS);
    this.#ask(thing);
  }

  #letGo(): void {
    if (this.#held !== undefined && this.#heldUntil !== Infinity) clearTimeout(this.#timer);
    this.#held = undefined;
  }
}

function thingAt(target: EventTarget | null): HTMLElement | undefined {
  return (target instanceof Element ? target.closest<HTMLElement>(THING) : null) ?? undefined;
}

function acts(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(ACTS) !== null;
}
