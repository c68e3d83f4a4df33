"""Bots of Python files: what they get, what they do wrong, and that they never come from the wire."""

import json
import re
from pathlib import Path
from typing import Any

import grpc
import pytest

from machiavel import v1
from machiavel.clients import BadBot as RefusedBot
from machiavel.clients import connect
from machiavel.engines import load
from machiavel.search import BadBot
from machiavel.server.tournaments.bot_files import file_bot, is_bot_file
from machiavel.server.tournaments.compliance import check_case
from machiavel.server.tournaments.game_journal import read_results
from machiavel.server.tournaments.remote_bots import RemoteSpec
from machiavel.server.tournaments.seat_bots import check_spec, seat_bot
from tests.engines.games import INSTALLED, players_of
from tests.server.service.hosted import hosted
from tests.server.tournaments.running import games_of, make, play

FIRST = "def move(view, moves):\n    return moves[0]\n"
ROOT = Path(__file__).resolve().parents[3]
EXAMPLE, PAGE = ROOT / "clients" / "examples" / "mybot.py", ROOT / "docs" / "tournaments.md"


def write(folder: Path, text: str, name: str = "mybot.py") -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("game", INSTALLED)
def test_a_file_plays_every_game_by_the_rules(tmp_path: Path, game: str) -> None:
    stored = load(game)
    rules = stored.make_rules(players_of(game))
    case = check_case(write(tmp_path, FIRST), None, stored, rules, decisions=20, seed=1)
    assert case.faults == []
    assert case.repeats


def test_the_example_and_the_bot_of_the_page_are_good_bots(tmp_path: Path) -> None:
    stored = load("whist")
    (snippet,) = re.findall(r"^```python\n(def move.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    for spec in (f"{EXAMPLE}@5s", write(tmp_path, snippet, "of_the_page.py")):
        assert check_case(spec, None, stored, stored.make_rules(3), decisions=20, seed=1).faults == []


def test_a_file_gets_what_its_seat_sees_and_nothing_else(tmp_path: Path) -> None:
    keep = "kept = []\ndef move(view, moves, turn):\n    kept.append((view, moves, turn))\n    return moves[-1]\n"
    bot = file_bot(write(tmp_path, keep, "keeps.py"))
    kept: list[Any] = bot.ask.__closure__[1].cell_contents.__globals__["kept"]  # type: ignore[index]
    game = load("agency")
    view = game.deal(game.make_rules(3), seed=5).view(1)
    again = game.view_from_json(json.loads(json.dumps(view.to_json())))  # of the view alone
    for one in (view, again):
        assert bot.choose(one) == view.legal_moves()[-1]
    (seen, moves, turn), other = kept
    assert (seen, moves, turn) == other
    assert seen["hand"]["cards"] == view.to_json()["view"]["hand"]
    assert (turn.game, turn.players, turn.seat, turn.match, turn.seconds) == ("agency", 3, 1, "", None)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("def move(view, moves)\n    return 1\n", r"line 1: expected ':'"),
        ("import json\n\nboom = 1 / 0\n", r"line 3: ZeroDivisionError: division by zero"),
        (
            "def play(view, moves):\n    return moves[0]\n",
            r"it has no function move; expected a Python file with a function move\(view, moves\)",
        ),
        ("def move(view):\n    return 1\n", r"move\(view\) is no bot; expected move\(view, moves\) or move\(view, moves, turn\)"),
    ],
)
def test_what_is_no_bot_is_told_with_its_line(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(BadBot, match=problem):
        check_spec(load("whist"), write(tmp_path, text))
    with pytest.raises(BadBot, match="there is no such file"):
        check_spec(load("whist"), str(tmp_path / "none.py"))


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("    hand = view['hand']\n    return view['nothing']", "failed: line 3: KeyError: 'nothing'"),
        ("    return 'ZZ'", "illegal: 'ZZ' is not a move"),
        ("    return 7", "failed: move gave 7, which is no text"),
        ("    import time; time.sleep(30)", "late: gave no move within 0.02 s"),
    ],
)
def test_what_a_file_does_wrong_is_told_and_counted(tmp_path: Path, body: str, told: str) -> None:
    spec = write(tmp_path, f"def move(view, moves):\n{body}\n") + ("@20ms" if "sleep" in body else "")
    stored = load("whist")
    case = check_case(spec, None, stored, stored.make_rules(2), decisions=2, seed=1)
    assert all(f"{fault.kind}: {fault.message}".startswith(told) for fault in case.faults) and case.faults
    if "sleep" in body:
        return
    play(make("whist", [spec, "greedy"], 2, seed=3), tmp_path / "failing", 1)
    results, _ = read_results(tmp_path / "failing")
    assert (results.faults[results.seats == 0] > 0).all()
    play(make("whist", ["greedy"], 2, seed=3), tmp_path / "greedy", 1)
    greedy, _ = read_results(tmp_path / "greedy")
    assert (results.utilities == greedy.utilities).all()  # the rule of thumb played for it


