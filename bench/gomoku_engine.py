"""Gomoku's engine `threats`: nodes a second, two threads beside one, long victories by fours, and
games against older engines.
"""

from __future__ import annotations

import json
import random
import time
from pathlib import Path

from bench.measure import Effort, cpu_seconds, searched, two_threads
from bench.report import Row, alone

MIDDLE_GAMES = (
    "h8i9k7j6j7h7i8k8k6l5l7m7",
    "h8g8g10i7j6i6h7i10i9h9j11i8",
    "g8h11j10i10j9j11k11i9i8k10i12",
    "j10i10f8i11h11i12i13j12k12h13i9",
    "h5i5e7i6i4g6f6k6h4g5f4",
    "e10i11h9f9e8e9f11d9c9g10d8f8",
    "f11g9j6i9e10h10i11g12g11h11h9g10i10",
    "f7e7e9f9e5g8e10e8g10f8h8",
)
"""Positions of eleven to thirteen stones in which nobody has a forced win yet."""
SAMPLE = Path(__file__).resolve().parents[2] / "shared" / "data" / "vcf_freestyle_sample.jsonl"
OLDER = ("deepening", "budget")
SPAN, STONES = 3, (3, 7)
"""Openings: so many stones, within so many cells of the centre."""


def rows(effort: Effort) -> list[Row]:
    """All figures; matches only in the full run, which takes minutes for them."""
    found = [speed(effort), *threads(effort), fours()]
    return [*found, *(against(older) for older in OLDER)] if effort.full else found


def speed(effort: Effort) -> Row:
    """Nodes a CPU second; a node is a position that was looked up, valued, or whose moves were
    ordered.
    """
    from mnkala.core import Position
    from mnkala.search import Limit, Stop
    from mnkala.search.engine import Engine, parse_engine

    engine = Engine(
        parse_engine("threats").search, Limit(nodes=effort.choose(100_000, full=400_000))
    )
    positions = [Position("gomoku").play(moves) for moves in MIDDLE_GAMES]
    nodes = sum(engine.answer(position, Stop()).nodes for position in positions)
    seconds = cpu_seconds(lambda: [engine.answer(position, Stop()) for position in positions])
    return alone(
        "Gomoku, nodes a second of threats in the middle game (target: 400 k)",
        "nodes/s",
        [nodes / seconds],
    )


def threads(effort: Effort) -> list[Row]:
    """What a second thread brings on the way to the same depth."""
    from mnkala.core import Position
    from mnkala.search import Limit, parse_engine

    positions = [Position("gomoku").play(moves) for moves in MIDDLE_GAMES]
    limit = Limit(depth=effort.choose(10, full=11))

    def search(threads: int) -> None:
        engine = parse_engine(f"threats:threads={threads}")
        for position in positions:
            searched(engine, position, limit)

    search(2)
    return two_threads(f"Gomoku to depth {limit.depth}", search, effort.choose(3, full=5))


def fours() -> Row:
    """The median time to a shortest victory by fours, over the certified sample."""
    import numpy as np

    from mnkala.families.lines.engine.board import make_board
    from mnkala.families.lines.engine.vcf import MOST_FOURS, make_fours, shortest
    from mnkala.families.lines.engine.weights import read_weights
    from mnkala.families.lines.rules import build

    name = "Gomoku, median seconds to a shortest victory by fours (target: 0.02)"
    if not SAMPLE.exists():
        return Row(name, note=f"{SAMPLE.name} is not there")
    rules, seconds, right = build(15, 15, 5), [], 0
    for text in SAMPLE.read_text().splitlines():
        row = json.loads(text)
        cells = np.zeros(15 * 15, np.int64)
        for side, colour in enumerate(("black", "white")):
            for col, line in row[colour]:
                cells[line * 15 + col] = 1 + side
        board, search = (
            make_board(rules, cells, read_weights("auto")),
            make_fours(np.zeros(1, np.int64)),
        )
        started = time.process_time()  # of a single call: three hundred are enough for a median
        right += int(shortest(board, 0, MOST_FOURS, 1 << 40, search)) == row["shortest_vcf"]
        seconds.append(time.process_time() - started)
    return alone(f"{name}, {right} of {len(seconds)} right", "s", [float(np.median(seconds))])


def against(older: str, games: int = 40) -> Row:
    """The score of threats at a tenth of an older engine's time."""
    from mnkala.core import Position
    from mnkala.search import parse_engine

    ours, theirs = parse_engine("threats:time=0.03"), parse_engine(f"{older}:time=0.3")
    rng, score = random.Random(older), 0.0
    for number in range(games):
        if number % 2 == 0:
            cells = rng.sample(
                [(row, col) for row in range(-SPAN, SPAN + 1) for col in range(-SPAN, SPAN + 1)],
                rng.randint(*STONES),
            )
            opening = tuple((7 + row) * 15 + 7 + col for row, col in cells)
        position = Position("gomoku").play_codes(opening)
        while not position.is_over:
            engine = ours if position.mover == number % 2 else theirs
            position = position.play_codes((engine.analyse(position).line_codes[0],))
        margin = int(position.rules.result(position.state()))
        score += 0.5 if margin == 0 else float((margin > 0) == (position.mover == number % 2))
    return alone(
        f"Gomoku, threats at 0.03 s against {older} at 0.3 s, {games} games (target: 0.9)",
        "score",
        [score / games],
    )
