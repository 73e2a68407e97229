"""The perfect player against plain search of whole small games, its clock, its book and its
solvers.
"""

from __future__ import annotations

import contextlib
import random

import pytest

from mnkala.core import Position, parse_game
from mnkala.errors import BadEngine
from mnkala.families.connect.solver.solver import plies_to_end
from mnkala.play import PERFECT, STRONGEST, ladder_of, levels_of, parse_player
from mnkala.play.levels import exact_words
from mnkala.play.warmup import warmup_steps
from mnkala.search import Limit, Score, Stop, parse_engine
from mnkala.solve import oracle as oracle_module
from mnkala.solve.books import Book
from mnkala.solve.solver import MOST_KEPT, MOST_MB, SMALL_MB, TABLE_MB, forget_solvers, lent_solver
from tests.brute_force import SMALL, some_positions, truth

PERFECT_PLAYER = parse_engine("perfect:book=off")


def spoiling(position: Position) -> int:
    """Replies that give away a win, a draw, or the longest defence."""
    score = truth(position)
    needed = 1 if score > 0 else score
    return sum(-truth(position.play_codes([reply])) < needed for reply in position.legal_codes)


# ---- Exact ----


@pytest.mark.parametrize("game", SMALL)
def test_every_move_has_its_exact_score(game: str) -> None:
    for position in some_positions(game, 40):
        found = PERFECT_PLAYER.analyse(position, all_moves=True)
        assert found.score is not None
        assert (found.score.kind, found.score.value) == ("exact", truth(position))
        assert {each.code: each.score.value for each in found.moves} == {
            move: -truth(position.play_codes([move])) for move in position.legal_codes
        }
        assert all(each.score.kind == "exact" for each in found.moves)


@pytest.mark.parametrize("game", SMALL)
def test_the_move_keeps_the_score_and_is_the_hardest_to_answer(game: str) -> None:
    choices = 0
    for position in some_positions(game, 60):
        found = PERFECT_PLAYER.analyse(position)
        best = [
            move
            for move in position.legal_codes
            if -truth(position.play_codes([move])) == truth(position)
        ]
        assert found.best_code in best
        tasks = {
            move: 0
            if position.play_codes([move]).is_over
            else spoiling(position.play_codes([move]))
            for move in best
        }
        assert found.best_code is not None
        assert tasks[found.best_code] == max(tasks.values())
        choices += len(set(tasks.values())) > 1
        for each in found.moves:
            value = -truth(position.play_codes([each.code]))
            assert each.score.is_proved
            assert each.score.lower <= value <= each.score.upper
    assert choices > 3, "otherwise nothing was chosen"


@pytest.mark.parametrize("game", SMALL)
def test_the_lines_are_best_play_to_the_end(game: str) -> None:
    for position in some_positions(game, 25):
        found = PERFECT_PLAYER.analyse(position, all_moves=True)
        for root in found.moves:
            here = position.play_codes([root.code])
            cells = here.rules.longest_game() - sum(
                map(bool, sum(here.rules.picture(here.state()).cells, ()))
            )
            assert len(root.line_codes) - 1 == (
                0 if here.is_over else plies_to_end(truth(here), cells)
            )
            for move in root.line_codes[1:]:
                later = here.play_codes([move])
                assert truth(later) == -truth(here)
                here = later
            assert here.is_over


def test_two_threads_and_what_was_asked_before_change_nothing() -> None:
    for position in some_positions("connect4", 4, least=20):
        asked = [
            parse_engine(text).analyse(position, all_moves=True)
            for text in ("perfect", "perfect", "perfect:threads=2")
        ]
        assert (
            len(
                {
                    (answer.line_codes, tuple(move.score for move in answer.moves))
                    for answer in asked
                }
            )
            == 1
        )


# ---- Limits ----

HARD = Position("connect4").play("4")
HOPELESS = Position("connect4:7x8").play("4")


def test_bounds_stream_out_and_the_heuristic_search_takes_over_when_the_clock_is_too_short() -> (
    None
):
    PERFECT_PLAYER.search.prepare(HARD.rules)
    answers = list(PERFECT_PLAYER.stream(HARD, Limit(time=3)))
    assert any(
        answer.score and answer.score.kind == "bound" and "between" in answer.note
        for answer in answers
    )
    last = answers[-1]
    assert "deepening chose the move" in last.note
    assert last.best_code in HARD.legal_codes
    assert last.score is not None
    assert last.score.kind == "estimate"
    assert last.depth > 1


