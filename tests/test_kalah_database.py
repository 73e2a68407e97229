"""The endgame database of Kalah: right in every entry, the same file however it came about, never
believed where it is damaged.
"""

from __future__ import annotations

import hashlib
import os
import random
import signal
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

from mnkala import Position
from mnkala.families.kalah.rules import Kalah
from mnkala.families.kalah.solver.board import board_for, number_of, positions_up_to
from mnkala.families.kalah.solver.database import (
    DIGEST,
    LINE,
    PAGE,
    BadDatabase,
    build_database,
    database_path,
    layer_bounds,
    open_database,
    rows_of,
)
from mnkala.families.kalah.solver.solver import KalahSolver
from mnkala.search.limit import Stop
from tests.command_line import mnkala
from tests.kalah_claims import to_come

RULES = [Kalah(3, 2), Kalah(2, 3, standard=True), Kalah(4, 3, standard=True)]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where databases are kept meanwhile."""
    monkeypatch.setenv("MNKALA_CACHE_DIR", str(tmp_path))
    return tmp_path


KERNELS = dict(os.environ)
"""The environment with the folder of compiled kernels."""


def counts(row: np.uint64, houses: int) -> tuple[int, ...]:
    return tuple(int(row) >> 8 * house & 255 for house in range(houses))


# ---- Margins ----


@pytest.mark.parametrize(("rules", "seeds"), [(RULES[0], 9), (RULES[1], 12), (RULES[2], 7)])
def test_every_entry_is_the_margin_of_trying_everything(rules: Kalah, seeds: int) -> None:
    database, place = build_database(rules, seeds), 0
    for total in range(2, seeds + 1):
        for mine in range(1, total):
            for own in rows_of(rules.houses, mine):
                for other in rows_of(rules.houses, total - mine):
                    expected = to_come(
                        (counts(own, rules.houses), counts(other, rules.houses)), 0, rules.standard
                    )
                    assert database.margins[place] == expected
                    place += 1
    assert place == len(database.margins) == positions_up_to(seeds, board_for(rules))


@pytest.mark.parametrize("standard", [False, True])
def test_samples_of_each_layer_are_what_the_search_finds(standard: bool) -> None:
    rules, chance = Kalah(6, 4, standard), random.Random(1)
    database, solver, board = (
        build_database(rules, 9),
        KalahSolver(rules, table_mb=16, database=False),
        board_for(rules),
    )
    for seeds in range(2, 10):
        for _ in range(12):
            mine = chance.randrange(1, seeds)
            own, other = (chance.choice(rows_of(6, total)) for total in (mine, seeds - mine))
            literal = f"<6,0,0,{','.join(map(str, counts(own, 6) + counts(other, 6)))}>"
            with np.errstate(over="ignore"):
                margin = database.margins[number_of(own, other, board)]
            assert solver.solve(Position(rules, literal=literal)).score.exact == margin


# ---- Files ----


def test_a_build_in_parts_or_by_more_threads_gives_the_same_file_to_the_byte() -> None:
    rules = RULES[0]
    build_database(rules, 10, threads=2)
    whole = database_path(rules).read_bytes()
    database_path(rules).unlink()
    for seeds in (4, 7, 10):
        build_database(rules, seeds, threads=1)
    assert database_path(rules).read_bytes() == whole
    told: list[tuple[int, int]] = []
    build_database(rules, 10, report=lambda done, total: told.append((done, total)))
    assert told == [(len(whole) - PAGE, len(whole) - PAGE)], "there was nothing to do"


def test_a_stopped_build_keeps_whole_layers_and_goes_on() -> None:
    rules, stop = RULES[0], Stop()

    def stop_half_way(done: int, total: int) -> None:
        if done > total // 2:
            stop.set()

    build_database(rules, 12)
    whole = database_path(rules).read_bytes()
    database_path(rules).unlink()
    assert 2 <= build_database(rules, 12, stop=stop, report=stop_half_way).seeds < 12
    assert build_database(rules, 12).seeds == 12
    assert database_path(rules).read_bytes() == whole


ELSEWHERE = """
import os, sys, time
from mnkala.families.kalah.rules import Kalah
from mnkala.families.kalah.solver.database import build_database  # with the kernels that are compiled already
os.environ["MNKALA_CACHE_DIR"] = sys.argv[1]
"""
KILLED = (
    ELSEWHERE
    + """
