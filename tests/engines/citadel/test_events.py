"""What citadel tells: who follows the events alone knows the table, and both languages say it in words."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from machiavel.engines import GameEvent, SeenMove, State, Teller
from machiavel.engines.citadel.house import COLOURS
from machiavel.engines.phrases import typeset
from machiavel.search import make_bot
from tests.conformance.cases import CURIOUS
from tests.engines.citadel.table import GAME, play, seen, situation, with_effects

NBSP = "\N{NO-BREAK SPACE}"

Seen = Mapping[str, Any]
Step = tuple[State, Seen, SeenMove, Seen, list[GameEvent]]


def matches(count: int) -> Iterator[State]:
    """Of every number of players, in the shipped house and in one whose cards are stranger."""
    for seed in range(count):
        yield GAME.new(1 + seed % 5, seed=seed, deck=CURIOUS if seed % 2 else "house")


def steps(state: State, seed: int) -> Iterator[Step]:
    """A match by greedy and random players, with what each move told the spectator."""
    bots = [make_bot("greedy"), make_bot(f"random:seed={seed}")]
    teller = Teller(GAME.plugin, state.rules, "en", None)
    after = seen(state)
    while (seat := state.seat_to_move) is not None:
        state.play(bots[len(state.moves) % 3 == 0].choose(state.view(seat)))
        before, after = after, seen(state)
        move = SeenMove(seat, state.moves[-1])
        yield state, before, move, after, teller.events(before, move, after)


def last_told(state: State, text: str, language: str = "en", me: int | None = None) -> list[str]:
    """What a move tells."""
    before, seat = seen(state), state.seat_to_move
    assert seat is not None
    play(state, text)
    after = seen(state)
    teller = Teller(GAME.plugin, state.rules, language, me)
    return [teller.text(after, event) for event in teller.events(before, SeenMove(seat, text), after)]


class Follower:
    """Somebody who sees the table once and then hears what happens."""

    def __init__(self, view: Seen) -> None:
        self.places = list(view["places"])
        self.treasures = {colour: dict(treasure) for colour, treasure in view["treasures"].items()}
        self.known = {name: view[name] for name in ("turn", "active", "professor", "time", "dice", "played", "held", "result")}
        self.known["shown"] = list(view["shown"])
        self.off, self.saved, self.lost = set(view["off"]), set(view["saved"]), set(view["lost"])
        self.powers, self.doors = list(view["powers"]), len(view["open"])

    def hear(self, event: GameEvent) -> None:
        fields: dict[str, Any] = dict(event.fields)
        match event.kind:
            case "walk" | "enter" | "slip":
                self.places[fields["seat"]] = fields["room"]
            case "thrown_out":
                self.places[fields["seat"]] = None
            case "unlock":
                self.doors += 1
            case "disarm":
                self.off.add(fields["room"])
            case "rearmed":
                self.off -= set(fields["rooms"])
            case "saved" | "lost":
                {"saved": self.saved, "lost": self.lost}[event.kind].add(fields["treasure"])
            case "more_time" | "less_time":
                marker = next(one for one in self.treasures.values() if one["id"] == fields["treasure"])
                marker["clock"] = (marker["clock"] + fields["minutes"] * (1 if event.kind == "more_time" else -1)) % 60
            case "clock" | "clock_back":
                self.known["time"] = (self.known["time"] + fields["minutes"] * (1 if event.kind == "clock" else -1)) % 60
                assert fields["hour"] == self.known["time"]
            case "new":
                clock = (self.known["time"] + fields["minutes"]) % 60
                self.treasures[fields["colour"]] = {"id": fields["treasure"], "room": fields["room"], "clock": clock}
            case "professor" | "passage" | "stays":
                self.known["professor"] = fields["room"]
                self.doors -= fields["locked"]
            case "card":
                self.known["played"] = fields["card"]
            case "hold":
                self.known["held"] = True
            case "bonus" | "power_up":
                self.powers[fields["seat"]] = event.kind == "power_up"
            case "rolled" | "rerolled" | "turned":
                self.known["dice"] = {die: fields[die] for die in ("professor", "colour", "clock")}
            case "turn":
                self.known |= {"turn": fields["turn"], "active": fields["seat"], "played": None}
            case "drawn":
                self.known["shown"] = fields["cards"]
            case "team_won" | "team_lost" | "time_up":
                self.known["result"] = "won" if event.kind == "team_won" else "lost"


@pytest.mark.parametrize("count", [40, pytest.param(400, marks=pytest.mark.slow)])
def test_who_hears_every_event_knows_the_table(count: int) -> None:
    kinds = set()
    for seed, state in enumerate(matches(count)):
        follower = Follower(seen(state))
        for _, before, move, after, events in steps(state, seed):
            for event in events:
                follower.hear(event)
                kinds.add(event.kind)
                if event.kind == "disarm_type":
                    follower.off |= {room for room, trap in before["traps"].items() if trap == event.fields["trap"]}
            if not after["held"]:
                follower.known["held"] = False  # at the end of a turn
            assert follower.known == {name: after[name] for name in follower.known}, (seed, move)
            assert (follower.places, follower.powers) == (after["places"], after["powers"]), (seed, move)
            assert (follower.off, follower.doors) == (set(after["off"]), len(after["open"])), (seed, move)
            assert (follower.saved, follower.lost) == (set(after["saved"]), set(after["lost"])), (seed, move)
            if after["result"] is None:
                assert follower.treasures == after["treasures"], (seed, move)
        assert state.is_over
    assert set(GAME.plugin.event_kinds) - kinds <= {"time_up", "more_time", "power"}  # they have tests of their own


def test_he_throws_out_all_who_stand_on_his_way_and_nobody_else() -> None:
    thrown = 0
    for seed, state in enumerate(matches(40)):
        for _, before, _, after, events in steps(state, seed):
            his = next((event.fields for event in events if event.kind in {"professor", "passage", "stays"}), None)
            way = set() if his is None else {his["room"], *his.get("rooms", ())}
            entered = way if not before["held"] or any(event.kind == "lure" for event in events) else set()
            out = {event.fields["seat"] for event in events if event.kind == "thrown_out"}
            assert out == {seat for seat, place in enumerate(before["places"]) if place in entered and place is not None}
            assert all(after["places"][seat] is None for seat in out)
            thrown += len(out)
    assert thrown > 20


def test_every_seat_and_the_spectator_are_told_the_same() -> None:
    state = GAME.new(3, seed=5)
    bot = make_bot("greedy")
    views = [state.view(seat).to_json()["view"] for seat in (0, 1, 2)] + [seen(state)]
    while (seat := state.seat_to_move) is not None:
        state.play(bot.choose(state.view(seat)))
        now = [state.view(seat).to_json()["view"] for seat in (0, 1, 2)] + [seen(state)]
        move = SeenMove(seat, state.moves[-1])
        told = [
            Teller(GAME.plugin, state.rules, "en", me).events(before, move, after)
            for me, before, after in zip((0, 1, 2, None), views, now, strict=True)
        ]
        assert told[1:] == told[:-1] and told[0]
        views = now


@pytest.mark.parametrize("language", ["en", "fr"])
def test_everything_is_told_in_words(language: str) -> None:
    for seed, state in enumerate(matches(12)):
        house, told = state.rules.tables.house, ""
        tellers = [Teller(GAME.plugin, state.rules, language, me) for me in (None, 0)]
        for _, _, _, after, events in steps(state, seed):
            for event in events:
                for teller in tellers:
                    sentence = teller.text(after, event)
                    assert sentence[0].isupper() or sentence[0].isdigit(), sentence
                    assert sentence[-1] in ".!", sentence
                    told += sentence
        assert not {sign for sign in "{}[]_" if sign in told}
        for some in (house.rooms, house.cards, house.treasures):
            assert not [one for one in some if "_" in one and one in told]


# ---- Sentences ----


def test_a_turn_begins_with_its_number_and_whose_it_is() -> None:
    state = play(GAME.new(2, seed=1, characters=["irene", "leroy"], layout={"first": 0}))
    told = last_told(state, "end")
    assert told[0].startswith("Irene ends the turn and rolls: ")
    assert "Turn 2: Leroy Johnson." in told and told[-1].startswith("Cards: ")
    fresh = Teller(GAME.plugin, state.rules, "fr", 0)
    begun = seen(GAME.new(2, seed=1, characters=["irene", "leroy"], layout={"first": 0}))
    first = next(iter(fresh.events(None, None, begun)))
    assert fresh.text(begun, first) == "Tour 1\N{NO-BREAK SPACE}: à toi de jouer."


SPOKEN: list[tuple[str, Seen, str, str]] = [
    (
        "go:gallery",
        {},
        "You climb through the window into the gallery.",
        "Tu entres dans la galerie par la fenêtre.",
    ),
    (
        "go:trophy_room",
        {"places": ["gallery"], "open": ["gallery:red"]},
        "You go to the trophy room.",
        "Tu vas dans la salle des trophées.",
    ),
    (
        "unlock:blue",
        {"places": ["study"]},
        "You unlock the door between the study and the vault.",
        "Tu déverrouilles la porte entre le bureau et la chambre forte.",
    ),
    (
        "disarm",
        {"places": ["study"]},
        "You disarm the laser in the study.",
        "Tu désactives le laser du bureau.",
    ),
    (
        "power:observatory",
        {"characters": ["leroy"], "powers": [True], "places": ["study"]},
        "You use your power. You disarm the camera in the observatory.",
        "Tu utilises ton pouvoir. Tu désactives la caméra de l’observatoire.",
    ),
    (
        "power:red",
        {"characters": ["irene"], "powers": [True], "left": {"red": 30}},
        "You use your power. 5 more minutes for the Crystal Skull.",
        "Tu utilises ton pouvoir. 5 minutes de plus pour le crâne de cristal.",
    ),
    (
        "card:skylight:gallery",
        {},
        "You play Skylight. You climb through the window into the gallery.",
        f"Tu joues «{NBSP}Lucarne{NBSP}». Tu entres dans la galerie par la fenêtre.",
    ),
    (
        "card:loaded_dice",
        {"characters": ["destiny"]},
        "You play Loaded Dice. After your roll you may turn one die to any face.",
        f"Tu joues «{NBSP}Dés pipés{NBSP}». Après ton lancer, tu pourras mettre un dé sur la face de ton choix.",
    ),
    (
        "card:double_or_quits",
        {"characters": ["destiny"], "shown": ["double_or_quits", "joker"]},
        "You play Double or Quits. After your roll you may reroll 3 dice, 2 times.",
        f"Tu joues «{NBSP}Quitte ou double{NBSP}». Après ton lancer, tu pourras relancer jusqu’à 3 dés, 2 fois.",
    ),
]


@pytest.mark.parametrize(("move", "changes", "english", "french"), SPOKEN, ids=[move for move, *_ in SPOKEN])
def test_what_a_player_does_is_told_with_verbs(move: str, changes: Any, english: str, french: str) -> None:
    for language, sentence in (("en", english), ("fr", french)):
        assert " ".join(last_told(situation(**changes), move, language, 0)) == typeset(sentence, language)


def test_the_dice_are_told_with_what_they_do() -> None:
    state = situation(2, places=["main_hall", None], powers=[True, False], open=["main_hall:green"], phase="dice", actions=0,
                      chooses=1, dice={"professor": "1", "colour": "red", "clock": 5})  # fmt: skip
    told = last_told(state, "keep", "fr")
    assert told[:4] == [
        "Nathan garde les dés tels quels.",
        "Le professeur Evil va dans le hall principal et verrouille une porte derrière lui.",
        "Il chasse Nathan du manoir\N{NO-BREAK SPACE}!",
        "L’horloge avance de 5 minutes, jusqu’à I.",
    ]
    assert told[4] == "Tour 2\N{NO-BREAK SPACE}: Edward Wyre."


def test_ways_markers_and_the_passage_are_told() -> None:
    dice: dict[str, Any] = {"phase": "dice", "actions": 0, "chooses": 1}
    for face, colour, sentence in (
        ("3", "blue", "Professor Evil goes through the trophy room and the observatory to the study."),
        ("passage", "red", "Professor Evil takes the secret passage to the vault and locks a door there."),
        ("10", "green", "10 minutes less for the Mona Lisa."),
    ):
        state = situation(open=["study:blue"], dice={"professor": face, "colour": colour, "clock": 5}, **dice)
        assert last_told(state, "keep")[1] == sentence
    held = situation(held=True, dice={"professor": "2", "colour": "red", "clock": 5}, **dice)
    assert last_told(held, "keep")[1] == "Professor Evil stays in the laboratory."


def test_saving_a_treasure_tells_which_traps_are_on_again_and_what_comes_next() -> None:
    off = ["gallery", "laboratory", "vault", "library", "ballroom", "study"]
    told = last_told(situation(places=["vault"], off=off), "take", me=0)
    assert told[0] == "You save the Crystal Skull!"
    assert told[1].startswith("The traps in the gallery, the ballroom,") and told[1].endswith("are on again.")
    assert told[2].startswith("A new red treasure: ")


def test_the_end_is_told_once() -> None:
    saved = ["magna_carta", "hope_diamond", "excalibur"]
    off = ["gallery", "laboratory", "vault", "library", "ballroom", "study"]
    told = last_told(situation(places=["vault"], off=off, saved=saved), "take")
    assert told[0] == "Nathan saves the Crystal Skull!" and told[-1] == "Four treasures saved: the team wins!"
    rolled = situation(
        lost=saved, left={"red": 5}, phase="dice", actions=0, chooses=1, dice={"professor": "5", "colour": "red", "clock": 5}
    )
    assert last_told(rolled, "keep")[-2:] == [
        "Too late: Professor Evil locks the Crystal Skull away.",
        "Four treasures lost: Professor Evil wins.",
    ]


def test_the_clock_goes_back_and_on_as_cards_say() -> None:
    back = situation(characters=["irene"], time=20)
    assert last_told(back, "card:rewind")[1:] == ["The clock goes back 5 minutes, to III."]
    far = situation(time=40, left=dict.fromkeys(COLOURS, 20), options=with_effects({"do": "time_back", "minutes": 30}))
    assert last_told(far, "card:sprint")[1:] == ["The clock goes back 30 minutes, to II."]
    on = situation(left=dict.fromkeys(COLOURS, 50), options=with_effects({"do": "time_on", "minutes": 30}, {"do": "extra"}))
    assert "The clock moves on 30 minutes, to VI." in last_told(on, "card:sprint")
