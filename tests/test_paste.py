"""A game however it is written: every form of the same game gives the same position, and what
cannot be read is told why.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mnkala import Position, Record
from mnkala.core.paste import gamesolver_address, typed_text, written_games
from mnkala.errors import BadGame, BadPosition, BadRecord, IllegalMove, MnkalaError
from tests.command_line import mnkala
from tests.reference import random_position

SHORT = Position("connect4").play("44352")
FORMS = [
    "44352",
    "4 4 3 5 2",
    "4,4,3,5,2",
    "44 35\n2",
    "1. 4 4 2. 3 5 3. 2",
    "1.4 4 2.3 5 3.2",
    "1. 4 4! {a comment} 2. 3? 5 3. 2 *",
    "connect4 44352",
    "Connect4:6x7 4 4 3 5 2",
    "connect4 44352 *",
    "  `connect4 44352 *`  ",
    "connect4 44352  # of a book",
    "# first: Ann\n# a word\nconnect4 44352 *\n",
    '[First "Ann"]\n\n1. 4 4\n2. 3 5\n3. 2 *',
    "https://connect4.gamesolver.org/?pos=44352",
    "connect4.gamesolver.org/?pos=44352&lang=en",
    "see https://example.org/four?a=1&pos=44352",
    "http://localhost:8080/#/analysis?game=connect4&moves=4,4,3,5,2",
    "#/review?game=connect4&moves=44352",
]


@pytest.mark.parametrize("text", FORMS)
def test_every_form_of_a_game_is_read(text: str) -> None:
    assert Record.parse(text, "connect4").position == SHORT


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("h8 i9", "gomoku h8i9 *"),
        ("kalah:6x4 3 6 1", "kalah 361 *"),
        ("3/1x1/o2 x b1", "tictactoe@.../.x./o.. b1 *"),
        ("7/7/7/7/7/3x3", "connect4@......./......./......./......./......./...x... - *"),
        ("6/6/6/o5/x5 x to move", "connect4:5x6@....../....../....../o...../x..... - *"),
        ("<3, 0,0, 3,3,3, 3,3,3> o 3", "kalah:3x3@<3,0,0,3,3,3,3,3,3>o 3 *"),
        ("connect4 1212121", "connect4 1212121 1-0"),
        ("connect4 1212121 *", "connect4 1212121 1-0"),
        ("connect4 44 0–1", "connect4 44 0-1"),
        ("tictactoe", "tictactoe - *"),
        (
            "#/analysis?game=connect4&start=7/7/7/7/7/3x3&moves=3,5",
            "connect4@......./......./......./......./......./...x... 35 *",
        ),
    ],
)
def test_what_names_no_game_is_of_the_only_one_that_it_fits(text: str, told: str) -> None:
    assert Record.parse(text).without_tags() == told


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        (
            "44352",
            BadGame,
            "could be connect4 or kalah; name the game in front, for example: connect4 44352",
        ),
        ("b2", BadGame, "gomoku or tictactoe"),
        ("8/8/8/8/8/8/8/8", BadGame, "gomoku:8 or connect4:8x8"),
        ("conect4 44", BadGame, "no game is called 'conect4'; did you mean connect4"),
        ("99", BadRecord, "fits no game"),
        ("", BadRecord, "nothing is written"),
        ("7/7/7/7/7/3x3 x", BadPosition, "o is to move in this position, not x"),
        ("http://localhost:8080/#/game/abc", BadRecord, "paste the record"),
        ("https://example.org/", BadRecord, "names no position"),
        (
            "connect4 44 maybe",
            BadRecord,
            "'maybe' is neither a move nor a result; results are 1-0 0-1",
        ),
        ("connect4 9 maybe", IllegalMove, "column 9"),
    ],
)
def test_what_cannot_be_read_is_told_why(text: str, kind: type[MnkalaError], words: str) -> None:
    with pytest.raises(kind, match=words):
        Record.parse(text)


def test_the_open_game_comes_first_and_its_start_stays() -> None:
    start = "7/7/7/7/7/3x3"
    assert Record.parse("35", "connect4", start).position == Position(
        "connect4", literal=start
    ).play("35")
    assert Record.parse("3 6", "kalah").position.game == "kalah"
    assert Record.parse("3/1x1/o2", "connect4", start).position.game == "tictactoe", (
        "a literal of another board is of another game"
    )
    assert Record.parse("gomoku h8", "connect4", start).position == Position("gomoku").play("h8")
    with pytest.raises(IllegalMove, match="4 cannot be played after 444444"):
        Record.parse(
            "4444444", "connect4"
        )  # legal in Kalah, but rather a mistake in the game that is open
    with pytest.raises(
        BadRecord, match=r"not a column.* These are no moves of gomoku, kalah, .*either"
    ):
        Record.parse("h99", "connect4")
    with pytest.raises(IllegalMove, match="column 9 does not exist"):
        Record.parse("44 9", "connect4")  # begun as a game of the open one
    with pytest.raises(BadGame, match="no game is called 'chess'"):
        Record.parse("chess e4", "connect4")


def test_what_is_no_move_of_the_open_game_is_tried_as_one_of_every_other() -> None:
    assert Record.parse("h8 h9 i8 i9", "connect4").position == Position("gomoku").play("h8h9i8i9")
    with pytest.raises(BadGame, match="could be connect4 or kalah"):
        Record.parse("4 4 3", "gomoku")
    with pytest.raises(BadGame, match="'b2' could be gomoku or tictactoe"):
        Record.parse("b2", "connect4")
    done = mnkala("book", "show", "h8 h9 i8 i9")
    assert "mnkala: read as a game of gomoku" in done.stderr
    assert "there are opening books for" in done.stderr


def test_several_games_are_told_apart_and_keep_their_tags() -> None:
    found = written_games(
        "# first: Ann\nconnect4 44\n35 1-0\n\n# first: Bob\nkalah 36 *\nconnect4 4\n7/7/7/7/7/3x3 3\n44 *\n35"
    )
    assert [(each.game, each.moves, each.result) for each in found] == [
        ("connect4", "44 35", "1-0"),
        ("kalah", "36", "*"),
        ("connect4", "4", None),
        (None, "3 44", "*"),
        (None, "35", None),
    ]
    assert [each.tags for each in found[:3]] == [(("first", "Ann"),), (("first", "Bob"),), ()]


@given(
    seed=st.integers(0, 10_000),
    game=st.sampled_from(
        ["connect4", "connect4:10x11", "tictactoe", "gomoku", "kalah", "kalah:4x3"]
    ),
    cut=st.integers(0, 6),
)
def test_every_way_of_writing_a_random_game_gives_the_same_position(
    seed: int, game: str, cut: int
) -> None:
    position = random_position(game, seed)
    texts = list(position.history)
    numbered = " ".join(
        f"{i // 2 + 1}. {text}" if i % 2 == 0 else text for i, text in enumerate(texts)
    )
    for text in (
        position.moves or "-",
        " ".join(texts),
        ",".join(texts),
        numbered,
        f"{game} {position.moves}",
        str(Record.of(position, first="Ann")),
        f"http://localhost/#/analysis?game={game}&moves={','.join(texts)}",
    ):
        assert Record.parse(text, game).position == position
    start = Position(game).play(texts[:cut])
    after = Position(game, literal=start.literal).play(texts[cut:]) if cut <= len(texts) else None
    for text in (
        f"{game}@{start.literal} {' '.join(texts[cut:])}",
        f"{start.literal} {start.rules.players[start.mover]} {' '.join(texts[cut:])}",
    ):
        assert after is None or Record.parse(text, game).position == after


@given(
    text=st.text(alphabet='connet4kalh:@/<>{}[]#?=&.,;xo0123 \n*-"', max_size=60),
    game=st.sampled_from([None, "connect4"]),
)
@example(text="connect4 " + "x " * 3000, game=None)
@example(text="<" * 3000, game=None)
@example(text="<99999999999,9,9>", game=None)
@example(text="http://[/?pos=4", game=None)
def test_no_text_raises_anything_but_our_own_error(text: str, game: str | None) -> None:
    try:
        Record.parse(text, game)
    except MnkalaError:
        pass


# ---- Files and the command line ----


def test_a_file_is_opened_by_its_name_and_a_game_is_never_mistaken_for_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("game.txt", "connect4", "my game"):
        Path(name).write_text("connect4 44352 *\n")
    assert (
        typed_text("game.txt")
        == typed_text("./connect4")
        == typed_text(str(tmp_path / "my game"))
        == "connect4 44352 *\n"
    )
    for text in (
        "connect4",
        "connect4 44352",
        "7/7/7/7/7/3x3",
        "44352",
        "7/7/7/7/7/3x3 o",
        "http://localhost/game.txt",
        "h8 i9",
    ):
        assert typed_text(text) == text
    with pytest.raises(BadRecord, match=r"missing\.txt cannot be read"):
        typed_text("missing.txt")


def test_commands_take_a_game_in_any_form(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text("# first: Ann\nconnect4 44352 *\nconnect4 45 *\n")
    for words in (
        ["connect4", "44352"],
        ["connect4 44352 *"],
        ["https://connect4.gamesolver.org/?pos=44352"],
        [str(file)],
        ["connect4", "1. 4 4 2. 3 5", "2"],
    ):
        done = mnkala("think", *words, "--depth", "1", "--lines", "1")
        assert (done.returncode, done.stdout.startswith(str(SHORT))) == (0, True), done.stderr
        assert done.stderr == (
            "mnkala: this holds 2 games; the first one is taken\n" if words == [str(file)] else ""
        )
    assert str(SHORT) in mnkala("book", "show", "44352").stdout, (
        "a command whose usual game is Connect Four takes its moves alone"
    )
    assert str(SHORT) in mnkala("play", str(file), "--second", "human", "--plain").stdout
    assert (
        "given twice"
        in mnkala("think", "connect4@7/7/7/7/7/3x3", "--position", "7/7/7/7/7/7").stderr
    )
    assert "could be connect4 or kalah" in mnkala("think", "44352").stderr


def test_a_game_of_connect_four_has_an_address_that_is_read_back() -> None:
    assert gamesolver_address(SHORT) == "https://connect4.gamesolver.org/?pos=44352"
    for seed in range(10):
        position = random_position("connect4", seed)
        assert Record.parse(gamesolver_address(position)).position == position
    for other in (
        Position("connect4:5x6"),
        Position("kalah"),
        Position("connect4", literal="7/7/7/7/7/3x3"),
    ):
        with pytest.raises(BadRecord):
            gamesolver_address(other)


def test_a_line_of_a_test_set_is_moves_and_a_score_where_that_is_said(tmp_path: Path) -> None:
    """As in the sets of Pascal Pons' tutorial; a score of 1 would else be taken for a move."""
    file = tmp_path / "set"
    file.write_text(
        "2252576253462244111563365343671351441 -1\n7422341735647741166133573473242566 1\n23163416124767223154467471272416755633 9\n444\n"
    )
    done = mnkala("solve", "connect4", "--batch", str(file), "--scored")
    assert done.returncode == 1
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(line["expected"], line["agrees"]) for line in told[:3]] == [
        (-1, True),
        (1, True),
        (9, False),
    ]
    assert "does not end with a score" in told[3]["error"]
    assert "1 line has another score" in done.stderr
    assert mnkala("solve", "connect4", "44", "--scored").returncode == 2