def test_a_limit_of_nodes_or_depth_comes_out_the_same_every_time() -> None:
    for limit in (Limit(nodes=30_000), Limit(depth=4)):
        answers = [PERFECT_PLAYER.analyse(HARD, limit) for _ in range(2)]
        assert answers[0].line_codes == answers[1].line_codes
        assert answers[0].nodes == answers[1].nodes
        assert "not solved within the limit" in answers[0].note
    assert PERFECT_PLAYER.analyse(HARD, Limit(nodes=30_000)).nodes <= 30_000


def test_a_raised_flag_ends_it() -> None:
    """It would take days."""
    stop = Stop()
    for answer in PERFECT_PLAYER.stream(HARD, Limit(stop=stop)):
        stop.set()
        last = answer
    assert last.best_code in HARD.legal_codes


def test_what_is_solved_needs_no_heuristic_even_with_a_clock() -> None:
    position = some_positions("connect4", 1, least=24)[0]
    found = PERFECT_PLAYER.analyse(position, Limit(time=600))
    assert found.score is not None
    assert found.score.kind == "exact"
    assert "deepening" not in found.note


# ---- What it plays ----


def test_a_hopeless_position_costs_the_heuristic_search_nothing() -> None:
    limit = Limit(nodes=3000)
    found = PERFECT_PLAYER.analyse(HOPELESS, limit)
    alone = parse_engine("deepening").analyse(HOPELESS, limit)
    assert "out of reach" in found.note
    assert (found.line_codes, found.nodes, found.score) == (
        alone.line_codes,
        alone.nodes,
        alone.score,
    )


@pytest.mark.parametrize("game", ["gomoku", "mnk:9x9x5"])
def test_other_games_are_refused_with_what_it_can_play(game: str) -> None:
    rules = parse_game(game)
    with pytest.raises(BadEngine, match=r"perfect cannot play .*, which no solver fits"):
        parse_engine("perfect").analyse(Position(rules))
    with pytest.raises(BadEngine, match="perfect cannot play"):
        parse_player("perfect", rules)
    assert PERFECT not in levels_of(rules)


@pytest.mark.parametrize(
    ("game", "offered"),
    [
        ("tictactoe", True),
        ("kalah:3x2", True),
        ("kalah:4x4", True),
        ("kalah", False),
        ("kalah:6x5", False),
        ("connect4", True),
        ("connect4:6x5", True),
        ("connect4:6x6", False),
        ("connect4:7x8", False),
        ("connect4:10x11", False),
        ("gomoku", False),
    ],
)
def test_it_is_a_level_where_every_move_is_sure_to_be_exact(game: str, offered: bool) -> None:
    """Kalah of six houses and four seeds was "perfect" and estimated its first moves."""
    rules = parse_game(game)
    top = ladder_of(rules)[-1]
    assert (PERFECT in levels_of(rules), top.name) == (offered, PERFECT if offered else STRONGEST)
    assert STRONGEST in levels_of(rules)
    assert parse_player(STRONGEST, rules).engine == parse_engine(top.engine)


def test_what_is_not_perfect_says_from_where_on_it_is_exact() -> None:
    """The level of that name before is the strongest now, and saved games with it go on."""
    words = {
        game: exact_words(ladder_of(parse_game(game))[-1])
        for game in ("kalah", "connect4", "connect4:6x6", "mnk:5x5x4", "gomoku")
    }
    assert words == {
        "kalah": "exact from 39 seeds in play on",
        "connect4": "every move is exact",
        "gomoku": "",
        "connect4:6x6": "exact from 34 free cells on",
        "mnk:5x5x4": "exact towards the end of the game",
    }
    rules = parse_game("kalah")
    player = parse_player("perfect", rules)
    assert (player.name, str(player.engine)) == (STRONGEST, "perfect:time=10.0")
    assert exact_words(ladder_of(rules)[-1], "pt") == "exato a partir de 39 sementes em jogo"


