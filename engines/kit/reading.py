"""Views of games of the kit as somebody types them in: what may be left out is found, and what contradicts is told at once."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from machiavel.engines.errors import Problem
from machiavel.engines.kit.card_sets import Bag, Deck
from machiavel.engines.kit.game_fields import KIT_PHRASES, GameFields, SecretField, cards_in
from machiavel.engines.kit.state_bytes import StateBytes, hidden_name
from machiavel.engines.views import ViewReader

if TYPE_CHECKING:
    from machiavel.engines.plugin import Rules

__all__ = ["KitReader"]

Path = tuple[int, ...]


class KitReader(ViewReader):
    """A view being read, of the game whose fields these are."""

    phrases = KIT_PHRASES
    gaps = ("to_move",)
    chapters = ("moment", "secrets", "once", "counts", "masks")

    def __init__(
        self,
        fields: GameFields,
        native: StateBytes,
        conserved_decks: Callable[[], Iterable[Deck | Bag]],
        rules: "Rules",
        data: Mapping[str, Any],
    ) -> None:
        """`conserved_decks` finds the decks of which all cards are in some place, whatever is played."""
        super().__init__(rules, data)
        self.conserved_decks = conserved_decks
        self.fields = fields
        self.schema = fields.views
        self.native = native
        # By field: how many are hidden in each value, as far as it is known.
        self.hidden: dict[str, dict[Path, int]] = {}

    def find_to_move(self) -> list[int]:
        """Who types a view in is mostly asked for a move."""
        if self.told.seat is None:
            self.problems.append(Problem("to_move", self.phrases.wording("problems.one_asked")))
            return []
        return [self.told.seat]

    # ---- The chapters ----

    def moment(self) -> None:
        self.told.to_move.sort()

    def secrets(self) -> None:
        """What a seat sees is told, and what it does not see is null."""
        told = self.told
        struct = {name: self.packed(name) for name in self.masks_needed()}
        self.seat = -1 if told.seat is None else told.seat
        self.seen: dict[str, dict[Path, Any]] = {}
        for secret in self.fields.secrets:
            values = told.__dict__.get(secret.name)
            if secret.name in self.misread:
                continue
            if values is None and secret.usual is not None:
                self.assume(secret, struct)
                continue
            seen = self.seen[secret.name] = {}
            self.hidden[secret.name] = {}
            for path in secret.paths(self.players):
                value = at(values, path)
                if secret.is_seen(struct, self.seat, secret.owner(path)):
                    is_card = secret.declared.kind == "card"
                    self.tell_seen(secret, path, value is not None or is_card)
                    seen[path] = -1 if value is None and is_card else value
                else:
                    self.tell_hidden(secret, path, value is None)
                    self.hidden[secret.name][path] = 0

    def assume(self, secret: SecretField, struct: Mapping[str, Any]) -> None:
        """A field that was left out is what it usually is, for those who see it as for all others."""
        seen = self.seen[secret.name] = {}
        hidden = self.hidden[secret.name] = {}
        for path in secret.paths(self.players):
            if secret.is_seen(struct, self.seat, secret.owner(path)):
                seen[path] = secret.usual
            else:
                hidden[path] = secret.count(secret.usual)

    def masks_needed(self) -> Iterator[str]:
        return (secret.mask.name for secret in self.fields.secrets if secret.mask is not None)

    def packed(self, name: str) -> Any:
        """A field as the struct has it."""
        return self.schema.by_name[name].type.pack(self.rules, getattr(self.told, name))

    def tell_seen(self, secret: SecretField, path: Path, is_so: bool) -> None:
        key = "must_see" if self.seat >= 0 else "must_see_all"
        self.tell(is_so, secret.place(path), key, seat=self.seat)

    def tell_hidden(self, secret: SecretField, path: Path, is_so: bool) -> None:
        key = "not_seen" if self.seat >= 0 else "not_seen_by_all"
        self.tell(is_so, secret.place(path), key, seat=self.seat)

    def once(self) -> None:
        """No card is in two places, and of no kind there are more than there are."""
        self.shown: dict[int, Counter[int]] = {}  # by deck: how often each card is seen in some place
        first: dict[tuple[int, int], str] = {}
        for place, deck, cards in self.places():
            total = self.shown.setdefault(id(deck), Counter())
            for card, number in cards.items():
                total[card] += number
                most = deck.numbers[card] if isinstance(deck, Bag) else 1
                other = first.setdefault((id(deck), card), place)
                if total[card] <= most:
                    continue
                key = "kind_again" if isinstance(deck, Bag) else "card_again"
                self.tell(False, place, key, card=deck.texts[card], other=other, count=total[card], most=most)

    def places(self) -> Iterator[tuple[str, Deck | Bag, dict[int, int]]]:
        """Wherever cards of a deck are seen, each of which is in one place."""
        for name, one in self.fields.declared.items():
            if one.deck is None or not one.is_zone or name in self.misread:
                continue
            secret = next((secret for secret in self.fields.secrets if secret.name == name), None)
            values = (
                self.seen[name]
                if secret is not None
                else dict(paths_in(getattr(self.told, name), each_seat=one.each_seat, is_row=one.length is not None))
            )
            for path, value in values.items():
                if value is None or (one.kind == "card" and value < 0):
                    continue
                place = name + "".join(f"[{step}]" for step in path)
                yield place, one.deck, {value: 1} if one.kind == "card" else cards_in(one.deck, value)

    def counts(self) -> None:
        """How many are hidden in each place: as told, or whatever is left for the last one."""
        for secret in self.fields.secrets:
            if secret.has_counts and secret.name in self.seen and secret.counts_name not in self.misread:
                self.count(secret)
        for deck in self.decks_hidden():
            self.left_over(deck)

    def count(self, secret: SecretField) -> None:
        told = getattr(self.told, secret.counts_name)
        for path, value in self.seen[secret.name].items():
            if told is None or value is None:
                continue
            number, size = at(told, path), secret.count(value)
            place = secret.place(path, counts=True)
            self.tell(number == size, place, "count_shown", count=number, field=secret.place(path), size=size)
        for path in self.hidden[secret.name]:
            if told is not None:
                self.hidden[secret.name][path] = at(told, path)
            elif secret.usual is not None:
                self.hidden[secret.name][path] = secret.count(secret.usual)

    def decks_hidden(self) -> list[Deck | Bag | None]:
        """The decks of which somebody holds hidden cards; None stands for dice."""
        result: dict[int, Deck | Bag | None] = {}
        for secret in self.fields.secrets:
            if secret.has_counts and self.hidden.get(secret.name):
                result[id(secret.declared.deck)] = secret.declared.deck
        return list(result.values())

    def left_over(self, deck: Deck | Bag | None) -> None:
        """Of what nobody sees of a deck: each place has as much as is told, or there is one place for what is left."""
        secrets = [one for one in self.fields.secrets if one.has_counts and one.declared.deck is deck and one.name in self.seen]
        untold = [
            (secret, path)
            for secret in secrets
            if getattr(self.told, secret.counts_name) is None and secret.usual is None
            for path in self.hidden[secret.name]
        ]
        told = sum(sum(self.hidden[secret.name].values()) for secret in secrets)
        if deck is None:
            unseen = told
        else:
            every = sum(deck.numbers) if isinstance(deck, Bag) else len(deck)
            unseen = every - self.shown.get(id(deck), Counter()).total()
        left = unseen - told
        names = list(dict.fromkeys(secret.counts_name for secret in secrets if self.hidden[secret.name]))
        self.tell(left >= 0, names[0], "too_many_hidden", count=told, unseen=unseen)
        if not untold or left < 0:
            return
        shares = self.as_own(untold)
        if shares is None and deck is not None and self.rules_deal_all(deck):
            shares = self.shares(untold, left)
        if shares is None:
            for name in dict.fromkeys(secret.name for secret, _ in untold):
                self.tell(False, f"{name}_counts", "count_missing", field=name)
            return
        for (secret, path), share in zip(untold, shares, strict=True):
            self.hidden[secret.name][path] = share

    def shares(self, untold: list[tuple[SecretField, Path]], left: int) -> Sequence[int] | None:
        """How many each place has, where that follows: there is one for all that is left, or hands are as large as one's own.

        What somebody has just laid down counts with the hand: in the middle of a trick hands differ by these cards alone.
        """
        secret = untold[0][0]
        if len(untold) == 1:
            return [left] if secret.declared.kind != "card" or left < 2 else None
        own = [(path, secret.count(value)) for path, value in self.seen[secret.name].items() if value is not None]
        if any(one is not secret for one, _ in untold) or not own:
            return None
        found = set[tuple[int, ...]]()
        for laid in self.laid_down(secret):
            sizes = {size + laid[path[0]] if laid else size for path, size in own}
            shares = tuple(max(sizes) - (laid[path[0]] if laid else 0) for _, path in untold)
            if len(sizes) == 1 and min(shares) >= 0 and sum(shares) == left:
                found.add(shares)
        return found.pop() if len(found) == 1 else None

    def laid_down(self, secret: SecretField) -> Iterator[Sequence[int]]:
        """How many cards each seat has laid before it, by each field that says so; first none at all."""
        yield ()
        for name, one in self.fields.declared.items():
            is_before_seats = one.kind == "card" and one.each_seat and one.length is None and one.is_zone
            if secret.declared.each_seat and is_before_seats and one.deck is secret.declared.deck and one.seen_by == "all":
                yield [int(card is not None and card >= 0) for card in getattr(self.told, name)]

    def as_own(self, untold: list[tuple[SecretField, Path]]) -> Sequence[int] | None:
        """Whether there is a single card of each, where there is one of those that are seen."""
        secret = untold[0][0]
        seen = [secret.count(value) for value in self.seen[secret.name].values() if value is not None]
        is_card = all(one is secret for one, _ in untold) and secret.declared.kind == "card"
        return [seen[0]] * len(untold) if is_card and seen and set(seen) == {seen[0]} else None

    def rules_deal_all(self, deck: Deck | Bag) -> bool:
        """Whether all cards of the deck are in some place, whatever is played."""
        return any(kept is deck for kept in self.conserved_decks())

    def masks(self) -> None:
        """What a hidden place can hold leaves room for what is there."""
        for secret in self.fields.secrets:
            declared = secret.declared
            if declared.within is None or declared.deck is None or secret.name not in self.seen:
                continue
            masks = getattr(self.told, declared.within)
            for path, value in self.seen[secret.name].items():
                lacking = {} if value is None else missing_in(declared.deck, values_of(secret, value), at(masks, path))
                place = declared.within + "".join(f"[{step}]" for step in path)
                is_told = self.schema.is_told(declared.within, self.data)
                for card in list(lacking)[:1] if is_told else ():
                    self.tell(False, place, "not_within", field=secret.place(path), card=declared.deck.texts[card])
            for path, count in self.hidden[secret.name].items():
                room = self.room(declared.deck, at(masks, path))
                place = declared.within + "".join(f"[{step}]" for step in path)
                self.tell(count <= room, place, "no_room", room=room, field=secret.place(path), count=count)

    def room(self, deck: Deck | Bag, mask: int) -> int:
        """How many cards that nobody sees are in a mask."""
        shown = self.shown.get(id(deck), Counter())
        most = deck.numbers if isinstance(deck, Bag) else (1,) * len(deck)
        return sum(most[card] - shown[card] for card in cards_in(deck, mask))

    # ---- The struct ----

    def struct(self) -> Mapping[str, Any]:
        told = self.told
        asked = sum(1 << seat for seat in told.to_move) if len(told.to_move) > 1 else 0
        result: dict[str, Any] = {"mover": told.to_move[0] if told.to_move else -1, "asked": asked}
        empty = self.native.view_fields(self.native.empty_view())
        for secret in self.fields.secrets:
            raw, numbers = empty[secret.name], empty.get(hidden_name(secret.name))
            for path, value in self.seen[secret.name].items():
                raw = put(
                    raw, path, secret.leaf.pack(self.rules, None if secret.declared.kind == "card" and value < 0 else value)
                )
            for path, count in self.hidden[secret.name].items():
                if secret.declared.kind == "card" and not count:
                    raw = put(raw, path, -1)
                if numbers is not None:
                    numbers = put(numbers, path, in_dice(secret, count))
            result[secret.name] = raw
            if numbers is not None:
                result[hidden_name(secret.name)] = numbers
        return result


def at(values: Any, path: Path) -> Any:
    """What stands there; None where nothing was told at all."""
    for step in path:
        if values is None:
            return None
        values = values[step]
    return values


def put(values: Any, path: Path, value: Any) -> Any:
    """The same with another value there."""
    if not path:
        return value
    values = list(values)
    values[path[0]] = put(values[path[0]], path[1:], value)
    return values


def paths_in(values: Any, *, each_seat: bool, is_row: bool) -> Iterator[tuple[Path, Any]]:
    for owner, row in enumerate(values) if each_seat else [(None, values)]:
        for number, value in enumerate(row) if is_row else [(None, row)]:
            yield tuple(step for step in (owner, number) if step is not None), value


def values_of(secret: SecretField, value: int) -> dict[int, int]:
    deck = secret.declared.deck
    if secret.declared.kind == "card":
        return {} if value < 0 else {value: 1}
    return {} if deck is None else cards_in(deck, value)


def missing_in(deck: Deck | Bag, cards: Mapping[int, int], mask: int) -> dict[int, int]:
    """The cards, or kinds, that a mask does not allow; of a kind that it allows there may be any number."""
    allowed = cards_in(deck, mask)
    return {card: number for card, number in cards.items() if card not in allowed}


def in_dice(secret: SecretField, count: int) -> Any:
    """Hidden dice have a number each: those there are come first."""
    if secret.declared.kind != "dice":
        return count
    return [int(number < count) for number in range(secret.declared.length or 0)]
