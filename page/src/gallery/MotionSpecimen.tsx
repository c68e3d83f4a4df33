/** Motion alone: a card goes from a seat to the table, and from there to who takes it. */

import { useMemo, useRef, useState } from "preact/hooks";

import { Back } from "../table/Card.js";
import { useTravel } from "../table/motion.js";
import { texts } from "./texts.js";
import { Told } from "./Told.js";

/** Where the card is: with who plays it, on the table, with who takes it. */
const STEPS = 3;
const [FROM, TO] = [0, 1];

export function MotionSpecimen() {
  const root = useRef<HTMLElement>(null);
  const [step, go] = useState(0);
  const shown = useMemo(() => ({ step }), [step]);
  useTravel(root, shown);
  const words = texts.value;
  const { title, about } = words.parts.motion;
  return (
    <article class="panel gallery-part" id="part-motion" aria-labelledby="title-motion">
      <h3 class="panel-title" id="title-motion">
        {title}
      </h3>
      <p>
        <Told text={about} />
      </p>
      <section class="table gallery-stage" aria-label={title} ref={root}>
        <div class="gallery-ground gallery-way" data-ground="felt">
          <span class="gallery-home" data-home={FROM}>
            {words.names[1]}
          </span>
          <span class="gallery-midst">
            {step === 1 && (
              <span class="spot" data-spot="moved" data-from={FROM} data-to={TO}>
                <Back variant={0} />
              </span>
            )}
          </span>
          <span class="gallery-home" data-home={TO}>
            {words.names[2]}
          </span>
        </div>
        <div class="motion-layer" aria-hidden="true" />
      </section>
      <p>
        <button type="button" onClick={() => go((step + 1) % STEPS)}>
          {step === STEPS - 1 ? words.again : words.motion}
        </button>
      </p>
      <pre class="gallery-view" tabIndex={0} role="group" aria-label={title}>{`<span data-spot="moved" data-from="${FROM}" data-to="${TO}">`}</pre>
      <p class="note">page/src/table/motion.ts</p>
    </article>
  );
}
