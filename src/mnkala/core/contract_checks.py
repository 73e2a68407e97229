"""Clauses of the contract of a game that plain Python can check on random games; each says in a
sentence what is wrong.

They are the first part of the conformance suite (`search/conformance.py`), and a plug-in must pass
them before its first use (`plugin_trial.py`).
"""

from __future__ import annotations

import dataclasses
import math
import random
import time
import traceback
import xml.etree.ElementTree
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from mnkala.core.plugin_guards import TookTooLong, run_within
from mnkala.core.registry import read_game
from mnkala.core.rules import GOING_ON, Rules, State
from mnkala.errors import MnkalaError, essence, is_of_compiler, keep_in_log, printable
from mnkala.numbers import counted

RANDOM_GAMES, RANDOM_GAMES_LARGE = 20, 4
LARGE = 500
"""A game with more moves than this in a position is checked in fewer games and with shallower
searches."""
LONGEST_SAMPLE = 400
LARGEST_MARGIN = 1 << 12
MOST_MOVES = (1 << 16) - 1
"""The largest value of `most_moves` and `move_codes`: the table of positions stores a move in 16
bits, and a search holds a row of moves for each ply."""
LONGEST_GAME = 1 << 20
"""The largest value of `longest_game`: Monte-Carlo search holds a cell for each move of the
longest game, and nobody waits for the end of a longer one."""


class Broken(MnkalaError):
    """A clause of the contract does not hold; the text says why."""


@dataclasses.dataclass(frozen=True)
class PlayedMove:
    """A moment in a random game: the state before a move, as its copy."""

    state: State
    move: int
    after: State


@dataclasses.dataclass(frozen=True)
class Clause:
    """One promise of the contract, with the function that checks it."""

    text: str
    needed: bool
    """Whether the remaining clauses cannot be checked when this one fails."""
    check: Callable[[Rules, list[list[PlayedMove]], random.Random], None]
    """Check the clause on sample games; raise `Broken` if it does not hold."""


def problem_of(
    clause: Clause, rules: Rules, samples: list[list[PlayedMove]], seed: int, seconds: float
) -> str | None:
    """What is wrong with a clause, even if the game's own code raises, exits or does not return
    within `seconds`."""
    try:
        run_within(seconds, lambda: clause.check(rules, samples, random.Random(seed)))
    except Broken as error:
        return str(error)
    except TookTooLong:
        return f"did not return within {seconds:.0f} seconds"
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return describe(error)
    return None


