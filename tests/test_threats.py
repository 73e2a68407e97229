"""The heuristic `threats` on boards of arrays: what is urgent, what forces, who runs out of moves,
and that its wins are wins.
"""

from __future__ import annotations

import functools
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnkala import Limit, Position, Stop, parse_engine
from mnkala.families.connect.bits import Connect
from mnkala.families.connect.heuristic import (
    BEST_RANK,
    FORCING,
    GOOD,
    OTHER,
    SIDE,
    column_worth,
    good_rows,
    zugzwang,
)
from mnkala.families.connect.rules import WideConnect
from mnkala.native import plain
from mnkala.search import heuristic_for
from mnkala.search.buffers import make_buffers
from mnkala.search.candidates import EVERY_MOVE
from mnkala.search.heuristic import NO_MOVE
from mnkala.search.pvs import make_order, search_window
from mnkala.search.root import begin, follow, retreat
from mnkala.search.table import make_table
from mnkala.search.values import BY_DISTANCE, INFINITY

SIZES = [(6, 7, 4), (5, 6, 3), (7, 9, 4), (4, 9, 2), (9, 5, 5)]


def random_game(rules: WideConnect, seed: int) -> list[Position]:
    """The unfinished positions of a random game."""
    rng = random.Random(f"{rules.game_string()} {seed}")
    positions = [Position(rules)]
    while not positions[-1].is_over:
        positions.append(positions[-1].play_codes([rng.choice(positions[-1].legal_codes)]))
    return positions[:-1]


def winning_moves(position: Position, player: int) -> list[int]:
    """The columns that complete a line for a player now, whoever is to move: by looking at the
    board.
    """
    rules, owners = position.rules, position.rules.owners(position.state())  # type: ignore[attr-defined]
    return [
        move
        for move in position.legal_codes
        if completes(owners, int(np.count_nonzero(owners[:, move])), move, player, rules.line)  # type: ignore[attr-defined]
    ]


def completes(owners: np.ndarray, row: int, col: int, player: int, line: int) -> bool:
    """Whether a disc of a player on a cell would stand in a line."""

    def run(step_row: int, step_col: int) -> int:
        length, r, c = 0, row + step_row, col + step_col
        while 0 <= r < owners.shape[0] and 0 <= c < owners.shape[1] and owners[r, c] == 1 + player:
            length, r, c = length + 1, r + step_row, c + step_col
        return length

    return any(
        1 + run(*step) + run(-step[0], -step[1]) >= line
        for step in ((0, 1), (1, 0), (1, 1), (1, -1))
    )


@pytest.mark.parametrize("size", SIZES)
@given(seed=st.integers(0, 10_000))
@settings(max_examples=5)
def test_what_wins_is_urgent_then_what_must_be_blocked(
    size: tuple[int, int, int], seed: int
) -> None:
    rules = WideConnect(*size)
    heuristic = heuristic_for("threats", rules)
    for position in random_game(rules, seed):
        state = position.state()
        urgent = int(heuristic.urgent(rules, state, heuristic.begin(rules, state)))
        wins, blocks = (
            winning_moves(position, position.mover),
            winning_moves(position, 1 - position.mover),
        )
        assert (
            urgent in wins
            or (not wins and urgent in blocks)
            or (not wins and not blocks and urgent == NO_MOVE)
        )


@pytest.mark.parametrize("size", SIZES)
@given(seed=st.integers(0, 10_000))
@settings(max_examples=5)
def test_forcing_moves_are_those_that_must_be_answered(
    size: tuple[int, int, int], seed: int
) -> None:
    rules = WideConnect(*size)
    heuristic = heuristic_for("threats", rules)
    moves, scores = np.zeros((2, rules.cols), dtype=np.int64)
    for position in random_game(rules, seed):
        me = position.mover
        if winning_moves(position, 0) or winning_moves(position, 1):
            continue
        state = position.state()
        memory = heuristic.begin(rules, state)
        count = heuristic.forcing(rules, state, memory, moves, scores)
        found = moves[:count].tolist()
        answers = {
            move: winning_moves(position.play_codes([move]), me)
            for move in position.legal_codes
            if not winning_moves(position.play_codes([move]), 1 - me)
        }
        owners = rules.owners(state)
        threats = {
            (row, col)
            for row in range(rules.rows)
            for col in range(rules.cols)
            if owners[row, col] == 0 and completes(owners, row, col, me, rules.line)
        }
        heights = np.count_nonzero(owners, axis=0)
        gives_up = {move for move in answers if (heights[move] + 1, move) in threats}
        forks = {
            move
            for move, cells in answers.items()
            if len(cells) > 1 or (move in gives_up and (heights[move] + 2, move) in threats)
        }
        if forks:
            assert len(found) == 1
            assert set(found) <= forks
        else:
            assert set(found) == {move for move, cells in answers.items() if cells} - gives_up
        legal = np.array(position.legal_codes)
        heuristic.rank(rules, state, memory, legal, scores, len(legal))
        order = dict(zip(legal.tolist(), scores.tolist(), strict=False))
        losing = set(position.legal_codes) - set(answers)
        assert all(order[bad] < order[good] for bad in losing for good in answers)
        assert all(order[fork] >= order[other] for fork in forks for other in answers)
    assert BEST_RANK > FORCING > 0


