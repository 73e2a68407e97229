"""Families of games are plug-ins: nobody outside their folders, and no part of the page, knows one
by its class or by its name.
"""

from __future__ import annotations

import ast
import dataclasses
import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import mnkala
import mnkala.families
from mnkala.core.family import Family
from mnkala.core.plugins import PluginWarning
from mnkala.core.registry import (
    GameName,
    families,
    forgetting,
    game_names,
    parse_game,
    register_family,
)
from mnkala.explain.contract import explanations_of
from mnkala.explain.words import words
from mnkala.native.objects import is_foreign
from mnkala.play.puzzle_contract import PuzzleFamily
from mnkala.play.puzzles import offered_puzzles
from mnkala.web.serialise import _puzzles

PACKAGE = Path(mnkala.__file__).parent
STATIC = PACKAGE / "web" / "static"
OURS = [name for name in game_names() if not is_foreign(type(parse_game(name.example)).__module__)]
NAMES = {name.name for name in OURS}
ORDINARY = {"connect", "lines"}
"""Names that are common words too."""
ABOUT_GAMES = ("lab/studies", "school")
"""Studies and exercises are texts on certain games, as the docs are."""


def sources() -> Iterator[tuple[str, ast.Module]]:
    for file in sorted(PACKAGE.rglob("*.py")):
        name = file.relative_to(PACKAGE).as_posix()
        if not name.startswith(("families/", *ABOUT_GAMES)):
            yield name, ast.parse(file.read_text(encoding="utf-8"))


def test_the_page_names_no_game() -> None:
    shown = {words("en").get(f"game.{name}.name", name) for name in NAMES}
    pattern = re.compile(
        rf"\b(?:{'|'.join(map(re.escape, (NAMES | shown) - ORDINARY))})\b|[\"'`](?:{'|'.join(ORDINARY)}):",
        re.IGNORECASE,
    )
    found = {
        file.name: hit[0]
        for file in sorted(STATIC.iterdir())
        if file.suffix in (".js", ".html", ".css")
        and (hit := pattern.search(file.read_text(encoding="utf-8")))
    }
    assert not found


def test_nobody_outside_the_families_asks_for_a_class_of_one() -> None:
    modules = [
        importlib.import_module(family.__module__).__name__
        for family in map(type, families())
        if not is_foreign(family.__module__)
    ]
    inside = [
        each.name
        for name in modules
        for each in pkgutil.iter_modules(importlib.import_module(name).__path__, f"{name}.")
    ]
    classes = {
        cls.__name__
        for name in (*modules, *inside)
        for cls in vars(importlib.import_module(name)).values()
        if inspect.isclass(cls) and cls.__module__.startswith("mnkala.families.")
    }
    assert {rules.__name__ for family in families() for rules in family.rules} & classes
    found = {}
    for file, tree in sources():
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in ("isinstance", "issubclass")
            ):
                asked = {
                    part.id if isinstance(part, ast.Name) else part.attr
                    for part in ast.walk(node.args[1])
                    if isinstance(part, ast.Name | ast.Attribute)
                }
                if asked & classes:
                    found[f"{file}:{node.lineno}"] = asked & classes
    assert not found


def test_there_is_no_list_of_games() -> None:
    found = {}
    for file, tree in sources():
        for node in ast.walk(tree):
            if not isinstance(node, ast.Dict | ast.Tuple | ast.List | ast.Set):
                continue
            parts = node.keys if isinstance(node, ast.Dict) else node.elts
            texts = {
                part.value
                for part in parts
                if isinstance(part, ast.Constant) and isinstance(part.value, str)
            }
            named = {text.split(":")[0] for text in texts} & NAMES
            if len(named) > 1:
                found[f"{file}:{node.lineno}"] = named
    assert not found


@pytest.mark.parametrize("puzzles", offered_puzzles(), ids=lambda puzzles: puzzles.game)
def test_a_family_brings_the_texts_of_its_puzzles(puzzles: PuzzleFamily[Any]) -> None:
    kinds = [goal for goal in puzzles.offered if isinstance(goal, str)]
    needed = {"about", *(f"{goal}.{text}" for goal in kinds for text in ("name", "find"))}
    assert {f"{puzzles.texts}.{text}" for text in needed} <= words("en").keys()
    rules = parse_game(puzzles.game)
    assert puzzles.fits(rules)


def test_a_family_names_the_unit_of_its_margins_and_its_examples() -> None:
    for name in OURS:
        stem = explanations_of(parse_game(name.example)).margin_texts
        assert {f"{stem}.{text}" for text in ("count", "gave", "given")} <= words("en").keys()
    for family in families():
        for called, example in family.examples.items():
            assert parse_game(example.game).parse_moves(example.moves) is not None
            assert not example.depth or f"{family.name}.example.{called}" in words("en")


@pytest.mark.parametrize("name", OURS, ids=lambda name: name.name)
def test_the_sizes_that_a_game_has_unless_told_are_those_of_its_name_alone(name: GameName) -> None:
    if name.sizes:
        usual = parse_game(name.name).game_string()
        assert parse_game(f"{name.name}:{'x'.join(map(str, name.sizes))}").game_string() == usual


def test_a_plug_in_with_broken_puzzles_does_not_keep_the_page_from_starting() -> None:
    @dataclasses.dataclass(frozen=True)
    class Game(type(parse_game("tictactoe"))):  # type: ignore[misc]
        """A game of a family that breaks."""

    class Broken(Family):
        rules = (Game,)

        def puzzles(self) -> tuple[PuzzleFamily[Any], ...]:
            raise OSError("no disk")

    with forgetting():
        register_family(Broken())
        with pytest.warns(PluginWarning, match="no disk"):
            assert _puzzles(Game(3, 3, 3)) is None
