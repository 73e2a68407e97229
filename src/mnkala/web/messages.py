"""The messages between page and server, as types: requests are checked against them, answers are made of them, OpenAPI describes them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from mnkala.play.view import View

Text = Annotated[str, msgspec.Meta(max_length=200)]
MovesText = Annotated[str, msgspec.Meta(max_length=10_000)]
Side = Annotated[int, msgspec.Meta(ge=0, le=1)]
WinIn = Annotated[int, msgspec.Meta(ge=2, le=12)]
Result = Literal["win", "draw", "loss", "unknown"]
Format = Literal["svg", "png", "gif", "record"]


class Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of what a client sends: a field that we do not know is an error, not a silence."""


class Where(Request, frozen=True):
    """A position: a game, where it started, what was played."""

    game: Text
    start: MovesText | None = None
    moves: MovesText = ""


class ClockWish(Request, frozen=True):
    """Time for each side, and for each move."""

    seconds: Annotated[float, msgspec.Meta(ge=1, le=86_400)]
    increment: Annotated[float, msgspec.Meta(ge=0, le=600)] = 0.0


class NewGame(Request, frozen=True):
    """A game to be played."""

    game: Text
    players: tuple[Text, Text] = ("human", "medium")
    start: MovesText | None = None
    moves: MovesText = ""
    linked: bool = False
    side: Side = 0
    watchable: bool = False
    clock: ClockWish | None = None
    paused: bool = False
    pace: Annotated[float, msgspec.Meta(ge=0, le=30)] = 0.6


class Move(Request, frozen=True):
    """A move, and the turn of the game that it answers."""

    move: Text
    turn: int


class Action(Request, frozen=True):
    """What else can be done with a game."""

    action: Literal["undo", "redo", "resign", "pause", "resume", "step", "rematch", "pace"]
    seconds: Annotated[float, msgspec.Meta(ge=0, le=30)] = 0.6


class Join(Request, frozen=True):
    """An invitation to the open seat of a linked game."""

    invitation: Text


class RecordText(Request, frozen=True):
    """A record that somebody pasted."""

    text: Annotated[str, msgspec.Meta(max_length=20_000)]


class Export(Where, frozen=True, kw_only=True):
    """A picture or a record of a position."""

    format: Format
    language: Literal["en", "pt", "it"] = "en"


class Think(Where, frozen=True, kw_only=True):
    """A small search to be shown step by step."""

    algorithm: Literal["minimax", "alphabeta", "mcts"] = "alphabeta"
    depth: Annotated[int, msgspec.Meta(ge=1, le=12)] = 3
    iterations: Annotated[int, msgspec.Meta(ge=1, le=500)] = 30
    heuristic: Text = "auto"
    exploration: Annotated[float, msgspec.Meta(ge=0, le=100)] = 1.0
    seed: Annotated[int, msgspec.Meta(ge=0, le=2**31)] = 1


class ThinkExport(Think, frozen=True, kw_only=True):
    """The same as a file."""

    format: Literal["svg", "dot", "json"]


class SolveNow(Where, frozen=True, kw_only=True):
    """Prove the score of every move, within some seconds."""

    seconds: Annotated[float, msgspec.Meta(gt=0, le=10)] = 2.0


class PuzzlesWish(Request, frozen=True):
    """Puzzles of a length: the mover wins with so many moves of his own."""

    game: Text = "connect4"
    win_in: WinIn = 3


class PuzzleWhere(Where, frozen=True, kw_only=True):
    """A puzzle, and what was played in it."""

    win_in: WinIn
    played: Annotated[list[Text], msgspec.Meta(max_length=64)] = []


class PuzzleTry(PuzzleWhere, frozen=True, kw_only=True):
    """A move that is tried in it."""

    move: Text


# ---- Answers ----


class Answer(msgspec.Struct, frozen=True):
    """Base of what the server sends."""


class Problem(Answer, frozen=True):
    """What was wrong and what is allowed."""

    error: str


class ScoreView(Answer, frozen=True):
    """What a position or move is worth; `chance` is what the first player can expect."""

    value: int
    kind: Literal["exact", "lower", "upper", "heuristic"]
    result: Result
    plies: int | None
    player: int
    text: str
    chance: float


class PlayerView(Answer, frozen=True):
    """Who sits on a side."""

    name: str
    human: bool
    engine: str | None


class Can(Answer, frozen=True):
    """What the one who asks may do now."""

    move: bool
    undo: bool
    redo: bool
    resign: bool
    hint: bool
    rematch: bool


class ClockView(Answer, frozen=True):
    """Seconds left when this was sent; `running` is the side whose time passes."""

    seconds: float
    increment: float
    left: tuple[float, float]
    running: int | None


class EngineAnswer(Answer, frozen=True):
    """The last move of an engine."""

    move: str
    score: ScoreView | None
    depth: int
    nodes: int
    seconds: float
    engine: str


