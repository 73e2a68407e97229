"""The rules as people read them: every picture is a real position, and the texts say what the code
does.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys

import pytest
from docs import make_rules
from textual.widgets import Static

from mnkala import Position
from mnkala.core import parse_game
from mnkala.core.plugin_guards import make_printable
from mnkala.explain.rulebook import Figure, Rulebook, Writer, sections_of_any_game
from mnkala.explain.words import LANGUAGES
from mnkala.families.lines.rules import Mnk
from mnkala.play.review_judge import (
    BLUNDER,
    INACCURACY,
    MARGIN_OF_BLUNDER,
    MARGIN_OF_MISTAKE,
    MISTAKE,
)
from mnkala.play.view import legend, make_view
from mnkala.terminal.help_text import rules_text
from mnkala.terminal.screens import Reading
from tests.command_line import mnkala
from tests.terminal_table import table

BOARDS = (
    "connect4",
    "connect4:10x11",
    "connect:8x9x5",
    "connect:3x3x2",
    "connect:40x40x20",
    "tictactoe",
    "gomoku",
    "gomoku:15,exact",
    "gomoku:5",
    "mnk:7x8x5",
    "mnk:9x5x5,exact",
    "mnk:1x5x3",
    "mnk:2x2x1",
    "kalah",
    "kalah:3x2,standard",
)


def figures(game: str, heading: str) -> list[Figure]:
    return [
        figure
        for section in Rulebook(parse_game(game)).sections
        if section.heading == heading
        for figure in section.figures
    ]


@pytest.mark.parametrize("game", BOARDS)
def test_every_board_has_rules_in_every_language_and_its_lines_win(game: str) -> None:
    told = {language: Rulebook(parse_game(game), language).sections for language in LANGUAGES}
    assert all(
        section.heading and section.text and "{" not in section.text
        for sections in told.values()
        for section in sections
    )
    assert len({sections[0].text for sections in told.values()}) == len(LANGUAGES)
    if not game.startswith("kalah"):
        assert all(
            figure.position.outcome and figure.position.outcome.winner == 0
            for figure in figures(game, "The aim")
        )


def test_a_longer_line_wins_unless_the_board_wants_it_exact() -> None:
    assert [figure.position.is_over for figure in figures("gomoku", "Longer lines")] == [True]
    assert [figure.position.is_over for figure in figures("gomoku:15,exact", "Longer lines")] == [
        False
    ]
    assert not figures("tictactoe", "Longer lines")


def test_the_pictures_of_kalah_show_what_their_captions_say() -> None:
    def stores(game: str, heading: str) -> list[tuple[int, ...]]:
        return [
            seeds.stores
            for figure in figures(game, heading)
            if (seeds := make_view(figure.position).seeds)
        ]

    assert [figure.position.to_move for figure in figures("kalah", "Moving again")] == ["x", "x"]
    assert stores("kalah", "Capturing") == [(10, 8), (16, 8)]
    assert stores("kalah", "Nothing opposite") == [(10, 8), (11, 8)]
    assert stores("kalah:6x4,standard", "Nothing opposite") == [(10, 8), (10, 8)]
    assert stores("kalah", "The end")[1] == (21, 27)


def test_a_plug_ins_game_tells_its_own_rules_without_control_characters(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        Mnk, "rules_text", "Take turns.\n\n# The end\nWho cannot move\x1b[2J loses."
    )
    make_printable(Mnk)
    book = Rulebook(parse_game("tictactoe"))
    about, turns, end = sections_of_any_game(book.rules, Writer("en"))
    assert about.text == Mnk.summary
    assert about.figures[0].position == Position("tictactoe")
    assert (turns.heading, turns.text) == ("", "Take turns.")
    assert (end.heading, end.text) == ("The end", "Who cannot move\\x1b[2J loses.")


def test_the_command_and_plain_lines_tell_the_rules_with_boards() -> None:
    done = mnkala("rules", "tictactoe", "--language", "it")
    assert "Regole: Tris" in done.stdout
    assert "2 x x x" in done.stdout
    assert max(map(len, rules_text(parse_game("kalah")).splitlines())) <= 80
    assert "no game is called 'chess'" in mnkala("rules", "chess").stderr


def test_the_page_of_rules_in_the_docs_is_what_the_package_says() -> None:
    folder = make_rules.FOLDER
    again = "run `python -m docs.make_rules`"
    assert (folder / "rules.md").read_text(encoding="utf-8") == make_rules.text(), again
    assert {
        path.name: path.read_text(encoding="utf-8")
        for path in (folder / "pictures").glob("rules-*.svg")
    } == make_rules.pictures(), again


def test_the_legend_says_what_the_review_does_and_speaks_of_this_game() -> None:
    grades = {entry.name: entry.text for entry in legend(make_view(Position("kalah")))}
    assert "wins_by" in grades
    assert "wins_in" not in grades
    for share in (INACCURACY, MISTAKE, BLUNDER):
        assert f"{round(100 * share)}\N{NO-BREAK SPACE}%" in grades["grades"]
    assert (
        f"from {MARGIN_OF_MISTAKE} a mistake, from {MARGIN_OF_BLUNDER} a blunder" in grades["seeds"]
    )
    assert "seeds" not in {entry.name for entry in legend(make_view(Position("connect4")))}
    assert "wins_in" in {entry.name for entry in legend(make_view(Position("connect4")))}
    assert [
        "by_fours" in {entry.name for entry in legend(make_view(Position(game)))}
        for game in ("gomoku", "connect4")
    ] == [True, False]


@pytest.mark.usefixtures("brisk", "games_folder")
def test_keys_open_the_rules_and_the_legend_in_the_terminal() -> None:
    async def read() -> None:
        async with table("kalah:3x2") as here:
            for key, text in (("i", "counter-clockwise"), ("k", "wins by 4")):
                await here.press(key)
                window = here.app.screen
                assert isinstance(window, Reading)
                assert text in "\n".join(str(part.content) for part in window.query(Static))
                await here.press("escape")
                assert not isinstance(here.app.screen, Reading)

    asyncio.run(read())


@pytest.mark.parametrize("game", ["kalah", "connect4", "gomoku", "tictactoe"])
def test_a_text_of_the_rules_loads_no_engine(game: str) -> None:
    code = (
        "import sys\nfrom mnkala.cli import run\n"
        f"run(['rules', {game!r}])\n"
        "print([name for name in ('numba', 'mnkala.search', 'mnkala.play', 'textual', 'asyncio') if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("Rules: ")
    assert done.stderr == "[]\n"