build_database(Kalah(5, 3), 16, report=lambda done, total: print(done, flush=True))
"""
)


def test_a_killed_build_is_resumed_to_the_same_file(folder: Path) -> None:
    rules = Kalah(5, 3)
    build_database(rules, 12)
    whole = database_path(rules).read_bytes()
    database_path(rules).unlink()
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, str(folder)], env=KERNELS, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if int(line) > 10_000:
                break
        process.send_signal(signal.SIGKILL if sys.platform != "win32" else signal.SIGTERM)
        process.wait()
    build_database(rules, 12)
    found = database_path(rules).read_bytes()
    if len(found) > len(whole):  # it was quicker than the kill: more layers than were asked for
        end = LINE + DIGEST * 11
        found = found[:end] + bytes(PAGE - end) + found[PAGE : len(whole)]
    assert found == whole


@pytest.mark.parametrize(
    "damage",
    ["a flipped margin", "cut short", "more behind", "another checksum", "another line", "no page"],
)
def test_what_is_damaged_is_noticed_told_and_mended(damage: str) -> None:
    rules = RULES[2]
    build_database(rules, 8)
    path = database_path(rules)
    whole = path.read_bytes()
    start, _ = layer_bounds(6, board_for(rules))
    broken = {
        "a flipped margin": whole[: PAGE + start + 5]
        + bytes([whole[PAGE + start + 5] ^ 1])
        + whole[PAGE + start + 6 :],
        "cut short": whole[:-3],
        "more behind": whole + b"more",
        "another checksum": whole[: LINE + 4 * DIGEST]
        + hashlib.sha256(b"").digest()
        + whole[LINE + 5 * DIGEST :],
        "another line": b"X" + whole[1:],
        "no page": whole[:100],
    }[damage]
    path.write_bytes(broken)
    with pytest.warns(
        UserWarning,
        match="damaged or unfinished: it is used up to . seeds; `mnkala kalah database kalah:4x1,standard` mends it",
    ):
        known = open_database(rules)
    least = {"a flipped margin": 5, "cut short": 7, "more behind": 8, "another checksum": 5}.get(
        damage, 0
    )
    assert known.seeds == least, (
        "what comes before the damage is right, and nothing else is believed"
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert build_database(rules, 8).seeds == 8
    assert path.read_bytes() == whole


def test_what_cannot_be_built_or_read_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(BadDatabase, match="2 to 24 can be built"):
        build_database(RULES[0], 25)
    assert open_database(RULES[0]).seeds == 0, "there is none"
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("MNKALA_CACHE_DIR", str(tmp_path / "file"))
    with pytest.raises(BadDatabase, match="cannot be written"):
        build_database(RULES[0], 4)


BUILDING = (
    ELSEWHERE
    + """
build_database(Kalah(3, 2), 8, report=lambda done, total: (print(done, flush=True), time.sleep(60)))
"""
)


def test_two_at_once_do_not_write_into_each_others_file(folder: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", BUILDING, str(folder)],
        env=KERNELS,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        with pytest.raises(BadDatabase, match="another mnkala is building"):
            build_database(RULES[0], 8)
        process.kill()
    assert build_database(RULES[0], 8).seeds == 8


# ---- The command ----


def test_the_command_builds_extends_mends_and_refuses() -> None:
    made = mnkala("kalah", "database", "kalah:3x4", "--seeds", "6")
    assert (made.returncode, made.stderr) == (0, "")
    assert "positions of up to 6 seeds" in made.stdout
    path = database_path(Kalah(3, 4))
    assert str(path) in made.stdout
    path.write_bytes(path.read_bytes()[:-1])
    assert (
        "positions of up to 8 seeds"
        in mnkala("kalah", "database", "kalah:3x4", "--seeds", "8").stdout
    )
    assert open_database(Kalah(3, 4)).seeds == 8
    for arguments, message in (
        (("connect4",), "there are for Kalah"),
        (("kalah", "--seeds", "25"), "2 to 24 can be built"),
    ):
        refused = mnkala("kalah", "database", *arguments)
        assert refused.returncode != 0
        assert message in refused.stderr
