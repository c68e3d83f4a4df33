"""What surrounds a hosted match, told to a person or as JSON lines: who comes and goes, how it begins, how it ends."""

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from machiavel import clients
from machiavel.clients import NotAllowed, ServiceError
from machiavel.engines import Record, Teller, View
from machiavel.server.cli.advising import Adviser
from machiavel.server.cli.command_texts import TEXTS, Words, language_of_environment, opening
from machiavel.server.cli.endings import ending
from machiavel.server.cli.frontends import JsonFrontend, TerminalFrontend, read_line
from machiavel.server.cli.game_files import is_game_file
from machiavel.server.cli.hosting import Frontend
from machiavel.server.cli.output import json_line, people, say_warning, visible
from machiavel.server.cli.parts import make_table
from machiavel.server.cli.recording import save
from machiavel.server.cli.seat_at_server import JoinedMatch, SeatAtServer, place_of, rematch
from machiavel.server.cli.tables import Table as DrawnTable
from machiavel.server.service import wire
from machiavel.v1 import Match, MatchSeat, SeatKind

__all__ = ["JsonMatchNotices", "TerminalMatchNotices", "sit"]


AGAIN = {"r", "rematch", "revanche"}


class TerminalMatchNotices:
    """For a person."""

    def __init__(self, place: JoinedMatch, arguments: argparse.Namespace) -> None:
        self.place = place
        self.language = arguments.lang or language_of_environment()
        self.console = people(plain=arguments.plain)
        self.words = Words(TEXTS, self.language)
        is_file = arguments.game is not None and is_game_file(arguments.game)
        self.game = f" {arguments.game}" if is_file else ""  # as a command line names it
        self.drawn: DrawnTable | None = None

    def opened(self) -> None:
        host = self.place.host
        if host is not None and host.code:
            self.console.print(self.words("code", game=self.game, server=self.place.server, code=host.code), style="bold")

    def waiting(self, seats: Sequence[int]) -> None:
        self.console.print(self.words("waiting", seats=", ".join(self.words("seat", seat=seat) for seat in seats)))

    def changed(self, seat: MatchSeat) -> None:
        key = "forfeited" if seat.forfeited else "bot_plays" if seat.taken_over else "handed_back" if self.drawn else "joined"
        self.console.print(self.words(key, seat=seat.seat, bot=visible(seat.bot), who=self.name_of(seat)), style="dim")

    def late(self, error: ServiceError) -> None:  # noqa: ARG002
        self.console.print(self.words("too_late"), style="bold red")

    def name_of(self, seat: MatchSeat) -> str:
        bot = seat.bot.partition(":")[0] if seat.kind == SeatKind.SEAT_KIND_BOT else ""
        return visible(seat.name or bot) or self.words("person")

    def frontend(self, view: View, match: Match, seats: Mapping[int, MatchSeat], ply: int) -> Frontend:  # noqa: ARG002
        game, rules, me = view.game, view.rules, view.seat or 0

        names = ["" if number == me else self.name_of(seats[number]) for number in range(view.players)]
        self.drawn = make_table(game, rules, self.language, me, names)
        title = game.plugin.titles[self.language]
        self.console.print(opening(self.words, title, view.players, me), style="bold")
        self.console.print(self.words("how"), style="dim")
        adviser = Adviser(view.game, self.language) if match.settings.hints else None
        teller, takes_back = Teller(game.plugin, rules, self.language, me), match.settings.practice
        return TerminalFrontend(self.console, self.drawn, self.words, adviser, teller, takes_back=takes_back)

    def taken_back(self, moves: int) -> None:
        self.console.print(self.words("taken_back", moves=moves), style="dim")

    def nothing_to_take_back(self) -> None:
        self.console.print(self.words("nothing_to_undo"), style="bold red")

    def rematch_waits(self) -> None:
        self.console.print(self.words("rematch_waits"), style="dim")

    def wants_rematch(self, seated: SeatAtServer) -> bool:
        """Whether the person wants one; only who sits at a terminal is asked."""
        if seated.utilities is None or not (seated.match.settings.rematch or self.place.host) or not sys.stdin.isatty():
            return False
        self.console.print(self.words("another"), style="bold")
        return (read_line("> ") or "").strip().lower() in AGAIN

    def farewell(self, seated: SeatAtServer, whole: Record | None, record: Path | None) -> None:
        words, console = self.words, self.console
        if seated.utilities is None or seated.view is None:
            line = words("come_back", game=self.game, server=self.place.server, place=place_of(self.place.session))
            console.print(line, soft_wrap=True)
            if self.place.host is not None:
                line = words("as_host", server=self.place.server, place=place_of(self.place.host))
                console.print(line, style="dim", soft_wrap=True)
            return
        if self.drawn is not None:
            seen = seated.view.to_json()["view"]
            console.print(ending(seated.view.game, self.drawn, words, seen, seated.utilities))
        if whole is not None:
            console.print(words("kept_word", commitment=seated.match.commitment), style="dim", soft_wrap=True)
            console.print(words("seed", seed=whole.seed), style="dim")
        if record is not None and whole is not None:
            console.print(words("recorded", path=record), style="dim")


