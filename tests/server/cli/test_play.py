"""`machiavel play`: scripted matches, wrong entries, records, JSON."""

import json
from pathlib import Path

import pytest

from machiavel.engines import Record, load
from machiavel.engines.agency import deck
from machiavel.engines.phrases import typeset
from machiavel.server.cli import main
from tests.server.cli.command import Runner

ONES = ["1"] * 400


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("players", ["2", "3", "4", "5"])
def test_a_whole_match_can_be_played_by_script(run: Runner, players: str, language: str) -> None:
    ran = run(f"play agency --players {players} --seed 3 --bots random --lang {language}", entries=ONES)

    assert (ran.code, ran.err) == (0, "")
    assert {"en": "End of the match", "fr": "Fin de la partie"}[language] in ran.out
    assert ran.out.rstrip().endswith({"en": "Seed of the match: 3", "fr": "Graine de la partie\N{NO-BREAK SPACE}: 3"}[language])


@pytest.mark.parametrize(
    "options",
    [
        "--no-powers",
        "--no-accomplices",
        "--no-powers --no-accomplices --plain",
        "--medals 1",
        "--option medals=1 --option powers=false",
        '--option agents=["wxt","jean"] --players 2',
        "--medals 6 --players 2",
        "--seat 2 --bots greedy random:seed=7",
        "--agents wxt jean martha",
        "--players 5 --agents moignons belton wxt jean martha --seat 4",
    ],
)
def test_every_option_makes_a_match_to_its_end(run: Runner, options: str) -> None:
    ran = run("play", "agency", "--seed", "8", options, entries=ONES)

    assert (ran.code, ran.err) == (0, "")
    assert "End of the match" in ran.out


@pytest.mark.parametrize(("language", "opening"), [("en", "you play alone"), ("fr", "tu joues seul")])
def test_a_table_of_one_is_called_so(run: Runner, language: str, opening: str) -> None:
    ran = run(f"play citadel --players 1 --lang {language}", entries=["q"])
    assert ran.out.splitlines()[0].endswith(f" · {opening}")


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("win chance", "Likely continuation: ", "Play ", "What if you play the mauve 7?", "The mauve 7 is ")),
        ("fr", ("chances de gagner", "Suite probable\xa0: ", "Joue ", "Et si tu joues le 7 mauve\xa0?", "C’est ")),
    ],
)
def test_a_hint_at_the_table_ranks_the_moves_by_their_numbers_and_says_what_to_play(
    run: Runner, language: str, words: tuple[str, ...]
) -> None:
    entries = [{"en": "hint", "fr": "conseil"}[language], "? M7", "q"]
    ran = run(f"play agency --seed 5 --lang {language}", entries=entries)
    assert all(one in ran.out for one in words)
    legal = next(one["legal"] for one in run("play agency --seed 5 --json", entries=["q"]).objects if one["type"] == "ask")
    ranked = ran.out.partition(words[0])[2].splitlines()[1:7]
    colours = dict(zip("MBGY", {"en": "mauve blue green yellow", "fr": "mauve bleu vert jaune"}[language].split(), strict=True))
    cards = [(colours[move[0]], move[1:]) for move in legal]
    named = [f"The {colour} {rank}" if language == "en" else f"Le {rank} {colour}" for colour, rank in cards]
    assert {tuple(line.split()[:4]) for line in ranked} == {(str(number), *name.split()) for number, name in enumerate(named, 1)}


@pytest.mark.parametrize(
    ("language", "word", "told"), [("en", "unseen", "worlds that fit"), ("fr", "caché", "mondes compatibles")]
)
def test_where_unseen_cards_are_is_told_at_the_table(run: Runner, language: str, word: str, told: str) -> None:
    ran = run(f"play agency --seed 5 --lang {language}", entries=[word, "?", "q"])
    assert told in " ".join(ran.out.split())
    assert ran.out.count(word) > 1  # the help has it


def test_a_hint_of_citadel_names_rooms_and_no_ids(run: Runner) -> None:
    ran = run("play citadel --players 2 --seed 1 --lang fr", entries=["conseil", "? go:gallery", "q"])
    told = ran.out.partition("chances de l’équipe")[2]
    assert "Et si tu vas dans la galerie\N{NO-BREAK SPACE}?" in told
    assert "Aller dans la galerie" in told
    assert not any(one in told.replace("? go:gallery", "") for one in ("go:", "card:", "_"))


@pytest.mark.parametrize(
    ("language", "entry", "told"),
    [
        ("en", "queen of clubs", "You play the queen of clubs."),
        ("en", "Play the queen of clubs", "You play the queen of clubs."),
        ("fr", "joue la dame de trèfle", "Tu joues la dame de trèfle."),
    ],
)
def test_a_table_drawn_from_a_schema_takes_moves_as_its_list_and_hints_say_them(
    run: Runner, language: str, entry: str, told: str
) -> None:
    ran = run(f"play whist --players 4 --seed 5 --plain --lang {language}", entries=f"{entry}\n")

    assert told in ran.out


