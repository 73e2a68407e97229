"""Figure 2: a move with a real heuristic beside easyAI's Negamax, the same alpha-beta in plain
Python throughout.

Both look six plies ahead from the empty board with the zero-sum window score, columns from left to
right, quick wins first. Move, value and number of visited positions are checked to be equal at
small depths, so both do the same work.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Any

from bench.measure import Effort, count_calls, cpu_seconds, in_turn
from bench.report import Row, Target, compared, not_installed, skipped

DEPTH = 6
WHAT = f"time of a move, zero-sum, 6x7, depth {DEPTH}, easyAI's Negamax"
TARGET = Target(">=", 300)
CHECKED_DEPTHS = (1, 2, 3, 4)
WON_NEXT = (0, 0, 1, 1, 2, 2)
"""The first player has three discs in a row: both must see it. Values of won games are written
differently, moves are not.
"""


def rows(effort: Effort) -> list[Row]:
    """One row with a game written here for speed, and one with the game that easyAI brings along,
    which has the target.
    """
    try:
        from bench.easyai_games import ListConnectFour, example_game
    except ImportError:
        return [not_installed(WHAT, "easyAI", TARGET)]

    quick = f"{WHAT} on a quick game of lists"
    example = f"{WHAT} on its own example game"
    found = [compare(quick, ListConnectFour, effort.choose(7, full=15), None)]
    if example_game() is None:
        return [*found, skipped(example, "this easyAI comes without its example games")]
    return [*found, compare(example, example_game, effort.choose(2, full=7), TARGET)]


def compare(what: str, make_game: Callable[[], Any], rounds: int, target: Target | None) -> Row:
    """Time a move of either side, once both are known to agree."""
    from easyAI import Negamax

    from mnkala.core import Position
    from mnkala.search import parse_engine

    position = Position("connect4")
    engine = parse_engine(f"alphabeta:depth={DEPTH},heuristic=zero-sum")
    engine.search.prepare(position.rules)
    check_agreement(make_game)
    negamax = Negamax(DEPTH)
    pairs = in_turn(
        lambda: 1000 * cpu_seconds(lambda: engine.analyse(position)),
        lambda: 1000 * cpu_seconds(lambda: negamax(make_game())),
        rounds,
    )
    return compared(what, "ms", pairs, "peer/ours", target)


def check_agreement(make_game: Callable[[], Any]) -> None:
    """Both must choose the same move for the same value after visiting as many positions."""
    from easyAI import Negamax

    from mnkala.core import Position
    from mnkala.search import parse_engine

    module = importlib.import_module("easyAI.AI.Negamax")
    for depth in CHECKED_DEPTHS:
        engine = parse_engine(f"alphabeta:depth={depth},heuristic=zero-sum")
        negamax = Negamax(depth)
        ours = engine.analyse(Position("connect4"))
        nodes = count_calls(module, "negamax", functools.partial(negamax, make_game()))
        move = negamax(make_game())
        assert ours.score is not None
        if (ours.best_code, ours.score.value, ours.nodes) != (move, negamax.alpha, nodes):
            raise AssertionError(
                f"depth {depth}: move, value and nodes are {ours.best_code}, {ours.score.value}, {ours.nodes} "
                f"here and {move}, {negamax.alpha}, {nodes} in easyAI"
            )

        game = make_game()
        for played in WON_NEXT:
            game.play_move(played)
        won = engine.analyse(Position("connect4").play("112233"))
        if won.best_code != negamax(game):
            raise AssertionError(f"depth {depth}: only one side sees the win in {WON_NEXT}")
