"""Figure 4: rates without a peer or a target. They mean something only beside the same rates of
another day, same machine.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from bench.measure import Effort, cpu_seconds, in_turn, searched, two_threads
from bench.report import Row, Target, alone, compared

SMALL = ("deepening:nodes=1", "alphabeta:nodes=1")
BOARDS = ("connect4", "connect4:10x11", "connect4:15x16")


def rows(effort: Effort) -> list[Row]:
    """Perft, deepening on three boards, what a question costs at least, what a second thread
    brings, and the reasons for a move.
    """
    return [
        count_games(effort),
        *(deepen(board, effort) for board in BOARDS),
        *(ask_little(engine, effort) for engine in SMALL),
        *second_thread(effort),
        give_reasons(effort),
    ]


def count_games(effort: Effort) -> Row:
    """Perft: the rules alone. It counts the last ply without playing it, as every perft does."""
    from mnkala.core import Position
    from mnkala.search import perft

    depth = effort.choose(9, full=10)
    position = Position("connect4")
    perft(position, 1)  # compiles
    leaves = perft(position, depth)
    rates = [
        leaves / cpu_seconds(lambda: perft(position, depth))
        for _ in range(effort.choose(3, full=7))
    ]
    return alone(f"perft {depth}, 6x7", "leaves/s", rates)


def deepen(board: str, effort: Effort) -> Row:
    """The strong search for a fixed number of nodes, its table's making included."""
    from mnkala.core import Position
    from mnkala.search import parse_engine

    position = Position(board)
    engine = parse_engine(f"deepening:nodes={effort.choose(1_000_000, full=5_000_000)}")
    engine.search.prepare(position.rules)
    answer = engine.analyse(position)
    rates = [
        answer.nodes / cpu_seconds(lambda: engine.analyse(position))
        for _ in range(effort.choose(3, full=7))
    ]
    return alone(
        f"deepening, {answer.nodes:,} nodes, {board}",
        "nodes/s",
        rates,
        note=f"depth {answer.depth}",
    )


def ask_little(engine: str, effort: Effort) -> Row:
    """What a question costs before and beside its nodes, over the same question in a thread of its
    own, as larger ones are asked.
    """
    from mnkala.core import Position
    from mnkala.search import Analysis, Stop, Task, parse_engine
    from mnkala.search.runner import stream

    asked, position = parse_engine(engine), Position("connect4")
    asked.search.prepare(position.rules)

    def search(stop: Stop, give: Callable[[Analysis], None]) -> None:
        give(asked.search.run(Task(position, asked.limit, stop, give, engine)))

    pairs = in_turn(
        lambda: 1000 * cpu_seconds(lambda: asked.analyse(position)),
        lambda: 1000 * cpu_seconds(lambda: [*stream(search)]),
        effort.choose(3, full=9),
    )
    return compared(
        f"a question of one node, {engine}, 6x7, over a thread of its own",
        "ms",
        pairs,
        "ours/peer",
        Target("<=", 0.7),
    )


def second_thread(effort: Effort) -> list[Row]:
    """What a second thread brings on the way to the same depth."""
    from mnkala.core import Position
    from mnkala.search import parse_engine

    depth = effort.choose(14, full=16)
    position = Position("connect4")
    engines = {
        threads: parse_engine(f"deepening:threads={threads},depth={depth}") for threads in (1, 2)
    }
    engines[1].search.prepare(position.rules)
    return two_threads(
        f"deepening to depth {depth}, 6x7",
        lambda threads: searched(engines[threads], position, engines[threads].limit),
        effort.choose(3, full=9),
        Target(">=", 1.5),
    )


def give_reasons(effort: Effort) -> Row:
    """Why a move is good, looked up in plain Python on a large board."""
    from mnkala.core import Position
    from mnkala.explain.reasons import explain_move

    rng = random.Random(1)
    position = Position("gomoku:19")
    for _ in range(60):
        position = position.play_codes([rng.choice(position.legal_codes)])
    move = position.legal_codes[0]
    rates = [
        1 / cpu_seconds(lambda: explain_move(position, move))
        for _ in range(effort.choose(3, full=7))
    ]
    return alone("reasons for a move, gomoku:19", "moves/s", rates)
