"""What the terminal explains: the rules and "how to read the numbers" in plain lines, and what a
person can do besides moving, in one table for the full screen and for plain lines.

In plain lines a command is its word or its key. On the full screen it is its key, a click on its
name in the last line, or its word in the line where moves are typed. `terminal.help_WORD`
explains it in every language.
"""

from __future__ import annotations

import dataclasses
import itertools
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar

from mnkala.core import Rules
from mnkala.explain.rulebook import Figure, Rulebook
from mnkala.explain.words import say

if TYPE_CHECKING:
    from mnkala.play.view import View

T = TypeVar("T")
WIDTH, GAP = 78, 4
"""The characters in a line, and between two boards side by side."""


def rules_text(rules: Rules, language: str = "en", colour: bool = False) -> str:
    """Explain how a game is played, with boards."""
    book = Rulebook(rules, language)
    parts = [say("rules.title", language, game=book.title)]
    for section in book.sections:
        parts.append(
            "\n".join(
                [section.heading.upper(), *wrapped(section.text)]
                if section.heading
                else wrapped(section.text)
            )
        )
        boards = (board_lines(figure, colour) for figure in section.figures)
        parts += [
            "\n".join((" " * GAP).join(line).rstrip() for line in row)
            for row in side_by_side(boards, " ".__mul__, WIDTH, GAP)
        ]
    return "\n\n".join(parts)


def legend_text(view: View, language: str = "en") -> str:
    """Explain how to read the numbers of a game."""
    from mnkala.play.view import legend  # loads Numba, which a text of the rules does not need

    entries = [
        f"{entry.sample}\n{textwrap.indent(chr(10).join(wrapped(entry.text, WIDTH - 2)), '  ')}"
        for entry in legend(view, language)
    ]
    return "\n\n".join([say("legend.title", language), *entries])


def wrapped(text: str, width: int = WIDTH) -> list[str]:
    """Wrap a text into lines; paragraphs stay separated by an empty line."""
    return [
        line
        for paragraph in text.split("\n")
        for line in textwrap.wrap(paragraph, width, break_on_hyphens=False) or [""]
    ]


def pointed_at(figure: Figure) -> str:
    """The caption of a figure, followed by the names of the cells that it points at, where they
    have names."""
    picture = figure.position.rules.picture(figure.position.state())
    if not figure.cells or not picture.column_labels:
        return figure.caption
    names = (
        picture.column_labels[column] + (picture.row_labels[row] if picture.row_labels else "")
        for row, column in figure.cells
    )
    return f"{figure.caption}: {', '.join(names)}"


def board_lines(figure: Figure, colour: bool) -> tuple[list[str], int]:
    """The lines of a board with its caption, and their common width."""
    picture = figure.position.rules.picture(figure.position.state())
    plain = picture.text().split("\n")
    caption = textwrap.wrap(pointed_at(figure), max(30, *map(len, plain)))
    width = max(len(line) for line in [*plain, *caption])
    drawn = (
        dataclasses.replace(picture, marked=(*picture.marked, *figure.cells)).terminal()
        if colour
        else picture.text()
    )
    padded = [
        line + " " * (width - len(bare))
        for line, bare in zip(drawn.split("\n"), plain, strict=True)
    ]
    return [*padded, *(line.ljust(width) for line in caption)], width


def side_by_side(
    blocks: Iterable[tuple[Sequence[T], int]], blank: Callable[[int], T], room: int, gap: int
) -> Iterator[list[list[T]]]:
    """Arrange blocks of lines with their widths in rows, as many beside each other as fit. A row is
    a list of lines, each with a part of every block; `blank` makes what a short one lacks."""
    rows: list[list[tuple[Sequence[T], int]]] = []
    for lines, width in blocks:
        if not rows or sum(other + gap for _, other in rows[-1]) + width > room:
            rows.append([])
        rows[-1].append((lines, width))
    for row in rows:
        yield [
            [
                blank(width) if part is None else part
                for part, (_, width) in zip(line, row, strict=True)
            ]
            for line in itertools.zip_longest(*(lines for lines, _ in row))
        ]


Where = Literal["both", "screen", "lines"]
When = Literal["always", "playing", "watching", "turns", "book", "threats", "puzzles", "over"]


