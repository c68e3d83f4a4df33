"""What is asked of a person at a table of agency."""

from typing import Any

from machiavel.engines import Game
from machiavel.engines.agency.deck import AGENTS, AgencyDeck
from machiavel.server.cli.asking.steps import Answers, Form, FormStep, Wrong, by_seat, listed, players_step, several, whole, yes
from machiavel.server.cli.tables.agency_entries import card_named

__all__ = ["agency_form"]

HALF = 6
DRAWN = ("martha", "jean")


def agency_form(game: Game) -> Form:
    deck: AgencyDeck = game.make_rules(3).tables.deck
    return Form(
        game,
        [players_step(game), *steps(deck)],
        options,
        view,
        {
            "order": "table",
            "to_move": "table",
            "half": "exchange",
            "segments": "gone",
            "pile": "top",
            "stake": "top",
            "plan_points": "points",
            "tricks": "trick",
            "latest": "trick",
            "phase": "top",
        },
    )


def options(answers: Answers) -> dict[str, Any]:
    result = {"players": answers["players"], "powers": answers["powers"]}
    return result | ({"agents": answers["agents"]} if answers["powers"] else {})


def plan_is_up(answers: Answers) -> bool:
    return answers.get("top", "belton") not in AGENTS


def is_passing(answers: Answers) -> bool:
    return plan_is_up(answers) and answers["top"].endswith("+pass_left") and not answers.get("passed", False)


def is_later(answers: Answers) -> bool:
    return bool(answers.get("trick", 1) > 1)


def has(*agents: str) -> Any:
    return lambda answers: any(agent in answers.get("agents", ()) for agent in agents)


def leaders(answers: Answers) -> list[int]:
    """The seats that may lead this trick, by how many have played before you."""
    seats, last, played = range(answers["players"]), answers.get("last"), len(answers.get("table", ()))
    result = []
    for leader in seats:
        order = [(leader + i) % answers["players"] for i in seats]
        if last is not None:
            order = [seat for seat in order if seat != last] + [last]
        if order[played : played + 1] == [0] and leader != last:
            result.append(leader)
    return result


def needs_leader(answers: Answers) -> bool:
    if not plan_is_up(answers) or is_passing(answers):
        return True
    return len(leaders(answers)) > 1


def read_agent(_: Answers, word: str) -> str:
    if word.casefold() in AGENTS:
        return word.casefold()
    known = ", ".join(AGENTS)
    raise Wrong(f"{word}: expected some of {known}", f"{word} : il faut certains de {known}")


def read_agents(answers: Answers, entry: str) -> list[str]:
    result: list[str] = by_seat(read_agent)(answers, entry)
    if len(set(result)) < len(result):
        raise Wrong("an agent is given twice", "un agent est donné deux fois")
    return result


WHERE = {
    "hand": ("in your hand", "dans ta main"),
    "table": ("on the table", "sur la table"),
    "seen": ("among the cards played", "parmi les cartes jouées"),
}


def cards_reader(deck: AgencyDeck, key: str, count: Any = None, most: Any = None) -> Any:
    """Cards that are nowhere else: so many of them, or at most so many, if that is known."""

    def read(answers: Answers, entry: str) -> list[str]:
        result = []
        for word in listed(entry):
            card = card_named(word.casefold())
            if card is None or card not in deck.card_numbers:
                raise Wrong(f"{word}: expected cards, as G8 M3 Y12", f"{word} : il faut des cartes, comme V8 M3 J12")
            for other, (en, fr) in WHERE.items():
                if other != key and card in answers.get(other, ()):
                    raise Wrong(f"{card} is {en} already", f"{card} est déjà {fr}")
            if card in result:
                raise Wrong(f"{card} is given twice", f"{card} est donné deux fois")
            result.append(card)
        if count is not None and len(result) != count(answers):
            expected = count(answers)
            raise Wrong(
                f"{len(result)} cards are given; expected {expected}", f"il y a {len(result)} cartes ; il en faut {expected}"
            )
        if most is not None and len(result) > most(answers):
            expected = most(answers)
            raise Wrong(
                f"{len(result)} cards are given; before you {expected} can have been played",
                f"il y a {len(result)} cartes ; avant toi {expected} ont pu être jouées",
            )
        return result

    return read


def read_seat(answers: Answers, entry: str) -> int:
    agents = answers.get("agents", [])
    return agents.index(entry.casefold()) if entry.casefold() in agents else int(whole(0, answers["players"] - 1)(answers, entry))


def top_reader(deck: AgencyDeck) -> Any:
    plans = [deck.kind_texts[kind] for kind, count in enumerate(deck.counts) if count]

    def read(answers: Answers, entry: str) -> str:
        own = [agent for agent in ("belton", "moignons") if answers.get("agents", [""])[0] == agent]
        word = entry.casefold().replace(" ", "")
        if word in plans or word in own:
            return word
        known = ", ".join([*plans, *own])
        raise Wrong(f"{entry}: expected one of {known}", f"{entry} : il faut un de {known}")

    return read


