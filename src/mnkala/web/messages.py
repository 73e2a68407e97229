"""What the server sends, as types: every response and every message on the socket. The OpenAPI
description is made from them."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from mnkala.core.picture import Seeds, StepKind
from mnkala.explain.turn_words import TurnMove
from mnkala.play.fair_starts import FairStart
from mnkala.play.levels import Level
from mnkala.play.mistakes import Mistake
from mnkala.play.review_judge import Grade
from mnkala.play.turn_reviews import Accuracy
from mnkala.play.view import View

Result = Literal["win", "draw", "loss", "unknown"]


class Answer(msgspec.Struct, frozen=True):
    """Base class of everything that the server sends."""


replaced = msgspec.structs.replace


class Problem(Answer, frozen=True):
    """An error: what was wrong and what is allowed, in English. Most that people meet on the page
    also have a key of the words with its values, by which the page says it in the reader's
    language.
    """

    error: str
    key: str = ""
    values: dict[str, str | int | Problem] = {}
    """A value may be a problem itself: the reason why something else did not work."""


class ReasonView(Answer, frozen=True):
    """A sentence, such as a reason for a move: a key of the words with its values, from which
    the page makes it in the reader's language, the text in English, and the cells that it is
    about."""

    key: str
    values: dict[str, str | int]
    english: str = msgspec.field(name="text")
    cells: list[tuple[int, int]] = []


class WorthView(Answer, frozen=True, kw_only=True):
    """The value of a position or a move for a player."""

    player: int
    chance: float
    """The result that the player can expect, from 0 to 1; it compares all moves of an answer."""
    kind: Literal["exact", "bound", "likely", "estimate"]
    """Whether the score is proved, only bounds are proved, a result was found without
    considering every move, or a heuristic estimates."""
    result: Result
    score: int | None
    """The game's own exact score, if it is proved."""
    lower: int | None
    upper: int | None
    plies: int | None
    """The number of moves of both sides to the end."""
    heuristic: int | None
    """The heuristic's number, in its own unit."""
    at: Literal["least", "most"] | None
    """Whether an opinion is only a bound."""
    source: str = ""
    """The source of a proved score: rules, book or solved, or the family's name for a win by
    forcing moves; empty for opinions and open bounds."""
    words: ReasonView
    """The value in words; *moves* are the winner's own."""
    short: ReasonView
    """The value in a few letters, for chips and boards that show by a sign what is won, drawn or
    lost."""
    board: ReasonView
    """The value for boards with room for words, in games won by more or less."""
    detail: ReasonView | None
    """The number behind the words, shown when one points at them: plies, the heuristic's number
    or the game's own score."""


class PlayerView(Answer, frozen=True):
    """The player on a side."""

    name: str
    human: bool
    engine: str | None
    nickname: str | None
    """The name that a person chose."""


class Can(Answer, frozen=True):
    """The actions that the person who asks may take."""

    move: bool
    undo: bool
    redo: bool
    resign: bool
    hint: bool
    rematch: bool
    draw: bool


class ClockView(Answer, frozen=True):
    """The seconds left when this was sent; `running` is the side whose time passes."""

    seconds: float
    increment: float
    left: tuple[float, float]
    running: int | None


class EngineAnswer(Answer, frozen=True):
    """The last move of an engine."""

    move: str
    worth: WorthView | None
    depth: int
    nodes: int
    seconds: float
    engine: str
    opening: OpeningAnswer | None
    """The engine's decision, if the move was made in an opening."""


class OpeningAnswer(Answer, frozen=True):
    """The decision of an engine in an opening."""

    rule: str
    did: str
    """`put` if it placed stones, otherwise its choice: in Swap2 x, o or two."""
    stones: list[str]
    """The stones that it placed on the board."""


class OpeningView(Answer, frozen=True):
    """The state of an opening."""

    rule: str
    """The name of the rule, with which the keys of its texts begin."""
    stage: str
    """The stage: in Swap2 place, choose, more or decide."""
    choices: list[str]
    """The choices that can be played as moves: in Swap2 x, o and two. Empty where stones are
    placed."""
    left: int
    """The number of stones still to be placed."""


