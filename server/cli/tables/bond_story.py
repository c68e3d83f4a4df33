"""What happens at bond's table, told from two views of one seat: the one before a move and the one after it."""

from collections import Counter
from collections.abc import Iterator, Sequence

from rich.text import Text

from machiavel.server.cli.tables.setting import Seen
from machiavel.server.cli.tables.voice import SeatVoice

__all__ = ["GOAL", "SPIES", "card_drawn", "spies_turned_up", "story", "worth_of"]

GOAL, SPIES = 30, 18


def story(voice: SeatVoice, before: Seen | None, seat: int | None, move: str | None, after: Seen) -> Iterator[Text]:
    """Line by line what the seat saw of a move and of what followed from it."""
    if before is None or seat is None or move is None:
        yield Text(voice.words("begin"), style="bold")
        return
    yield told_move(voice, before, seat, move, after)
    yield from told_fate(voice, before, seat, move)
    spies = spies_turned_up(before, move, after)
    if spies:
        yield voice.words.styled("turned", spies=Text(" + ".join(map(str, spies)), style="bold yellow"))
        target = int(move.partition(">")[2]) if ">" in move else before["attack"]["target"]
        fate = "capture" if after["attack"] else "escape"
        yield voice.say(fate, target, lair=sum(before["lairs"][target]))
    if before["turn"] != after["turn"]:
        yield from told_draw(voice, before, move, spies, after)


def told_move(voice: SeatVoice, before: Seen, seat: int, move: str, after: Seen) -> Text:
    """What was said or played."""
    what, _, goal = move.partition(">")
    word, _, mark = what.partition(":")
    if word in {"spy", "steal", "deck"}:
        victim = voice.of("hand_of", int(mark)) if word == "steal" else ""
        return voice.say(word, seat, int(goal), value=mark, victim=victim)
    if word == "lair":
        return voice.say("lair", seat, value=mark, lair=sum(after["lairs"][seat]))
    if word == "kill":
        return voice.say("kill", seat, points=after["points"][seat] - before["points"][seat])
    if word == "foil":
        attack = before["attack"]
        return voice.say("foil", seat, letter=attack["taunt"], place=voice.of("lair_of", attack["target"]))
    return voice.say(word, seat, value=mark, letter=mark)


def told_fate(voice: SeatVoice, before: Seen, seat: int, move: str) -> Iterator[Text]:
    """Whether a taunt stands, once the last one asked has let it pass."""
    attack = before["attack"]
    if move == "let" and (seat + 1) % len(before["points"]) == attack["target"]:
        yield Text(voice.words("stands", worth=2 * worth_of(attack)), style="yellow")


def worth_of(attack: Seen) -> int:
    """What a captured spy scores if it is killed now."""
    value: int = sum(attack["spies"]) * 2 ** len(attack["taunts"])
    return value


def spies_turned_up(before: Seen, move: str, after: Seen) -> list[int]:
    """The spies that the move showed to everybody; none where it showed none."""
    word = move.partition(">")[0].partition(":")[0]
    if word not in {"spy", "steal", "deck", "go"} or (after["attack"] and not after["attack"]["captured"]):
        return []
    if after["attack"]:
        return list(after["attack"]["spies"])
    escaped = Counter(after["discard"]["spies"]) - Counter(before["discard"]["spies"])
    return sorted(escaped.elements(), reverse=True)


def told_draw(voice: SeatVoice, before: Seen, move: str, spies: Sequence[int], after: Seen) -> Iterator[Text]:
    """Whose turn begins, and what is seen of the card drawn; `spies` are those that the move turned up."""
    seat = after["turn"]
    if before["pile"]["count"] == int(move.startswith("deck")):
        yield voice.say("draw_none", seat)
    elif seat == voice.me:
        stolen = spies if move.startswith(f"steal:{seat}>") else ()
        yield voice.say("draw", seat, card=told_card(voice, *card_drawn(before, stolen, after)))
    else:
        yield voice.say("draw_spy" if drew_a_spy(before, move, after) else "draw_other", seat)


def drew_a_spy(before: Seen, move: str, after: Seen) -> bool:
    gone = before["pile"]["spies"] - after["pile"]["spies"]
    return bool(gone - move.startswith("deck"))


def card_drawn(before: Seen, stolen: Sequence[int], after: Seen) -> tuple[str, object]:
    """The sort and mark of the card that came into the reader's hand."""
    for sort, cards in after["hand"].items():
        left = Counter(before["hand"][sort])
        if sort == "spies":
            left.subtract(stolen)
        for mark in Counter(cards) - left:
            return sort, mark
    raise ValueError("no card was drawn")


def told_card(voice: SeatVoice, sort: str, mark: object) -> Text:
    word = {"lairs": "lair", "spies": "spy", "doublers": "doubler"}[sort]
    return Text(voice.words(f"card_{word}", mark=mark), style="bold")
