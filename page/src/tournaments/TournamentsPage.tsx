/** Tournaments of bots: what is to be started, those that were begun, and one of them. */

import "./tournaments.css";

import { askFacts, useFacts } from "../app/facts.js";
import { Failure, TokenForm, Waiting } from "../app/Failure.js";
import { mayCall, type ServerFacts } from "../app/server.js";
import { MyTournaments } from "./MyTournaments.js";
import { StartForm } from "./StartForm.js";
import { texts } from "./texts.js";
import { TournamentView } from "./TournamentView.js";

export function TournamentsPage({ name }: { name: string | undefined }) {
  const facts = useFacts();
  if (facts.state === "asking") return <Waiting />;
  if (facts.state === "failed") {
    return (
      <div class="column narrow">
        <Failure error={facts.error} onRetry={() => void askFacts()} />
      </div>
    );
  }
  const offer = offerOf(facts.value);
  if (offer !== "open") return <NotHere offer={offer} />;
  return name === undefined ? <All facts={facts.value} /> : <TournamentView key={name} name={name} facts={facts.value} />;
}

export type Offer = "open" | "none" | "guest" | "closed";

/** Whether this caller can have tournaments here, and if not, why. */
export function offerOf(facts: Pick<ServerFacts, "info">): Offer {
  const { caller, limits } = facts.info;
  if (limits?.tournamentGames === undefined) return "none";
  if (["StartTournament", "WatchTournament", "ListTournaments"].every((call) => mayCall(facts as ServerFacts, `TournamentService.${call}`))) return "open";
  return caller?.guest === true ? "guest" : "closed";
}

function NotHere({ offer }: { offer: Exclude<Offer, "open"> }) {
  const words = texts.value;
  return (
    <div class="column narrow stack tournaments">
      <h1>{words.title}</h1>
      <p>{words.lead}</p>
      <section class="notice stack">
        <div>
          <h2 class="panel-title">{words.offers[offer].title}</h2>
          <p>{words.offers[offer].text}</p>
        </div>
        {offer === "guest" && <TokenForm onDone={() => void askFacts()} />}
      </section>
      {offer !== "guest" && (
        <section class="stack">
          <p>{words.ownMachine}</p>
          <pre class="tournament-command">
            <code>machiavel tournament whist --bots level1 level3 level5 --players 3 --deals 20 --output first</code>
          </pre>
        </section>
      )}
    </div>
  );
}

function All({ facts }: { facts: ServerFacts }) {
  const words = texts.value;
  const isShared = (facts.info.caller?.name ?? "") === "";
  return (
    <div class="column stack tournaments">
      <div class="tournaments-lead">
        <h1>{words.title}</h1>
        <p>{words.lead}</p>
      </div>
      <MyTournaments isShared={isShared} />
      <StartForm facts={facts} />
    </div>
  );
}
