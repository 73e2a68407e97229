"""What is called proved is true on boards of any size that a game string can name, held against the
rules in plain Python.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mnkala.core import GOING_ON, Position
from mnkala.errors import BadEngine
from mnkala.families.lines.board_threats import knows_threats, line_threats
from mnkala.search import Analysis, Limit, parse_engine
from mnkala.search.conformance import replay
from mnkala.solve import find_solver
from tests.plain_games import Lines, Plain, Sown, sided, some_game, starts, truth

MOST_CELLS, MOST_MOVES = 400, 120
"""On larger boards only so many moves of a game are played here: plain Python is slow."""


def assert_rules(game: str, line: list[int], on_the_way: list[Plain]) -> None:
    """Compiled rules and plain ones tell the same story."""
    rules = Position(game).rules
    start, buffer = rules.start(), np.zeros(rules.most_moves(), np.int64)
    seen = np.zeros((len(line) + 1, 4), np.int64)
    seen[0] = rules.result(start), rules.mover(start), 0, rules.moves(start, buffer)
    replay(rules, start, np.array(line, np.int64), seen[1:], buffer)
    for (result, mover, _, legal), plain in zip(seen.tolist(), on_the_way, strict=True):
        assert mover == plain.mover or (plain.over and isinstance(plain, Sown))
        assert (result != GOING_ON) == plain.over
        assert result == (sided(plain.lead, mover) if plain.over else GOING_ON)
        assert legal == (0 if plain.over else len(plain.legal))


class Facts:
    """What plain rules say of a position that is not over."""

    def __init__(self, plain: Plain, tries: int) -> None:
        self.plain, self.mover, self.wins = plain, plain.mover, plain.winning()
        self.lead = truth(plain, tries) if plain.left <= 9 else None
        """With best play, for the mover, where that is soon found."""
        if self.lead is not None:
            self.lead = sided(self.lead, self.mover)

    def check(self, found: Analysis, *, looks_at_all: bool) -> None:
        """Everything that an answer calls proved. `looks_at_all`: a win in one is never missed."""
        score = found.score
        assert found.best_code in self.plain.legal
        if score is None:
            return
        assert score.player == self.mover
        if looks_at_all and self.wins and isinstance(self.plain, Lines):
            assert (score.result, score.plies) == ("win", 1)
        self._check_result(score.result)
        if (
            score.kind == "exact"
            and score.result != "unknown"
            and self.lead is not None
            and isinstance(self.plain, Sown)
        ):
            assert score.value == self.lead
        if score.result == "win" and score.plies is not None:
            self._check_win(found, score.plies)
        if score.result == "loss" and score.plies == 2 and len(self.plain.legal) <= 200:
            for move in self.plain.legal:
                after = self.plain.play(move)
                assert after.over or after.mover == self.mover or after.winning()

    def _check_result(self, result: str) -> None:
        if result != "unknown" and self.lead is not None:
            assert result == ("win" if self.lead > 0 else "loss" if self.lead < 0 else "draw")
        if result in ("loss", "draw"):
            assert not self.wins

    def _check_win(self, found: Analysis, plies: int) -> None:
        if plies == 1:
            assert found.best_code in self.wins
        after = self.plain.play(found.line_codes[0])
        if plies == 3 and isinstance(after, Lines):
            assert not after.over
            ways = after.winning(self.mover)
            assert not after.winning()
            # A reply takes one cell; in Connect it also makes one playable.
            assert len(ways) > 1 or (
                after.shape.drops and all(after.play(move).winning() for move in after.legal)
            )
        here = self.plain
        for move in found.line_codes:
            assert not here.over
            assert move in here.legal
            here = here.play(move)
        if len(found.line_codes) == plies:
            assert here.over
            assert sided(here.lead, self.mover) > 0

    def check_bounds(self, lower: int, upper: int) -> None:
        """The bounds of a solver: the game's own scores, which have the sign of the result."""
        assert lower <= upper
        self._check_result(
            "win" if lower > 0 else "loss" if upper < 0 else "draw" if lower == upper else "unknown"
        )
        if self.lead is not None and isinstance(self.plain, Sown):
            assert lower <= self.lead <= upper


def engines_for(position: Position, thorough: bool) -> list[tuple[str, bool]]:
    """Engines that may prove something, and whether they look at every move."""
    moves = len(position.legal_codes)
    found = [
        ("deepening:candidates=all,depth=1", True),
        (f"deepening:candidates=all,nodes={moves + 40}", False),
    ]
    if knows_threats(position.rules) or position.rules.search == "threats":
        found.append(("threats:nodes=150", True))
    if thorough:
        found += [
            (f"alphabeta:candidates=all,depth=2,nodes={moves * moves + 300}", False),
            ("mcts:iterations=150,candidates=all", False),
            ("auto:nodes=400", False),
            ("perfect:nodes=400", False),
            ("mcts:iterations=40", False),
            ("greedy:candidates=all", True),
            ("budget:nodes=200", False),
            ("budget:select=none,candidates=all,nodes=60", False),
            ("auto:threads=2,nodes=300", False),
            (f"deepening:candidates=all,nodes={moves // 2 + 1}", False),
            ("deepening:nodes=60", False),
        ]
    return found


