/** Join codes, as people type and paste them. */

/** The code in what somebody typed: a code with or without hyphens and spaces, or a whole link to it; empty where there is none. */
export function codeOf(text: string): string {
  const link = /#\/join\/([^/?#\s]+)/.exec(text);
  return (link?.[1] ?? text).replace(/[\s-]/g, "").toUpperCase();
}

/** A code as it is read and told: five and five. */
export function spacedCode(code: string): string {
  return code.replace(/(.{5})(?=.)/g, "$1-");
}
