"""What happens at citadel's table, told from two views: the one before a move and the one after it."""

from collections.abc import Iterator, Sequence

from rich.text import Text

from machiavel.engines.citadel.house import CLOCK_FACES, COLOURS, PROFESSOR_FACES, House
from machiavel.engines.citadel.labels import COLOUR_NAMES, face_words, list_words
from machiavel.server.cli.tables.citadel_map import HOURS, INK, minutes_left
from machiavel.server.cli.tables.citadel_words import CITADEL_TEXTS
from machiavel.server.cli.tables.setting import Seen, TableSetting
from machiavel.server.cli.tables.voice import SeatVoice

__all__ = ["Voice", "dice_words", "story"]

ROLLS = ("end", "keep", "reroll", "choose")


class Voice(SeatVoice):
    """Says who and what; the characters are known from the first view on."""

    def __init__(self, house: House, setting: TableSetting) -> None:
        super().__init__(CITADEL_TEXTS, setting)
        self.house = house
        self.label = setting.label
        self.characters: Sequence[str] = ()

    def meet(self, view: Seen) -> None:
        self.characters = view["characters"]

    def full(self, seat: int) -> str:
        """A player by character and seat, the reader too."""
        number = self.house.characters.index(self.characters[seat])
        return self.words("name", character=self.house.character_names[self.language][number], seat=seat)

    def room(self, room: str) -> str:
        return self.house.room_names[self.language][self.house.rooms.index(room)]

    def treasure(self, name: str) -> str:
        return self.house.treasure_names[self.language][self.house.treasures.index(name)]

    def card(self, card: str) -> Text:
        """A card by its name and what it does."""
        number = self.house.cards.index(card)
        what = list_words(self.house.lists[number], self.language)
        return Text(self.house.card_names[self.language][number], style="bold").append(f" – {what}", style="not bold")


def dice_words(voice: Voice, view: Seen) -> str:
    dice = view["dice"]
    faces = PROFESSOR_FACES.index(dice["professor"]), COLOURS.index(dice["colour"]), CLOCK_FACES.index(dice["clock"])
    return ", ".join(face_words(die, face, voice.language) for die, face in enumerate(faces))


def story(voice: Voice, before: Seen | None, seat: int | None, move: str | None, after: Seen) -> Iterator[Text]:
    """Line by line a move and what followed from it."""
    if before is not None and seat is not None and move is not None:
        yield voice.say("does", seat, move=voice.label(move))
        if move.partition(":")[0] in ROLLS and after["dice"] is not None:
            yield Text(voice.words("dice", dice=dice_words(voice, after)), style="bold")
        yield from changes(voice, before, after)
    if after["phase"] != "over" and (before is None or before["turn"] != after["turn"]):
        cards = Text(" | ").join(map(voice.card, after["shown"]))
        yield voice.say("turn", after["active"], turn=after["turn"], cards=cards)


def changes(voice: Voice, before: Seen, after: Seen) -> Iterator[Text]:
    """The professor, traps, players, treasures, the clock."""
    words = voice.words
    if before["professor"] != after["professor"]:
        yield Text(words("moved", room=voice.room(after["professor"])), style="magenta")
    rearmed = [voice.room(room) for room in before["off"] if room not in after["off"]]
    if rearmed:
        yield Text(words("rearmed", rooms=", ".join(rearmed)))
    for seat, place in enumerate(after["places"]):
        if place is None and before["places"][seat] is not None:
            yield voice.say("fled", seat)
    for name in after["saved"]:
        if name not in before["saved"]:
            yield Text(words("saved", name=voice.treasure(name)), style="bold green")
    for name in after["lost"]:
        if name not in before["lost"]:
            yield Text(words("lost", name=voice.treasure(name)), style="bold red")
    for number, colour in enumerate(COLOURS):
        new, old = after["treasures"][colour], before["treasures"][colour]
        if new is not None and old is not None and new["id"] != old["id"]:
            parts = {"colour": COLOUR_NAMES[voice.language][number], "minutes": minutes_left(after, colour)}
            text = words("new", name=voice.treasure(new["id"]), room=voice.room(new["room"]), **parts)
            yield Text(text, style=INK[colour])
    if before["time"] != after["time"]:
        yield Text(words("time", time=HOURS[after["time"] // 5]))