def exchange_reader(deck: AgencyDeck) -> Any:
    def read(answers: Answers, entry: str) -> list[str]:
        cards: list[str] = cards_reader(deck, "hand", lambda _: 2)(answers, entry)
        if cards[0] in answers["hand"]:
            raise Wrong(f"{cards[0]} was given, and is in your hand", f"{cards[0]} a été donnée, et elle est dans ta main")
        return cards

    return read


def gone_reader(deck: AgencyDeck) -> Any:
    known = [*deck.kind_texts.values()]

    def read(_: Answers, entry: str) -> list[str]:
        for word in listed(entry):
            if word.casefold() not in known:
                raise Wrong(
                    f"{word}: expected plans and powers, as 4 2+low_wins belton",
                    f"{word} : il faut des plans et des pouvoirs, comme 4 2+low_wins belton",
                )
        return [word.casefold() for word in listed(entry)]

    return read


def steps(deck: AgencyDeck) -> list[FormStep]:
    number, zeros = whole(0, 99), lambda answers: " ".join(["0"] * answers["players"])
    seats = {
        "en": "One number a player, from yourself on clockwise, as 0 1 0.",
        "fr": "Un nombre par joueur, à partir de toi dans le sens horaire, comme 0 1 0.",
    }
    cards = {
        "en": "Cards as G8 M3 Y12: mauve, blue, green, yellow and the number.",
        "fr": "Des cartes comme V8 M3 J12 : mauve, bleu, vert, jaune et le nombre.",
    }
    held = lambda answers: HALF - (answers["trick"] - 1) % HALF  # noqa: E731
    return [
        FormStep(
            "powers",
            {"en": "Do you play with power cards?", "fr": "Jouez-vous avec les cartes Pouvoir ?"},
            {"en": "yes or no", "fr": "oui ou non"},
            yes,
            usual=lambda _: "y",
            is_yes_or_no=True,
        ),
        FormStep(
            "agents",
            {"en": "Who is who, from yourself on clockwise?", "fr": "Qui incarne qui, à partir de toi dans le sens horaire ?"},
            {"en": f"As many as players, of {', '.join(AGENTS)}.", "fr": f"Autant que de joueurs, parmi {', '.join(AGENTS)}."},
            read_agents,
            lambda answers: answers.get("powers", True),
        ),
        FormStep(
            "medals",
            {"en": "Medals of each player?", "fr": "Les médailles de chaque joueur ?"},
            seats,
            by_seat(number),
            usual=zeros,
        ),
        FormStep(
            "trick",
            {"en": "Which trick of the round is it, 1 to 12?", "fr": "Quel tour de la manche est-ce, de 1 à 12 ?"},
            {"en": "Tricks finished in this round, and one.", "fr": "Les tours finis dans cette manche, plus un."},
            whole(1, 12),
        ),
        FormStep("hand", {"en": "Your hand?", "fr": "Ta main ?"}, cards, cards_reader(deck, "hand", held)),
        FormStep(
            "top",
            {"en": "What lies on top of the pile?", "fr": "Qu'y a-t-il sur le dessus de la pile ?"},
            {
                "en": "The plan at stake, as 4 or 4+blue_over_mauve; or your own belton or moignons, while you choose.",
                "fr": "Le plan en jeu, comme 4 ou 4+blue_over_mauve ; ou ton belton ou moignons, pendant que tu choisis.",
            },
            top_reader(deck),
        ),
        FormStep(
            "passed",
            {"en": "Has everybody passed a card already?", "fr": "Chacun a-t-il déjà passé une carte ?"},
            {"en": "yes or no", "fr": "oui ou non"},
            yes,
            lambda answers: plan_is_up(answers) and answers["top"].endswith("+pass_left"),
            lambda _: "n",
            is_yes_or_no=True,
        ),
        FormStep(
            "exchange",
            {
                "en": "Which card did you give, and which did you receive?",
                "fr": "Quelle carte as-tu donnée, et laquelle as-tu reçue ?",
            },
            {"en": "Two cards, as G8 Y12.", "fr": "Deux cartes, comme V8 J12."},
            exchange_reader(deck),
            lambda answers: bool(answers.get("passed")),
        ),
        FormStep(
            "table",
            {"en": "Cards on the table, in the order played?", "fr": "Les cartes sur la table, dans l'ordre ?"},
            cards,
            cards_reader(deck, "table", most=lambda answers: answers["players"] - 1),
            lambda answers: plan_is_up(answers) and not is_passing(answers),
            lambda _: "",
        ),
        FormStep(
            "last",
            {"en": "Does WXT play last in this trick?", "fr": "WXT joue-t-il en dernier ce tour-ci ?"},
            {
                "en": "yes, where his power came up for this trick and nobody made him lead",
                "fr": "oui, si son pouvoir est sorti pour ce tour et que personne ne l'a fait commencer",
            },
            read_last,
            lambda answers: has("wxt")(answers) and "top" in answers,
            lambda _: "n",
            is_yes_or_no=True,
        ),
        FormStep(
            "leader",
            {
                "en": "Who leads this trick, or won the last one? (0 is you)",
                "fr": "Qui commence ce tour, ou a remporté le dernier ? (0, c'est toi)",
            },
            {
                "en": "A seat from 0, clockwise from you, or an agent.",
                "fr": "Un joueur à partir de 0, dans le sens horaire depuis toi, ou un agent.",
            },
            read_seat,
            needs_leader,
        ),
        FormStep(
            "drawn",
            {
                "en": "Which of these powers came up for this trick: martha, jean?",
                "fr": "Lesquels de ces pouvoirs sont sortis pour ce tour : martha, jean ?",
            },
            {"en": "Those that came up at its start; Enter: none.", "fr": "Ceux sortis à son début ; Entrée : aucun."},
            several(drawn_reader),
            has(*DRAWN),
            lambda _: "",
        ),
        FormStep(
            "points",
            {
                "en": "Points in plans of each player, this round?",
                "fr": "Les points en plans de chaque joueur, dans cette manche ?",
            },
            seats,
            by_seat(number),
            is_later,
        ),
        FormStep(
            "greens",
            {"en": "Green cards that each player has taken?", "fr": "Les cartes vertes prises par chaque joueur ?"},
            seats,
            by_seat(number),
            is_later,
        ),
        FormStep(
            "yellows",
            {"en": "Yellow cards that each player has taken?", "fr": "Les cartes jaunes prises par chaque joueur ?"},
            seats,
            by_seat(number),
            is_later,
        ),
        FormStep(
            "seen",
            {
                "en": "Cards played earlier in this round, as far as you remember?",
                "fr": "Les cartes jouées plus tôt dans cette manche, autant que tu t'en souviens ?",
            },
            cards,
            cards_reader(deck, "seen"),
            is_later,
            lambda _: "",
        ),
        FormStep(
            "gone",
            {
                "en": "Plans and powers that have left the pile in this round, if you remember all of them?",
                "fr": "Les plans et pouvoirs sortis de la pile dans cette manche, si tu te souviens de tous ?",
            },
            {
                "en": "As 4 2+low_wins belton; Enter: not remembered, and the likeliest are assumed.",
                "fr": "Comme 4 2+low_wins belton ; Entrée : oubliés, et les plus probables sont supposés.",
            },
            gone_reader(deck),
            is_later,
            lambda _: "",
        ),
    ]


