"""What a person sees of a position, as plain data: the board, what a click means, who is to
move. The page and the terminal draw it.

A `Walk` shows a turn step by step: every seed that falls and every capture. The legend says how to
read the numbers beside moves, sample by sample. Its texts and their order are in
`words/legend.json`, followed by what the family of a game adds (`Explanations.legend`).
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from mnkala.core import Position, Rules, parse_game
from mnkala.core.paste import forms_for
from mnkala.core.picture import BoardStep, Cell, Seeds
from mnkala.core.position import first_turn
from mnkala.explain.contract import explanations_of
from mnkala.explain.turn_words import step_words, steps_of, way_of
from mnkala.explain.words import say, words
from mnkala.play.fair_starts import ready_fair_starts
from mnkala.play.opening_rule import opening_rules
from mnkala.play.puzzles import find_puzzles
from mnkala.solve import find_solver
from mnkala.solve.books import has_books

FILES = ("svg", "png", "gif", "record")
"""The formats in which every game can be exported; `core/paste.py` has the formats of other
programs."""


@dataclasses.dataclass(frozen=True)
class MoveView:
    """A legal move and the cells for it: a click on any of them means the move, or all of them
    are clicked one after the other (`View.from_to`)."""

    move: str
    cells: tuple[Cell, ...]


@dataclasses.dataclass(frozen=True)
class View:
    """A position with everything that is needed to draw it."""

    game: str
    """The game string of the position."""
    style: str
    """drop, stones, squares, discs or houses."""
    rows: int
    columns: int
    cells: tuple[tuple[int, ...], ...]
    """`cells[row][column]` from the top left: 0 for empty, 1 for the first player's piece, 2 for
    the second's."""
    row_labels: tuple[str, ...]
    column_labels: tuple[str, ...]
    marked: tuple[Cell, ...]
    """The cells of the line that won."""
    last: tuple[Cell, ...]
    """The cells changed by the last move (on a board of houses, the house that was sown)."""
    way: tuple[Cell, ...]
    """The cells that the last move passed, in order, in games that describe them (on a board of
    houses, the one that was emptied, then a cell for each seed). Stores are cells one step
    beyond their rows."""
    players: tuple[str, str]
    """The marks of the two players."""
    mover: int
    """The player to move, 0 or 1."""
    start: str | None
    """The position literal from which the game started, or None for the usual start."""
    played: tuple[str, ...]
    """The moves since the start, as people write them."""
    movers: tuple[int, ...]
    """The player who made each of them: 0 or 1."""
    moves: tuple[MoveView, ...]
    """The legal moves; none when the game is over."""
    over: bool
    result: str
    """`*` while the game is in progress, otherwise 1-0, 0-1 or 1/2-1/2."""
    seeds: Seeds | None = None
    graded: bool = False
    """Whether winning by more is better: an exact score is then a margin."""
    from_to: bool = False
    """Whether pieces move: a person points at the cells of a move one after the other, and each
    player has a side of the board."""
    noun: str = "move"
    """What a move is called: a column, a house, a cell or simply a move."""
    solver: bool = False
    """Whether there is an exact solver for the game; a position may still be out of its reach."""
    book: bool = False
    """Whether opening books can be made for the board."""
    puzzles: bool = False
    """Whether there are puzzles of the game."""
    fair: bool = False
    """Whether fair starts for the board come with the package."""
    editor: bool = False
    """Whether positions of the game can be set up by clicking."""
    tells_mover: bool = False
    """Whether a board that is set up shows whose turn it is, as the number of marks does where
    players alternate."""
    openings: tuple[str, ...] = ()
    """The names of the opening rules by which a game may begin."""
    files: tuple[str, ...] = FILES
    """The formats in which a game can be exported."""
    threats: bool = False
    """Whether threats on lines are listed for the game."""
    legend: tuple[str, ...] = ()
    """The stems of the texts that explain what can stand beside its moves (see the top of
    `play/view.py`)."""


def make_view(position: Position, before: Position | None = None) -> View:
    """The view of a position. `before` is the position one move earlier, if it is available."""
    rules, state = position.rules, position.state()
    picture = rules.picture(state)
    outcome, openings = position.outcome, tuple(opening_rules(rules))
    earlier = before if before is not None or not position.history_codes else position.back()
    return View(
        game=position.game,
        style=rules.board_style(),
        rows=len(picture.cells),
        columns=len(picture.cells[0]),
        cells=picture.cells,
        row_labels=picture.row_labels,
        column_labels=picture.column_labels,
        marked=picture.marked,
        last=()
        if earlier is None
        else rules.changed_cells(earlier.state(), position.history_codes[-1]),
        way=() if earlier is None else way_of(steps_of(earlier, position.history_codes[-1])),
        players=rules.players,
        mover=position.mover,
        start=position.start_literal,
        played=position.history,
        movers=position.movers,
        moves=_moves(position),
        over=outcome is not None,
        result="*" if outcome is None else str(outcome),
        seeds=picture.seeds,
        graded=rules.graded,
        from_to=rules.from_to,
        noun=rules.move_noun,
        solver=find_solver(rules) is not None,
        book=has_books(rules),
        puzzles=find_puzzles(rules) is not None,
        fair=bool(ready_fair_starts(position.game)),
        editor=_has_editor(position.game),
        tells_mover=_tells_mover(position.game),
        openings=openings,
        files=(*FILES, *forms_for(position)),
        threats=explanations_of(rules).threats,
        legend=legend_of(rules),
    )