def describe(error: BaseException) -> str:
    """An error of the game's own code, with the place where it happened."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    if isinstance(error, SystemExit):
        return f"calls sys.exit() in {place.name}, line {place.lineno}"
    if is_of_compiler(error):
        keep_in_log(error)
        return f"cannot be compiled: {essence(error)}"
    return f"{type(error).__name__} in {place.name}, line {place.lineno}: {printable(' '.join(str(error).split()))[:400]}"


def check_game_string(rules: Rules, samples: list[list[PlayedMove]], rng: random.Random) -> None:
    """Check that `parse_game` and `game_string` undo each other."""
    text = rules.game_string()
    if any(letter.isspace() for letter in text):
        raise Broken(f"game_string() gives {text!r}, which contains white space")
    again = read_game(text)
    if type(again) is not type(rules) or again.game_string() != text:
        raise Broken(
            f"the game string {text!r} is read back as {again.game_string()!r} of {type(again).__name__}"
        )


def check_start(rules: Rules, samples: list[list[PlayedMove]], rng: random.Random) -> None:
    """Check that the start is a tuple of numbers and arrays, the same every time, and that the game
    is not over there."""
    state = rules.start()
    if not isinstance(state, tuple):
        raise Broken(
            f"start() returns {type(state).__name__}; a state is a tuple of numbers or arrays"
        )
    for value in state:
        if not isinstance(value, (int, np.integer, np.ndarray)):
            raise Broken(f"start() holds {value!r}; a state is a tuple of numbers or arrays")
    if not same(state, rules.start()):
        raise Broken("start() gives a different state each time")
    if rules.result(state) != GOING_ON:
        raise Broken(f"result(start()) is {rules.result(state)}; the game is over before it began")


def check_random_games(rules: Rules, samples: list[list[PlayedMove]], rng: random.Random) -> None:
    """Play random games, and check that they keep to the bounds and come to an end; all clauses
    below examine these games."""
    sample_games(rules, samples, rng)


def sample_games(
    rules: Rules, samples: list[list[PlayedMove]], rng: random.Random, seconds: float = math.inf
) -> None:
    """Check the bounds on moves and lengths, then play random games, for `seconds` at most."""
    for name, bound, most in (
        ("most_moves", rules.most_moves(), MOST_MOVES),
        ("move_codes", rules.move_codes(), MOST_MOVES),
        ("longest_game", rules.longest_game(), LONGEST_GAME),
    ):
        if not isinstance(bound, int) or not 1 <= bound <= most:
            raise Broken(
                f"{name}() is {bound!r}; it must be a whole number from 1 to {most}, because searches reserve memory by it"
            )
    end = time.perf_counter() + seconds
    for _ in range(RANDOM_GAMES if rules.most_moves() <= LARGE else RANDOM_GAMES_LARGE):
        samples.append(list(random_game(rules, rng, end)))
        if time.perf_counter() >= end:
            return


def random_game(rules: Rules, rng: random.Random, end: float = math.inf) -> Iterator[PlayedMove]:
    """The steps of one game, until it is long enough or the time is over."""
    state = rules.start()
    for played in range(rules.longest_game()):
        if rules.result(state) != GOING_ON:
            return
        if played >= LONGEST_SAMPLE or (played and time.perf_counter() >= end):
            return  # Of a long game only the beginning is checked; whether it ends is not.
        move = rng.choice(legal_moves(rules, state))
        before = snapshot(state)
        state = rules.play(state, move)
        yield PlayedMove(before, move, snapshot(state))
    if rules.result(state) == GOING_ON:
        raise Broken(
            f"a game went on after {counted(rules.longest_game(), 'move')}, which longest_game() says is the most"
        )


def legal_moves(rules: Rules, state: State) -> list[int]:
    """The legal moves, after checking every promise about them."""
    buffer = np.full(rules.most_moves() + 8, -1, dtype=np.int64)
    count = int(rules.moves(state, buffer))
    moves = [int(move) for move in buffer[:count]]
    if not 1 <= count <= rules.most_moves():
        raise Broken(
            f"moves() gives {counted(count, 'move')} in a game that is going on; most_moves() promises 1 to {rules.most_moves()}"
        )
    if len(set(moves)) != count:
        raise Broken(f"moves() gives a move twice: {moves}")
    if not all(0 <= move < rules.move_codes() for move in moves):
        raise Broken(
            f"moves() gives {moves}; moves are numbers from 0 to below move_codes() = {rules.move_codes()}"
        )
    if (buffer[count:] != -1).any():
        raise Broken(f"moves() returns {count} but writes more than {counted(count, 'move')}")
    return moves


def check_moves_repeat(rules: Rules, samples: list[list[PlayedMove]], rng: random.Random) -> None:
    """Check that the same state always has the same moves in the same order, and that asking for
    them does not change it."""
    for step in each(samples):
        state = snapshot(step.state)
        if legal_moves(rules, state) != legal_moves(rules, state):
            raise Broken(
                f"moves() gives another order or other moves when asked again, at {show(rules, state)}"
            )
        rules.result(state)
        rules.key(state)
        rules.mover(state)
        if not same(state, step.state):
            raise Broken("moves(), result(), key() or mover() changes the state")


def check_choices(rules: Rules, samples: list[list[PlayedMove]], rng: random.Random) -> None:
    """Check that random moves and near moves are legal, that each near move comes once, and that
    `is_legal` agrees with the list of moves."""
    buffer = np.zeros(rules.most_moves(), dtype=np.int64)
    for step in each(samples):
        state = snapshot(step.state)
        legal = set(legal_moves(rules, state))
        picked = int(rules.random_move(state, np.uint64(rng.getrandbits(64)), buffer))
        if picked not in legal:
            raise Broken(
                f"random_move() picks {picked}, which is not legal at {show(rules, state)}"
            )
        asked = [step.move, picked, -1, rules.move_codes(), rng.randrange(rules.move_codes())]
        if wrong := [code for code in asked if rules.is_legal(state, code) != (code in legal)]:
            raise Broken(
                f"is_legal() does not agree with moves() on {wrong[0]} at {show(rules, state)}"
            )
        near = [int(move) for move in buffer[: rules.near_moves(state, 2, buffer)]]
        if len(near) != len(set(near)) or not set(near) <= legal:
            raise Broken(
                f"near_moves() gives {near}, of which some are twice or not legal at {show(rules, state)}"
            )
        if not same(state, step.state):
            raise Broken("random_move() or near_moves() changes the state")


def check_copy(rules: Rules, samples: list[list[PlayedMove]], rng: random.Random) -> None:
    """Check that a copy shares nothing with its original."""
    for step in each(samples):
        original = snapshot(step.state)
        rules.play(rules.copy(original), step.move)
        if not same(original, step.state):
            raise Broken(
                "copy() shares an array with its original: playing on the copy changed both"
            )


def check_types(rules: Rules, samples: list[list[PlayedMove]], rng: random.Random) -> None:
    """Check that every state is made of the same types as the start."""
    wanted = kinds(rules.start())
    for step in each(samples):
        found = kinds(step.after)
        if found != wanted:
            raise Broken(
                f"play() changes the types of a state from {wanted} to {found}; wrap numbers, as in np.uint64(1)"
            )


def check_undo(rules: Rules, samples: list[list[PlayedMove]], rng: random.Random) -> None:
    """Check that `undo` restores exactly what `play` changed, over whole games."""
    for game in samples:
        state = rules.start()
        states = []
        for step in game:
            states.append(state)
            state = rules.play(state, step.move)
        for step, before in zip(reversed(game), reversed(states), strict=True):
            rules.undo(state, step.move)
            if not same(before, step.state):
                raise Broken(
                    f"undo() of {rules.move_text(step.move)} does not restore the state: "
                    f"{show(rules, step.state)} became {show(rules, before)}"
                )
            state = before


def check_mover(rules: Rules, samples: list[list[PlayedMove]], rng: random.Random) -> None:
    """Check that the mover is 0 or 1, and that player 0 moves first."""
    movers = {int(rules.mover(step.state)) for step in each(samples)}
    if not movers <= {0, 1}:
        raise Broken(f"mover() gives {sorted(movers)}; players are 0 and 1")
    if rules.mover(rules.start()) != 0:
        raise Broken("mover(start()) is not 0; player 0 moves first")


def check_result(rules: Rules, samples: list[list[PlayedMove]], rng: random.Random) -> None:
    """Check that a finished game has a margin within the promised range, and a score of the same
    sign."""
    for game in samples:
        state = game[-1].after
        margin = int(rules.result(state))
        if margin == GOING_ON:
            continue
        most = LARGEST_MARGIN if rules.graded else 1
        if abs(margin) > most:
            raise Broken(
                f"result() is {margin}; "
                f"{'margins' if rules.graded else 'where only winning counts they'} lie between -{most} and {most}"
            )
        score = rules.exact_score(state, margin, 0)
        if np.sign(score) != np.sign(margin):
            raise Broken(
                f"exact_score() turns a margin of {margin} into {score}: the sign must stay"
            )


def check_key(rules: Rules, samples: list[list[PlayedMove]], rng: random.Random) -> None:
    """Check that equal states have equal keys, and that positions which look different have
    different ones."""
    seen: dict[int, Any] = {}
    for step in each(samples):
        key = rules.key(step.after)
        if not isinstance(key, np.uint64):
            raise Broken(f"key() returns {type(key).__name__}; it must return np.uint64")
        if rules.key(rules.copy(step.after)) != key:
            raise Broken("key() differs between a state and its copy")
        look = (
            rules.literal(step.after) or rules.picture(step.after),
            int(rules.mover(step.after)),
        )
        if seen.setdefault(int(key), look) != look:
            raise Broken(
                f"key() is the same for positions that differ in board or mover, as at {show(rules, step.after)}"
            )


def check_prior(rules: Rules, samples: list[list[PlayedMove]], rng: random.Random) -> None:
    """Check that the ordering hint `prior` stays in its range."""
    for step in each(samples):
        prior = rules.prior(step.state, step.move)
        if not 0 <= prior <= 1000:
            raise Broken(f"prior() is {prior}; it must lie between 0 and 1000")


def check_notation(rules: Rules, samples: list[list[PlayedMove]], rng: random.Random) -> None:
    """Check that moves are written and read back as the same moves."""
    for game in samples:
        for step in game:
            text = rules.move_text(step.move)
            if not text or rules.parse_move(text) != step.move:
                raise Broken(
                    f"the move {step.move} is written {text!r}, which is read as {rules.parse_move(text)}"
                )
        moves = [step.move for step in game]
        text = rules.moves_text(moves)
        if any(letter.isspace() for letter in text) or rules.parse_moves(text) != moves:
            raise Broken(f"the moves {moves} are written {text!r} and not read back as the same")


def check_literal(rules: Rules, samples: list[list[PlayedMove]], rng: random.Random) -> None:
    """Check that a position literal, where the game has one, describes the whole position."""
    for step in each(samples):
        text = rules.literal(step.after)
        if text is None:
            return
        again = rules.parse_literal(text)
        for what in ("mover", "result", "key", "picture"):
            before, after = getattr(rules, what)(step.after), getattr(rules, what)(again)
            if before != after:
                raise Broken(f"the literal {text!r} is read back with another {what}")


def check_picture(rules: Rules, samples: list[list[PlayedMove]], rng: random.Random) -> None:
    """Check that every position can be drawn."""
    for game in samples[:4]:
        for step in game[:: 1 + len(game) // 100]:
            picture = rules.picture(step.after)
            if not picture.cells or len({len(row) for row in picture.cells}) != 1:
                raise Broken("picture() has no cells, or rows of different lengths")
            if not {cell for row in picture.cells for cell in row} <= {0, 1, 2}:
                raise Broken("picture() has a cell that is not 0 (empty), 1 or 2 (the players)")
            if not picture.text() or not picture.terminal():
                raise Broken("picture() draws nothing")
            xml.etree.ElementTree.fromstring(picture.svg())


PLAIN_CLAUSES = (
    Clause("game string: game_string() and parse_game() undo each other", False, check_game_string),
    Clause("start: a tuple of numbers or arrays, always the same", True, check_start),
    Clause("random games: moves and length keep to the promised bounds", True, check_random_games),
    Clause("moves: the same state always has the same moves", True, check_moves_repeat),
    Clause("choices: random and near moves are legal moves", True, check_choices),
    Clause("copy: shares nothing with its original", True, check_copy),
    Clause("types: play() keeps the types of start()", True, check_types),
    Clause("undo: restores exactly what play() changed", True, check_undo),
    Clause("mover: 0 or 1, and 0 starts", True, check_mover),
    Clause("result: margins in range, scores of the same sign", True, check_result),
    Clause("picture: every position can be drawn", False, check_picture),
    Clause("key: equal for equal states, different for different positions", True, check_key),
    Clause("prior: between 0 and 1000", False, check_prior),
    Clause("notation: moves are read back as written", False, check_notation),
    Clause("literal: positions are read back as written", False, check_literal),
)


# ---- Helpers ----


def each(samples: list[list[PlayedMove]]) -> Iterator[PlayedMove]:
    """Iterate over all steps of all sample games."""
    for game in samples:
        yield from game


def same(left: State, right: State) -> bool:
    """Whether two states are equal, arrays included."""
    if len(left) != len(right):
        return False
    return all(np.array_equal(a, b) for a, b in zip(left, right, strict=True))


def snapshot(state: State) -> State:
    """Copy a state without relying on the game's own `copy`."""
    parts = [value.copy() if isinstance(value, np.ndarray) else value for value in state]
    return state._make(parts) if hasattr(state, "_make") else tuple(parts)


def kinds(state: State) -> list[str]:
    """The types of the parts of a state, as compiled code will see them."""
    return [
        f"{value.dtype}[{value.ndim}]" if isinstance(value, np.ndarray) else type(value).__name__
        for value in state
    ]


def show(rules: Rules, state: State) -> str:
    """Describe a state for an error message."""
    return rules.literal(state) or str(tuple(state))
