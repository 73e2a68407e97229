"""How strong Monte-Carlo tree search (report 000) is by iterations and C, and in equal time with alpha-beta.

Report 000 plays 1,000 iterations and does not say its C. Here each game has a random seed of its own: with one seed for all, a series would
measure one sequence of random games.
"""

from __future__ import annotations

from mnkala.core import Position
from mnkala.lab.matches import Player, games_between, player, seed_of_pair, summary
from mnkala.lab.registry import Row, measure


@measure("mcts-strength", version=1)
def mcts_strength(*, game: str, iterations: int, exploration: float, opponent: str, games: int, seed: int = 1) -> Row:
    """MCTS of so many iterations and this C against a fixed opponent."""
    engine = f"mcts:iterations={iterations},exploration={exploration}"

    def players(number: int) -> tuple[Player, Player]:
        return player(game, f"{engine},seed={1000 * seed + number}"), player(game, opponent)

    return summary(games_between(Position(game).rules, players, games, 1000 * seed))


@measure("mcts-equal-time", version=1)
def mcts_equal_time(*, game: str, opponent: str, milliseconds: float, games: int, seed: int = 1) -> Row:
    """MCTS against another engine with the same processor time a move."""
    rules, limit = Position(game).rules, f"time {milliseconds} ms"

    def players(number: int) -> tuple[Player, Player]:
        return player(game, f"mcts:exploration=1.0,seed={1000 * seed + number}", limit), player(game, opponent, limit)

    row = summary(games_between(rules, players, games, seed_of_pair(seed, "mcts", opponent)))
    return {"family": rules.name, "branching": rules.most_moves(), **row}
