"""What happens at agency's table, told from two views of one seat: the one before a move and the one after it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.text import Text

from machiavel.server.cli.tables.agency_voice import Voice
from machiavel.server.cli.tables.setting import Seen

__all__ = ["Haul", "Score", "bonus_of", "powers_up", "round_scores", "story", "told_haul", "trick_taken"]


@dataclass(frozen=True)
class Haul:
    """What the winner of a trick took."""

    winner: int
    plan: int
    bottom: int | None  # the value of the plan that Martha took from under the pile
    greens: int
    yellows: int
    jean: bool  # greens and yellows count for nobody


@dataclass(frozen=True)
class Score:
    """A seat's points in a finished round, and what they are made of."""

    plans: int
    greens: int
    yellows: int
    bonus: int
    malus: int
    points: int


def bonus_of(players: int) -> int:
    """What least green gains, and most yellow costs."""
    return 8 if players <= 3 else 5


def story(voice: Voice, before: Seen | None, seat: int | None, move: str | None, after: Seen) -> Iterator[Text]:
    """Line by line what the seat saw of a move and of what followed from it."""
    if before is not None and seat is not None and move is not None:
        yield told_move(voice, before, seat, move, after)
        if before["phase"] == "pass" and after["phase"] != "pass":
            entry = after["half"][-1]
            source = (voice.me - 1) % len(after["medals"])
            yield voice.words.styled("passed", card=voice.card(entry["received"]), source=voice.full(source))
        haul = trick_taken(before, seat, move, after)
        if haul is not None:
            yield voice.say("win", haul.winner, haul=told_haul(voice, haul))
            if before["trick"] == 6:
                yield Text(voice.words("reserves"))
            if before["trick"] == 12:
                yield from told_round(voice, before, haul, after)
    yield from told_beginning(voice, before, after)


def told_move(voice: Voice, before: Seen, seat: int, move: str, after: Seen) -> Text:
    word, _, rest = move.partition(":")
    if word == "lead":
        return voice.say("lead", seat, int(rest))
    if word == "look":
        seen = after["look"]["cards"] if after["look"] else None
        return voice.say("look", seat, int(rest), cards=voice.cards(seen or ()))
    if word == "pass":
        target = (seat + 1) % len(before["medals"])
        return voice.say("pass", seat, target, card="" if rest == "?" else voice.card(rest))
    return voice.say("play", seat, card=voice.card(move))


# ---- Tricks ----


def trick_taken(before: Seen, seat: int, move: str, after: Seen) -> Haul | None:
    """What the move's trick brought to whom, if the move was its last card."""
    if before["phase"] != "play" or len(before["table"]) + 1 < len(before["order"]):
        return None
    cards = [*(card for _, card in before["table"]), move]
    winner = trick_winner(before, [*(other for other, _ in before["table"]), seat], cards, after)
    jean = before["jean"] and before["agents"][winner] == "jean"
    greens = sum(card[0] == "G" for card in cards)
    yellows = sum(card[0] == "Y" for card in cards)
    plan = plan_value(before["stake"])
    bottom = None
    if before["martha"] and before["agents"][winner] == "martha":
        if after["round"] == before["round"]:
            total = after["plan_points"][winner]
        else:
            taken = Haul(winner, plan, None, greens, yellows, jean)
            total = round_scores(before, taken, after)[winner].plans
        bottom = total - before["plan_points"][winner] - plan
    return Haul(winner, plan, bottom, greens, yellows, jean)


def trick_winner(before: Seen, order: Sequence[int], cards: Sequence[str], after: Seen) -> int:
    """Views count tricks won in the present round alone; the winner of a round's last trick is seen from the cards."""
    if after["round"] == before["round"]:
        return next(seat for seat, count in enumerate(after["tricks"]) if count > before["tricks"][seat])
    accomplice = before["stake"].partition("+")[2]
    colours = {card[0] for card in cards}
    best = cards[0][0]
    if "M" in colours and accomplice != "plain_mauve":
        best = "M"
    if "B" in colours and accomplice == "blue_over_mauve":
        best = "B"
    ranks = {int(card[1:]): seat for seat, card in zip(order, cards, strict=True) if card[0] == best}
    return ranks[min(ranks) if accomplice == "low_wins" else max(ranks)]


