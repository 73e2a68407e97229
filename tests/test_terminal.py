"""The full-screen terminal: games by keys and by mouse, hint, analysis, looking back, two
computers, and a real process in a terminal.
"""

from __future__ import annotations

import asyncio
import dataclasses
import json
import os
import re
import select
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.actions import parse
from textual.widgets import Input, OptionList, Static

from mnkala import Position, Record
from mnkala.errors import MnkalaError
from mnkala.explain.inspection import Hint, hint
from mnkala.explain.words import LANGUAGES, words
from mnkala.play import parse_player
from mnkala.play.clock import Clock
from mnkala.play.game_filter import Wanted
from mnkala.play.saved_games import open_store, row_of_record, saved_games
from mnkala.play.store import Row, Update
from mnkala.play.view import View, make_view
from mnkala.search import parse_engine
from mnkala.terminal import environment
from mnkala.terminal.app import GameApp
from mnkala.terminal.board_widget import BoardWidget
from mnkala.terminal.boards import drawing_for
from mnkala.terminal.drawing import Overlay
from mnkala.terminal.help_text import COMMANDS
from mnkala.terminal.plain_text import PlainGame
from mnkala.terminal.proofs import notes
from mnkala.terminal.screens import Choice, Reading
from mnkala.terminal.session import Session
from tests.command_line import mnkala
from tests.terminal_table import table, workers_end

Test = Callable[[], Coroutine[Any, Any, None]]


pytestmark = pytest.mark.usefixtures("brisk", "games_folder")


# ---- Whole games ----


def test_a_game_of_connect_four_by_the_keyboard_against_the_computer() -> None:
    async def play() -> None:
        async with table("connect4", second="random:seed=3") as here:
            await here.ready()
            session = here.app.session
            await here.press("4")
            while not session.game.is_over:
                await here.until(lambda: session.can_play or session.game.is_over)
                before = len(session.game.position.history)
                await here.press("enter")
                if len(session.game.position.history) == before and not session.game.is_over:
                    await here.press("right")
            assert session.game.outcome is not None
            assert ("wins." in here.said("status")) == (session.game.outcome.winner is not None)
            assert session.game.answer is not None

    asyncio.run(play())


def test_a_game_of_connect_four_by_the_mouse() -> None:
    async def play() -> None:
        async with table("connect4") as here:
            for count, column in enumerate([0, 1, 0, 1, 0, 1, 0]):
                await here.click(count % 6, column)  # anywhere in a column means the column
            assert here.played == "1212121"
            assert here.said("status") == "● (human) wins."
            assert here.app.session.view.marked == ((2, 0), (3, 0), (4, 0), (5, 0))
            await here.click(0, 3)
            assert here.played == "1212121"

    asyncio.run(play())


