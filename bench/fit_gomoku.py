"""The evaluation of `threats`, fitted to what its own searches say.

    python -m bench.fit_gomoku teach --seed 1 --minutes 10 --out lessons1.npz     positions with labels; with other seeds on other cores
    python -m bench.fit_gomoku fit lessons1.npz lessons2.npz --out weights.json   the weights, for `threats:heuristic=weights.json`
    python -m bench.fit_gomoku order lessons1.npz --out weights.json              the order of moves in them

Results of games did not teach it to play better (docs/engine-log.md): they are noisy, and games
show few of the positions that a search has to value. So, as in TreeStrap (Veness, Silver, Uther and
Blair 2009), each position is labelled by a search from it, and positions are such as searches meet:
some plies of plausible moves away from a game between equals, where nobody can complete a line or
threatens to, and no victory by fours is at hand. A label is the search's value in logits, at most
SURE either way; forced results are SURE. Every fifth game is held out, and tells how well its
labels are foretold. Whether the weights play better is for `mnkala sprt` to say.

First the weights of kinds and bonuses are fitted, and then, beside them, what each four kinds are
worth together. Both are held near where they were by a penalty, so that what few positions show
stays as it was. (All at once foretells and plays as well.)

The order of moves is fitted to the best moves of the same searches: the softmax of what all
candidates promise, by what they make for the mover and for the other side.
"""

from __future__ import annotations

import argparse
import dataclasses
import hashlib
import random
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np
from scipy import optimize, sparse

from mnkala.arena.models import Seen, bits, expected, fit
from mnkala.arena.openings import random_start
from mnkala.core import Position, parse_game
from mnkala.families.lines.engine.board import CANDIDATES, Board, count_of, make_board, threat_at
from mnkala.families.lines.engine.patterns import (
    BONUSES,
    COMPLETES,
    FIVE,
    KINDS,
    OPEN_FOUR,
    WINS,
    first_of,
    second_of,
)
from mnkala.families.lines.engine.vcf import Fours, forced_win, make_fours
from mnkala.families.lines.engine.weights import LOGIT, SHIPPED, read_weights
from mnkala.families.lines.model import SIDE, GomokuModel, features_by_combination
from mnkala.families.lines.rules import Mnk
from mnkala.search import Engine, Limit, Stop, parse_engine

GAME_NODES, LONGEST_GAME = 600, 70
"""Of the games that positions are taken from: nodes a move, and plies."""
TAKEN, SURPRISES, GIVEN_UP = 0.35, 0.15, 0.7
"""Chances: that a walk begins at a position of a game; that a game's move is another of the best;
that a forced end ends the game.
"""
WALKS = (0, 1, 2, 2, 3, 4)
"""Plies of a walk, one of these."""
PLAUSIBLE, MOST_RANK = 2.5, 12
"""The mean rank of a walk's moves among those that the engine's order prefers, and the largest."""
SURE = 3.0
"""Logits of a forced result."""
PENALTY, ORDER_PENALTY = 100.0, 1.0
ORDER_UNIT = 16
"""A logit in the order of moves: history, killers and answers are told in the same unit."""
URGENT = ((1000, 5000), (800, 4000))
"""What open fours and fives promise, for oneself and for the other side."""
FIXED = 1e-3
"""The unit of what is not fitted, see `fit_part`."""
HELD_OUT = 5
MOST_GAMES = 1_000_000
"""Of one seed, so that games have different numbers; a multiple of HELD_OUT."""


@dataclasses.dataclass(frozen=True)
class Marks:
    """All that the evaluation needs of a state."""

    cells: np.ndarray


@dataclasses.dataclass(frozen=True)
class Lesson:
    """A position and what a search says of it, in logits for the mover."""

    state: Marks
    mover: int
    logits: float
    game: int
    move: int


