/** Verbs of what somebody does, turned to who does it: `seat 1 leads` is `you lead` to seat 1. */

const IRREGULAR: Readonly<Record<string, string>> = { is: "are", has: "have", does: "do", goes: "go" };

/** An English verb in the third person, as it is said to `you`. */
export function englishVerb(verb: string): string {
  const known = IRREGULAR[verb];
  if (known !== undefined) return known;
  if (/[^aeiou]ies$/.test(verb) && verb.length > 5) return `${verb.slice(0, -3)}y`;
  if (/(ss|x|zz|ch|sh)es$/.test(verb)) return verb.slice(0, -2);
  return /[^s]s$/.test(verb) ? verb.slice(0, -1) : verb;
}

/** A French verb in the third person, as it is said to `tu`. */
export function frenchVerb(verb: string): string {
  if (verb === "est") return "es";
  if (/[ea]ut$/.test(verb)) return `${verb.slice(0, -1)}x`;
  if (/[ir]t$/.test(verb)) return `${verb.slice(0, -1)}s`;
  return /[aedt]$/.test(verb) ? `${verb}s` : verb;
}
