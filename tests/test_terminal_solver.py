"""The solver in the terminal: exact scores, the opening book and puzzles, on the full screen and in
plain lines.
"""

from __future__ import annotations

import asyncio
import functools
import types

import pytest
from textual.widgets import OptionList

from mnkala.cli import run
from mnkala.families.connect.solver.solver import plies_to_end
from mnkala.play.fair_starts import ready_fair_starts
from mnkala.play.puzzles import solution
from mnkala.terminal.plain_text import play_plain
from mnkala.terminal.position_info import Refused
from mnkala.terminal.screens import Choice
from tests.command_line import mnkala
from tests.reference_solver import true_scores
from tests.terminal_table import Table, a_game, table

pytestmark = pytest.mark.usefixtures("brisk", "games_folder")
MIDDLE = "4444422635"


async def proved(here: Table) -> None:
    await here.until(
        lambda: here.app.session.thoughts.proof is not None and here.app.session.thoughts.proof.done
    )
    await here.until(lambda: not here.app.session.thoughts.is_studying)


def test_exact_scores_stand_on_the_board_and_beside_it() -> None:
    async def play() -> None:
        async with table("connect4", MIDDLE, size=(110, 40)) as here:
            await here.ready()
            await here.press("a")
            await proved(here)
            expected, said = true_scores(MIDDLE), here.said("thoughts")
            for move, score in expected.items():
                moves = (plies_to_end(score, 42 - len(MIDDLE)) + (score > 0)) // 2  # of the winner
                words = (
                    f"▲ wins in {moves}"
                    if score > 0
                    else f"▼ loses in {moves}"
                    if score < 0
                    else "■ a draw"
                )
                assert any(
                    line.lstrip("* ").startswith(f"{move} {words}") for line in said.splitlines()
                )
                assert (
                    f"W{moves}" if score > 0 else f"L{moves}" if score < 0 else "="
                ) in here.board()
            assert "best play" in said
            assert "refuted by" in said
            await here.press("a")
            assert here.app.session.thoughts.study is None

    asyncio.run(play())


def test_a_proof_follows_the_game() -> None:
    async def play() -> None:
        async with table("connect4", MIDDLE) as here:
            await here.ready()
            await here.press("a", "7")
            await proved(here)
            assert here.app.session.thoughts.proof is not None
            assert here.app.session.thoughts.proof.position.moves == MIDDLE + "7"

    asyncio.run(play())


@pytest.mark.parametrize(
    ("game", "told"), [("connect4:7x7", "No proof: this position"), ("connect4:7x6", "depth")]
)
def test_an_estimate_stands_where_a_proof_is_out_of_reach_or_not_there_yet(
    game: str, told: str
) -> None:
    async def play() -> None:
        async with table(game) as here:
            await here.ready()
            await here.press("a")
            await here.until(lambda: told in here.said("thoughts"))
            assert here.app.session.thoughts.proof is None
            await here.press("a")
            await here.until(lambda: not here.app.session.thoughts.is_studying)

    asyncio.run(play())


@pytest.mark.parametrize(("game", "said"), [("kalah:3x2", "wins by 4"), ("tictactoe", "a draw")])
def test_every_game_that_is_small_enough_is_proved(game: str, said: str) -> None:
    async def play() -> None:
        async with table(game) as here:
            await here.ready()
            await here.press("a")
            await proved(here)
            assert said in here.said("thoughts")

    asyncio.run(play())


@pytest.mark.parametrize(
    ("game", "key", "told"),
    [
        ("tictactoe", "b", "There is no opening book for this game."),
        ("mnk:8x8x3", "p", "There are no puzzles for this game."),
    ],
)
def test_what_other_games_do_not_have_is_told(game: str, key: str, told: str) -> None:
    async def play() -> None:
        async with table(game) as here:
            await here.ready()
            await here.press(key)
            assert told in here.said("status")

    asyncio.run(play())


def test_the_book_is_opened_and_followed() -> None:
    async def play() -> None:
        async with table("connect4", "444444") as here:
            await here.ready()
            await here.press("b")
            await here.until(lambda: here.app.session.thoughts.opening is not None)
            assert "Opening book" in here.said("thoughts")
            assert "wins in" in here.said("thoughts")
            await here.press("3")
            await here.until(
                lambda: (
                    here.app.session.thoughts.opening is not None
                    and here.app.session.thoughts.opening.position.moves == "4444443"
                )
            )

    asyncio.run(play())


def test_threats_of_both_sides_are_told_and_followed() -> None:
    async def play() -> None:
        async with table("gomoku", "h8,h9,i8,i9", size=(110, 36)) as here:
            await here.ready()
            await here.press("v")
            await here.until(lambda: here.app.session.thoughts.threatened is not None)
            assert "Nobody threatens anything yet." in here.said("thoughts")
            here.app.session.play("j8")
            await here.until(
                lambda: "x has an open three h8-i8-j8" in " ".join(here.said("thoughts").split())
            )
            assert here.board().count("◆") == 2
            await here.press("v")
            assert here.app.session.thoughts.study is None
            assert "◆" not in here.board()
            await here.press("v")
            for move in ("a1", "k8", "a2", "l8"):
                here.app.session.play(move)
            await here.until(lambda: "The game is over." in here.said("thoughts"))

    asyncio.run(play())


