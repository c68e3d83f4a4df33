/** Parts of the page that are fetched when they are first wanted. */

import type { ComponentType } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";

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
    // The server may have another release by now, whose files have other names: only a reload finds them.
    if (failed) return <Failure error={new PartMissing()} onRetry={() => location.reload()} />;
    return Loaded === undefined ? <Waiting /> : <Loaded {...props} />;
  };
}

