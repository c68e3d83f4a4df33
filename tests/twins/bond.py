"""A slow, obvious model of bond, written from the rule sheet and the rulings alone, to check the engine against."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any


@dataclass(frozen=True)
class Deck:
    """Values of the lair and spy cards and letters of the Doublers, one for each card; tests may make small ones.

    `hand` is how many cards each seat is dealt; None: as many as the rule sheet says.
    """

    lairs: tuple[int, ...]
    spies: tuple[int, ...]
    doublers: str = "AABBCCDDEEFFGGHHII"
    hand: int | None = None

    @property
    def cards(self) -> list[str]:
        lairs = [f"lair:{value}" for value in self.lairs]
        spies = [f"spy:{value}" for value in self.spies]
        return lairs + spies + [f"doubler:{letter}" for letter in self.doublers]

    def dealt(self, players: int) -> int:
        # "Ce joueur distribue 5 cartes à chacun (6 cartes à 2 ou 3 joueurs)"
        return self.hand or (6 if players <= 3 else 5)


def _many(counts: dict[int, int]) -> tuple[int, ...]:
    return tuple(value for value, count in counts.items() for _ in range(count))


HOUSE = Deck(
    lairs=_many({1: 2, 2: 4, 3: 6, 4: 6}),
    spies=_many({2: 3, 3: 3, 4: 3, 5: 3, 6: 2, 7: 2, 8: 2}),
)
FLAT = Deck(
    lairs=_many({1: 5, 2: 6, 3: 4, 4: 3}),
    spies=_many(dict.fromkeys(range(1, 10), 2)),
)


def is_spy(card: str) -> bool:
    return card.startswith("spy:")


def value(card: str) -> int:
    return int(card.split(":")[1])


def heap(cards: Iterable[str]) -> dict[str, list[Any]]:
    """Cards by kind, ascending."""
    cards = list(cards)
    return {
        "lairs": sorted(value(card) for card in cards if card.startswith("lair:")),
        "spies": sorted(value(card) for card in cards if is_spy(card)),
        "doublers": sorted(card[-1] for card in cards if card.startswith("doubler:")),
    }


@dataclass
class Attack:
    """A spy, or several as one, sent into the lair of `target`, until it is dead or free."""

    source: str
    attacker: int
    target: int
    victim: int | None = None
    spies: list[int] = field(default_factory=list)
    face_down: bool = False
    captured: bool = False
    taunts: list[str] = field(default_factory=list)
    taunt: str | None = None
    declined: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class Passage:
    """A card that left the pile (`source` None) or the hand of `source`: for the hand of `drawn_by`, or for the table (None).

    `ply` is the number of moves made when it did, the move that caused it included.
    """

    ply: int
    source: int | None
    drawn_by: int | None
    card: str


class Match:
    """A match in play. `layout` is the luck met so far, completed: with it and `moves` it can be played again."""

    def __init__(
        self,
        players: int,
        *,
        deck: Deck = HOUSE,
        layout: dict[str, Any] | None = None,
        rng: random.Random | None = None,
    ) -> None:
        if not 2 <= players <= 6 or len(deck.cards) < deck.dealt(players) * players:
            raise ValueError("2 to 6 players, and cards for each of them")
        self.players = players
        self.deck = deck
        self.rng = rng or random.Random()
        layout = layout or {}
        if not set(layout) <= {"first", "hands", "pile", "steals"}:
            raise ValueError("a layout has first, hands, pile and steals")
        self._steals_laid_out: list[int] = list(layout.get("steals", []))
        # "The first player is random, and draws like everyone."
        self.turn: int = layout.get("first", self.rng.randrange(players))
        self._deal(layout.get("hands", []), layout.get("pile", []))
        self.layout: dict[str, Any] = {
            "first": self.turn,
            "hands": [self._in_deck_order(hand) for hand in self.hands],
            "pile": list(self.pile),
            "steals": [],
        }

        self.moves: list[str] = []
        self.events: list[tuple[int, str]] = []
        self.passages: list[Passage] = []
        self.points = [0] * players
        self.lairs: list[list[int]] = [[] for _ in range(players)]
        self.discard: list[str] = []
        self.attack: Attack | None = None
        self.idle = 0
        self._begin_turn()

    def _deal(self, hands: Sequence[Sequence[str]], pile: Sequence[str]) -> None:
        """Deal what is laid out and fill up what was left out or cut short with the other cards, shuffled."""
        size = self.deck.dealt(self.players)
        if len(hands) > self.players or any(len(hand) > size for hand in hands):
            raise ValueError(f"a layout has at most {self.players} hands of at most {size} cards")
        rest = self.deck.cards
        for card in [*(card for hand in hands for card in hand), *pile]:
            if card not in rest:
                raise ValueError(f"the deck does not hold so many {card}")
            rest.remove(card)
        self.rng.shuffle(rest)
        self.hands = [list(hands[seat]) if seat < len(hands) else [] for seat in range(self.players)]
        for hand in self.hands:
            while len(hand) < size:
                if not rest:
                    raise ValueError(f"the laid-out pile leaves less than {size} cards for a hand")
                hand.append(rest.pop())
        self.pile = [*pile, *rest]

    def _in_deck_order(self, cards: Sequence[str]) -> list[str]:
        return [card for card in dict.fromkeys(self.deck.cards) for _ in range(cards.count(card))]

    @property
    def options(self) -> dict[str, Any]:
        """What, with layout and moves, makes this match again."""
        return {"players": self.players, "deck": self.deck}

    def copy(self) -> Match:
        """The match so far, free to be changed; it shares the generator, and steals laid out for later are not taken along."""
        twin = copy.copy(self)
        twin._steals_laid_out = []
        twin.layout = self.layout | {"steals": list(self.layout["steals"])}
        twin.hands = [list(hand) for hand in self.hands]
        twin.lairs = [list(lair) for lair in self.lairs]
        for name in ("moves", "events", "passages", "points", "discard", "pile"):
            setattr(twin, name, list(getattr(self, name)))
        if self.attack is not None:
            was = self.attack
            twin.attack = replace(was, spies=list(was.spies), taunts=list(was.taunts), declined=list(was.declined))
        return twin

    # ---- A turn ----

    def _begin_turn(self) -> None:
        # "Premièrement, le joueur tire une carte de la pioche. Si la pioche est vide, on ne tire pas de carte"
        # "as many turns in a row as there are seats, each begun with an empty pile and with neither lair nor spy played": this
        # turn counts as long as nothing has been played in it. Counted after its end, a view could not tell whether it will.
        self.idle = 0 if self.pile else self.idle + 1
        if self.pile:
            self.hands[self.turn].append(self._off_the_pile(drawn_by=self.turn))
        self.phase = "lair"
        self.mover: int | None = self.turn

    def _off_the_pile(self, drawn_by: int | None) -> str:
        card = self.pile.pop(0)
        self.passages.append(Passage(len(self.moves), None, drawn_by, card))
        return card

    def _out_of_hand(self, seat: int, card: str) -> str:
        self.hands[seat].remove(card)
        self.passages.append(Passage(len(self.moves), seat, None, card))
        return card

    def _next_turn(self) -> None:
        # "After a kill, an escape or a foil […] the next is the seat left of the ACTIVE player."
        self.turn = (self.turn + 1) % self.players
        self._begin_turn()

    def _end_game(self) -> None:
        self.phase = "over"
        self.mover = None

    @property
    def is_over(self) -> bool:
        return self.phase == "over"

    @property
    def to_move(self) -> list[int]:
        return [] if self.mover is None else [self.mover]

    def _held(self, seat: int, kind: str) -> list[str]:
        """What follows the colon on the seat's cards of that kind, equal ones once."""
        return sorted({card.split(":")[1] for card in self.hands[seat] if card.startswith(f"{kind}:")})

    def legal_moves(self, seat: int | None = None) -> list[str]:
        if self.mover is None or seat not in (None, self.mover):
            return []
        mine = self.mover
        if self.phase == "lair":
            return [f"lair:{size}" for size in self._held(mine, "lair")] + ["skip"]
        if self.phase == "spy":
            return self._spy_moves(mine)
        attack = self._present_attack()
        if self.phase == "add":
            # "then `add:4` in non-increasing order"
            return [f"add:{spy}" for spy in self._held(mine, "spy") if int(spy) <= attack.spies[-1]] + ["go"]
        if self.phase == "captured":
            # "On ne peut pas jouer 2 cartes Doubler avec la même lettre."
            return ["kill"] + [f"taunt:{letter}" for letter in self._held(mine, "doubler") if letter not in attack.taunts]
        return (["foil"] if attack.taunt in self._held(mine, "doubler") else []) + ["let"]

    def _spy_moves(self, mine: int) -> list[str]:
        # "Si l'on ne possède pas de carte Lair, on n'a pas de repaire (on ne peut y jouer d'espions)."
        targets = [seat for seat in range(self.players) if self.lairs[seat]]
        moves = [f"spy:{spy}>{target}" for spy in self._held(mine, "spy") for target in targets]
        victims = [seat for seat in range(self.players) if seat != mine and self._held(seat, "spy")]
        moves += [f"steal:{victim}>{target}" for victim in victims for target in targets]
        if self.pile and is_spy(self.pile[0]):
            moves += [f"deck>{target}" for target in targets]
        return [*moves, "end"]

    def _present_attack(self) -> Attack:
        if self.attack is None:
            raise AssertionError("no spy is on its way")
        return self.attack

    def play(self, move: str) -> None:
        if move not in self.legal_moves():
            raise ValueError(f"illegal move {move}; legal: {', '.join(self.legal_moves())}")
        word, _, rest = move.replace(">", ":").partition(":")
        turned = self._blind_spy(int(rest[0])) if word == "steal" else None
        self.moves.append(move)
        seat = self.to_move[0]
        if word == "lair":
            self.lairs[seat].append(value(self._out_of_hand(seat, move)))
            self.idle = 0
        if word in ("lair", "skip"):
            self.phase = "spy"
        elif word == "end":
            self._end_idle()
        elif word in ("spy", "steal", "deck"):
            self._send(word, [int(part) for part in rest.split(":")], turned)
        elif word == "add":
            self._present_attack().spies.append(value(self._out_of_hand(seat, f"spy:{rest}")))
        elif word == "go":
            self._meet_lair()
        elif word == "kill":
            self._kill()
        elif word == "taunt":
            self._taunt(seat, rest)
        else:
            self._answer_taunt(seat, foiled=word == "foil")

    def _end_idle(self) -> None:
        if self.idle == self.players:
            self._end_game()
        else:
            self._next_turn()

    # ---- A spy on its way ----

    def _blind_spy(self, victim: int) -> int:
        """Which spy the next steal would turn; laid out, or uniform over the spies of the hand."""
        spies = sorted(value(card) for card in self.hands[victim] if is_spy(card))
        steals = len(self.layout["steals"])
        if steals >= len(self._steals_laid_out):
            return self.rng.choice(spies)
        if self._steals_laid_out[steals] not in spies:
            raise ValueError(f"steals[{steals}] is {self._steals_laid_out[steals]}; seat {victim} holds {spies}")
        return self._steals_laid_out[steals]

    def _send(self, source: str, numbers: list[int], turned: int | None) -> None:
        self.idle = 0
        attack = Attack(source={"spy": "hand"}.get(source, source), attacker=self.turn, target=numbers[-1])
        self.attack = attack
        if source == "spy":
            attack.spies = [value(self._out_of_hand(self.turn, f"spy:{numbers[0]}"))]
            if attack.target != self.turn:
                # "Il est possible de jouer plusieurs espions de sa main dans le repaire d'un autre joueur."
                attack.face_down = True
                self.phase = "add"
                return
        elif source == "steal":
            if turned is None:
                raise AssertionError("a steal turns a spy")
            attack.victim = numbers[0]
            attack.spies = [value(self._out_of_hand(numbers[0], f"spy:{turned}"))]
            self.layout["steals"].append(turned)
        else:
            attack.spies = [value(self._off_the_pile(drawn_by=None))]
        if source != "spy":
            self.events.append((len(self.moves), f"turn:{attack.spies[0]}"))
        self._meet_lair()

    def _meet_lair(self) -> None:
        attack = self._present_attack()
        attack.face_down = False
        # "inférieure ou égale à la valeur du repaire […] capturé"; "On traite tous les espions comme un seul"
        if sum(attack.spies) <= sum(self.lairs[attack.target]):
            attack.captured = True
            self.phase = "captured"
            self.mover = attack.target
        else:
            self._escape()

    def _escape(self) -> None:
        # "on place cet espion dans la pile de défausse. De plus, on défausse toutes les cartes du repaire."
        attack = self._present_attack()
        self.discard += [f"lair:{size}" for size in self.lairs[attack.target]]
        self.lairs[attack.target] = []
        self._discard_spies()
        self._spies_gone()

    def _discard_spies(self) -> None:
        attack = self._present_attack()
        self.discard += [f"spy:{spy}" for spy in attack.spies] + [f"doubler:{letter}" for letter in attack.taunts]
        self.attack = None

    def _spies_gone(self) -> None:
        # "Le jeu est fini quand le dernier espion est défaussé"
        if sum(is_spy(card) for card in self.discard) == len(self.deck.spies):
            self._end_game()
        else:
            self._next_turn()

    def _kill(self) -> None:
        attack = self._present_attack()
        self.points[attack.target] += sum(attack.spies) * 2 ** len(attack.taunts)
        self._discard_spies()
        # "30 reached on anybody's turn wins at once, alone"
        if self.points[attack.target] >= 30:
            self._end_game()
        else:
            self._spies_gone()

    def _taunt(self, owner: int, letter: str) -> None:
        self._out_of_hand(owner, f"doubler:{letter}")
        attack = self._present_attack()
        attack.taunt = letter
        self.phase = "foil"
        self.mover = (owner + 1) % self.players

    def _answer_taunt(self, seat: int, *, foiled: bool) -> None:
        attack = self._present_attack()
        letter = attack.taunt
        if letter is None:
            raise AssertionError("nobody is taunting")
        if foiled:
            # "The foiling Doubler is discarded too."
            self.discard += [f"doubler:{letter}", self._out_of_hand(seat, f"doubler:{letter}")]
            self._escape()
            return
        attack.declined.append(seat)
        if len(attack.declined) < self.players - 1:
            self.mover = (seat + 1) % self.players
            return
        attack.taunts.append(letter)
        attack.taunt = None
        attack.declined = []
        self.phase = "captured"
        self.mover = attack.target

    # ---- What is seen of it ----

    def utilities(self) -> list[float]:
        best = [seat for seat in range(self.players) if self.points[seat] == max(self.points)]
        return [1 / len(best) if seat in best else 0.0 for seat in range(self.players)]

    def public_text(self, move: str) -> str:
        """How the others see the move the mover is about to make."""
        word, _, rest = move.partition(":")
        if word == "add":
            return "add:?"
        if word == "spy":
            spy, target = rest.split(">")
            # "At one's own lair the single spy is resolved at once": then it is turned up.
            return f"spy:{spy if target == str(self.mover) else '?'}>{target}"
        return move

    def view(self, seat: int | None) -> dict[str, Any]:
        """What the seat may see, or a spectator (None), as JSON."""
        return {
            "seat": seat,
            "ply": len(self.moves),
            "phase": self.phase,
            "turn": self.turn,
            "mover": self.mover,
            "points": list(self.points),
            "lairs": [sorted(lair) for lair in self.lairs],
            "hands": [{"spies": sum(map(is_spy, hand)), "others": len(hand) - sum(map(is_spy, hand))} for hand in self.hands],
            "hand": None if seat is None else heap(self.hands[seat]),
            "pile": {
                "count": len(self.pile),
                "spies": sum(map(is_spy, self.pile)),
                "top": None if not self.pile else "spy" if is_spy(self.pile[0]) else "other",
            },
            "discard": heap(self.discard),
            "idle": self.idle,
            "attack": self.attack and self._attack_as_seen(self.attack, seat),
        }

    def _attack_as_seen(self, attack: Attack, seat: int | None) -> dict[str, Any]:
        is_hidden = attack.face_down and seat != attack.attacker
        return {
            "source": attack.source,
            "attacker": attack.attacker,
            "victim": attack.victim,
            "target": attack.target,
            "spies": [None if is_hidden else spy for spy in attack.spies],
            "captured": attack.captured,
            "taunts": list(attack.taunts),
            "taunt": attack.taunt,
            "declined": list(attack.declined),
        }

    def truth(self) -> dict[str, Any]:
        """The host's view: everything."""
        return {
            "hands": [heap(hand) for hand in self.hands],
            "committed": list(self.attack.spies) if self.attack else [],
            "pile": heap(self.pile),
        }


def replayed(match: Match, layout: dict[str, Any] | None = None, moves: Sequence[str] | None = None) -> list[Match]:
    """The match played again from its layout (or another) and moves: how it stood before each move and at the end."""
    again = Match(**match.options, layout=layout or match.layout, rng=random.Random(0))
    stood = []
    for move in match.moves if moves is None else moves:
        stood.append(again.copy())
        again.play(move)
    return [*stood, again.copy()]


def observed(match: Match, seat: int | None) -> list[str]:
    """The moves as that seat, or a spectator (None), saw each of them made: what lay face down stays `?`."""
    stood = replayed(match)[:-1]
    return [move if before.mover == seat else before.public_text(move) for before, move in zip(stood, match.moves, strict=True)]
