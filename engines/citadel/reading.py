"""What contradicts what in a view of citadel, and what follows from the rest."""

from collections.abc import Mapping
from typing import Any, ClassVar

from machiavel.engines.citadel import _engine, schema
from machiavel.engines.citadel.house import COLOURS, House
from machiavel.engines.citadel.lists import EFFECTS, PHRASES, EffectList
from machiavel.engines.errors import shown
from machiavel.engines.plugin import Rules
from machiavel.engines.views import ViewReader

__all__ = ["Reader"]

SEATS, TYPES, MOST_PLIES = 5, 8, 65535
NEED_NOTHING = {"hold", "time_back", "time_on", "extra", "reroll", "choose"}


class Reader(ViewReader):
    """Everything lies open, so a view tells all; but for the past, which may be forgotten."""

    schema, native, phrases = schema.VIEWS, _engine, PHRASES
    chapters = ("seats", "rooms", "gone", "treasures", "locations", "piles", "turn_number", "turn", "under_way", "rest", "dice")
    reads: ClassVar[Mapping[str, str]] = {
        "seats": "seat phase active characters powers",
        "rooms": "professor places open traps off",
        "gone": "time saved lost treasures",
        "locations": "locations",
        "piles": "shown discards played",
        "turn_number": "turn",
        "turn": "held power_used activated actions ply",
        "under_way": "under_way",
        "dice": "rerolls chooses throws dice",
    }

    def __init__(self, rules: Rules, data: Mapping[str, Any]) -> None:
        super().__init__(rules, data)
        self.house: House = rules.tables.house

    def seats(self) -> None:
        """Who is who."""
        told, given = self.told, self.rules.tables.characters
        names = [self.house.characters[one] for one in told.characters]
        self.expect(len(set(names)) == self.players, "characters", "character_twice", names=names)
        self.expect(given in {None, tuple(told.characters)}, "characters", "characters_by_option", names=names)

    def rooms(self) -> None:
        """Who stands where, and the traps."""
        told, house = self.told, self.house
        for seat, place in enumerate(told.places):
            self.tell(place is None or place != told.professor, f"places[{seat}]", "with_professor", room=house.rooms[place or 0])
        counts = ", ".join(f"{house.traps.count(kind)} {name}" for kind, name in enumerate(house.types))
        self.tell(sorted(told.traps) == sorted(house.traps), "traps", "other_traps", counts=counts)

    def gone(self) -> None:
        """Treasures saved and lost."""
        told = self.told
        self.saved, self.lost = told.saved.bit_count(), told.lost.bit_count()
        score = {"saved": self.saved, "lost": self.lost, "most": schema.TREASURES}
        is_so = max(self.saved, self.lost) <= schema.TREASURES and self.saved + self.lost < 2 * schema.TREASURES
        self.expect(is_so, "saved", "too_many_gone", **score)
        self.is_decided = schema.TREASURES in {self.saved, self.lost}
        self.tell(
            not self.is_decided or told.phase == schema.OVER, "phase", "should_be_over", phase=schema.PHASES[told.phase], **score
        )
        self.tell(not told.saved & told.lost, "lost", "saved_and_lost")

    def treasures(self) -> None:
        """Those on the board, by colour."""
        told, house, gone = self.told, self.house, self.told.saved | self.told.lost
        self.left = [0] * len(COLOURS)  # spaces from the time marker
        for colour, (name, tile) in enumerate(told.treasures.items()):
            if tile is None:
                continue
            left = (tile["clock"] - told.time) // 5 % 12
            self.tell(left or told.phase == schema.OVER, f"treasures.{name}.clock", "on_time_marker")
            self.tell(not gone >> tile["id"] & 1, f"treasures.{name}.id", "elsewhere_too", id=house.treasures[tile["id"]])
            self.left[colour], gone = left or 12, gone | 1 << tile["id"]
        missing = list(told.treasures.values()).count(None)
        self.tell(missing == (told.phase == schema.OVER and self.is_decided), "treasures", "one_of_each")
        in_play = house.settings[self.rules.tables.setting]
        for tile in schema.bits(gone):
            self.tell(tile in in_play, "treasures", "not_played_with", id=house.treasures[tile])

    def locations(self) -> None:
        """The rooms whose location card is gone."""
        spots = [tile["room"] for tile in self.told.treasures.values() if tile]
        self.expect(len(set(spots)) == len(spots), "treasures", "two_in_one_room")
        here, drawn = sum(1 << spot for spot in spots), self.saved + self.lost + len(spots)
        self.drawn = here if self.told.locations is None else self.told.locations
        self.expect(not here & ~self.drawn and self.drawn.bit_count() <= drawn, "locations", "locations", count=drawn)

    def piles(self) -> None:
        """What each deck has shown."""
        told, house = self.told, self.house
        mine = told.characters[told.active]
        is_so = told.shown[0] != told.shown[1] and all(card // schema.DECK == mine for card in told.shown)
        self.expect(is_so, "shown", "shown", cards=self.data["shown"])
        used = []
        for seat, (pile, character) in enumerate(zip(told.discards, told.characters, strict=True)):
            cards, shown_now = [house.cards[card] for card in schema.bits(pile)], told.shown if seat == told.active else ()
            is_so = all(card // schema.DECK == character for card in schema.bits(pile))
            self.expect(is_so, f"discards[{seat}]", "pile_of_another", cards=cards, character=house.characters[character])
            is_so = len(cards) % 2 == 0 and not any(pile >> card & 1 for card in shown_now)
            self.expect(is_so, f"discards[{seat}]", "odd_pile", cards=cards)
            used.append((pile | sum(1 << card for card in shown_now)) >> schema.DECK * character)
        self.used = used  # of each seat's six cards
        self.tell(told.played in {None, *told.shown}, "played", "not_shown", card=house.cards[told.played or 0])

    def turn_number(self) -> None:
        """It must fit the cards drawn; left out, it is the least that does."""
        seats = [((self.told.active - seat) % self.players, used.bit_count()) for seat, used in enumerate(self.used)]
        fitting = [turn for turn in range(schema.TURNS) if all(self.face_up(turn - since) == count for since, count in seats)]
        self.expect(fitting, "discards", "no_turns")
        self.now = fitting[0] if self.told.turn is None else self.told.turn - 1
        first = ", ".join(str(turn + 1) for turn in fitting[:5])
        self.expect(self.now in fitting, "turn", "other_turns", turn=self.now + 1, turns=first)

    def face_up(self, turn: int) -> int:
        """How many cards of a seat are, from its turn of that number on; it may lie before the first."""
        return 2 * (turn // self.players % 3 + 1) if turn >= 0 else 0

    def turn(self) -> None:
        """What the card, the bonus and the ability of this turn give."""
        told, house = self.told, self.house
        mine = told.characters[told.active]
        self.bonus = schema.FIRST_BONUS + mine
        effects = (*house.lists[self.bonus], house.abilities[mine][0], *(() if told.played is None else house.lists[told.played]))
        self.number("actions", told.actions, 0, 3 + sum(EFFECTS[kind] == "extra" for kind, _ in effects))
        self.number("ply", self.now if told.ply is None else told.ply, self.now, MOST_PLIES)
        self.expect(told.powers[told.active] or not told.activated, "activated", "face_down")

    def under_way(self) -> None:
        """The effect that asks for something."""
        told, way, phase = self.told, self.told.under_way, self.told.phase
        self.list = schema.NOTHING
        if way is None:
            self.expect(phase != schema.CARD_UNDER_WAY, "under_way", "nothing_under_way")
            return
        expected = {"phase": schema.PHASES[phase], "way": shown(self.data["under_way"])}
        self.expect(phase in {schema.CARD_UNDER_WAY, schema.ACTIVATE}, "under_way", "none_under_way", **expected)
        is_so = way["source"] in {schema.CARDS, told.played}
        self.expect(is_so, "under_way.source", "other_card", source=shown(self.data["under_way"]["source"]))
        self.list = self.bonus if way["source"] == schema.CARDS else way["source"]
        self.number("under_way.effect", way["effect"], 1, len(self.house.lists[self.list]))
        self.step(self.house.lists[self.list], way["effect"])

    def step(self, effects: EffectList, step: int) -> None:
        parts = {"step": step, "count": len(effects)}
        if self.told.phase == schema.ACTIVATE:
            self.expect(EFFECTS[effects[step - 1][0]] == "time_on", "under_way.effect", "clock_stood", **parts)
        else:
            self.expect(step < len(effects), "under_way.effect", "no_such_effect", **parts)
            self.expect(EFFECTS[effects[step][0]] not in NEED_NOTHING, "under_way.effect", "needs_nothing", **parts)

    def rest(self) -> None:
        """When dice lie there, or the turn is over, nothing of it is left."""
        told = self.told
        self.is_closed = told.phase in {schema.DICE, schema.OVER} or (told.phase == schema.ACTIVATE and told.under_way is None)
        for name in ("actions", "power_used", "activated", *(["held"] if told.phase != schema.DICE else [])):
            value = getattr(told, name)
            self.tell(not (self.is_closed and value), name, "nothing_left", value=value)

    def dice(self) -> None:
        """Rights left, how often the dice were thrown, and as they lie."""
        told, is_rolled = self.told, self.told.phase == schema.DICE
        rights = sum(told.rerolls) + told.chooses
        self.tell(not self.is_closed or bool(rights) == is_rolled, "rerolls", "rights")
        self.throws = told.throws or [int(is_rolled)] * 3
        for die, count in enumerate(self.throws):
            self.number(f"throws[{die}]", count, int(is_rolled), schema.RIGHTS if is_rolled else 0)
        self.expect(told.dice or not is_rolled, "dice", "no_dice")
        for faces, face in zip(self.house.dice, (told.dice or {}).values(), strict=False):
            self.expect(face in faces, "dice", "not_on_die", dice=shown(self.data["dice"]))

    def struct(self) -> Mapping[str, Any]:
        told, tiles = self.told, list(self.told.treasures.values())
        rooms_of = [sum((trap == kind) << room for room, trap in enumerate(told.traps)) for kind in range(TYPES)]
        guards = [0 if one is None else sum(rooms_of[kind] for kind in self.house.tiles[one["id"]][1]) for one in tiles]
        numbers = [told.characters.index(one) if one in told.characters else schema.NOBODY for one in range(SEATS)]
        table = {
            "mover": schema.NOBODY if told.phase == schema.OVER else told.active,
            "turn": self.now,
            "ply": self.now if told.ply is None else told.ply,
            "place": [schema.OUTSIDE if place is None else place for place in told.places]
            + [schema.OUTSIDE] * (SEATS - self.players),
            "seat_of": numbers,
            "of_type": rooms_of,
            "saved_count": self.saved,
            "lost_count": self.lost,
            "tile": [schema.NOTHING if one is None else one["id"] for one in tiles],
            "spot": [schema.NOTHING if one is None else one["room"] for one in tiles],
            "left": self.left,
            "guards": guards,
            "locations": self.drawn,
            "used": self.used,
            "list": self.list,
            "step": 0 if told.under_way is None else told.under_way["effect"],
            "throws": self.throws,
        }
        return {f"table.{name}": value for name, value in table.items()}

    def whole(self, view: bytes) -> None:
        """A choice that is asked for must be there: two at least of a card, for one is taken by itself."""
        phase = self.told.phase
        if phase in {schema.CARD_UNDER_WAY, schema.ACTIVATE}:
            moves = _engine.moves_of(self.rules.capsule, view)
            self.expect(len(moves) > (phase == schema.CARD_UNDER_WAY), "phase", "no_choice", phase=schema.PHASES[phase])