class Game(Answer, frozen=True):
    """A game as one person sees it."""

    id: str
    revision: int
    """Grows with every change."""
    turn: int
    """Grows only when the position changes: a move, or one that is taken back or played again."""
    view: View
    players: tuple[PlayerView, PlayerView]
    yours: tuple[bool, bool]
    linked: bool
    watchable: bool
    open_seat: int | None
    over: bool
    result: str
    ending: Literal["rules", "resignation", "time"] | None
    thinking: int | None
    preparing: bool
    can: Can
    undo_asked: int | None
    paused: bool
    pace: float
    clock: ClockView | None
    answer: EngineAnswer | None
    rematch: str | None
    created: str
    updated: str
    trouble: str | None
    invitation: str | None = None


class Summary(Answer, frozen=True):
    """A game in a list."""

    id: str
    game: str
    players: tuple[str, str]
    yours: tuple[bool, bool]
    moves: int
    over: bool
    result: str
    created: str
    updated: str
    linked: bool
    open_seat: int | None
    unreadable: str | None = None
    """Why it cannot be opened; it can only be deleted."""


class Games(Answer, frozen=True):
    """A list of games."""

    games: list[Summary]
    more: bool


class ReasonView(Answer, frozen=True):
    """Why a move is good: a key of the words, its values, and the text in English."""

    key: str
    values: dict[str, str | int]
    text: str
    cells: list[tuple[int, int]]


class Hint(Answer, frozen=True):
    """What to play, and why."""

    move: str
    score: ScoreView | None
    line: list[str]
    reasons: list[ReasonView]


class Bounds(Answer, frozen=True, kw_only=True):
    """What is proved of a score, for the player to move: it is known when the bounds meet."""

    lower: int
    upper: int
    score: int | None
    result: Result
    plies: int | None
    """Moves of both sides to the end, with best play."""


class Column(Bounds, frozen=True, kw_only=True):
    """What is proved of a move, and the proved line after it."""

    move: str
    source: Literal["rules", "book", "solved", "open"]
    line: list[str]
    reasons: list[ReasonView] = []


class Solved(Bounds, frozen=True, kw_only=True):
    """What is proved of a position and of every move."""

    columns: list[Column]
    best: list[str]
    line: list[str]
    nodes: int
    seconds: float
    done: bool


class Opening(Answer, frozen=True, kw_only=True):
    """What the book has of a position: `last` is the number of moves to the last position whose moves are in it."""

    book: str | None
    plies: int
    discs: int
    last: int
    whole: Bounds | None
    columns: list[Column]
    best: list[str]


class PuzzleView(Answer, frozen=True):
    """A puzzle without its solution; its grade is 1 (easy) to 5 (hard)."""

    game: str
    moves: str
    win_in: int
    grade: int


class Puzzles(Answer, frozen=True):
    """Puzzles of a length."""

    game: str
    win_in: int
    puzzles: list[PuzzleView]


class Tried(Bounds, frozen=True, kw_only=True):
    """What the solver says of a move in a puzzle; `line` refutes a wrong one."""

    move: str
    right: bool
    solved: bool
    left: int
    reply: str | None
    after: View
    answered: View
    line: list[str]


class PuzzleHelp(Answer, frozen=True):
    """The solution from here, and reasons for its first move."""

    line: list[str]
    reasons: list[ReasonView]


class RecordView(Answer, frozen=True):
    """A record that was read."""

    game: str
    start: str | None
    moves: str
    result: str
    tags: dict[str, str]
    view: View


class Catalogue(Answer, frozen=True):
    """What the server has to offer."""

    version: str
    loopback: bool
    languages: dict[str, str]
    levels: list[str]
    games: list[dict[str, Any]]
    engines: list[dict[str, Any]]
    heuristics: list[dict[str, Any]]
    limits: dict[str, float]


# ---- On the socket ----


class Hello(Request, frozen=True, tag="hello"):
    """Who is on the line."""

    token: Text


class Follow(Request, frozen=True, tag="follow"):
    """Hear of every change of a game."""

    game: Text


class Unfollow(Request, frozen=True, tag="unfollow"):
    """No more."""

    game: Text


class Analyse(Where, frozen=True, kw_only=True, tag="analyse"):
    """Score every move of a position, better and better."""

    id: int
    engine: Text = "deepening"
    seconds: Annotated[float, msgspec.Meta(gt=0, le=300)] = 60.0


class ReviewGame(Where, frozen=True, kw_only=True, tag="review"):
    """Grade every move of a game."""

    id: int
    seconds: Annotated[float, msgspec.Meta(gt=0, le=10)] = 0.3


class SolveAll(Where, frozen=True, kw_only=True, tag="solve"):
    """Prove the score of every move: bounds stream out until they meet."""

    id: int
    seconds: Annotated[float, msgspec.Meta(gt=0, le=300)] = 180.0


class StopWork(Request, frozen=True, tag="stop"):
    """End an analysis, a proof or a review."""

    id: int


class Ping(Request, frozen=True, tag="ping"):
    """Are you there?"""


SocketMessage = Hello | Follow | Unfollow | Analyse | SolveAll | ReviewGame | StopWork | Ping