def test_a_game_is_opened_in_any_form_by_typing_and_by_pasting(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text("# first: Ann\nkalah 36 *\n")

    async def play() -> None:
        async with table("connect4") as here:
            here.app.session.play("4")
            for typed, game, moves in (
                ("44352", "connect4", "44352"),
                (str(file), "kalah", "36"),
                ("https://connect4.gamesolver.org/?pos=4455", "connect4", "4455"),
            ):
                await here.press("g")
                here.app.query_one("#typed", Input).value = typed
                await here.press("enter")
                assert (here.app.session.game.position.game, here.played) == (game, moves)
            await here.press("g", *"48", "enter")
            assert "column 8 does not exist" in here.said("status")
            for keys in (["g"], ["escape"]):  # with the field open, and on the board
                await here.press(*keys)
                here.app.post_message(events.Paste("# a comment\nconnect4 12\nkalah 3 *\n"))
                await here.until(lambda: here.played == "12")
                assert "2 games; this is the first" in here.said("status")
                here.app.session.play("3")

    asyncio.run(play())
    assert {row["moves"] for row in json.loads(mnkala("saved", "--json").stdout)} >= {"4", "123"}


def test_kalah_shows_seeds_and_stores_and_moves_again() -> None:
    async def play() -> None:
        async with table("kalah") as here:
            await here.press("3")
            assert here.app.session.game.position.mover == 0, "the last seed fell into the store"
            await here.click(1, 0)
            assert here.app.query_one(BoardWidget).cursor[0] == 0, (
                "the cursor goes to the row of the player to move"
            )
            await here.press("left", "enter")
            assert here.played.startswith("31")
            assert len(here.played) == 3
            store = here.app.session.view.seeds
            assert store is not None
            assert sum(sum(row) for row in store.houses) + sum(store.stores) == 48

    asyncio.run(play())


def test_tic_tac_toe_by_cursor_by_typing_and_by_mouse() -> None:
    async def play() -> None:
        async with table("tictactoe") as here:
            await here.press("enter")
            await here.press("m", "a", "3", "enter")
            await here.click(0, 1)
            assert here.played == "b2a3b3"
            await here.press("enter")
            assert here.said("status") == "No move can be made there."
            await here.press("down", "down", "enter")
            assert here.played.endswith("b1")

    asyncio.run(play())


def test_a_column_of_two_digits_is_asked_for() -> None:
    async def play() -> None:
        async with table("connect4:10x11") as here:
            await here.press("1")
            assert here.app.query_one("#typed", Input).display
            await here.press("1", "enter")
            await here.press("5")
            assert here.played == "11,5"

    asyncio.run(play())


def test_nonsense_is_refused_in_words() -> None:
    async def play() -> None:
        async with table("connect4") as here:
            await here.press("8")
            assert here.said("status") == "8 is not a legal move here."
            await here.press("m", *"zz", "enter")
            assert "is not a column" in here.said("status")
            await here.press("m", *"99", "enter")
            assert "does not exist" in here.said("status")
            await here.press("u")
            assert here.said("status") == "there is no move to take back"
            await here.press("r")
            assert here.said("status") == "there is nothing to play again"
            await here.press("m", "escape")
            assert here.app.query_one(BoardWidget).has_focus
            assert here.played == ""

    asyncio.run(play())


def test_the_mouse_shows_where_a_disc_would_fall() -> None:
    async def play() -> None:
        async with table("connect4", "66") as here:
            board = here.app.query_one(BoardWidget)
            before = here.board()
            await here.pilot.hover(BoardWidget, offset=board.place_of((0, 5)))
            await here.settle()
            assert board._full_overlay().preview == ((3, 5),)
            assert here.played == "66"
            await here.pilot.hover("#side")
            await here.settle()
            assert board._full_overlay().preview == ((5, 3),), (
                "without the mouse the cursor's column is shown"
            )
            assert here.board() == before

    asyncio.run(play())


# ---- Moves that are no single cell, as games of one's own may have ----


def test_a_cell_that_means_two_moves_asks_which(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        async with table("tictactoe") as here:
            await here.click(2, 1)
            screen = here.app.screen
            assert isinstance(screen, Choice)
            assert [option.id for option in screen.query_one(OptionList).options] == ["a1", "b1"]
            await here.press("escape")
            assert here.played == ""
            await here.click(2, 1)
            await here.press("down", "enter")
            assert here.played == "b1"
            await here.click(2, 1)
            assert here.played == "b1a1", "now it means only one"

    rules = Position("tictactoe").rules
    usual = type(rules).move_cells
    monkeypatch.setattr(
        type(rules),
        "move_cells",
        lambda self, state, move: (
            *usual(self, state, move),
            *([(2, 1)] if self.move_text(move) == "a1" else []),
        ),
    )
    asyncio.run(play())


def test_moves_without_a_place_on_the_board_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        async with table("tictactoe") as here:
            others = here.app.query_one("#others", OptionList)
            assert [option.id for option in others.options] == ["a1"]
            others.focus()
            await here.press("down", "enter")
            assert here.played == "a1"
            assert not others.display

    rules = Position("tictactoe").rules
    usual = type(rules).move_cells
    monkeypatch.setattr(
        type(rules),
        "move_cells",
        lambda self, state, move: () if self.move_text(move) == "a1" else usual(self, state, move),
    )
    asyncio.run(play())


def test_a_piece_is_moved_by_pointing_at_it_and_then_at_its_goal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def play() -> None:
        async with table("tictactoe") as here:
            board = here.app.query_one(BoardWidget)
            await here.click(2, 1)
            assert (here.played, set(board._full_overlay().pointed)) == (
                "",
                {(2, 1), (1, 1), (0, 1)},
            ), "the piece and where it can go"
            await here.press("escape")
            assert not board._full_overlay().pointed, "put back"
            await here.click(2, 1)
            await here.click(2, 2)
            assert board.picked == ((2, 2),), "another piece"
            await here.click(1, 1)
            assert (here.played, len(board.picked)) == ("", 0), (
                "no goal of this piece: it is put back"
            )
            await here.click(1, 1)
            assert here.said("status") == "No move can be made there."
            await here.press("down", "enter", "up", "enter")
            assert here.played == "b2", "by the keyboard"
            await here.click(2, 0)
            await here.click(0, 0)
            assert here.played == "b2a3"

    def from_below(rules: Any, state: Any, move: int) -> tuple[tuple[int, int], ...]:
        ((row, column),) = rules.changed_cells(state, move)
        return ((2, column), (row, column)) if row < 2 else ()

    rules = type(Position("tictactoe").rules)
    monkeypatch.setattr(rules, "move_cells", from_below)
    monkeypatch.setattr(rules, "from_to", True)
    asyncio.run(play())


# ---- Hint, undo, analysis ----


def test_a_hint_says_why_in_every_language() -> None:
    async def play() -> None:
        async with table("connect4", "121212") as here:
            await here.ready()
            await here.press("h")
            await here.until(lambda: here.app.session.thoughts.hint)
            assert here.said("thoughts").startswith("Hint 1  wins at once")
            assert "Wins at once." in here.said("thoughts")
            assert here.app.query_one(BoardWidget)._overlay.hinted == ((2, 0),)
            await here.press("l")
            assert "Ganha já." in here.said("thoughts")
            await here.press("1")
            assert here.app.session.thoughts.hint is None, "a hint belongs to its position"

    asyncio.run(play())


def test_undo_and_redo_go_back_to_ones_own_turn() -> None:
    async def play() -> None:
        async with table("connect4", second="random:seed=1") as here:
            await here.ready()
            await here.press("4")
            await here.until(lambda: here.app.session.can_play)
            after = here.played
            await here.press("u")
            assert (here.played, here.said("status")) == ("", "took back 2 moves")
            await here.press("r")
            assert (here.played, here.said("status")) == (after, "played 2 moves again")

    asyncio.run(play())


def test_undo_while_the_computer_thinks_stops_it() -> None:
    async def play() -> None:
        async with table("connect4", second="deepening:time=600") as here:
            await here.ready()
            await here.press("4")
            await here.until(lambda: here.app.session.controller.ticket)
            assert here.said("status") == "○ (deepening:time=600.0) is thinking…"
            await here.press("2")
            assert here.said("status") == "It is the computer's turn."
            await here.press("u")
            assert (here.played, here.app.session.controller.ticket) == ("", None)
            await workers_end()  # it would have thought for ten minutes

    asyncio.run(play())


def test_the_analysis_shows_what_is_proved_on_the_board_beside_it_and_in_the_bar() -> None:
    async def play() -> None:
        async with table("tictactoe", "b2 b1") as here:
            await here.ready()
            await here.press("a")
            await here.until(
                lambda: (
                    here.app.session.thoughts.proof and not here.app.session.thoughts.is_studying
                )
            )
            expected = parse_engine("deepening").analyse(here.app.session.position, all_moves=True)
            shown = here.app.session.thoughts.proof
            assert shown is not None
            assert {known.code: known.score for known in shown.moves} == {
                move.code: move.score for move in expected.moves
            }
            assert "wins in 3 moves" in here.said("thoughts")
            assert here.board().count("W3") == sum(
                move.score.result == "win" for move in expected.moves
            )
            assert here.said("evaluation").endswith("proved: ✕ wins in 3 moves")
            await here.press("a")
            assert here.app.session.thoughts.proof is None
            assert "W3" not in here.board()

    asyncio.run(play())


def test_the_analysis_follows_the_game_and_stops_when_it_is_told() -> None:
    async def play() -> None:
        async with table("connect4:7x8", "44") as here:
            await here.ready()
            await here.press("a")
            await here.until(
                lambda: (
                    here.app.session.thoughts.analysis
                    and here.app.session.thoughts.analysis.depth > 3
                )
            )
            await here.press("4")
            await here.until(
                lambda: (
                    here.app.session.thoughts.analysis
                    and here.app.session.thoughts.analysis.depth > 3
                )
            )
            analysis = here.app.session.thoughts.analysis
            assert analysis is not None
            assert analysis.position.moves == "444"
            assert set(notes(analysis, "en")) == set("12345678")
            nodes = here.app.session.thoughts.effort()[0]
            await here.until(lambda: here.app.session.thoughts.effort()[0] > nodes)
            await here.press("a")
            assert not here.app.session.thoughts.is_studying

    asyncio.run(play())


def test_looking_back_does_not_change_the_game() -> None:
    async def play() -> None:
        async with table("connect4", "44352") as here:
            await here.press("left_square_bracket", "left_square_bracket")
            assert (here.app.session.position.moves, here.played) == ("443", "44352")
            assert here.said("status").startswith("Move 3 of 5.")
            await here.press("left")
            assert here.app.session.position.moves == "44"
            await here.press("1")
            assert "looking back" in here.said("status")
            await here.press("home")
            assert here.app.session.position.moves == ""
            await here.press("end", "1")
            assert here.played == "443521"
            await here.pilot.click("#moves", offset=(4, 0))
            await here.settle()
            assert here.app.session.position.moves == "4"
            await here.press("escape")
            assert here.app.session.ply is None

    asyncio.run(play())


# ---- Ending, saving, leaving ----


def test_resigning_asks_first_and_gives_the_game_to_the_other() -> None:
    async def play() -> None:
        async with table("connect4", "44") as here:
            await here.press("R", "n")
            assert not here.app.session.game.is_over
            await here.press("R", "y")
            assert str(here.app.session.game.outcome) == "0-1"
            assert here.said("status") == "○ (human) wins. ● (human) resigned."

    asyncio.run(play())


def test_people_agree_on_a_draw_and_an_engine_that_is_ahead_declines_it() -> None:
    async def declined() -> None:
        async with table("connect4", "737462", second="minimax:depth=3") as here:
            await here.ready()
            await here.press("D")
            await here.until(lambda: "declines the draw" in here.said("status"))
            assert not here.app.session.game.is_over

    async def agreed() -> None:
        async with table("connect4", "44") as here:
            await here.ready()
            await here.press("D")
            await here.until(lambda: here.app.session.game.ending == "agreement")
            assert here.said("status") == "Draw by agreement."

    asyncio.run(declined())
    asyncio.run(agreed())


def test_a_saved_game_goes_on_where_it_was_left(tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"

    async def play() -> None:
        async with table("connect4", "443") as here:
            await here.press("s")
            typed = here.app.query_one("#typed", Input)
            assert typed.value.startswith("connect4-20")
            typed.value = str(file)
            await here.press("enter")
            assert here.said("status") == f"saved to {file}"
            await here.press("5", "q")
            assert here.app.return_value == 0
            assert here.app.kept_messages == [
                f"The game is saved. Continue with: mnkala play --resume {file}"
            ]

    asyncio.run(play())
    record = Record.load(file)
    assert record.position.moves == "4435"
    done = mnkala("play", "--resume", str(file), stdin="moves\n")
    assert "played: 4435" in done.stdout


def test_nothing_is_kept_of_a_game_that_was_not_begun() -> None:
    async def play() -> None:
        async with table("connect4") as here:
            await here.press("ctrl+c")
            assert here.app.return_value == 130
            assert here.app.kept_messages == []

    asyncio.run(play())
    assert saved_games(Wanted(), 9) == []


def test_a_new_game_keeps_the_old_one() -> None:
    async def play() -> None:
        async with table("connect4", "44") as here:
            await here.press("n", "down", "down", "enter")
            assert here.played == ""
            assert [player.name for player in here.app.session.game.players] == ["human", "level1"]
            assert "--resume" in here.app.kept_messages[0]
            await here.press("n", "end", "enter")
            assert here.app.session.game.position.game == "kalah"

    asyncio.run(play())
    (kept,) = saved_games(Wanted(), 9)
    assert isinstance(kept, Row)
    assert kept.moves == "44"


def test_saved_games_of_page_and_terminal_can_be_chosen_and_the_page_may_go_on_with_the_one_that_is_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with open_store() as store:
        store.write(
            [
                dataclasses.replace(
                    row_of_record(
                        Record.parse("# first: Ann\n# second: Ben\nconnect4 4435 *"), parse_player
                    ),
                    first_owner="a browser",
                )
            ]
        )

    async def play() -> None:
        async with table("connect4", "1") as here:
            await here.press("o")
            shown = here.app.screen.query_one(OptionList)
            assert any("Ann – Ben" in str(option.prompt) for option in shown.options)
            shown.highlighted = next(
                number for number, option in enumerate(shown.options) if "Ann" in str(option.prompt)
            )
            await here.press("enter")
            session = here.app.session
            assert here.played == "4435"
            (page,) = (
                row
                for row in saved_games(Wanted(), 9)
                if isinstance(row, Row) and row.first_nickname == "Ann"
            )
            with open_store() as store:
                store.write(
                    [Update(dataclasses.replace(page, moves="44", played=2, revision=2), 1)]
                )
            monkeypatch.setattr("mnkala.terminal.session.ELSEWHERE_SECONDS", -1.0)
            session.tick()
            assert here.played == "44"
            await here.until(lambda: "continued elsewhere" in here.said("status"))

    asyncio.run(play())


def test_the_clock_runs_and_ends_the_game() -> None:
    async def play() -> None:
        async with table("connect4", clock=Clock.of(0.6, 0)) as here:
            await here.ready()
            await here.press("4")
            assert re.search(r"\b0\.[0-6]", here.said("players"))
            await here.until(lambda: here.app.session.game.is_over)
            assert here.said("status") == "● (human) wins. ○ (human) ran out of time."

    asyncio.run(play())


# ---- Two computers ----


def test_two_computers_can_be_paused_stepped_and_hurried() -> None:
    async def play() -> None:
        async with table("connect4", first="random:seed=1", second="random:seed=2") as here:
            await here.press("space")
            assert here.said("status").startswith("Paused.")
            await here.ready()
            before = len(here.app.session.game.position.history)
            await here.press("full_stop")
            await here.until(lambda: len(here.app.session.game.position.history) == before + 1)
            await here.press("u")
            assert len(here.app.session.game.position.history) == before
            await here.press("plus", "plus", "plus", "plus")
            assert here.app.session.game.pace == 0
            await here.press("space")
            await here.until(lambda: here.app.session.game.is_over)
            assert here.app.session.game.position.is_over

    asyncio.run(play())


def test_an_engine_that_breaks_is_reported_and_the_game_lives_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from mnkala.search.simple import Random

    def broken(self: Random, task: object) -> None:
        raise ZeroDivisionError("no idea")

    async def play() -> None:
        async with table("connect4", second="random") as here:
            await here.ready()
            monkeypatch.setattr(Random, "run", broken)
            await here.press("4")
            await here.until(lambda: here.app.session.controller.trouble)
            assert here.said("status") == "the engine failed: ZeroDivisionError: no idea"
            await here.press("u", "3")
            assert here.played == "3"

    asyncio.run(play())


# ---- Sizes, languages, characters ----


def test_a_tiny_terminal_gets_a_message_until_it_grows() -> None:
    async def play() -> None:
        async with table("connect4", size=(50, 15)) as here:
            assert "60 × 20" in here.said("small")
            assert not here.app.query_one("#main").display
            await here.pilot.resize_terminal(60, 20)
            await here.until(lambda: here.app.query_one("#main").display)
            await here.press("4")
            assert here.played == "4"

    asyncio.run(play())


def test_a_board_larger_than_the_screen_scrolls_with_the_cursor() -> None:
    async def play() -> None:
        async with table("mnk:30x30x5", size=(60, 20)) as here:
            board = here.app.query_one(BoardWidget)
            assert board.virtual_size.height > board.size.height
            board.cursor = (27, 27)
            await here.press("down", "right", "down", "right")
            x, y = board.place_of(board.cursor)
            assert 0 <= x < board.size.width
            assert 0 <= y < board.size.height
            await here.press("enter")
            assert here.played == "ad1"

    asyncio.run(play())


def test_every_window_speaks_every_language() -> None:
    async def play() -> None:
        async with table("kalah", second="random:seed=1") as here:
            said = set()
            for _ in LANGUAGES:
                for key in ("question_mark", "n", "R"):
                    await here.press(key)
                    assert len(here.app.screen_stack) == 2
                    said.add(str(here.app.screen.query(Static).first().content))
                    await here.press("escape")
                    assert len(here.app.screen_stack) == 1
                await here.press("l")
            assert len(said) == 3 * len(LANGUAGES)
            assert here.app.language == "en"

    asyncio.run(play())


def test_every_word_of_the_terminal_is_there_in_three_languages() -> None:
    import mnkala.explain

    said = json.loads(
        (Path(mnkala.explain.__file__).parent / "words" / "terminal.json").read_text(
            encoding="utf-8"
        )
    )
    for key, texts in said.items():
        assert key.startswith("terminal.")
        assert set(texts) == set(LANGUAGES)
        assert len({frozenset(re.findall(r"\{(\w+)[?}]", text)) for text in texts.values()}) == 1, (
            key
        )


VIEWS = [
    ("connect4", "44352"),
    ("connect4:10x11", "1 2 3"),
    ("tictactoe", "b2 a1"),
    ("gomoku", "h8 h9 i8"),
    ("kalah", "36"),
    ("kalah:8x10", "1"),
]


@pytest.mark.parametrize(("game", "moves"), VIEWS)
@pytest.mark.parametrize("size", [(36, 16), (50, 21), (90, 40), (200, 80)])
def test_every_board_is_drawn_and_every_cell_is_found_again(
    game: str, moves: str, size: tuple[int, int]
) -> None:
    view: View = make_view(Position(game).play(moves))
    drawing = drawing_for(view, *size)
    text = drawing.draw(Overlay(cursor=(0, 0))).text()
    assert len(text.splitlines()) <= drawing.height
    for row in range(view.rows):
        for column in range(view.columns):
            x, y, wide, high = drawing.area((row, column))
            assert drawing.cell_at(x + wide // 2, y + high // 2) == (row, column)


@pytest.mark.parametrize(("game", "moves"), VIEWS)
def test_ascii_boards_need_no_other_characters(game: str, moves: str) -> None:
    drawing = drawing_for(make_view(Position(game).play(moves)), 90, 40, ascii_only=True)
    text = drawing.draw(Overlay(cursor=(0, 0), preview=((0, 0),), hinted=((0, 1),))).text()
    assert text.isascii()
    assert "X" in text or game.startswith("kalah")


def test_the_two_players_differ_without_colour() -> None:
    for game, moves in (("connect4", "12"), ("tictactoe", "a1 b1"), ("gomoku", "a1 b1")):
        for size in ((20, 10), (36, 16), (90, 40)):
            view = make_view(Position(game).play(moves))
            drawing = drawing_for(view, *size)
            canvas = drawing.draw(Overlay())
            looks = []
            for cell in ((view.rows - 1, 0), (view.rows - 1, 1)):
                x, y, wide, high = drawing.area(cell)
                looks.append(
                    [
                        [(spot.text, spot.ink == spot.ground) for spot in line[x : x + wide]]
                        for line in canvas.spots[y : y + high]
                    ]
                )
            assert looks[0] != looks[1], (game, size)


def test_the_language_comes_from_the_locale(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    assert environment.language_of_locale() == "en"
    monkeypatch.setenv("LANG", "it_IT.UTF-8")
    assert environment.language_of_locale() == "it"
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    assert environment.language_of_locale() == "en"


def test_without_colour_nothing_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        async with table("connect4", "44") as here:
            assert here.app.no_color
            await here.press("4", "question_mark")
            assert isinstance(here.app.screen, Reading)
            assert here.played == "444"

    monkeypatch.setenv("NO_COLOR", "1")
    asyncio.run(play())


# ---- Real processes ----


class Terminal:
    """A process in a pseudo-terminal."""

    def __init__(
        self, *arguments: str, term: str = "xterm-256color", columns: int = 90, rows: int = 28
    ) -> None:
        import fcntl
        import pty
        import struct
        import termios

        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        environment = {**os.environ, "TERM": term, "LC_ALL": "C.UTF-8"}
        environment.pop("NO_COLOR", None)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "mnkala", *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment,
            start_new_session=True,
        )
        os.close(slave)
        self.output = ""

    def read(self) -> bool:
        ready, _, _ = select.select([self.master], [], [], 0.1)
        if ready:
            try:
                self.output += os.read(self.master, 65536).decode("utf-8", "replace")
            except OSError:  # the other side is closed
                return False
        return bool(ready)

    def wait_for(self, words: str, seconds: float = 120) -> None:
        deadline = time.monotonic() + seconds
        while words not in self.output:
            assert time.monotonic() < deadline, f"{words!r} never came: {self.output[-2000:]!r}"
            self.read()

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def end(self) -> int:
        deadline = time.monotonic() + 120
        while self.process.poll() is None:
            assert time.monotonic() < deadline, "it does not end"
            self.read()
        while self.read():
            pass
        os.close(self.master)
        return self.process.returncode


needs_a_terminal = pytest.mark.skipif(os.name == "nt", reason="pseudo-terminals are POSIX")


@needs_a_terminal
def test_a_real_terminal_shows_the_board_takes_a_move_and_keeps_the_game() -> None:
    terminal = Terminal("play", "connect4", "--second", "human")
    terminal.wait_for("Connect Four")
    terminal.wait_for("(human) to move")
    terminal.type("4")
    terminal.wait_for("○ (human) to move")
    terminal.type("q")
    assert terminal.end() == 0
    assert "\x1b[?1049l" in terminal.output, "the screen is given back"
    (kept,) = saved_games(Wanted(), 9)
    assert isinstance(kept, Row)
    assert f"mnkala play --resume {kept.id}" in terminal.output.replace("\r\n", "")
    assert kept.moves == "4"


@needs_a_terminal
def test_ctrl_c_leaves_at_once_while_the_computer_thinks() -> None:
    terminal = Terminal("play", "connect4", "--first", "deepening:time=600", "--second", "human")
    terminal.wait_for("is thinking")
    terminal.type("\x03")
    assert terminal.end() == 130, "it would have thought for ten minutes"
    assert "Traceback" not in terminal.output


@needs_a_terminal
def test_a_dumb_terminal_gets_plain_lines() -> None:
    terminal = Terminal("play", "connect4", "--second", "human", term="dumb")
    terminal.wait_for("x to move> ")
    terminal.type("4\nquit\n")
    assert terminal.end() == 0
    assert "\x1b[?1049" not in terminal.output


def test_without_a_terminal_the_game_is_in_plain_lines_in_any_language() -> None:
    done = mnkala(
        "play",
        "connect4",
        "--second",
        "human",
        "--language",
        "pt",
        stdin="4\nhelp\nundo\nredo\nquit\n",
    )
    assert done.returncode == 0, done.stderr
    for text in (
        "joga x> ",
        "desistir",
        "1 jogada desfeita",
        "1 jogada refeita",
        "A partida fica guardada.",
    ):
        assert text in done.stdout


def test_help_does_not_load_textual() -> None:
    code = (
        "import sys, mnkala.cli\nassert 'textual' not in sys.modules and 'numba' not in sys.modules"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--clock", "soon"], "SECONDS or SECONDS+INCREMENT"),
        (["--clock", "300"], "a clock needs the full screen"),
        (["--language", "de"], "de"),
    ],
)
def test_bad_options_get_one_clear_error(arguments: list[str], words: str) -> None:
    done = mnkala("play", "connect4", *arguments)
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_on_a_large_board_only_the_best_handful_of_moves_have_a_note() -> None:
    async def play() -> None:
        async with table("gomoku", "h8,a1,h9,a2,h10,a4", size=(110, 36)) as here:
            await here.ready()
            await here.press("a")
            await here.until(
                lambda: (
                    here.app.session.thoughts.analysis and not here.app.session.thoughts.is_studying
                )
            )
            assert here.board().count("W2") == 2
            assert sum(here.board().count(sign) for sign in ("W", "L", "%")) <= 6
            assert "wins in 2 moves" in here.said("thoughts")

    asyncio.run(play())


# ---- One set of commands ----


def test_every_command_can_be_done_where_the_table_has_it_and_says_in_every_language_what_it_does() -> (
    None
):
    for command in COMMANDS:
        assert command.where == "lines" or hasattr(
            GameApp, f"action_{command.action.partition('(')[0]}"
        ), command
        assert (
            command.where == "screen"
            or command.action.startswith("session(")
            or hasattr(PlainGame, f"do_{command.word}")
        ), command
        if command.action.startswith("session("):
            assert hasattr(Session, str(parse(command.action)[2][0])), command
        for language in LANGUAGES if command.word else ():
            assert f"terminal.help_{command.word}" in words(language), command
    shown = [command.shown for command in COMMANDS if command.shown]
    assert len(shown) == len(set(shown))


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("h", "Hint "),
        ("HINT", "Hint "),
        ("i", "Rules: Connect Four"),
        ("?", "  hint         "),
        ("language pt", "Escreva uma jogada"),
        ("new", "game is saved"),
        ("evaluation", "is not a column"),
        ("m", "is not a column"),
    ],
)
def test_plain_lines_know_every_command_by_word_and_by_key(typed: str, told: str) -> None:
    done = mnkala("play", "connect4", "--second", "human", "--plain", stdin=f"4\n{typed}\nquit\n")
    assert done.returncode == 0
    assert told in done.stdout


def test_what_fails_in_plain_lines_is_said_and_can_be_asked_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[Position] = []

    def fails_once(position: Position, **how: Any) -> Hint:
        asked.append(position)
        if len(asked) == 1:
            raise MnkalaError("no hint just now")
        return hint(position, **how)

    monkeypatch.setattr("mnkala.terminal.position_info.hint", fails_once)
    done = mnkala(
        "play", "tictactoe", "--second", "human", "--plain", stdin="hint\nhint\nb2\nquit\n"
    )
    assert done.returncode == 0
    assert done.stdout.index("no hint just now") < done.stdout.index("Hint ")
    assert ". x ." in done.stdout


def test_commands_can_be_typed_on_the_full_screen_too() -> None:
    async def play() -> None:
        async with table("connect4") as here:
            await here.ready()
            for line, moves in (
                ("4", "4"),
                ("4", "44"),
                ("undo", "4"),
                ("redo", "44"),
                ("open kalah 3", "3"),
            ):
                await here.press("m")
                here.app.screen.query_one("#typed", Input).value = line
                await here.press("enter")
                await here.settle()
                assert here.app.session.game.position.moves == moves
            await here.press("m")
            here.app.screen.query_one("#typed", Input).value = "help"
            await here.press("enter")
            await here.settle()
            assert isinstance(here.app.screen, Reading)

    asyncio.run(play())


def test_a_game_that_is_over_is_reviewed_beside_the_board() -> None:
    async def play() -> None:
        async with table("connect4:4x5", "1122334") as here:
            await here.press("w")
            await here.until(lambda: isinstance(here.app.screen, Choice))
            options = here.app.screen.query_one(OptionList).options
            assert [option.id for option in options] == [str(ply) for ply in range(1, 8)]
            faults = [str(option.prompt) for option in options if "?" in str(option.prompt)]
            assert any("Better: " in fault for fault in faults)
            assert any("(turning point)" in fault for fault in faults)
            await here.press("down", "down")
            assert here.app.session.ply == 3
            await here.press("enter")
            assert here.app.session.ply == 3
            assert not isinstance(here.app.screen, Choice)
            await here.press("w")  # not computed again
            assert isinstance(here.app.screen, Choice)
            await here.press("escape")
            assert here.app.session.ply is None

    asyncio.run(play())


def test_a_review_waits_for_the_end_of_the_game_and_for_a_move() -> None:
    async def play() -> None:
        async with table("connect4") as here:
            await here.press("w")
            assert "No move was played" in here.said("status")
            await here.press("4", "w")
            assert "The review opens when the game is over." in here.said("status")

    asyncio.run(play())


def test_another_size_and_another_game_are_begun_without_leaving() -> None:
    async def play() -> None:
        async with table("connect4", "44") as here:
            for typed, game in (("5x6", "connect4:5x6"), ("gomoku:9", "gomoku:9")):
                await here.press("n")
                choice = here.app.screen.query_one(OptionList)
                choice.highlighted = next(
                    place for place, option in enumerate(choice.options) if option.id == "size"
                )
                await here.press("enter")
                here.app.screen.query_one("#typed", Input).value = typed
                await here.press("enter")
                assert here.app.session.game.position.game == game

    asyncio.run(play())
