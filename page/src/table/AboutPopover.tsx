/** What a thing does, beside it, for whoever asks; it lies over the page and moves nothing. */

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

import { listen } from "./asking.js";
import { texts } from "./texts.js";
import "./about.css";

interface Told {
  thing: HTMLElement;
  name: string;
  /** Its paragraphs. */
  about: readonly string[];
  /** What a click does; empty where it does nothing. */
  act: string;
}

export function AboutPopover() {
  const popover = useRef<HTMLDivElement>(null);
  const [told, tell] = useState<Told>();
  useEffect(
    () =>
      listen(
        (thing) => tell(thing === undefined ? undefined : toldOf(thing)),
        (node) => popover.current?.contains(node) === true,
      ),
    [],
  );
  useLayoutEffect(() => {
    const box = popover.current;
    if (box === null) return;
    // Above everything, a dialog too.
    box.togglePopover?.(told !== undefined);
    if (told !== undefined) place(box, told.thing);
  }, [told]);
  const isTouch = told !== undefined && matchMedia("(hover: none)").matches;
  return (
    // Who hears the page has it from the thing itself.
    <div ref={popover} class="about-popover" popover="manual" aria-hidden="true">
      {told !== undefined && (
        <>
          {told.name !== "" && <b>{told.name}</b>}
          {told.about.map((text) => (
            <p key={text}>{text}</p>
          ))}
          {told.act !== "" && <p class="about-act">{isTouch ? texts.value.byTouch(told.act) : texts.value.byClick(told.act)}</p>}
        </>
      )}
    </div>
  );
}

function toldOf(thing: HTMLElement): Told {
  const { about = "", act = "", name: given } = thing.dataset;
  const name = given ?? thing.getAttribute("aria-label") ?? thing.querySelector(".heard, .map-name, .seat-name")?.textContent ?? "";
  return { thing, name: name.charAt(0).toLocaleUpperCase() + name.slice(1), about: about.split("\n"), act };
}

const GAP = 8;

/** Below the thing, or above it where there is no room, within the window. */
function place(box: HTMLElement, thing: HTMLElement): void {
  // A card of a hand stands aside from where it lies.
  const at = ((thing.matches(".spot") && thing.firstElementChild) || thing).getBoundingClientRect();
  const { width, height } = box.getBoundingClientRect();
  const below = at.bottom + GAP;
  const top = below + height <= innerHeight || at.top - GAP - height < 0 ? Math.min(below, innerHeight - height - GAP) : at.top - GAP - height;
  const left = Math.min(Math.max(at.left + at.width / 2 - width / 2, GAP), innerWidth - width - GAP);
  box.style.top = `${Math.max(top, GAP)}px`;
  box.style.left = `${Math.max(left, GAP)}px`;
}
