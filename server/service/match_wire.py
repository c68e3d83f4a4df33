"""Hosted matches as messages. What one viewer is shown is built up from the view the engine makes for it, and nothing else."""

import json
from typing import Any

from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from machiavel import v1
from machiavel.engines import State, TakenBack
from machiavel.server.matches.faults import frames_of, kind_of
from machiavel.server.matches.match import Match
from machiavel.server.matches.match_events import ParsedEvent, Viewer
from machiavel.server.matches.match_session import MatchSession
from machiavel.server.matches.match_setup import Settings, Setup, seat_standing
from machiavel.server.matches.questions import Restart
from machiavel.server.matches.rematches import waited_for
from machiavel.server.service import wire
from machiavel.server.service.event_messages import last_events
from machiavel.server.storage import Header

__all__ = [
    "duration_message",
    "event_message",
    "listed_message",
    "match_message",
    "position_message",
    "rematch_message",
    "seat_message",
    "snapshot_message",
    "taken_back_message",
    "told_events",
]

BILLION = 1_000_000_000
SEAT_EVENTS = {"joined", "taken_over", "handed_back", "forfeited"}


def time_message(nanoseconds: int) -> Timestamp:
    return Timestamp(seconds=nanoseconds // BILLION, nanos=nanoseconds % BILLION)


def duration_message(seconds: float) -> Duration:
    message = Duration()
    message.FromNanoseconds(round(seconds * BILLION))
    return message


# ---- What everybody may know ----


def match_message(session: MatchSession) -> v1.Match:
    match = session.match
    return public_message(session.header, match.setup, match.phase, match.standing())


def listed_message(header: Header) -> v1.Match:
    return public_message(header, Setup.from_json(header.setup), header.phase, json.loads(header.summary))


def public_message(header: Header, setup: Setup, phase: str, standing: dict[str, Any]) -> v1.Match:
    return v1.Match(
        match=header.match,
        game=setup.game,
        rules_version=setup.rules_version,
        options=wire.options_message(setup.options, setup.game),
        settings=settings_message(setup.settings),
        seats=[seat_of_standing(number, seat) for number, seat in enumerate(standing["seats"])],
        phase=v1.MatchPhase.Value(f"MATCH_PHASE_{phase.upper()}"),
        commitment=setup.commitment,
        create_time=time_message(header.created),
        utilities=standing["utilities"],
        predecessor=setup.predecessor,
    )


def settings_message(settings: Settings) -> v1.MatchSettings:
    limit = settings.move_time
    return v1.MatchSettings(
        hints=settings.hints,
        spectators=settings.spectators,
        open_record=settings.open_record,
        move_time=None if limit is None else duration_message(limit),
        rematch=settings.rematch,
        practice=settings.practice,
    )


def seat_of_standing(number: int, seat: dict[str, Any]) -> v1.MatchSeat:
    return v1.MatchSeat(
        seat=number,
        kind=v1.SeatKind.Value(f"SEAT_KIND_{seat['kind'].upper()}"),
        bot=seat["bot"],
        think=None if seat["think"] is None else duration_message(seat["think"]),
        name=seat["name"],
        taken_over=seat["taken_over"],
        forfeited=seat["forfeited"],
    )


def seat_message(match: Match, seat: int) -> v1.MatchSeat:
    return seat_of_standing(seat, seat_standing(match.seats[seat]))


# ---- What one viewer is shown ----


def snapshot_message(session: MatchSession, viewer: Viewer) -> v1.MatchSnapshot:
    match = session.match
    return v1.MatchSnapshot(
        match=match_message(session),
        seat=viewer,
        version=match.versions[viewer],
        position=None if match.phase == "waiting" else position_message(match, viewer, session.since),
        observed_moves=() if match.phase == "waiting" else match.state.observed_moves(viewer),
        events=() if match.phase == "waiting" else told_events(session, match.before_last, match.state, viewer),
        rematch=rematch_message(match) if match.rematch.asked or match.rematch.match else None,
    )


def told_events(session: MatchSession, before: State | None, after: State, viewer: Viewer) -> list[v1.GameEvent]:
    """What happened with the last move, or how the game began, as the viewer saw it; nothing where the game fails to tell it."""
    try:
        return last_events(before, after, viewer)
    except Exception as error:  # noqa: BLE001 - a match goes on without them
        session.registry.fault_log.match_failed(session.match.name, kind_of(error), frames_of(error))
        return []


def rematch_message(match: Match) -> v1.MatchRematch:
    wish = match.rematch
    return v1.MatchRematch(
        asked=sorted(wish.asked), waiting=() if wish.match else waited_for(match), rotate=wish.rotate or 0, match=wish.match
    )


def taken_back_message(seat: int, undone: TakenBack) -> v1.MatchTakenBack:
    return v1.MatchTakenBack(seat=seat, ply=undone.ply, moves=len(undone.moves))


def position_message(match: Match, viewer: Viewer, since: Restart) -> v1.MatchPosition:
    message = v1.MatchPosition(ply=match.plies, seats_to_move=sorted(match.questions))
    wire.put_view(message.view, match.state.view(viewer))
    if viewer is not None and viewer in match.questions:
        position = match.questions[viewer]
        if viewer in match.pending_answers:
            message.answer.CopyFrom(wire.move_message(position, match.pending_answers[viewer].move))
        else:
            message.moves.extend(wire.move_messages(position, position.legal_moves(viewer)))
        due = match.due(viewer, since)
        if due is not None:
            message.due.CopyFrom(time_message(due))
    return message


def event_message(match: Match, parsed: ParsedEvent, viewer: Viewer, since: Restart) -> v1.MatchEvent:
    """An event that is shown to the viewer, and how the match stands right after it."""
    message = v1.MatchEvent(version=match.versions[viewer], time=time_message(parsed.time))
    state, seat, what = match.state, parsed.seat, parsed.what
    if what == "begun":
        message.begun.SetInParent()
    elif what == "move":
        message.move.CopyFrom(v1.MatchMove(seat=seat, move=wire.seen_move_message(state, viewer, match.last_called)))
    elif what in {"answer", "lapsed"}:
        getattr(message, what).CopyFrom(v1.MatchAnswer(seat=seat, move=wire.move_message(state, parsed.data["move"])))
    elif what == "taken_back":
        message.taken_back.CopyFrom(taken_back_message(seat, match.taken_back[-1]))
    elif what == "answer_taken_back":
        message.taken_back.CopyFrom(v1.MatchTakenBack(seat=seat, ply=match.plies))
    elif what in {"rematch_asked", "rematch"}:
        message.rematch.CopyFrom(rematch_message(match))
    elif what == "over":
        message.over.utilities.extend(match.utilities)
    elif what in SEAT_EVENTS:
        message.seat.CopyFrom(seat_message(match, seat))
    else:
        raise ValueError(f"watchers are told nothing of {what}")
    if match.phase != "waiting":
        message.position.CopyFrom(position_message(match, viewer, since))
    return message