def step_view(view: View, step: BoardStep) -> View:
    """The view of a position during a move, with what a step has changed so far; nothing can be
    played in it."""
    picture = step.picture
    return dataclasses.replace(
        view, cells=picture.cells, seeds=picture.seeds, marked=(), last=step.cells, way=(), moves=()
    )


@functools.lru_cache(maxsize=64)
def _tells_mover(game: str) -> bool:
    """Whether a board alone tells who is to move, so that its literal is the same whoever that is
    said to be."""
    rules = parse_game(game)
    start = rules.picture(rules.start())
    return rules.literal_of(start, 0) == rules.literal_of(start, 1)


@functools.lru_cache(maxsize=64)
def _has_editor(game: str) -> bool:
    rules = parse_game(game)
    return rules.literal_of(rules.picture(rules.start()), 0) is not None


def _moves(position: Position) -> tuple[MoveView, ...]:
    """The legal moves. Where a move means the same cells in every position, thousands are looked
    up instead of created."""
    rules, state = position.rules, position.state()
    if rules.fixed_cells:
        on_board = _moves_of_board(position.game, type(rules).move_cells)
        return tuple(on_board[move] for move in position.legal_codes)
    return tuple(
        MoveView(rules.move_text(move), rules.move_cells(state, move))
        for move in position.legal_codes
    )


@functools.lru_cache(maxsize=8)
def _moves_of_board(game: str, move_cells: Callable[..., tuple[Cell, ...]]) -> tuple[MoveView, ...]:
    rules = parse_game(game)
    state = rules.start()
    return tuple(
        MoveView(rules.move_text(move), move_cells(rules, state, move))
        for move in range(rules.move_codes())
    )


OF_ANY_GAME = "legend.entry."


@dataclass(frozen=True)
class Entry:
    """A sign that people see beside a move, and its meaning."""

    name: str
    sample: str
    text: str


def legend_of(rules: Rules) -> tuple[str, ...]:
    """What can stand beside the moves of a game, in reading order: the stems of the texts
    STEM.sample and STEM.text."""
    has = {"wins_in": not rules.graded, "wins_by": rules.graded, "book": has_books(rules)}
    of_any = (
        key.removesuffix(".text")
        for key in words("en")
        if key.startswith(OF_ANY_GAME) and key.endswith(".text")
    )
    return (
        *(stem for stem in of_any if has.get(stem.removeprefix(OF_ANY_GAME), True)),
        *explanations_of(rules).legend,
    )


def legend(view: View, language: str = "en") -> tuple[Entry, ...]:
    """The entries of a view's legend, in words."""
    return tuple(
        Entry(
            stem.rpartition(".")[2], say(f"{stem}.sample", language), say(f"{stem}.text", language)
        )
        for stem in view.legend
    )


@dataclasses.dataclass(frozen=True)
class Frame:
    """The board after one step of a turn."""

    moves: str
    """The moves of the turn up to the current one."""
    step: BoardStep
    view: View


@dataclasses.dataclass(frozen=True)
class Walk:
    """All frames of a turn, and the one being shown."""

    position: Position
    """The position before the turn."""
    frames: tuple[Frame, ...]
    at: int = 0

    @staticmethod
    def of(position: Position, line: Iterable[int]) -> Walk | None:
        """The first turn of a line, at its first step; None if it has no steps to show."""
        frames = tuple(_frames(position, first_turn(position, line)))
        return Walk(position, frames) if frames else None

    @property
    def here(self) -> Frame:
        """The frame being shown."""
        return self.frames[self.at]

    @property
    def hand(self) -> tuple[Cell, int] | None:
        """Where the hand is and how many seeds it holds; None if it is empty."""
        step = self.here.step
        return (step.cells[-1], step.hand) if step.hand else None

    def moved(self, by: int) -> Walk:
        """Go some steps forward or back, not beyond the ends."""
        return dataclasses.replace(self, at=max(0, min(len(self.frames) - 1, self.at + by)))


def walk_text(walk: Walk, language: str) -> Iterator[str]:
    """A turn in plain lines, one for each step: the moves so far, the upper and the lower row,
    both stores, and what happens."""
    wide = max(len(frame.moves) for frame in walk.frames)
    for frame in walk.frames:
        seeds = frame.view.seeds
        if seeds is not None:
            above, below = (" ".join(f"{count:>2}" for count in row) for row in seeds.houses)
            board = f"{seeds.stores[1]:>3} [{above} |{below} ] {seeds.stores[0]:<3}"
            yield f"{frame.moves:<{wide}}  {board}  {step_words(frame.step, language)}"


def _frames(position: Position, codes: Iterable[int]) -> Iterator[Frame]:
    made: list[str] = []
    for code in codes:
        made.append(position.rules.move_text(code))
        view = make_view(position)
        for step in steps_of(position, code):
            yield Frame(" ".join(made), step, step_view(view, step))
        position = position.play_codes((code,))