class Teacher:
    """Looks for positions and labels them."""

    def __init__(self, game: str, engine: str, nodes: int, seed: int) -> None:
        rules = parse_game(game)
        assert isinstance(rules, Mnk)
        self.rules, self.nodes = rules, nodes
        self.engine: Engine = parse_engine(engine)
        self.engine.search.prepare(rules)
        self.rng = random.Random(seed)
        self.fours: Fours = make_fours(Stop().flag)

    def lessons(self, game: int) -> Iterator[Lesson]:
        """Those of one game of the engine against itself."""
        position, rng = random_start(self.rules, self.rng), self.rng
        while not position.is_over and len(position.history_codes) < LONGEST_GAME:
            answer = self.engine.analyse(position, Limit(nodes=GAME_NODES))
            if (
                answer.score is not None
                and answer.score.plies is not None
                and rng.random() < GIVEN_UP
            ):
                return
            if rng.random() < TAKEN:
                met = self._walk(position)
                if not met.is_over and self._is_quiet(met):
                    label = self.engine.analyse(met, Limit(nodes=self.nodes))
                    found = label.score
                    if found is not None:
                        logits = (
                            np.sign(found.value) * SURE
                            if found.plies is not None
                            else np.clip(found.value / LOGIT, -SURE, SURE)
                        )
                        yield Lesson(
                            Marks(met.state().cells.copy()),
                            met.mover,
                            float(logits),
                            game,
                            label.line_codes[0],
                        )
            move = answer.line_codes[0]
            if rng.random() < SURPRISES and len(answer.moves) > 1:
                move = rng.choice(sorted(answer.moves, key=lambda root: -root.score.value)[:5]).code
            position = position.play_codes((move,))

    def _walk(self, position: Position) -> Position:
        """Some plausible plies further; a line that the other side would complete is blocked."""
        for _ in range(self.rng.choice(WALKS)):
            board, mover = self._board(position), position.mover
            order = self._ordered(board, mover)
            blocks = [cell for cell in order if threat_at(board, 1 - mover, cell) == COMPLETES]
            rank = (
                0
                if blocks
                else min(int(self.rng.expovariate(1 / PLAUSIBLE)), MOST_RANK, len(order) - 1)
            )
            position = position.play_codes(((blocks or order)[rank],))
            if position.is_over:
                break
        return position

    def _ordered(self, board: Board, mover: int) -> list[int]:
        """The cells near marks, the most promising first."""
        size, words = (
            len(board.cells),
            [int(word) for word in board.sets[CANDIDATES * board.words :]],
        )
        cells = [cell for cell in range(size) if words[cell >> 6] >> (cell & 63) & 1]
        promise = {
            cell: first_of(board.order[board.combinations[mover * size + cell]])
            + second_of(board.order[board.combinations[(1 - mover) * size + cell]])
            + self.rng.random()
            for cell in cells
        }
        return sorted(cells, key=lambda cell: -promise[cell])

    def _is_quiet(self, position: Position) -> bool:
        board, mover = self._board(position), position.mover
        threatened = any(
            count_of(board, side, threat) for side in (0, 1) for threat in (COMPLETES, WINS)
        )
        return not threatened and forced_win(board, mover, 12, 64, self.fours) == 0

    def _board(self, position: Position) -> Board:
        return make_board(self.rules, position.state().cells, read_weights("auto"))


# ---- From lessons to weights ----


def teach(game: str, engine: str, nodes: int, seed: int, minutes: float, out: Path) -> None:
    """Make lessons for some minutes, and write them."""
    teacher, until, lessons, games = (
        Teacher(game, engine, nodes, seed),
        time.monotonic() + 60 * minutes,
        list[Lesson](),
        0,
    )
    while time.monotonic() < until:
        lessons += teacher.lessons(games)
        games += 1
    np.savez_compressed(
        out,
        game=game,
        engine=engine,
        cells=np.array([lesson.state.cells for lesson in lessons], np.int8),
        movers=[lesson.mover for lesson in lessons],
        logits=[lesson.logits for lesson in lessons],
        games=[lesson.game + MOST_GAMES * seed for lesson in lessons],
        moves=[lesson.move for lesson in lessons],
    )
    print(f"{games} games, {len(lessons)} positions: {out}")


def fit_part(
    design: sparse.csr_array, shares: np.ndarray, weights: np.ndarray, part: np.ndarray
) -> np.ndarray:
    """Some of the weights, while the others stay as they are: what these say is one more feature,
    whose weight is as good as fixed. It is told in small units, so that a weight of many of them
    hardly moves under the penalty of all.
    """
    others = FIXED * (design @ np.where(part, 0.0, weights))
    features = sparse.csr_array(sparse.hstack([design[:, part], sparse.csr_array(others[:, None])]))
    start = np.append(weights[part], 1 / FIXED)
    return fit(features, shares, np.full(len(start), PENALTY), start, with_tempo=False, steps=5000)[
        0
    ][:-1]


def fit_to(files: list[Path], out: Path) -> None:
    """Fit weights to lessons, say how well they foretell what was held out, and write them."""
    read = [np.load(file) for file in files]
    cells, movers, logits, games = (
        np.concatenate([one[name] for one in read])
        for name in ("cells", "movers", "logits", "games")
    )
    rules, engine = parse_game(str(read[0]["game"])), parse_engine(str(read[0]["engine"]))
    assert isinstance(rules, Mnk)
    model = GomokuModel(rules)
    design, start = (
        model.features(Seen([Marks(each) for each in cells.astype(np.int64)], movers.tolist())),
        model.guess(engine) / LOGIT,
    )
    shares, held = 1 / (1 + np.exp(-logits)), games % HELD_OUT == HELD_OUT - 1
    weights, alone = start.copy(), np.tile(np.arange(SIDE) < KINDS + BONUSES, 2)
    for part in (alone, ~alone):
        weights[part] = fit_part(design[~held], shares[~held], weights, part)
    before, after, least = (
        bits(chances, shares[held])
        for chances in (
            expected(design[held], start, 0.0),
            expected(design[held], weights, 0.0),
            shares[held],
        )
    )
    digest = hashlib.sha256(cells.tobytes() + logits.tobytes()).hexdigest()[:16]
    out.write_bytes(
        model.written(
            weights, 0.0, engine, {"positions": len(cells), "data": digest, "engine": str(engine)}
        )
        + b"\n"
    )
    print(
        f"{len(cells)} positions, {int(held.sum())} held out; bits a label: {before:.4f} before, {after:.4f} fitted, "
        f"{least:.4f} at least; data {digest}; play it: {model.player(str(out))}"
    )


