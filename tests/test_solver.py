"""The exact solver of Connect: against plain negamax, against itself in other ways, and as its
users call it.
"""

from __future__ import annotations

import functools
import itertools
import json
import random
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnkala import Position, cli
from mnkala.core import parse_game
from mnkala.errors import BadPosition
from mnkala.families.connect.solver import search as kernel_module
from mnkala.families.connect.solver import solver as solver_module
from mnkala.families.connect.solver.board import (
    NO_BOUND,
    ceiling,
    completing,
    has_line,
    shape_for,
    shape_of,
)
from mnkala.families.connect.solver.search import SHARE, key_of, settle
from mnkala.families.connect.solver.solver import ConnectSolver, next_question, plies_to_end
from mnkala.native import Wide, plain, width
from mnkala.search.limit import Stop
from mnkala.search.runner import stream
from mnkala.solve import Step, solve_many
from mnkala.solve import threads as threads_module
from mnkala.solve.table import ZERO, find, keep, lower_bound, scattered
from tests.reference_solver import all_moves, best_line, plain_solve, random_positions

BOARDS = (
    "connect4:4x4",
    "connect4:5x4",
    "connect4:4x5",
    "connect4:5x5",
    "connect4:3x6",
    "connect:3x4x3",
    "connect:4x4x3",
    "connect:5x4x3",
    "connect:4x5x5",
    "connect:5x3x2",
    "connect:6x5x5",
    "connect4:6x7",
    "connect4:7x6",
    "connect4:8x7",
)
"""Even and odd heights, long and short lines, boards of few and of all 64 bits."""
WIDE_BOARDS = (
    "connect4:8x8",
    "connect4:9x7",
    "connect:31x2x4",
    "connect:9x9x5",
    "connect:12x9x7",
    "connect:40x3x6",
)
"""Boards of more than 64 bits, and one that is too tall for a line of four within a word."""
LABELLED = Path(__file__).parent / "data" / "connect4_labelled.txt"


def board_of(game: str) -> tuple[Any, ConnectSolver]:
    rules = parse_game(game)
    return rules, ConnectSolver(rules, table_mb=16)


# ---- True scores ----


@pytest.mark.parametrize("game", BOARDS)
def test_scores_are_those_of_plain_negamax(game: str) -> None:
    rules, solver = board_of(game)
    most = 11 if rules.cols < 6 else 7
    for position in random_positions(
        rules, 200 if rules.cols < 6 else 40, range(1, min(rules.longest_game(), most) + 1), seed=3
    ):
        assert solver.solve(position).score.exact == plain_solve(position), position.moves


@pytest.mark.parametrize("game", WIDE_BOARDS)
def test_scores_on_boards_of_two_words_are_those_of_plain_negamax(game: str) -> None:
    rules, solver = board_of(game)
    positions = list(random_positions(rules, 8, range(3, 7), seed=3))
    expected = [plain_solve(position) for position in positions]
    assert [solver.solve(position).score.exact for position in positions] == expected
    assert solve_many(positions, rules, threads=1).tolist() == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    "game", [*WIDE_BOARDS, "connect4:6x10", "connect:2x40x9", "connect:5x20x8"]
)
def test_many_scores_on_boards_of_two_words_are_those_of_plain_negamax(game: str) -> None:
    rules, solver = board_of(game)
    for position in random_positions(rules, 200, range(1, 10), seed=8):
        assert solver.solve(position).score.exact == plain_solve(position), position.moves


