"""A frontend written for an earlier release, run with that release's client: `python frontend.py ADDRESS CLIENT`."""

import sys
from pathlib import Path

import machiavel.clients
import machiavel.v1
from machiavel.clients import Client, Host, NotAMove, commitment, connect
from machiavel.v1 import Options, TournamentPlan, TournamentState

ADDRESS, CLIENT = sys.argv[1:]
GAMES = ("agency", "bond", "citadel", "whist")  # there were in that release
for module in (machiavel.clients, machiavel.v1):
    assert Path(str(module.__file__)).is_relative_to(CLIENT), module.__file__


def main() -> None:
    with connect(ADDRESS) as service:
        assert {"greedy", "ismcts", "level5"} <= {bot.name for bot in service.list_bots()}
        service.list_styles()
        for game in (game for game in service.list_games() if game.name in GAMES):
            state = service.new_state(game.name, 2, seed=1)
            for _ in range(6):
                state = service.apply_move(state, service.legal_moves(state)[0].moves[0].text).state
            seat = service.legal_moves(state)[0].seat
            view = service.get_view(state, seat)
            result = service.recommend_move(view, bot="ismcts:seed=1", iterations=50, explain=True)
            assert result.move.text in {move.text for move in service.legal_moves(view)[0].moves}
            assert result.recommendation.iterations == 50 or len(result.recommendation.candidates) == 1
            assert [*service.analyze_moves(view, iterations=50)][-1].final
            review = [*service.review_game(state, iterations=5)]
            assert review[-1].HasField("summary")
            assert service.get_state(state).record == state.record
            hosted(service.create_match(game.name, ["person", "greedy"], think=0.02, hints=True, open_record=True))
            tournament(service, game.name)
            print(game.name)
        try:
            service.apply_move(service.new_state("whist", 2, seed=1), "ZZ")
        except NotAMove:
            print("refused")


def hosted(host: Host) -> None:
    table, hint = host.at(0), None
    for position in table.turns():
        if hint is None:
            hint = table.hint(iterations=20, explain=True)
        table.play(position.moves[0].text)
    *_, last = host.watch(after=0)
    assert last.event.HasField("over")
    response = host.record()
    assert commitment(response) == host.created.commitment


def tournament(service: Client, game: str) -> None:
    plan = TournamentPlan(game=game, options=Options(players=2), bots=["greedy", "random"], seed="7", deals=1)
    begun = service.start_tournament(plan, request_id=game)
    *_, last = service.watch_tournament(begun.name, interval=0.05)
    assert last.tournament.state == TournamentState.TOURNAMENT_STATE_PLAYED
    assert len(service.tournament_results(begun.name).standings) == 2
    assert service.tournament_game(begun.name, 0).record.moves


main()
