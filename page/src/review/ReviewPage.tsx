/** The review of a match that is over, or of a record out of a file. */

import "./review.css";
import "./layout.css";

import { useSignalEffect } from "@preact/signals";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { MatchNotOver, NoAccess, NotAllowed } from "@machiavel/client";
import type { Record as MatchRecord } from "@machiavel/client/v1";

import { takeRecord } from "../app/dropped.js";
import { Failure, Waiting } from "../app/Failure.js";
import { wantsToken } from "../app/failures.js";
import { goTo, linkTo, type TournamentGame } from "../app/routes.js";
import { service } from "../app/server.js";
import { gameOf } from "../match/games.js";
import type { GameModel } from "../schema/game_model.js";
import { NoRecord, RecordPicker } from "./RecordPicker.js";
import { recordsOfFile } from "./record_file.js";
import { RecordProblem } from "./record_json.js";
import { Reviewed } from "./Reviewed.js";
import { checkReview, NoPlace, subjectOfGame, subjectOfMatch, subjectOfRecord, type Subject } from "./subjects.js";
import { texts } from "./texts.js";

type Stage =
  | { at: "picking" }
  | { at: "loading" }
  | { at: "choosing"; records: readonly MatchRecord[] }
  | { at: "failed"; error: unknown }
  | { at: "open"; subject: Subject; game: GameModel };

export interface ReviewPageProps {
  match: string | undefined;
  seat: number | undefined;
  /** A game of a tournament, in place of a match. */
  game?: TournamentGame;
}

export function ReviewPage({ match, seat, game }: ReviewPageProps) {
  const hasSubject = match !== undefined || game !== undefined;
  const [stage, setStage] = useState<Stage>(hasSubject ? { at: "loading" } : { at: "picking" });
  const [tries, setTries] = useState(0);

  // Of several files, and of answers that come late, the newest counts.
  const newest = useRef(0);
  const settle = useCallback((result: Promise<Stage>) => {
    newest.current += 1;
    const own = newest.current;
    setStage({ at: "loading" });
    const show = (next: Stage): void => {
      if (own === newest.current) setStage(next);
    };
    result.then(show, (error: unknown) => show({ at: "failed", error }));
  }, []);

  const open = useCallback((load: () => Promise<Subject>) => {
    const opened = async (): Promise<Stage> => {
      await checkReview(service());
      const subject = await load();
      if (subject.record.moves.length === 0) throw new RecordProblem({ kind: "noMoves" });
      return { at: "open", subject, game: await gameOf(subject.match) };
    };
    settle(opened());
  }, []);

  const openRecord = useCallback((record: MatchRecord) => open(() => subjectOfRecord(service(), record)), [open]);

  const openFile = useCallback((file: File) => {
    const read = async (): Promise<Stage> => {
      const records = await recordsOfFile(file);
      const [only, ...others] = records;
      if (only !== undefined && others.length === 0) openRecord(only);
      return { at: "choosing", records };
    };
    settle(read());
  }, []);

  useEffect(() => {
    if (match !== undefined) open(() => subjectOfMatch(service(), match, seat));
    else if (game !== undefined) open(() => subjectOfGame(service(), game));
  }, [match, seat, game?.tournament, game?.deal, game?.seating, tries]);
  useSignalEffect(() => {
    const file = takeRecord();
    if (file !== undefined) openFile(file);
  });

  const pickAnother = (): void => {
    if (hasSubject) goTo({ page: "review", match: undefined, seat: undefined });
    setStage({ at: "picking" });
  };

  if (stage.at === "loading") return <Waiting text={texts.value.loading} />;
  if (stage.at === "open") {
    return <Reviewed key={stage.subject.record} subject={stage.subject} game={stage.game} seat={seat} onAnother={pickAnother} />;
  }
  if (stage.at === "choosing") return <RecordPicker onFile={openFile} records={stage.records} onRecord={openRecord} />;
  if (stage.at === "failed") {
    return !hasSubject ? (
      <RecordPicker onFile={openFile} problem={<Refused error={stage.error} />} />
    ) : (
      <div class="column stack">
        <Refused error={stage.error} onRetry={() => setTries(tries + 1)} />
        <p class="line">
          {match !== undefined && (
            <a class="button" href={linkTo({ page: "match", match, seat })}>
              {texts.value.toMatch}
            </a>
          )}
          {game !== undefined && (
            <a class="button" href={linkTo({ page: "tournaments", name: game.tournament })}>
              {texts.value.toTournament}
            </a>
          )}
          <button type="button" class="quiet" onClick={pickAnother}>
            {texts.value.pick.another}
          </button>
        </p>
      </div>
    );
  }
  return <RecordPicker onFile={openFile} />;
}

/** Why there is nothing to review. */
function Refused({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const words = texts.value;
  if (error instanceof RecordProblem) return <NoRecord problem={error.problem} />;
  if (error instanceof NoPlace || error instanceof NoAccess) return <Told {...words.noPlace} />;
  if (error instanceof NotAllowed) return <Told {...words.notAllowed} />;
  if (error instanceof MatchNotOver) return <Told {...words.notOver} />;
  if (wantsToken(error)) {
    return (
      <>
        <p>{words.needsToken}</p>
        <Failure error={error} />
      </>
    );
  }
  return <Failure error={error} {...(onRetry === undefined ? {} : { onRetry })} />;
}

function Told({ title, text }: { title: string; text: string }) {
  return (
    <div class="notice failed" role="alert">
      <h2 class="panel-title">{title}</h2>
      <p>{text}</p>
    </div>
  );
}
