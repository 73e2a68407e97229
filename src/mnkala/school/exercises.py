"""The tests of each exercise, the positions that they use, and their right answers.

The answers are computed by textbook Minimax and Alpha-Beta on `Position`, in plain Python as a
student would write it, so nothing waits for a compiler; `tests/test_school.py` compares these
functions with the engines `minimax` and `alphabeta`. A finished game is worth its margin. A
position at the end of the depth is worth 0, whatever a student's file makes of it: the positions
are chosen so that no guess between -1 and 1 changes the answer. Answers are kept, because every
student gets the same questions.
"""

from __future__ import annotations

import functools
import itertools
import random
from collections.abc import Callable

from mnkala.core import Position
from mnkala.numbers import counted
from mnkala.school.checks import HEURISTIC, Candidate, Case, Check, among, told

# ---- Positions for the tests ----
#
# They come from random play: positions with a unique answer that is not the first legal move nor
# (except in Kalah) the last, so that a constant answer earns nothing, and in which a common mistake
# leads to another move. `tests/test_school.py` verifies all of this.


Placed = tuple[str, str]
"""A game string and the moves that lead to a position."""

ANY: tuple[Placed, ...] = (
    ("connect4", ""),
    ("connect4:5x6", "334"),
    ("tictactoe", "b2a1"),
    ("kalah", ""),
    ("kalah:4x3", "21"),
    ("connect:4x4x3", "2133113442"),
)
"""Ordinary positions of several games: an answer must be legal in each of them."""

WIN_IN_ONE: tuple[Placed, ...] = (
    ("connect4", "4615274452"),
    ("connect4", "752414735525447"),
    ("connect4:5x6", "2345216623"),
    ("connect4:5x6", "62115632523"),
    ("tictactoe", "a1c2c1b3"),
    ("tictactoe", "a2b1c2b3c1"),
)
"""Positions in which one move wins at once, for either player."""

LOSS_IN_ONE: tuple[Placed, ...] = (
    ("connect4", "2212154"),
    ("connect4", "345626361223"),
    ("connect4:5x6", "66414322456"),
    ("connect4:5x6", "1455223316"),
    ("tictactoe", "b1c3a1"),
    ("tictactoe", "c2c1b2"),
)
"""Positions in which the opponent threatens to win, the mover cannot win at once, and one move
stops the threat."""

FIRST_PLAYER: tuple[Placed, ...] = (
    ("tictactoe", "b3c1a2c2"),
    ("connect4:4x4", "23343324"),
    ("connect:4x4x3", "434134"),
    ("connect:4x4x3", "214333"),
)
SECOND_PLAYER: tuple[Placed, ...] = (
    ("tictactoe", "a1b2c1"),
    ("connect:3x4x3", "224"),
    ("connect4:4x4", "222141132"),
    ("connect:4x4x3", "4133343"),
)
"""Positions in which one move is best when the game is searched to its end."""

MOVE_AGAIN: tuple[Placed, ...] = (
    ("kalah:3x3", "2322312312"),
    ("kalah:3x3", "3213113223"),
    ("kalah:4x2", "3144"),
    ("kalah:4x2", "12412331244314"),
    ("kalah:4x2", "3231143411"),
    ("kalah:4x3", "323124324413"),
)
"""Positions of Kalah, searched to the end, in which a search that changes sides after every move
goes wrong."""

MARGIN: tuple[Placed, ...] = (
    ("kalah:5x2", "31542415"),
    ("kalah:3x2", "21213"),
    ("kalah:4x3", "14324222312324"),
)
"""Positions in which several moves win and one wins by most."""

LARGE_TREES: tuple[Placed, ...] = (
    ("connect:3x4x3", "224"),
    ("connect:4x4x3", "434134"),
    ("kalah:5x2", "31542415"),
)
"""Positions from which the tree to the end has some thousand nodes; Alpha-Beta needs a fraction of
them.
"""


def placed(positions: tuple[Placed, ...]) -> list[Position]:
    """Make positions from pairs of a game and its moves."""
    return [Position(game).play(moves) for game, moves in positions]


# ---- Right answers ----


TO_THE_END = 60
"""A depth greater than the length of any game from the reference positions."""


def margin_for(position: Position, player: int) -> int:
    """The value of a finished game for a player."""
    assert position.outcome is not None
    return position.outcome.margin if player == 0 else -position.outcome.margin


def move_values(position: Position, depth: int) -> dict[str, int]:
    """The value of each legal move for the mover, searched `depth` plies deep."""
    known: dict[tuple[str | None, int], int] = {}
    return {
        move: _for_mover(position, child, _value(child, depth - 1, known))
        for move in position.legal_moves
        for child in [position.play(move)]
    }