class JsonMatchNotices:
    """For a program."""

    def __init__(self, place: JoinedMatch) -> None:
        self.place = place

    def opened(self) -> None:
        session, host = self.place.session, self.place.host
        json_line(
            {
                "type": "table",
                "match": session.match,
                "back": place_of(session),
                "host": None if host is None else place_of(host),
                "code": None if host is None else host.code or None,
            }
        )

    def waiting(self, seats: Sequence[int]) -> None:
        json_line({"type": "waiting", "seats": list(seats)})

    def changed(self, seat: MatchSeat) -> None:
        json_line(
            {
                "type": "seat",
                "seat": seat.seat,
                "name": seat.name,
                "bot": seat.bot or None,
                "taken_over": seat.taken_over,
                "forfeited": seat.forfeited,
            }
        )

    def late(self, error: ServiceError) -> None:
        json_line({"type": "late", "error": type(error).__name__, "message": str(error)})

    def frontend(self, view: View, match: Match, seats: Mapping[int, MatchSeat], ply: int) -> Frontend:
        order = [seats[number] for number in range(view.players)]
        json_line(
            {
                "type": "match",
                "game": view.game.name,
                "players": view.players,
                "seat": view.seat,
                "bots": [seat.bot or None for seat in order],
                "names": [seat.name for seat in order],
            }
        )
        return JsonFrontend(view.seat or 0, ply, takes_back=match.settings.practice)

    def taken_back(self, moves: int) -> None:
        json_line({"type": "taken_back", "moves": moves})

    def nothing_to_take_back(self) -> None:
        json_line({"type": "nothing_to_take_back"})

    def rematch_waits(self) -> None:
        json_line({"type": "rematch_waits"})

    def wants_rematch(self, seated: SeatAtServer) -> bool:  # noqa: ARG002
        """A program asks for one by the API."""
        return False

    def farewell(self, seated: SeatAtServer, whole: Record | None, record: Path | None) -> None:
        json_line(
            {
                "type": "end",
                "reason": "left" if seated.utilities is None else "over",
                "utilities": None if seated.utilities is None else list(seated.utilities),
                "seed": None if whole is None else str(whole.seed),
                "commitment": seated.match.commitment or None,
                "record": None if record is None or whole is None else str(record),
            }
        )


def sit(place: JoinedMatch, notices: TerminalMatchNotices | JsonMatchNotices, record: Path | None) -> JoinedMatch | None:
    """Plays one seat; however that ends, the person is told how to come back, or how it ended. Returns the place in a rematch."""
    seated = SeatAtServer(place.session, notices)
    interrupt: KeyboardInterrupt | None = None
    notices.opened()
    try:
        seated.play()
    except KeyboardInterrupt as key:
        interrupt = key
        if sys.stdout.isatty():
            sys.stdout.write("\n")  # after what the terminal echoed of the key
    except ServiceError:
        notices.farewell(seated, None, record)
        raise
    whole = revealed(place, seated) if seated.utilities is not None else None
    if record is not None and whole is not None:
        save(record, whole)
    notices.farewell(seated, whole, record)
    if interrupt is not None:
        raise interrupt
    return rematch(place, notices) if notices.wants_rematch(seated) else None


def revealed(place: JoinedMatch, seated: SeatAtServer) -> Record | None:
    """The whole match, now that it is over; None where it is not for this seat."""
    try:
        response = (place.host or place.session).record()
    except NotAllowed:
        return None
    if clients.commitment(response) != seated.match.commitment:
        say_warning("the deal is not the one that the server had committed to")
    return wire.read_record(response.record)
