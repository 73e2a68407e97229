"""The rules of Connect: perft tables, a slow reference and OpenSpiel agree with both boards."""

from __future__ import annotations

import random

import numpy as np
import pytest

from mnkala import Position, parse_game, perft
from mnkala.core.grid import winning_cells
from mnkala.core.rules import GOING_ON
from mnkala.errors import BadGame
from mnkala.families.connect.bits import Connect, has_line
from mnkala.families.connect.puzzles import ConnectPuzzles
from mnkala.families.connect.rules import ConnectRules, WideConnect, build
from mnkala.families.connect.solver.board import completing, shape_for
from mnkala.families.connect.solver.board import has_line as solver_has_line
from mnkala.families.connect.solver.solver import ConnectSolver, is_wide
from mnkala.native import kernel
from mnkala.native.objects import WordArray
from mnkala.search import parse_engine
from mnkala.solve.books import has_books
from tests.reference import SlowConnect

PERFT_6X7 = (1, 7, 49, 343, 2401, 16807, 117649, 823536, 5673234, 39394572)
SIZES = [
    (6, 7, 4),
    (4, 4, 3),
    (3, 3, 3),
    (1, 8, 3),
    (9, 1, 4),
    (7, 8, 4),
    (5, 6, 5),
    (8, 9, 5),
    (10, 11, 4),
    (20, 20, 6),
    (12, 2, 2),
]


def test_perft_of_connect_four_counts_all_games_up_to_nine_plies() -> None:
    assert tuple(perft(Position("connect4"), depth) for depth in range(10)) == PERFT_6X7


@pytest.mark.parametrize("size", [(6, 7, 4), (4, 5, 3), (5, 4, 4)])
def test_both_boards_have_the_same_perft(size: tuple[int, int, int]) -> None:
    counts = [
        [perft(Position(rules), depth) for depth in range(8)]
        for rules in (Connect(*size), WideConnect(*size))
    ]
    assert counts[0] == counts[1]


def test_the_board_is_bits_up_to_64_and_arrays_beyond() -> None:
    assert isinstance(build(7, 8), Connect)
    assert isinstance(build(6, 9), Connect)
    assert isinstance(build(8, 8), WideConnect)
    assert isinstance(build(20, 20), WideConnect)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("board", [Connect, WideConnect])
def test_random_games_agree_with_a_slow_reference(
    size: tuple[int, int, int], board: type[ConnectRules]
) -> None:
    rows, cols, line = size
    if board is Connect and cols * (rows + 1) > 64:
        pytest.skip("does not fit 64 bits")
    rules = board(rows, cols, line)  # type: ignore[call-arg]
    slow = SlowConnect(*size)
    rng = random.Random(str(size))
    for _ in range(10 if rows * cols > 100 else 40):
        position, columns = Position(rules), slow.start()
        while True:
            assert list(position.legal_codes) == slow.legal(columns)
            assert position.mover == slow.mover(columns)
            assert position.is_over == slow.is_over(columns)
            if position.outcome is not None:
                assert position.outcome.winner == slow.winner(columns)
                break
            move = rng.choice(position.legal_codes)
            position, columns = position.play_codes([move]), slow.play(columns, move)


@pytest.mark.parametrize("size", [(6, 7, 4), (4, 5, 3), (8, 9, 5), (10, 11, 4), (12, 12, 6)])
def test_thousands_of_random_games_agree_with_open_spiel(size: tuple[int, int, int]) -> None:
    pyspiel = pytest.importorskip(
        "pyspiel", reason="OpenSpiel has no build for this Python or system"
    )
    rows, cols, line = size
    game = pyspiel.load_game("connect_four", {"rows": rows, "columns": cols, "x_in_row": line})
    rules = build(*size)
    rng = random.Random(str(size))
    buffer = np.zeros(cols, dtype=np.int64)
    for _ in range(1000 if rows * cols < 60 else 250):
        theirs, ours = game.new_initial_state(), rules.start()
        while True:
            result = rules.result(ours)
            assert theirs.is_terminal() == (result != GOING_ON)
            if result != GOING_ON:
                assert theirs.returns()[int(rules.mover(ours))] == result
                break
            legal = [int(move) for move in buffer[: rules.moves(ours, buffer)]]
            assert legal == theirs.legal_actions()
            assert theirs.current_player() == rules.mover(ours)
            move = rng.choice(legal)
            theirs.apply_action(move)
            ours = rules.play(ours, move)


def test_a_full_board_without_a_line_is_a_draw() -> None:
    position = Position("connect:2x3x3").play("112323")
    assert position.outcome is not None
    assert (position.outcome.winner, str(position.outcome)) == (None, "1/2-1/2")


