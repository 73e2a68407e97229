"""Fair starts of Kalah: positions to begin a game from that neither side wins by best play.

The usual start favours one side: with six houses of four seeds the first player wins by 10. A *fair
start* has the first player to move, empty stores, as many seeds in either row as the usual start,
and an exact score of 0. Candidates have their seeds scattered at random, in both rows alike as each
player sees the board, or in each row for itself; or as few seeds as possible are moved from the
usual start. On large boards, where each takes long to solve, a shallow search sorts out those that
look far from even.

Each one is certified: the exact score of every house, and a second proof by a solver that knows
nothing of the first.

The files of `fair` come with the package, so that nobody waits; each is what `mnkala kalah fair
GAME -n 12 --near --json` prints, so it can be made again; that of `kalah`, where each takes two
minutes, is what `mnkala kalah fair kalah -n 5 --json` prints.
"""

from __future__ import annotations

import functools
import itertools
import random
from collections.abc import Callable, Iterator

from mnkala.core import Position, Rules
from mnkala.core.score import Contradiction
from mnkala.errors import BadGame, MnkalaError
from mnkala.families.kalah.rules import Kalah
from mnkala.play.fair_starts import FairStart
from mnkala.search import Stop, parse_engine
from mnkala.solve import Cost, solver_for
from mnkala.solve.oracle import open_oracle, out_of_reach
from mnkala.solve.solver import lent_solver

Row = tuple[int, ...]
PATIENCE = 500
"""The search ends after this many candidates in a row that are not fair."""
GLANCE = parse_engine("deepening:depth=14,heuristic=stores")
"""A quick evaluation of a candidate. Nobody will tune this heuristic, so the same candidates will
always be rejected."""
LOOKS_EVEN = 2
"""The largest lead in seeds that the evaluation may expect. Of 129 starts with six houses of three
seeds, one in twelve was fair; of the 20 that look most even, one in three."""
MOST_QUICK = 36
"""Boards with more seeds than this are evaluated before they are solved, whatever databases there
are, so that the same seed finds the same starts."""
QUICK_SECONDS = 1.0
"""The time limit for somebody who wants to play now."""
FEWEST_HOUSES = 2
"""The fewest houses with seeds on either side: where there is nothing to choose, there is no game."""


class NoFairStart(MnkalaError):
    """A board has no fair start, or its starts are out of the solver's reach."""


def quick_fair_start(rules: Rules, stop: Stop) -> FairStart:
    """The first fair start that is found, a different one each time; an error if that would take
    minutes."""
    check_board(rules)
    with lent_solver(
        rules
    ) as solver:  # Ask the solver itself: a book knows the usual start and no other.
        slow = solver.cost(Position(rules), seconds=QUICK_SECONDS) is Cost.HOPELESS
    if slow:
        game = rules.game_string()
        raise NoFairStart(
            f"no fair start of {game} is ready; `mnkala kalah fair {game}` looks for some, which takes minutes, and boards "
            "such as kalah:6x3 have some"
        )
    found = next(find_fair_starts(rules, random.randrange(2**31), stop=stop), None)
    if found is None:
        raise NoFairStart(f"no fair start of {rules.game_string()} was found")
    return found


def find_fair_starts(
    rules: Rules,
    seed: int = 0,
    *,
    near: bool = False,
    apart: bool = False,
    stop: Stop | None = None,
    report: Callable[[int], None] | None = None,
) -> Iterator[FairStart]:
    """Find fair starts and certify each of them, until no more are found or `stop` is raised. The
    same seed gives the same starts.

    `near` starts with those that move the fewest seeds from the usual start. With `apart` the two
    rows may differ. `report` is called with the number of candidates tried.
    """
    kalah, stop = check_board(rules), stop or Stop()
    solver_for(rules).prepare(rules)
    GLANCE.search.prepare(rules)
    rng = random.Random(f"{rules.game_string()} {seed}")
    candidates = near_rows(kalah, rng, apart) if near else random_rows(kalah, rng, apart)
    idle = 0
    with open_oracle(rules, stop, book=False) as oracle:
        for count, (own, other) in enumerate(candidates, start=1):
            if idle >= PATIENCE or stop.is_set():
                return
            position = Position(
                rules, literal=f"<{','.join(map(str, (kalah.houses, 0, 0, *own, *other)))}>"
            )
            quick = 2 * kalah.houses * kalah.seeds <= MOST_QUICK
            fair = (quick or looks_even(position)) and oracle.answer(position, (-1, 1)).exact == 0
            found = certified(position, stop) if fair else None
            idle = idle + 1 if found is None else 0
            if report is not None:
                report(count)
            if found is not None:
                yield found


