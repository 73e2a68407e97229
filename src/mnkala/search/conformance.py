"""The conformance suite: every clause of the contract of a game, checked on random games and reported in words.

Each clause is a function that raises `Broken` with a sentence on what is wrong. A game that passes works in every search and
every interface. Plain Python is checked before compiled code, because an error in compiled code may crash instead of speaking.
"""

from __future__ import annotations

import dataclasses
import random
import threading
import traceback
import xml.etree.ElementTree
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from mnkala.errors import BadPlugin, MnkalaError
from mnkala.games import GOING_ON, Position, Rules, parse_game
from mnkala.games.rules import State
from mnkala.native import kernel, plain
from mnkala.native.objects import IntArray
from mnkala.search.engine import Engine
from mnkala.search.fixed_depth import AlphaBeta, Minimax
from mnkala.search.limit import Limit
from mnkala.search.perft import count_games

RANDOM_GAMES, RANDOM_GAMES_LARGE = 20, 4
LARGE = 500
"""A game with more moves than this in a position is checked on fewer games and with shallower searches."""
LONGEST_SAMPLE = 400
LARGEST_MARGIN = 1 << 12
MOST_MOVE_CODES = 1 << 16
SECONDS_PER_CLAUSE = 120.0


class Broken(MnkalaError):
    """A clause does not hold."""


@dataclasses.dataclass(frozen=True)
class Finding:
    """The verdict on one clause."""

    clause: str
    problem: str | None = None
    """What is wrong, or None if the clause holds."""


@dataclasses.dataclass(frozen=True)
class Step:
    """A moment in a random game: the state before a move, as its copy."""

    state: State
    move: int
    after: State


def check_rules(rules: Rules, seed: int = 1) -> Iterator[Finding]:
    """Check every clause; the ones after a clause that makes them pointless are not tried."""
    samples: list[list[Step]] = []
    for clause, needed, function in CLAUSES:
        problem = _run_clause(function, rules, samples, seed)
        yield Finding(clause, problem)
        if problem and needed:
            return


def rules_of(cls: type) -> Rules:
    """An instance of a plug-in's class, with its default sizes."""
    if not (isinstance(cls, type) and issubclass(cls, Rules)):
        raise BadPlugin(f"{cls.__name__} is not a game: it must derive from mnkala.Rules")
    if not getattr(cls, "native_name", None) or "native_fields" not in vars(cls):
        raise BadPlugin(f"{cls.__name__} is not registered: put the decorator @mnkala.game above the class")
    try:
        return cls()
    except Exception as error:
        raise BadPlugin(f"{cls.__name__}() cannot be made with its default sizes: {error!r}") from error


def _run_clause(function: Callable[..., None], rules: Rules, samples: list[list[Step]], seed: int) -> str | None:
    """The problem that a clause finds, also when the game's own code raises or never returns."""
    problems: list[str | None] = []

    def work() -> None:
        try:
            function(rules, samples, random.Random(seed))
            problems.append(None)
        except Broken as error:
            problems.append(str(error))
        except Exception as error:
            problems.append(_describe(error))

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(SECONDS_PER_CLAUSE)
    return problems[0] if problems else f"did not return within {SECONDS_PER_CLAUSE:.0f} seconds"


