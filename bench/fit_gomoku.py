"""The evaluation of `threats`, fitted to what its own searches say: `python -m bench.fit_gomoku --games 2000 --seed 1 --out weights.json`.

Results of games did not teach it to play better (docs/engine-log.md): they are noisy, and games show few of the positions that a search has
to value. So, as in TreeStrap (Veness, Silver, Uther and Blair 2009), each position is labelled by a search from it, and positions are such
as searches meet: some plies of plausible moves away from a game between equals, where nobody can complete a line or threatens to, and no
victory by fours is at hand. A label is the search's value in logits, at most SURE either way; forced results are SURE. Every fifth game is
held out, and tells how well its labels are foretold. Whether the weights play better is for `mnkala sprt` to say.
"""

from __future__ import annotations

import argparse
import dataclasses
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from mnkala.arena.gomoku_model import GomokuModel
from mnkala.arena.models import Seen
from mnkala.arena.openings import random_start
from mnkala.arena.regression import bits, expected, fit
from mnkala.games import Position, parse_game
from mnkala.games.mnk import Mnk
from mnkala.gomoku.board import CANDIDATES, Board, count_of, make_board, threat_at
from mnkala.gomoku.combinations import COMPLETES, WINS, first_of, second_of
from mnkala.gomoku.fours import Fours, forced_win, make_fours
from mnkala.gomoku.weights import LOGIT, read_weights
from mnkala.search import Engine, Limit, Stop, parse_engine

GAME_NODES, LONGEST_GAME = 600, 70
"""Of the games that positions are taken from: nodes a move, and plies."""
TAKEN, SURPRISES, GIVEN_UP = 0.35, 0.15, 0.7
"""Chances: that a walk begins at a position of a game; that a game's move is another of the best; that a forced end ends the game."""
WALKS = (0, 1, 2, 2, 3, 4)
"""Plies of a walk, one of these."""
PLAUSIBLE, MOST_RANK = 2.5, 12
"""The mean rank of a walk's moves among those that the engine's order prefers, and the largest."""
SURE = 3.0
"""Logits of a forced result."""
PENALTY = 100.0
HELD_OUT = 5


@dataclasses.dataclass(frozen=True)
class Lesson:
    """A position and what a search says of it, in logits for the mover."""

    state: object
    mover: int
    logits: float
    game: int


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
            if answer.score is not None and answer.score.plies is not None and rng.random() < GIVEN_UP:
                return
            if rng.random() < TAKEN:
                met = self._walk(position)
                if not met.is_over and self._is_quiet(met):
                    found = self.engine.analyse(met, Limit(nodes=self.nodes)).score
                    if found is not None:
                        logits = np.sign(found.value) * SURE if found.plies is not None else np.clip(found.value / LOGIT, -SURE, SURE)
                        yield Lesson(met.state(), met.mover, float(logits), game)
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
            rank = 0 if blocks else min(int(self.rng.expovariate(1 / PLAUSIBLE)), MOST_RANK, len(order) - 1)
            position = position.play_codes(((blocks or order)[rank],))
            if position.is_over:
                break
        return position

    def _ordered(self, board: Board, mover: int) -> list[int]:
        """The cells near marks, the most promising first."""
        size, words = len(board.cells), [int(word) for word in board.sets[CANDIDATES * board.words :]]
        cells = [cell for cell in range(size) if words[cell >> 6] >> (cell & 63) & 1]
        promise = {cell: first_of(board.order[board.combinations[mover * size + cell]])
                   + second_of(board.order[board.combinations[(1 - mover) * size + cell]]) + self.rng.random() for cell in cells}
        return sorted(cells, key=lambda cell: -promise[cell])

    def _is_quiet(self, position: Position) -> bool:
        board, mover = self._board(position), position.mover
        threatened = any(count_of(board, side, threat) for side in (0, 1) for threat in (COMPLETES, WINS))
        return not threatened and forced_win(board, mover, 12, 64, self.fours) == 0

    def _board(self, position: Position) -> Board:
        return make_board(self.rules, position.state().cells, read_weights("auto"))


def main() -> None:
    """Play, fit, tell and write."""
    parser = argparse.ArgumentParser(prog="python -m bench.fit_gomoku", description="Weights of threats, fitted to its searches.")
    parser.add_argument("--game", default="gomoku")
    parser.add_argument("--engine", default="threats", help="whose searches are the labels, and whose weights are the start")
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--nodes", type=int, default=20_000, help="of a label")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("weights-gomoku.json"))
    given = parser.parse_args()
    teacher = Teacher(given.game, given.engine, given.nodes, given.seed)
    lessons: list[Lesson] = []
    for game in range(given.games):
        lessons += teacher.lessons(game)
        print(f"\r{game + 1} of {given.games} games, {len(lessons)} positions", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    model = GomokuModel(teacher.rules)
    features = model.features(Seen([lesson.state for lesson in lessons], [lesson.mover for lesson in lessons]))
    shares = 1 / (1 + np.exp(-np.array([lesson.logits for lesson in lessons])))
    held = np.array([lesson.game % HELD_OUT == HELD_OUT - 1 for lesson in lessons])
    start = model.guess(teacher.engine) / LOGIT
    weights, _ = fit(features[~held], shares[~held], np.full(len(start), PENALTY), start, with_tempo=False, steps=5000)
    before, after, least = (bits(chances, shares[held]) for chances in (
        expected(features[held], start, 0.0), expected(features[held], weights, 0.0), shares[held]))
    command = f"python -m bench.fit_gomoku --games {given.games} --nodes {given.nodes} --seed {given.seed} --engine {given.engine}"
    given.out.write_bytes(model.written(weights, 0.0, teacher.engine, {"command": command, "positions": len(lessons)}) + b"\n")
    print(f"{len(lessons)} positions, {int(held.sum())} held out; bits a label: {before:.4f} before, {after:.4f} fitted, "
          f"{least:.4f} at least; play it: {model.player(str(given.out))}")


if __name__ == "__main__":
    main()