class Game(Answer, frozen=True):
    """A game as one person sees it."""

    id: str
    revision: int
    """A number that grows with every change."""
    turn: int
    """Grows only when the position changes: by a move, or by one that is taken back or played
    again."""
    view: View
    players: tuple[PlayerView, PlayerView]
    yours: tuple[bool, bool]
    present: tuple[bool | None, bool | None]
    """In a linked game, whether the player of each seat is present."""
    linked: bool
    watchable: bool
    open_seat: int | None
    mover: int
    """The seat whose turn it is; in an opening not always that of the next stone."""
    over: bool
    result: str
    ending: Literal["rules", "resignation", "agreement", "time", "fault"] | None
    fault: str | None
    """The fault by which a program lost."""
    opening: OpeningView | None
    """The opening while it is in progress."""
    thinking: int | None
    preparing: bool
    can: Can
    unaided: bool
    """Whether every move was made without help and none was taken back, so that the result counts
    for a player's rating.
    """
    undo_asked: int | None
    draw_asked: int | None
    """The seat that has offered a draw and waits for the answer."""
    paused: bool
    pace: float
    clock: ClockView | None
    answer: EngineAnswer | None
    rematch: str | None
    created: str
    updated: str
    trouble: Problem | None
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
    unreadable: Problem | None = None
    """Why it cannot be opened; it can only be deleted."""
    nicknames: tuple[str | None, str | None] = (None, None)
    ending: Literal["rules", "resignation", "agreement", "time", "fault"] | None = None
    terminal: bool = False
    """Whether it was begun in the terminal of this computer."""


class Games(Answer, frozen=True):
    """A list of games."""

    games: list[Summary]
    more: bool


class TakenIn(Answer, frozen=True):
    """The number of games that were imported."""

    games: int


class Addresses(Answer, frozen=True):
    """The addresses at which others can reach this server, the likeliest first; none if only its
    own computer can."""

    addresses: list[str]
    loopback: bool
    command: str
    """The command that starts the server so that others can reach it."""
    opened: bool
    """Whether somebody at this computer has opened it to the network and may close it again."""
    can_open: bool
    """Whether the one who asks may open it or close it."""


class Hint(Answer, frozen=True):
    """A suggested move with its reasons."""

    move: str
    worth: WorthView | None
    line: list[str]
    reasons: list[ReasonView]
    turn: list[TurnMove] = []
    """The whole turn that begins with the move, as in `MoveWorth`."""


class MoveWorth(WorthView, frozen=True, kw_only=True):
    """The value of a move, the line after it and, where they are proved or visible on the board,
    the reasons."""

    move: str
    line: list[str]
    reasons: list[ReasonView] = []
    turn: list[TurnMove] = []
    """The first turn of the line on the board, where a player may move again; otherwise empty."""
    turns: list[int] = []
    """The number of moves in each turn of the line, where a player may move again."""


class LineThreatView(Answer, frozen=True):
    """A threat: its player and kind, its description in words and, as cells, its marks, where it
    is carried out and what stops it."""

    player: int
    kind: str
    told: ReasonView
    stones: list[tuple[int, int]]
    at: list[tuple[int, int]]
    stops: list[tuple[int, int]]
    is_line: bool
    """Whether `at` is a line of play, in which every second move is the opponent's reply."""


class LineThreats(Answer, frozen=True):
    """The threats of both sides, the most serious first."""

    threats: list[LineThreatView]


class StepView(Answer, frozen=True):
    """One thing that happens during a move."""

    kind: StepKind
    cells: list[tuple[int, int]]
    """The cells of the step; for a capture the house of the last seed, then the one opposite.
    Stores are cells one step beyond their rows."""
    board: Seeds
    """The seeds on the board after the step, without those in the hand."""
    seeds: int
    """The number of seeds that the step moves."""
    hand: int
    """The number of seeds in the hand after the step."""


class Steps(Answer, frozen=True):
    """The steps of a move, one after the other; empty in games that do not describe them."""

    steps: list[StepView]


class Solved(Answer, frozen=True, kw_only=True):
    """The proved scores of a position and of every move, the best first."""

    whole: WorthView
    scores: list[MoveWorth]
    best: list[str]
    line: list[str]
    nodes: int
    seconds: float
    done: bool


class Opening(Answer, frozen=True, kw_only=True):
    """What the book knows about a position. The book reaches to a `depth` in plies (discs on the
    board) or turns, of which this position has `here`; `last` is the number of moves to the last
    position whose moves are in the book."""

    book: str | None
    unit: Literal["ply", "turn"]
    depth: int
    here: int | None
    last: int
    whole: WorthView | None
    scores: list[MoveWorth]
    best: list[str]


class FairStarts(Answer, frozen=True):
    """The fair starts that come with the package; a new game takes the `literal` of one as its
    start."""

    game: str
    starts: tuple[FairStart, ...]


class PuzzleView(Answer, frozen=True):
    """A puzzle without its solution: its goal under the name that the game has for it, the task
    in words, and its grade from 1 (easy) to 5 (hard)."""

    game: str
    moves: str
    grade: int
    task: ReasonView
    number: int
    """Its number among the `total` puzzles with its goal, from 0."""
    total: int
    rating: int
    state: Literal["", "tried", "helped", "alone"]
    """How it ended for the person; empty if it was not tried."""
    win_in: int | None = None
    kind: str | None = None