def read_last(answers: Answers, entry: str) -> int | None:
    return answers["agents"].index("wxt") if yes(answers, entry) else None


def drawn_reader(answers: Answers, word: str) -> str:
    if word.casefold() in DRAWN and word.casefold() in answers["agents"]:
        return word.casefold()
    known = ", ".join(agent for agent in DRAWN if agent in answers["agents"])
    raise Wrong(f"{word}: expected some of {known}", f"{word} : il faut certains de {known}")


def view(answers: Answers) -> dict[str, Any]:
    """Nothing but what was said; the rest is for the game to conclude."""
    result: dict[str, Any] = {name: answers[name] for name in ("medals", "trick", "hand") if name in answers}
    result |= {"seat": 0, "pile": [answers["top"]]} | dict.fromkeys(answers.get("drawn", ()), True)
    result |= {"last": answers["last"]} if answers.get("last") is not None else {}
    if plan_is_up(answers):
        result |= {"stake": answers["top"], "phase": "pass" if is_passing(answers) else "play"}
        leader = answers.get("leader", next(iter(leaders(answers)), 0))
        order = [(leader + i) % answers["players"] for i in range(answers["players"])]
        if answers.get("last") is not None:
            order = [seat for seat in order if seat != answers["last"]] + [answers["last"]]
        result |= {"leader": leader, "table": [list(pair) for pair in zip(order, answers.get("table", ()), strict=False)]}
    else:
        result["leader"] = answers["leader"]
    if "exchange" in answers:
        gave, received = answers["exchange"]
        result["half"] = [{"trick": answers["trick"], "gave": gave, "received": received}]
    for name, key in (("plan_points", "points"), ("greens", "greens"), ("yellows", "yellows")):
        result |= {name: answers[key]} if key in answers else {}
    result |= {"seen": [*answers["seen"], *answers.get("table", ())]} if answers.get("seen") else {}
    return result | ({"gone": answers["gone"]} if answers.get("gone") else {})