def test_a_deck_file_is_played_with(run: Runner, tmp_path: Path) -> None:
    shipped = Path(deck.__file__).with_name("decks") / "house.toml"
    file = tmp_path / "mine.toml"
    file.write_text(shipped.read_text(encoding="utf-8").replace('name = "house"', 'name = "mine"'), encoding="utf-8")

    ran = run(f"play agency --medals 1 --seed 1 --deck {file} --record {tmp_path / 'r'}", entries=ONES)

    assert (ran.code, ran.err) == (0, "")
    record = Record.from_json((tmp_path / "r").read_text(encoding="utf-8"))
    assert load("agency").replay(record).is_over


@pytest.mark.parametrize(
    ("language", "entry", "answer"),
    [
        ("en", "frog", "frog is not a move. Possible now: "),
        ("fr", "frog", "« frog » n’est pas un coup. Possible maintenant : "),
        ("en", "7", "7 is not in the list; its last number is 6"),
        ("fr", "0", "0 : ce numéro n’est pas dans la liste, qui s’arrête à 6"),
        ("en", "look:1", "look:1 is not possible now: a card is to be played. Possible: "),
        ("fr", "lead:1", "« lead:1 », pas maintenant : il faut jouer une carte de ta main. Possible : "),
        ("fr", "V99", "« V99 » n’est pas un coup."),
        ("fr", "passe:V8", "« passe:V8 », pas maintenant : "),
        ("en", "a\x1b[2Jb", "a\\x1b[2Jb is not a move."),
        ("fr", "V1", "n’est pas dans ta main. Possible : "),
    ],
)
def test_a_wrong_entry_is_answered_clearly_and_may_be_corrected(run: Runner, language: str, entry: str, answer: str) -> None:
    command = f"play agency --seed 5 --no-accomplices --bots greedy --lang {language}"
    right = run(command, entries=["1"]).out

    ran = run(command, entries=[entry, "1"])

    assert ran.code == 0
    assert typeset(answer, language) in ran.out
    assert "\x1b" not in ran.out
    assert right.split("> 1\n")[1] == ran.out.split("> 1\n")[1]


def test_of_many_moves_a_wrong_entry_is_told_the_first_few(run: Runner) -> None:
    command = "play citadel --players 2 --seed 1"
    legal = next(one["legal"] for one in run(command, "--json", entries=["q"]).objects if one["type"] == "ask")
    told = run(command, "--lang fr", entries=["frog", "q"]).out.split("Possible maintenant")[1].split("Que fais-tu")[0]
    assert len(legal) > 12
    assert " ".join(told.split()).endswith(f", et {len(legal) - 8} autres dans la liste")


def test_following_is_explained_where_an_accomplice_demands_it(run: Runner) -> None:
    for seed in range(400):
        state = load("agency").new(2, seed=seed, powers=False)
        view = state.view(state.seat_to_move).to_json()["view"]
        if view["stake"] != "5+follow_suit":
            continue
        state.play(state.legal_moves()[0])
        seat = state.seat_to_move
        assert seat is not None
        view = state.view(seat).to_json()["view"]
        wrong = [card for card in view["hand"] if card not in state.legal_moves()]
        if wrong:
            break
    led = view["table"][0][1]
    spec = next(
        f"random:seed={seed}"
        for seed in range(1000)
        if led in run_json(run, f"--players 2 --no-powers --seed {view_seed(state)} --seat {seat}", f"random:seed={seed}")
    )

    ran = run(
        f"play agency --players 2 --no-powers --seed {view_seed(state)} --seat {seat} --bots {spec} --lang fr",
        entries=[wrong[0]],
    )

    colour = {"M": "mauve", "B": "bleu", "G": "vert", "Y": "jaune"}[led[0]]
    assert typeset(f"« {wrong[0]} », pas maintenant : il faut fournir du {colour}. Possible : ", "fr") in ran.out
    marks = dict(zip("MBGY", "MBVJ", strict=True))
    assert typeset(f"Possible : {', '.join(marks[card[0]] + card[1:] for card in state.legal_moves())}\n", "fr") in ran.out


def view_seed(state: object) -> int:
    return int(state.seed)  # type: ignore[attr-defined]


def run_json(run: Runner, options: str, bot: str) -> list[str]:
    """The moves up to the person's first decision."""
    ran = run("play", "agency", options, "--bots", bot, "--json")
    return [line["move"] for line in ran.objects if line["type"] == "move"]


def test_french_letters_name_green_and_yellow_cards(run: Runner) -> None:
    command = "play agency --seed 5 --no-accomplices --lang fr"
    hand = next(line for line in run(command, "--json").objects if line["type"] == "view")["view"]["hand"]
    green = next(card for card in hand if card[0] == "G")

    ran = run(command, entries=[green.replace("G", "v")])

    assert f"Tu joues le {green[1:]} vert." in ran.out
    assert f" V{green[1:]} " in ran.out


