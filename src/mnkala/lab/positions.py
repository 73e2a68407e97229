"""Seeded positions, and what an engine finds there."""

from __future__ import annotations

from mnkala.core import Position
from mnkala.play.series import opening
from mnkala.search import Analysis, Engine, Limit, Stop, parse_engine


def position_of(game: str, plies: int, seed: int) -> Position:
    """A position after `plies` random moves that is neither finished nor won at once; with none, the start."""
    start = Position(game)
    return opening(start.rules, plies, seed) if plies else start


def engine_for(text: str, position: Position) -> Engine:
    """An engine whose kernels are compiled for the position's game, so that no clock sees the compiler."""
    engine = parse_engine(text)
    engine.search.prepare(position.rules)
    return engine


def answer(engine: str | Engine, position: Position) -> Analysis:
    """What an engine finds, searching in this very thread."""
    chosen = engine_for(engine, position) if isinstance(engine, str) else engine
    return chosen.answer(position, Stop())


def nodes_by_depth(engine: str, position: Position, limit: Limit) -> list[int]:
    """Nodes that a search by one depth after another has visited when it is through with depth 1, 2, …"""
    found: dict[int, int] = {}
    for analysis in engine_for(engine, position).stream(position, limit):
        found.setdefault(analysis.depth, analysis.nodes)
    return [found[depth] for depth in sorted(found) if depth >= 1]
