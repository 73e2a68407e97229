"""Fits the curves of `mnkala.explain.chances`: from the score of a shallow search to the expected
result of the game.

    python -m bench.fit_chances            prints the table (about five minutes on one core, the first time more, for compiling)
    python -m bench.fit_chances kalah      only the boards whose game string starts so

For each board engines play each other from random openings, at few nodes, so that mistakes happen
and results differ. Every heuristic then scores every position of those games by a short search;
scores that are proved are left out, for they need no curve. The slope is the one of largest
likelihood (Newton's method; a draw counts as half a win), for each unit of a grid; the best unit is
kept.
"""

from __future__ import annotations

import dataclasses
import math
import sys
from collections.abc import Iterator

from mnkala.core import Position
from mnkala.play.series import opening
from mnkala.search import Limit, parse_engine

BOARDS: dict[str, tuple[tuple[str, ...], int]] = {
    "connect4": (("threats", "utility", "basic", "article", "zero-sum", "zero-sum-hv"), 250),
    "connect4:10x11": (("threats", "lines"), 60),
    "mnk:5x5x4": (("lines",), 60),
    "gomoku": (("lines", "runs", "criticality"), 60),
    "kalah": (("margin", "kalah", "stores", "own-side"), 250),
}
"""Game strings, their heuristics, and how many games."""
PLACES = {("connect4:10x11", "threats"): "wide", ("connect4:10x11", "lines"): "connect"}
"""What else than the length of a line a curve is kept under."""
OPENINGS = {"connect4": 8, "kalah": 6}
"""Random moves before the engines play; else 5."""
PLAYING = parse_engine("deepening:nodes=600,table_bits=14")
PLAYING_KALAH = parse_engine("sowing:nodes=600,table_bits=14")
SCORING = Limit(nodes=600)
UNITS = tuple(round(10 ** (step / 4), 2) for step in range(2, 25))
"""A quarter of a power of ten apart, from 3 to a million."""
Sample = tuple[int, float]
"""A score for the mover, and the mover's result."""


@dataclasses.dataclass(frozen=True)
class Fit:
    """A curve and how well it does."""

    unit: float
    slope: float
    loss: float
    """Mean cross-entropy in bits: 1 is what a coin knows."""
    samples: int


def games(board: str, count: int) -> Iterator[list[Position]]:
    """All positions of some games, the last one included."""
    rules = Position(board).rules
    engine = PLAYING_KALAH if board == "kalah" else PLAYING
    for number in range(count):
        position = opening(rules, OPENINGS.get(board, 5), seed=1000 + number)
        line = [position]
        while not position.is_over:
            position = position.play_codes(engine.analyse(position).line_codes[:1])
            line.append(position)
        yield line


def samples(played: list[list[Position]], heuristic: str) -> list[Sample]:
    """What a heuristic's search says of positions (every second one, for neighbours tell the same),
    and how the game went on.
    """
    engine = parse_engine(
        "sowing:table_bits=14"
        if heuristic == "margin"
        else f"deepening:heuristic={heuristic},table_bits=14"
    )
    found = []
    for number, line in enumerate(played):
        outcome = line[-1].outcome
        assert outcome is not None
        for position in line[number % 2 : -1 : 2]:
            score = engine.analyse(position, SCORING).score
            if score is not None and score.result == "unknown" and score.plies is None:
                result = 0.5 if outcome.winner is None else float(outcome.winner == score.player)
                found.append((score.value, result))
    return found


def fit(data: list[Sample]) -> Fit:
    """The curve of largest likelihood."""
    return min((fit_slope(data, unit) for unit in UNITS), key=lambda found: found.loss)


def fit_slope(data: list[Sample], unit: float) -> Fit:
    """Newton's method for one slope; the likelihood has a single maximum."""
    points = [(math.asinh(value / unit), result) for value, result in data]
    slope = 0.0
    for _ in range(40):
        gradient = curvature = 1e-9
        for x, result in points:
            expected = 1 / (1 + math.exp(-slope * x))
            gradient += (result - expected) * x
            curvature += expected * (1 - expected) * x * x
        step = gradient / curvature
        slope += max(-1.0, min(1.0, step))
        if abs(step) < 1e-6:
            break
    entropy = sum(
        -result * math.log2(expected) - (1 - result) * math.log2(1 - expected)
        for x, result in points
        for expected in [min(1 - 1e-12, max(1e-12, 1 / (1 + math.exp(-slope * x))))]
    )
    return Fit(unit, slope, entropy / max(1, len(points)), len(points))


def main(start: str = "") -> None:
    """Play, fit, print."""
    for board, (heuristics, count) in BOARDS.items():
        if not board.startswith(start):
            continue
        rules = Position(board).rules
        played = list(games(board, count))
        for heuristic in heuristics:
            place = PLACES.get((board, heuristic), getattr(rules, "line", None))
            found = fit(samples(played, heuristic))
            print(
                f'    ("{heuristic}", {place!r}): Curve({found.unit:g}, {found.slope:.3g}),  '
                f"# {board}: {len(played)} games, {found.samples} positions, {found.loss:.2f} bits",
                flush=True,
            )


if __name__ == "__main__":
    main(*sys.argv[1:])
