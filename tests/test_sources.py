"""Digests of code: which edits make a result stale, and which do not."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

from mnkala import sources
from mnkala.core import Position
from mnkala.families.connect.studies import parity
from mnkala.lab.studies import mcts
from mnkala.play import engine_game

CODE = '''"""A module."""
import math

__all__ = ["area"]
FACTOR, OFFSET = 2, 3


def area(radius: float) -> float:
    """Of a circle."""
    return FACTOR * math.pi * radius  # not squared


class Board:
    """A board."""

    size: int = 3

    def cells(self) -> int:
        from fractions import Fraction

        return self.size * Fraction(self.size)
'''


def digest_of(folder: Path, **files: str) -> str:
    folder.mkdir()
    for name, text in files.items():
        (folder / name.replace("_json", ".json")).with_suffix(
            ".json" if name.endswith("_json") else ".py"
        ).write_text(text)
    return sources.code_digest(frozenset([folder]), ())


@pytest.fixture
def before(tmp_path: Path) -> str:
    return digest_of(tmp_path / "before", one=CODE)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"""A module."""', '"""What a module is for."""'),
        ('"""Of a circle."""', ""),
        ("  # not squared", ""),
        ("import math", "import cmath"),
        ("radius: float) -> float", "radius)"),
        ('["area"]', '["area", "Board"]'),
        ("from fractions", "from decimal"),
        (
            "FACTOR, OFFSET = 2, 3",
            "if TYPE_CHECKING:\n    import numpy\nFACTOR, OFFSET = (\n    2, 3)",
        ),
    ],
)
def test_what_does_not_run_may_be_edited(tmp_path: Path, before: str, old: str, new: str) -> None:
    assert old in CODE
    assert digest_of(tmp_path / "after", one=CODE.replace(old, new)) == before


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("2, 3", "2, 4"),
        ("* radius", "* radius ** 2"),
        ("area(", "surface("),
        ("size: int", "size: float"),
        ("self.size * ", "self.size + "),
        (" = 3", " = True"),
    ],
)
def test_edited_code_is_other_code(tmp_path: Path, before: str, old: str, new: str) -> None:
    assert old in CODE
    assert digest_of(tmp_path / "after", one=CODE.replace(old, new)) != before


def test_it_does_not_matter_in_which_module_a_definition_lies_nor_in_which_order(
    tmp_path: Path, before: str
) -> None:
    head, tail = CODE.split("class Board")
    assert (
        digest_of(
            tmp_path / "two", one=f"class Board{tail}", other=f"from two import Board\n{head}"
        )
        == before
    )
    assert digest_of(tmp_path / "twice", one=CODE, other=head) != before


def test_data_count_by_their_content(tmp_path: Path, before: str) -> None:
    ladder = digest_of(tmp_path / "ladder", one=CODE, ladder_json="{}")
    assert ladder != before
    assert ladder == digest_of(tmp_path / "moved", one=CODE, levels_json="{}")
    assert ladder != digest_of(tmp_path / "edited", one=CODE, ladder_json="[]")


def test_a_function_is_made_of_what_it_uses_wherever_that_lies() -> None:
    def modules(*functions: object) -> set[str]:
        reached = sources._reached(functions, frozenset())  # type: ignore[arg-type]
        return {
            file.stem
            for file in sources.PACKAGE.rglob("*.py")
            for each in sources._module(file).statements
            if each.hash in reached
        }

    assert {"mcts", "measuring", "series", "position", "judging"} <= modules(mcts.mcts_strength)
    assert not {"regression", "parity", "ladder"} & modules(mcts.mcts_strength)
    assert "matches" not in modules(parity.parity)
    assert {"engine_game", "game_state", "clock"} <= modules(engine_game.play_game)


def test_a_function_of_a_file_of_ones_own_counts_with_what_it_takes_from_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    digests = set()
    for name, text in (
        ("own_one", "return 1"),
        ("own_two", "return 2"),
        ("own_three", "return read_decimal(x)"),
        ("own_same", "return 1 # once"),
    ):
        (tmp_path / f"{name}.py").write_text(
            f"from mnkala.numbers import read_decimal\ndef count(x):\n    {text}\n"
        )
        digests.add(sources.code_digest(frozenset(), (importlib.import_module(name).count,)))
        del sys.modules[name]
    assert len(digests) == 3


def test_a_class_lies_in_its_package_or_in_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert sources.place_of(Position) == sources.PACKAGE / "core"
    assert sources.place_of(int) is sources.place_of(Path) is None
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "own_game.py").write_text("class Own:\n    pass\n")
    assert sources.place_of(importlib.import_module("own_game").Own) == tmp_path / "own_game.py"
    del sys.modules["own_game"]


def test_the_parts_of_the_engine_are_there() -> None:
    assert all(sources._files_in(place) for place in sources.ENGINE)