def test_help_and_hand_are_shown_in_the_players_language(run: Runner) -> None:
    command = "play agency --seed 5 --lang"

    english = run(command, "en", entries=["?", "hand", "q"]).out
    french = run(command, "fr", entries=["?", "main", "q"]).out

    assert english.count("Your hand") == 3
    assert french.count("Ta main") == 3
    assert "quit; Ctrl-D does the same" in english
    assert "quitter\N{NO-BREAK SPACE}; Ctrl-D fait la même chose" in french


@pytest.mark.parametrize("entries", [[], ["q"], ["", "  ", "quit"], ["1"]])
def test_leaving_is_polite_and_tells_the_seed_at_the_end_alone(run: Runner, entries: list[str]) -> None:
    ran = run("play", "agency", "--lang", "en", entries=entries)

    assert (ran.code, ran.err) == (0, "")
    assert "Your hand" in ran.out
    *before, last = ran.out.splitlines()
    assert last.startswith("Seed of the match: ")
    assert last.removeprefix("Seed of the match: ") not in "\n".join(before)


@pytest.mark.parametrize("entries", [["1", "1", "1", "q"], ["1", "1"], ONES])
def test_a_record_is_written_at_the_end_and_replays(run: Runner, tmp_path: Path, entries: list[str]) -> None:
    file = tmp_path / "match.json"
    ran = run(f"play agency --seed 4 --medals 1 --record {file}", entries=entries)

    assert ran.code == 0
    assert f"Record: {file}" in ran.out
    assert [path.name for path in tmp_path.iterdir()] == ["match.json"]
    record = Record.from_json(json.loads(file.read_text(encoding="utf-8")))
    state = load("agency").replay(record)
    assert record.seed == 4
    assert state.is_over == (entries is ONES)
    assert len(state.moves) >= 2


def test_a_record_replaces_a_file_only_where_it_may(run: Runner, tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    file.write_text("mine", encoding="utf-8")

    refused = run(f"play agency --seed 4 --record {file}")

    assert refused.code == 2
    assert not refused.out
    assert "exists already; choose another name, or replace it with --overwrite" in refused.err
    assert file.read_text(encoding="utf-8") == "mine"
    assert run(f"play agency --seed 4 --record {file} --overwrite").code == 0
    assert Record.from_json(file.read_text(encoding="utf-8")).seed == 4


@pytest.mark.parametrize(
    ("file", "problem"),
    [
        ("", "--record: the name of the file is empty"),
        ("/nonexistent/x.json", "--record /nonexistent/x.json: there is no folder /nonexistent"),
        ("/", "--record /: is a folder; expected a file"),
        ("/dev/null", "--record /dev/null: is no ordinary file"),
        ("/proc/x.json", "--record /proc/x.json: cannot be written: "),
    ],
)
def test_a_record_that_cannot_be_written_is_refused_before_the_deal(
    capsys: pytest.CaptureFixture[str], file: str, problem: str
) -> None:
    code = main(["play", "agency", "--record", file])
    out, err = capsys.readouterr()

    assert (code, out) == (2, "")
    assert err.startswith(f"machiavel: error: {problem}")


def test_json_tells_everything_line_by_line(run: Runner) -> None:
    ran = run("play agency --players 3 --seed 9 --bots random:seed=1 --json", entries=ONES)
    match, view, *rest, end = ran.objects
    game = load("agency")

    assert ran.code == 0
    assert match == {
        "type": "match",
        "game": "agency",
        "players": 3,
        "seat": 0,
        "bots": [None, "random:seed=1", "random:seed=1"],
    }
    assert view.pop("type") == "view"
    assert game.view_from_json(view).to_json() == view
    assert {line["type"] for line in rest} == {"view", "ask", "move"}
    assert (end["type"], end["reason"], end["seed"], end["record"]) == ("end", "over", "9", None)
    assert sum(end["utilities"]) == pytest.approx(1)
    passed = {line["move"] for line in rest if line["type"] == "move" and line["seat"] and line["move"][:4] == "pass"}
    assert passed <= {"pass:?"}
    plies = [line["ply"] for line in rest if line["type"] == "move"]
    assert plies == list(range(len(plies)))


def test_json_refuses_wrong_entries_with_kind_message_and_what_is_legal(run: Runner) -> None:
    ran = run("play agency --no-accomplices --seed 9 --json", entries=["frog", "99", "look:1"])
    ask = next(line for line in ran.objects if line["type"] == "ask")
    refused = [line for line in ran.objects if line["type"] == "refused"]

    assert [(line["entry"], line["error"]) for line in refused] == [
        ("frog", "NotAMove"),
        ("99", "NotAMove"),
        ("look:1", "IllegalMove"),
    ]
    assert all(line["legal"] == ask["legal"] and line["message"] for line in refused)
    assert ran.objects[-1]["reason"] == "left"


def test_the_number_of_bots_or_agents_tells_the_number_of_players(run: Runner) -> None:
    assert run("play agency --json --bots random greedy random random").objects[0]["players"] == 5
    assert run("play agency --json --agents wxt jean").objects[0]["players"] == 2
    assert run("play agency --json").objects[0]["players"] == 3