@pytest.mark.parametrize("game", ["connect4", "connect4:5x5", "connect:6x5x5", "connect4:8x7"])
def test_kernels_of_one_and_of_two_words_do_the_same(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Equal scores, and equal trees as long as no bucket of the table is full: where an entry lies
    makes no difference until then.
    """
    rules = parse_game(game)
    cells = rules.longest_game()
    positions = list(random_positions(rules, 25, range(8, min(cells, 26)), seed=5))
    narrow = [ConnectSolver(rules, table_mb=16).solve(each) for each in positions]
    monkeypatch.setattr(solver_module, "shape_of", functools.partial(shape_of, wide=True))
    assert width(ConnectSolver(rules, table_mb=16).shape.full) == 2
    wide = [ConnectSolver(rules, table_mb=16).solve(each) for each in positions]
    assert [each.score for each in wide] == [each.score for each in narrow]
    small = [number for number, each in enumerate(narrow) if each.nodes < 100]
    assert [wide[each].nodes for each in small] == [narrow[each].nodes for each in small]
    assert small


def test_a_middle_game_on_a_large_board_is_solved() -> None:
    position = Position("connect4:8x8").play("8884383285331763121144")
    assert ConnectSolver(position.rules).solve(position).score.exact == 6


def test_labels_of_large_boards_are_never_mixed_up() -> None:
    """Keys that differ in a single bit, over the whole width."""
    solver = ConnectSolver(parse_game("connect:40x3x4"))
    shape, size = solver.shape, int(solver._threads[0].control[threads_module.SIZE])
    keys = [Wide(1 << bit) for bit in range(int(shape.bits))]
    for number, key in enumerate(keys):
        keep(key, -number % 50, 50, 1, solver._table, size, shape)
    for number, key in enumerate(keys):
        entry = find(key, solver._table, size, shape)
        assert entry == ZERO or lower_bound(entry) == -number % 50
        assert find(key | Wide(3 << 60), solver._table, size, shape) == ZERO


def labelled() -> list[tuple[str, int]]:
    return [
        (words[0], int(words[1]))
        for words in map(str.split, LABELLED.read_text().splitlines())
        if not words[0].startswith("#")
    ]


def test_labelled_positions_of_the_usual_board() -> None:
    moves, scores = zip(*labelled(), strict=True)
    assert solve_many(list(moves), "connect4").tolist() == list(scores)


@pytest.mark.parametrize(
    ("game", "score"),
    [
        ("connect4:4x4", 0),
        ("connect4:5x4", 0),
        ("connect4:4x5", 0),
        ("connect4:5x5", 0),
        ("connect4:4x6", -1),
        ("connect4:6x5", 0),
    ],
)
def test_small_empty_boards_have_their_known_values(game: str, score: int) -> None:
    rules, solver = board_of(game)
    assert solver.solve(Position(rules)).score.exact == score


def test_a_score_says_how_long_the_game_lasts() -> None:
    assert [plies_to_end(score, 10) for score in (5, 4, 1, 0, -1, -4)] == [1, 3, 9, 10, 10, 4]
    position = Position("connect4").play("1212123")
    solution = ConnectSolver(position.rules).solve(position)
    line = best_line(ConnectSolver(position.rules), position, solution.score.lower)
    assert solution.score.plies == len(line)
    assert position.play_codes(line).is_over


# ---- The pieces ----


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(BOARDS), st.integers(0, 10**9))
def test_the_follow_up_bound_is_never_below_the_true_score(game: str, seed: int) -> None:
    rules: Any = parse_game(game)
    shape = shape_for(rules)
    most = 10 if rules.cols < 6 else 7
    (position,) = random_positions(rules, 1, range(2, min(rules.longest_game(), most) + 1), seed)
    state: Any = position.state()
    if (
        completing(state.own, shape.step, shape.line)
        & (state.all + shape.bottom)
        & shape.full
        & ~state.all
    ):
        return
    decided, value, own, both, empties, sign, threats, _ = settle(
        state.own, state.all, rules.longest_game() - rules.discs(state), shape
    )
    score = plain_solve(position)
    if decided:
        assert value == score
        return
    for need in range(-empties // 2, 1):
        bound = ceiling(own, own ^ both, threats, empties, need, shape)
        assert bound == NO_BOUND or (bound <= need and sign * score <= bound)


def test_the_follow_up_bound_finds_a_zugzwang() -> None:
    """Somewhere the mover has to play below a threat of the other in the end: proved without any
    search.
    """
    found = 0
    rules: Any = parse_game("connect4")
    shape = shape_for(rules)
    for position in random_positions(rules, 400, range(13, 20, 2), seed=5):
        state: Any = position.state()
        if (
            completing(state.own, shape.step, shape.line)
            & (state.all + shape.bottom)
            & shape.full
            & ~state.all
        ):
            continue
        decided, _, own, both, empties, _, threats, _ = settle(
            state.own, state.all, rules.longest_game() - rules.discs(state), shape
        )
        found += (
            not decided
            and empties % 2 == 1
            and ceiling(own, own ^ both, threats, empties, -1, shape) != NO_BOUND
        )
    assert found > 0


@given(
    st.integers(0, 10**9),
    st.sampled_from(["connect4", "connect4:7x8", "connect:5x6x3", "connect:6x7x5"]),
)
@settings(max_examples=60, deadline=None)
def test_completing_cells_are_those_that_make_a_line(seed: int, game: str) -> None:
    rules: Any = parse_game(game)
    shape = shape_for(rules)
    (position,) = random_positions(rules, 1, range(5, rules.longest_game()), seed)
    own = np.uint64(position.state().own)
    cells = completing(own, shape.step, shape.line)
    for bit in range(int(shape.bits)):
        cell = np.uint64(1) << np.uint64(bit)
        if cell & shape.full and not cell & position.state().all:
            below = bit % int(shape.step) == 0 or position.state().all & (cell >> np.uint64(1))
            if below:
                assert bool(cells & cell) == has_line(own | cell, shape.step, shape.line)


def test_a_position_and_its_mirror_image_share_a_key_and_a_score() -> None:
    rules, solver = board_of("connect4")
    shape = shape_for(rules)
    for position in random_positions(rules, 50, range(8, 20), seed=9):
        mirrored = Position(rules).play_codes(6 - move for move in position.history_codes)
        state: Any = position.state()
        other: Any = mirrored.state()
        assert key_of(state.own, state.all, shape) == key_of(other.own, other.all, shape)
        assert (
            solver.solve(position).score.exact
            == ConnectSolver(rules, table_mb=16).solve(mirrored).score.exact
        )


def test_questions_stay_within_the_bounds_and_end() -> None:
    for lower in range(-21, 22):
        for upper in range(lower + 1, 22):
            assert lower <= next_question(lower, upper, 42) < upper


def test_the_kernel_is_the_same_in_plain_python() -> None:
    rules, solver = board_of("connect4:4x5")
    shape = solver.shape
    slow = plain(kernel_module.search)
    for position in random_positions(rules, 8, range(6, 10), seed=2):
        state: Any = position.state()
        if (
            completing(state.own, shape.step, shape.line)
            & (state.all + shape.bottom)
            & shape.full
            & ~state.all
        ):
            continue
        decided, _, own, both, empties, _, threats, _ = settle(
            state.own, state.all, 20 - rules.discs(state), shape
        )
        if not decided:
            thread, other = (ConnectSolver(rules, table_mb=16)._threads[0] for _ in range(2))
            for one in (thread, other):
                one.control[threads_module.SIZE] = 8
                one.table[:] = 0
            with np.errstate(over="ignore"):
                expected = slow(own, both, empties, 0, threats, np.uint64(0), 0, other, shape)
            got = kernel_module.search(
                own, both, empties, 0, threats, np.uint64(0), 0, thread, shape
            )
            assert (got, thread.control[0]) == (expected, other.control[0])


# ---- The answer depends on nothing else ----


def test_threads_table_and_history_do_not_change_scores() -> None:
    rules = parse_game("connect4")
    positions = list(random_positions(rules, 40, range(18, 25), seed=4))
    expected = solve_many(positions, "connect4").tolist()
    kept, tiny = ConnectSolver(rules), ConnectSolver(rules, table_mb=1)
    two = ConnectSolver(rules, threads=2)
    assert [kept.solve(position).score.exact for position in positions] == expected
    assert [tiny.solve(position).score.exact for position in reversed(positions)] == expected[::-1]
    assert [two.solve(position).score.exact for position in positions] == expected


@pytest.mark.parametrize(
    ("game", "empties"), [("connect4", 34), ("connect4:5x7", 30), ("connect:6x6x5", 24)]
)
def test_threads_that_share_a_question_find_what_one_finds(game: str, empties: int) -> None:
    """With so many empty cells they meet, put children off and call each other back."""
    rules = parse_game(game)
    for position in random_positions(rules, 2, range(empties, empties + 1), seed=21):
        expected = ConnectSolver(rules).solve(position).score.exact
        assert expected is not None
        assert [
            ConnectSolver(rules, threads=threads).solve(position).score.exact for threads in (2, 3)
        ] == [expected] * 2


def test_a_thread_passes_over_what_another_is_at_and_hears_what_it_found() -> None:
    solver = ConnectSolver(parse_game("connect4"), threads=2)
    (thread, other), shape = solver._threads, solver.shape
    empties, parent, children = 30, np.uint64(12345), [np.uint64(key) for key in (111, 222, 333)]
    for number, key in enumerate(children):
        thread.words[number * threads_module.FIELDS + threads_module.KEY] = key
        thread.numbers[number * threads_module.FIELDS + threads_module.LEFT] = empties - 1
        thread.numbers[number * threads_module.FIELDS + threads_module.RANK] = number

    def order() -> list[int]:
        return [
            int(thread.numbers[rank * threads_module.FIELDS + threads_module.RANK])
            for rank in range(3)
        ]

    def heard() -> int:
        return threads_module.leave_child(children[0], parent, 0, empties, thread, shape)

    thread.busy[int(scattered(children[1], shape) & threads_module.BUSY_MASK)] = children[1]
    assert threads_module.choose_child(0, 0, 3, 0, parent, empties, SHARE, thread, shape) == 0
    assert order() == [0, 1, 2]
    assert threads_module.choose_child(0, 1, 3, 0, parent, empties, SHARE, thread, shape) == 1
    assert order() == [0, 2, 1], "the second child is put off"
    assert threads_module.choose_child(0, 2, 3, 1, parent, empties, SHARE, thread, shape) == 1, (
        "but once only"
    )

    assert heard() == threads_module.NOTHING
    threads_module.call_back(parent, empties, other)
    assert heard() == threads_module.AGAIN, (
        "called back, and nothing in the table: what came back may be broken off"
    )
    threads_module.choose_child(0, 0, 3, 0, parent, empties, SHARE, thread, shape)
    keep(parent, 2, 9, 100, thread.table, int(thread.control[threads_module.SIZE]), shape)
    threads_module.call_back(parent, empties, other)
    assert heard() == 2
    assert heard() == 2, "the table is asked even if nobody called"
    thread.leave[0] = empties + 4
    assert heard() == 0
    assert thread.leave[0] == empties + 4, "still to be heard further up"


def test_a_kept_table_makes_the_next_question_quicker() -> None:
    position = Position("connect4").play("4444441")
    solver = ConnectSolver(position.rules)
    first = solver.solve(position)
    assert solver.solve(position).nodes < first.nodes / 20


def test_moves_are_scored_each_and_the_best_is_the_positions_score() -> None:
    rules, solver = board_of("connect4")
    for position in random_positions(rules, 20, range(10, 16), seed=8):
        moves = all_moves(solver, position)
        assert (
            max(solution.lower for solution in moves.values()) == solver.solve(position).score.exact
        )
        for move, solution in moves.items():
            after = position.play_codes((move,))
            if not after.is_over:
                assert solution.exact == -(
                    ConnectSolver(rules, table_mb=16).solve(after).score.exact or 0
                )


def test_the_line_is_best_play() -> None:
    rules, solver = board_of("connect4")
    for position in random_positions(rules, 10, range(12, 20), seed=6):
        score = solver.solve(position).score.exact or 0
        line = best_line(solver, position, score)
        assert len(line) == plies_to_end(score, rules.longest_game() - len(position.history))
        assert position.play_codes(line).is_over


def test_weak_answers_are_the_sign_and_cost_no_more() -> None:
    rules, _ = board_of("connect4")
    for position in random_positions(rules, 20, range(16, 22), seed=12):
        exact = ConnectSolver(rules, table_mb=16).solve(position)
        weak = ConnectSolver(rules, table_mb=16).solve(position, weak=True)
        assert weak.score.result == exact.score.result
        assert exact.score.exact is not None
        assert weak.score.lower <= exact.score.exact <= weak.score.upper, (
            "who wins is all it claims"
        )
        assert weak.nodes <= exact.nodes


# ---- Anytime ----


def test_bounds_close_in_and_never_cross() -> None:
    position = Position("connect4").play("444442263")
    heard = list(ConnectSolver(position.rules).steps(position))
    final = heard[-1]
    assert final.score.exact is not None
    assert len(heard) > 1
    for before, after in itertools.pairwise(heard):
        assert (
            before.score.lower
            <= after.score.lower
            <= final.score.exact
            <= after.score.upper
            <= before.score.upper
        )


def test_it_stops_at_once_and_keeps_its_clock() -> None:
    position = Position("connect4")
    solver = ConnectSolver(position.rules)

    def work(stop: Stop, give: Callable[[Step], None]) -> None:
        give(solver.solve(position, stop=stop))

    [open_answer] = stream(work, until=time.perf_counter() + 0.3)
    assert open_answer.score.exact is None
    assert open_answer.score.lower <= 1 <= open_answer.score.upper
    assert solver.solve(Position("connect4").play("1212123")).score.exact is not None


def test_a_limit_of_nodes_is_kept() -> None:
    position = Position("connect4")
    answer = ConnectSolver(position.rules).solve(position, nodes=20_000)
    assert answer.score.exact is None
    assert answer.nodes < 20_020


def test_a_stop_from_another_thread_ends_a_batch_early() -> None:
    stop = Stop()
    threading.Timer(0.5, stop.set).start()
    scores = solve_many(["", "4", "44", "444"], "connect4", threads=1, stop=stop)
    assert len(scores) < 4


# ---- Many ----


def test_arrays_positions_and_moves_give_the_same() -> None:
    rules = parse_game("connect4")
    positions = list(random_positions(rules, 30, range(6, 16), seed=1))
    boards = np.array(
        [tuple(map(int, position.state())) for position in positions], dtype=np.uint64
    )
    by_array = solve_many(boards, "connect4")
    assert (
        by_array.tolist()
        == solve_many(positions, "connect4").tolist()
        == solve_many([position.moves for position in positions], "connect4", threads=1).tolist()
    )


@pytest.mark.parametrize("game", ["connect:4x5x3", "connect:5x5x5"])
def test_arrays_are_not_changed_and_give_the_same_scores_for_other_lengths_of_line(
    game: str,
) -> None:
    positions = [
        position
        for position in (Position(game).play(moves) for moves in ("12", "1245", "2133"))
        if not position.is_over
    ]
    boards = np.array([position.state() for position in positions], dtype=np.uint64)
    before = boards.copy()
    assert solve_many(boards, game).tolist() == solve_many(positions, game).tolist()
    assert (boards == before).all()


@pytest.mark.parametrize(
    ("boards", "told"),
    [
        (np.zeros((2, 3), np.uint64), "uint64"),
        (np.zeros((1, 2), np.int64), "uint64"),
        (np.array([[0, 2]], np.uint64), "hang"),
        (np.array([[4, 1]], np.uint64), "hang"),
        (np.array([[1, 1]], np.uint64), "number"),
        (np.array([[0, 1 << 63]], np.uint64), "hang"),
    ],
)
def test_bad_boards_are_refused_with_their_number(boards: Any, told: str) -> None:
    with pytest.raises(BadPosition, match=told):
        solve_many(boards, "connect4")


def test_games_without_a_solver_are_refused() -> None:
    with pytest.raises(BadPosition, match="at most 127"):
        ConnectSolver(parse_game("connect4:12x12"))
    with pytest.raises(BadPosition, match="this solver is for"):
        ConnectSolver(parse_game("connect4")).solve(Position("connect4:5x5"))
    with pytest.raises(BadPosition, match="position 2"):
        solve_many(["44", "9"], "connect4")


# ---- The command ----


class Said(NamedTuple):
    status: int
    out: str
    err: str


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Said]:
    def call(*arguments: str) -> Said:
        status = cli.run(list(arguments))
        return Said(status, *capsys.readouterr())

    return call


def test_solve_prints_scores_and_a_line(run: Callable[..., Said]) -> None:
    result = run("solve", "connect4", "112233", "--no-book")
    assert result.status == 0
    assert "score +18 (wins at once)" in result.out
    assert "line 4\n" in result.out


def test_solve_json_has_every_move(run: Callable[..., Said]) -> None:
    result = run("solve", "connect4", "2252576253462244111563365343671351441", "--json")
    answer = json.loads(result.out)
    assert (answer["score"], answer["plies"], answer["moves"]["7"]["score"]) == (-1, 4, -2)
    assert "".join(answer["line"]) == "6777"


def test_a_batch_keeps_its_order_and_goes_on_after_an_interruption(
    run: Callable[..., Said], tmp_path: Path
) -> None:
    rules = parse_game("connect4")
    lines = [position.moves for position in random_positions(rules, 40, range(4, 14), seed=21)]
    lines[7] = "49"
    source, out = tmp_path / "positions.txt", tmp_path / "out.jsonl"
    source.write_text("\n".join(lines) + "\n")
    result = run("solve", "connect4", "--batch", str(source))
    answers = [json.loads(line) for line in result.out.splitlines()]
    assert result.status == 1
    assert "1 line could not be solved" in result.err
    assert [answer.get("moves") for answer in answers[:7]] == lines[:7]
    assert answers[7]["line"] == 8
    assert "column 9" in answers[7]["error"]
    whole = result.out
    out.write_text(whole[: len(whole) // 2])
    run("solve", "connect4", "--batch", str(source), "--out", str(out))
    assert out.read_text() == whole


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["gomoku"], "cannot be solved exactly"),
        (["connect4", "--threads", "0"], "threads"),
        (["connect4", "8"], "column 8"),
        (["connect4", "1212121"], "over"),
        (["connect4", "44", "--batch", "x"], "leave out"),
        (["connect4", "--out", "x"], "--batch"),
        (["connect4", "--batch", "/no/such/file"], "cannot be read"),
        (["connect4", "--time", "-1"], "time"),
        (["connect4", "--table", "0"], "1 to 65,536 are possible"),
    ],
)
def test_bad_requests_are_told(run: Callable[..., Said], arguments: list[str], told: str) -> None:
    result = run("solve", *arguments)
    assert result.status == 2
    assert told in result.err
    assert "Traceback" not in result.err


def test_random_play_agrees_with_its_own_history() -> None:
    """A game played by the solver's own best moves keeps the score that it started with."""
    rules, solver = board_of("connect4:5x5")
    position = Position(rules)
    dice = random.Random(1)
    for _ in range(8):
        position = position.play_codes((dice.choice(position.legal_codes),))
    score = solver.solve(position).score.exact or 0
    sign = 1
    while not position.is_over:
        position = position.play_codes(best_line(solver, position, sign * score)[:1])
        sign = -sign
        if not position.is_over:
            assert solver.solve(position).score.exact == sign * score
