"""What the cards, abilities and bonuses of citadel do: for each named effect what may be chosen, and what then happens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.twins.citadel_house import COLOURS, Effect

if TYPE_CHECKING:
    from tests.twins.citadel import Match

# As a move says it: nothing follows the card.
NOTHING_TO_NAME = [""]


def choices(match: Match, effect: Effect) -> list[str]:
    """What can be named for the effect of whoever's turn it is; empty where it could do nothing, one empty text for no choice."""
    house = match.house
    here = match.places[match.active]
    near = [here, *house.next_to(here)] if here is not None else []
    if effect.do == "step":
        return match.ways(match.active)
    if effect.do == "leap":
        # "'Open room': not his, with an open door or a window."
        is_open = {room for room in house.rooms if room in house.windows or set(house.doors(room)) & match.open_doors}
        return [room for room in house.in_order(is_open) if room not in (match.professor, here)]
    if effect.do == "shadow":
        # "from inside the house, into any room next to the professor's, doors notwithstanding"
        return [room for room in house.next_to(match.professor) if here not in (None, room)]
    if effect.do == "unlock_here":
        return _locked(match, near[:1])
    if effect.do == "unlock_near":
        return _locked(match, near)
    if effect.do == "unlock_anywhere":
        return _locked(match, house.rooms)
    if effect.do == "disarm_near":
        return [room for room in house.rooms if room in near and room not in match.off]
    if effect.do == "disarm_anywhere":
        return [room for room in house.rooms if room not in match.off]
    if effect.do == "disarm_type":
        return [
            trap for trap in dict.fromkeys(house.traps) if any(match.traps[room] == trap for room in set(house.rooms) - match.off)
        ]
    if effect.do == "lure":
        return list(COLOURS)
    if effect.do == "hold":
        return [] if match.held else NOTHING_TO_NAME
    if effect.do == "time_back":
        # "never to more than 55 minutes left, illegal where it would"
        is_legal = all(match.minutes_left(colour) + effect.number <= 55 for colour in COLOURS)
        return NOTHING_TO_NAME if is_legal else []
    if effect.do == "marker_on":
        return [colour for colour in COLOURS if match.minutes_left(colour) + effect.number <= 55]
    if effect.do == "anyone_goes":
        return [f"{who}:go:{room}" for seat, who in enumerate(match.characters) for room in match.ways(seat)]
    if effect.do == "anyone_acts":
        return [f"{who}:{action}" for seat, who in enumerate(match.characters) for action in match.actions_of(seat)]
    if effect.do in ("time_on", "extra", "reroll", "choose"):
        return NOTHING_TO_NAME
    raise ValueError(f"no effect is called {effect.do}")


def _locked(match: Match, rooms: list[str]) -> list[str]:
    """The locked doors of these rooms, each once."""
    doors = {door for room in rooms for door in match.house.doors(room)}
    return [door for door in match.house.all_doors() if door in doors - match.open_doors]


def perform(match: Match, effect: Effect, choice: str) -> None:
    """Do the effect with what was chosen for it."""
    if effect.do in ("step", "leap", "shadow"):
        match.places[match.active] = choice
    elif effect.do in ("unlock_here", "unlock_near", "unlock_anywhere"):
        match.open_doors.add(choice)
    elif effect.do in ("disarm_near", "disarm_anywhere"):
        match.off.add(choice)
    elif effect.do == "disarm_type":
        match.off |= {room for room in match.house.rooms if match.traps[room] == choice}
    elif effect.do == "lure":
        match.professor_leaves(choice)
    elif effect.do == "hold":
        match.held = True
    elif effect.do == "time_back":
        match.time = (match.time - effect.number) % 60
    elif effect.do == "time_on":
        match.time_passes(effect.number)
    elif effect.do == "marker_on":
        match.on_board(choice).clock = (match.on_board(choice).clock + effect.number) % 60
    elif effect.do == "extra":
        match.actions += 1
    elif effect.do == "reroll":
        match.rerolls[effect.number] += 1
    elif effect.do == "choose":
        match.chooses += 1
    else:
        who, action = choice.split(":", maxsplit=1)
        match.act(match.characters.index(who), action)
