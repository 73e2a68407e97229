"""What clients send: the types that requests are checked against, and how positions are read within the limits. (Engines: `engines.py`.)"""

from __future__ import annotations

import math
import re
from typing import Annotated, Literal

import msgspec

from mnkala.core import Position, Rules, parse_game
from mnkala.errors import BadGame, IllegalMove
from mnkala.search import Engine
from mnkala.web.limits import Limits

Text = Annotated[str, msgspec.Meta(max_length=200)]
MovesText = Annotated[str, msgspec.Meta(max_length=41_000)]
"""The moves that fill the largest board are 8,100 of up to four letters, with a space behind each."""
Side = Annotated[int, msgspec.Meta(ge=0, le=1)]
WinIn = Annotated[int, msgspec.Meta(ge=2, le=12)]
Seeds = Annotated[int, msgspec.Meta(ge=0, le=999)]
QUICK_SECONDS = 0.25
"""Moves that are expected to take less go into the quick queue."""
NODES_PER_SECOND = 1_000_000
"""A cautious guess, for choosing the queue only."""


class Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of what a client sends: a field that we do not know is an error, not a silence."""


class PositionRequest(Request, frozen=True):
    """A position: a game, where it started, what was played."""

    game: Text
    start: MovesText | None = None
    moves: MovesText = ""


class StepsRequest(PositionRequest, frozen=True, kw_only=True):
    """A position and a move to be watched."""

    move: Text


class GameRequest(Request, frozen=True):
    """A request about a game."""

    game: Text


class LevelResult(Request, frozen=True):
    """How a game against a level ended for the person: 1, 0.5 or 0."""

    level: Text
    points: Annotated[float, msgspec.Meta(ge=0, le=1)]


class ResultsRequest(GameRequest, frozen=True):
    """Results of a person against the levels of a game."""

    results: Annotated[list[LevelResult], msgspec.Meta(max_length=1000)]


class RulesRequest(GameRequest, frozen=True):
    """A game whose rules are asked for, and the language to tell them in."""

    language: Literal["en", "pt", "it"] = "en"


class ClockRequest(Request, frozen=True):
    """Time for each side, and for each move."""

    seconds: Annotated[float, msgspec.Meta(ge=1, le=86_400)]
    increment: Annotated[float, msgspec.Meta(ge=0, le=600)] = 0.0


class NewGame(PositionRequest, frozen=True, kw_only=True):
    """A game to begin."""

    players: tuple[Text, Text] = ("human", "medium")
    linked: bool = False
    side: Side = 0
    watchable: bool = False
    clock: ClockRequest | None = None
    paused: bool = False
    pace: Annotated[float, msgspec.Meta(ge=0, le=30)] = 0.6
    nicknames: tuple[Text | None, Text | None] = (None, None)
    """The names that the people on the two seats chose."""
    opening: Text | None = None
    """The opening rule by which it begins, one of the `openings` of the view."""


class Move(Request, frozen=True):
    """A move, or in an opening one of its choices, and the turn of the game that it answers."""

    move: Text
    turn: int


class Action(Request, frozen=True):
    """Another action in a game."""

    action: Literal["undo", "redo", "resign", "pause", "resume", "step", "rematch", "pace", "rename", "helped"]
    """`helped`: the player looks at an analysis or at threats, so the game will not count for the player's rating."""
    seconds: Annotated[float, msgspec.Meta(ge=0, le=30)] = 0.6
    """The seconds of the action `pace`."""
    nickname: Text | None = None
    """The new name of the action `rename`."""


class Join(Request, frozen=True):
    """An invitation to the open seat of a linked game."""

    invitation: Text
    nickname: Text | None = None


Change = Move | Action | Join
"""The changes that a person can make in a game."""


class Link(Request, frozen=True):
    """An address that somebody's camera shall read."""

    text: Annotated[str, msgspec.Meta(min_length=1, max_length=400)]


class Records(Request, frozen=True):
    """Records of many games, one after the other."""

    text: Annotated[str, msgspec.Meta(max_length=50_000)]


class RecordText(Request, frozen=True):
    """A game that somebody pasted, in any form; what names no game is of the one that is open."""

    text: Annotated[str, msgspec.Meta(max_length=50_000)]
    game: Text | None = None
    start: MovesText | None = None


class SeedsRequest(Request, frozen=True):
    """Seeds in houses, the upper row and the lower from the left, and in the stores of the first player and the second."""

    houses: Annotated[list[list[Seeds]], msgspec.Meta(max_length=2)]
    stores: tuple[Seeds, Seeds]


class EditRequest(Request, frozen=True):
    """A board as somebody sets it up: rows of cells as in a view, seeds where there are houses. Without a mover it is whoever's turn it is
    by the number of marks."""

    game: Text
    cells: Annotated[list[list[Annotated[int, msgspec.Meta(ge=0, le=2)]]], msgspec.Meta(max_length=90)]
    seeds: SeedsRequest | None = None
    mover: Side | None = None


