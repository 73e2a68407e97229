"""The built wheel alone, installed into an empty environment, plays a game and serves the page."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
import zipfile
from collections.abc import Sequence
from pathlib import Path

import httpx
import pytest

ROOT = Path(__file__).resolve().parent.parent


def run(*command: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {
        name: value for name, value in os.environ.items() if name != "PYTHONPATH"
    } | variables
    return subprocess.run(
        [str(word) for word in command],
        capture_output=True,
        text=True,
        timeout=600,
        env=environment,
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    built = run(sys.executable, "-m", "build", "--wheel", "--outdir", folder, ROOT)
    if built.returncode != 0 and "No matching distribution" in built.stdout + built.stderr:
        pytest.skip("the build tools cannot be downloaded here")
    assert built.returncode == 0, built.stdout + built.stderr
    (made,) = folder.glob("mnkala-*.whl")
    return made


def test_every_file_of_the_package_is_in_the_wheel_and_the_page_is_served_from_it(
    wheel: Path, tmp_path: Path
) -> None:
    source = ROOT / "src"
    with zipfile.ZipFile(wheel) as packed:
        assert set(packed.namelist()) >= {
            path.relative_to(source).as_posix()
            for path in (source / "mnkala").rglob("*")
            if path.is_file() and "__pycache__" not in path.parts
        }
        packed.extractall(tmp_path / "unpacked")
    assert page_of(
        [sys.executable, "-m", "mnkala"], tmp_path, PYTHONPATH=str(tmp_path / "unpacked")
    ).startswith("<!doctype html>")


@pytest.mark.slow
def test_the_wheel_alone_plays_a_game_in_an_empty_environment(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "empty", with_pip=False)
    scripts = tmp_path / "empty" / ("Scripts" if os.name == "nt" else "bin")
    installed = run(
        sys.executable,
        "-m",
        "pip",
        "--python",
        scripts / "python",
        "install",
        "--quiet",
        "--no-compile",
        "--constraint",
        ROOT / "constraints.txt",
        wheel,
    )
    assert installed.returncode == 0, installed.stderr
    played = run(
        scripts / "mnkala",
        "play",
        "connect4",
        "--first",
        "alphabeta:depth=3",
        "--second",
        "random:seed=2",
        MNKALA_CACHE_DIR=str(tmp_path / "cache"),
    )
    assert played.returncode == 0, played.stderr
    assert "x (alphabeta:depth=3) wins." in played.stdout
    assert page_of([scripts / "mnkala"], tmp_path).startswith("<!doctype html>")
    found = run(
        scripts / "python",
        "-c",
        WHAT_COMES_ALONG,
        MNKALA_CACHE_DIR=str(tmp_path / "cache"),
        MNKALA_DATA_DIR=str(tmp_path),
    )
    assert found.returncode == 0, found.stderr
    assert found.stdout.split() == [
        "book",
        "180",
        "fair",
        "openings",
        "words",
        "study",
        "report",
        "starter",
        "missing",
    ]


WHAT_COMES_ALONG = """
from mnkala import Position, parse_game
from mnkala.solve.books import open_book
rules = parse_game("connect4")
print("book" if open_book(rules).bounds(Position(rules).play("44")) else "-")
from importlib.resources import files
print(len(files("mnkala.families.connect").joinpath("data/puzzles/connect4.jsonl").read_text().splitlines()))
from mnkala.play.fair_starts import ready_fair_starts
print("fair" if ready_fair_starts("kalah") else "-")
from mnkala.arena.openings import shipped_set
print("openings" if shipped_set(parse_game("gomoku")) else "-")
from mnkala.explain.words import say
print("words" if say("play.hint", "it") != "play.hint" else "-")
print("study" if any(each.name.endswith(".toml") for each in files("mnkala.lab").joinpath("studies").iterdir()) else "-")
from mnkala.lab import load
print("report" if load("pruning", "shipped").finding else "-")
print("starter" if any(files("mnkala.school").joinpath("starter").iterdir()) else "-")
from mnkala.errors import MnkalaError
for module in ("pettingzoo", "open_spiel"):
    try: __import__(f"mnkala.adapters.{module}")
    except MnkalaError as error: assert f"pip install 'mnkala[{module.replace('_', '-')}]'" in str(error)
    else: raise AssertionError(module)
print("missing")
"""
"""What a user of the wheel has: the book, puzzles, fair starts, openings, words, studies, the
report in words and starters; and a word on extras.
"""


def page_of(program: Sequence[str | Path], folder: Path, **variables: str) -> str:
    """The page and its words as the installed program serves them."""
    environment = {
        name: value for name, value in os.environ.items() if name != "PYTHONPATH"
    } | variables
    environment |= {"MNKALA_DATA_DIR": str(folder)}
    server = subprocess.Popen(
        [*map(str, program), "web", "--no-browser", "--no-compile-ahead", "--port", "0"],
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
        cwd=folder,
    )
    try:
        assert server.stdout is not None
        address = "http://" + server.stdout.readline().split("http://")[1].split("/")[0]
        assert "play.hint" in httpx.get(f"{address}/api/v1/words/it").json()
        assert httpx.get(f"{address}/app.js").status_code == 200
        return httpx.get(address).text.lower()
    finally:
        server.terminate()
        server.communicate(timeout=120)
