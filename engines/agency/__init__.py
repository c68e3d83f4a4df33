"""agency: tricks for the Castor's plans, with powers, accomplices and an unseen reserve. RULES.md holds the rules."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from machiavel.engines.agency import _engine, _rules, codec, reading
from machiavel.engines.agency.deck import ACCOMPLICES, AGENTS, AgencyDeck, load_deck
from machiavel.engines.agency.labels import AGENT_NAMES, HIDDEN_PASS, card_label, choice_label, trick_label
from machiavel.engines.decks import DECK_OPTION
from machiavel.engines.errors import BadOption
from machiavel.engines.hints import HintWords, load_hints, quoted
from machiavel.engines.plugin import CodecEngine, Option, Rules

__all__ = ["ENGINE", "AgencyEngine"]

EITHER: Mapping[str, str] = {"en": "true or false", "fr": "true ou false"}


class AgencyEngine(CodecEngine):
    """The game as the rest of the house knows it."""

    name = "agency"
    capsule = _engine.capsule
    codec = codec
    reading = reading
    titles: ClassVar[Mapping[str, str]] = {"en": "The Agency", "fr": "L'Agence"}
    players = range(2, 6)
    options = (
        Option("powers", True, EITHER, {"en": "with power cards", "fr": "avec les cartes Pouvoir"}),
        Option(
            "accomplices",
            True,
            EITHER,
            {"en": "with the plans' accomplices", "fr": "avec les complices des plans"},
        ),
        Option(
            "medals",
            2,
            {"en": "1 to 9", "fr": "de 1 à 9"},
            {"en": "medals that win the match", "fr": "médailles qui font gagner la partie"},
        ),
        DECK_OPTION,
        Option(
            "agents",
            None,
            {"en": "the agent of each seat, none twice", "fr": "l'agent de chaque joueur, aucun deux fois"},
            {"en": "who is who", "fr": "qui incarne qui"},
        ),
    )

    def make_rules(self, players: int, options: Mapping[str, Any]) -> Rules:
        for name in ("powers", "accomplices"):
            if not isinstance(options.get(name, True), bool):
                raise BadOption(name, options[name], "true or false")
        powers, accomplices = options.get("powers", True), options.get("accomplices", True)
        medals = options.get("medals", 2)
        if isinstance(medals, bool) or not isinstance(medals, int) or not 1 <= medals <= 9:
            raise BadOption("medals", medals, "a whole number from 1 to 9")
        deck, kept = load_deck(options.get("deck", "house"), players)
        agents = read_agents(options.get("agents"), deck, players)
        if agents is not None and not powers:
            raise BadOption("agents", options["agents"], "nothing, for without powers there are no agents")
        if not accomplices:
            deck = deck.without_accomplices()
        complete = {
            "players": players,
            "powers": powers,
            "accomplices": accomplices,
            "medals": medals,
            "deck": kept,
            "agents": None if agents is None else [AGENTS[agent] for agent in agents],
        }
        capsule = _rules.make(
            players,
            powers,
            medals,
            agents,
            deck.agents,
            [colour for colour, _ in deck.cards],
            [kind for kind, count in enumerate(deck.counts) for _ in range(count)],
            [value for value, _ in deck.kinds],
            [accomplice for _, accomplice in deck.kinds],
        )
        content = json.dumps(["agency", complete | {"deck": deck.digest}], sort_keys=True)
        tables = codec.Tables(deck, powers, medals, agents)
        return Rules(capsule, players, complete, hashlib.sha256(content.encode()).hexdigest(), tables)

    def public_text(self, rules: Rules, move: int) -> str:
        return codec.public_text(rules, move)

    def move_label(self, rules: Rules, move: int, language: str) -> str:
        word, _, rest = codec.move_text(rules, move).partition(":")
        if not rest:
            return card_label(word, language)
        if word == "pass":
            return {"en": "pass ", "fr": "passer le "}[language] + card_label(rest, language)
        return choice_label(word, {"en": f"seat {rest}", "fr": f"le joueur {rest}"}[language], language)

    def public_label(self, rules: Rules, move: int, language: str) -> str:
        hidden = self.public_text(rules, move) != self.move_text(rules, move)
        return HIDDEN_PASS[language] if hidden else self.move_label(rules, move, language)

    def hint_words(self, rules: Rules) -> HintWords:  # noqa: ARG002
        return load_hints(__package__)

    def hint_context(self, rules: Rules, seen: Mapping[str, Any], language: str) -> Mapping[str, str]:  # noqa: ARG002
        return {"trick": trick_label(seen["stake"], language)}

    def move_subject(self, rules: Rules, seen: Mapping[str, Any], move: int, language: str) -> str:
        word, _, target = codec.move_text(rules, move).partition(":")
        if not target:
            return word
        if word == "pass":
            return quoted(self.move_label(rules, move, language), language)
        if int(target) == seen["seat"]:
            return quoted({"en": "you lead", "fr": "tu commences"}[language], language)
        return quoted(choice_label(word, self.seat_name(rules, seen, int(target), language), language), language)

    def seat_name(self, rules: Rules, seen: Mapping[str, Any], seat: int, language: str) -> str:
        agents = seen["agents"]
        return AGENT_NAMES[agents[seat]] if agents else super().seat_name(rules, seen, seat, language)

    def metrics(self, rules: Rules) -> Sequence[str]:
        names = ["rounds", "tied_rounds", *(f"staked_{accomplice}" for accomplice in ACCOMPLICES[1:])]
        for seat in range(rules.players):
            names += [f"{name}_{seat}" for name in ("points", "plan_points", "greens", "yellows", "tricks")]
        for seat in range(rules.players):
            names += [f"{name}_{seat}" for name in ("trick", "bonus", "penalty", "medal")]
        return names


def read_agents(option: object, deck: AgencyDeck, players: int) -> tuple[int, ...] | None:
    if option is None:
        return None
    known = [AGENTS[agent] for agent in deck.agents]
    if (
        not isinstance(option, list | tuple)
        or len(option) != players
        or len(set(map(str, option))) < players
        or any(agent not in known for agent in option)
    ):
        raise BadOption("agents", option, f"{players} different ones of {', '.join(known)}")
    return tuple(AGENTS.index(agent) for agent in option)


ENGINE = AgencyEngine()