class Export(PositionRequest, frozen=True, kw_only=True):
    """A picture or a record of a position."""

    format: Text
    """svg, png, gif, record, or a form of other programs that the view of the game names (`files`)."""
    language: Literal["en", "pt", "it"] = "en"
    resigned: Side | None = None
    """The player who resigned or ran out of time, if the rules did not end the game."""
    out_of_time: bool = False
    fault: Annotated[str, msgspec.Meta(max_length=400)] | None = None
    """The loser's fault, if that ended the game."""
    players: tuple[Text, Text] | None = None
    """The names that a record shall have."""


class TraceRequest(PositionRequest, frozen=True, kw_only=True):
    """A small search to be shown step by step."""

    algorithm: Literal["minimax", "alphabeta", "mcts"] = "alphabeta"
    depth: Annotated[int, msgspec.Meta(ge=1, le=12)] = 3
    iterations: Annotated[int, msgspec.Meta(ge=1, le=500)] = 30
    heuristic: Text = "auto"
    exploration: Annotated[float, msgspec.Meta(ge=0, le=100)] = 1.0
    seed: Annotated[int, msgspec.Meta(ge=0, le=2**31)] = 1


class TraceExport(TraceRequest, frozen=True, kw_only=True):
    """A request for the tree of a search as a file."""

    format: Literal["svg", "dot", "json"]


class SolveRequest(PositionRequest, frozen=True, kw_only=True):
    """Prove the score of every move, within some seconds."""

    seconds: Annotated[float, msgspec.Meta(gt=0, le=10)] = 2.0


class PuzzlesRequest(Request, frozen=True):
    """Puzzles with a goal: the mover wins with so many moves of his own, or a kind of puzzle that the game has. Without a game it is the
    first that has puzzles with such goals."""

    game: Text | None = None
    win_in: WinIn | None = None
    kind: Text | None = None


class PuzzleRequest(PositionRequest, frozen=True, kw_only=True):
    """A puzzle, and what was played in it."""

    win_in: WinIn | None = None
    kind: Text | None = None
    played: Annotated[list[Text], msgspec.Meta(max_length=64)] = []


class PuzzleMove(PuzzleRequest, frozen=True, kw_only=True):
    """A move that is tried in a puzzle."""

    move: Text


# ---- On the socket ----


class Hello(Request, frozen=True, tag="hello"):
    """The first message on a socket: the client's secret."""

    token: Text


class Follow(Request, frozen=True, tag="follow"):
    """Hear of every change of a game."""

    game: Text


class Unfollow(Request, frozen=True, tag="unfollow"):
    """Stop sending this game's updates."""

    game: Text


class Analyse(PositionRequest, frozen=True, kw_only=True, tag="analyse"):
    """Say what is known of a position and of every move, better and better: what is proved, and what an engine estimates until then."""

    id: int
    engine: Text = "auto"
    seconds: Annotated[float, msgspec.Meta(gt=0, le=300)] = 60.0


class ReviewGame(PositionRequest, frozen=True, kw_only=True, tag="review"):
    """Grade every move of a game."""

    id: int
    seconds: Annotated[float, msgspec.Meta(gt=0, le=10)] | None = None
    """For a move; of none, so many nodes that the review comes out the same every time."""


class StopWork(Request, frozen=True, tag="stop"):
    """End an analysis or a review."""

    id: int


class Ping(Request, frozen=True, tag="ping"):
    """A question whether the server still answers."""


SocketRequest = Hello | Follow | Unfollow | Analyse | ReviewGame | StopWork | Ping


# ---- Reading them ----


def read_rules(game: str, limits: Limits) -> Rules:
    """The rules of a game string whose board is not too large to be built."""
    name, _, rest = game.partition(":")
    sizes = [int(size) for size in re.findall(r"\d{1,9}", rest)]
    # A number alone is a side that is squared, and a second one may be no side at all: the product of the two largest covers all.
    largest = sorted(sizes, reverse=True)[:2]
    cells = math.prod(largest) if len(largest) > 1 else (largest[0] ** 2 if largest else 1)
    if cells > limits.cells:
        raise BadGame(f"{name.strip()[:40]} of {cells} cells; this server plays on boards of up to {limits.cells}")
    return parse_game(game)


def read_position(where: PositionRequest, limits: Limits) -> Position:
    """The position that a client speaks of."""
    rules = read_rules(where.game, limits)
    position = Position(rules, literal=where.start or None)
    moves = rules.parse_moves(where.moves)
    if len(moves) > limits.moves:
        raise IllegalMove(f"{len(moves)} moves; this server reads up to {limits.moves}")
    return position.play_codes(moves)


def is_quick(engine: Engine, rules: Rules) -> bool:
    """Whether a move of this engine is expected at once."""
    limit = engine.limit
    if limit.time is not None and limit.time <= QUICK_SECONDS:
        return True
    if limit.nodes is not None:
        return limit.nodes <= QUICK_SECONDS * NODES_PER_SECOND / max(1, rules.most_moves() // 40)
    if limit.depth is not None:
        return engine.search.most_nodes(rules, limit) <= QUICK_SECONDS * NODES_PER_SECOND
    return engine.search.name in ("random", "greedy", "rules")


class QuickStudyRequest(Request, frozen=True):
    """A study to be run quickly, by its name."""

    study: Annotated[str, msgspec.Meta(min_length=1, max_length=60)]