def _for_mover(position: Position, child: Position, value: int) -> int:
    """A child's value for the mover of `position`: the sign changes only if the turn has passed."""
    return value if child.mover == position.mover else -value


def _value(position: Position, depth: int, known: dict[tuple[str | None, int], int]) -> int:
    """The value of a position by Minimax. Positions that occurred before are looked up in `known`,
    which changes no value."""
    if position.is_over:
        return margin_for(position, position.mover)
    if depth == 0:
        return 0
    key = (position.literal, depth)
    if key not in known:
        children = (position.play(move) for move in position.legal_moves)
        known[key] = max(
            _for_mover(position, child, _value(child, depth - 1, known)) for child in children
        )
    return known[key]


@functools.cache
def best_moves(position: Position, depth: int) -> tuple[str, ...]:
    """All moves that Minimax may choose."""
    values = move_values(position, depth)
    return tuple(move for move, value in values.items() if value == max(values.values()))


@functools.cache
def minimax_plays(position: Position, depth: int) -> int:
    """How many moves plain Minimax plays: the size of the tree without its root."""
    return _tree(position, depth, {}) - 1


def _tree(position: Position, depth: int, known: dict[tuple[str | None, int], int]) -> int:
    if position.is_over or depth == 0:
        return 1
    key = (position.literal, depth)
    if key not in known:
        known[key] = 1 + sum(
            _tree(position.play(move), depth - 1, known) for move in position.legal_moves
        )
    return known[key]


TOO_MUCH = 1 << 30


@functools.cache
def alphabeta_plays(position: Position, depth: int) -> int:
    """How many moves textbook Alpha-Beta plays, with moves in the order of the rules, one window
    from the root on, and a cut at alpha >= beta."""
    return _alphabeta(position, depth, -TOO_MUCH, TOO_MUCH)[1]


def _alphabeta(position: Position, depth: int, alpha: int, beta: int) -> tuple[int, int]:
    """The value for the mover, and the number of moves played below."""
    if position.is_over:
        return margin_for(position, position.mover), 0
    if depth == 0:
        return 0, 0
    best, plays = -TOO_MUCH, 0
    for move in position.legal_moves:
        child = position.play(move)
        if child.mover == position.mover:
            value, below = _alphabeta(child, depth - 1, alpha, beta)
        else:
            value, below = _alphabeta(child, depth - 1, -beta, -alpha)
            value = -value
        best, plays = max(best, value), plays + below + 1
        alpha = max(alpha, value)
        if alpha >= beta:
            break
    return best, plays


FULL_MARKS = 20

NOT_LEGAL = "Return one of position.legal_moves, as it is written there, in every game and whoever is to move."
WIN = "Look first whether the game is over, then whether the depth is used up: else a win with the last ply is never seen."
BLOCK = "The opponent picks what is worst for you: take the least of the values where the other player is to move."
SECOND = "outcome.margin is for player 0. Turn its sign when you search for player 1; who that is says position.mover at the root."
AGAIN = (
    "In Kalah a player may move twice. Whether a level takes the largest or the least value (or whether a value changes its sign) "
    "depends on child.mover, not on the level."
)
BY_MOST = "A finished game is worth outcome.margin, not just 1: of two wins the larger is better, of two losses the smaller."

SMALL_SEARCH, SEARCH_FOR_BLOCK, SEARCH_TO_THE_END = 200, 400, 500
"""Numbers of iterations that are ample for a correct MCTS in the positions where they are used."""


def _is_best(candidate: Candidate, position: Position, depth: int) -> str:
    """Check that the answer is a move that Minimax may choose; return what was wrong, or an empty
    text."""
    return among(position, best_moves(position, depth), candidate.move(position, depth=depth).value)


def _best(places: tuple[Placed, ...], depth: int) -> list[Case]:
    return [
        Case.of(_is_best, position, depth, title=_title(position, depth))
        for position in placed(places)
    ]


def _title(position: Position, depth: int) -> str:
    return f"{told(position)}, {'to the end' if depth == TO_THE_END else f'depth {depth}'}"


def _is_legal(candidate: Candidate, position: Position, asked: dict[str, int]) -> str:
    """Check that the answer is a legal move, which `Candidate.move` does, and return an empty
    text."""
    candidate.move(position, **asked)
    return ""


def _legal(*arguments: dict[str, int]) -> list[Case]:
    return [
        Case.of(_is_legal, position, asked, title=told(position))
        for position, asked in zip(placed(ANY), itertools.cycle(arguments), strict=False)
    ]


