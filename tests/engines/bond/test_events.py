"""What bond tells of a match: the truth, from the views of one seat or of the spectator, and no more than they show."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from machiavel.engines import LANGUAGES, State, Teller
from machiavel.engines.events import GameEvent, SeenMove
from machiavel.search import make_bot
from tests.engines.bond.distribution import engine_start
from tests.engines.bond.secrecy import twin_pairs
from tests.engines.bond.table import GAME, lay, seen, truth

Told = tuple[str, list[GameEvent]]  # a move as it was seen, and the events

DOUBLED = {0: "", 1: " (3 doubled once)", 2: " (3 doubled twice)", 3: " (3 doubled 3 times)"}


def teller(state: State, watcher: int | None, language: str = "en") -> Teller:
    return Teller(GAME.plugin, state.rules, language, watcher)


def told(state: State, moves: Iterator[str], watcher: int | None, *, is_open: bool = False) -> Iterator[Told]:
    """What the watcher is told while these moves are played; `is_open` shows it the moves themselves."""
    tells, after = teller(state, watcher), seen(state, watcher)
    yield "", tells.events(None, None, after)
    for move in moves:
        seat = state.seat_to_move
        assert seat is not None
        state.play(move)
        before, after = after, seen(state, watcher)
        text = move if is_open else state.observed_moves(watcher)[-1]
        yield text, tells.events(before, SeenMove(seat, text), after)


def chosen(state: State, bot: str) -> Iterator[str]:
    player = make_bot(bot)
    while state.seat_to_move is not None:
        yield player.choose(state.view(state.seat_to_move))


def matches(count: int) -> Iterator[tuple[State, int | None, list[GameEvent]]]:
    """Whole matches, each told to one of the seats or to the spectator."""
    for players in range(2, 7):
        for number in range(count):
            state = GAME.new(players, seed=number)
            watcher = None if number % (players + 1) == players else number % (players + 1)
            bot = "greedy" if number % 3 == 0 else f"random:seed={number}"
            yield state, watcher, [event for _, events in told(state, chosen(state, bot), watcher) for event in events]


def of_kind(events: list[GameEvent], *kinds: str) -> list[dict[str, Any]]:
    return [dict(event.fields) for event in events if event.kind in kinds]


def test_points_lairs_spies_and_winners_are_those_of_the_match() -> None:
    kinds: Counter[str] = Counter()
    for state, _, events in matches(12):
        kinds.update(event.kind for event in events)
        view, points = seen(state), Counter[int]()
        for kill in of_kind(events, "kill"):
            points[kill["seat"]] += kill["points"]
            assert kill["points"] == kill["worth"] * 2 ** kill["doublings"]
            assert kill["total"] == points[kill["seat"]]
        assert [points[seat] for seat in range(state.players)] == view["points"]

        freed = of_kind(events, "escaped", "foil")
        ends = [*freed, *of_kind(events, "kill")]
        assert sum(end["count"] for end in ends) == len(view["discard"]["spies"])
        turned = [card for event in of_kind(events, "turned_up_together") for card in event["spies"]]
        turned += [event["spy"] for event in of_kind(events, "turned_up")]
        assert sorted(turned) == sorted(f"spy:{value}" for value in view["discard"]["spies"])

        winners = [win["seat"] for win in of_kind(events, "won")]
        winners += [seat for tie in of_kind(events, "shared") for seat in tie["seats"]]
        best = max(state.utilities)
        assert winners == [seat for seat, utility in enumerate(state.utilities) if utility == best]
        (end,) = [event.kind for event in events if event.kind in {"goal", "last_spy", "nobody_plays"}]
        assert (end == "goal") == (max(view["points"]) >= 30)
        assert (end == "last_spy") == (len(view["discard"]["spies"]) == 18 and end != "goal")
    assert set(kinds) == set(GAME.plugin.event_kinds)


def test_lairs_are_worth_what_is_told_until_they_are_told_destroyed() -> None:
    destroyed = 0
    for players in range(2, 7):
        state = GAME.new(players, seed=players)
        worth = [0] * players
        for _, events in told(state, chosen(state, f"random:seed={players}"), None):
            for event in events:
                fields = event.fields
                if event.kind == "lair":
                    worth[fields["seat"]] = fields["worth"]
                elif event.kind in {"captured", "escaped"}:
                    assert fields["lair"] == worth[fields["seat"]]
                    assert (fields["worth"] <= fields["lair"]) == (event.kind == "captured")
                if event.kind in {"escaped", "foil"}:
                    worth[fields["seat" if event.kind == "escaped" else "target"]] = 0
                    destroyed += 1
            assert worth == [sum(lair) for lair in seen(state)["lairs"]]
    assert destroyed > 30


def test_hands_are_what_is_told_of_draws_and_of_spies_that_are_sent_and_stolen() -> None:
    """Counted by their backs by the spectator: so a spy is told lost by whom it was stolen from."""
    stolen = 0
    for players in range(2, 7):
        state = GAME.new(players, seed=40 + players)
        hands = [hand["spies"] for hand in seen(state)["hands"]]
        for _, events in told(state, chosen(state, f"random:seed={players}"), None):
            for event in events:
                if event.kind in {"spy", "add"}:
                    hands[event.fields["seat"]] -= 1
                elif event.kind == "steal":
                    hands[event.fields["victim"]] -= 1
                    stolen += 1
                elif event.kind == "draw_back":
                    hands[event.fields["seat"]] += event.fields["back"] == "spy"
            assert hands == [hand["spies"] for hand in seen(state)["hands"]]
    assert stolen > 20


def test_the_card_a_seat_draws_is_told_to_it_alone() -> None:
    drawn = 0
    for players in range(2, 7):
        first = GAME.new(players, seed=60 + players)
        state, moves = first.copy(), []
        for move in chosen(state, "random:seed=1"):
            moves.append(move)
            state.play(move)
        for watcher in (*range(players), None):
            state = first.copy()
            for _, events in told(state, iter(moves), watcher):
                for event in events:
                    if event.kind == "draw":
                        assert event.fields["seat"] == watcher
                        sort, _, mark = event.fields["card"].partition(":")
                        name = {"lair": "lairs", "spy": "spies", "doubler": "doublers"}[sort]
                        assert mark in map(str, truth(state)["hands"][watcher][name])
                        drawn += 1
                    assert event.kind != "draw_back" or event.fields["seat"] != watcher
    assert drawn > 100


def test_a_seat_cannot_tell_deals_apart_by_what_it_is_told() -> None:
    compared = 0
    for first, second, seat in twin_pairs(60):
        runs = [list(told(engine_start(match), iter(match.moves), seat)) for match in (first, second)]
        assert runs[0] == runs[1]
        compared += len(runs[0]) > 1
    assert compared > 20


def test_a_telling_from_the_truth_is_found_out() -> None:
    """The same pairs tell apart who is told from the moves themselves."""

    def leaking(state: State, moves: Sequence[str]) -> list[GameEvent]:
        return [event for _, events in told(state, iter(moves), None, is_open=True) for event in events]

    pairs = [(first, second) for first, second, seat in twin_pairs(60) if seat is None]
    assert any(leaking(engine_start(one), one.moves) != leaking(engine_start(other), other.moves) for one, other in pairs)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_event_has_its_sentence(language: str) -> None:
    said = set()
    for players in range(2, 7):
        for seed in range(4):
            state = GAME.new(players, seed=seed)
            watcher = None if seed == 3 else seed % players
            tells, after = teller(state, watcher, language), seen(state, watcher)
            for move in chosen(state, f"random:seed={seed}"):
                seat = state.seat_to_move
                assert seat is not None
                state.play(move)
                before, after = after, seen(state, watcher)
                for event in tells.events(before, SeenMove(seat, state.observed_moves(watcher)[-1]), after):
                    text = tells.text(after, event)
                    assert text[0].isupper() and text[-1] in ".!" and "None" not in text and "[" not in text and "?" not in text
                    said.add(text)
    assert len(said) > 200


def sentences(state: State, watcher: int | None, moves: str, language: str = "en") -> list[str]:
    tells = teller(state, watcher, language)
    events = [event for _, events in told(state, iter(moves.split()), watcher) for event in events]
    return [tells.text(seen(state, watcher), event) for event in events]


def test_a_stolen_spy_is_told_to_the_thief_the_victim_and_the_others() -> None:
    def of_steal(watcher: int | None, language: str) -> str:
        state = lay(3, ["lair:4", "spy:2", ""], first=0, steals=[2])
        return sentences(state, watcher, "lair:4 steal:1>0", language)[2]

    assert of_steal(0, "en") == "You steal a spy from seat 1 and send it to your own lair."
    assert of_steal(1, "en") == "Seat 0 steals a spy from you and sends it to their own lair."
    assert of_steal(None, "en") == "Seat 0 steals a spy from seat 1 and sends it to their own lair."
    assert of_steal(0, "fr") == "Tu voles un espion au joueur 1 et tu l’envoies dans ton propre repaire."
    assert of_steal(1, "fr") == "Le joueur 0 te vole un espion et l’envoie dans son propre repaire."
    assert of_steal(2, "fr") == "Le joueur 0 vole un espion au joueur 1 et l’envoie dans son propre repaire."


def test_a_spy_sent_into_the_lair_of_its_holder_is_told_without_the_name_twice() -> None:
    def of_steal(watcher: int | None) -> str:
        state = lay(3, ["", "lair:4 spy:2", ""], first=1, steals=[2])
        return next(text for text in sentences(state, watcher, "lair:4 end skip end skip steal:1>1") if " steal" in text)

    assert of_steal(0) == "You steal a spy from seat 1 and send it to their own lair."
    assert of_steal(1) == "Seat 0 steals a spy from you and sends it to your own lair."
    assert of_steal(2) == "Seat 0 steals a spy from seat 1 and sends it to seat 1's own lair."


@pytest.mark.parametrize("taunts", [0, 1, 2, 3])
def test_a_kill_is_told_with_what_doubled_it(taunts: int) -> None:
    hand = "lair:4 spy:3 doubler:A doubler:B doubler:C"
    moves = "lair:4 spy:3>0 " + "".join(f"taunt:{letter} let " for letter in "ABC"[:taunts]) + "kill"
    points = 3 * 2**taunts
    told = sentences(lay(2, [hand], "lair:1"), 0, moves)
    assert f"You kill the spy: {points} points{DOUBLED[taunts]}, {points} in all." in told
