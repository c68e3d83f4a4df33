"""agency: tricks for the Castor's plans, with powers, accomplices and an unseen reserve. RULES.md holds the rules."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from machiavel.engines.agency import _engine, events, schema
from machiavel.engines.agency.deck import ACCOMPLICES, AGENTS, AgencyDeck, load_deck
from machiavel.engines.agency.reading import Reader
from machiavel.engines.agency.schema import LUCK_CARDS, PHRASES, Tables
from machiavel.engines.decks import DECK_OPTION
from machiavel.engines.declared import DeclaredEngine, worded_option
from machiavel.engines.errors import BadLayout, BadOption
from machiavel.engines.fields import Flag, Items, Number
from machiavel.engines.hints import MoveParts, name_forms
from machiavel.engines.layouts import Outcome
from machiavel.engines.phrases import Wording
from machiavel.engines.plugin import Rules

__all__ = ["ENGINE", "AgencyEngine"]

CARD_FORMS = {"": "card", "the": "card_the", "mark": "card_mark"}  # `8 vert`, `le 8 vert`, `V8`


class AgencyEngine(DeclaredEngine):
    """The game as the rest of the house knows it."""

    name = "agency"
    table = "machiavel.server.games.agency.table:AgencyTable"
    form = "machiavel.server.games.agency.form:agency_form"
    native = _engine
    story: ClassVar[Any] = events
    views, truths, layouts, moves, reader = schema.VIEWS, schema.TRUTHS, schema.LAYOUTS, schema.MOVES, Reader
    hidden = schema.HIDDEN
    players = range(2, 6)
    options = (
        worded_option(PHRASES, "powers", True, Flag()),
        worded_option(PHRASES, "accomplices", True, Flag()),
        worded_option(PHRASES, "medals", 2, Number(1, 9)),
        DECK_OPTION,
        worded_option(
            PHRASES, "agents", None, Items(schema.AGENT, lambda rules: rules.players, is_distinct=True), is_by_seat=True
        ),
    )

    def make_rules(self, players: int, options: Mapping[str, Any]) -> Rules:
        # Who the agents are is known with the deck.
        complete = self.checked_options(players, {**options, "agents": None})
        powers, medals = complete["powers"], complete["medals"]
        deck, complete["deck"] = load_deck(complete["deck"], players)
        agents = self.agents_given(options.get("agents"), deck, players)
        if agents is not None:
            if not powers:
                raise BadOption("agents", options["agents"], self.problem("no_agents"))
            complete["agents"] = [AGENTS[agent] for agent in agents]
        if not complete["accomplices"]:
            deck = deck.without_accomplices()
        capsule = _engine.make_rules(
            players,
            powers,
            medals,
            agents,
            deck.agents,
            [colour for colour, _ in deck.cards],
            [kind for kind, count in enumerate(deck.counts) for _ in range(count)],
            *([part[i] for part in deck.kinds] for i in range(2)),
        )
        tables = Tables(deck, powers, medals, agents, _engine.bonus(capsule))
        return self.rules_of(capsule, complete, tables, {"deck": deck.digest})

    def agents_given(self, option: object, deck: AgencyDeck, players: int) -> list[int] | None:
        if option is None:
            return None
        known, given = deck.agent_numbers, list(option) if isinstance(option, list | tuple) else []
        numbers = [known[agent] for agent in given if isinstance(agent, str) and agent in known]
        if not len(given) == len(set(numbers)) == players:
            raise BadOption("agents", option, self.problem("agents_option", players=players, known=", ".join(known)))
        return numbers

    def move_label(self, rules: Rules, move: int, language: str) -> str:
        word, _, thing = self.moves.table(rules).texts[move].rpartition(":")
        if word not in {"lead", "look"}:
            label = card_text(thing, language)
            return PHRASES("moves.pass", language, card=label) if word else label
        return self._choice(rules, {"seat": None, "agents": ()}, move, language)

    def move_name(self, rules: Rules, seen: Mapping[str, Any], move: int, language: str) -> str:
        word, _, thing = self.move_text(rules, move).rpartition(":")
        if word in {"lead", "look"}:
            return self._choice(rules, seen, move, language)
        return (
            PHRASES("moves.pass_mark", language, card=card_text(thing, language, "mark"))
            if word
            else card_text(thing, language, "mark")
        )

    def public_label(self, rules: Rules, move: int, language: str) -> str:
        hidden = self.public_text(rules, move) != self.move_text(rules, move)
        return PHRASES("moves.pass_hidden", language) if hidden else self.move_label(rules, move, language)

    def _choice(self, rules: Rules, seen: Mapping[str, Any], move: int, language: str) -> str:
        """What Belton or Moignons chooses, to whoever sees that."""
        word, _, seat = self.move_text(rules, move).partition(":")

        def name(form: str) -> str:
            return self.value_text(rules, seen, "seat", int(seat), (language, form))

        key = "moves.lead_me" if word == "lead" and int(seat) == seen["seat"] else f"moves.{word}"
        return PHRASES(key, language, seat=name)

    def hint_context(self, rules: Rules, seen: Mapping[str, Any], language: str) -> Mapping[str, str]:  # noqa: ARG002
        if seen["stake"] is None:
            return dict.fromkeys(("trick", "bare_trick"), self.phrases()("phrases.trick.unknown", language))
        known = self.phrases()("phrases.trick.known", language, value=int(seen["stake"].partition("+")[0]))
        return {"trick": known, "bare_trick": self.phrases()("phrases.trick.bare", language)}

    def move_parts(self, rules: Rules, seen: Mapping[str, Any], move: str, language: str) -> MoveParts:
        word, _, target = move.partition(":")
        if word in {"lead", "look"}:
            if int(target) == seen["seat"]:
                return "lead_self", {}
            return word, {"who": name_forms(self.seat_name(rules, seen, int(target), language), language)}
        if target == "?":
            return "hidden_pass", {}
        card = target or word
        return ("pass" if target else "card"), {"card": lambda form: card_text(card, language, form)}

    def seat_name(self, rules: Rules, seen: Mapping[str, Any], seat: int, language: str) -> str:
        agents = seen["agents"]
        return PHRASES(f"agents.{agents[seat]}", language) if agents else super().seat_name(rules, seen, seat, language)

    def value_text(self, rules: Rules, seen: Mapping[str, Any], kind: str, value: Any, how: tuple[str, str]) -> str:
        """Besides seats and counts: cards (forms `the` and `mark`), plans, the pile's cards, agents.

        An agent with the form `me` or `they` is what its power does.
        """
        language, form = how
        if kind == "card":
            return card_text(value, language, form)
        if kind == "plan":
            worth, _, accomplice = value.partition("+")
            help_ = PHRASES(f"accomplices.{accomplice}", language) if accomplice else ""
            return PHRASES("plan", language, value=int(worth), accomplice=help_)
        if kind in {"pile card", "place of the pile"}:
            worth, _, accomplice = value.partition("+")
            if worth in AGENTS:
                return PHRASES(f"agents.{worth}", language)
            return f"{worth} ({PHRASES(f'accomplices.{accomplice}', language)})" if accomplice else str(worth)
        if kind == "agent":
            return PHRASES(f"powers.{value}.{form}" if form else f"agents.{value}", language)
        if kind == "count":
            return str(value).replace("-", "−")
        return super().value_text(rules, seen, kind, value, how)

    def thing_sign(self, kind: str, text: str, language: str) -> str:
        return card_text(text, language, "mark") if kind == "card" else text

    def thing_about(self, rules: Rules, kind: str, text: str, language: str) -> str:
        worth, _, accomplice = text.partition("+")
        if kind in {"plan", "pile card", "place of the pile"} and worth.isdigit():
            more = PHRASES(f"about.accomplice.{accomplice}", language) if accomplice else None
            return PHRASES("about.plan", language, value=int(worth), accomplice=more)
        key = f"about.{kind if kind == 'card' else 'agent'}.{text}"
        return PHRASES(key, language, bonus=rules.tables.bonus) if key in PHRASES else ""

    def metrics(self, rules: Rules) -> Sequence[str]:
        parts = [("points", "plan_points", "greens", "yellows", "tricks"), ("trick", "bonus", "penalty", "medal")]
        by_seat = [f"{name}_{seat}" for part in parts for seat in range(rules.players) for name in part]
        return ["rounds", "tied_rounds", *(f"staked_{accomplice}" for accomplice in ACCOMPLICES[1:]), *by_seat]

    def why_illegal(self, rules: Rules, view: bytes, move: int) -> Wording:
        """From what the mover sees, and nothing else."""
        texts, seen = self.phrases(), self.view_json(rules, view)
        phase, (word, _, card) = seen["phase"], self.move_text(rules, move).rpartition(":")
        if phase in {"lead", "look"} or word != {"pass": "pass", "play": ""}[phase]:
            return texts.wording(f"why.{phase}")
        if card not in seen["hand"]:
            letter = texts.wording(f"letters.{card[0]}")
            return texts.wording("why.hand", card=texts.wording("card_mark", letter=letter, rank=card[1:]))
        return texts.wording("why.follow", colour=texts.wording(f"colours.{seen['table'][0][1][0]}"))

    def outcomes(self, rules: Rules, layout: Mapping[str, Any]) -> list[Outcome]:
        """Hands and reserves of a round are dealt at once, seat by seat."""
        values, deck = self.layouts.read(rules, layout), rules.tables.deck
        if "agents" in values and (not rules.tables.powers or rules.tables.agents is not None):
            raise BadLayout("agents", self.problem("agents_given" if rules.tables.powers else "agents_without_powers"))
        result = self.layouts.outcomes(rules, values)
        for number, entry in enumerate(values.get("rounds", ())):
            cards = [card for dealt in zip(entry["hands"], entry["reserves"], strict=True) for part in dealt for card in part]
            twice = next((card for card in cards if cards.count(card) > 1), None)
            if twice is not None:
                raise BadLayout(f"rounds[{number}]", self.problem("dealt_twice", card=deck.card_texts[twice]))
            result.append((LUCK_CARDS, number, bytes(cards)))
        return result

    def outcome_name(self, rules: Rules, purpose: int, counter: int) -> str:
        name = f"rounds[{counter}].hands and .reserves"
        return name if purpose == LUCK_CARDS else super().outcome_name(rules, purpose, counter)

    def outcome_text(self, rules: Rules, purpose: int, items: bytes) -> str:
        texts = rules.tables.deck.card_texts
        return ", ".join(texts[item] for item in items) if purpose == LUCK_CARDS else super().outcome_text(rules, purpose, items)


def card_text(card: str, language: str, form: str = "") -> str:
    letter = card[0]
    colour = {"letter": PHRASES(f"letters.{letter}", language), "colour": PHRASES(f"colours.{letter}", language)}
    return PHRASES(CARD_FORMS[form], language, rank=card[1:], **colour)


ENGINE = AgencyEngine()