# ---- Who runs out of moves ----


def slow_zugzwang(
    rows: int,
    threats: tuple[tuple[int, ...], tuple[int, ...]],
    heights: tuple[int, ...],
    mover: int,
) -> int:
    """Who wins if nothing but these threats, as bits by player and column, can complete a line: by
    trying everything.
    """

    @functools.cache
    def best(heights: tuple[int, ...], mover: int) -> int:
        values = []
        for col, height in enumerate(heights):
            if height < rows:
                if threats[mover][col] >> height & 1:
                    return 1
                values.append(-best((*heights[:col], height + 1, *heights[col + 1 :]), 1 - mover))
        return max(values, default=0)

    return best(heights, mover) * (1 if mover == 0 else -1)


def quick_zugzwang(
    rows: int,
    threats: tuple[tuple[int, ...], tuple[int, ...]],
    heights: tuple[int, ...],
    mover: int,
) -> int:
    memory = np.zeros(3 * SIDE, dtype=np.int64)
    for player in range(2):
        memory[SIDE * player : SIDE * player + len(heights)] = threats[player]
    value = int(zugzwang(memory, 0, 2 * SIDE, np.array(heights, dtype=np.int64), rows, mover))
    return (value > 0) - (value < 0)


@pytest.mark.parametrize("cols", [2, 3, 4])
@pytest.mark.parametrize("rows", [4, 5])
def test_a_single_threat_decides_by_the_parity_of_its_row_on_every_board(
    rows: int, cols: int
) -> None:
    """Brute force, the simulation and the rule of good rows say the same."""
    good = good_rows(rows, cols)
    for player in range(2):
        for row in range(1, rows):
            none = (0,) * cols
            one = (1 << row, *none[1:])
            threats = (one, none) if player == 0 else (none, one)
            wins = (good >> row & 1) == (player == 0)
            expected = 0 if not wins else 1 if player == 0 else -1
            assert (
                slow_zugzwang(rows, threats, none, 0)
                == quick_zugzwang(rows, threats, none, 0)
                == expected
            )


def test_several_threats_are_played_out_as_brute_force_does() -> None:
    """The simulation never names the wrong winner, and hardly ever none where there is one."""
    rng = random.Random(6)
    agreed, tried = 0, 200
    for _ in range(tried):
        rows, cols = rng.choice([(5, 3), (6, 3), (4, 4), (6, 2), (7, 3)])
        threats = [[0] * cols, [0] * cols]
        for _ in range(rng.randint(2, 5)):
            threats[rng.randrange(2)][rng.randrange(cols)] |= 1 << rng.randrange(1, rows)
        question = (rows, (tuple(threats[0]), tuple(threats[1])), (0,) * cols, 0)
        truth, found = slow_zugzwang(*question), quick_zugzwang(*question)
        assert truth * found >= 0
        agreed += truth == found
    assert agreed >= 0.97 * tried


@pytest.mark.parametrize(
    ("worse", "better", "why"),
    [
        ("./x", "x/.", "of two rows the first player wants the odd one"),
        ("./o", "o/.", "and the second the even one"),
        ("x/o", "x/.", "a threat of the opponent's below kills"),
        ("x/.", "x/x", "two above each other win"),
        ("o/o", "o/.", "for either player"),
    ],
)
def test_threats_of_a_column_are_weighed_by_row_and_by_what_lies_below(
    worse: str, better: str, why: str
) -> None:
    """Row 3 over row 2; row 1 is empty and can be played."""

    def worth(column: str) -> int:
        bits = [
            sum(1 << (2 - place) for place, mark in enumerate(column.split("/")) if mark == player)
            for player in "xo"
        ]
        return int(column_worth(bits[0], bits[1], good_rows(6, 7)))

    assert worth(worse) < worth(better), why


ODD_THREATS = {"x": "xxx{0}/oox{0}/xoo{0}", "o": "ooo{0}/xxo{0}/oxx{1}"}
"""Three in row 3, whose fourth cell hangs over an empty column. The second board has two more discs
far away, so that their number is right.
"""