class PuzzleProgress(Answer, frozen=True):
    """What a person has reached in puzzles: a rating with its interval, null before enough were
    tried; the days in a row with a solved daily puzzle; and whether that of today is solved."""

    rating: int | None
    low: int | None
    high: int | None
    tried: int
    """The number of puzzles that count for the rating."""
    solved: int
    streak: int
    today: bool


class Puzzles(Answer, frozen=True):
    """Puzzles, and what the person has reached in those of the game, or of all games where they are
    mixed."""

    game: str
    puzzles: list[PuzzleView]
    progress: PuzzleProgress
    at: int | None = None
    """The place of the puzzle that was asked for by its moves."""


class Tried(Answer, frozen=True, kw_only=True):
    """The solver's judgement of a move in a puzzle; `line` refutes a wrong one, and `turns` is
    the same by turns. `left` is the number of moves left for the win, where moves are counted."""

    move: str
    worth: WorthView
    right: bool
    solved: bool
    left: int | None
    reply: str | None
    after: View
    answered: View
    line: list[str]
    turns: list[list[str]]
    refutation: list[str]
    """The moves to play after a wrong one to show why it is wrong, the opponent's whole turn
    included."""
    said: list[ReasonView]
    """The reasons why a move is wrong. In these texts `{score}` is the value of the move."""
    why: list[ReasonView]
    """What the reply to a wrong move does."""
    progress: PuzzleProgress | None = None
    """What the person has reached, when the puzzle was solved or a move was wrong; null while
    nothing can be kept."""


class PuzzleHelp(Answer, frozen=True):
    """Help from here: the solution, and reasons for its first move. In a puzzle it comes in steps:
    first the cells to look at, then what the move is about."""

    line: list[str]
    reasons: list[ReasonView]
    area: list[tuple[int, int]] = []
    idea: ReasonView | None = None


class RecordView(Answer, frozen=True):
    """A pasted game."""

    game: str
    start: str | None
    moves: str
    result: str
    tags: dict[str, str]
    view: View
    games: int
    """The number of games in the text; this is the first."""


class Edited(Answer, frozen=True):
    """A board that somebody set up: its literal and view if it can arise, and remarks about it."""

    literal: str | None
    view: View | None
    reasons: list[ReasonView]


class RulesFigure(Answer, frozen=True):
    """A position that shows a rule, and the cells to point at."""

    view: View
    caption: str
    cells: list[tuple[int, int]]


class RulesSection(Answer, frozen=True):
    """A section of the rules."""

    heading: str
    text: str
    figures: list[RulesFigure]


class RulesOfGame(Answer, frozen=True):
    """The rules of a game."""

    title: str
    sections: list[RulesSection]


class PuzzlesInfo(Answer, frozen=True):
    """The puzzles of a game: the board that is offered first, the name of a goal in requests
    (win_in for numbers, kind for words), the goals, and the stem of their texts."""

    game: str
    option: str
    goals: list[int | str]
    texts: str


class FamilyInfo(Answer, frozen=True):
    """A family of games."""

    name: str
    summary: str
    grammar: str
    example: str
    names: list[str]
    sample: tuple[str, list[str]]
    """A game string and moves whose position shows what the game is like."""
    plugin: bool
    style: str
    heuristic: str
    family: str
    """The name of the family that it belongs to, with which the keys of its texts begin."""
    sizes: list[int]
    """The sizes that a game string without sizes stands for."""
    puzzles: PuzzlesInfo | None


class ExampleInfo(Answer, frozen=True):
    """An example position; its text has the key FAMILY.example.NAME. With a depth its tree is
    small enough to be shown."""

    family: str
    name: str
    game: str
    moves: str
    depth: int


class OptionInfo(Answer, frozen=True):
    """An option of an engine."""

    name: str
    kind: str
    default: Any


class EngineInfo(Answer, frozen=True):
    """A search that plays."""

    name: str
    summary: str
    options: list[OptionInfo]
    heuristics: bool
    """Whether its option names one of the heuristics; another search may use the option's name
    for something else."""


class HeuristicInfo(Answer, frozen=True):
    """A heuristic; `Offers` lists those that fit a game."""

    name: str
    summary: str


class OwnRating(Answer, frozen=True):
    """The rating of a person by results against levels: null after too few games, and for games
    whose levels are not rated."""

    rating: float | None
    low: float | None
    high: float | None
    games: int


