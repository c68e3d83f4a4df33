/** A number that is seen to grow. */

import { useEffect, useRef } from "preact/hooks";

export function Grown({ value, shown = String(value) }: { value: number; shown?: string }) {
  const before = useRef(value);
  useEffect(() => {
    before.current = value;
  }, [value]);
  return (
    <b class="bond-grown" key={value} data-grown={value > before.current}>
      {shown}
    </b>
  );
}