def _keeps_depth(candidate: Candidate, position: Position, depth: int) -> str:
    """Check that the search plays moves, but hardly more than there are in the tree; return what
    was wrong, or an empty text."""
    most = 2 * minimax_plays(position, depth)
    plays = candidate.move(position, depth=depth).plays
    return (
        ""
        if 0 < plays <= most
        else f"played {counted(plays, 'move')} on positions; the tree has {most // 2}"
    )


def _prunes(
    candidate: Candidate, position: Position, share: float, of: Callable[[Position, int], int]
) -> str:
    """Check that the search plays only a share of the moves `of` a reference; return what was
    wrong, or an empty text.

    The answer must be right as well, because a search that looks at nothing visits few positions.
    """
    answer = candidate.move(position, depth=TO_THE_END)
    if answer.plays == 0:
        return "played no move on positions, so nothing can be counted; use position.play"
    if answer.plays > share * of(position, TO_THE_END):
        return (
            f"played {counted(answer.plays, 'move')}; the whole tree and the textbook's cuts are "
            f"{minimax_plays(position, TO_THE_END)} (Minimax), {alphabeta_plays(position, TO_THE_END)} (Alpha-Beta)"
        )
    return among(position, best_moves(position, TO_THE_END), answer.value)


def _pruned(share: float, of: Callable[[Position, int], int]) -> list[Case]:
    return [
        Case.of(_prunes, position, share, of, title=told(position))
        for position in placed(LARGE_TREES)
    ]


def _minimax_checks() -> list[Check]:
    return [
        Check("legal moves", 2, NOT_LEGAL, _legal({"depth": 1}, {"depth": 2})),
        Check("wins in one move", 3, WIN, _best(WIN_IN_ONE, 1)),
        Check("stops a loss in one move", 3, BLOCK, _best(LOSS_IN_ONE, 2)),
        Check(
            "best move to the end",
            3,
            "Follow every move until the game is over; the value of a position is that of its best move.",
            _best(FIRST_PLAYER, TO_THE_END),
        ),
        Check("also as second player", 3, SECOND, _best(SECOND_PLAYER, TO_THE_END)),
        Check("Kalah: moves again", 4, AGAIN, _best(MOVE_AGAIN, TO_THE_END)),
        Check("wins by most", 1, BY_MOST, _best(MARGIN, TO_THE_END)),
        Check(
            "keeps the depth",
            1,
            "Lower the depth by one with every move and stop at 0; play each move once.",
            [
                Case.of(_keeps_depth, Position(game), depth, title=_title(Position(game), depth))
                for game, depth in (("connect4", 1), ("connect4", 2), ("kalah:4x3", 3))
            ],
        ),
    ]


def _alphabeta_checks() -> list[Check]:
    return [
        Check("legal moves", 2, NOT_LEGAL, _legal({"depth": 1}, {"depth": 2})),
        Check("wins in one move", 2, WIN, _best(WIN_IN_ONE, 1)),
        Check("stops a loss in one move", 2, BLOCK, _best(LOSS_IN_ONE, 2)),
        Check(
            "Minimax's answer",
            4,
            "A cut must never change the answer. At the root a later move must be better than the best so "
            "far, not as good: its value is only a bound.",
            _best(FIRST_PLAYER + SECOND_PLAYER, TO_THE_END),
        ),
        Check(
            "Kalah: moves again",
            4,
            AGAIN + " The window turns round (-beta, -alpha) only together with the sign.",
            _best(MOVE_AGAIN, TO_THE_END),
        ),
        Check("wins by most", 1, BY_MOST, _best(MARGIN, TO_THE_END)),
        Check(
            "visits less than Minimax",
            3,
            "Stop looking at a position's moves as soon as alpha >= beta.",
            _pruned(0.6, minimax_plays),
        ),
        Check(
            "cuts as the textbook",
            2,
            "Pass alpha on from the root too (do not begin anew for each root move), and play each move once.",
            _pruned(1.25, alphabeta_plays),
        ),
    ]


# ---- MCTS ----


def _converges(
    candidate: Candidate, position: Position, depth: int, iterations: int, tries: int
) -> str:
    """Check that enough iterations find Minimax's move; each further attempt has twice as many.
    Return what was wrong, or an empty text."""
    right, wrong = best_moves(position, depth), ""
    for doubled in range(tries):
        wrong = among(
            position,
            right,
            candidate.move(position, iterations=iterations << doubled, seed=1 + doubled).value,
        )
        if not wrong:
            break
    return wrong


