"""Books: what they say is what the solver says; interrupted and resumed they are the same to the
byte; damaged they are not believed.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import importlib.metadata
import importlib.util
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from mnkala.cli import run
from mnkala.core import Position, parse_game
from mnkala.core.score import Contradiction
from mnkala.errors import BadPosition, MnkalaError
from mnkala.explain.score_words import score_words
from mnkala.families.connect.book.books import (
    BoundsBook,
    ConnectBooks,
    DatabaseBook,
    _opened,
    encoded,
    open_databases,
    read_records,
)
from mnkala.families.connect.book.build import with_answers
from mnkala.families.connect.book.layers import (
    Bounds,
    boards_of_keys,
    close,
    from_bytes,
    keys_of,
    layers_of,
    nothing_known,
    read_book,
    to_bytes,
)
from mnkala.families.connect.solver.board import mirrored, shape_of
from mnkala.families.connect.solver.solver import ConnectSolver
from mnkala.solve.books import (
    BadBook,
    Book,
    Shelf,
    books_for,
    open_book,
    own_path,
    shipped_path,
    write_whole,
)
from tests.reference_solver import all_moves
from tests.waiting import wait_until

build_book = ConnectBooks().build
SMALL = "connect4:4x5"
MIDDLE = "connect4:5x5"


@pytest.fixture(autouse=True)
def own_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test sees the user's books."""
    monkeypatch.setenv("MNKALA_DATA_DIR", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.fixture(scope="module")
def small_bytes(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The book of 4 plies for 4x5, built here."""
    path = tmp_path_factory.mktemp("book") / "small.book"
    assert build_book(parse_game(SMALL), 4, path, jobs=0, table_mb=16).complete
    return path.read_bytes()


@pytest.fixture
def small(small_bytes: bytes) -> Book:
    return BoundsBook(from_bytes(small_bytes, "small"), parse_game(SMALL).game_string(), "small")


def all_positions(game: str, plies: int) -> Iterator[Position]:
    """Every position of at most so many plies that is not over, by plain play, mirror images
    included.
    """
    seen, layer = set(), [Position(game)]
    for _ in range(plies + 1):
        following = []
        for position in layer:
            state = position.state()
            if position.is_over or (int(state.own), int(state.all)) in seen:
                continue
            seen.add((int(state.own), int(state.all)))
            yield position
            following += [position.play_codes((move,)) for move in position.legal_codes]
        layer = following


# ---- Layers ----


def test_layers_hold_each_position_once_and_no_mirror_image() -> None:
    shape = shape_of(4, 5, 4)
    found: dict[int, set[int]] = {}
    for position in all_positions(SMALL, 6):
        state = position.state()
        key = int(keys_of(np.array([state.own]), np.array([state.all]), shape)[0])
        found.setdefault(len(position.history), set()).add(key)
    for layer in layers_of(shape, 6):
        assert set(layer.keys.tolist()) == found[layer.plies]
        assert (np.diff(layer.keys.astype(np.int64)) > 0).all()


def test_layers_of_connect_four_count_what_tromp_counted() -> None:
    shape = shape_of(6, 7, 4)
    counted = []
    for layer in layers_of(shape, 6):
        symmetric = int(
            (
                (mirrored(layer.own, shape) == layer.own)
                & (mirrored(layer.both, shape) == layer.both)
            ).sum()
        )
        counted.append(2 * len(layer) - symmetric)
    assert counted == [1, 7, 49, 238, 1120, 4263, 16422]


def test_a_key_gives_its_board_back() -> None:
    for layer in layers_of(shape_of(5, 4, 4), 6):
        own, both = boards_of_keys(layer.keys, layer.shape)
        assert (keys_of(own, both, layer.shape) == layer.keys).all()
        assert (np.bitwise_count(both) == layer.plies).all()


# ---- What a book says ----


def test_every_score_every_move_and_the_best_are_the_solvers(small: Book) -> None:
    solver = ConnectSolver(parse_game(SMALL), table_mb=16)
    for position in all_positions(SMALL, 4):
        moves = {move: answer.exact for move, answer in all_moves(solver, position).items()}
        assert small.score(position) == solver.solve(position).score.exact
        assert small.best_codes(position) == tuple(
            move
            for move, score in moves.items()
            if score == max(moves.values())  # type: ignore[type-var]
        )
        if len(position.history) < 4:
            assert small.moves(position) == moves
        for move, bounds in small.move_bounds(position).items():
            assert bounds is not None
            assert bounds[0] <= moves[move] <= bounds[1]  # type: ignore[operator]


def test_mirror_images_have_one_score(small: Book) -> None:
    for moves in ("1", "12", "2214", "1523"):
        image = "".join(str(6 - int(move)) for move in moves)
        assert (
            small.score(Position(SMALL).play(moves))
            == small.score(Position(SMALL).play(image))
            is not None
        )


def test_a_position_beyond_the_book_or_over_or_impossible_is_not_in_it(small: Book) -> None:
    assert small.score(Position(SMALL).play("112233")) is None
    assert small.moves(Position(SMALL).play("11223")) is None
    assert small.score(Position(SMALL).play("1212121")) is None
    with pytest.raises(BadPosition, match="this book is for connect4:4x5"):
        small.score(Position("connect4"))


def test_moves_that_end_the_game_need_no_entry(tmp_path: Path) -> None:
    path = tmp_path / "tiny.book"
    game = "connect:2x3x2"
    assert build_book(parse_game(game), 3, path, jobs=0, table_mb=1).complete
    book = BoundsBook(read_book(path), parse_game(game).game_string(), "tiny")
    solver = ConnectSolver(parse_game(game), table_mb=1)
    for position in all_positions(game, 3):
        assert book.score(position) == solver.solve(position).score.exact
        if len(position.history) < 3:
            assert book.moves(position) == {
                move: answer.exact for move, answer in all_moves(solver, position).items()
            }


def test_a_partial_book_has_sound_bounds_and_gaps_and_says_so(small_bytes: bytes) -> None:
    whole = from_bytes(small_bytes, "small")
    chosen = random.Random(3)
    answers = [
        [int(key), int(score)]
        for key, score in zip(whole.layers[4].keys, whole.lower[4], strict=True)
        if chosen.random() < 0.5
    ]
    part = with_answers(nothing_known(whole.shape, 5), answers)
    for plies in range(5):
        assert (part.lower[plies] <= whole.lower[plies]).all()
        assert (part.upper[plies] >= whole.upper[plies]).all()
    known, total = part.known(4)
    assert len(answers) <= known < total
    book = BoundsBook(part, parse_game(SMALL).game_string(), "part")
    scores = [book.score(position) for position in all_positions(SMALL, 4)]
    assert None in scores
    assert any(score is not None for score in scores)


def test_scores_that_contradict_each_other_are_noticed() -> None:
    known = nothing_known(shape_of(4, 5, 4), 1)
    known.lower[0][0] = known.upper[0][0] = 3
    for bounds in (known.lower[1], known.upper[1]):
        bounds[:] = 0
    with pytest.raises(Contradiction, match="contradict"):
        close(known)


# ---- The file ----


def test_a_book_is_read_as_it_was_written(small_bytes: bytes, tmp_path: Path) -> None:
    known = from_bytes(small_bytes, "small")
    write_whole(to_bytes(known), tmp_path / "again.book")
    assert (tmp_path / "again.book").read_bytes() == small_bytes == to_bytes(known)
    assert [file.name for file in tmp_path.iterdir()] == ["again.book"]


@pytest.mark.parametrize("part", ["magic", "version", "head", "body", "end of body", "checksum"])
def test_a_flipped_byte_is_noticed_wherever_it_is(small_bytes: bytes, part: str) -> None:
    places = {
        "magic": 3,
        "version": 12,
        "head": 20,
        "body": len(small_bytes) // 2,
        "end of body": len(small_bytes) - 33,
        "checksum": len(small_bytes) - 1,
    }
    for bit in range(8):
        damaged = bytearray(small_bytes)
        damaged[places[part]] ^= 1 << bit
        with pytest.raises(BadBook, match=r"damaged|not a book|newer"):
            from_bytes(bytes(damaged), "x")


def test_a_file_that_is_cut_short_or_too_long_is_noticed(small_bytes: bytes) -> None:
    for size in (*range(0, 100, 7), len(small_bytes) - 33, len(small_bytes) - 1):
        with pytest.raises(BadBook, match=r"damaged|not a book"):
            from_bytes(small_bytes[:size], "x")
    with pytest.raises(BadBook, match="damaged"):
        from_bytes(small_bytes + b"\0", "x")


def resealed(data: bytes) -> bytes:
    """The same with a checksum that fits: what a checksum cannot tell."""
    return data[:-32] + hashlib.sha256(data[:-32]).digest()


def test_a_wrong_content_with_a_right_checksum_is_refused(small_bytes: bytes) -> None:
    with pytest.raises(BadBook, match=r"newer mnkala \(format 2"):
        from_bytes(resealed(small_bytes.replace(b"mnkala book 1", b"mnkala book 2")), "x")
    with pytest.raises(BadBook, match="do not fit"):
        from_bytes(resealed(small_bytes.replace(b'"depth": 5', b'"depth": 99')), "x")
    with pytest.raises(BadBook, match=r"has 785 entries; boards of 5x4 have"):
        from_bytes(
            resealed(
                small_bytes.replace(b'"cols": 5', b'"cols": 4').replace(b'"rows": 4', b'"rows": 5')
            ),
            "x",
        )
    with pytest.raises(BadBook, match="cannot be read"):
        from_bytes(resealed(small_bytes.replace(b'"rows"', b'"rouw"')), "x")
    with pytest.raises(BadBook, match=r"has 0 entries; boards of 6x7 have at least 1 position"):
        from_bytes(
            resealed(
                b'mnkala book 1\n{"cols": 7, "depth": 16, "entries": 0, "line": 4, "rows": 6}\n'
                + bytes(32)
            ),
            "x",
        )
    body = small_bytes.index(b"}\n") + 2
    with pytest.raises(BadBook, match="scores that no position of 0 plies can have"):
        from_bytes(resealed(small_bytes[:body] + b"\x7f" + small_bytes[body + 1 :]), "x")


def test_a_damaged_book_is_told_and_left_aside(small_bytes: bytes) -> None:
    rules = parse_game(SMALL)
    path = own_path(parse_game(SMALL))
    assert open_book(rules) is None
    path.parent.mkdir(parents=True)
    path.write_bytes(small_bytes)
    book = open_book(rules)
    assert book is not None
    assert book.score(Position(rules)) == 0
    damaged = bytearray(small_bytes)
    damaged[300] ^= 4
    path.write_bytes(damaged)
    with pytest.warns(
        UserWarning,
        match=r"connect-4x5x4\.book is damaged: its checksum does not fit; it is not used",
    ):
        assert open_book(rules) is None
    path.write_bytes(to_bytes(nothing_known(shape_of(4, 4, 4), 2)))
    with pytest.warns(UserWarning, match="is a book for 4x4x4, not for 4x5x4"):
        assert open_book(rules) is None


def test_games_without_a_solver_have_no_book() -> None:
    assert open_book(parse_game("kalah:8x10")) is None
    assert open_book(parse_game("mnk:3x3x3")) is None
    assert open_book(parse_game("connect4:10x11")) is None


# ---- Building ----


def test_a_build_does_not_begin_with_a_damaged_file(small_bytes: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.book"
    path.write_bytes(small_bytes[:-7])
    with pytest.warns(UserWarning, match="damaged"):
        assert build_book(parse_game(SMALL), 4, path, jobs=0, table_mb=16).complete
    assert path.read_bytes() == small_bytes


def test_a_finished_build_does_nothing_and_a_smaller_one_loses_nothing(
    small_bytes: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "x.book"
    path.write_bytes(small_bytes)
    for plies in (4, 2):
        assert build_book(parse_game(SMALL), plies, path, jobs=0, table_mb=16).complete
        assert path.read_bytes() == small_bytes
    assert [file.name for file in tmp_path.iterdir()] == ["x.book"]


def test_a_book_grows_from_a_smaller_one_to_the_same_file(
    small_bytes: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "x.book"
    for plies in (1, 3, 4):
        assert build_book(parse_game(SMALL), plies, path, jobs=0, table_mb=16).complete
    assert path.read_bytes() == small_bytes


def test_plies_that_cannot_be_are_refused(tmp_path: Path) -> None:
    for plies in (-1, 20):
        with pytest.raises(MnkalaError, match=r"for connect4:4x5 it is 0 to 15"):
            build_book(parse_game(SMALL), plies, tmp_path / "x.book", jobs=0)
    with pytest.raises(
        MnkalaError,
        match=r"there are no opening books for kalah:8x10; there are opening books for Connect boards .* and for Kalah",
    ):
        books_for(parse_game("kalah:8x10"))


@pytest.fixture(scope="module")
def middle_bytes(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("book") / "middle.book"
    assert build_book(parse_game(MIDDLE), 4, path, jobs=0, table_mb=16).complete
    return path.read_bytes()


@pytest.mark.parametrize("how", [pytest.param("kill", marks=pytest.mark.slow), "interrupt"])
def test_a_build_that_is_interrupted_and_resumed_makes_the_same_file(
    how: str, middle_bytes: bytes, tmp_path: Path
) -> None:
    """By two workers, and then in this process."""
    if how == "interrupt" and os.name == "nt":
        pytest.skip("Windows sends no Ctrl-C to a single process")
    path = tmp_path / "x.book"
    arguments = ["book", "build", MIDDLE, "--plies", "4", "--out", str(path), "--jobs"]
    process = subprocess.Popen(
        [sys.executable, "-m", "mnkala", *arguments, "2"],
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    )
    _wait_for_rows(path.with_name("x.book.sqlite"), 3, process)
    if how == "kill":
        process.kill()
    else:
        process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=120)
    assert process.returncode, "the build was over before it could be interrupted"
    if how == "interrupt":
        assert process.returncode == 130
        assert "continue with: mnkala book build" in told
        assert "Traceback" not in told
        part = read_book(path)
        assert 0 < part.known(2)[0] <= part.known(2)[1] == 13
    assert run([*arguments, "0"]) == 0
    assert path.read_bytes() == middle_bytes
    assert [file.name for file in tmp_path.iterdir()] == ["x.book"]


def _wait_for_rows(store: Path, wanted: int, process: subprocess.Popen[str]) -> None:
    """Until so many results are kept, or the process is over."""

    def kept() -> int:
        with (
            contextlib.suppress(sqlite3.Error),
            contextlib.closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as base,
        ):
            return int(base.execute("SELECT count(*) FROM jobs").fetchone()[0])
        return 0

    wait_until(lambda: kept() >= wanted or process.poll() is not None, f"{wanted} results are kept")


# ---- The shipped book ----


@pytest.fixture(scope="module")
def shipped() -> Bounds:
    return read_book(shipped_path(parse_game("connect4")))


def test_the_shipped_book_is_whole_and_free_of_contradictions(shipped: Bounds) -> None:
    closed = close(shipped)
    assert to_bytes(closed) == shipped_path(parse_game("connect4")).read_bytes()


def test_the_shipped_book_has_all_scores_of_at_most_4_plies(shipped: Bounds) -> None:
    """The first moves' scores are known since Allis and Allen (1988) and Tromp: only the centre
    wins.
    """
    for plies in range(5):
        known, total = shipped.known(plies)
        assert known == total
    book = BoundsBook(shipped, "connect4", "shipped")
    assert book.score(Position("connect4")) == 1
    assert book.moves(Position("connect4")) == {0: -2, 1: -1, 2: 0, 3: 1, 4: 0, 5: -1, 6: -2}
    assert book.best_codes(Position("connect4")) == (3,)


def test_the_shipped_book_agrees_with_the_solver(shipped: Bounds) -> None:
    """Positions of 6 plies that are quickly solved: a player wins soon."""
    rules = parse_game("connect4")
    book = BoundsBook(shipped, rules.game_string(), "shipped")
    solver = ConnectSolver(rules, table_mb=64)
    soon = np.flatnonzero(shipped.exact(6) & (np.abs(shipped.lower[6]) > 12))
    own, both = boards_of_keys(shipped.layers[6].keys, shipped.shape)
    for place in random.Random(6).sample(soon.tolist(), min(30, len(soon))):
        position = Position(
            rules, literal=rules.literal(type(Position(rules).state())(own[place], both[place]))
        )
        assert book.score(position) == solver.solve(position).score.exact


def test_the_shipped_book_has_the_score_and_the_best_moves_of_every_position_of_at_most_six_plies(
    shipped: Bounds,
) -> None:
    for plies in range(7):
        assert shipped.exact(plies).all()
        assert (shipped.best_columns(plies) != 0).all()


# ---- bitbully-databases ----


def databases() -> DatabaseBook:
    try:
        importlib.metadata.version("bitbully-databases")
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("bitbully-databases is not installed: pip install 'mnkala[databases]'")
    book = open_databases(shape_of(6, 7, 4), "connect4")
    assert book is not None
    return book


def test_our_values_agree_with_the_databases(shipped: Bounds) -> None:
    book, rules = databases(), parse_game("connect4")
    ours = BoundsBook(shipped, rules.game_string(), "shipped")
    chosen = random.Random(12)
    exact = {plies: np.flatnonzero(shipped.exact(plies)).tolist() for plies in (5, 6, 7)}
    for plies, places in exact.items():
        own, both = boards_of_keys(shipped.layers[plies].keys, shipped.shape)
        for place in chosen.sample(places, min(12, len(places))):
            position = Position(
                rules, literal=rules.literal(type(Position(rules).state())(own[place], both[place]))
            )
            assert ours.score(position) == book.score(position), position.literal


def test_the_solver_agrees_with_the_databases() -> None:
    book, rules = databases(), parse_game("connect4")
    solver, chosen, agreed = ConnectSolver(rules, table_mb=64), random.Random(4), 0
    while agreed < 20:
        position = Position(rules)
        for _ in range(chosen.choice((11, 12))):
            if not position.is_over:
                position = position.play_codes((chosen.choice(position.legal_codes),))
        if not position.is_over:
            assert book.score(position) == solver.solve(position).score.exact, position.moves
            agreed += 1


def test_databases_reach_from_5_to_12_plies() -> None:
    book = databases()
    assert book.score(Position("connect4").play("4444")) is None
    assert book.score(Position("connect4").play("4444441212565")) is None
    assert book.score(Position("connect4").play("444444")) == 1
    assert book.moves(Position("connect4").play("444444")) == {0: -1, 1: 0, 2: 1, 4: 1, 5: 0, 6: -1}
    assert open_databases(shape_of(6, 6, 4), "connect4:6x6") is None


def test_the_shelf_asks_the_first_book_first(small: Book) -> None:
    class Loud(Book):
        game, name, unit, depth = small.game, "loud", "ply", 6

        def depth_of(self, position: Position) -> int:
            return len(position.history)

        def bounds(self, position: Position) -> tuple[int, int] | None:
            if len(position.history) <= 4:
                raise AssertionError("asked for what the first book knows")
            return (1, 1) if len(position.history) == 6 else None

    shelf = Shelf([small, Loud()])
    assert shelf.depth == 6
    assert shelf.score(Position(SMALL).play("1234")) == small.score(Position(SMALL).play("1234"))
    assert shelf.score(Position(SMALL).play("112233")) == 1


def test_a_damaged_database_is_told_and_left_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = np.array(
        [(-2124988676, 71), (-2124988484, -88)], dtype=[("code", ">i4"), ("result", "i1")]
    ).tobytes()
    path = tmp_path / "book.dat"
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    path.write_bytes(data)
    codes, results = read_records(path, digest)
    assert (codes.tolist(), results.tolist()) == ([-2124988676, -2124988484], [71, -88])
    path.write_bytes(data[:-1])
    with pytest.raises(BadBook, match="its checksum is not the one of the package"):
        read_records(path, digest)
    monkeypatch.setattr("mnkala.families.connect.book.books.database_file", lambda: (path, digest))
    _opened.cache_clear()
    with pytest.warns(UserWarning, match="it is not used"):
        assert open_databases(shape_of(6, 7, 4), "connect4") is None


def test_positions_are_encoded_as_the_databases_do() -> None:
    """Columns 2, 4 and 6 (with 4, 5 and 3 discs) of an example in the documentation of
    bitbully-databases, as bits by hand.
    """
    position = Position("connect4", literal="......./...x.../.x.o.../.o.x.o./.x.o.x./.o.x.o.")
    state = position.state()
    bits = "0" + "11101110" + "0" + "0" + "1011101110" + "0" + "0" + "111011" + "0" + "0" + "0"
    code = encoded(np.array([state.own]), np.array([state.all]), shape_of(6, 7, 4))[0]
    assert int(code) & 0xFFFFFFFF == int(bits, 2)


# ---- On the command line ----


def test_show_lists_every_move_with_its_score(
    small_bytes: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    own_path(parse_game(SMALL)).parent.mkdir(parents=True)
    own_path(parse_game(SMALL)).write_bytes(small_bytes)
    assert run(["book", "show", SMALL, "12"]) == 0
    shown = capsys.readouterr().out
    solver = ConnectSolver(parse_game(SMALL), table_mb=16)
    for move, answer in all_moves(solver, Position(SMALL).play("12")).items():
        line = next(
            line
            for line in shown.splitlines()
            if line[3:].split()[:1] == [str(move + 1)] and "  " in line[6:]
        )
        assert line.endswith(f"  {score_words(answer, parse_game(SMALL))}"), line
        assert f" {answer.exact:+d} " in line or (answer.exact == 0 and " 0 " in line)
    assert run(["book", "show", SMALL, "12", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert {move: entry["score"] for move, entry in told["moves"].items()} == {
        str(move + 1): answer.exact
        for move, answer in all_moves(solver, Position(SMALL).play("12")).items()
    }
    book = open_book(parse_game(SMALL))
    assert book is not None
    assert told["plies"] == book.depth, "not those of the score"
    assert run(["book", "show", SMALL, "112233"]) == 0
    assert "not in the book" in capsys.readouterr().out


def test_show_and_check_say_when_there_is_no_book(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("show", "check"):
        assert run(["book", command, "connect4:5x6"]) == 2
        assert (
            "there is no book for connect4:5x6; `mnkala book build connect4:5x6 --plies 4` makes one"
            in capsys.readouterr().err
        )
    assert run(["book", "show", "connect4:9x9"]) == 2
    assert "there are no opening books for connect4:9x9" in capsys.readouterr().err


def test_check_solves_entries_again_and_finds_a_wrong_one(
    small_bytes: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x.book"
    path.write_bytes(small_bytes)
    assert run(["book", "check", SMALL, "--file", str(path), "-n", "30"]) == 0
    assert "all agree" in capsys.readouterr().out
    lying = with_answers(
        nothing_known(shape_of(4, 5, 4), 2), [[int(layers_of(shape_of(4, 5, 4), 2)[2].keys[0]), 5]]
    )
    write_whole(to_bytes(lying), path)
    assert run(["book", "check", SMALL, "--file", str(path), "-n", "30"]) == 1
    assert "WRONG" in capsys.readouterr().out
    path.write_bytes(small_bytes[:-1])
    assert run(["book", "check", SMALL, "--file", str(path)]) == 2
    assert "is damaged: its checksum does not fit" in capsys.readouterr().err


@pytest.mark.slow
def test_a_build_on_a_cluster_makes_the_same_file(small_bytes: bytes, tmp_path: Path) -> None:
    """`test_jobs.py` shows on a small example that a cluster gives the same results."""
    if importlib.util.find_spec("distributed") is None:
        pytest.skip("the cluster test needs the package distributed, which is not installed")
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        path = tmp_path / "x.book"
        assert build_book(
            parse_game(SMALL), 4, path, cluster=cluster.scheduler_address, table_mb=16
        ).complete
    assert path.read_bytes() == small_bytes
