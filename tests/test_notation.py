"""Game strings, moves, position literals and records: what is written is read back, what is wrong
is named.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnkala import Position, Record, parse_game
from mnkala.errors import BadGame, BadPosition, BadRecord, IllegalMove, MnkalaError
from tests.reference import random_position

GAMES = ("connect4", "connect4:10x11", "connect:8x9x5", "connect:4x4x3", "connect4:20x20")


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("connect4", "connect4"),
        ("connect4:6x7", "connect4"),
        ("connect:6x7x4", "connect4"),
        (" Connect4:10X11 ", "connect4:10x11"),
        ("connect:8x9x5", "connect:8x9x5"),
        ("connect", "connect4"),
    ],
)
def test_a_game_string_has_one_canonical_form(text: str, canonical: str) -> None:
    assert parse_game(text).game_string() == canonical


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("chess", "games are connect, connect4, gomoku, kalah, mnk"),
        ("connect4:6", "ROWSxCOLS"),
        ("connect4:6x7x4", "ROWSxCOLS"),
        ("connect:6x7", "LINE"),
        ("connect4:0x7", "1 to 40"),
        ("connect4:99x99", "1 to 40"),
        ("connect:5x5x9", "2 to 5"),
        ("connect:5x5x1", "2 to 5"),
        ("connect4:6x7,exact", "no option 'exact'"),
        ("connect4:", "cannot be read"),
        ("connect4:6*7", "cannot be read"),
        ("", "no game"),
        ("x" * 5000, "longest allowed"),
        ("connect4:1x1", "none at all"),
        ("connect4:6x-7", "cannot be read"),
    ],
)
def test_a_bad_game_string_is_told_what_is_allowed(text: str, words: str) -> None:
    with pytest.raises(BadGame, match=words.replace("(", r"\(")):
        parse_game(text)


@given(st.text(max_size=40))
def test_no_game_string_raises_anything_but_our_own_error(text: str) -> None:
    try:
        parse_game(text)
    except MnkalaError:
        pass


@pytest.mark.parametrize("text", ["44352", "4 4 3 5 2", "4,4,3,5,2", " 44 35,2 "])
def test_small_boards_read_moves_together_or_apart(text: str) -> None:
    assert Position("connect4").play(text).moves == "44352"


@pytest.mark.parametrize("text", ["4 10 11", "4,10,11", "4, 10, 11"])
def test_wide_boards_read_moves_apart(text: str) -> None:
    assert Position("connect4:10x11").play(text).moves == "4,10,11"


@pytest.mark.parametrize(
    ("game", "moves", "words"),
    [
        ("connect4", "8", "column 8 does not exist; playable columns are 1-7"),
        ("connect4", "0", "1-7"),
        ("connect4", "4x", "'x' is not a column"),
        ("connect4", "4444444", "4 cannot be played after 444444; legal moves are 1 2 3 5 6 7"),
        ("connect4", "12121212", r"the game is over \(1-0\)"),
        ("connect4:10x11", "44352", "column 44352 does not exist"),
        ("connect4", "٤", "is not a column|does not exist"),
        ("connect4", "-1", "is not a column"),
    ],
)
def test_a_bad_move_is_told_what_is_allowed(game: str, moves: str, words: str) -> None:
    with pytest.raises(IllegalMove, match=words):
        Position(game).play(moves)


@pytest.mark.parametrize("game", GAMES)
@given(seed=st.integers(0, 10_000))
def test_positions_survive_their_literal_and_their_record(game: str, seed: int) -> None:
    position = random_position(game, seed)
    again = Position(game, literal=position.literal)
    assert str(again) == str(position)
    assert (again.mover, again.legal_moves, again.outcome) == (
        position.mover,
        position.legal_moves,
        position.outcome,
    )
    assert position.rules.key(again.state()) == position.rules.key(position.state())
    assert Record.parse(str(Record.of(position, first="human"))).position == position
    assert Record.parse(str(Record.of(again))).position == again


@given(seed=st.integers(0, 3000))
def test_a_finished_game_survives_its_literal_on_both_boards(seed: int) -> None:
    for game in ("connect4", "connect4:8x8"):
        position = random_position(game, seed)
        for move in position.legal_codes:
            after = position.play_codes([move])
            if after.is_over:
                assert Position(game, literal=after.literal).outcome == after.outcome


@pytest.mark.parametrize(
    ("literal", "words"),
    [
        ("7/7/7/7/7", "5 rows"),
        ("7/7/7/7/7/8", "row 6 has 8 cells"),
        ("7/7/7/7/7/3x4", "row 6 has 8 cells"),
        ("7/7/7/7/7/3z3", "'z' in row 6"),
        ("7/7/7/7/3x3/7", "hangs"),
        ("7/7/7/7/7/xx5", "as many as o, or one more"),
        ("7/7/7/7/7/o6", "as many as o"),
        ("7/7/7/7/xxxx3/oooo3", "both have a line already"),
        ("7/7/7/7/3o3/xxxxooo", "has a line already"),
        ("7/7/7/o6/x6/o6", "as many as o"),
        ("7/7/7/7/x6/o6", "no disc of o lies on top"),
        ("", "1 row"),
        ("7/7/7/7/7/99999999999999999999", "row 6 has"),
    ],
)
def test_a_bad_literal_is_told_what_is_wrong(literal: str, words: str) -> None:
    with pytest.raises(BadPosition, match=words):
        Position("connect4", literal=literal)


@given(st.text(alphabet=".xo/0123456789 ab", max_size=60))
def test_no_literal_raises_anything_but_our_own_error(text: str) -> None:
    for game in ("connect:2x3x2", "connect4:8x8"):
        try:
            Position(game, literal=text)
        except MnkalaError:
            pass


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "nothing is written"),
        ("connect4 44 5-3", "'5-3' is neither a move nor a result"),
        ("connect4 48 *", "column 8"),
        ("connect4 1212121 0-1", "end in 1-0"),
        ("connect4 4 *\nkalah 3 *", "2 games"),
        ("connect4@zz 4 *", "1 row"),
    ],
)
def test_a_bad_record_is_told_what_is_wrong(text: str, words: str) -> None:
    with pytest.raises(MnkalaError, match=words):
        Record.parse(text)


def test_a_record_keeps_its_tags_and_replaces_a_file_whole(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "game.txt"
    for moves in ("44", "443"):
        Record.of(Position("connect4").play(moves), first="human", second="random:seed=1").save(
            file
        )
    record = Record.load(file)
    assert record.position.moves == "443"
    assert dict(record.tags) == {"first": "human", "second": "random:seed=1"}
    assert [entry.name for entry in file.parent.iterdir()] == ["game.txt"]


def test_a_record_that_cannot_be_read_or_written_says_so(tmp_path: Path) -> None:
    with pytest.raises(BadRecord, match="cannot be read"):
        Record.load(tmp_path / "missing.txt")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadRecord, match="cannot be read"):
        Record.load(tmp_path / "binary")
    (tmp_path / "a-file").write_text("here")
    with pytest.raises(BadRecord, match="cannot be written"):
        Record.of(Position("connect4")).save(tmp_path / "a-file" / "game.txt")