def _finds(places: tuple[Placed, ...], depth: int, iterations: int, tries: int) -> list[Case]:
    """Make a case for each position in which enough iterations must find Minimax's move."""
    return [
        Case.of(
            _converges,
            position,
            depth,
            iterations,
            tries,
            title=f"{told(position)}, {counted(iterations, 'iteration')}",
        )
        for position in placed(places)
    ]


def _repeats(candidate: Candidate, position: Position) -> str:
    """Check that equal generators of random numbers lead to equal answers; return what was wrong,
    or an empty text."""
    said = {
        (candidate.move(position, iterations=40, seed=seed).value, seed)
        for seed in (5, 6, 5, 6, 5, 6)
    }
    return "" if len(said) <= 2 else "gave different answers for the same rng"


def _works_more(candidate: Candidate, position: Position) -> str:
    """Check that ten times as many iterations play about ten times as many moves; return what was
    wrong, or an empty text."""
    few, many = (
        candidate.move(position, iterations=iterations, seed=3).plays for iterations in (20, 200)
    )
    return (
        ""
        if 4 * few <= many <= 25 * few and few > 0
        else f"played {counted(few, 'move')} in 20 iterations and {many} in 200; some ten times as many were expected"
    )


def _from_start(judge: Callable[..., str], *games: str) -> list[Case]:
    return [Case.of(judge, Position(game), title=told(Position(game))) for game in games]


GAMES_AGAINST_RANDOM, ITERATIONS_AGAINST_RANDOM = 12, 100


def _beats_random(candidate: Candidate, game: str, seed: int) -> str:
    """Check that the candidate wins a game against random moves; return what was wrong, or an empty
    text. Nobody wins all of these games, and random play itself wins half."""
    rng, position = random.Random(f"{game} {seed}"), Position(game)
    seat = (
        seed % 2 if game.startswith("kalah") else 0
    )  # This Connect is lost for the second player anyway.
    while not position.is_over:
        own = position.mover == seat
        asked = {"iterations": ITERATIONS_AGAINST_RANDOM, "seed": seed}
        move = (
            str(candidate.move(position, **asked).value)
            if own
            else rng.choice(position.legal_moves)
        )
        position = position.play(move)
    return (
        "" if margin_for(position, seat) > 0 else f"did not win as player {seat}: {position.moves}"
    )


def _mcts_checks() -> list[Check]:
    return [
        Check(
            "legal moves",
            2,
            NOT_LEGAL + " One iteration must be enough for an answer.",
            _legal({"iterations": 1, "seed": 1}, {"iterations": 20, "seed": 2}),
        ),
        Check(
            "wins in one move",
            3,
            "A finished position needs no playout: its outcome is the result. Play the move with most visits.",
            _finds(WIN_IN_ONE, 1, SMALL_SEARCH, 1),
            by_luck=1,
        ),
        Check(
            "stops a loss in one move",
            3,
            "A node counts the wins of the player who moved into it; the parent picks the child that "
            "is best for the parent's mover.",
            _finds(LOSS_IN_ONE, 2, SEARCH_FOR_BLOCK, 2),
            by_luck=1,
        ),
        Check(
            "Kalah: moves again",
            4,
            "In Kalah a player may move twice: credit each node by who moved into it (parent.mover), never by "
            "turns.",
            _finds(MOVE_AGAIN, TO_THE_END, SEARCH_TO_THE_END, 2),
            allowed_failures=1,
            by_luck=2,
        ),
        Check(
            "repeats itself",
            2,
            "Take every random number from rng, none from the module random, and do not pick from a set.",
            _from_start(_repeats, "connect4:5x6", "kalah:4x3", "tictactoe"),
        ),
        Check(
            "works by iterations",
            2,
            "Each iteration is one selection, one expansion, one playout and one backing up; do exactly as "
            "many as are asked for.",
            _from_start(_works_more, "connect4:5x6", "kalah:4x3"),
        ),
        Check(
            "beats random play",
            4,
            f"With {ITERATIONS_AGAINST_RANDOM} iterations it should win nearly always against random moves: "
            "check the playouts and whose wins are counted.",
            [
                Case.of(_beats_random, game, seed, title=f"{game}, game {seed + 1}")
                for seed in range(GAMES_AGAINST_RANDOM)
                for game in [("connect:4x4x3", "kalah:4x3")[seed // 2 % 2]]
            ],
            allowed_failures=3,
            by_luck=7,
        ),
    ]


@functools.cache
def checks_of(exercise: str) -> tuple[Check, ...]:
    """The tests of an exercise."""
    makers = {
        "heuristic": lambda: HEURISTIC,
        "minimax": _minimax_checks,
        "alphabeta": _alphabeta_checks,
        "mcts": _mcts_checks,
    }
    return tuple(makers[exercise]())
