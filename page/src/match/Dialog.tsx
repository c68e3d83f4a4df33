/** A dialog in the page: modal, closed by Escape, and gone when it is closed. */

import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

export interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  class?: string;
}

export function Dialog({ title, onClose, children, class: name = "" }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = box.current;
    // Taken out of the page it is closed, too; to close it would tell `onClose` of that later.
    if (dialog?.open === false) dialog.showModal();
  }, []);
  return (
    <dialog
      ref={box}
      class={`stack ${name}`}
      aria-labelledby={id}
      onClose={onClose}
      onClick={(event) => isOutside(event) && onClose()}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}

/** Whether the backdrop was pressed. */
function isOutside({ clientX, clientY, target, currentTarget }: MouseEvent): boolean {
  if (target !== currentTarget || !(target instanceof HTMLDialogElement)) return false;
  const { left, right, top, bottom } = target.getBoundingClientRect();
  return clientX < left || clientX > right || clientY < top || clientY > bottom;
}

/** Asks a second time before something that cannot be undone. */
export function Confirm(props: { title: string; text: string; yes: string; no: string; onYes: () => void; onNo: () => void }) {
  return (
    <Dialog title={props.title} onClose={props.onNo}>
      <p>{props.text}</p>
      <div class="line dialog-answers">
        <button type="button" autofocus onClick={props.onNo}>
          {props.no}
        </button>
        <button type="button" class="danger" onClick={props.onYes}>
          {props.yes}
        </button>
      </div>
    </Dialog>
  );
}
