"""Five in a row as SGF and as Piskvork's files: what is written is read back, files of others are
read, and bad ones are told why.
"""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnkala import Position, Record
from mnkala.core.paste import GameFile, Written, written_games
from mnkala.core.registry import family_of
from mnkala.errors import MnkalaError
from mnkala.play.export import picture_bytes
from mnkala.play.view import make_view
from tests.command_line import mnkala
from tests.reference import random_position

SGF = """(;FF[4]GM[4]SZ[15]PB[Ann \\] x]PW[Bob]DT[2024-05-01]RE[B+R]C[a (comment)
with ; signs];B[hh];W[hg]BL[30](;B[ii];W[aa])(;B[jj];W[bb]))"""
PSQ = "Piskvorky 15x12, 11:11, 1\r\n8,8,0\r\n8,7,1250\r\n9,8\r\nbrain-a.zip\r\nbrain b\r\n0\r\n"


def test_a_file_of_another_program_is_read() -> None:
    record = Record.parse(SGF)
    assert record.without_tags() == "gomoku h8h9i7a15 1-0"
    assert dict(record.tags) == {"first": "Ann ] x", "second": "Bob", "date": "2024-05-01"}
    assert Record.parse("(;GM[4]SZ[9:7]RU[Standard];B[aa])").position.game == "mnk:7x9x5,exact"
    record = Record.parse(PSQ)
    assert record.without_tags() == "mnk:12x15x5 h5h6i5 *"
    assert dict(record.tags) == {"first": "brain b", "second": "brain-a.zip"}, (
        "the second player of the file began"
    )


@given(
    st.sampled_from(["gomoku:6", "mnk:7x10x5", "gomoku:19"]),
    st.integers(0, 1000),
    st.sampled_from(["sgf", "psq"]),
)
def test_what_is_written_is_read_back(game: str, seed: int, form: str) -> None:
    position = random_position(game, seed)
    record = Record.of(position, first="An]n \\ x", second="B:o[b]")
    again = Record.parse(record.text(form))
    assert (again.position, again.tags) == (position, record.tags)
    assert again.result == (record.result if position.is_over or form == "sgf" else "*")


def test_how_a_game_ended_and_its_rule_are_in_an_sgf() -> None:
    position = Position("gomoku:15,exact").play("h8i9")
    for ending, said in (
        ("resignation", "RE[W+R]"),
        ("time", "RE[W+T]"),
        ("illegal move: 9,9", "RE[W+F]"),
    ):
        text = Record.of(position, resigned=0, ending=ending).text("sgf")
        assert said in text
        assert "RU[exact]" in text
        assert Record.parse(text).without_tags() == "gomoku:15,exact h8i9 0-1"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("(;GM[1]SZ[19])", r"GM\[1\] is another game; Gomoku is GM\[4\]"),
        ("(;SZ[big])", r"SZ\[big\] is no size; sizes are SZ\[15\] or"),
        ("(;SZ[200])", "200 rows"),
        ("(;B[hh];B[hi])", r"move 2 is B\[hi\]; B and W move in turn, B first"),
        ("(;W[hh])", "move 1 is W"),
        ("(;B[])", "a point is two letters, such as hh"),
        ("(;B[h8])", "a point is two letters"),
        ("(;SZ[9];B[zz])", "is not on the board of 9 columns"),
        ("(;B[hh];W[hh])", "h8 cannot be played after h8"),
        ("(;AB[hh][hi])", r"set up \(AB\) are not read"),
        ("(;B[hh]", "a [)] is missing"),
        ("(;B[hh]) rest", "'rest' stands outside of any game"),
        ("(;B[hh", r"cannot be read at '\[hh'"),
        (
            "(;RE[W+];"
            + "".join(f"{'BW'[i % 2]}[{'abcde'[i // 2]}{'ab'[i % 2]}];" for i in range(9))
            + ")",
            "the moves end in 1-0, but the record says 0-1",
        ),
        ("Piskvorky 15", "is no first line of Piskvork's; one is Piskvorky 15x15, 11:11, 0"),
        ("Piskvorky 15x15, 11:11, 7", "is no first line"),
        (
            "Piskvorky 9x9, 0:0, 0\n10,1,0",
            "line 2: 10,1,0 is not on the board of 9 columns and 9 rows, which are counted from 1",
        ),
        ("Piskvorky 9x9, 0:0, 0\n1,1,0\n0,3,5", "line 3: 0,3,5 is not on the board"),
        ("Piskvorky 9x9, 0:0, 0\n1;1,2", "'1;1,2' is no move; moves are COLUMN,ROW"),
        ("Piskvorky 900x9, 0:0, 0", "900 columns"),
        ("Piskvorky 9x9, 0:0, 0\n1,1,0\n1,1,0", "a9 cannot be played after a9"),
    ],
)
def test_a_bad_file_is_told_why(text: str, said: str) -> None:
    with pytest.raises(MnkalaError, match=said):
        Record.parse(text)