def test_a_tournament_plays_files_in_processes_too_and_the_same_again(tmp_path: Path) -> None:
    spec = write(tmp_path, FIRST)
    for name, executor in (("one", "threads:1"), ("two", "processes:2")):
        assert play(make("kuhn", [spec, "random"], 2), tmp_path / name, 3, executor).reason == "played"
    assert games_of(tmp_path / "one") == games_of(tmp_path / "two")
    results, timings = read_results(tmp_path / "one")
    assert not results.faults.any() and timings.moves[0] > 0


def test_neighbours_of_the_file_may_be_imported(tmp_path: Path) -> None:
    write(tmp_path, "def pick(moves):\n    return moves[-1]\n", "ideas_of_mine.py")
    spec = write(tmp_path, "from ideas_of_mine import pick\ndef move(view, moves):\n    return pick(moves)\n", "imports.py")
    game = load("whist")
    view = game.deal(game.make_rules(2), seed=1).view(0)
    if 0 not in view.seats_to_move:
        view = game.deal(game.make_rules(2), seed=1).view(1)
    assert seat_bot(spec, 1, None).choose(view) == view.legal_moves()[-1]


def test_no_file_comes_from_the_wire(tmp_path: Path) -> None:
    spec = write(tmp_path, "raise SystemExit('it ran')\n")
    with hosted(tournaments=str(tmp_path / "kept")) as server, connect(server.address) as service:
        plan = v1.TournamentPlan(game="whist", options=v1.Options(players=2), bots=[spec, "random"], deals=1)
        for ask in (
            lambda: service.start_tournament(plan),
            lambda: service.create_match("whist", ["person", spec]),
            lambda: service.recommend_move(service.new_state("whist", 2, seed=1), bot=spec),
        ):
            with pytest.raises(RefusedBot) as caught:
                ask()
            assert caught.value.code is grpc.StatusCode.INVALID_ARGUMENT


# ---- Bots behind HTTP ----


@pytest.mark.parametrize(
    ("text", "address", "bot", "tls"),
    [
        ("http://127.0.0.1:7789/level=7", "http://127.0.0.1:7789", "level7", False),
        ("https://games.example/level=7,seed=3", "https://games.example", "level7:seed=3", True),
        ("http://127.0.0.1:7789", "http://127.0.0.1:7789", "", False),
        ("https://games.example/machiavel/greedy", "https://games.example/machiavel", "greedy", True),
    ],
)
def test_a_bot_may_be_behind_the_door_for_http(text: str, address: str, bot: str, tls: bool) -> None:
    assert RemoteSpec.read(text) == RemoteSpec(address, bot, tls)
    assert not is_bot_file(text)


def test_a_bot_behind_http_plays_as_it_would_here(tmp_path: Path) -> None:
    with pytest.raises(BadBot, match="there is no host"):
        RemoteSpec.read("http:///level=7")
    with hosted(web="127.0.0.1:0") as server:
        play(make("whist", [f"{server.server.web_address}/greedy", "random"], 2), tmp_path / "there", 1)
    play(make("whist", ["greedy", "random"], 2), tmp_path / "here", 1)
    first, second = (read_results(tmp_path / name)[0] for name in ("there", "here"))
    assert (first.utilities == second.utilities).all() and not first.faults.any()
