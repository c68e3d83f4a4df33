"""Reading views of citadel: JSON checked field by field, for a person may have typed it in."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from machiavel.engines.citadel import _engine
from machiavel.engines.citadel.codec import (
    ACTIVATE,
    CARD,
    CARDS,
    DECK,
    DICE,
    FIRST_BONUS,
    NOBODY,
    NOTHING,
    OUTSIDE,
    OVER,
    PHASES,
    TREASURES,
    TURNS,
    view_json,
)
from machiavel.engines.citadel.house import CLOCK_FACES, COLOURS, PROFESSOR_FACES, House
from machiavel.engines.citadel.lists import EFFECTS, EffectList
from machiavel.engines.errors import BadView
from machiavel.engines.plugin import Rules
from machiavel.engines.reading import ViewReader, checked_number

__all__ = ["view_bytes"]

FORGETTABLE = {"ply", "turn", "locations", "throws", "dice"}  # who does not remember leaves them out
FOLLOWING = {"mover", "result"}  # from the rest
ACTIONS = 3
REQUIRED = {"seat", "active", "characters", "places", "professor", "time", "traps", "off", "treasures", "shown"}
# What is so unless somebody says otherwise: it is the player's turn to act, and nothing unusual has happened in it.
USUAL: Mapping[str, Any] = {
    "phase": "act",
    "held": False,
    "open": [],
    "saved": [],
    "lost": [],
    "played": None,
    "actions": ACTIONS,
    "power_used": False,
    "activated": False,
    "under_way": None,
    "rerolls": [0, 0, 0],
    "chooses": 0,
}
USUAL_BY_SEAT = {"discards": [], "powers": False}
SETS = {"open", "off", "saved", "lost", "locations", "shown"}
MOST_PLIES = 65535
RIGHTS = 20  # more than a card, a bonus and an ability together can give


def view_bytes(rules: Rules, data: Mapping[str, Any]) -> bytes:
    """The view of a JSON object.

    `ply`, `turn`, `locations`, `throws` and `dice` may be left out, and `locations` may lack rooms: then the view is of
    somebody who has forgotten. What is in USUAL is so where it is left out.
    """
    return Reader(rules, data).view()


def in_order(field: str, value: Any) -> Any:
    """What may be told in any order, in one; already checked."""
    if field == "discards":
        return [sorted(pile) for pile in value]
    if field == "traps":
        return sorted(value.items())
    return sorted(value) if field in SETS else value


def as_text(value: Any) -> str:
    """The fields of objects stand in no order."""
    return json.dumps(value, sort_keys=True, default=repr)


class Reader(ViewReader):
    """One view being read: each step takes its fields, checks them against those before, and fills in the engine's."""

    def __init__(self, rules: Rules, data: Mapping[str, Any]) -> None:
        super().__init__(rules, data)
        self.house: House = rules.tables.house
        self.fields = _engine.view_fields(_engine.empty_view())
        self.table: dict[str, Any] = self.fields["table"]

    def view(self) -> bytes:
        known = REQUIRED | FORGETTABLE | FOLLOWING | set(USUAL) | set(USUAL_BY_SEAT)
        for field in map(str, self.data):
            if field not in known:
                raise BadView(field, "is unknown")
        given = set() if self.rules.tables.characters is None else {"characters"}
        for field in sorted(REQUIRED - set(self.data) - given):
            raise BadView(field, "is missing")
        by_seat = {field: [value] * self.players for field, value in USUAL_BY_SEAT.items()}
        self.data = {**USUAL, **by_seat, **self.data}
        if self.rules.tables.characters is not None and "characters" not in self.data:
            self.data = {**self.data, "characters": [self.house.characters[one] for one in self.rules.tables.characters]}
        self.read_place()
        self.read_house()
        self.read_treasures()
        self.read_cards()
        self.read_turn()
        self.read_under_way()
        self.read_dice()
        view = _engine.view_bytes(self.fields)
        if self.phase in {CARD, ACTIVATE} and len(_engine.moves_of(self.rules.capsule, view)) <= (self.phase == CARD):
            raise BadView("phase", f"is {PHASES[self.phase]!r}; but there is nothing to choose")
        again = view_json(self.rules, view)
        for field, value in self.data.items():
            # True is 1 to Python, but not to JSON.
            if as_text(in_order(field, again[field])) != as_text(in_order(field, value)):
                raise BadView(field, f"is {value!r}; the rest of the view makes it {again[field]!r}")
        return view

    # ---- Single values ----

    def truth(self, field: str) -> bool:
        if not isinstance(self.data[field], bool):
            raise BadView(field, f"is {self.data[field]!r}; expected true or false")
        return bool(self.data[field])

    def minutes(self, field: str, value: object) -> int:
        """A space of the clock."""
        if isinstance(value, bool) or not isinstance(value, int) or value % 5 or not 0 <= value < 60:
            raise BadView(field, f"is {value!r}; expected a multiple of 5 from 0 to 55")
        return value // 5

    def member(self, field: str, value: object, known: Sequence[str]) -> int:
        if not isinstance(value, str) or value not in known:
            raise BadView(field, f"is {value!r}; expected one of {', '.join(known)}")
        return known.index(value)

    def members(self, field: str, known: Sequence[str]) -> int:
        """A list of different ones, as bits."""
        result = 0
        for item in self.items(field, self.data[field]):
            bit = 1 << self.member(field, item, known)
            if result & bit:
                raise BadView(field, f"holds {item!r} twice")
            result |= bit
        return result

    # ---- The chapters of a view ----

    def read_place(self) -> None:
        """Whose view it is, whose turn, who is who."""
        table = self.table
        self.fields["seat"] = -1 if self.data["seat"] is None else self.number("seat", 0, self.players - 1)
        self.phase = self.member("phase", self.data["phase"], PHASES)
        table["phase"] = self.phase
        table["active"] = self.number("active", 0, self.players - 1)
        table["mover"] = NOBODY if self.phase == OVER else table["active"]
        known = self.house.characters
        names = self.items("characters", self.data["characters"], self.players)
        characters = [self.member(f"characters[{seat}]", name, known) for seat, name in enumerate(names)]
        if len(set(characters)) < self.players:
            raise BadView("characters", f"are {names}; expected each once")
        if self.rules.tables.characters not in {None, tuple(characters)}:
            raise BadView("characters", f"are {names}; the option says otherwise")
        table["characters"] = characters + [0] * (5 - self.players)
        table["seat_of"] = [characters.index(number) if number in characters else NOBODY for number in range(5)]
        powers = self.items("powers", self.data["powers"], self.players)
        if not all(isinstance(power, bool) for power in powers):
            raise BadView("powers", f"are {powers!r}; expected true or false for each seat")
        table["up"] = sum(power << seat for seat, power in enumerate(powers))

    def read_house(self) -> None:
        """Rooms, doors, traps, who stands where."""
        house, table = self.house, self.table
        table["professor"] = self.member("professor", self.data["professor"], house.rooms)
        table["place"] = [OUTSIDE] * 5
        for seat, room in enumerate(self.items("places", self.data["places"], self.players)):
            if room is not None:
                table["place"][seat] = self.member(f"places[{seat}]", room, house.rooms)
                if table["place"][seat] == table["professor"]:
                    raise BadView(f"places[{seat}]", f"is {room!r}, where the professor is")
        doors = {f"{house.rooms[room]}:{COLOURS[colour]}": door for door, ((room, colour), _) in enumerate(house.doors)}
        table["open"] = self.members("open", tuple(doors))
        traps = self.data["traps"]
        if not isinstance(traps, Mapping) or set(traps) != set(house.rooms):
            raise BadView("traps", "expected an object with a type of trap for every room")
        table["trap"] = [self.member(f"traps.{room}", traps[room], house.types) for room in house.rooms]
        if sorted(table["trap"]) != sorted(house.traps):
            counts = ", ".join(f"{house.traps.count(kind)} {name}" for kind, name in enumerate(house.types))
            raise BadView("traps", f"are not those of the house: {counts}")
        table["off"] = self.members("off", house.rooms)
        table["of_type"] = [sum((trap == kind) << room for room, trap in enumerate(table["trap"])) for kind in range(8)]

    def read_treasures(self) -> None:
        """The clock, what is out and what is gone."""
        house, table = self.house, self.table
        table["time"] = self.minutes("time", self.data["time"])
        table["saved"] = self.members("saved", house.treasures)
        table["lost"] = self.members("lost", house.treasures)
        table["saved_count"], table["lost_count"] = table["saved"].bit_count(), table["lost"].bit_count()
        self.check_score()
        treasures = self.data["treasures"]
        if not isinstance(treasures, Mapping) or set(treasures) != set(COLOURS):
            raise BadView("treasures", f"expected an object with {', '.join(COLOURS)}")
        gone = table["saved"] | table["lost"]
        in_play = self.house.settings[self.rules.tables.setting].tiles
        for colour, name in enumerate(COLOURS):
            self.read_treasure(colour, f"treasures.{name}", treasures[name])
            tile = table["tile"][colour]
            if tile != NOTHING:
                if gone >> tile & 1:
                    raise BadView(f"treasures.{name}.id", f"is {house.treasures[tile]!r}, which is elsewhere too")
                gone |= 1 << tile
        missing = table["tile"].count(NOTHING)
        if missing != (self.phase == OVER and TREASURES in {table["saved_count"], table["lost_count"]}):
            raise BadView("treasures", "expected one of each colour, but for the one that ended the match")
        for tile in range(len(house.treasures)):
            if gone >> tile & 1 and tile not in in_play:
                raise BadView("treasures", f"{house.treasures[tile]} is not played with in this setting")
        self.read_locations()

    def check_score(self) -> None:
        saved, lost = self.table["saved_count"], self.table["lost_count"]
        if max(saved, lost) > TREASURES or saved + lost == 2 * TREASURES:
            raise BadView("saved", f"are {saved}, and {lost} lost; the match ends with {TREASURES} of either")
        if TREASURES in {saved, lost} and self.phase != OVER:
            raise BadView("phase", f"is {PHASES[self.phase]!r}; with {saved} saved and {lost} lost it is 'over'")
        if self.table["saved"] & self.table["lost"]:
            raise BadView("lost", "holds a treasure that is saved")

    def read_treasure(self, colour: int, field: str, treasure: Any) -> None:
        table, house = self.table, self.house
        if treasure is None:
            table["tile"][colour] = table["spot"][colour] = NOTHING
            return
        if not isinstance(treasure, Mapping) or set(treasure) != {"id", "room", "clock"}:
            raise BadView(field, f"is {treasure!r}; expected an object with id, room and clock")
        tile = self.member(f"{field}.id", treasure["id"], house.treasures)
        table["tile"][colour] = tile
        table["spot"][colour] = self.member(f"{field}.room", treasure["room"], house.rooms)
        left = (self.minutes(f"{field}.clock", treasure["clock"]) - table["time"]) % 12
        if left == 0 and self.phase != OVER:
            raise BadView(f"{field}.clock", "is where the time marker is; the treasure would be lost")
        table["left"][colour] = left or 12
        types = house.tiles[tile][1]
        table["guards"][colour] = sum((trap in types) << room for room, trap in enumerate(table["trap"]))

    def read_locations(self) -> None:
        table = self.table
        spots = [spot for spot in table["spot"] if spot != NOTHING]
        if len(set(spots)) < len(spots):
            raise BadView("treasures", "two are in one room")
        here = sum(1 << spot for spot in spots)
        table["locations"] = self.members("locations", self.house.rooms) if "locations" in self.data else here
        drawn = table["saved_count"] + table["lost_count"] + len(spots)
        if table["locations"] & here != here or table["locations"].bit_count() > drawn:
            raise BadView("locations", f"expected those of the treasures on the board, and {drawn} in all at the most")

    def read_cards(self) -> None:
        """What each deck has shown, and which turn it is."""
        table, cards = self.table, self.house.cards
        shown = [self.member("shown", card, cards) for card in self.items("shown", self.data["shown"], 2)]
        table["shown"] = sorted(shown)
        if shown[0] == shown[1] or any(card // DECK != table["characters"][table["active"]] for card in shown):
            raise BadView("shown", f"are {self.data['shown']}; expected two cards of the character whose turn it is")
        piles = self.items("discards", self.data["discards"], self.players)
        for seat, pile in enumerate(piles):
            field = f"discards[{seat}]"
            used = [self.member(field, card, cards) for card in self.items(field, pile)]
            if any(card // DECK != table["characters"][seat] for card in used):
                raise BadView(field, f"are {pile}; expected cards of {self.data['characters'][seat]}")
            used += table["shown"] if seat == table["active"] else []
            if len(set(used)) < len(used) or len(used) % 2:
                raise BadView(field, f"are {pile}; two cards are drawn a turn, each once until all six are shuffled")
            table["used"][seat] = sum(1 << card % DECK for card in used)
        self.read_played(shown)
        self.read_turn_number()

    def read_played(self, shown: list[int]) -> None:
        played = self.data["played"]
        self.table["played"] = NOTHING if played is None else self.member("played", played, self.house.cards)
        if played is not None and self.table["played"] not in shown:
            raise BadView("played", f"is {played!r}; expected one of the two shown")

    def read_turn_number(self) -> None:
        """The number of a turn must fit the cards drawn; left out, it is the least that does."""
        fitting = [turn for turn in range(TURNS) if all(self.fits(seat, turn) for seat in range(self.players))]
        if not fitting:
            raise BadView("discards", "are not such as turns taken in order would leave them")
        turn = self.number("turn", 1, TURNS) - 1 if "turn" in self.data else fitting[0]
        if turn not in fitting:
            raise BadView("turn", f"is {turn + 1}; the cards drawn fit the turns {', '.join(str(t + 1) for t in fitting[:5])} …")
        self.table["turn"] = turn

    def fits(self, seat: int, turn: int) -> bool:
        """Whether the seat's face-up cards are as many as they are in that turn."""
        since = (self.table["active"] - seat) % self.players  # turns since its last
        taken = (turn - since) // self.players + 1 if turn >= since else 0
        return bool(self.table["used"][seat].bit_count() == (2 * ((taken - 1) % 3 + 1) if taken else 0))

    def read_turn(self) -> None:
        """What is left of the turn."""
        table, house = self.table, self.house
        table["held"] = int(self.truth("held"))
        table["power_used"] = int(self.truth("power_used"))
        table["activated"] = int(self.truth("activated"))
        effects: EffectList = ()
        if table["played"] != NOTHING:
            effects += house.lists[table["played"]]
        effects += house.lists[FIRST_BONUS + table["characters"][table["active"]]]
        effects += (house.abilities[table["characters"][table["active"]]][0],)
        extras = sum(EFFECTS[kind] == "extra" for kind, _ in effects)
        table["actions"] = self.number("actions", 0, 3 + extras)
        ply = self.data.get("ply", table["turn"])
        table["ply"] = checked_number("ply", ply, table["turn"], MOST_PLIES)
        is_up = table["up"] >> table["active"] & 1
        if table["activated"] and not is_up:
            raise BadView("activated", "is true, but that power is face down")
        self.closed = self.phase in {DICE, OVER}  # nothing of the turn is left

    def read_under_way(self) -> None:
        table, house, way = self.table, self.house, self.data["under_way"]
        table["list"] = NOTHING
        if way is not None:
            if self.phase not in {CARD, ACTIVATE}:
                raise BadView("under_way", f"is {way!r}; expected null in {PHASES[self.phase]!r}")
            if not isinstance(way, Mapping) or set(way) != {"source", "effect"}:
                raise BadView("under_way", f"is {way!r}; expected an object with source and effect")
            source = self.member("under_way.source", way["source"], (*house.cards, "bonus"))
            if source < CARDS and source != table["played"]:
                raise BadView("under_way.source", f"is {way['source']!r}, which is not the card played")
            table["list"] = source if source < CARDS else FIRST_BONUS + table["characters"][table["active"]]
            table["step"] = checked_number("under_way.effect", way["effect"], 1, len(house.lists[table["list"]]))
            self.check_step(house.lists[table["list"]], table["step"])
        elif self.phase == CARD:
            raise BadView("under_way", "is null; expected what is being done")
        self.closed = self.closed or (self.phase == ACTIVATE and way is None)
        if self.closed:
            for field in ("actions", "power_used", "activated", *(["held"] if self.phase != DICE else [])):
                if table[field]:
                    raise BadView(field, f"is {self.data[field]!r}; nothing of the turn is left")

    def check_step(self, effects: EffectList, step: int) -> None:
        if self.phase == ACTIVATE:
            if EFFECTS[effects[step - 1][0]] != "time_on":
                raise BadView("under_way.effect", f"is {step}; the effect before it does not move the clock on")
        elif step == len(effects):
            raise BadView("under_way.effect", f"is {step}; the list has {len(effects)} effects, counted from 0")
        elif EFFECTS[effects[step][0]] in {"hold", "time_back", "time_on", "extra", "reroll", "choose"}:
            raise BadView("under_way.effect", f"is {step}; that effect needs nothing")

    def read_dice(self) -> None:
        table = self.table
        rerolls = self.items("rerolls", self.data["rerolls"], 3)
        table["rerolls"] = [checked_number(f"rerolls[{size}]", value, 0, RIGHTS) for size, value in enumerate(rerolls)]
        table["chooses"] = self.number("chooses", 0, RIGHTS)
        rights = sum(table["rerolls"]) + table["chooses"]
        in_dice = self.phase == DICE
        if self.closed and bool(rights) != in_dice:
            raise BadView("rerolls", "expected a right left in 'dice', and none when nothing of the turn is left")
        throws = self.data.get("throws", [int(in_dice)] * 3)
        table["throws"] = [
            checked_number(f"throws[{die}]", value, int(in_dice), RIGHTS if in_dice else 0)
            for die, value in enumerate(self.items("throws", throws, 3))
        ]
        dice = self.data.get("dice")
        if dice is None:
            if in_dice:
                raise BadView("dice", "are null; expected the dice as they lie")
            table["dice"] = [NOTHING] * 3
            return
        if not isinstance(dice, Mapping) or set(dice) != {"professor", "colour", "clock"}:
            raise BadView("dice", f"are {dice!r}; expected an object with professor, colour and clock")
        faces = (
            self.member("dice.professor", dice["professor"], PROFESSOR_FACES),
            self.member("dice.colour", dice["colour"], COLOURS),
        )
        if isinstance(dice["clock"], bool) or dice["clock"] not in CLOCK_FACES:
            raise BadView("dice.clock", f"is {dice['clock']!r}; expected 5 or 10")
        table["dice"] = [*faces, CLOCK_FACES.index(dice["clock"])]
        for die, face in enumerate(table["dice"]):
            if face not in self.house.dice[die]:
                raise BadView("dice", f"are {dice!r}; such a face is not on the die")
