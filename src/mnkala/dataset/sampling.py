"""Positions for a data set: one position from each of many random games; the same seed gives the
same positions.

A game is determined by the seed and its number, so the result does not depend on how the work is
divided. Each game is played twice: to the end, to learn its length, and again up to the chosen ply.
Positions that occurred before are skipped. The first games are played in plain Python, because for
few games that is faster than to wait for the compiler.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from mnkala.core import GOING_ON, Position, Rules
from mnkala.core.plugin_trial import require_sound
from mnkala.core.plugins import blaming
from mnkala.core.rules import pick
from mnkala.errors import MnkalaError
from mnkala.native import kernel, mix, plain
from mnkala.native.objects import IntArray, WordArray

NEXT_WORD, CHOICE = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD1B54A32D192ED03)
"""Constants that are mixed in for the next random word, and for the choice of the ply."""
PLAIN_GAMES, GAMES_AT_ONCE = 256, 4096
"""The number of games that are played together in plain Python, and compiled."""
MOST_PLAIN = 1024
"""The number of positions up to which plain Python is faster."""
LONGEST = 1000
"""The latest ply at which positions are taken."""
FRUITLESS = 20 * GAMES_AT_ONCE
"""After this many games without a new position the search for more is given up."""

Line = tuple[int, ...]
"""The moves from the start, as numbers."""


@kernel
def play_games(
    rules: Any,
    seed: np.uint64,
    first: int,
    low: int,
    high: int,
    longest: int,
    lines: np.ndarray,
    lengths: IntArray,
    keys: WordArray,
    buffer: IntArray,
) -> None:
    """Find one position in each game from number `first` on: its moves, their number (-1 if the
    game has no position in the range) and its key."""
    for i in range(lengths.size):
        begin = mix(seed ^ mix(np.uint64(first + i)))
        lengths[i] = -1

        # 1. Play to the end, or beyond the range.
        state, word, plies = rules.start(), begin, 0
        while plies <= high and plies < longest and rules.result(state) == GOING_ON:
            word = mix(word ^ NEXT_WORD)
            state = rules.play(state, rules.random_move(state, word, buffer))
            plies += 1
        latest = min(plies - 1, high)
        if latest < low:
            continue

        # 2. Play the same moves again up to the chosen ply.
        chosen = low + pick(mix(begin ^ CHOICE), latest - low + 1)
        state, word = rules.start(), begin
        for ply in range(chosen):
            word = mix(word ^ NEXT_WORD)
            move = rules.random_move(state, word, buffer)
            lines[i, ply] = move
            state = rules.play(state, move)
        lengths[i], keys[i] = chosen, rules.key(state)


def games(
    rules: Rules, seed: int, low: int, high: int, count: int
) -> Iterator[tuple[int, list[tuple[int, Line]]]]:
    """Yield without end how many games have been played, with the keys and moves of the positions
    that the latest games had. `count` is about how many positions are wanted."""
    require_sound(rules)
    if not 0 <= low <= high <= LONGEST:
        raise MnkalaError(
            f"positions after {low} to {high} moves; 0 to {LONGEST} are possible, the smaller number first"
        )
    high = min(high, rules.longest_game())
    buffer = np.zeros(rules.most_moves(), dtype=np.int64)
    word = np.uint64(
        int.from_bytes(
            hashlib.sha256(f"{rules.game_string()} {seed}".encode()).digest()[:8], "little"
        )
    )
    first = 0
    while True:
        in_python = count <= MOST_PLAIN and first < 4 * MOST_PLAIN
        size = PLAIN_GAMES if in_python else GAMES_AT_ONCE
        lines, lengths, keys = (
            np.zeros((size, max(1, high)), np.int64),
            np.zeros(size, np.int64),
            np.zeros(size, np.uint64),
        )
        with blaming(lambda: (rules,)):
            play = plain(play_games) if in_python else play_games
            play(rules, word, first, low, high, rules.longest_game(), lines, lengths, keys, buffer)
        first += size
        yield (
            first,
            [
                (int(keys[i]), tuple(lines[i, : lengths[i]].tolist()))
                for i in range(size)
                if lengths[i] >= 0
            ],
        )


@dataclasses.dataclass(frozen=True)
class Sample:
    """Different positions, in the order in which they were found."""

    lines: tuple[Line, ...]
    exhausted: bool
    """Whether random play found fewer positions than were wanted."""


def sample(rules: Rules, count: int, seed: int, low: int, high: int) -> Sample:
    """Find `count` different positions of unfinished games, or fewer if random play finds no more."""
    found: dict[int, Line] = {}
    last_new = 0
    for played, some in games(rules, seed, low, high, count):
        before = len(found)
        for key, line in some:
            found.setdefault(key, line)
        if len(found) >= count:
            return Sample(tuple(found.values())[:count], exhausted=False)
        last_new = played if len(found) > before else last_new
        if played - last_new >= FRUITLESS:
            return Sample(tuple(found.values()), exhausted=True)
    raise AssertionError("games have no end")


def positions_by_ply(rules: Rules, seed: int, each: int) -> Iterator[tuple[int, list[Position]]]:
    """Yield, ply after ply, up to `each` positions of unfinished games. It ends where random games
    end."""
    _, some = next(games(rules, seed, 0, min(LONGEST, rules.longest_game()), each))
    for ply in range(LONGEST):
        there = [line[:ply] for _, line in some if len(line) >= ply]
        if not there:
            return
        yield ply, [Position(rules).play_codes(line) for line in list(dict.fromkeys(there))[:each]]