def check_game(start: tuple[str, Plain], seed: int, *, thorough: bool, looks: int) -> None:
    """Play a game and look at some of its positions."""
    game, first = start
    rng = random.Random(seed)
    cells = first.shape.rows * first.shape.cols if isinstance(first, Lines) else 0
    most = 10_000 if cells <= MOST_CELLS else MOST_MOVES
    on_the_way: list[Plain] = []
    line: list[int] = []
    for moves, plain in some_game(first, seed):
        line = moves
        on_the_way.append(plain)
        if len(line) >= most:
            break
    assert_rules(game, line, on_the_way)
    open_plies = [ply for ply, plain in enumerate(on_the_way) if not plain.over]
    chosen = {open_plies[-1], *(rng.choice(open_plies) for _ in range(looks - 1))}
    for ply in sorted(chosen):
        position, facts = (
            Position(game).play_codes(line[:ply]),
            Facts(on_the_way[ply], 20_000 if thorough else 3_000),
        )
        for engine, looks_at_all in engines_for(position, thorough):
            try:
                found = parse_engine(engine).analyse(position)
            except BadEngine as refused:
                assert "cannot play" in str(refused)  # noqa: PT017
                continue
            facts.check(found, looks_at_all=looks_at_all)
        check_solver(position, facts)
        if knows_threats(position.rules) and len(position.legal_codes) <= 400:
            check_threats(position, facts)


def check_solver(position: Position, facts: Facts) -> None:
    """The solver of a game, with few nodes."""
    cls = find_solver(position.rules)
    if cls is None:
        return
    cls.prepare(position.rules)
    for step in cls(position.rules, table_mb=1).steps(position, nodes=400):
        facts.check_bounds(step.score.lower, step.score.upper)
        assert step.score.player == facts.mover
        if step.score.plies is not None and step.score.exact is not None and step.score.exact > 0:
            assert (step.score.plies == 1) == bool(facts.wins) or isinstance(facts.plain, Sown)


def check_threats(position: Position, facts: Facts) -> None:
    """Fours are what completes a line, no more and no less."""
    plain = facts.plain
    assert isinstance(plain, Lines)
    told, me = line_threats(position), position.mover
    for player in (me,) if plain.winning(me) else (0, 1):  # who wins at once is told nothing else
        at = {
            cell
            for threat in told
            if threat.player == player and threat.kind in ("four", "open_four")
            for cell in threat.at
        }
        wins = set(plain.winning(player))
        assert at <= wins
        assert bool(at) == bool(wins)


UNHURRIED = settings(
    deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
)


@settings(UNHURRIED, max_examples=12)
@given(starts(), st.integers(0, 2**32))
def test_what_is_proved_is_true_on_boards_of_any_size(start: tuple[str, Plain], seed: int) -> None:
    check_game(start, seed, thorough=False, looks=2)


@pytest.mark.slow
@settings(UNHURRIED, max_examples=3000)
@given(starts(), st.integers(0, 2**32))
def test_what_is_proved_is_true_in_many_games_on_boards_of_any_size(
    start: tuple[str, Plain], seed: int
) -> None:
    check_game(start, seed, thorough=True, looks=4)


@pytest.mark.parametrize(
    "game",
    [
        "mnk:16x16x15,exact",
        "mnk:16x16x16",
        "mnk:17x17x17",
        "mnk:24x24x24",
        "mnk:24x24x24,exact",
        "mnk:40x40x34",
        "mnk:64x64x64",
        "mnk:90x90x90",
    ],
)
def test_a_win_in_one_is_seen_however_long_the_line_is(game: str) -> None:
    position = Position(game)
    rules: Any = position.rules
    line = rules.line
    middle = line // 2
    marks = [col for col in range(line) if col != middle]
    moves = [code for col in marks for code in (col, (rules.rows - 1 - col % 2) * rules.cols + col)]
    before = position.play_codes(moves)
    for engine in ("auto", "threats", "deepening:candidates=all"):
        try:
            found = parse_engine(engine).analyse(before, Limit(nodes=10_000))
        except BadEngine as refused:
            assert f"threats cannot play {game}" in str(refused)  # noqa: PT017
            assert line > 15
            continue
        assert found.best_code == middle, engine
        start = parse_engine(engine).analyse(position, Limit(nodes=300))
        assert start.score is None or start.score.result == "unknown"
