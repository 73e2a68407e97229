"""Slow proofs, run by `make test-slow`: solved boards, longer perft tables, and a public test set where it is at hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from mnkala import Position, parse_engine, perft

pytestmark = pytest.mark.slow

HANDED_SET = Path(__file__).resolve().parent.parent.parent / "shared" / "data" / "connect4" / "Test_L3_R1"


@pytest.mark.parametrize("board", ["4x4", "5x4", "4x5"])
def test_small_boards_of_connect_four_are_draws(board: str) -> None:
    score = parse_engine("deepening:depth=30,table_bits=22").analyse(Position(f"connect4:{board}")).score
    assert score is not None
    assert (score.kind, score.result) == ("exact", "draw")


def test_both_boards_count_the_same_games_deeply() -> None:
    from mnkala.games.connect_wide import WideConnect

    assert perft(Position(WideConnect(6, 7, 4)), 9) == perft(Position("connect4"), 9) == 39394572


def test_end_games_of_the_public_set_have_their_published_scores() -> None:
    if not HANDED_SET.exists():
        pytest.skip(f"the public test set is not at {HANDED_SET}")
    for line in HANDED_SET.read_text().splitlines():
        moves, expected = line.split()
        score = parse_engine("deepening:depth=42").analyse(Position("connect4").play(moves)).score
        assert score is not None
        assert (score.kind, score.value) == ("exact", int(expected)), moves
