"""Books of Kalah: the margins of all positions of the first turns, their file, their building, and
the two that come with mnkala.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from mnkala.cli import run
from mnkala.core import Position, parse_game
from mnkala.core.score import Contradiction
from mnkala.errors import MnkalaError
from mnkala.families.kalah import opening_book as build_module
from mnkala.families.kalah.opening_book import (
    MAGIC,
    KalahBook,
    KalahBooks,
    concluded,
    from_bytes,
    margins_of,
    number_at,
    opening_tree,
    to_bytes,
)
from mnkala.families.kalah.rules import Kalah
from mnkala.families.kalah.solver.solver import KalahSolver
from mnkala.play.opening_explorer import explore_opening
from mnkala.solve import prove
from mnkala.solve.books import BadBook, books_for, open_book, own_path, sealed, shipped_path
from tests.command_line import mnkala

build_book = KalahBooks().build
SMALL = "kalah:3x3"
RULES = Kalah(3, 3)
FIRST_HOUSES = {"kalah": [-14, -8, 10, -2, -6, 4], "kalah:standard": [-14, -10, 8, -2, -8, 4]}
"""The score of each house of the start (Irving, Donkers and Uiterwijk 2000; the standard rule by
our own solver).
"""
COMPLETE = {"kalah": 3, "kalah:standard": 3}
"""Of so many turns the shipped book has every position within them."""


@pytest.fixture(autouse=True)
def own_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees the user's books."""
    monkeypatch.setenv("MNKALA_DATA_DIR", str(tmp_path / "data"))


