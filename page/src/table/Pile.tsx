/** Piles: what is face down as a stack, what is known can be looked through. */

import { useRef } from "preact/hooks";

import { said } from "../app/wording.js";
import { aboutAttributes, aboutOf } from "./about.js";
import { Back, Thing } from "./Card.js";
import { isNothing, type Entry, type Piece, type Spot } from "./pieces.js";
import { PieceView } from "./PieceView.js";
import { spokenName, SpotView } from "./SpotView.js";
import { texts } from "./texts.js";

export function Pile({ entry }: { entry: Entry }) {
  const { piece } = entry;
  if (isNothing(piece)) return <NoPile label={said(entry.label)} />;
  if (piece.is === "group") return <HeapPile entry={entry} entries={piece.entries} />;
  if (piece.is !== "things") return <Plate entry={entry} />;
  return piece.inOrder ? <Stack entry={entry} spots={piece.spots} /> : <OpenPile label={said(entry.label)} spots={piece.spots} />;
}

/** The place of a pile in which there is nothing. */
function NoPile({ label }: { label: string }) {
  return (
    <div class="pile" role="group" aria-label={texts.value.inPile(label, 0)} data-pile>
      <span class="pile-stack">
        <span class="pile-empty" />
      </span>
      <span class="pile-label" aria-hidden="true">
        {label}
      </span>
    </div>
  );
}

function Plate({ entry }: { entry: Entry }) {
  return (
    <div class="pile">
      <PieceView piece={entry.piece} />
      <span class="pile-label">{said(entry.label)}</span>
    </div>
  );
}

/** A pile whose top is the first thing. */
function Stack({ entry, spots }: { entry: Entry; spots: readonly Spot[] }) {
  const [top] = spots;
  const label = said(entry.label);
  return (
    <div class="pile" role="group" aria-label={texts.value.inPile(label, spots.length)} data-pile>
      <span class="pile-stack" data-depth={depth(spots.length)}>
        {top !== undefined && <SpotView key={top.id} spot={top} />}
        <span class="pile-count" aria-hidden="true">
          {spots.length}
        </span>
      </span>
      <span class="pile-label" aria-hidden="true">
        {label}
      </span>
    </div>
  );
}

function depth(count: number): number {
  return count > 12 ? 3 : count > 5 ? 2 : count > 1 ? 1 : 0;
}

/** Things everybody knows, in no order: the last few, and all of them when asked for. */
function OpenPile({ label, spots }: { label: string; spots: readonly Spot[] }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const sorted = [...spots].sort((one, other) => (one.face?.order ?? 0) - (other.face?.order ?? 0));
  return (
    <div class="pile" data-pile>
      <button type="button" class="pile-open" onClick={() => dialog.current?.showModal()}>
        <span class="heard">{texts.value.open(texts.value.inPile(label, spots.length))}</span>
        <span class="pile-few" aria-hidden="true">
          {sorted.slice(-3).map((spot) => (
            <span class="pile-few-one" key={spot.id}>
              <Thing spot={spot} />
            </span>
          ))}
        </span>
        <span class="pile-count" aria-hidden="true">
          {spots.length}
        </span>
      </button>
      <span class="pile-label" aria-hidden="true">
        {label}
      </span>
      <dialog ref={dialog} class="pile-dialog" aria-label={label} onClick={(event) => event.target === dialog.current && dialog.current?.close()}>
        <h3>{texts.value.inPile(label, spots.length)}</h3>
        <ul class="pile-all">
          {sorted.map((spot) => (
            <li key={spot.id} aria-label={spokenName(spot)} tabIndex={aboutOf(spot.face) === "" ? undefined : 0} {...aboutAttributes(aboutOf(spot.face))}>
              <Thing spot={spot} />
            </li>
          ))}
        </ul>
        <form method="dialog">
          <button type="submit">{texts.value.close}</button>
        </form>
      </dialog>
    </div>
  );
}

/** A pile told by numbers, or several heaps side by side. */
function HeapPile({ entry, entries }: { entry: Entry; entries: readonly Entry[] }) {
  const label = said(entry.label);
  const counts = entries.filter(({ piece }) => piece.is === "amount");
  const heaps = entries.filter(({ piece }) => piece.is === "things" && piece.spots.length > 0);
  const top = entries.find(({ piece }) => piece.is === "words");
  const total = amountOf(counts[0]?.piece);
  return (
    <>
      {total !== undefined && (
        <div class="pile" role="group" aria-label={[texts.value.inPile(label, total), ...entries.slice(1).map(spokenEntry)].join(", ")} data-pile>
          <span class="pile-stack" data-depth={depth(total)}>
            {total > 0 ? <Back variant={backOf(entries, top)} /> : <span class="pile-empty" />}
            <span class="pile-count" aria-hidden="true">
              {total}
            </span>
          </span>
          <span class="pile-label" aria-hidden="true">
            {label}
          </span>
          {counts.slice(1).map((one) => (
            <span class="pile-note" aria-hidden="true" key={one.field}>
              {said(one.label)} {amountOf(one.piece)}
            </span>
          ))}
        </div>
      )}
      {total === undefined && heaps.length === 0 && <NoPile label={label} />}
      {heaps.length > 0 && <OpenPile label={label} spots={heaps.flatMap(({ piece }) => (piece.is === "things" ? piece.spots : []))} />}
    </>
  );
}

function amountOf(piece: Piece | undefined): number | undefined {
  return piece?.is === "amount" ? piece.amount : undefined;
}

function spokenEntry({ label, piece }: Entry): string {
  if (piece.is === "amount") return `${said(label)} ${piece.amount}`;
  return piece.is === "words" ? `${said(label)}: ${said(piece.words)}` : "";
}

/** The back on top: the first kind where it is called like the number of such, as `spy` and `spies`. */
function backOf(entries: readonly Entry[], top: Entry | undefined): number {
  if (top?.piece.is !== "words") return 0;
  const word = top.piece.words.en.toLowerCase().slice(0, 2);
  return entries.some(({ field, piece }) => piece.is === "amount" && field.startsWith(word)) ? 0 : 1;
}
