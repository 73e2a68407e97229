"""What the study `learning` finds that only Connect has: the value of a window by its number of
discs."""

from __future__ import annotations

from mnkala.core import Position
from mnkala.errors import BadGame
from mnkala.families.connect.bits import Connect
from mnkala.families.connect.learned import ConnectModel
from mnkala.lab.registry import Row, measure
from mnkala.lab.studies.learning import learn


@measure("learned-windows", version=1)
def learned_windows(*, game: str, rounds: int, games_a_round: int, seed: int = 1) -> list[Row]:
    """Learn from self-play, and return the value that a window of one, two, … discs then has for
    the first and for the second player, as multiples of the mean value of one disc."""
    rules = Position(game).rules
    if not isinstance(rules, Connect):
        raise BadGame(f"{game} has no windows; take a Connect board")
    shared = (
        learn(game, rounds, games_a_round, seed)
        .weights[: ConnectModel(rules).table]
        .reshape(rules.line + 1, rules.line + 1)
    )
    worth = [
        (discs, float(shared[discs, 0]), float(-shared[0, discs]))
        for discs in range(1, len(shared) - 1)
    ]
    unit = (worth[0][1] + worth[0][2]) / 2 or 1.0
    return [
        {
            "discs": discs,
            "player": player,
            "logits": round(value, 4),
            "ratio": round(value / unit, 3),
        }
        for discs, first, second in worth
        for player, value in (("first player", first), ("second player", second))
    ]
