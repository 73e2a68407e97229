"""What clients send: the types that requests are checked against, and how positions are read
within the limits. (For engines see `engines.py`.)"""

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
"""Moves as text. Those that fill the largest board are 8,100 of up to four letters, each
followed by a space."""
Side = Annotated[int, msgspec.Meta(ge=0, le=1)]
WinIn = Annotated[int, msgspec.Meta(ge=2, le=12)]
Seeds = Annotated[int, msgspec.Meta(ge=0, le=999)]
QUICK_SECONDS = 0.25
"""Moves that are expected to take less time go into the quick queue."""
NODES_PER_SECOND = 1_000_000
"""A cautious guess, used only for choosing the queue."""


class Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base class of what a client sends. An unknown field is an error."""


class PositionRequest(Request, frozen=True):
    """A position: a game, where it started, and what was played."""

    game: Text
    start: MovesText | None = None
    moves: MovesText = ""


class StepsRequest(PositionRequest, frozen=True, kw_only=True):
    """A position, and a move to be shown step by step."""

    move: Text


class GameRequest(Request, frozen=True):
    """A request about a game."""

    game: Text


class LevelResult(Request, frozen=True):
    """The result of a game against a level for the person: 1, 0.5 or 0."""

    level: Text
    points: Annotated[float, msgspec.Meta(ge=0, le=1)]


class ResultsRequest(GameRequest, frozen=True):
    """A person's results against the levels of a game."""

    results: Annotated[list[LevelResult], msgspec.Meta(max_length=1000)]


class RulesRequest(GameRequest, frozen=True):
    """A game whose rules are wanted, and the language."""

    language: Literal["en", "pt", "it"] = "en"


class ClockRequest(Request, frozen=True):
    """The time for each side, and the increment for each move."""

    seconds: Annotated[float, msgspec.Meta(ge=1, le=86_400)]
    increment: Annotated[float, msgspec.Meta(ge=0, le=600)] = 0.0


class NewGame(PositionRequest, frozen=True, kw_only=True):
    """A new game."""

    players: tuple[Text, Text] = ("human", "medium")
    linked: bool = False
    side: Side = 0
    watchable: bool = False
    clock: ClockRequest | None = None
    paused: bool = False
    pace: Annotated[float, msgspec.Meta(ge=0, le=30)] = 0.6
    nicknames: tuple[Text | None, Text | None] = (None, None)
    """The names that the people in the two seats chose."""
    opening: Text | None = None
    """The opening rule by which it begins, one of the `openings` of the view."""


class Move(Request, frozen=True):
    """A move or, in an opening, a choice, with the turn of the game that it answers."""

    move: Text
    turn: int


class Action(Request, frozen=True):
    """An action in a game other than a move."""

    action: Literal[
        "undo",
        "decline",
        "draw",
        "decline_draw",
        "redo",
        "resign",
        "pause",
        "resume",
        "step",
        "rematch",
        "pace",
        "rename",
        "helped",
    ]
    """`decline` refuses to let the other player take back a move. `draw` offers a draw, or accepts
    the other player's offer, which `decline_draw` refuses; an engine answers at once. `helped`: the player looks at an
    analysis or at threats, so the game will not count for the player's rating.
    """
    seconds: Annotated[float, msgspec.Meta(ge=0, le=30)] = 0.6
    """The seconds of the action `pace`."""
    nickname: Text | None = None
    """The new name of the action `rename`."""


class OpenNetwork(Request, frozen=True):
    """Whether the home network can reach the page from now on."""

    open: bool


class Join(Request, frozen=True):
    """An invitation to the open seat of a linked game."""

    invitation: Text
    nickname: Text | None = None


Change = Move | Action | Join
"""The changes that a person can make to a game."""


class Link(Request, frozen=True):
    """A link to be shown as a QR code."""

    text: Annotated[str, msgspec.Meta(min_length=1, max_length=400)]


class Records(Request, frozen=True):
    """Records of many games, one after the other."""

    text: Annotated[str, msgspec.Meta(max_length=50_000)]


