"""Figure 4: Monte-Carlo simulations a second beside OpenSpiel's C++ MCTSBot, both with random
playouts, one each, on one thread.

Each side searches the start of the game with a fresh tree of the same number of simulations.
OpenSpiel has two games for five in a row on 15x15, `mnk` and the quicker `gomoku`; its `mancala` is
Kalah(6,4) with the standard capture.
"""

from __future__ import annotations

from typing import Any

from bench.measure import Effort, cpu_seconds, in_turn
from bench.report import Row, Target, compared, not_installed

WHAT = "MCTS, random playouts"
CONTESTS: tuple[tuple[str, str, dict[str, int], int, Target], ...] = (
    ("connect4", "connect_four", {}, 20_000, Target(">=", 20)),
    ("gomoku", "mnk", {"m": 15, "n": 15, "k": 5}, 150, Target(">=", 150)),
    ("gomoku", "gomoku", {"size": 15, "connect": 5}, 3_000, Target(">=", 8)),
    ("kalah:6x4,standard", "mancala", {}, 20_000, Target(">=", 8)),
)
"""Our game, theirs, its parameters, simulations, target."""


def rows(effort: Effort) -> list[Row]:
    """A row a game."""
    try:
        import pyspiel
    except ImportError:
        return [not_installed(WHAT, "open_spiel", None)]
    return [contest(pyspiel, effort.choose(5, full=11), *entry) for entry in CONTESTS]


def contest(
    pyspiel: Any,
    rounds: int,
    ours: str,
    theirs: str,
    parameters: dict[str, int],
    simulations: int,
    target: Target,
) -> Row:
    """Simulations a second of either side on one game."""
    from mnkala.core import Position
    from mnkala.search import parse_engine

    position = Position(ours)
    count = max(simulations, 20_000)
    engine = parse_engine(f"mcts:iterations={count},keep=off,candidates=all,solve=off")
    engine.search.prepare(position.rules)
    game = pyspiel.load_game(theirs, parameters)
    state = game.new_initial_state()

    def search_theirs() -> None:
        evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
        pyspiel.MCTSBot(game, evaluator, 1.4, simulations, 1000, False, 1, False).mcts_search(state)

    pairs = in_turn(
        lambda: count / cpu_seconds(lambda: engine.analyse(position)),
        lambda: simulations / cpu_seconds(search_theirs),
        rounds,
    )
    return compared(f"{WHAT}, {ours}, OpenSpiel's {theirs}", "sims/s", pairs, "ours/peer", target)
