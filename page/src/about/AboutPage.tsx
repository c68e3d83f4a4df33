/** What this server is, what it takes, and what this browser keeps. */

import "./about.css";

import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { durationMs, type Duration } from "@bufbuild/protobuf/wkt";
import type { ServerLimits } from "@machiavel/client/v1";

import { askFacts, useFacts } from "../app/facts.js";
import { Failure, Waiting } from "../app/Failure.js";
import { allPlaces } from "../app/places.js";
import { linkTo } from "../app/routes.js";
import type { ServerFacts } from "../app/server.js";
import { language } from "../app/settings.js";
import { texts as frame } from "../app/texts.js";
import { said } from "../app/wording.js";
import { timeWords } from "../setup/times.js";
import { texts } from "./texts.js";

export function AboutPage() {
  const facts = useFacts();
  const words = texts.value;
  return (
    <div class="column narrow stack about">
      <h1>{words.title}</h1>
      <p class="about-lead">{words.lead}</p>
      {facts.state === "asking" && <Waiting />}
      {facts.state === "failed" && <Failure error={facts.error} onRetry={() => void askFacts()} />}
      {facts.state === "known" && <Server facts={facts.value} />}
      {facts.state !== "asking" && <Programs features={facts.state === "known" ? facts.value.info.features : []} />}
      {facts.state !== "asking" && <Browser />}
    </div>
  );
}

function Programs({ features }: { features: readonly string[] }) {
  const words = texts.value;
  return (
    <section class="panel stack" aria-labelledby="about-programs">
      <h2 class="panel-title" id="about-programs">
        {words.programs}
      </h2>
      <p>{words.programsText}</p>
      <p>
        <a href="openapi.json">{words.openapi}</a>
      </p>
      <p class="note">{words.openapiText}</p>
      <p>
        <a href={linkTo({ page: "gallery" })}>{words.gallery}</a>
      </p>
      <p class="note">{words.galleryText}</p>
      {features.length > 0 && (
        <p class="note">
          {words.features} {features.join(", ")}
        </p>
      )}
    </section>
  );
}

function Server({ facts: { info, games } }: { facts: ServerFacts }) {
  const words = texts.value;
  const { caller, limits } = info;
  const caption = caller?.guest === true ? words.guest : caller?.name || words.anybody;
  return (
    <>
      {info.rehearsal && <p class="notice">{words.rehearsal}</p>}
      <section class="panel stack" aria-labelledby="about-server">
        <h2 class="panel-title" id="about-server">
          {words.server}
        </h2>
        <dl class="about-facts">
          <Fact name={words.version}>{info.version}</Fact>
          <Fact name={words.games}>{games.map((game) => said(game.title) || game.name).join(", ")}</Fact>
          <Fact name={words.caller}>{caption}</Fact>
          <Fact name={words.tournaments}>
            <a href={linkTo({ page: "tournaments", name: undefined })}>{limits?.tournamentGames === undefined ? words.noTournaments : words.toTournaments}</a>
          </Fact>
        </dl>
      </section>
      {limits !== undefined && <Limits limits={limits} />}
    </>
  );
}

function Limits({ limits }: { limits: ServerLimits }) {
  const words = texts.value;
  const { limit } = words;
  const number = new Intl.NumberFormat(language.value);
  return (
    <section class="panel stack" aria-labelledby="about-limits">
      <h2 class="panel-title" id="about-limits">
        {words.limits}
      </h2>
      <dl class="about-facts">
        <Fact name={limit.mostTime}>{inWords(limits.mostTime)}</Fact>
        <Fact name={limit.usualThink}>{inWords(limits.usualThink)}</Fact>
        <Fact name={limit.moveTime}>{limit.from(inWords(limits.leastMoveTime), inWords(limits.mostMoveTime))}</Fact>
        <Fact name={limit.searches}>{number.format(limits.searches)}</Fact>
        <Fact name={limit.matches}>{number.format(limits.matches)}</Fact>
        <Fact name={limit.rematches}>{number.format(limits.rematches)}</Fact>
        <Fact name={limit.changes}>{number.format(limits.matchChanges)}</Fact>
        <Fact name={limit.keepOver}>{inWords(limits.keepOver)}</Fact>
        <Fact name={limit.keepIdle}>{inWords(limits.keepIdle)}</Fact>
      </dl>
    </section>
  );
}

function inWords(time: Duration | undefined): string {
  return time === undefined ? texts.value.limit.forever : timeWords(durationMs(time));
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Browser() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isForgotten, setForgotten] = useState(false);
  const words = texts.value;
  const forget = (): void => {
    for (const storage of [localStorage, sessionStorage]) {
      for (const key of Object.keys(storage)) if (key.startsWith("machiavel:")) storage.removeItem(key);
    }
    setForgotten(true);
  };
  return (
    <section class="panel stack" aria-labelledby="about-browser">
      <h2 class="panel-title" id="about-browser">
        {words.browser}
      </h2>
      <p>
        {words.browserText} {words.places(isForgotten ? 0 : allPlaces().filter(({ seat }) => seat !== undefined).length)}
      </p>
      <p class="line">
        <button type="button" class="danger" disabled={isForgotten} onClick={() => dialog.current?.showModal()}>
          {words.forget}
        </button>
        <span role="status">{isForgotten && words.forgotten}</span>
      </p>
      <dialog ref={dialog} aria-labelledby="about-forget" onClose={() => dialog.current?.returnValue === "yes" && forget()}>
        <form method="dialog" class="stack">
          <h3 id="about-forget">{words.forget}</h3>
          <p>{words.forgetText}</p>
          <div class="line">
            <button type="submit">{frame.value.cancel}</button>
            <button type="submit" class="danger" value="yes">
              {words.forgetYes}
            </button>
          </div>
        </form>
      </dialog>
    </section>
  );
}
