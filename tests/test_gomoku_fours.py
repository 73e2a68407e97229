"""Victories by fours: sound, complete, shortest."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest

from mnkala.core import Position, parse_game
from mnkala.families.lines.engine.board import Board, make_board
from mnkala.families.lines.engine.iterative_deepening import list_root
from mnkala.families.lines.engine.settings import Settings
from mnkala.families.lines.engine.shared_search import MOST_PLIES, make_thread
from mnkala.families.lines.engine.small_board import YES, can_win
from mnkala.families.lines.engine.vcf import (
    GAVE_UP,
    MOST_CHOICES,
    MOST_FOURS,
    Fours,
    make_fours,
    shortest,
)
from mnkala.families.lines.engine.vct import shortest_by_threats
from mnkala.families.lines.engine.weights import FIRST_GUESS, read_weights
from mnkala.families.lines.rules import Mnk, build
from mnkala.search import Limit, Stop, parse_engine

SAMPLE = Path(__file__).resolve().parents[2] / "shared" / "data" / "vcf_freestyle_sample.jsonl"
ENOUGH = 1 << 40


def board_with(rules: Mnk, marks: dict[int, int]) -> Board:
    """A board with these marks: the side by cell."""
    cells = np.zeros(rules.rows * rules.cols, np.int64)
    for cell, side in marks.items():
        cells[cell] = 1 + side
    return make_board(rules, cells, FIRST_GUESS)


def victory(board: Board, attacker: int = 0) -> tuple[int, list[int]]:
    """The attacker's moves of a shortest victory by fours, and its line."""
    fours: Fours = make_fours(np.zeros(1, np.int64))
    found = int(shortest(board, attacker, MOST_FOURS, ENOUGH, fours))
    return found, [int(cell) for cell in fours.line[0, : fours.length[0]]] if found else []