# ---- The order of moves ----


def fit_order(files: list[Path], out: Path) -> None:
    """Fit the order of moves to the best moves of lessons without a forced result, say how often
    it has the best move in front where it was held out, and write it with the other weights."""
    read = [np.load(file) for file in files]
    rules = parse_game(str(read[0]["game"]))
    assert isinstance(rules, Mnk)
    model, table = GomokuModel(rules), features_by_combination()
    rows, starts, best, held = list[np.ndarray](), [0], list[int](), list[bool]()
    for data in read:
        for cells, mover, logits, game, move in zip(
            *(data[name] for name in ("cells", "movers", "logits", "games", "moves")), strict=True
        ):
            board = model.board(Marks(cells.astype(np.int64)))
            words = [int(word) for word in board.sets[CANDIDATES * board.words :]]
            near = [cell for cell in range(len(cells)) if words[cell >> 6] >> (cell & 63) & 1]
            if abs(logits) >= SURE or move not in near:
                continue
            sides = board.combinations.reshape(2, -1)[:, near]
            rows.append(sides[[mover, 1 - mover]])
            best.append(starts[-1] + near.index(move))
            starts.append(starts[-1] + len(near))
            held.append(game % HELD_OUT == HELD_OUT - 1)
    own, other = np.concatenate(rows, axis=1)
    design = sparse.csr_array(sparse.hstack([table[own], table[other]]))
    first, found, counts = np.array(starts[:-1]), np.array(best), np.diff(starts)
    taught = ~np.array(held)

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        """The negative logarithm of the chance of all best moves, with its gradient."""
        promise = design @ weights
        top = np.maximum.reduceat(promise, first)
        shares = np.exp(promise - np.repeat(top, counts))
        sums = np.add.reduceat(shares, first)
        wrong = shares / np.repeat(sums, counts)
        wrong[found] -= 1.0
        wrong[np.repeat(~taught, counts)] = 0.0
        bits_lost = (top + np.log(sums) - promise[found])[taught].sum()
        penalty = ORDER_PENALTY * weights
        return float(bits_lost + penalty @ weights / 2), wrong @ design + penalty

    weights = optimize.minimize(
        loss, np.zeros(design.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 300}
    ).x
    promise = design @ weights
    rank = np.add.reduceat(promise > np.repeat(promise[found], counts), first, dtype=np.int64)
    units = np.rint(ORDER_UNIT * weights).astype(int).reshape(2, SIDE)
    for line_up, urgent in zip(units, URGENT, strict=True):
        line_up[[OPEN_FOUR, FIVE]] = urgent
    parts = zip(*(np.split(side, (KINDS, KINDS + BONUSES)) for side in units), strict=True)
    names = ("order_kinds", "order_bonuses", "order_together")
    learned = {
        name: [row.tolist() for row in pair] for name, pair in zip(names, parts, strict=True)
    }
    kept = msgspec.json.decode(SHIPPED.read_bytes())
    out.write_bytes(msgspec.json.encode(kept | learned) + b"\n")
    told = ", ".join(f"{(rank[~taught] < most).mean():.1%} within {most}" for most in (1, 3, 10))
    print(f"{len(found)} positions, {int((~taught).sum())} held out; the best move {told}")


def main() -> None:
    """Teach, or fit."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.fit_gomoku", description="Weights of threats, fitted to its searches."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    lessons = commands.add_parser("teach", help="positions, and what searches say of them")
    lessons.add_argument("--game", default="gomoku")
    lessons.add_argument(
        "--engine",
        default="threats",
        help="whose searches are the labels, and whose weights are the start",
    )
    lessons.add_argument("--nodes", type=int, default=20_000, help="of a label")
    lessons.add_argument("--seed", type=int, default=1)
    lessons.add_argument("--minutes", type=float, default=10.0)
    lessons.add_argument("--out", type=Path, default=Path("lessons.npz"))
    weights = commands.add_parser("fit", help="weights by files of lessons")
    weights.add_argument("lessons", type=Path, nargs="+")
    weights.add_argument("--out", type=Path, default=Path("weights-gomoku.json"))
    order = commands.add_parser("order", help="the order of moves by files of lessons")
    order.add_argument("lessons", type=Path, nargs="+")
    order.add_argument("--out", type=Path, default=Path("weights-gomoku.json"))
    given = parser.parse_args()
    if given.command == "teach":
        teach(given.game, given.engine, given.nodes, given.seed, given.minutes, given.out)
    elif given.command == "order":
        fit_order(given.lessons, given.out)
    else:
        fit_to(given.lessons, given.out)


if __name__ == "__main__":
    main()
