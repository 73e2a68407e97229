"""The conformance suite: every board passes it, and each broken clause is found and named."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from mnkala import GOING_ON, Position, Rules, game, parse_engine, parse_game
from mnkala.core.rules import ENDLESS
from mnkala.errors import BadPlugin
from mnkala.search import conformance
from mnkala.search.conformance import check_rules, rules_of
from tests.games_to_check import ArrayNim, Nim, Pile
from tests.reference import random_position

BOARDS = [
    "connect4",
    "connect4:10x11",
    "connect:8x9x5",
    "connect:3x3x3",
    "connect4:20x20",
    "connect:1x5x2",
    "connect:30x2x3",
    "connect4:7x8",
    "connect:15x16x4",
]
"""Of Connect; those of the other games are checked in test_mnk and test_kalah."""


@pytest.mark.parametrize("text", BOARDS)
def test_every_board_keeps_the_contract(text: str) -> None:
    assert [finding for finding in check_rules(parse_game(text)) if finding.problem] == []


@pytest.mark.parametrize("cls", [pytest.param(Nim, marks=pytest.mark.slow), ArrayNim])
def test_a_users_own_game_keeps_the_contract_and_is_searched(cls: type[Rules]) -> None:
    assert [finding for finding in check_rules(rules_of(cls)) if finding.problem] == []
    for stones in range(1, 9):
        score = parse_engine("alphabeta:depth=20").analyse(Position(f"{cls.name}:{stones}")).score
        assert score is not None
        assert (score.kind, score.result) == ("exact", "win" if stones % 4 else "loss")


def broken(**methods: Callable[..., Any]) -> Rules:
    """A game of Nim with some methods replaced."""
    cls: Any = type(
        "BrokenNim",
        (Nim,),
        {
            "__annotations__": {"stones": int},
            "__module__": __name__,
            "stones": 9,
            "name": "testbroken",
            **methods,
        },
    )
    rules: Rules = game(cls)()
    return rules


def broken_array(**methods: Callable[..., Any]) -> Rules:
    """The game in an array with some methods replaced."""
    cls: Any = type(
        "BrokenArrayNim",
        (ArrayNim,),
        {
            "__annotations__": {"stones": int},
            "__module__": __name__,
            "stones": 9,
            "name": "testbroken",
            **methods,
        },
    )
    rules: Rules = game(cls)()
    return rules


counter = itertools.count()


@pytest.mark.parametrize(
    ("make", "clause", "words"),
    [
        (lambda: broken(start=lambda self: [1, 2]), "start", "a tuple of numbers or arrays"),
        (
            lambda: broken(start=lambda self: Pile(np.int64(next(counter)), np.int64(0))),
            "start",
            "different state each time",
        ),
        (lambda: broken(result=lambda self, state: 1), "start", "over before it began"),
        (lambda: broken(most_moves=lambda self: 1), "random games", "most_moves"),
        (lambda: broken(longest_game=lambda self: 2), "random games", "longest_game"),
        (lambda: broken(move_codes=lambda self: 1 << 20), "random games", "move_codes"),
        (lambda: broken(moves=lambda self, state, out: 0), "random games", "gives 0 moves"),
        (
            lambda: broken(moves=lambda self, state, out: out.__setitem__(slice(0, 2), 0) or 2),
            "random games",
            "a move twice",
        ),
        (
            lambda: broken(moves=lambda self, state, out: out.__setitem__(0, -5) or 1),
            "random games",
            "numbers from 0",
        ),
        (
            lambda: broken(
                moves=lambda self, state, out: out.__setitem__(slice(0, 3), [0, 1, 2]) or 1
            ),
            "random games",
            "writes more",
        ),
        (lambda: broken(random_move=lambda self, state, word, out: 7), "choices", "is not legal"),
        (
            lambda: broken(is_legal=lambda self, state, move: move >= 0),
            "choices",
            "is_legal() does not agree with moves()",
        ),
        (
            lambda: broken(moves=lambda self, state, out: 1 / 0),
            "random games",
            "ZeroDivisionError in <lambda>",
        ),
        (
            lambda: broken(
                play=lambda self, state, move: Pile._make(
                    map(int, (state.stones - move - 1, 1 - state.mover))
                )
            ),
            "types",
            "changes the types",
        ),
        (lambda: broken_array(undo=lambda self, state, move: None), "undo", "does not restore"),
        (lambda: broken_array(copy=lambda self, state: state), "copy", "shares an array"),
        (lambda: broken(mover=lambda self, state: 2), "mover", "players are 0 and 1"),
        (
            lambda: broken(result=lambda self, state: -7 if state.stones == 0 else GOING_ON),
            "result",
            "lie between -1 and 1",
        ),
        (
            lambda: broken(exact_score=lambda self, state, margin, plies: -margin),
            "result",
            "the sign must stay",
        ),
        (
            lambda: broken(key=lambda self, state: np.uint64(7)),
            "key",
            "same for positions that differ",
        ),
        (lambda: broken(key=lambda self, state: 7), "key", "must return np.uint64"),
        (lambda: broken(prior=lambda self, state, move: 5000), "prior", "between 0 and 1000"),
        (lambda: broken(move_text=lambda self, move: "x"), "notation", "is not a move"),
        (lambda: broken(moves_text=lambda self, moves: "1 2 3"), "notation", "not read back"),
        (lambda: broken(cell=lambda self, state, row, column: 9), "picture", "not 0 "),
        (
            lambda: broken(game_string=lambda self: "connect4"),
            "game string",
            "read back as 'connect4' of Connect",
        ),
        (lambda: broken(literal=lambda self, state: "here"), "literal", "no position literal"),
    ],
)
def test_each_broken_clause_is_named(make: Callable[[], Rules], clause: str, words: str) -> None:
    found = next(finding for finding in check_rules(make()) if finding.problem)
    assert found.clause.startswith(clause)
    assert found.problem
    assert words in found.problem


def test_a_game_that_compiles_to_something_else_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unsigned numbers that plain Python would not wrap are the usual way for compiled rules to
    differ.
    """
    monkeypatch.setattr(conformance, "replay", lambda rules, state, moves, out, buffer: out.fill(3))
    monkeypatch.setattr(
        conformance, "plain", lambda function: lambda rules, state, moves, out, buffer: out.fill(4)
    )
    problems = [finding.problem for finding in check_rules(Nim()) if finding.problem]
    assert problems
    assert "in plain Python but 3 compiled" in str(problems[0])