@pytest.mark.parametrize(("game", "left"), [("kalah", "seeds"), ("connect4:6x6", "free_cells")])
def test_from_there_on_it_does_find_the_score_in_time(game: str, left: str) -> None:
    """One position just there, of a random game; the level has ten seconds for it."""
    rng, position = random.Random(3), Position(game)
    top = ladder_of(position.rules)[-1]
    assert top.exact_from is not None
    assert top.exact_from[0] == left
    with lent_solver(position.rules) as solver:
        while getattr(solver, left)(position) > top.exact_from[1]:
            position = position.play_codes((rng.choice(position.legal_codes),))
    answer = parse_engine(top.engine).analyse(position)
    assert answer.score is not None
    assert answer.score.exact is not None


def test_it_is_a_level_where_it_can_play() -> None:
    rules = parse_game("connect4")
    assert levels_of(rules)[-5:] == ("easy", "medium", "hard", "strongest", "perfect")
    player = parse_player("Perfect", rules)
    assert player.name == PERFECT
    assert str(player.engine) == "perfect:time=10.0"


def test_warming_up_compiles_it_once_for_all_boards_of_a_solver() -> None:
    labels = {step.label for step in warmup_steps() if "perfect" in step.label}
    assert {
        "connect4, perfect",
        "kalah, perfect",
        "tictactoe, perfect",
        "connect4:10x11, perfect",
    } <= labels
    assert not labels & {"connect4:7x8, perfect", "kalah:4x3,standard, perfect"}


def test_its_options_are_checked() -> None:
    assert str(parse_engine("perfect:threads=2,book=off")) == "perfect:threads=2,book=off"
    with pytest.raises(BadEngine, match="17 threads"):
        parse_engine("perfect:threads=17")


# ---- The book, and solvers that are kept ----


class LyingBook(Book):
    """Says that the first player wins with column 1 and with nothing else. Whoever says so has read
    it here.
    """

    game, name, unit, depth = "connect4", "lies", "ply", 2

    def bounds(self, position: Position) -> tuple[int, int] | None:
        if self.depth_of(position) > self.depth:
            return None
        score = {"": 1, "1": -1}.get(position.moves, 0)
        return score, score

    def depth_of(self, position: Position) -> int:
        return len(position.history)


def test_the_book_comes_first_is_named_and_answers_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(oracle_module, "open_book", lambda rules: LyingBook())
    found = parse_engine("perfect").analyse(Position("connect4"), all_moves=True)
    assert (found.best_move, found.nodes, found.note) == ("1", 0, "from the book lies")
    assert found.score == Score.exactly(1, 0, 41)
    assert [move.score.value for move in found.moves] == [1, 0, 0, 0, 0, 0, 0]
    assert (
        "book" not in parse_engine("perfect:book=off,nodes=100").analyse(Position("connect4")).note
    )


def test_a_solver_is_kept_for_the_next_question_and_never_shared() -> None:
    forget_solvers()
    rules, other = parse_game("connect4"), parse_game("connect4:5x5")
    with lent_solver(rules) as first:
        with lent_solver(rules) as second:
            assert first is not second
        with lent_solver(rules) as again:
            assert again is second
    with (
        lent_solver(rules) as last,
        lent_solver(other) as elsewhere,
        lent_solver(rules, fresh=True) as fresh,
    ):
        assert last is first, "the latest used"
        assert elsewhere.rules.game_string() == "connect4:5x5"
        assert fresh is not second
    solver = lent_solver(rules)
    with solver as kept:
        assert kept in (first, second), f"{MOST_KEPT} are kept"


def test_solvers_that_are_lent_at_once_share_a_bounded_memory() -> None:
    forget_solvers()
    rules = parse_game("connect4")
    with contextlib.ExitStack() as stack:
        lent = [stack.enter_context(lent_solver(rules)) for _ in range(8)]
        large = [solver for solver in lent if solver.table_mb == TABLE_MB]
        assert TABLE_MB * len(large) <= MOST_MB < TABLE_MB * (len(large) + 1)
        assert {solver.table_mb for solver in lent if solver not in large} == {SMALL_MB}
    with lent_solver(rules, table_mb=2 * MOST_MB) as alone:
        assert alone.table_mb == 2 * MOST_MB, "whoever asks alone gets what is asked for"
    forget_solvers()