@pytest.fixture(scope="module")
def small_bytes(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("book") / "small.book"
    assert build_book(RULES, 3, path, jobs=0, table_mb=8).complete
    assert not path.with_name("small.book.sqlite").exists()
    return path.read_bytes()


@pytest.fixture
def small(small_bytes: bytes) -> KalahBook:
    return KalahBook(from_bytes(small_bytes, "small", RULES))


def by_plain_play(position: Position, turns: int) -> Iterator[tuple[Position, int]]:
    """Every position of the first turns that is not over, as often as it is met, with the turns
    that are left.
    """
    if position.is_over:
        return
    yield position, turns
    for code in position.legal_codes if turns else ():
        after = position.play_codes((code,))
        yield from by_plain_play(after, turns - (after.mover != position.mover))


def test_a_book_has_every_position_of_its_turns_and_all_scores_are_the_solvers(
    small: KalahBook,
) -> None:
    solver, seen = KalahSolver(RULES, table_mb=8), set()
    for position, left in by_plain_play(Position(RULES), 3):
        seen.add(number_at(position))
        assert small.score(position) == solver.solve(position).score.exact
        if left:
            scores = small.moves(position)
            assert scores is not None
            assert max(scores.values()) == small.score(position)
    assert seen == set(small.known.numbers.tolist()) == set(opening_tree(SMALL, 3))
    assert [exact for exact, _ in small.counts()] == [positions for _, positions in small.counts()]


def test_the_first_three_turns_of_six_houses_have_1282_positions() -> None:
    nodes = opening_tree("kalah", 3).values()
    assert [sum(node.turns == turns for node in nodes) for turns in range(4)] == [2, 24, 234, 1022]


def test_stores_are_added_to_the_margin_and_other_positions_are_not_in_it(small: KalahBook) -> None:
    start = small.score(Position(RULES))
    assert start is not None
    assert small.score(Position(RULES, literal="<3,5,1,3,3,3,3,3,3>")) == start + 4
    for literal in ("<3,0,0,1,0,0,1,0,0>", "<3,0,0,30,30,1,1,0,0>"):
        assert small.bounds(Position(RULES, literal=literal)) is None
    with pytest.raises(MnkalaError, match="this book is for kalah:3x3"):
        small.bounds(Position("kalah"))


def test_a_margin_that_is_not_that_of_the_best_move_is_noticed(small: KalahBook) -> None:
    tree, margins = opening_tree(SMALL, 3), small.known.by_number()
    assert (
        concluded(
            tree, {number: margins[number] for number, node in tree.items() if node.turns == 3}
        )
        == margins
    )
    with pytest.raises(Contradiction, match="best move"):
        concluded(
            tree, margins | {number_at(Position(RULES)): margins[number_at(Position(RULES))] + 2}
        )
    part = dict(list(margins.items())[:20])
    assert concluded(tree, part).items() >= part.items()


# ---- The file ----


def test_a_damaged_file_is_refused_as_a_whole(small_bytes: bytes) -> None:
    for at in (3, 30, 100, len(small_bytes) // 2, len(small_bytes) - 1):
        damaged = bytearray(small_bytes)
        damaged[at] ^= 1
        with pytest.raises(BadBook):
            from_bytes(bytes(damaged), "x", RULES)
    for part in (small_bytes[:-1], small_bytes[:60], b"", small_bytes + b"x"):
        with pytest.raises(BadBook):
            from_bytes(part, "x", RULES)


def test_a_wrong_content_with_a_right_checksum_is_refused(small: KalahBook) -> None:
    known = small.known.by_number()
    first = min(known)
    wrong = [
        (
            to_bytes(margins_of(known | {first: known[first] + 1}, RULES, 3)),
            "margins that no position",
        ),
        (to_bytes(margins_of(known | {first: 100}, RULES, 3)), "margins that no position"),
        (
            to_bytes(margins_of({**known, 10**9: 0}, RULES, 3)),
            "positions that kalah:3x3 does not have",
        ),
        (
            to_bytes(margins_of(known, Kalah(3, 3, True), 3)),
            "a book for kalah:3x3,standard, not for kalah:3x3",
        ),
        (
            sealed(
                MAGIC,
                1,
                {"houses": 3, "seeds": 3, "standard": False, "turns": 3, "entries": 7},
                b"",
            ),
            "do not fit",
        ),
        (sealed(MAGIC, 1, {"houses": 3}, b""), "cannot be read"),
        (sealed(MAGIC, 2, {}, b""), "written by a newer mnkala"),
        (sealed(b"mnkala book ", 1, {}, b""), "is not a book of Kalah of mnkala"),
    ]
    for data, words in wrong:
        with pytest.raises(BadBook, match=words):
            from_bytes(data, "x", RULES)


def test_a_damaged_book_is_told_and_left_aside(small_bytes: bytes) -> None:
    path = own_path(RULES)
    path.parent.mkdir(parents=True)
    path.write_bytes(small_bytes)
    book = open_book(RULES)
    assert book is not None
    assert (book.depth, book.unit) == (3, "turn")
    path.write_bytes(small_bytes[:-5])
    with pytest.warns(
        UserWarning, match=r"kalah-3x3\.book is damaged: its checksum does not fit; it is not used"
    ):
        assert open_book(RULES) is None


# ---- Building ----


def test_a_build_goes_on_where_it_was_interrupted_to_the_same_file(
    small_bytes: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, solved, calls = tmp_path / "x.book", list[int](), list[int]()
    find_margins = build_module.find_margins

    def interrupted(game: str, positions: list[list[object]], table_mb: int) -> list[list[int]]:
        calls.append(len(positions))
        if len(calls) in (3, 6):
            raise KeyboardInterrupt
        solved.extend(int(str(number)) for number, _ in positions)
        return find_margins(game, positions, table_mb)

    interrupted.__name__ = "find_margins"
    monkeypatch.setattr(build_module, "find_margins", interrupted)
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            build_book(RULES, 3, path, jobs=0, table_mb=8)
        assert (
            0
            < len(from_bytes(path.read_bytes(), "part", RULES).numbers)
            < len(opening_tree(SMALL, 3))
        )
        with sqlite3.connect(path.with_name("x.book.sqlite")) as base:
            assert base.execute("SELECT count(*) FROM jobs").fetchone()[0] > 0
    assert build_book(RULES, 3, path, jobs=0, table_mb=8).complete
    assert path.read_bytes() == small_bytes
    assert len(solved) == len(set(solved)), "nothing is solved twice"
    assert [file.name for file in tmp_path.iterdir()] == ["x.book"]


def test_a_book_grows_and_a_smaller_one_loses_nothing(small_bytes: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.book"
    for turns in (0, 1, 3, 2):
        assert build_book(RULES, turns, path, jobs=0, table_mb=8).complete
    assert path.read_bytes() == small_bytes
    path.write_bytes(small_bytes[:-7])
    with pytest.warns(UserWarning, match="damaged"):
        assert build_book(RULES, 3, path, jobs=0, table_mb=8).complete
    assert path.read_bytes() == small_bytes


def test_what_cannot_be_built_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for turns in (-1, 6):
        with pytest.raises(MnkalaError, match="for kalah:3x3 it is 0 to 5"):
            build_book(RULES, turns, tmp_path / "x.book", jobs=0)
    for wrong in (
        ["kalah:3x3", "--plies", "2"],
        ["kalah:3x3"],
        ["kalah:3x3", "--plies", "2", "--turns", "2"],
    ):
        assert run(["book", "build", *wrong]) == 2
        assert "say how far the book of kalah:3x3 shall reach: --turns 2" in capsys.readouterr().err
    assert run(["book", "build", "connect4", "--turns", "2"]) == 2
    assert "--plies 4" in capsys.readouterr().err
    assert run(["book", "build", "kalah:8x8", "--turns", "1"]) == 2
    assert "Kalah with at most 62 seeds" in capsys.readouterr().err


# ---- On the command line, and for who explores the opening ----


def test_build_show_and_check_on_the_command_line(
    small_bytes: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["book", "show", SMALL]) == 2
    assert "`mnkala book build kalah:3x3 --turns 2` makes one" in capsys.readouterr().err
    assert run(["book", "build", SMALL, "--turns", "3", "--jobs", "0", "--table", "8"]) == 0
    assert "complete for 3 turns" in capsys.readouterr().out
    assert own_path(RULES).read_bytes() == small_bytes
    assert run(["book", "check", SMALL, "-n", "5"]) == 0
    assert "all agree" in capsys.readouterr().out
    assert run(["book", "show", SMALL, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    *_, proved = prove(Position(RULES), book=False, lines=False)
    assert told["turns"] == 3
    assert {move: entry["score"] for move, entry in told["moves"].items()} == {
        move: solution.exact for move, solution in proved.scores.items()
    }
    assert run(["book", "show", SMALL]) == 0
    assert f"wins by {proved.score.exact}" in capsys.readouterr().out
    lie = dict.fromkeys(opening_tree(SMALL, 1), 0)
    (tmp_path / "lie.book").write_bytes(to_bytes(margins_of({max(lie): 0}, RULES, 1)))
    assert run(["book", "check", SMALL, "--file", str(tmp_path / "lie.book")]) == 1
    assert "WRONG" in capsys.readouterr().out


def test_the_opening_explorer_counts_turns(small_bytes: bytes) -> None:
    own_path(RULES).parent.mkdir(parents=True)
    own_path(RULES).write_bytes(small_bytes)
    start = Position(RULES)
    line = [start]
    while not line[-1].is_over:
        line.append(line[-1].play_codes(line[-1].legal_codes[-1:]))
    inside = [explore_opening(position) for position in line]
    assert all(found.unit == "turn" and found.depth == 3 for found in inside)
    last = max(at for at, found in enumerate(inside) if found.here is not None and found.here < 3)
    assert all(found.moves for found in inside[: last + 1])
    assert not any(found.moves for found in inside[last + 1 :])
    assert all(found.last == last for found in inside[last:])
    assert explore_opening(Position(RULES, literal="<3,0,0,3,3,3,3,3,3>")).here is None


# ---- The shipped books ----


@pytest.mark.parametrize("game", FIRST_HOUSES)
def test_a_shipped_book_is_free_of_contradictions_and_has_every_first_house(game: str) -> None:
    rules = parse_game(game)
    family = books_for(rules)
    book = family.read(shipped_path(rules), rules)
    family.check(shipped_path(rules), rules, 0, 1)
    assert book.counts()[: COMPLETE[game]] == [(2, 2), (24, 24), (234, 234)][: COMPLETE[game]]
    scores = book.moves(Position(rules))
    assert scores is not None
    assert list(scores.values()) == FIRST_HOUSES[game]


def test_solve_has_every_house_from_the_book() -> None:
    done = mnkala("solve", "kalah", "--moves", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert [told["moves"][str(house)]["score"] for house in range(1, 7)] == FIRST_HOUSES["kalah"]
    assert told["source"] == "mnkala"


def test_the_shipped_book_agrees_with_the_solver_on_what_is_quick() -> None:
    rules = parse_game("kalah")
    book = books_for(rules).read(shipped_path(rules), rules)
    assert isinstance(book, KalahBook)
    solver, tree = KalahSolver(rules), opening_tree("kalah", 3)
    few = sorted(
        (solver.seeds(tree[number].position), number) for number in book.known.numbers.tolist()
    )[:3]
    for _, number in few:
        assert solver.solve(tree[number].position).score.within == book.bounds(
            tree[number].position
        )
