/** What is reviewed: a match of this browser that is over, or a record out of a file. */

import { create } from "@bufbuild/protobuf";
import { BadRecord, BadToken, UnknownGame, type Client } from "@machiavel/client";
import { MatchPhase, MatchSchema, SeatKind, type Match, type Record as MatchRecord } from "@machiavel/client/v1";

import { placeAt } from "../app/places.js";
import type { TournamentGame } from "../app/routes.js";
import { mayReview } from "../app/server.js";
import { RecordProblem } from "./record_json.js";

export interface Subject {
  record: MatchRecord;
  /** Who played, and how it ended; of a file without names. */
  match: Match;
  /** Where it was played, if in a tournament. */
  origin?: TournamentGame;
}

/** This browser holds no place at the match. */
export class NoPlace extends Error {
  override readonly name = "NoPlace";
}

/** A match by the host's place, or by a seat's where there is no host's. */
export async function subjectOfMatch(client: Pick<Client, "session">, match: string, seat: number | undefined): Promise<Subject> {
  const places = [placeAt(match, undefined), seat === undefined ? undefined : placeAt(match, seat)].filter((place) => place !== undefined);
  if (places.length === 0) throw new NoPlace(match);
  let problem: unknown;
  for (const { token } of places) {
    try {
      const { record, match: facts } = await client.session(match, token).record();
      if (record !== undefined && facts !== undefined) return { record, match: facts };
    } catch (error) {
      problem = error;
    }
  }
  throw problem;
}

/** A record of a file, once the server has replayed it; throws RecordProblem where it does not. */
export async function subjectOfRecord(client: Pick<Client, "getState">, record: MatchRecord): Promise<Subject> {
  const { over, utilities } = await client.getState(record).catch((error: unknown) => {
    if (error instanceof UnknownGame) throw new RecordProblem({ kind: "noGame", game: record.game });
    if (error instanceof BadRecord) throw new RecordProblem({ kind: "noReplay", field: error.field, problem: error.problem });
    throw error;
  });
  const players = record.options?.players ?? 0;
  const match = create(MatchSchema, {
    game: record.game,
    rulesVersion: record.rulesVersion,
    ...(record.options === undefined ? {} : { options: record.options }),
    seats: Array.from({ length: players }, (_, seat) => ({ seat, kind: SeatKind.PERSON })),
    phase: over ? MatchPhase.OVER : MatchPhase.PLAYING,
    utilities,
  });
  return { record, match };
}

/** A game of a tournament: its bots stand for who played. */
export async function subjectOfGame(client: Pick<Client, "getState" | "tournamentGame">, origin: TournamentGame): Promise<Subject> {
  const { record, bots } = await client.tournamentGame(origin.tournament, origin.deal, origin.seating);
  if (record === undefined) throw new RecordProblem({ kind: "noRecord" });
  // What bots are called is fetched with the first such game.
  const [subject, { namesOf }] = await Promise.all([subjectOfRecord(client, record), import("../tournaments/bot_specs.js")]);
  const names = namesOf(bots);
  for (const seat of subject.match.seats) seat.name = names[seat.seat] ?? "";
  return { ...subject, origin };
}

/** Throws BadToken where this caller may not review. */
export async function checkReview(client: Pick<Client, "serverInfo">): Promise<void> {
  if (!mayReview({ info: await client.serverInfo() })) {
    throw new BadToken("reviews are for those who have the server's token", "UNAUTHENTICATED", { reason: "BAD_TOKEN" });
  }
}
