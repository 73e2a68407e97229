"""The rules of each game for people who do not know it: short sections, each with real positions to look at.

The texts are in `words/rules.json`; here is which sections a game has and the positions that show them. Page, terminal, command line and
guide draw the positions with their own boards, so that no picture can differ from the game.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mnkala.games import Position, Rules
from mnkala.games.connect import ConnectRules
from mnkala.games.grid import column_name
from mnkala.games.kalah import Kalah
from mnkala.games.mnk import SMALLEST_FOR_STONES, Mnk
from mnkala.games.picture import Cell
from mnkala.play.words import say, words

LONGEST_DRAWN = 8
"""Longer lines are not drawn: the board would be too large to be seen at a glance."""


@dataclass(frozen=True)
class Figure:
    """A position to draw, with what it shows and the cells to point at."""

    position: Position
    caption: str
    cells: tuple[Cell, ...] = ()


@dataclass(frozen=True)
class Section:
    """A heading, a text, and what to look at."""

    heading: str
    text: str
    figures: tuple[Figure, ...] = ()


class Rulebook:
    """The sections of one game in one language."""

    def __init__(self, rules: Rules, language: str = "en") -> None:
        self.rules, self.language = rules, language
        self.sections = self._connect(rules) if isinstance(rules, ConnectRules) else self._marks(rules) if isinstance(rules, Mnk) else \
            self._kalah(rules) if isinstance(rules, Kalah) else self._plug_in(rules)

    @property
    def title(self) -> str:
        """What the game is called: "Connect Four", "Connect N 8x9x5"."""
        name, _, sizes = self.rules.game_string().partition(":")
        known = words(self.language).get(f"game.{name}.name", name.capitalize())
        return f"{known} {sizes}".strip()

    def _section(self, name: str, *figures: Figure, **values: object) -> Section:
        """A section whose text is `rules.NAME`; its heading is that of the last word of the name."""
        heading = say(f"rules.heading.{name.rpartition('.')[2]}", self.language)
        return Section(heading, say(f"rules.{name}", self.language, **values), figures)

    def _figure(self, position: Position, caption: str, *cells: Cell, **values: object) -> Figure:
        return Figure(position, say(f"rules.figure.{caption}", self.language, **values), cells)

    # ---- Discs that fall ----

    def _connect(self, rules: ConnectRules) -> tuple[Section, ...]:
        """Lines of the board's own length, on a board that is small enough to be seen at a glance."""
        line = rules.line
        board = Position("connect4") if line == 4 else Position(f"connect:{line}x{line + 2}x{line}")
        rows = 6 if line == 4 else line
        own = [str(column) for column in range(2, line + 2)]
        """Columns from the second on: a line on the ground with free ends."""
        lines, drop, fork = [], [], []
        if line <= LONGEST_DRAWN:
            lines = [self._figure(board.play(_in_turn(own, own[:-1])), "across"),
                     self._figure(board.play(_in_turn([own[0]] * line, [own[1]] * (line - 1))), "upright")]
            fork = [self._figure(board.play(_in_turn(own[:-1], own[:-2])), "fork", (rows - 1, 0), (rows - 1, line))]
        if line == 4:
            lines.append(self._figure(board.play("12233434464"), "diagonal"))
            drop = [self._figure(board.play("4455"), "before", (3, 3), move="4"), self._figure(board.play("44554"), "after", move="4")]
        return (
            self._section("connect.aim", *lines, rows=rules.rows, columns=rules.cols, line=line),
            self._section("connect.move", *drop),
            self._section("connect.end", line=line),
            self._section("connect.tip", *fork),
            self._section("connect.notation", columns=rules.cols),
        )

    # ---- Marks on free cells ----

    def _marks(self, rules: Mnk) -> tuple[Section, ...]:
        """The same for boards where every free cell can be taken; `gomoku` has stones, and a word about its variants."""
        line, gomoku = rules.line, rules.line == 5 and rules.rows == rules.cols
        side = SMALLEST_FOR_STONES if gomoku else line + 2
        rows, columns = min(rules.rows, side), min(rules.cols, side)
        board = Position(f"mnk:{rows}x{columns}x{line}" + (",exact" if rules.exact else ""))
        can_be_drawn = line <= LONGEST_DRAWN and min(rows, columns, line) > 1
        lines = [self._figure(board.play(moves), caption) for caption, moves in _lines(rows, columns, line)] if can_be_drawn else []
        sections = [
            self._section("marks.aim", *lines, rows=rules.rows, columns=rules.cols, line=line),
            self._section("gomoku.move" if gomoku else "marks.move"),
        ]
        if can_be_drawn and line < max(rows, columns):
            over = board.play(_overline(rows, columns, line))
            name = f"{'gomoku' if gomoku else 'marks'}.longer_{'loses' if rules.exact else 'wins'}"
            sections.append(self._section(name, self._figure(over, "longer", longer=line + 1), line=line, longer=line + 1))
        sections.append(self._section("marks.end"))
        if (rows, columns, line) == (3, 3, 3):
            sections.append(self._section("tictactoe.tip", self._figure(board.play("a1b2c3a3c1"), "fork", (2, 1), (1, 2))))
        elif gomoku and rows >= SMALLEST_FOR_STONES:
            sections.append(self._section("gomoku.tip", self._figure(board.play("e5e6d5c6f5"), "open_three", (4, 2), (4, 6))))
        return (*sections, self._section("marks.notation", last=rules.move_text(rules.rows * rules.cols - 1)))

    # ---- Seeds ----

    def _kalah(self, rules: Kalah) -> tuple[Section, ...]:
        """On the usual board with the rule of capture of this one; the start is this board's own."""
        variant, game = ("standard", "kalah:6x4,standard") if rules.standard else ("report", "kalah")

        def pair(literal: str | None, move: str, after: str = "after") -> tuple[Figure, Figure]:
            before = Position(game, literal=literal)
            return self._figure(before, "before", (1, int(move) - 1), move=move), self._figure(before.play(move), after, move=move)

        return (
            self._section("kalah.aim", self._figure(Position(rules), "start"), houses=rules.houses, seeds=rules.seeds,
                          all=2 * rules.houses * rules.seeds),
            self._section("kalah.move", *pair(None, "5")),
            self._section("kalah.again", *pair(None, "3", "after_again")),
            self._section("kalah.capture", *pair("<6,10,8,0,2,0,0,3,1,4,2,5,5,1,7>", "2", "after_capture")),
            self._section(f"kalah.nothing_{variant}", *pair("<6,10,8,0,2,0,0,3,1,4,2,0,5,1,12>", "2", f"after_nothing_{variant}")),
            self._section("kalah.end", *pair("<6,20,18,0,0,0,0,0,1,2,0,3,0,4,0>", "6", "after_end")),
            self._section("kalah.tip"),
            self._section("kalah.notation", houses=rules.houses),
        )

    # ---- Any other game ----

    def _plug_in(self, rules: Rules) -> tuple[Section, ...]:
        """What its author says of it; a text of its own has a section for each paragraph with a heading, `# Heading`."""
        sections = [Section(say("rules.heading.about", self.language), rules.summary, (self._figure(Position(rules), "start"),))]
        for part in re.split(r"\n\s*\n(?=#)|^(?=#)", rules.rules_text.strip()):
            if part.strip():
                heading, text = re.fullmatch(r"(?:#+ *([^\n]*)\n?)?(.*)", part.strip(), re.DOTALL).groups()  # type: ignore[union-attr]
                sections.append(Section(heading or "", text.strip()))
        return tuple(sections)


