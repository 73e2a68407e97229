"""The engine `auto`: the strongest search of a game, which its rules name."""

from __future__ import annotations

import pytest

from mnkala.core import Position, parse_game
from mnkala.errors import BadEngine
from mnkala.explain.chances import chance
from mnkala.explain.inspection import hint_engine
from mnkala.families.lines.rules import Mnk
from mnkala.play.levels import LEVELS, engine_of_level
from mnkala.play.warmup import step_for
from mnkala.search import Analysis, Score, parse_engine
from mnkala.search.auto import resolved


def said(analysis: Analysis) -> tuple[object, ...]:
    return analysis.engine, analysis.line_codes, analysis.score, analysis.moves, analysis.nodes


@pytest.mark.parametrize(
    ("game", "moves", "search"),
    [
        ("gomoku:9", "e5e6f5f6", "threats"),
        ("connect4", "4455", "deepening"),
        ("kalah", "36", "sowing"),
    ],
)
def test_it_says_what_the_search_of_the_game_says_and_by_whose_name(
    game: str, moves: str, search: str
) -> None:
    position = Position(game).play(moves)
    found = parse_engine("auto:nodes=500").analyse(position)
    assert found.engine == f"{search}:nodes=500"
    assert said(found) == said(parse_engine(f"{search}:nodes=500").analyse(position))


def test_it_needs_what_that_search_needs() -> None:
    for game in ("gomoku", "connect4", "kalah"):
        rules = parse_game(game)
        auto, real = parse_engine("auto").search, parse_engine(rules.search).search
        assert auto.kernel_key(rules) == real.kernel_key(rules)
        assert auto.described(rules) == real.described(rules)
        assert step_for(auto, rules).label == f"{game}, {rules.search}"


def test_its_threads_are_those_of_the_search_if_that_has_any(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    engine = parse_engine("auto:threads=2,time=1")
    assert str(resolved(engine, parse_game("gomoku"))) == "threats:threads=2,time=1.0"
    assert str(resolved(engine, parse_game("kalah"))) == "sowing:threads=2,time=1.0"
    monkeypatch.setattr(Mnk, "search", "greedy")
    assert str(resolved(engine, parse_game("gomoku"))) == "greedy:time=1.0"
    with pytest.raises(BadEngine, match="3 threads; auto runs on 1 to 2"):
        parse_engine("auto:threads=3")


@pytest.mark.parametrize("name", ["nonsense", "auto"])
def test_rules_that_name_no_search_are_told_which_there_are(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(Mnk, "search", name)
    with pytest.raises(
        BadEngine,
        match=f"gomoku names '{name}' as its strongest search; searches are alphabeta, budget, deepening",
    ):
        parse_engine("auto").search.check(parse_game("gomoku"))


@pytest.mark.parametrize(
    ("game", "search"),
    [
        ("mnk:20x20x16", "threats"),
        ("mnk:20x20x17", "deepening"),
        ("mnk:20x20x15,exact", "threats"),
        ("mnk:20x20x16,exact", "deepening"),
    ],
)
def test_where_that_search_refuses_the_board_it_is_the_one_for_any_game(
    game: str, search: str
) -> None:
    """A line of 17 or more did not fit the words of `threats`, and empty boards were proved to be
    won.
    """
    rules = parse_game(game)
    assert {
        resolved(parse_engine(engine), rules).search.name for engine in ("auto", "auto:threads=2")
    } == {search}
    assert (
        step_for(parse_engine(engine_of_level("5", rules)).search, rules).label
        == f"{game}, {search}"
    )
    assert hint_engine(rules).search.described(rules).startswith(search)


def test_its_values_are_read_as_those_of_the_search_that_plays() -> None:
    short, long = (
        chance(Score.opinion(600, 0), Position(game), "auto")
        for game in ("mnk:20x20x16", "mnk:20x20x17")
    )
    assert short == pytest.approx(0.73, abs=0.01)
    assert long == chance(Score.opinion(600, 0), Position("mnk:20x20x17"), "deepening") < short


def test_gomoku_is_played_and_explained_by_it() -> None:
    rules = parse_game("gomoku")
    assert hint_engine(rules).search.name == "auto"
    assert {
        step_for(parse_engine(engine_of_level(level, rules)).search, rules).label
        for level in LEVELS
    } == {"gomoku, threats"}
