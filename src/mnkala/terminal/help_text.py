"""The rules and "how to read the numbers" in plain lines, for `mnkala rules` and for games
without a full screen."""

from __future__ import annotations

import dataclasses
import itertools
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

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
    """Blocks of lines with their widths arranged in rows, as many beside each other as fit. A row
    is a list of lines, each with a part of every block; `blank` makes what a short one lacks."""
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
