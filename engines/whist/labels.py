"""What players read of whist: cards and suits in words, and why a card may not be played."""

from collections.abc import Mapping
from typing import Any

from machiavel.engines.declared import DeclaredEngine
from machiavel.engines.hints import MoveParts
from machiavel.engines.phrases import Wording
from machiavel.engines.plugin import LANGUAGES, Rules
from machiavel.engines.whist import _engine
from machiavel.engines.whist.schema import CARDS, PHRASES, SUITS

__all__ = ["WhistWords"]


class WhistWords(DeclaredEngine):
    """The texts of the engine."""

    def move_label(self, rules: Rules, move: int, language: str) -> str:  # noqa: ARG002
        return card_label(CARDS[move], language)

    def move_parts(self, rules: Rules, seen: Mapping[str, Any], move: str, language: str) -> MoveParts:  # noqa: ARG002
        return "card", {"card": card_label(move, language, "the")}

    def value_text(self, rules: Rules, seen: Mapping[str, Any], kind: str, value: Any, how: tuple[str, str]) -> str:
        if kind == "card":
            return card_label(value, *how)
        return PHRASES(f"suits.{value}", how[0]) if kind == "suit" else super().value_text(rules, seen, kind, value, how)

    def why_illegal(self, rules: Rules, view: bytes, move: int) -> Wording:  # noqa: ARG002
        struct = _engine.view_fields(view)
        if not struct["hand"] >> move & 1:
            card = Wording({language: card_label(CARDS[move], language, "the") for language in LANGUAGES})
            return PHRASES.wording("why.not_in_hand", card=card)
        return PHRASES.wording("why.must_follow", suit=PHRASES.wording(f"suits.{SUITS[struct['table']['led']]}"))


def card_label(card: str, language: str, form: str = "") -> str:
    """`HK` in words; with its article in any form."""
    rank, suit = PHRASES(f"ranks.{card[1]}", language), PHRASES(f"suits.{card[0]}", language)
    label = PHRASES("card", language, rank=rank, suit=suit)
    return PHRASES(f"articles.{card[1]}", language, card=label) if form else label
