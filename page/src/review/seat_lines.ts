/** How the lines of seats are told apart without their colours. */

const DASHES = ["none", "8 4", "2 3", "10 3 2 3", "14 4", "5 5", "1 5", "12 3 2 3 2 3"];

export function dashOf(seat: number): string {
  return DASHES[seat % DASHES.length] ?? "none";
}