def test_a_line_over_the_edge_of_a_column_does_not_count() -> None:
    """Three discs on top of one column and one at the foot of the next are neighbours in the
    bitboard, but no line.
    """
    top_of_first, foot_of_second = 0b111000, 0b1 << 7
    assert not has_line(np.uint64(top_of_first | foot_of_second), 6, 4)
    assert has_line(np.uint64(0b111100), 6, 4)


@pytest.mark.parametrize(
    ("moves", "winner"),
    [
        ("1212121", 0),
        ("4455667", 0),
        ("71122334", 1),
        ("543461253147355", 0),
        ("7654657432544", 0),
        ("12112222", None),
    ],
)
def test_lines_in_every_direction_win(moves: str, winner: int | None) -> None:
    outcome = Position("connect4").play(moves).outcome
    assert (outcome.winner if outcome else None) == winner


@kernel
def lines_seen(discs: np.uint64, rows: int, line: int, of_solver: bool, cells: WordArray) -> bool:
    """What compiled code of the rules says of a line; that of the solver, if it is asked, and the
    cells that complete one.
    """
    if of_solver:
        step = np.uint64(rows + 1)
        cells[0] = completing(discs, step, line)
        cells[1] = np.uint64(1) if solver_has_line(discs, step, line) else np.uint64(0)
    return has_line(discs, rows, line)


@pytest.mark.parametrize(
    "size",
    [
        (30, 2, 4),
        (31, 2, 4),
        (31, 2, 17),
        (20, 3, 4),
        (19, 3, 4),
        (15, 4, 8),
        (14, 4, 12),
        (12, 4, 5),
        (40, 1, 40),
        (40, 1, 2),
        (1, 32, 22),
        (1, 32, 32),
        (7, 8, 8),
        (3, 16, 13),
        (31, 2, 2),
    ],
)
def test_lines_are_found_on_boards_so_tall_that_they_do_not_fit_a_word_in_other_directions(
    size: tuple[int, int, int],
) -> None:
    """A shift by more than a word's bits came round again: two discs next to each other were a line
    of four on 30 rows. The solver takes two words for such boards.
    """
    rows, cols, line = size
    rng = random.Random(str(size))
    solved = not is_wide(build(rows, cols, line))
    for _ in range(60):
        heights, density = [rng.randint(0, rows) for _ in range(cols)], rng.choice((0.5, 0.8, 0.95))
        owners = np.array(
            [
                [row < heights[col] and rng.random() < density for col in range(cols)]
                for row in range(rows)
            ],
            np.int8,
        )
        words = np.zeros(2, np.uint64)
        discs = np.uint64(
            sum(1 << (col * (rows + 1) + row) for row, col in np.argwhere(owners).tolist())
        )
        found, expected = (
            lines_seen(discs, rows, line, solved, words),
            bool(winning_cells(owners, 1, line)),
        )
        assert bool(found) == expected
        assert not solved or bool(words[1]) == expected
        for col in range(cols) if solved and not expected else ():
            for row in range(heights[col], rows):
                owners[row, col] = 1
                assert int(words[0]) >> (col * (rows + 1) + row) & 1 == bool(
                    winning_cells(owners, 1, line)
                )
                owners[row, col] = 0


def test_tall_boards_with_long_lines_have_a_solver_of_two_words_but_no_book_nor_puzzles() -> None:
    for size, fits in (
        ((19, 3, 4), True),
        ((20, 3, 4), False),
        ((30, 2, 4), False),
        ((7, 8, 8), True),
        ((8, 7, 8), False),
    ):
        rules = build(*size)
        assert ConnectSolver.why_not(rules) is None
        assert [not is_wide(rules), has_books(rules), ConnectPuzzles().fits(rules)] == [fits] * 3
    with pytest.raises(
        BadGame,
        match=r"there are no books for connect4:30x2; .* and \(line - 1\) x \(rows \+ 2\) of less than that",
    ):
        shape_for(build(30, 2, 4), "books")


def test_nobody_wins_on_a_tall_board_before_a_line_has_its_discs() -> None:
    position = Position("connect4:30x2")
    score = parse_engine("deepening:depth=6").analyse(position).score
    assert score is not None
    assert score.result == "unknown"


def test_exact_scores_count_the_discs_left() -> None:
    """Pascal Pons' examples: a win with the fourth disc is worth 18 on 6x7, a win with the last
    disc 1.
    """
    rules = parse_game("connect4")
    assert rules.exact_score(Position("connect4").play("121212").state(), 1, 1) == 18
    assert rules.exact_score(rules.start(), 1, 41) == 1
    assert rules.exact_score(rules.start(), -1, 42) == -1
    assert rules.exact_score(rules.start(), 0, 42) == 0