def test_threats_in_plain_lines() -> None:
    done = mnkala(
        "play",
        "gomoku",
        "--moves",
        "h8h9i8i9j8",
        "--first",
        "human",
        "--second",
        "human",
        "--plain",
        stdin="threats\nhelp\nquit\n",
    )
    assert (
        "x has an open three h8-i8-j8 and threatens to make an open four at g8, k8; o stops it at g8, k8."
        in done.stdout
    )
    assert "threats      what both sides threaten" in done.stdout
    four = mnkala(
        "play",
        "gomoku",
        "--moves",
        "h8h9i8i9j8j9k8a1",
        "--first",
        "human",
        "--second",
        "human",
        "--plain",
        stdin="threats\nquit\n",
    )
    assert "x has an open four h8-i8-j8-k8 and can win now at g8, l8." in four.stdout
    refused = mnkala("play", "connect4", "--second", "human", "--plain", stdin="threats\nquit\n")
    assert "There are no threats to show in this game." in refused.stdout


async def begin_puzzle(here: Table, length: int) -> None:
    await here.ready()
    await here.press("p")
    assert isinstance(here.app.screen, Choice)
    await here.press(*["down"] * (length - 3), "enter")
    await here.until(
        lambda: here.app.session.task is not None and here.app.session.controller.is_prepared
    )


def fewer_than(here: Table, left: int) -> bool:
    task = here.app.session.task
    return task is not None and int(task.left) < left


def has_played(here: Table, moves: int) -> bool:
    return len(here.app.session.position.history) == moves


def test_a_puzzle_is_solved_on_the_full_screen() -> None:
    async def play() -> None:
        async with table("connect4") as here:
            await begin_puzzle(here, 4)
            session = here.app.session
            assert session.task is not None
            assert session.task.left == 4
            while not session.task.solved:
                left, position = session.task.left, session.position
                await here.press(solution(position, left)[0])
                await here.until(functools.partial(fewer_than, here, left))
            assert session.game.is_over
            assert "Solved!" in here.said("thoughts")

    asyncio.run(play())


def test_a_wrong_move_in_a_puzzle_is_explained_and_not_played() -> None:
    async def play() -> None:
        async with table("connect4") as here:
            await begin_puzzle(here, 3)
            session = here.app.session
            assert session.task is not None
            before, right = session.position, solution(session.position, 3)
            await here.press(next(move for move in before.legal_moves if move != right[0]))
            await here.until(lambda: session.task is not None and session.task.tried is not None)
            assert session.position == before
            assert "Not " in here.said("thoughts")
            await here.press("S")
            await here.until(lambda: session.task is not None and bool(session.task.line))
            assert " ".join(right) in here.said("thoughts")
            await here.press("u")
            assert session.task.left == 3

    asyncio.run(play())


def test_a_turn_of_kalah_is_found_on_the_full_screen() -> None:
    async def play() -> None:
        async with table("kalah") as here:
            await here.ready()
            await here.press("p", "down", "enter")
            await here.until(
                lambda: (
                    here.app.session.task is not None and here.app.session.controller.is_prepared
                )
            )
            session = here.app.session
            assert session.task is not None
            assert "longest chain" in here.said("thoughts")
            turn, before = session.task.puzzle.solution, session.position
            await here.press(next(move for move in before.legal_moves if move != turn[0]))
            await here.until(lambda: session.task is not None and session.task.tried is not None)
            assert session.position == before
            assert "With it the turn has at most" in here.said("thoughts")
            for number, move in enumerate(turn, start=1):
                await here.press(move)
                await here.until(functools.partial(has_played, here, len(before.history) + number))
            assert "Solved, with help" in here.said("thoughts")

    asyncio.run(play())


def test_a_new_game_may_begin_from_a_fair_start() -> None:
    async def play() -> None:
        async with table("kalah:6x3") as here:
            await here.press("n")
            options = here.app.screen.query_one(OptionList)
            options.highlighted = options.get_option_index("fair")
            await here.press("enter")
            assert here.app.session.position.start_literal in {
                start.literal for start in ready_fair_starts("kalah:6x3")
            }

    asyncio.run(play())


LOST = "b2a1a3b1a2c1"
"""The first player could complete the diagonal at c1, and plays a2 instead, so that o wins there."""