def completing(rules: Mnk, marks: dict[int, int], side: int) -> set[int]:
    """The cells on which a side wins at once, by the rules alone."""
    owners = np.zeros((rules.rows, rules.cols), dtype=np.int64)
    for cell, owner in marks.items():
        owners[cell // rules.cols, cell % rules.cols] = 1 + owner
    found = set()
    for cell in set(range(rules.rows * rules.cols)) - set(marks):
        where = cell // rules.cols, cell % rules.cols
        owners[where] = 1 + side
        if where in rules._winning_cells(owners, 1 + side):
            found.add(cell)
        owners[where] = 0
    return found


def slow_victory(rules: Mnk, marks: dict[int, int], attacker: int, left: int) -> int:
    """The fewest attacker's moves to a victory by fours, up to `left`, by trying every cell; 0 if
    there is none.
    """
    if completing(rules, marks, attacker):
        return 1
    if left < 2:
        return 0
    threatened = completing(rules, marks, 1 - attacker)
    best = 0
    for cell in (
        sorted(threatened)
        if threatened
        else sorted(set(range(rules.rows * rules.cols)) - set(marks))
    ):
        after = {**marks, cell: attacker}
        answers = completing(rules, after, attacker)
        if not answers or completing(rules, after, 1 - attacker):
            continue
        found = (
            1
            if len(answers) > 1
            else slow_victory(
                rules, {**after, answers.pop(): 1 - attacker}, attacker, (best or left + 1) - 2
            )
        )
        if found and (not best or found + 1 < best):
            best = found + 1
    return best


@pytest.mark.parametrize(
    ("rows", "cols", "line", "exact", "marks"),
    [(5, 5, 4, False, 10), (6, 6, 4, True, 12), (4, 5, 3, False, 4), (7, 7, 5, False, 20)],
)
def test_every_victory_by_fours_is_found_and_none_that_is_none(
    rows: int, cols: int, line: int, exact: bool, marks: int
) -> None:
    rules = build(rows, cols, line, exact)
    rng = random.Random(rows * line)
    lengths = []
    for _ in range(20):
        stones = {cell: i % 2 for i, cell in enumerate(rng.sample(range(rows * cols), marks))}
        found, moves = victory(board_with(rules, stones))
        assert found == slow_victory(rules, stones, 0, 4) or found > 4
        lengths.append(found)
        for i, cell in enumerate(moves):
            assert cell not in stones
            if (
                i % 2 == 1
            ):  # the attacker has just moved: whatever else the defender does, a line is completed
                assert cell in completing(rules, stones, 0)
            stones[cell] = i % 2
        if found:
            assert completing(rules, stones, 0) or found == 1
    assert 0 in lengths
    assert max(lengths) > 1


@pytest.mark.parametrize("board", ["5x5x4", "6x5x4", "4x7x4", "6x6x5"])
def test_a_victory_by_threats_is_one_whatever_the_defender_does(board: str) -> None:
    rules, rng, found = parse_game(f"mnk:{board}"), random.Random(board), 0
    assert isinstance(rules, Mnk)
    for _ in range(150):
        position = Position(rules)
        for _ in range(
            rng.randrange(rules.rows * rules.cols // 4, rules.rows * rules.cols * 2 // 3)
        ):
            if not position.is_over:
                position = position.play_codes((rng.choice(position.legal_codes),))
        if not position.is_over and _wins_by_threats(position):
            found += 1
            assert (
                can_win(
                    rules,
                    position.state().cells,
                    position.mover,
                    position.mover,
                    ENOUGH,
                    Stop().flag,
                )[0]
                == YES
            ), position.moves
    assert found > 2


@pytest.mark.parametrize(
    ("board", "moves"),
    [("5x5x4", "a1e2c3d3b5"), ("5x5x4", "a1d3b3d2d4"), ("6x5x4", "a2d3a3a4b4b5c4")],
)
def test_a_defender_whose_fours_make_an_open_four_is_quicker_than_an_open_three(
    board: str, moves: str
) -> None:
    """All are draws; victories by threats were once seen there, which overlooked the defender's
    second four.
    """
    assert not _wins_by_threats(Position(f"mnk:{board}").play(moves))


def test_where_there_are_more_fours_than_are_tried_a_failure_proves_nothing() -> None:
    rules = build(90, 30, 5)
    threes = (
        MOST_CHOICES // 2 + 1
    )  # each makes two fours, for a mark of the other side stops it at one end
    begins = [6 * (rules.cols * (number // 3) + number % 3) for number in range(threes)]
    marks = {begin + column: int(column == 0) for begin in begins for column in range(4)}
    fours = make_fours(np.zeros(1, np.int64))
    for kept, gave_up in ((marks, 1), (dict(list(marks.items())[:8]), 0)):
        assert shortest(board_with(rules, kept), 0, 3, ENOUGH, fours) == 0
        assert fours.numbers[GAVE_UP] == gave_up


def test_the_certified_sample_is_solved_with_the_shortest_lengths() -> None:
    if not SAMPLE.exists():
        pytest.skip(f"{SAMPLE.name} is not there: an extra check where the shared data are")
    rules = build(15, 15, 5)
    for text in SAMPLE.read_text().splitlines():
        row = json.loads(text)
        marks = {
            y * 15 + x: side for side, name in enumerate(("black", "white")) for x, y in row[name]
        }
        assert victory(board_with(rules, marks))[0] == row["shortest_vcf"], row["id"]


LOST = SAMPLE.with_name("gomoku_lost_games.jsonl")


@pytest.mark.slow
def test_moves_that_lost_games_are_avoided() -> None:
    """Games that an older engine lost: its last move after which the winner has a victory by
    threats, which is a proof, though some other move leaves none. Where the engine finds that every
    move loses, it does not matter which it plays. Slow, because every move of many
    positions is looked at, and the engine thinks about each for the nodes of a second.
    """
    if not LOST.exists():
        pytest.skip(f"{LOST.name} is not there: an extra check where the shared data are")
    rules = build(15, 15, 5)
    proved = avoided = 0
    for text in LOST.read_text().splitlines():
        game = json.loads(text)
        moves, ours = rules.parse_moves(game["moves"]), 0 if game["ours"] == "first" else 1
        for number in range(len(moves) - 1, game["opening_plies"] - 1, -1):
            position = Position(rules).play_codes(moves[:number])
            if position.mover != ours:
                continue
            if not _wins_by_threats(position.play_codes((moves[number],))):
                break
            safe = [
                move
                for move in _root_moves(position)
                if not _wins_by_threats(position.play_codes((move,)))
            ]
            if safe:
                proved += 1
                answer = parse_engine("threats").analyse(position, Limit(nodes=900_000))
                assert answer.score is not None
                lost = answer.score.plies is not None and answer.score.value < 0
                avoided += lost or answer.best_code in safe
                break
    assert proved >= 10
    assert avoided == proved


def _root_moves(position: Position) -> list[int]:
    """The moves that the engine looks at."""
    rules = position.rules
    assert isinstance(rules, Mnk)
    board, root = (
        make_board(rules, position.state().cells, read_weights("auto")),
        np.zeros(rules.most_moves(), np.int64),
    )
    count = list_root(board, position.mover, make_thread(len(root), Stop(), Settings()), root)
    return [int(move) for move in root[:count]]


def _wins_by_threats(position: Position) -> bool:
    """Whether the mover has a victory by threats."""
    rules, flag = position.rules, Stop()
    assert isinstance(rules, Mnk)
    board = make_board(rules, position.state().cells, read_weights("auto"))
    fours, sequences = make_fours(flag.flag), make_fours(flag.flag, MOST_PLIES + 2)
    thread = make_thread(len(board.cells), flag, Settings())
    return bool(
        shortest(board, position.mover, 30, 10_000, fours)
        or shortest_by_threats(
            board, position.mover, position.mover, 14, 15_000, sequences, thread, fours
        )
    )