def check_board(rules: Rules) -> Kalah:
    """The rules of a board that may have fair starts; raise an error with the reason if it cannot."""
    if not isinstance(rules, Kalah):
        raise BadGame(
            f"there are no fair starts of {rules.game_string()}; there are some of Kalah, such as kalah or kalah:4x3"
        )
    if rules.houses < FEWEST_HOUSES:
        raise NoFairStart(
            f"{rules.game_string()} has one house a row; a fair start needs at least {FEWEST_HOUSES} to choose from"
        )
    if (why := out_of_reach(Position(rules))) is not None:
        raise NoFairStart(str(why), why.key, **why.values)
    return rules


def looks_even(position: Position) -> bool:
    """Whether a shallow search sees neither side far ahead."""
    score = GLANCE.analyse(position).score
    return score is not None and abs(score.value) <= LOOKS_EVEN


def certified(position: Position, stop: Stop) -> FairStart | None:
    """Certify a position whose score is 0: a fresh solver proves it again, and every house gets its
    score. None if `stop` was raised meanwhile."""
    scores: dict[str, int] = {}
    with open_oracle(position.rules, stop, book=False, fresh=True) as oracle:
        *_, proof = oracle.prove(position, moves="all", lines=False)
        if not proof.done:
            return None
        scores = {move: known.lower for move, known in proof.scores.items()}
    if max(scores.values()) != 0:
        raise Contradiction(
            f"two proofs contradict each other: the score of {position.literal} is 0, and its moves have {scores}"
        )
    return FairStart(position.game, position.literal or "", scores)


# ---- Candidates for fair starts ----


def random_rows(kalah: Kalah, rng: random.Random, apart: bool) -> Iterator[tuple[Row, Row]]:
    """Put every seed into a random house; no pair of rows is repeated."""
    seen: set[tuple[Row, Row]] = set()
    repeated = 0

    def scattered() -> Row:
        houses = [rng.randrange(kalah.houses) for _ in range(kalah.houses * kalah.seeds)]
        return tuple(houses.count(house) for house in range(kalah.houses))

    while repeated < PATIENCE:
        own = scattered()
        rows = own, scattered() if apart else own
        repeated = repeated + 1 if rows in seen else 0
        if rows not in seen and _is_playable(rows):
            yield rows
        seen.add(rows)


def near_rows(kalah: Kalah, rng: random.Random, apart: bool) -> Iterator[tuple[Row, Row]]:
    """Yield the usual start, then starts with one seed moved to another house of its row, and so
    on."""
    most = kalah.seeds * (kalah.houses - 1)
    for moved in range((2 if apart else 1) * most + 1):
        split = (
            [(one, moved - one) for one in range(moved + 1) if max(one, moved - one) <= most]
            if apart
            else [(moved, moved)]
        )
        pairs = [
            rows
            for one, two in split
            for rows in itertools.product(_rows_at(kalah, one), _rows_at(kalah, two))
            if apart or rows[0] == rows[1]
        ]
        rng.shuffle(pairs)
        yield from filter(_is_playable, pairs)


def _rows_at(kalah: Kalah, moved: int) -> tuple[Row, ...]:
    """The rows that differ from the usual one by so many moved seeds."""
    return _arrangements(kalah.houses, kalah.seeds, moved, moved)


@functools.lru_cache(maxsize=4096)
def _arrangements(houses: int, seeds: int, more: int, fewer: int) -> tuple[Row, ...]:
    """All rows that hold `more` seeds above the usual number in some houses and lack `fewer` in
    others."""
    if houses == 0:
        return ((),) if more == fewer == 0 else ()
    found = []
    for change in range(-min(seeds, fewer), more + 1):
        rest = _arrangements(houses - 1, seeds, more - max(change, 0), fewer - max(-change, 0))
        found += [(seeds + change, *row) for row in rest]
    return tuple(found)


def _is_playable(rows: tuple[Row, Row]) -> bool:
    return all(sum(count > 0 for count in row) >= FEWEST_HOUSES for row in rows)