def _in_turn(first: Sequence[str], second: Sequence[str]) -> str:
    """Moves of two players; the first makes the last one."""
    return " ".join(move for both in itertools.zip_longest(first, second, fillvalue="") for move in both)


def _lines(rows: int, columns: int, line: int) -> Iterator[tuple[str, str]]:
    """Games that end with a line of the first player: one for each direction that the board has room for."""
    bottom, left = (rows - line) // 2, (columns - line) // 2
    if columns >= line:
        row = (rows - 1) // 2
        yield "across", _answered([(row, left + i) for i in range(line)], (1, 0))
    if rows >= line:
        column = (columns - 1) // 2
        yield "upright", _answered([(bottom + i, column) for i in range(line)], (0, 1))
    if min(rows, columns) >= line:
        yield "diagonal", _answered([(bottom + i, left + i) for i in range(line)], (0, 1))


def _overline(rows: int, columns: int, line: int) -> str:
    """The first player fills a gap and has one mark more in line than are needed."""
    gap = line // 2
    places = [place for place in range(line + 1) if place != gap] + [gap]
    if columns > line:
        return _answered([((rows - 1) // 2, place) for place in places], (1, 0))
    return _answered([(place, (columns - 1) // 2) for place in places], (0, 1))


def _answered(cells: Sequence[Cell], beside: Cell) -> str:
    """The first player takes these cells (row from the bottom, column), the second always the one beside."""
    names = [f"{column_name(column)}{row + 1}" for row, column in cells]
    others = [f"{column_name(column + beside[1])}{row + beside[0] + 1}" for row, column in cells[:-1]]
    return _in_turn(names, others)
