"""Starting positions that favour nobody, so that games between two engines show which of them is
better.

A game from a start that one side wins anyway says nothing about the players, and engines that
always give the same answers would play the same game again and again. So an opening consists of a
few random moves, for Gomoku near the middle of the board, after which a search considers the
position nearly even. All random numbers come from seeds: opening number n of a seed is always the
same.

A *set* is a file of JSON lines, the first of which says how it was made (`mnkala openings gomoku -n
150 --out FILE`); that of Gomoku is shipped in `data`. Its openings must also be *contested*: when
the judge plays itself several times with different numbers of nodes, each side wins at least twice.
This matters because an evaluation may be wrong about all openings in the same way: with the guessed
weights of `threats`, 33 of 40 openings that 20,000 nodes considered even were won by one side
whoever played it, 27 of them by the first. Games of a few hundred nodes are not enough either: of
openings that both sides had won once with 100 to 800 nodes, 23 of 25 were won by one side whoever
played it once both players had 12,000.
"""

from __future__ import annotations

import dataclasses
import itertools
import json
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from mnkala.core import Position, Rules
from mnkala.core.registry import family_of
from mnkala.errors import MnkalaError
from mnkala.explain.chances import chance
from mnkala.folders import file_errors, is_file, write_text
from mnkala.numbers import counted, read_digits, shortened
from mnkala.play.engine_game import play_game
from mnkala.play.series import opening
from mnkala.search import Engine, Limit, parse_engine
from mnkala.search.auto import strongest

AUTO, RANDOM, BY_PLIES = "auto", "random", "plies:"
EVEN = 0.15
"""How far the chance of the player to move may be from one half."""
QUICK_NODES, CAREFUL_NODES = 2000, 20_000
"""The judge's nodes for an opening that is used once, and for one that goes into a set."""
CONTEST_NODES = (2000, 3000, 4500, 6700, 10_000, 15_000)
"""The nodes for each move in the games that show whether an opening is contested."""
CONTEST_WINS = 2
"""How many of these games each side must win; a draw counts for both."""
MOST_TRIES = 60
"""After this many uneven openings the most even one is taken; on small boards there may be no even
one."""
MOST_PLIES = 1000
PLIES = (2, 5)
"""The fewest and the most moves of an opening, in games whose family has no openings of its own."""


@dataclasses.dataclass(frozen=True)
class Opening:
    """An opening of a set."""

    moves: str
    """The moves, as the game writes them."""
    chance: float
    """The chance that the judge gives the player to move."""


def judge_for(rules: Rules, nodes: int) -> str:
    """The engine string of a game's strongest search that needs no proof."""
    return f"{strongest(rules).name}:nodes={nodes}"


