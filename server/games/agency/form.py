"""What is asked of a person at a table of agency."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from machiavel.engines import Game
from machiavel.engines.agency.deck import AGENTS, HALF, TRICKS, AgencyDeck
from machiavel.engines.agency.schema import AGENT, CARD, PILE_CARD
from machiavel.server.forms import steps
from machiavel.server.forms.answer_shapes import AnswerShape, choices_of, shaped
from machiavel.server.forms.steps import Answers, by_seat, items_of, listed, whole, yes
from machiavel.server.games.agency.entries import card_named

__all__ = ["agency_form"]

PLACES = {"order": "table", "to_move": "table", "half": "exchange", "segments": "gone", "plan_points": "points"}
PLACES |= {"pile": "top", "stake": "top", "phase": "top", "tricks": "trick", "latest": "trick"}
DRAWN, CHOOSERS = ("martha", "jean"), ("belton", "moignons")


def agency_form(game: Game) -> steps.Form:
    deck: AgencyDeck = game.make_rules(3).tables.deck
    phrases = game.plugin.phrases()
    questions = steps.Questions(phrases)
    ask, each = questions.ask, by_seat(whole(0, 99))

    def named(entry: str, known: Any, key: str = "one_of") -> str:
        word = entry.casefold().replace(" ", "")
        if word not in known:
            raise questions.wrong(key, entry=entry, known=", ".join(known))
        return word

    def card(_: Answers, word: str) -> str:
        result = card_named(word.casefold())
        if result not in deck.card_numbers:
            raise questions.wrong("cards", entry=word)
        return result

    a_card, an_agent = AnswerShape("thing", thing=CARD), AnswerShape("thing", thing=AGENT)
    labelled = [replace(a_card, label=phrases.wording(f"form.exchange.{name}").texts) for name in ("gave", "received")]
    shaped(card, a_card)

    def agent(_: Answers, word: str) -> str:
        return named(word, AGENTS)

    shaped(agent, an_agent)

    def top(answers: Answers, entry: str) -> str:
        own = [agent for agent in CHOOSERS if answers.get("agents", [""])[0] == agent]
        return named(entry, [*deck.plan_numbers, *own])

    def exchange(answers: Answers, entry: str) -> list[str]:
        result: list[str] = items_of("hand", card, 2, 2)(answers, entry)
        if result[0] in answers["hand"]:
            raise questions.wrong("given", card=result[0])
        return result

    def leader(answers: Answers, entry: str) -> int:
        seats = {agent: str(seat) for seat, agent in enumerate(answers.get("agents", ()))}
        return steps.seat(answers, seats.get(entry.casefold(), entry))

    def drawn(answers: Answers, word: str) -> str:
        return named(word, drawable(answers))

    def gone(_: Answers, entry: str) -> list[str]:
        return [named(word, deck.kind_numbers, "gone") for word in listed(entry)]

    shaped(top, AnswerShape("thing", thing=PILE_CARD))
    shaped(exchange, AnswerShape("parts", parts=labelled))
    shaped(leader, AnswerShape("seat"))
    shaped(gone, AnswerShape("things", thing=PILE_CARD, repeats=True))
    powers = steps.several(drawn)
    shaped(powers, lambda answers: AnswerShape("several", inside=choices_of(drawable(answers), AGENT)))

    def others(answers: Answers) -> int:
        return int(answers["players"]) - 1

    form = [
        steps.players_step(game),
        ask("powers", yes, usual="y"),
        ask("agents", by_seat(agent, once=True), needed=lambda answers: answers.get("powers", True)),
        ask("medals", each, usual=lambda answers: " ".join(["0"] * answers["players"])),
        ask("trick", whole(1, TRICKS)),
        ask("hand", items_of("hand", card, held, held)),
        ask("top", top),
        ask("passed", yes, needed=lambda answers: answers.get("top", "").endswith("+pass_left"), usual="n"),
        ask("exchange", exchange, needed=lambda answers: bool(answers.get("passed"))),
        ask(
            "table",
            items_of("table", card, 0, others),
            needed=lambda answers: plan_is_up(answers) and not is_passing(answers),
            usual="",
        ),
        ask("last", last, needed=lambda answers: has("wxt")(answers) and "top" in answers, usual="n", is_yes_or_no=True),
        ask("leader", leader, needed=needs_leader),
        ask("drawn", powers, needed=has(*DRAWN), usual=""),
        ask("points", each, needed=is_later),
        ask("greens", each, needed=is_later),
        ask("yellows", each, needed=is_later),
        ask("seen", items_of("seen", card), needed=is_later, usual=""),
        ask("gone", gone, needed=is_later, usual=""),
    ]
    return steps.Form(game, form, lambda answers: told(answers, "players", "powers", "agents"), view, PLACES)


def drawable(answers: Answers) -> list[str]:
    """The powers that may have come up for a trick."""
    return [agent for agent in DRAWN if agent in answers["agents"]]


def held(answers: Answers) -> int:
    return HALF - int(answers["trick"] - 1) % HALF


def told(answers: Answers, *names: str) -> dict[str, Any]:
    return {name: answers[name] for name in names if answers.get(name) is not None}


def plan_is_up(answers: Answers) -> bool:
    return answers.get("top", "belton") not in AGENTS


def is_passing(answers: Answers) -> bool:
    return plan_is_up(answers) and answers["top"].endswith("+pass_left") and not answers.get("passed", False)


def is_later(answers: Answers) -> bool:
    return bool(answers.get("trick", 1) > 1)


def has(*agents: str) -> Callable[[Answers], bool]:
    return lambda answers: any(agent in answers.get("agents", ()) for agent in agents)


def last(answers: Answers, entry: str) -> int | None:
    """The seat of WXT, where he plays last."""
    return answers["agents"].index("wxt") if yes(answers, entry) else None


def order(answers: Answers, leader: int) -> list[int]:
    """Who plays when in a trick that this seat leads."""
    seats, last = [(leader + i) % answers["players"] for i in range(answers["players"])], answers.get("last")
    return seats if last is None else [*(seat for seat in seats if seat != last), last]


def leaders(answers: Answers) -> list[int]:
    """The seats that may lead this trick, by how many have played before you."""
    played = len(answers.get("table", ()))
    can_lead = [seat for seat in range(answers["players"]) if seat != answers.get("last")]
    return [seat for seat in can_lead if order(answers, seat)[played : played + 1] == [0]]


def needs_leader(answers: Answers) -> bool:
    return not plan_is_up(answers) or is_passing(answers) or len(leaders(answers)) > 1


def view(answers: Answers) -> dict[str, Any]:
    """Nothing but what was said; the rest is for the game to conclude."""
    result = told(answers, "medals", "trick", "hand", "last", "greens", "yellows") | dict.fromkeys(answers.get("drawn", ()), True)
    result |= {"seat": 0, "pile": [answers["top"]]}
    result |= {"plan_points": answers["points"]} if "points" in answers else {}
    if plan_is_up(answers):
        result |= {"stake": answers["top"], "phase": "pass" if is_passing(answers) else "play"}
        leader = answers.get("leader", next(iter(leaders(answers)), 0))
        on_table = zip(order(answers, leader), answers.get("table", ()), strict=False)
        result |= {"leader": leader, "table": [list(pair) for pair in on_table]}
    else:
        result["leader"] = answers["leader"]
    if "exchange" in answers:
        result["half"] = [{"trick": answers["trick"]} | dict(zip(("gave", "received"), answers["exchange"], strict=True))]
    result |= {"seen": [*answers["seen"], *answers.get("table", ())]} if answers.get("seen") else {}
    return result | ({"gone": answers["gone"]} if answers.get("gone") else {})