class Command(NamedTuple):
    """A command, or a second key that belongs to the command above it."""

    word: str
    """The word to type; empty for a second key of the command before."""
    action: str = ""
    """Textual's action on the full screen; `session(NAME, …)` calls a method of the session. In
    plain lines the method of the same word is called, or else that of the session."""
    keys: str = ""
    """The keys on the full screen, by Textual's names."""
    shown: str = ""
    """The key as the help shows it."""
    label: str = ""
    """The key of the text for its name in the last line of the full screen."""
    when: When = "always"
    """The games and matches for which the last line shows it."""
    argument: str = ""
    """What may be typed after the word."""
    where: Where = "both"


COMMANDS = (
    Command("hint", "session('ask_hint')", "h", "h", "play.hint", "playing"),
    Command("undo", "session('undo')", "u", "u", "play.undo", "playing"),
    Command("redo", "session('redo')", "r", "r", "play.redo", "playing"),
    Command(
        "pause",
        "session('toggle_pause')",
        "space",
        "Space",
        "play.pause",
        "watching",
        where="screen",
    ),
    Command("", "session('step')", "full_stop", ".", "play.step", "watching", where="screen"),
    Command(
        "",
        "session('change_pace', False)",
        "plus,equals_sign",
        "+",
        "terminal.key_speed",
        "watching",
        where="screen",
    ),
    Command("", "session('change_pace', True)", "minus", "-", where="screen"),
    Command("analyse", "session('study', 'analysis')", "a", "a", "play.analysis"),
    Command("turn", "session('step_through', 1)", "t", "t", "terminal.key_turn", "turns"),
    Command("", "session('step_through', -1)", "T", "T", where="screen"),
    Command("book", "session('study', 'book')", "b", "b", "terminal.key_book", "book"),
    Command("threats", "session('study', 'threats')", "v", "v", "threat.switch", "threats"),
    Command("puzzle", "puzzle", "p", "p", "puzzle.title", "puzzles", argument="[N]"),
    Command("solution", "session('show_solution')", "S", "S"),
    Command("missed", "session('find_missed')", "M", "M", "play.find_missed", "over"),
    Command("back", "session('go_back')", "B", "B"),
    Command("mistakes", "mistakes", where="lines"),
    Command("evaluation", "session('toggle_evaluation')", "e", "e", where="screen"),
    Command("look", "turn(-1)", "left_square_bracket,pageup", "[", where="screen"),
    Command("", "turn(1)", "right_square_bracket,pagedown", "]", where="screen"),
    Command("review", "review", "w", "w", "review.title", "over", where="screen"),
    Command("start", "look(0)", "home", "Home", where="screen"),
    Command("", "look", "end", "End", where="screen"),
    Command("new", "new", "n", "n", "play.new_game"),
    Command("fair", "session('begin_new', 'fair')"),
    Command("games", "games", "o", "o", "saved.title"),
    Command("open", "open", "g", "g", "terminal.key_open", argument="GAME"),
    Command("save", "save", "s", "s", "terminal.key_save", argument="[FILE]"),
    Command("type", "type", "m,slash", "m", "terminal.key_move", where="screen"),
    Command("moves", where="lines"),
    Command("draw", "session('offer_draw')", "D", "D"),
    Command("resign", "resign", "R", "R", "play.resign"),
    Command("language", "language", "l", "l", "page.language"),
    Command("rules", "rules", "i", "i"),
    Command("numbers", "legend", "k", "k"),
    Command("help", "help", "question_mark", "?", "terminal.key_help"),
    Command("quit", "leave(0)", "q", "q", "terminal.key_quit"),
)
OTHER_WORDS = {"analyze": "analyse", "exit": "quit"}


def command_of(text: str, where: Where) -> Command | None:
    """The command that was typed, by its word in upper or lower case or by its key."""
    word = OTHER_WORDS.get(text.lower(), text.lower())
    here = (each for each in COMMANDS if each.word and each.where in ("both", where))
    return next((each for each in here if each.word == word or each.shown == text), None)


def help_rows(language: str, where: Where, **values: object) -> Iterator[tuple[str, str]]:
    """All commands and keys with what they do; a second key stands beside the first."""
    here = [each for each in COMMANDS if each.where in ("both", where)]
    for place, command in enumerate(here):
        if not command.word or (where == "screen" and not command.shown):
            continue
        keys = [command.shown]
        for second in here[place + 1 :]:
            if second.word:
                break
            keys.append(second.shown)
        shown = f"{command.word} {command.argument}".strip() if where == "lines" else " ".join(keys)
        yield shown, say(f"terminal.help_{command.word}", language, **values)
