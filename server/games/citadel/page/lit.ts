/** What is lit on the table because something that it belongs to is pointed at: the traps that guard a treasure, the pawn of a player. */

import { createContext } from "preact";
import { useContext, useMemo, useState } from "preact/hooks";

export interface Lit {
  has(key: string): boolean;
  /** Lights these instead of what was lit. */
  light(keys: readonly string[]): void;
}

const Context = createContext<Lit>({ has: () => false, light: () => undefined });

export const LitProvider = Context.Provider;

export function useLit(): Lit {
  return useContext(Context);
}

/** Of one table. */
export function useLighting(): Lit {
  const [keys, light] = useState<readonly string[]>([]);
  return useMemo(() => ({ has: (key) => keys.includes(key), light }), [keys]);
}