class Offers(Answer, frozen=True):
    """The engines and heuristics, by name, that fit a game and are compiled or can be, and the
    levels, the weakest first."""

    engines: list[str]
    heuristics: list[str]
    levels: list[str]
    """All words that name a level, including the old names; `ladder` describes each level."""
    ladder: tuple[Level, ...]


class Catalogue(Answer, frozen=True):
    """Everything that the server offers."""

    version: str
    loopback: bool
    languages: dict[str, str]
    levels: list[str]
    games: list[FamilyInfo]
    examples: list[ExampleInfo]
    engines: list[EngineInfo]
    heuristics: list[HeuristicInfo]
    limits: dict[str, float]


class ReviewedMove(Answer, frozen=True, kw_only=True):
    """A reviewed move; its grade is null until it is known."""

    ply: int
    player: int
    move: str
    grade: Grade | None
    worth: WorthView | None
    """The value of the move; moves to the end count from the position before it, as in an
    analysis of that position."""
    best: str
    best_worth: WorthView | None
    line: list[str]
    loss: float
    turned: tuple[str, str] | None
    """The results proved before and after a move that made it worse."""
    refutation: list[str]
    reasons: list[ReasonView]
    best_turn: list[str]
    """The beginning of `line` that belongs to the player: more than one move if the best one
    lets the player move again."""
    given_away: int | None
    """The margin that the move gave away, where margins count and that is proved."""


class ReviewedTurn(Answer, frozen=True, kw_only=True):
    """A reviewed turn, where margins count: consecutive moves of one player, with the plies
    `first` and `last`. The exact margins `before` and `after` it are its player's, and what it
    gave away is their difference; null where they are not proved."""

    number: int
    player: int
    first: int
    last: int
    moves: list[str]
    grade: Grade | None
    before: int | None
    after: int | None
    given_away: int | None
    best: list[str]
    """The whole turn that should have been played."""
    line: list[str]
    """The best turn and best play after it."""
    refutation: list[str]
    """The turn itself and best play after it."""
    turned: tuple[str, str] | None
    reasons: list[ReasonView]


class ReviewView(Answer, frozen=True, kw_only=True):
    """The review of a game: the first player's chances before move 1, after move 1, …; null
    where not yet known. Where margins count, turns are reviewed too, with the first player's
    exact margins in the places of the chances; null where they are not proved. `margin_texts` is
    the stem of the texts about margins, in the game's own unit."""

    moves: list[ReviewedMove]
    chances: list[float | None]
    accuracy: tuple[float | None, float | None]
    turning_point: int | None
    mistakes: tuple[Mistake, ...]
    """The mistakes of both sides with their kinds, once the review is complete."""
    engine: str
    turns: list[ReviewedTurn]
    margins: list[int | None]
    exactness: tuple[Accuracy | None, Accuracy | None]
    margin_texts: str


# ---- On the socket ----


class GameChanged(Answer, frozen=True, tag="game"):
    """A followed game as it stands now."""

    game: Game


class Update(Answer, frozen=True, kw_only=True):
    """An update on the work with this number; the last one is final."""

    id: int
    final: bool = False


class AnalysisUpdate(Update, frozen=True, kw_only=True, tag="analysis"):
    """What is known about a position so far: what is proved, and an engine's estimate of the
    rest."""

    game: str
    moves: str
    engine: str
    whole: WorthView | None
    best: list[str]
    line: list[str]
    scores: list[MoveWorth]
    """The scores of the moves, the best first."""
    depth: int
    """How far the search looked ahead; 0 for a solver's answer."""
    nodes: int
    seconds: float
    note: str
    proved: int | None
    """The number of moves with an exact score; None where nothing can be proved."""
    out_of_reach: Problem | None
    """Why nothing can be proved, for a game that has a solver."""


class ReviewUpdate(Update, frozen=True, kw_only=True, tag="review"):
    """A review in progress."""

    done: int
    total: int
    review: ReviewView


class CompilerProgress(Answer, frozen=True, kw_only=True, tag="compiling"):
    """The progress of the background compiler."""

    busy: bool
    compiling: str
    waiting: bool
    seconds: float
    done: int
    total: int


class Failed(Answer, frozen=True, kw_only=True, omit_defaults=True, tag="error"):
    """The reason why a message, or the work with its number, failed."""

    error: str
    id: int | None = None
    key: str = ""
    values: dict[str, str | int] = {}


class Pong(Answer, frozen=True, tag="pong"):
    """The answer to a ping."""


WorkUpdate = AnalysisUpdate | ReviewUpdate
SocketAnswer = GameChanged | WorkUpdate | CompilerProgress | Failed | Pong
