"""Reads what clients send: positions, players and engines, within the server's limits."""

from __future__ import annotations

import dataclasses
import math
import re

from mnkala.errors import BadEngine, BadGame, IllegalMove
from mnkala.games import Position, Rules, parse_game
from mnkala.play import Player, parse_player
from mnkala.search import Engine, parse_engine
from mnkala.web.limits import Limits
from mnkala.web.messages import Where

QUICK_SECONDS = 0.25
"""Moves that are expected to take less go into the quick queue."""
NODES_PER_SECOND = 1_000_000
"""A cautious guess, for choosing the queue only."""


def read_rules(game: str, limits: Limits) -> Rules:
    """The rules of a game string whose board is not too large to be built."""
    name, _, rest = game.partition(":")
    sizes = [int(size) for size in re.findall(r"\d{1,9}", rest)]
    # A Kalah board's second number is seeds and a gomoku board's only number is squared: the product of the two largest covers all.
    largest = sorted(sizes, reverse=True)[:2]
    cells = math.prod(largest) if len(largest) > 1 else (largest[0] ** 2 if largest else 1)
    if cells > limits.cells:
        raise BadGame(f"{name.strip()[:40]} of {cells} cells; this server plays on boards of up to {limits.cells}")
    return parse_game(game)


def read_position(where: Where, limits: Limits) -> Position:
    """The position that a client speaks of."""
    rules = read_rules(where.game, limits)
    position = Position(rules, literal=where.start or None)
    moves = rules.parse_moves(where.moves)
    allowed = min(limits.moves, max(limits.moves_anywhere, limits.work // rules.most_moves()))
    if len(moves) > allowed:
        raise IllegalMove(f"{len(moves)} moves; this server reads up to {allowed} on this board")
    return position.play_codes(moves)


def read_engine(text: str, limits: Limits) -> Engine:
    """An engine whose memory the server can afford."""
    return _affordable(parse_engine(text), limits)


def read_player(text: str, rules: Rules, limits: Limits) -> Player:
    """A player of a game; an engine is also checked to fit the game."""
    player = parse_player(text, rules)
    if player.engine is None:
        return player
    engine = _affordable(player.engine, limits)
    engine.search.check(rules)
    return dataclasses.replace(player, engine=engine)


def saved_player(text: str, rules: Rules) -> Player:
    """A player of a game that was saved here: within the limits of its time, whatever they are now."""
    player = parse_player(text, rules)
    return player if player.engine is None else dataclasses.replace(player, engine=_without_tree(player.engine))


def _affordable(engine: Engine, limits: Limits) -> Engine:
    search = engine.search
    bits = getattr(search, "table_bits", 0)
    if not 0 <= bits <= limits.table_bits:
        raise BadEngine(f"table_bits={bits}; this server allows 0 to {limits.table_bits}")
    if getattr(search, "memory", 0) > limits.tree_nodes:
        raise BadEngine(f"memory={getattr(search, 'memory', 0)}; this server allows {limits.tree_nodes} nodes")
    limit = engine.limit
    if limit.time is not None and limit.time > limits.seconds_per_move:
        raise BadEngine(f"time={limit.time:g}; this server allows {limits.seconds_per_move:g} seconds a move")
    return _without_tree(engine)


def _without_tree(engine: Engine) -> Engine:
    """The engine without a tree that is kept between moves: it would be hundreds of megabytes in each of many games."""
    if not getattr(engine.search, "keep", False):
        return engine
    return dataclasses.replace(engine, search=dataclasses.replace(engine.search, keep=False))  # type: ignore[call-arg]


def is_quick(engine: Engine, rules: Rules) -> bool:
    """Whether a move of this engine is expected at once."""
    limit = engine.limit
    if limit.time is not None and limit.time <= QUICK_SECONDS:
        return True
    if limit.nodes is not None:
        return limit.nodes <= QUICK_SECONDS * NODES_PER_SECOND / max(1, rules.most_moves() // 40)
    if limit.depth is not None:
        return limit.depth * math.log(max(2, rules.most_moves())) <= math.log(QUICK_SECONDS * NODES_PER_SECOND)
    return engine.search.name in ("random", "greedy", "rules")
