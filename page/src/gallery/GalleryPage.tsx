/** The gallery for people who write tables: each part alone, with the piece of a view that feeds it. */

import "./gallery.css";

import { create } from "@bufbuild/protobuf";
import { GamePart, OptionsSchema } from "@machiavel/client/v1";
import { useEffect, useState } from "preact/hooks";

import { Waiting } from "../app/Failure.js";
import { gameTitle, useFacts } from "../app/facts.js";
import { service } from "../app/server.js";
import type { GameModel } from "../schema/game_model.js";
import { gameModel } from "../schema/models.js";
import { AboutPopover } from "../table/AboutPopover.js";
import { Drawn } from "./Drawn.js";
import { MotionSpecimen } from "./MotionSpecimen.js";
import type { Specimen } from "./specimen.js";
import { SPECIMENS } from "./specimens.js";
import { Told } from "./Told.js";
import { texts } from "./texts.js";

/** What a game's own table adds. */
interface OwnSpecimens {
  readonly SPECIMENS: readonly Specimen[];
}

const OWN = import.meta.glob<OwnSpecimens>("../../../server/games/*/page/gallery/specimens.tsx", { eager: true });

export function GalleryPage() {
  const words = texts.value;
  useFacts();
  return (
    <div class="column stack gallery">
      <h1>{words.title}</h1>
      <p>{words.lead}</p>
      <p class="note">{words.docs}</p>
      <h2>{words.shared}</h2>
      {SPECIMENS.map((specimen) => (
        <Shown key={specimen.id} specimen={specimen} />
      ))}
      <MotionSpecimen />
      <AboutPopover />
      {Object.entries(OWN).map(([path, { SPECIMENS: own }]) => (
        <section class="stack" key={path}>
          <h2>{words.own(gameTitle(path.split("/").at(-4) ?? ""))}</h2>
          {own.map((specimen) => (
            <Shown key={specimen.id} specimen={specimen} />
          ))}
        </section>
      ))}
    </div>
  );
}

function Shown({ specimen }: { specimen: Specimen }) {
  const words = texts.value;
  const { title, about } = specimen.words();
  const game = useGame(specimen);
  return (
    <article class="panel gallery-part" id={`part-${specimen.id}`} aria-labelledby={`title-${specimen.id}`}>
      <h3 class="panel-title" id={`title-${specimen.id}`}>
        {title}
      </h3>
      <p>
        <Told text={about} />
      </p>
      <div class="gallery-sides">
        {game === "asking" ? <Waiting /> : game === "missing" ? <p class="note">{words.missing(specimen.game)}</p> : <Drawn specimen={specimen} game={game} />}
        <Fragment label={`${words.fragment}: ${title}`} view={specimen.view} moves={specimen.moves} />
      </div>
      <p class="note">{words.from(specimen.file, specimen.game)}</p>
    </article>
  );
}

/** The piece of a view, as it comes, with the legal moves where there are some. */
function Fragment({ label, view, moves }: Pick<Specimen, "view" | "moves"> & { label: string }) {
  const lines = Object.entries(view).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  if (moves !== undefined) lines.push(`moves: ${JSON.stringify(moves)}`);
  return (
    <pre class="gallery-view" tabIndex={0} aria-label={label} role="group">
      {lines.join("\n")}
    </pre>
  );
}

const asked = new Map<string, Promise<GameModel>>();

function useGame({ game, players }: Specimen): GameModel | "asking" | "missing" {
  const [found, find] = useState<GameModel | "asking" | "missing">("asking");
  useEffect(() => {
    let isHere = true;
    const key = `${game} ${players}`;
    const model = asked.get(key) ?? service().getGame(game, { options: create(OptionsSchema, { players }), parts: [GamePart.TABLE] }).then(gameModel);
    asked.set(key, model);
    model.then(
      (one) => isHere && find(one),
      () => {
        asked.delete(key);
        if (isHere) find("missing");
      },
    );
    return () => {
      isHere = false;
    };
  }, [game, players]);
  return found;
}