@given(
    st.text("();[]\\BWGMSZhg:0159, Piskvorky\nx", max_size=60).map(lambda rest: f"(;{rest}")
    | st.text("0159,:x \nab-", max_size=40).map(lambda rest: f"Piskvorky {rest}")
)
def test_whatever_stands_in_a_file_it_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(MnkalaError):
        for game in written_games(text):
            game.position()


def test_boards_that_a_form_cannot_tell_are_refused() -> None:
    for record, form, said in (
        (Record.of(Position("tictactoe")), "sgf", "SGF knows five in a row"),
        (Record.of(Position("kalah")), "psq", "five in a row"),
        (Record.of(Position("gomoku:60")), "sgf", "letters for 52 rows and columns"),
        (Record.of(Position("gomoku:5", literal="5/5/2x2/5/5")), "psq", "began on an empty board"),
    ):
        with pytest.raises(MnkalaError, match=said):
            record.text(form)


@pytest.mark.usefixtures("games_folder")
def test_files_are_saved_by_their_name_and_opened_again(tmp_path: Path) -> None:
    for form in ("sgf", "psq"):
        file = tmp_path / f"game.{form}"
        mnkala(
            "play", "gomoku", "--second", "human", "--plain", stdin=f"h8\ni9\nsave {file}\nquit\n"
        )
        assert Record.load(file).position == Position("gomoku").play("h8i9")
        assert (
            "played: h8i9"
            in mnkala(
                "play", "--resume", str(file), "--second", "human", "--plain", stdin="moves\nquit\n"
            ).stdout
        )
    refused = mnkala(
        "play",
        "connect4",
        "--second",
        "human",
        "--plain",
        stdin=f"4\nsave {tmp_path / 'game.sgf'}\nquit\n",
    )
    assert "SGF knows five in a row" in refused.stdout


def test_a_view_names_the_forms_in_which_its_game_can_be_written() -> None:
    forms = {
        game: make_view(Position(game)).files[4:]
        for game in ("gomoku", "gomoku:60", "mnk:5x5x4", "connect4", "kalah")
    }
    assert forms == {
        "gomoku": ("sgf", "psq"),
        "gomoku:60": ("psq",),
        "mnk:5x5x4": (),
        "connect4": (),
        "kalah": (),
    }
    assert make_view(Position("gomoku:5", literal="5/5/2x2/5/5")).files[4:] == ()


class Backwards(GameFile):
    """A form of a family of one's own: game and moves, backwards."""

    name = "back"
    media = "text/x-back"

    def is_meant(self, text: str) -> bool:
        return text.startswith("<<")

    def read(self, text: str) -> list[Written]:
        game, moves = text[:1:-1].split()
        return [Written(game, moves=moves)]

    def write(self, record: Record) -> str:
        return f"<<{record.without_tags().rpartition(' ')[0][::-1]}"


def test_a_family_of_ones_own_brings_a_form_that_is_read_written_and_offered(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    played = Position("kalah").play("36")
    monkeypatch.setattr(
        family_of(played.rules), "game_files", lambda: (Backwards(),), raising=False
    )
    Record.of(played).save(tmp_path / "game.back")
    assert (tmp_path / "game.back").read_text() == "<<63 halak"
    assert Record.load(tmp_path / "game.back").position == played
    assert make_view(played).files[4:] == ("back",)
    assert picture_bytes(played, "back") == (b"<<63 halak", "text/x-back", "mnkala-kalah.back")