def random_start(rules: Rules, rng: random.Random) -> Position:
    """Make a few random moves from the start."""
    start = family_of(rules).random_start(rules, rng)
    if start is not None:
        return start
    return opening(
        rules, min(rng.randint(*PLIES), max(1, rules.most_moves() // 3)), rng.randrange(1 << 30)
    )


def chance_by(judge: Engine, position: Position) -> float:
    """The chance that a search gives the player to move."""
    score = judge.analyse(position).score
    return 0.5 if score is None else chance(score, position, judge)


def balanced_opening(
    rules: Rules, seed: int, number: int, *, judge: str | None = None, even: float = EVEN
) -> Opening:
    """Find opening `number` of a seed: the first even one that is drawn, or else the most even one.
    Raises MnkalaError where every opening ends the game."""
    engine = parse_engine(judge or judge_for(rules, QUICK_NODES))
    rng = random.Random(f"{rules.game_string()} {seed} {number}")
    best: Opening | None = None
    for _ in range(MOST_TRIES):
        position = random_start(rules, rng)
        if position.is_over:
            continue
        found = Opening(position.moves, round(chance_by(engine, position), 3))
        if best is None or abs(found.chance - 0.5) < abs(best.chance - 0.5):
            best = found
        if abs(found.chance - 0.5) <= even:
            break
    if best is None:
        raise MnkalaError(
            f"every opening of {rules.game_string()} that was tried ends the game; give a file of openings"
        )
    return best


# ---- Sets ----


def is_contested(position: Position, judge: Engine) -> bool:
    """Whether either side wins or draws several of the games that the judge plays against itself."""
    wins = [0, 0]
    for played, nodes in enumerate(CONTEST_NODES, start=1):
        engine = dataclasses.replace(judge, limit=Limit(nodes=nodes))
        end = play_game(position, (engine, engine)).end
        winner = end.outcome.winner if end.outcome else None
        for side in (0, 1):
            wins[side] += winner in (side, None)
        if min(wins) >= CONTEST_WINS:
            return True
        if min(wins) + len(CONTEST_NODES) - played < CONTEST_WINS:
            return False
    return False


def shipped_set(rules: Rules) -> Path | None:
    """The file of openings that comes with the family of a game."""
    return family_of(rules).file("openings", rules.game_string())


def read_set(path: Path, rules: Rules) -> list[Opening]:
    """Read the openings of a file and check each against the rules."""
    with file_errors(path, "read"):
        lines = path.read_text(encoding="utf-8").splitlines()
    found = []
    for number, line in enumerate(lines, start=1):
        try:
            entry = json.loads(line)
            if "made_by" in entry:
                if entry["game"] != rules.game_string():
                    raise MnkalaError(
                        f"{path.name} has openings of {entry['game']}, not of {rules.game_string()}"
                    )
                continue
            one = Opening(str(entry["moves"]), float(entry.get("chance", 0.5)))
        except (ValueError, KeyError, TypeError):
            raise MnkalaError(
                f"{path.name}, line {number}: '{shortened(line)}' is no opening; a line reads "
                '{"moves": "h8i9j9"}'
            ) from None
        try:
            over = Position(rules).play(one.moves).is_over
        except MnkalaError as error:
            raise MnkalaError(f"{path.name}, line {number}: {error}") from None
        if over:
            raise MnkalaError(f"{path.name}, line {number}: the game is over after {one.moves}")
        found.append(one)
    if not found:
        raise MnkalaError(f"{path.name} has no openings")
    return found


def make_set(
    rules: Rules, count: int, seed: int, judge: str, even: float = EVEN
) -> Iterator[Opening]:
    """Yield different openings that the judge finds even and that are contested; raise an error
    where a game has too few."""
    seen: set[str | None] = set()
    missed, engine = 0, parse_engine(judge)
    for number in itertools.count():
        if len(seen) == count:
            return
        found = balanced_opening(rules, seed, number, judge=judge, even=even)
        position = Position(rules).play(found.moves)
        key = position.literal or position.moves
        if abs(found.chance - 0.5) > even or key in seen or not is_contested(position, engine):
            missed += 1
            if missed > MOST_TRIES:
                raise MnkalaError(
                    f"{rules.game_string()} has hardly more than {counted(len(seen), 'opening')} that {judge} finds within "
                    f"{even:g} of even; ask for fewer, or allow more with --even"
                )
            continue
        missed = 0
        seen.add(key)
        yield found


def write_set(path: Path, rules: Rules, openings: Sequence[Opening], command: str) -> Path:
    """Write a set, with the command that made it in its first line."""
    head = {"game": rules.game_string(), "openings": len(openings), "made_by": command}
    return write_text(
        path,
        "".join(json.dumps(entry) + "\n" for entry in (head, *map(dataclasses.asdict, openings))),
    )


def choose(rules: Rules, source: str, seed: int) -> tuple[Callable[[int], str | None], int | None]:
    """Choose a source of openings. Return a function that gives the moves of opening number n, or
    None if it is to be found where the game is played; and the number of openings, None if
    unlimited.

    `auto` is the shipped set, if the game has one, followed by random openings; `random` uses
    random ones only; `plies:4` is four random moves, even or not; anything else names a file.
    """
    if source == RANDOM:
        return lambda number: None, None
    if source.startswith(BY_PLIES):
        plies = read_digits(source.removeprefix(BY_PLIES))
        if plies is None or plies > MOST_PLIES:
            raise MnkalaError(
                f"--openings {shortened(source)}; {BY_PLIES}N are N random moves, 0 to {MOST_PLIES}"
            )
        return lambda number: opening(rules, plies, seed + number).moves, None
    if source == AUTO:
        path = shipped_set(rules)
        known = [] if path is None else read_set(path, rules)
        order = random.Random(seed).sample(range(len(known)), len(known))
        return lambda number: known[order[number]].moves if number < len(known) else None, None
    if not is_file(source):
        raise MnkalaError(
            f"--openings {shortened(source)}; openings are {AUTO}, {RANDOM}, {BY_PLIES}N or a file, and this is none"
        )
    listed = read_set(Path(source).expanduser(), rules)
    return lambda number: listed[number].moves, len(listed)


def opening_list(rules: Rules, source: str, seed: int, count: int) -> list[str]:
    """Return `count` openings from a source as in `choose`, all different as far as the game has as
    many, so that engines that always give the same answers do not repeat a game. Raises MnkalaError
    if a file has too few."""
    of_number, most = choose(rules, source, seed)
    if most is not None:
        if most < count:
            raise MnkalaError(
                f"{shortened(source)} has {counted(most, 'opening')}, and {count} are needed: play fewer games, "
                "or take more openings"
            )
        return [of_number(number) or "" for number in range(count)]
    found: list[str] = []
    seen, missed = set[str](), 0
    for number in itertools.count():
        if len(found) == count:
            break
        moves = of_number(number)
        if moves is None:
            moves = balanced_opening(rules, seed, number).moves
        position = Position(rules).play(moves) if moves else Position(rules)
        key = position.literal or position.moves
        if key in seen and missed < MOST_TRIES:
            missed += 1
            continue
        missed = missed if key in seen else 0
        seen.add(key)
        found.append(moves)
    return found