def test_a_game_that_never_returns_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conformance, "SECONDS_PER_CLAUSE", 0.3)
    going = [True]

    def stuck(self: Any, state: Any, out: Any) -> int:
        while going[0]:
            pass
        return 1

    findings = list(check_rules(broken(moves=stuck)))
    going[0] = False
    assert findings[-1].problem == "did not return within 0 seconds"


def test_classes_that_are_no_games_are_refused() -> None:
    class Unregistered(Nim):
        pass

    with pytest.raises(BadPlugin, match=r"must derive from mnkala.Rules"):
        rules_of(int)
    with pytest.raises(BadPlugin, match=r"@mnkala.game"):
        rules_of(Unregistered)
    with pytest.raises(BadPlugin, match="small letters"):
        game(type("Loud", (Nim,), {"name": "LOUD GAME", "__module__": __name__}))


@pytest.mark.parametrize(
    "game",
    [
        "gomoku",
        "mnk:5x7x3",
        "mnk:5x5x4,exact",
        "connect4",
        "connect:5x6x3",
        "connect4:10x11",
        "kalah",
        "kalah:8x3,standard",
    ],
)
def test_a_playout_is_random_moves_one_by_one(game: str) -> None:
    """The same moves by the same words: so playouts are as uniform as random moves are."""
    for seed in range(12):
        position = random_position(game, seed, 20)
        if position.is_over:
            continue
        rules, ends = position.rules, []
        for play_out in (type(rules).play_out, Rules.play_out):
            random, out = np.array([seed], np.uint64), np.zeros(rules.most_moves(), np.int64)
            with np.errstate(over="ignore"):
                margin = play_out(rules, rules.copy(position.state()), random, out, 1000)
            ends.append((int(margin), int(random[0])))
        assert ends[0] == ends[1]
        assert Rules.play_out(rules, position.state(), random, out, 0) == ENDLESS