@pytest.mark.parametrize("owner", ["x", "o"])
def test_a_threat_in_row_three_is_good_where_its_owner_gets_to_play_there(owner: str) -> None:
    """The same discs on three boards: the first player gets the odd rows on 10x11 and 15x15, the
    even ones on 15x16; the second the others.
    """
    values = {}
    for rows, cols in ((10, 11), (15, 15), (15, 16)):
        rest = "." * (cols - 3)
        literal = f"{cols}/" * (rows - 3) + ODD_THREATS[owner].format(rest, rest[:-3] + "x.x")
        position = Position(f"connect4:{rows}x{cols}", literal=literal)
        value = int(
            heuristic_for("threats", position.rules).evaluate(position.rules, position.state())
        )
        values[rows, cols] = value if position.mover == 0 else -value
    assert values[10, 11] > values[15, 16] + GOOD - OTHER
    assert values[15, 15] > values[15, 16] + GOOD - OTHER
    assert (values[10, 11] if owner == "x" else -values[15, 16]) > 0, (
        "whoever has the good threat is ahead"
    )


# ---- In a search ----


@pytest.mark.parametrize("size", [(10, 11, 4), (15, 16, 4), (40, 40, 5), (9, 9, 2)])
def test_compiled_and_plain_keep_the_same_memory_all_the_way_there_and_back(
    size: tuple[int, int, int],
) -> None:
    """By the kernels that follow a search at its root. That search kernels make the same of it is
    shown in test_native.
    """
    rules = WideConnect(*size)
    heuristic = heuristic_for("threats", rules)
    moves = random_game(rules, 1)[-1].history_codes[:80]
    told = []
    for start, forth, back in (
        (begin, follow, retreat),
        (plain(begin), plain(follow), plain(retreat)),
    ):
        state = rules.start()
        memory = start(rules, heuristic, state)
        told.append([memory.tolist()])
        for move in moves:
            state = rules.play(state, move)
            forth(rules, heuristic, state, move, memory)
            told[-1].append(
                [
                    *memory.tolist(),
                    heuristic.value(rules, state, memory),
                    heuristic.urgent(rules, state, memory),
                ]
            )
        values = [entry[-2] for entry in told[-1][1:]]
        for move in reversed(moves[1:]):
            assert heuristic.value(rules, state, memory) == values.pop(), (
                "taken back, every position is worth what it was"
            )
            back(rules, heuristic, state, move, memory)
            rules.undo(state, move)
            told[-1].append(memory.tolist())
        assert heuristic.value(rules, state, memory) == values.pop()
    assert told[0] == told[1]


@pytest.mark.parametrize("size", [(4, 4, 3), (5, 4, 4), (4, 5, 4), (3, 6, 3)])
def test_small_boards_in_arrays_are_solved_as_those_in_bits(size: tuple[int, int, int]) -> None:
    for seed in range(6):
        moves = random_game(WideConnect(*size), seed)[min(seed, 3)].history_codes
        wide, narrow = (
            parse_engine(engine).analyse(Position(rules).play_codes(moves))
            for engine, rules in (
                ("deepening:depth=30", WideConnect(*size)),
                ("alphabeta:depth=30", Connect(*size)),
            )
        )
        assert wide.score == narrow.score
        assert wide.score is not None
        assert wide.score.kind == "exact"


@given(seed=st.integers(0, 10_000), depth=st.integers(1, 4))
@settings(max_examples=25, deadline=None)
def test_wins_beyond_the_horizon_are_wins(seed: int, depth: int) -> None:
    """What a shallow search claims with the help of urgent and forcing moves, the solver confirms."""
    rules = WideConnect(6, 7, 4)
    for position in random_game(rules, seed)[8:16:2]:
        score = parse_engine(f"deepening:depth={depth}").analyse(position).score
        assert score is not None
        if score.result in ("win", "loss") and score.plies is not None and score.plies <= 9:
            narrow = Position(Connect(6, 7, 4)).play_codes(position.history_codes)
            truth = parse_engine("perfect").analyse(narrow).score
            assert truth is not None
            assert truth.result == score.result
            if score.kind == "exact":
                assert truth.plies == score.plies


def test_a_forced_win_is_seen_from_afar() -> None:
    """A fork wins in three plies: found at depth 1, where a search that does not ask for forcing
    moves sees nothing.
    """
    position = Position("connect4:10x11").play("6,6,7")
    shallow = parse_engine("deepening").analyse(position.play("1"), Limit(depth=1)).score
    assert shallow is not None
    assert (shallow.result, shallow.plies) == ("win", 3)
    blind = parse_engine("alphabeta").analyse(position.play("1"), Limit(depth=1)).score
    assert blind is not None
    assert blind.result == "unknown"


def test_a_search_of_bounded_depth_keeps_within_its_desk() -> None:
    """Urgent moves cost no depth; where there is no room left for them, the heuristic answers."""
    rules = WideConnect(6, 7, 4)
    heuristic = heuristic_for("threats", rules)
    for seed in range(10):
        for position in random_game(rules, seed):
            buffers = make_buffers(rules, 1, Stop())
            state = position.state()
            value = plain(search_window)(
                rules,
                heuristic,
                state,
                heuristic.begin(rules, state),
                1,
                -INFINITY,
                INFINITY,
                0,
                BY_DISTANCE,
                EVERY_MOVE,
                buffers,
                make_table(8),
                make_order(rules, buffers),
            )
            assert abs(value) < INFINITY