def _describe(error: Exception) -> str:
    """An error of the game's own code, with the place where it happened."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    text = " ".join(str(error).split())
    return f"{type(error).__name__} in {place.name}, line {place.lineno}: {text[:400]}"


# ---- The clauses ----


def check_game_string(rules: Rules, samples: list[list[Step]], rng: random.Random) -> None:
    """`parse_game` and `game_string` undo each other."""
    text = rules.game_string()
    if any(letter.isspace() for letter in text):
        raise Broken(f"game_string() gives {text!r}, which contains white space")
    again = parse_game(text)
    if type(again) is not type(rules) or again.game_string() != text:
        raise Broken(f"the game string {text!r} is read back as {again.game_string()!r} of {type(again).__name__}")


def check_start(rules: Rules, samples: list[list[Step]], rng: random.Random) -> None:
    """The start is a tuple of numbers and arrays, the same every time, with a game to play."""
    state = rules.start()
    if not isinstance(state, tuple):
        raise Broken(f"start() returns {type(state).__name__}; a state is a tuple of numbers or arrays")
    for value in state:
        if not isinstance(value, (int, np.integer, np.ndarray)):
            raise Broken(f"start() holds {value!r}; a state is a tuple of numbers or arrays")
    if not same(state, rules.start()):
        raise Broken("start() gives a different state each time")
    if rules.result(state) != GOING_ON:
        raise Broken(f"result(start()) is {rules.result(state)}; the game is over before it began")


def check_random_games(rules: Rules, samples: list[list[Step]], rng: random.Random) -> None:
    """Random games keep to the bounds and come to an end; every clause below looks at them."""
    for name, bound in (("most_moves", rules.most_moves()), ("move_codes", rules.move_codes()),
                        ("longest_game", rules.longest_game())):
        if not isinstance(bound, int) or bound < 1:
            raise Broken(f"{name}() is {bound!r}; it must be a whole number of at least 1")
    if rules.move_codes() > MOST_MOVE_CODES - 1:
        raise Broken(f"move_codes() is {rules.move_codes()}; moves must be smaller than {MOST_MOVE_CODES - 1}")
    for _ in range(RANDOM_GAMES if rules.most_moves() <= LARGE else RANDOM_GAMES_LARGE):
        samples.append(list(_random_game(rules, rng)))


def _random_game(rules: Rules, rng: random.Random) -> Iterator[Step]:
    state = rules.start()
    for played in range(rules.longest_game()):
        if rules.result(state) != GOING_ON:
            return
        if played >= LONGEST_SAMPLE:
            return  # Long games are looked at from their beginning; that they end is then not checked.
        move = rng.choice(_legal(rules, state))
        before = snapshot(state)
        state = rules.play(state, move)
        yield Step(before, move, snapshot(state))
    if rules.result(state) == GOING_ON:
        raise Broken(f"a game went on after {rules.longest_game()} moves, which longest_game() says is the most")


def _legal(rules: Rules, state: State) -> list[int]:
    """The legal moves, with every promise on them checked."""
    buffer = np.full(rules.most_moves() + 8, -1, dtype=np.int64)
    count = int(rules.moves(state, buffer))
    moves = [int(move) for move in buffer[:count]]
    if not 1 <= count <= rules.most_moves():
        raise Broken(f"moves() gives {count} moves in a game that is going on; most_moves() promises 1 to {rules.most_moves()}")
    if len(set(moves)) != count:
        raise Broken(f"moves() gives a move twice: {moves}")
    if not all(0 <= move < rules.move_codes() for move in moves):
        raise Broken(f"moves() gives {moves}; moves are numbers from 0 to below move_codes() = {rules.move_codes()}")
    if (buffer[count:] != -1).any():
        raise Broken(f"moves() returns {count} but writes more than {count} moves")
    return moves


def check_moves_repeat(rules: Rules, samples: list[list[Step]], rng: random.Random) -> None:
    """The same state always has the same moves in the same order, and asking does not change it."""
    for step in each(samples):
        state = snapshot(step.state)
        if _legal(rules, state) != _legal(rules, state):
            raise Broken(f"moves() gives another order or other moves when asked again, at {show(rules, state)}")
        rules.result(state)
        rules.key(state)
        rules.mover(state)
        if not same(state, step.state):
            raise Broken("moves(), result(), key() or mover() changes the state")


def check_choices(rules: Rules, samples: list[list[Step]], rng: random.Random) -> None:
    """Random moves and near moves are legal moves, near moves come once, and `is_legal` agrees with the list of moves."""
    buffer = np.zeros(rules.most_moves(), dtype=np.int64)
    for step in each(samples):
        state = snapshot(step.state)
        legal = set(_legal(rules, state))
        picked = int(rules.random_move(state, np.uint64(rng.getrandbits(64)), buffer))
        if picked not in legal:
            raise Broken(f"random_move() picks {picked}, which is not legal at {show(rules, state)}")
        asked = [step.move, picked, -1, rules.move_codes(), rng.randrange(rules.move_codes())]
        if wrong := [code for code in asked if rules.is_legal(state, code) != (code in legal)]:
            raise Broken(f"is_legal() does not agree with moves() on {wrong[0]} at {show(rules, state)}")
        near = [int(move) for move in buffer[: rules.near_moves(state, 2, buffer)]]
        if len(near) != len(set(near)) or not set(near) <= legal:
            raise Broken(f"near_moves() gives {near}, of which some are twice or not legal at {show(rules, state)}")
        if not same(state, step.state):
            raise Broken("random_move() or near_moves() changes the state")


def check_copy(rules: Rules, samples: list[list[Step]], rng: random.Random) -> None:
    """A copy shares nothing with its original."""
    for step in each(samples):
        original = snapshot(step.state)
        rules.play(rules.copy(original), step.move)
        if not same(original, step.state):
            raise Broken("copy() shares an array with its original: playing on the copy changed both")


def check_types(rules: Rules, samples: list[list[Step]], rng: random.Random) -> None:
    """Every state has the types of the first."""
    wanted = kinds(rules.start())
    for step in each(samples):
        found = kinds(step.after)
        if found != wanted:
            raise Broken(f"play() changes the types of a state from {wanted} to {found}; wrap numbers, as in np.uint64(1)")


def check_undo(rules: Rules, samples: list[list[Step]], rng: random.Random) -> None:
    """`undo` restores exactly what `play` changed, over whole games."""
    for game in samples:
        state = rules.start()
        states = []
        for step in game:
            states.append(state)
            state = rules.play(state, step.move)
        for step, before in zip(reversed(game), reversed(states), strict=True):
            rules.undo(state, step.move)
            if not same(before, step.state):
                raise Broken(f"undo() of {rules.move_text(step.move)} does not restore the state: "
                             f"{show(rules, step.state)} became {show(rules, before)}")
            state = before


def check_mover(rules: Rules, samples: list[list[Step]], rng: random.Random) -> None:
    """The mover is 0 or 1, and both get to move."""
    movers = {int(rules.mover(step.state)) for step in each(samples)}
    if not movers <= {0, 1}:
        raise Broken(f"mover() gives {sorted(movers)}; players are 0 and 1")
    if rules.mover(rules.start()) != 0:
        raise Broken("mover(start()) is not 0; player 0 moves first")


def check_result(rules: Rules, samples: list[list[Step]], rng: random.Random) -> None:
    """A finished game has a margin within the promised range, and a score of the same sign."""
    for game in samples:
        state = game[-1].after
        margin = int(rules.result(state))
        if margin == GOING_ON:
            continue
        most = LARGEST_MARGIN if rules.graded else 1
        if abs(margin) > most:
            raise Broken(f"result() is {margin}; "
                         f"{'margins' if rules.graded else 'where only winning counts they'} lie between -{most} and {most}")
        score = rules.exact_score(state, margin, 0)
        if np.sign(score) != np.sign(margin):
            raise Broken(f"exact_score() turns a margin of {margin} into {score}: the sign must stay")


def check_key(rules: Rules, samples: list[list[Step]], rng: random.Random) -> None:
    """Equal states have equal keys; positions that look different have different ones."""
    seen: dict[int, Any] = {}
    for step in each(samples):
        key = rules.key(step.after)
        if not isinstance(key, np.uint64):
            raise Broken(f"key() returns {type(key).__name__}; it must return np.uint64")
        if rules.key(rules.copy(step.after)) != key:
            raise Broken("key() differs between a state and its copy")
        look = (rules.literal(step.after) or rules.picture(step.after), int(rules.mover(step.after)))
        if seen.setdefault(int(key), look) != look:
            raise Broken(f"key() is the same for positions that differ in board or mover, as at {show(rules, step.after)}")


def check_prior(rules: Rules, samples: list[list[Step]], rng: random.Random) -> None:
    """The ordering hint stays in its range."""
    for step in each(samples):
        prior = rules.prior(step.state, step.move)
        if not 0 <= prior <= 1000:
            raise Broken(f"prior() is {prior}; it must lie between 0 and 1000")


def check_notation(rules: Rules, samples: list[list[Step]], rng: random.Random) -> None:
    """Moves are written and read back as the same moves."""
    for game in samples:
        for step in game:
            text = rules.move_text(step.move)
            if not text or rules.parse_move(text) != step.move:
                raise Broken(f"the move {step.move} is written {text!r}, which is read as {rules.parse_move(text)}")
        moves = [step.move for step in game]
        text = rules.moves_text(moves)
        if any(letter.isspace() for letter in text) or rules.parse_moves(text) != moves:
            raise Broken(f"the moves {moves} are written {text!r} and not read back as the same")


def check_literal(rules: Rules, samples: list[list[Step]], rng: random.Random) -> None:
    """A position literal, where the game has one, describes the whole position."""
    for step in each(samples):
        text = rules.literal(step.after)
        if text is None:
            return
        again = rules.parse_literal(text)
        for what in ("mover", "result", "key", "picture"):
            before, after = getattr(rules, what)(step.after), getattr(rules, what)(again)
            if before != after:
                raise Broken(f"the literal {text!r} is read back with another {what}")


def check_picture(rules: Rules, samples: list[list[Step]], rng: random.Random) -> None:
    """Every position can be drawn."""
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


@kernel
def replay(rules: Any, state: Any, moves: IntArray, out: np.ndarray, buffer: IntArray) -> int:
    """Play `moves` and write result, mover, key and number of legal moves after each."""
    for i in range(len(moves)):
        state = rules.play(state, moves[i])
        result = rules.result(state)
        out[i, 0] = result
        out[i, 1] = rules.mover(state)
        out[i, 2] = np.int64(rules.key(state) >> np.uint64(1))
        out[i, 3] = rules.moves(state, buffer) if result == GOING_ON else 0
    return len(moves)


def check_compiled(rules: Rules, samples: list[list[Step]], rng: random.Random) -> None:
    """Compiled rules do exactly what the same rules do in plain Python."""
    for game in samples:
        moves = np.array([step.move for step in game], dtype=np.int64)
        compiled, reference = (np.zeros((len(moves), 4), dtype=np.int64) for _ in range(2))
        buffer = np.zeros(rules.most_moves(), dtype=np.int64)
        replay(rules, rules.start(), moves, compiled, buffer)
        plain(replay)(rules, rules.start(), moves, reference, buffer)
        wrong = np.argwhere(compiled != reference)
        if len(wrong):
            row, column = wrong[0]
            what = ("result", "mover", "key", "number of moves")[column]
            played = rules.moves_text(moves[: row + 1].tolist())
            raise Broken(f"after {played} the {what} is {reference[row, column]} in plain Python "
                         f"but {compiled[row, column]} compiled")
    for depth in (1, 2):
        buffers = np.zeros((depth + 1, rules.most_moves()), dtype=np.int64)
        stop = np.zeros(1, dtype=np.int64)
        arguments = (rules, rules.start(), depth, buffers, stop)
        if count_games(*arguments) != plain(count_games)(*arguments):
            raise Broken(f"perft {depth} differs between plain Python and compiled code")


def check_searches(rules: Rules, samples: list[list[Step]], rng: random.Random) -> None:
    """Alpha-beta finds minimax's value and move."""
    for game in samples[:5]:
        for length in range(0, len(game), max(1, len(game) // 3)):
            position = Position(rules).play_codes(step.move for step in game[:length])
            limit = Limit(depth=2 if rules.most_moves() <= LARGE else 1)
            full, pruned = (Engine(search).analyse(position, limit) for search in (Minimax(), AlphaBeta()))
            if full.score is None or pruned.score is None:
                raise Broken(f"a search of depth 2 has no score after {position.moves or 'no moves'}")
            if (full.score.value, full.best_move) != (pruned.score.value, pruned.best_move):
                raise Broken(f"minimax finds {full.best} {full.score} and alpha-beta {pruned.best} {pruned.score} "
                             f"after {position.moves or 'no moves'}")


CLAUSES: tuple[tuple[str, bool, Callable[..., None]], ...] = (
    ("game string: game_string() and parse_game() undo each other", False, check_game_string),
    ("start: a tuple of numbers or arrays, always the same", True, check_start),
    ("random games: moves and length keep to the promised bounds", True, check_random_games),
    ("moves: the same state always has the same moves", True, check_moves_repeat),
    ("choices: random and near moves are legal moves", True, check_choices),
    ("copy: shares nothing with its original", True, check_copy),
    ("types: play() keeps the types of start()", True, check_types),
    ("undo: restores exactly what play() changed", True, check_undo),
    ("mover: 0 or 1, and 0 starts", True, check_mover),
    ("result: margins in range, scores of the same sign", True, check_result),
    ("picture: every position can be drawn", False, check_picture),
    ("key: equal for equal states, different for different positions", True, check_key),
    ("prior: between 0 and 1000", False, check_prior),
    ("notation: moves are read back as written", False, check_notation),
    ("literal: positions are read back as written", False, check_literal),
    ("compiled: the same as in plain Python", True, check_compiled),
    ("searches: alpha-beta = minimax", False, check_searches),
)
"""Clause, whether the rest is pointless without it, and the function that checks it."""


# ---- Helpers ----


def each(samples: list[list[Step]]) -> Iterator[Step]:
    """All steps of all games."""
    for game in samples:
        yield from game


def same(left: State, right: State) -> bool:
    """Whether two states are equal, arrays included."""
    if len(left) != len(right):
        return False
    return all(np.array_equal(a, b) for a, b in zip(left, right, strict=True))


def snapshot(state: State) -> State:
    """A copy that does not trust the game's own."""
    parts = [value.copy() if isinstance(value, np.ndarray) else value for value in state]
    return state._make(parts) if hasattr(state, "_make") else tuple(parts)


def kinds(state: State) -> list[str]:
    """The types of the parts of a state, as compiled code will see them."""
    return [f"{value.dtype}[{value.ndim}]" if isinstance(value, np.ndarray) else type(value).__name__ for value in state]


def show(rules: Rules, state: State) -> str:
    """A state for a message."""
    return rules.literal(state) or str(tuple(state))