def test_what_was_missed_is_a_task_on_the_full_screen_and_puzzles_like_it_lead_back() -> None:
    async def play() -> None:
        async with table("tictactoe", LOST, second="random") as here:
            session = here.app.session
            await here.ready()
            lost = session.game.position
            await here.press("M")
            await here.until(lambda: session.task is not None and session.controller.is_prepared)
            assert "Before move 5, x had something better" in here.said("thoughts")
            session.play("c3")
            await here.until(lambda: session.task is not None and session.task.tried is not None)
            assert "Not c3: there is something better." in here.said("thoughts")
            session.play("c1")
            await here.until(lambda: session.task is not None and session.task.solved)
            for left in (2, 1, 0):
                session.find_puzzle("")
                await here.until(
                    functools.partial(
                        lambda left: session.task is not None and len(session.task.rest) == left,
                        left,
                    )
                )
            with pytest.raises(Refused):
                session.find_puzzle("")
            await here.press("h")
            await here.until(lambda: session.task is not None and session.task.shown == 1)
            assert "Look at " in here.said("thoughts")
            await here.press("B")
            assert session.task is None
            assert session.game.position == lost

    asyncio.run(play())


# ---- In lines ----


def test_in_lines_a_lost_game_leads_to_what_was_missed_to_mistakes_and_to_the_daily_puzzle(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = iter(
        ["a2", "missed", "b1", "c3", "hint", "c1", "puzzle", "back", "mistakes", "new", "quit"]
    )
    monkeypatch.setattr("builtins.input", lambda _="": next(typed))
    monkeypatch.setattr("sys.stdin", types.SimpleNamespace(isatty=lambda: True))
    assert play_plain(a_game("tictactoe", LOST[:8], "human", "level2", None)) == 0
    said = capsys.readouterr().out
    for text in (
        "Type 'missed' to look for what you missed",
        "You missed this. Before move 5, x had something better.",
        "Not c3: there is something better.",
        "For each move, ask how o would reply",
        "Type 'puzzle' for the next of three like it",
        "Missed a win at once: 1 time in 1 game, too few games for a trend",
        "puzzles about it: mnkala play tictactoe --puzzle only-win",
    ):
        assert text in said
    assert said.count("o (level 2) wins.") >= 1
    assert next(typed, None) is None
    assert run(["puzzles", "tictactoe", "--daily", "--date", "2026-11-19", "--hint", "3"]) == 0
    shown = capsys.readouterr().out
    assert shown.count("hint ") == 3
    assert "Your rating appears after" in shown


def test_boards_that_hardly_have_puzzles_are_given_up_with_a_reason(
    capsys: pytest.CaptureFixture[str],
) -> None:
    short = ["puzzles", "connect:4x4x4", "--win-in", "8", "-n", "2", "--seconds", "0.01"]
    assert run(short) == 1
    assert "ends after 0.01 seconds without a further one (--seconds)" in capsys.readouterr().err


def test_lines_prove_look_up_and_solve() -> None:
    done = mnkala(
        "play",
        "connect4",
        "--moves",
        MIDDLE,
        "--second",
        "human",
        "--plain",
        stdin="analyse\nbook\nquit\n",
    )
    assert done.returncode == 0, done.stderr
    for move, score in true_scores(MIDDLE).items():
        words = "wins" if score > 0 else "loses" if score < 0 else "a"
        assert any(
            line.lstrip("* ").split()[:3:2] == [move, words] for line in done.stdout.splitlines()
        )
    assert "refuted by" in done.stdout
    assert "Opening book" in done.stdout


def test_a_puzzle_in_lines_judges_every_move() -> None:
    done = mnkala(
        "play", "connect4", "--puzzle", "3", "--plain", stdin="solution\nhint\nundo\nquit\n"
    )
    assert done.returncode == 0, done.stderr
    assert "win in 3." in done.stdout
    assert "The solution:" in done.stdout
    assert "Look at " in done.stdout, "the first hint says where"
    assert "depth" not in done.stdout, "what is proved has none"
    turn = mnkala(
        "play",
        "kalah",
        "--puzzle",
        "save",
        "--plain",
        stdin="puzzle only-move\nsolution\npuzzle 3\nquit\n",
    )
    assert turn.returncode == 0, turn.stderr
    assert "only one turn saves the game" in turn.stdout
    assert "no puzzle kind is called '3'" in turn.stdout
    assert "The solution:" in turn.stdout
    fair = mnkala("play", "kalah:6x3", "--fair", "--plain", stdin="1\nfair\nmoves\nquit\n")
    assert "played: none" in fair.stdout
    refused = mnkala("play", "mnk:40x40x3", "--puzzle", "3", "--plain")
    assert refused.returncode == 2
    assert "no puzzles for mnk:40x40x3" in refused.stderr


def test_a_hint_in_lines_gives_reasons_for_the_move_that_it_names() -> None:
    """The search likes n7, which wins as quickly; the proof by fours that takes its place begins
    with l10."""
    moves = "h11m8n13o14l15m7n10l11n8k10g15l8o8l9l13h8n9m14h12"
    done = mnkala(
        "play", "gomoku", "--second", "human", "--moves", moves, "--plain", stdin="hint\nquit\n"
    )
    assert "Hint l10  wins in 2 moves" in done.stdout
    assert "Makes an open four: x cannot stop both l7, l12." in done.stdout
