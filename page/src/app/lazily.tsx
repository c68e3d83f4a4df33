/** Parts of the page that are fetched when they are first wanted. */

import type { ComponentType } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";

import { Failure, Waiting } from "./Failure.js";
import { PartMissing } from "./failures.js";

/** A component that is fetched with its first use; until it is there, a sign that it is on its way. */
export function lazily<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let Loaded: ComponentType<Props> | undefined;
  return function Lazily(props: Props) {
    const [failed, fail] = useState(false);
    const [, arrive] = useState(Loaded !== undefined);
    // Where it was fetched already it is there before anything is painted.
    useLayoutEffect(() => {
      if (Loaded !== undefined) return;
      let isHere = true;
      load().then(
        (component) => {
          Loaded = component;
          if (isHere) arrive(true);
        },
        () => {
          if (isHere) fail(true);
        },
      );
      return () => {
        isHere = false;
      };
    }, []);
    if (failed) return <Missing />;
    return Loaded === undefined ? <Waiting /> : <Loaded {...props} />;
  };
}

/**
 * A component that is fetched a while before it is wanted, or at once where it is (0): undefined until then. Whoever draws it is drawn again when it
 * is there, and can let glide what it pushes away. What could not be fetched is told where it is wanted.
 */
export function useFetched<Props extends object>(load: () => Promise<ComponentType<Props>>, afterMs: number): ComponentType<Props> | undefined {
  const [found, find] = useState<{ component: ComponentType<Props> }>();
  const isFound = found !== undefined;
  useEffect(() => {
    if (isFound) return;
    let isHere = true;
    const here = (component: ComponentType<Props>): void => {
      if (isHere) find({ component });
    };
    const timer = setTimeout(() => void load().then(here, () => (afterMs === 0 ? here(Missing) : undefined)), afterMs);
    return () => {
      isHere = false;
      clearTimeout(timer);
    };
  }, [isFound, load, afterMs]);
  return found?.component;
}

/** The server may have another release by now, whose files have other names: only a reload finds them. */
function Missing() {
  return <Failure error={new PartMissing()} onRetry={() => location.reload()} />;
}