class RecordText(Request, frozen=True):
    """A pasted game in any form; if it names no game, that of the open game is meant."""

    text: Annotated[str, msgspec.Meta(max_length=50_000)]
    game: Text | None = None
    start: MovesText | None = None


class SeedsRequest(Request, frozen=True):
    """The seeds in the houses, upper and lower row from the left, and in the stores of the first
    and the second player."""

    houses: Annotated[list[list[Seeds]], msgspec.Meta(max_length=2)]
    stores: tuple[Seeds, Seeds]


class EditRequest(Request, frozen=True):
    """A board that somebody sets up: rows of cells as in a view, or seeds for boards of houses.
    Without a mover the number of marks decides whose turn it is."""

    game: Text
    cells: Annotated[
        list[list[Annotated[int, msgspec.Meta(ge=0, le=2)]]], msgspec.Meta(max_length=90)
    ]
    seeds: SeedsRequest | None = None
    mover: Side | None = None


class Export(PositionRequest, frozen=True, kw_only=True):
    """A picture or a record of a position."""

    format: Text
    """svg, png, gif, record, or another program's format that the view of the game lists
    (`files`)."""
    language: Literal["en", "pt", "it"] = "en"
    resigned: Side | None = None
    """The player who resigned or ran out of time, if that ended the game."""
    agreed: bool = False
    """Whether the players agreed on a draw."""
    out_of_time: bool = False
    fault: Annotated[str, msgspec.Meta(max_length=400)] | None = None
    """The loser's fault, if that ended the game."""
    players: tuple[Text, Text] | None = None
    """The names of the players in a record."""


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
    """A request to prove the score of every move within the given seconds."""

    seconds: Annotated[float, msgspec.Meta(gt=0, le=10)] = 2.0


class PuzzlesRequest(Request, frozen=True):
    """Puzzles with a goal: a win in so many of the mover's own moves, or a kind of puzzle that
    the game has. Without a game, the first game with such puzzles is meant. `moves` is a position
    that must be among them, as a link names it."""

    game: Text | None = None
    win_in: WinIn | None = None
    kind: Text | None = None
    moves: MovesText | None = None
    day: Text | None = None
    """The date on the person's calendar."""


class PickRequest(Request, frozen=True, kw_only=True):
    """The puzzle of a day, some puzzles near the person's rating, or some that train against a kind
    of mistake; of one game or of all."""

    pick: Literal["daily", "mixed", "similar"]
    game: Text | None = None
    mistake: Text | None = None
    date: Text | None = None
    """The date of the daily puzzle, if it is not that of today."""
    day: Text | None = None
    count: Annotated[int, msgspec.Meta(ge=1, le=20)] = 10


class PuzzleRequest(PositionRequest, frozen=True, kw_only=True):
    """A puzzle, and what was played in it so far."""

    win_in: WinIn | None = None
    kind: Text | None = None
    played: Annotated[list[Text], msgspec.Meta(max_length=64)] = []
    day: Text | None = None


class PuzzleMove(PuzzleRequest, frozen=True, kw_only=True):
    """A move to try in a puzzle."""

    move: Text
    helped: bool = False
    """Whether the person was helped, or tried a wrong move before."""
    everywhere: bool = False
    """Whether the person's progress in the puzzles of all games is wanted, not of this one."""


class SolvedPuzzles(Request, frozen=True):
    """Puzzles that a browser remembers as solved, by game and moves."""

    solved: Annotated[dict[Text, Literal["alone", "helped"]], msgspec.Meta(max_length=2000)]


class LessonRequest(Request, frozen=True):
    """A lesson, and what both sides played in it so far."""

    game: Text
    lesson: Text
    played: Annotated[list[Text], msgspec.Meta(max_length=64)] = []


class LessonMove(LessonRequest, frozen=True, kw_only=True):
    """A move to try in a lesson."""

    move: Text


# ---- On the socket ----


class Hello(Request, frozen=True, tag="hello"):
    """The first message on a socket: the client's secret."""

    token: Text


class Follow(Request, frozen=True, tag="follow"):
    """A request to be told of every change of a game."""

    game: Text


