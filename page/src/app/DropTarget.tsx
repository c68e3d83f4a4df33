/** Takes a record that is dropped anywhere on the page to the review. */

import { useEffect, useState } from "preact/hooks";

import { bringRecord } from "./dropped.js";
import { texts } from "./texts.js";

export function DropTarget() {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const over = (event: DragEvent): void => {
      if (event.dataTransfer?.types.includes("Files") !== true) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent): void => {
      setOver(false);
      const file = event.dataTransfer?.files[0];
      if (file === undefined) return;
      event.preventDefault(); // else the browser shows the file instead of the page
      bringRecord(file);
    };
    addEventListener("dragover", over);
    addEventListener("dragleave", leave);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragover", over);
      removeEventListener("dragleave", leave);
      removeEventListener("drop", drop);
    };
  }, []);
  return (
    <div class="drop-target" hidden={!isOver}>
      <p>{texts.value.drop}</p>
    </div>
  );
}
