"""Games in files: wherever a command names a game, it may name a file; in both languages; errors say what would be right."""

import json
import re
from pathlib import Path

import pytest

from machiavel.engines import Record, add_file, registry
from machiavel.engines.kit import box
from machiavel.engines.phrases import typeset
from machiavel.server.cli.game_files import is_game_file
from tests.engines.kit.authors import HIGHEST, written
from tests.server.cli.command import Runner, run_process
from tests.server.cli.serving import serving
from tests.server.game_file import changed, duel_file

ONES = ["1"] * 12


@pytest.fixture
def duel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file, in a process that forgets its games afterwards."""
    for name in ("_loaded", "_files", "_texts"):
        monkeypatch.setattr(registry, name, dict(getattr(registry, name)))
    return duel_file(tmp_path)


@pytest.mark.parametrize(
    ("text", "is_file"),
    [("duel.py", True), ("./duel", True), ("~/duel", True), ("/a/b.py", True), ("duel", False), ("agency", False)],
)
def test_a_path_ends_in_py_or_has_a_slash(text: str, is_file: bool) -> None:
    assert is_game_file(text) == is_file


@pytest.mark.parametrize(("language", "over"), [("en", "The match is over"), ("fr", "La partie est finie")])
def test_a_file_is_played_at_a_table_in_both_languages(run: Runner, duel: Path, language: str, over: str) -> None:
    ran = run(f"play {duel} --seed 3 --lang {language}", entries=ONES)

    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("Duel · 2 ") and over in ran.out


def test_its_options_are_flags_and_its_help_tells_them(run: Runner, duel: Path) -> None:
    told = run(f"play {duel} --help")
    short = run(f"play {duel} --rounds 1 --seed 3", entries=["1"])
    bad = run(f"play {duel} --rounds 9", entries=["1"])

    assert "options of duel" in told.out and "--rounds" in told.out and "cards each" in told.out
    assert (short.code, short.err) == (0, "") and "The match is over" in short.out
    assert bad.code == 2 and "--rounds 9: expected a whole number from 1 to 5" in bad.err


def test_home_is_where_a_tilde_stands(run: Runner, duel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(duel.parent))
    assert "Duel" in run("games ~/duel.py").out


@pytest.mark.parametrize("language", ["en", "fr"])
def test_games_rules_and_bots_tell_of_it(run: Runner, duel: Path, language: str) -> None:
    listed = run(f"games {duel} --lang {language}")
    as_json = run(f"games {duel} --json").objects
    rules = run(f"rules {duel} --lang {language}")
    bots = run(f"bots {duel} --lang {language}")

    assert listed.out.splitlines()[0] == "duel – Duel" and "rounds" in listed.out
    assert {"en": "cards each", "fr": "cartes par joueur"}[language] in listed.out
    assert [one["game"] for one in as_json] == ["duel"]
    assert rules.code == bots.code == 0 and rules.out and "level5" in bots.out


def test_a_hint_is_given_for_a_view_in_a_file_and_a_server_is_not_needed(run: Runner, duel: Path, tmp_path: Path) -> None:
    view = tmp_path / "view.json"
    view.write_text(json.dumps(add_file(duel).new(2, seed=1).view(0).to_json()), encoding="utf-8")
    english, french = (run(f"hint {duel} {view} --iterations 50 --lang {language}") for language in ("en", "fr"))

    assert (english.code, english.err, french.code) == (0, "", 0)
    assert "win chance" in english.out and "chances de gagner" in french.out


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_view_is_typed_in_by_what_a_person_can_say(run: Runner, duel: Path, language: str) -> None:
    # How many play is known: cards each, seat, hand, and so on; at last who is to play, and yes.
    answers = ["", "", "s2 SK sa s5 S9", "", "", "", "", "", "", ""]
    ran = run(f"hint {duel} --iterations 50 --lang {language}", entries=answers)

    assert ran.code == 0, ran.err
    assert {"en": "win chance", "fr": "chances de gagner"}[language] in ran.out
    assert typeset({"en": "cards each: 1 to 5?", "fr": "cartes par joueur : de 1 à 5 ?"}[language], language) in ran.out
    assert "[5 5]" in ran.out  # as many as one has oneself


def test_who_has_played_already_is_asked_where_several_play_at_once(run: Runner, duel: Path, tmp_path: Path) -> None:
    answers = ["", "1", "s2 SK sa s5", "3 4", "", "1 0", "S7 S3", "1 0", "", "1", ""]
    ran = run(f"hint {duel} --iterations 50 --lang en --save {tmp_path / 'view.json'}", entries=answers)
    seen = json.loads((tmp_path / "view.json").read_text(encoding="utf-8"))["view"]

    assert ran.code == 0, ran.err
    assert "This one needs an answer" in ran.out  # nobody can know it but who types it in
    assert (seen["to_move"], seen["hands_counts"], seen["chosen_counts"]) == ([1], [3, 4], [1, 0])


def test_a_record_is_reviewed_and_replayed_with_its_file_and_else_its_game_is_unknown(
    run: Runner, duel: Path, tmp_path: Path
) -> None:
    record = tmp_path / "match.json"
    assert run(f"play {duel} --seed 3 --record {record}", entries=ONES).code == 0
    assert Record.from_json(record.read_text(encoding="utf-8")).game == "duel"

    for command in (f"review {record} --iterations 40", f"replay {record}"):
        told = run_process(*command.split(), "--game", str(duel))
        unknown = run_process(*command.split())
        assert (told.code, told.err) == (0, "") and told.out
        assert unknown.code == 2 and "unknown game 'duel'" in unknown.err


def test_benches_measure_it(run: Runner, duel: Path) -> None:
    (search,) = run(f"bench search --game {duel} --iterations 200 --json").objects
    (playouts,) = run(f"bench playouts --game {duel} --iterations 200 --json").objects
    assert search["game"] == playouts["game"] == "duel"


def test_a_bot_is_checked_in_it(run: Runner, duel: Path) -> None:
    (case,) = run(f"check-bot greedy --game {duel} --decisions 4 --json").objects
    assert case["game"] == "duel" and not case["faults"]


def test_its_contract_is_checked_by_its_path(run: Runner, duel: Path) -> None:
    ran = run(f"check-game {duel} --checks options --matches 1 --json")
    assert ran.code == 0, ran.out
    assert ran.objects[0]["title"] == "Duel"


PROBLEMS = [
    ("./none.py", "en", "/none.py: there is no such file"),
    ("./none.py", "fr", "/none.py : ce fichier n’existe pas"),
    ("./folder.py", "en", "/folder.py: is a folder"),
    ("./", "fr", " : est un dossier"),
    ("./empty.py", "en", "/empty.py: has no class of machiavel.kit.Game"),
    ("./empty.py", "fr", "/empty.py : n’a pas de classe de machiavel.kit.Game"),
    ("./broken.py", "en", "/broken.py:2: is no Python"),
    ("./raises.py", "en", "/raises.py:1: ZeroDivisionError"),
]


@pytest.fixture
def bad_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.py").mkdir()
    for name, text in (("empty", ""), ("broken", "x = 1\nif:\n"), ("raises", "x = 1 // 0\n")):
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")


@pytest.mark.usefixtures("bad_files")
@pytest.mark.parametrize("problem", PROBLEMS, ids=str)
@pytest.mark.parametrize("command", ["play", "hint", "games", "rules"])
def test_what_is_wrong_with_a_file_is_told_in_words(run: Runner, command: str, problem: tuple[str, str, str]) -> None:
    given, language, told = problem
    ran = run(f"{command} {given} --lang {language}")

    assert ran.code == 2
    assert told in ran.err
    assert len(ran.err.splitlines()) == 1


def test_a_file_is_named_by_its_path_which_is_told_where_one_lies_beside(
    run: Runner, duel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(duel.parent)
    ran = run_process("rules", "duel")
    assert ran.code == 2 and "a game in a file is named by its path: ./duel.py" in ran.err


@pytest.mark.parametrize(
    ("language", "said"), [("en", "and not the installed game of this name"), ("fr", "et non le jeu installé du même nom")]
)
def test_a_file_wins_over_an_installed_game_of_its_name_and_stderr_says_so(tmp_path: Path, language: str, said: str) -> None:
    file = duel_file(tmp_path, "whist")
    ran = run_process("games", str(file), "--lang", language)
    assert ran.code == 0 and ran.out.startswith("whist – Duel")
    assert said in ran.err and str(file) in ran.err


def test_the_file_of_a_game_in_the_box_is_no_other_game(run: Runner, duel: Path) -> None:
    ran = run(f"games {duel} {Path(box.__file__).parent / 'games' / 'kuhn.py'}")
    assert (ran.code, ran.err) == (0, "") and "Kuhn poker" in ran.out


def test_a_server_refuses_a_file_of_an_installed_name_and_one_that_is_none(tmp_path: Path) -> None:
    file = duel_file(tmp_path, "whist")
    taken = run_process("serve", "--game", str(file), "--listen", "127.0.0.1:0")
    named = run_process("serve", "--game", "agency", "--listen", "127.0.0.1:0")

    assert taken.code == named.code == 2
    assert "its game is named whist, as one that is installed" in taken.err
    assert "--game agency: expected the path of a file" in named.err


def test_a_server_refuses_a_file_whose_rules_are_wrong_for_some_number_of_players(tmp_path: Path) -> None:
    begins = "    def apply(self, card, luck):\n"
    file = written(tmp_path, HIGHEST.replace(begins, begins + "        few = 2 ** (self.seats - 3)\n"))
    ran = run_process("serve", "--game", str(file), "--listen", "127.0.0.1:0")

    assert ran.code == 2
    assert "mine.py:30: the exponent of ** must surely not be negative" in ran.err


def test_a_changed_file_ends_its_old_records(run: Runner, duel: Path, tmp_path: Path) -> None:
    record = tmp_path / "match.json"
    assert run(f"play {duel} --seed 3 --record {record}", entries=ONES).code == 0
    changed(duel, "# both at once", "# face down")  # no rule
    assert run(f"replay {record} --game {duel}").code == 0
    changed(duel, '"duel", 1', '"duel", 2')
    ran = run(f"replay {record} --game {duel}")
    assert ran.code == 2 and "rules_version" in ran.err


def test_a_match_of_it_is_played_on_a_server_left_and_come_back_to(run: Runner, duel: Path, tmp_path: Path) -> None:
    record, view = tmp_path / "match.json", tmp_path / "view.json"
    view.write_text(json.dumps(add_file(duel).new(2, seed=1).view(0).to_json()), encoding="utf-8")
    with serving("--game", str(duel)) as (address, _):
        hint = run(f"hint {duel} {view} --iterations 50 --server {address}")
        left = run_process("play", str(duel), "--server", address, "--bots", "greedy", "--think", "0.05", entries="1\n")
        place = re.search(rf"machiavel play {duel} --server {address} --back (\S+)", left.out)
        assert (hint.code, hint.err) == (0, "") and place is not None, left.err
        back = ("play", str(duel), "--server", address, "--back", place[1])
        ended = run_process(*back, "--record", str(record), entries="1\n" * 8)
        strange = run_process("play", "agency", *back[2:])

    assert ended.code == 0 and "The match is over" in ended.out, ended.err
    assert run(f"replay {record} --game {duel}").code == 0
    assert strange.code == 2 and "the match is set up already; leave out agency" in strange.err