class Unfollow(Request, frozen=True, tag="unfollow"):
    """Stop sending this game's updates."""

    game: Text


class Analyse(PositionRequest, frozen=True, kw_only=True, tag="analyse"):
    """A request for what is known about a position and every move, better and better: what is
    proved, and an engine's estimates until then."""

    id: int
    engine: Text = "auto"
    seconds: Annotated[float, msgspec.Meta(gt=0, le=300)] = 60.0


class ReviewGame(PositionRequest, frozen=True, kw_only=True, tag="review"):
    """Grade every move of a game."""

    id: int
    seconds: Annotated[float, msgspec.Meta(gt=0, le=10)] | None = None
    """The seconds for each move; without them, a number of nodes that makes the review the same
    every time."""


class StopWork(Request, frozen=True, tag="stop"):
    """A request to end an analysis or a review."""

    id: int


class Ping(Request, frozen=True, tag="ping"):
    """A check whether the server still responds."""


SocketRequest = Hello | Follow | Unfollow | Analyse | ReviewGame | StopWork | Ping


# ---- Reading them ----


def read_rules(game: str, limits: Limits) -> Rules:
    """Read the rules of a game string; raises BadGame if its board is larger than this server
    allows."""
    name, _, rest = game.partition(":")
    sizes = [int(size) for size in re.findall(r"\d{1,9}", rest)]
    # A number alone is a side that is squared, and a second one may be no side at all: the product
    # of the two largest covers all.
    largest = sorted(sizes, reverse=True)[:2]
    cells = math.prod(largest) if len(largest) > 1 else (largest[0] ** 2 if largest else 1)
    if cells > limits.cells:
        raise BadGame(
            f"{name.strip()[:40]} of {cells} cells; this server plays on boards of up to {limits.cells}",
            "error.too_many_cells",
            game=name.strip()[:40],
            cells=cells,
            most=limits.cells,
        )
    return parse_game(game)


def read_position(where: PositionRequest, limits: Limits) -> Position:
    """Read the position that a client asks about; raises IllegalMove if its moves are more than
    this server allows."""
    rules = read_rules(where.game, limits)
    position = Position(rules, literal=where.start or None)
    moves = rules.parse_moves(where.moves)
    if len(moves) > limits.moves:
        raise IllegalMove(
            f"{len(moves)} moves; this server reads up to {limits.moves}",
            "error.too_many_moves",
            moves=len(moves),
            most=limits.moves,
        )
    return position.play_codes(moves)


def is_quick(engine: Engine, rules: Rules) -> bool:
    """Whether an engine is expected to move within `QUICK_SECONDS`, judged by its limit."""
    limit = engine.limit
    if limit.time is not None and limit.time <= QUICK_SECONDS:
        return True
    if limit.nodes is not None:
        return limit.nodes <= QUICK_SECONDS * NODES_PER_SECOND / max(1, rules.most_moves() // 40)
    if limit.depth is not None:
        return engine.search.most_nodes(rules, limit) <= QUICK_SECONDS * NODES_PER_SECOND
    return engine.search.name in ("random", "greedy", "rules")


class NewTournament(Request, frozen=True, kw_only=True):
    """A tournament of levels and engines; two of them play a match."""

    game: Text
    players: Annotated[list[Text], msgspec.Meta(min_length=2, max_length=50)]
    games_each: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 4
    """The games of every pair, two from each opening."""
    nodes: Annotated[int, msgspec.Meta(ge=1, le=50_000_000)] | None = None
    """The nodes for a move of an engine that has no limit of its own."""
    seconds: Annotated[float, msgspec.Meta(gt=0, le=3600)] | None = None
    """The seconds for such a move."""


class TournamentAction(Request, frozen=True):
    """Something to be done with a tournament: end its games in progress, or play the others."""

    action: Literal["stop", "resume"]


class QuickStudyRequest(Request, frozen=True):
    """A study to be run quickly, by its name."""

    study: Annotated[str, msgspec.Meta(min_length=1, max_length=60)]
