"""Slow proofs, run by `make test-slow`: solved boards, longer perft tables, and a public test set
where it is at hand.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from mnkala import Position, parse_engine, perft
from mnkala.families.connect.solver.solver import ConnectSolver
from mnkala.families.kalah.solver.database import build_database
from mnkala.families.kalah.solver.solver import KalahSolver
from mnkala.solve import solve_many

pytestmark = pytest.mark.slow

HANDED_SET = (
    Path(__file__).resolve().parent.parent.parent / "shared" / "data" / "connect4" / "Test_L3_R1"
)


@pytest.mark.parametrize("board", ["4x4", "5x4", "4x5"])
def test_small_boards_of_connect_four_are_draws(board: str) -> None:
    score = (
        parse_engine("deepening:depth=30,table_bits=22")
        .analyse(Position(f"connect4:{board}"))
        .score
    )
    assert score is not None
    assert (score.kind, score.result) == ("exact", "draw")


def test_both_boards_count_the_same_games_deeply() -> None:
    from mnkala.families.connect.rules import WideConnect

    assert perft(Position(WideConnect(6, 7, 4)), 9) == perft(Position("connect4"), 9) == 39394572


def test_end_games_of_the_public_set_have_their_published_scores() -> None:
    if not HANDED_SET.exists():
        pytest.skip(f"the public test set is not at {HANDED_SET}")
    for line in HANDED_SET.read_text().splitlines():
        moves, expected = line.split()
        score = parse_engine("deepening:depth=42").analyse(Position("connect4").play(moves)).score
        assert score is not None
        assert (score.kind, score.value) == ("exact", int(expected)), moves


# ---- The exact solver ----

EMPTY_BOARDS = {
    "4x4": 0,
    "5x4": 0,
    "4x5": 0,
    "5x5": 0,
    "6x5": 0,
    "4x6": -24,
    "5x6": 0,
    "4x7": 0,
    "5x7": 0,
    "4x8": -32,
    "4x9": -36,
    "6x6": -36,
    "7x6": 41,
    "6x7": 41,
    "5x8": 39,
    "5x9": 41,
}
"""Rows x columns: 0 for a draw, else the ply on which the first player (+) or the second (-) wins
(Tromp; Steininger).
"""


@pytest.mark.parametrize("board", EMPTY_BOARDS)
def test_the_empty_board_has_its_known_value(board: str) -> None:
    position = Position(f"connect4:{board}")
    solution = ConnectSolver(position.rules, threads=2, table_mb=1024).solve(position)
    ends = solution.score.plies or 0
    assert (
        0 if solution.score.result == "draw" else ends if solution.score.result == "win" else -ends
    ) == EMPTY_BOARDS[board]


@pytest.mark.parametrize("name", ["L3_R1", "L2_R2", "L1_R2"])
def test_the_public_sets_have_their_published_scores_with_one_thread_and_with_two(
    name: str,
) -> None:
    file = HANDED_SET.with_name(f"Test_{name}")
    if not file.exists():
        pytest.skip(f"the public test set is not at {file}")
    moves, scores = zip(
        *((words[0], int(words[1])) for words in map(str.split, file.read_text().splitlines())),
        strict=True,
    )
    assert solve_many(list(moves), "connect4").tolist() == list(scores)
    rules = Position("connect4").rules
    solver = ConnectSolver(rules, threads=2)
    assert [solver.solve(Position(rules).play(text)).score.exact for text in moves] == list(scores)


# ---- Kalah ----


@pytest.mark.parametrize(
    ("game", "margins"),
    [("kalah", (-14, -8, 10, -2, -6, 4)), ("kalah:6x4,standard", (-14, -10, 8, -2, -8, 4))],
)
def test_kalah_of_six_houses_with_four_seeds_is_solved_house_by_house(
    game: str, margins: tuple[int, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The margins of Irving, Donkers and Uiterwijk (2000), by two threads with a database that is
    made here; the start without one, too.
    """
    start = Position(game)
    alone = KalahSolver(start.rules, table_mb=1024, database=False)
    assert alone.solve(start).score.exact == max(margins)
    monkeypatch.setenv("MNKALA_CACHE_DIR", str(tmp_path))
    build_database(start.rules, 16)  # type: ignore[arg-type]
    solver = KalahSolver(start.rules, threads=2, table_mb=1024)
    found = [
        solver.solve(start.play_codes((code,))).score.before(start.mover).exact
        for code in start.legal_codes
    ]
    assert tuple(found) == margins