def plan_value(plan: str) -> int:
    return int(plan.partition("+")[0])


def told_haul(voice: Voice, haul: Haul) -> Text:
    parts = [Text(voice.words("haul_plan", value=haul.plan), style="bold")]
    if haul.bottom is not None:
        parts.append(Text(voice.words("haul_bottom", value=haul.bottom), style="bold"))
    if haul.greens:
        parts.append(Text(voice.words("haul_greens", count=haul.greens), style="green"))
    if haul.yellows:
        parts.append(Text(voice.words("haul_yellows", count=haul.yellows), style="yellow"))
    if haul.jean and haul.greens + haul.yellows:
        parts.append(Text(voice.words("haul_jean")))
    return Text(", ").join(parts)


# ---- Rounds ----


def round_scores(before: Seen, haul: Haul, after: Seen) -> list[Score]:
    """The points of a round, taken apart: views keep the sums alone once the next round is dealt."""
    count = len(before["medals"])
    greens, yellows = list(before["greens"]), list(before["yellows"])
    if not haul.jean:
        greens[haul.winner] += haul.greens
        yellows[haul.winner] += haul.yellows
    worth = bonus_of(count)
    scores = []
    for seat, points in enumerate(after["last_round"]["points"]):
        bonus = worth if greens[seat] == min(greens) else 0
        malus = worth if yellows[seat] == max(yellows) else 0
        scores.append(Score(points - bonus + malus, greens[seat], yellows[seat], bonus, malus, points))
    return scores


def told_round(voice: Voice, before: Seen, haul: Haul, after: Seen) -> Iterator[Text]:
    words = voice.words
    yield Text(words("round_over", round=before["round"]), style="bold underline")
    for seat, score in enumerate(round_scores(before, haul, after)):
        style = "bold" if seat in after["last_round"]["winners"] else ""
        line = Text("  ").append(words("score", who=voice.name(seat)), style=style)
        line.append(f" {words('plans')} {score.plans}")
        if score.bonus:
            line.append(f", {words('bonus')} ({score.greens}) +{score.bonus}", style="green")
        if score.malus:
            line.append(f", {words('malus')} ({score.yellows}) −{score.malus}", style="yellow")
        yield line.append(f" = {score.points}", style="bold")
    for seat in after["last_round"]["winners"]:
        yield voice.say("medal", seat)


# ---- Beginnings ----


def told_beginning(voice: Voice, before: Seen | None, after: Seen) -> Iterator[Text]:
    """A new round, powers that have come up since, and what is at stake."""
    if after["phase"] == "over":
        return
    new_round = before is None or before["round"] != after["round"]
    if new_round:
        yield Text(voice.words("new_round", round=after["round"]), style="bold underline")
        sizes = [segment["size"] for segment in after["segments"]]
        if after["round"] > 1 and len(sizes) == 2:
            yield Text(voice.words("new_round_pile", left=sizes[0], under=sizes[1]), style="dim")
    for agent in powers_up(before, after):
        seat = voice.seat_of(agent)
        if seat is not None:
            yield voice.say("power", seat, agent=voice.agent(agent), power=voice.power(agent))
    if after["stake"] is not None and (new_round or before is None or before["stake"] is None or is_later(before, after)):
        yield voice.words.styled("staked", plan=voice.plan(after["stake"]))


def is_later(before: Seen, after: Seen) -> bool:
    return (before["round"], before["trick"]) != (after["round"], after["trick"])


def powers_up(before: Seen | None, after: Seen) -> list[str]:
    """The power cards that have come up for the present trick and were not up before."""

    def up(view: Seen) -> set[str]:
        choosing = {"lead": "belton", "look": "moignons"}.get(view["phase"])
        result = {name for name in ("martha", "jean") if view[name]}
        if view["last"] is not None:
            result.add("wxt")
        return result | {choosing} if choosing else result

    known = set() if before is None or is_later(before, after) else up(before)
    return sorted(up(after) - known, key=("belton", "martha", "wxt", "jean", "moignons").index)
