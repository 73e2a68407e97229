"""Makes docs/rules.md and its pictures from the texts and positions of the package: `python -m
docs.make_rules`.

The rules of the games, how to read the numbers and what the five reports are have their one home in
`play/words` and `explain/rulebook.py`; this page repeats them for those who read before they play.
A test says when it is out of date.
"""

from __future__ import annotations

from pathlib import Path

from mnkala import Position
from mnkala.core import parse_game
from mnkala.core.picture import SVG_CELL, SVG_INK, SVG_LABEL, SVG_MARGIN, svg_document
from mnkala.explain.rulebook import Figure, Rulebook, Section
from mnkala.explain.words import say, words
from mnkala.play.view import OF_ANY_GAME, legend
from mnkala.play.view import make_view

FOLDER = Path(__file__).parent
GAMES = ("connect4", "tictactoe", "gomoku", "kalah")
VARIANTS = {
    "gomoku": ("gomoku:15,exact", "Longer lines"),
    "kalah": ("kalah:6x4,standard", "Nothing opposite"),
}
"""A section of a variant that is told beside the usual one."""
GAP, CAPTION = 28, 34


def drawn(figure: Figure) -> tuple[str, int, int]:
    """The picture of a figure, with rings around the cells that it points at, and its width and
    height.
    """
    position = figure.position
    picture = position.rules.picture(position.state())
    width, height = picture.size()
    left = SVG_MARGIN + (SVG_LABEL if picture.row_labels else 0)
    rings = (
        ""
        if make_view(position).seeds
        else "".join(
            f'<circle cx="{left + (column + 0.5) * SVG_CELL}" cy="{SVG_MARGIN + (row + 0.5) * SVG_CELL}" r="17" fill="none" stroke="#e69f00" '
            f'stroke-width="4" stroke-dasharray="6 4"/>'
            for row, column in figure.cells
        )
    )
    return position.svg().removesuffix("</svg>") + rings + "</svg>", width, height


def picture_of(section: Section) -> str:
    """All figures of a section in a row, captions below."""
    parts, x, highest = [], 0, 0
    for figure in section.figures:
        svg, width, height = drawn(figure)
        caption = figure.caption.partition(":")[0]
        parts.append(svg.replace("<svg ", f'<svg x="{x}" ', 1))
        parts.append(
            f'<text x="{x + width / 2}" y="{height + 22}" font-size="17" fill="{SVG_INK}">{caption}</text>'
        )
        x, highest = x + width + GAP, max(highest, height)
    return svg_document(
        0,
        0,
        x - GAP,
        highest + CAPTION,
        f'<rect width="100%" height="100%" fill="#ffffff"/>{"".join(parts)}',
        scale=0.6,
    )


def sections(game: str) -> list[Section]:
    """The sections of a game, and behind them one of its variant."""
    found = [*Rulebook(parse_game(game)).sections]
    if game in VARIANTS:
        variant, heading = VARIANTS[game]
        at = next(i for i, section in enumerate(found) if section.heading == heading)
        other = next(
            section
            for section in Rulebook(parse_game(variant)).sections
            if section.heading == heading
        )
        found.insert(at + 1, Section(f"{heading} in `{variant}`", other.text, other.figures))
    return found


def pictures() -> dict[str, str]:
    """The pictures by their file names."""
    return {
        f"rules-{game}-{number}.svg": picture_of(section)
        for game in GAMES
        for number, section in enumerate(sections(game))
        if section.figures
    }


def text() -> str:
    """The page."""
    lines = [
        "# The games and the numbers",
        "",
        "Made by `python -m docs.make_rules` from what the page and the terminal show: the button *Rules* beside every board, the key",
        "`i`, `mnkala rules kalah`; the button *How to read the numbers*, the key `k`.",
        "",
        "## Rules of the games",
        "",
    ]
    for game in GAMES:
        lines += [f"### {Rulebook(parse_game(game)).title}", ""]
        for number, section in enumerate(sections(game)):
            lines += [f"**{section.heading}.** {section.text}", ""]
            if section.figures:
                lines += [
                    f"![{'; '.join(figure.caption for figure in section.figures)}](pictures/rules-{game}-{number}.svg)",
                    "",
                ]
    lines += [
        "Connect on other boards (`connect:8x9x5`) and (m,n,k)-games (`mnk:7x8x5`) have the same rules with other numbers;",
        "`mnkala rules GAME` tells them.",
        "",
        "## How to read the numbers",
        "",
        "| what you see | what it means |",
        "|---|---|",
    ]
    entries = {entry.name: entry for game in GAMES for entry in legend(make_view(Position(game)))}
    general = [
        key.split(".")[2]
        for key in words("en")
        if key.startswith(OF_ANY_GAME) and key.endswith(".text")
    ]
    lines += [
        f"| {entries[name].sample} | {entries[name].text} |"
        for name in dict.fromkeys([*general, *entries])
    ]
    lines += [
        "",
        "## The five reports",
        "",
        say("reports.about"),
        "",
        "| report | game | what it did and found |",
        "|---|---|---|",
    ]
    numbers = sorted(
        key.split(".")[1]
        for key in words("en")
        if key.startswith("reports.") and key.endswith(".game")
    )
    lines += [
        f"| {number} | {say(f'reports.{number}.game')} | {say(f'reports.{number}.found')} |"
        for number in numbers
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write everything."""
    (FOLDER / "rules.md").write_text(text(), encoding="utf-8")
    for name, svg in pictures().items():
        (FOLDER / "pictures" / name).write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
