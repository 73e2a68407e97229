"""Monte-Carlo search, budget, greedy and rule-based play, candidates, levels and series."""

from __future__ import annotations

import dataclasses
import functools
import json
import random
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnkala import Analysis, Engine, Limit, Position, Score, Search, parse_engine, parse_game
from mnkala.errors import BadEngine, BadGame
from mnkala.native import plain
from mnkala.play import LEVELS, SeriesResult, engine_of_level, parse_player, play_series
from mnkala.play.series import opening
from mnkala.search.budget import FILL, FILL_OF_ALL, Budget
from mnkala.search.budget_plan import UNLIMITED, BudgetPlan, RootMoveTask, select_best
from mnkala.search.candidates import keep_best
from mnkala.search.limit import Stop
from mnkala.search.mcts import Total
from mnkala.search.root import RootNode, Task
from mnkala.search.runner import Helpers
from mnkala.search.tree import (
    CHILDREN,
    FIRST_CHILD,
    MOST_VISITS,
    NEXT_SIBLING,
    PROOF,
    REWARD,
    UNPROVED,
    VISITS,
    make_tree,
)
from tests.command_line import mnkala
from tests.reference import SlowConnect, random_position

REPORT_000 = "mcts:expand=all,solve=off,keep=off,iterations=1000"


def ask(engine: str, position: Position) -> Analysis:
    return parse_engine(engine).analyse(position)


# ---- Report 000's node counts ----


def test_report_000s_trees_have_the_sizes_it_gives() -> None:
    """Depth 5 counting the root level: 1 + 7 + … + 7^4 = 2801 nodes; 1,000 iterations of MCTS hold
    at most 7,001.
    """
    assert ask("minimax:depth=4", Position("connect4")).nodes == 2801
    assert ask(REPORT_000, Position("connect4")).held == 7001
    assert all(
        ask(REPORT_000, random_position("connect4", seed)).held <= 7001 for seed in range(10)
    )


# ---- Monte-Carlo search ----


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("game", ["connect:3x3x3", "connect:3x4x3", "connect:2x5x3"])
def test_proved_results_of_monte_carlo_search_are_true(game: str, threads: int) -> None:
    rules = parse_game(game)
    slow = SlowConnect(rules.rows, rules.cols, rules.line)  # type: ignore[attr-defined]
    proved = 0
    for seed in range(12):
        position = random_position(game, seed)
        columns = slow.start()
        for move in position.history_codes:
            columns = slow.play(columns, move)
        analysis = ask(f"mcts:iterations=20000,threads={threads}", position)
        for root_move in analysis.moves:
            margin = -slow.solve(slow.play(columns, root_move.code))[0]
            if root_move.score.result != "unknown":
                proved += 1
                assert root_move.score.result == ("loss", "draw", "win")[margin + 1]
        assert analysis.score is not None
        if analysis.score.result != "unknown":
            assert analysis.score.result == ("loss", "draw", "win")[slow.solve(columns)[0] + 1]
    assert proved > 8


def test_monte_carlo_search_sees_wins_and_blocks() -> None:
    assert ask("mcts:iterations=500", Position("connect4").play("121212")).best_move == "1"
    assert ask("mcts:iterations=3000", Position("connect4").play("12121")).best_move == "1"
    win = ask("mcts:iterations=3000", Position("connect4").play("4455"))
    assert win.score is not None
    assert win.score.result == "win"


def test_a_seed_repeats_monte_carlo_search_and_another_does_not() -> None:
    answers = [
        ask(f"mcts:iterations=3000,seed={seed}", Position("connect4")).score for seed in (5, 5, 6)
    ]
    assert answers[0] == answers[1] != answers[2]


def test_the_tree_is_kept_between_moves_and_stays_consistent() -> None:
    engine = parse_engine("mcts:iterations=4000")
    position = Position("connect4")
    first = engine.analyse(position)
    after = position.play_codes(first.line_codes[:2])
    second = engine.analyse(after)
    assert second.evaluations == 4000
    assert second.held > 4001, "nodes of the first tree are still there"
    ((_, trees),) = engine.search.kept.values()  # type: ignore[attr-defined]
    tree = trees[0]
    size = int(tree.size[0])
    for node in range(size):
        child, visits, count = int(tree.node[node, FIRST_CHILD]), 0, 0
        while child != -1:
            visits, count, child = (
                visits + int(tree.node[child, VISITS]),
                count + 1,
                int(tree.node[child, NEXT_SIBLING]),
            )
        assert count == tree.node[node, CHILDREN]
        assert visits <= tree.node[node, VISITS] or tree.node[node, PROOF] != UNPROVED
    fresh = parse_engine("mcts:iterations=4000").analyse(after)
    assert fresh.held <= 4001


def test_a_full_memory_ends_the_search_with_an_answer() -> None:
    for limit in (Limit(nodes=500), Limit(time=600, nodes=2000)):
        analysis = parse_engine("mcts:keep=off").analyse(Position("connect4"), limit)
        assert analysis.nodes <= limit.nodes  # type: ignore[operator]
        assert analysis.best_code is not None


@pytest.mark.parametrize("engine", ["mcts", "mcts:threads=2", "budget", "budget:clock=node"])
@pytest.mark.parametrize("game", ["connect4", "connect4:20x20"])
def test_a_clock_ends_these_searches_too(engine: str, game: str) -> None:
    chosen = parse_engine(engine)
    position = Position(game)
    chosen.search.prepare(position.rules)
    assert chosen.analyse(position, Limit(time=0.3)).best_code is not None


# ---- Budget ----


def test_the_budget_gives_most_nodes_to_the_first_moves_and_stays_near_its_limit() -> None:
    analysis = parse_engine("budget").analyse(
        Position("connect4:8x9"), Limit(nodes=20_000, depth=9)
    )
    assert 2_000 < analysis.nodes < 21_000


@pytest.mark.parametrize("nodes", [20, 200, 2000])
def test_the_budget_plays_the_best_of_the_moves_it_searched(nodes: int) -> None:
    """A win or loss that it found is on the game's own scale, beyond every heuristic value."""

    def rank(score: Score) -> tuple[int, int]:
        return (0 if score.plies is None else 1 if score.value > 0 else -1, score.value)

    for seed in range(8):
        analysis = parse_engine("budget").analyse(
            random_position("connect4:8x9", seed, 20), Limit(nodes=nodes, depth=6)
        )
        assert analysis.score is not None
        assert rank(analysis.score) == max(rank(move.score) for move in analysis.moves)


def test_a_speed_that_a_stalled_machine_taught_is_forgotten() -> None:
    engine, position = parse_engine("budget:fill=0.55"), Position("connect4:8x9")
    assert isinstance(engine.search, Budget)
    hour = Limit(time=3600)
    key = ("connect4:8x9", "auto", "heap")
    engine.search.speeds[key] = 1 / 3600
    assert engine.analyse(position, hour).nodes < 100
    assert (
        engine.search.speeds.get(key, 1.0) > 0.01
    )  # learnt anew next time; or corrected, if the machine was slow just now


def test_a_larger_margin_is_preferred_however_far_away_it_is() -> None:
    near, far, lost = (
        Total(move, visits=1, proof=proof, distance=distance)
        for move, (proof, distance) in enumerate(((1, 2), (2, 20_000), (-1, 3)))
    )
    assert max((near, far, lost), key=Total.worth) is far
    assert min((near, far, lost), key=Total.worth) is lost


def test_more_moves_to_look_at_than_there_are_is_all_of_them() -> None:
    few, many = (
        parse_engine(f"budget:q={q},nodes=500").analyse(Position("connect4"))
        for q in (7, 2**63 - 2)
    )
    assert few == dataclasses.replace(many, engine=few.engine, seconds=few.seconds)


def test_without_a_depth_the_budget_goes_as_deep_as_its_nodes_fill() -> None:
    """On a large board q = 4: with 12 root moves of 4^6 nodes each, F = 1 fills six plies and F =
    0.5 twelve.
    """
    position, nodes = Position("gomoku:20"), 12 * 4**6
    assert [Budget(fill=fill).depth_for(position.rules, nodes) for fill in (1.0, 0.5)] == [6, 12]
    assert parse_engine(f"budget:fill=1,nodes={12 * 4**3}").analyse(position).depth == 3
    assert parse_engine("budget:nodes=500,depth=5").analyse(position).depth == 5


def test_the_learnt_factor_depends_on_whether_all_moves_are_looked_at() -> None:
    for game, factor in (
        ("connect4", FILL_OF_ALL),
        ("kalah", FILL_OF_ALL),
        ("gomoku", FILL),
        ("mnk:5x5x4", FILL),
    ):
        rules = Position(game).rules
        assert [Budget().depth_for(rules, 10**power) for power in range(2, 7)] == [
            Budget(fill=factor).depth_for(rules, 10**power) for power in range(2, 7)
        ]


def test_the_depth_that_nodes_fill_grows_with_them_and_has_sensible_ends() -> None:
    for game in ("tictactoe", "connect4", "kalah", "gomoku:45"):
        rules = Position(game).rules
        for search in (Budget(), Budget(q=1), Budget(q=50), Budget(select="none")):
            depths = [search.depth_for(rules, 10**power) for power in range(10)]
            assert depths == sorted(depths)
            assert depths[0] == 2
            assert depths[-1] <= 64
    assert parse_engine("budget:nodes=100000").analyse(Position("tictactoe")).depth <= 9


def test_the_number_of_moves_looked_at_is_learnt_where_cells_are_moves_and_the_reports_elsewhere() -> (
    None
):
    boards = {
        "tictactoe": 7,
        "mnk:5x5x4": 5,
        "mnk:7x7x4": 6,
        "mnk:10x10x5": 4,
        "gomoku": 4,
        "gomoku:30": 3,
        "connect4": 7,
        "kalah": 7,
    }
    assert {game: Budget().branching(Position(game).rules) for game in boards} == boards
    assert Budget(q=9).branching(Position("gomoku").rules) == 9


@pytest.mark.parametrize("threads", [1, 2])
def test_the_budget_spends_all_its_nodes_on_deeper_passes(threads: int) -> None:
    position = Position("mnk:10x10x5").play("e5 f6 e6 f5 g4")
    once = parse_engine("budget:fill=0.55,nodes=20000").analyse(position)
    spent = parse_engine(f"budget:nodes=20000,threads={threads}").analyse(position)
    assert once.nodes < 17_000
    assert 19_000 < spent.nodes < 20_300
    assert spent.depth >= once.depth + (
        threads == 1
    )  # what two threads finish depends on who is quicker


def test_two_threads_of_the_budget_find_what_one_finds() -> None:
    position = Position("gomoku").play("h8 a1 h9 a3 h10 o15")
    for threads in (1, 2):
        found = parse_engine(f"budget:nodes=3000,threads={threads}").analyse(position)
        assert found.best_move in ("h7", "h11")
        assert found.score is not None
        assert found.score.plies == 3


def _searched(
    plan: BudgetPlan, value: Callable[[RootMoveTask], int], cost: Callable[[RootMoveTask], int]
) -> list[tuple[int, int, int]]:
    """Walk through a plan as one thread would: depth, move and nodes of every errand."""
    seen = []
    while (errand := plan.next()) is not None:
        seen.append((errand.depth, errand.move, errand.nodes))
        plan.done(
            errand,
            min(errand.nodes, cost(errand)),
            RootNode(errand.move, value(errand), "exact", line=(errand.move,)),
        )
    return seen


def test_the_first_pass_shares_its_nodes_out_unequally_and_the_next_is_led_by_the_best_move() -> (
    None
):
    seen = _searched(
        BudgetPlan([7, 8, 9], 4, 6, 600, 600), lambda errand: errand.move, lambda errand: 100
    )
    assert seen == [(4, 7, 300), (4, 8, 333), (4, 9, 400), (5, 9, 300), (5, 7, 200), (5, 8, 100)]


def test_a_move_for_which_the_nodes_did_not_suffice_says_nothing_in_a_deeper_pass() -> None:
    plan = BudgetPlan([1, 2], 2, 9, 100, 100)
    _searched(
        plan,
        lambda errand: 1000 if errand.depth == 3 else errand.move,
        lambda errand: 40 if errand.depth == 2 else 10_000,
    )
    best = plan.best()
    assert (best.depth, best.best.move if best.best else None) == (2, 2)


def test_a_pass_counts_only_once_it_knows_the_best_move_of_the_one_before() -> None:
    plan = BudgetPlan([1, 2], 2, 3, UNLIMITED, UNLIMITED, threads=2)
    slow = plan.next()
    assert slow is not None
    for expected in (
        (2, 2),
        (3, 1),
    ):  # the other thread goes on to the next pass, led by the same move as this one
        errand = plan.next()
        assert errand is not None
        assert (errand.depth, errand.move) == expected
        plan.done(errand, 1, RootNode(errand.move, 5, line=(errand.move,)))
    plan.done(slow, 1, RootNode(slow.move, 3, line=(slow.move,)))
    assert plan.best().depth == 2
    assert plan.best().best == plan.nodes()[2]


def test_two_threads_together_spend_the_nodes_and_no_more() -> None:
    plan = BudgetPlan([1, 2, 3], 2, 1000, 1000, 1000, threads=2)
    spent: list[int] = []

    def work(seed: int) -> None:
        rng = random.Random(seed)
        while (errand := plan.next()) is not None:
            used = rng.randint(1, errand.nodes)
            spent.append(used)
            plan.done(errand, used, RootNode(errand.move, rng.randint(0, 9), line=(errand.move,)))

    helpers = Helpers([functools.partial(work, 1)])
    work(2)
    helpers.join()
    assert sum(spent) == 1000


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=60), st.integers(1, 12))
def test_heap_sort_and_quickselect_choose_the_same_best_moves(
    values: list[int], wanted: int
) -> None:
    best = sorted(values, reverse=True)[:wanted]
    for selection in range(3):
        moves, scores = np.arange(len(values)), np.array(values)
        count = plain(select_best)(moves, scores, len(values), wanted, selection)
        assert list(scores[:count]) == best
        assert [values[move] for move in moves[:count]] == best
    moves, scores = np.arange(len(values)), np.array(values)
    assert list(scores[: keep_best(moves, scores, len(values), wanted)]) == best


@pytest.mark.parametrize("select", ["heap", "sort", "quickselect", "none"])
def test_every_way_to_select_finds_the_win(select: str) -> None:
    assert (
        ask(f"budget:select={select},depth=5", Position("connect4").play("121212")).best_move == "1"
    )


# ---- Greedy, rules ----


@pytest.mark.parametrize(
    ("moves", "best", "note"),
    [
        ("121212", "1", "rule 1: 1 wins"),
        ("12121", "1", "rule 2: 1 blocks"),
        ("445", "3", None),
        ("", "4", "rule 5: 4 has the most open lines"),
        ("4455", "3", "rule 3: 3 makes a fork"),
    ],
)
def test_the_five_rules_are_tried_in_order(moves: str, best: str, note: str | None) -> None:
    analysis = ask("rules", Position("connect4").play(moves))
    if note:
        assert (analysis.best_move, analysis.note) == (best, note)
    else:
        assert analysis.note.startswith(("rule 2", "rule 4"))


def test_greedy_takes_the_win_and_its_score_is_the_heuristics() -> None:
    assert ask("greedy", Position("connect4").play("121212")).best_move == "1"
    greedy, alphabeta = (
        ask("greedy:heuristic=zero-sum", Position("connect4")),
        ask("alphabeta:heuristic=zero-sum,depth=1", Position("connect4")),
    )
    assert greedy.score == alphabeta.score


# ---- Candidates ----


def test_a_restricted_search_proves_nothing() -> None:
    for engine in ("alphabeta:depth=6,candidates=best:3", "deepening:depth=6,candidates=best:3"):
        analysis = ask(engine, Position("connect4").play("4455"))
        assert analysis.score is not None
        assert (analysis.score.kind, analysis.score.result) == ("likely", "unknown")
        assert len(analysis.moves) == 3


def test_all_candidates_are_the_search_without_candidates() -> None:
    for engine in ("minimax:depth=4", "alphabeta:depth=5", "deepening:depth=6"):
        position = random_position("connect4", 3)
        plain_answer, all_answer = ask(engine, position), ask(engine + ",candidates=all", position)
        assert (plain_answer.score, plain_answer.nodes) == (all_answer.score, all_answer.nodes)


@pytest.mark.parametrize("text", ["some", "near", "near:0", "best:x", "best:5000", "all:3"])
def test_bad_candidates_are_told_what_is_allowed(text: str) -> None:
    with pytest.raises(BadEngine, match="auto, all, near:R or best:Q"):
        ask(f"alphabeta:depth=2,candidates={text}", Position("connect4"))


# ---- Levels and series ----


def test_levels_are_engines() -> None:
    rules = parse_game("connect4")
    for level in LEVELS:
        player = parse_player(level, rules)
        assert player.name == level
        assert player.engine is not None
    with pytest.raises(BadEngine, match="easy, medium, hard"):
        engine_of_level("brutal", rules)


def test_a_higher_level_wins_the_series() -> None:
    result = play_series("connect4", "medium", "random:seed=3", 10)
    assert result.wins > result.losses  # how often a level overlooks something is left to chance


def test_a_person_plays_no_series() -> None:
    with pytest.raises(BadEngine, match="engines play here"):
        play_series("connect4", "easy", "human", 2)
    with pytest.raises(BadEngine, match="easy, medium, hard"):
        play_series("connect4", "easy", "brutal", 2)


def test_a_series_changes_sides_and_repeats_by_its_seed() -> None:
    seen: list[tuple[tuple[int, ...], bool]] = []
    first = play_series(
        "connect4",
        "alphabeta:depth=2",
        "greedy",
        6,
        watch=lambda game: seen.append((game.position.history_codes[:4], game.first_moved_first)),
    )
    assert first == play_series("connect4", "alphabeta:depth=2", "greedy", 6)
    assert first.games == 6
    assert [opening_moves for opening_moves, _ in seen[::2]] == [
        opening_moves for opening_moves, _ in seen[1::2]
    ]
    assert [sides for _, sides in seen] == [True, False] * 3
    assert len({opening_moves for opening_moves, _ in seen}) == 3


def test_the_interval_is_wilsons() -> None:
    """The figures of the classic example: 7 of 10 gives 0.397 to 0.892."""
    low, high = SeriesResult(wins=7, losses=3).interval
    assert (round(low, 3), round(high, 3)) == (0.397, 0.892)
    assert SeriesResult().interval == (0.0, 1.0)
    assert SeriesResult(wins=1, draws=2, losses=1).share == 0.5


def test_openings_are_open_and_impossible_ones_are_refused() -> None:
    for seed in range(20):
        position = opening(parse_game("connect4"), 6, seed)
        assert len(position.history) == 6
        assert not any(position.play_codes([move]).is_over for move in position.legal_codes)
    with pytest.raises(BadGame, match="take fewer"):
        opening(parse_game("connect:2x2x2"), 3, 1)


def test_the_match_command_prints_the_result_with_its_interval() -> None:
    words = ("connect4", "easy", "random:seed=1")
    done = mnkala("match", *words, "--games", "4", "--jobs", "0", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["wins"] + found["draws"] + found["losses"] == 4
    assert found["low"] < found["share"] <= found["high"] or found["share"] == 1.0
    assert "% (" in mnkala("match", *words, "--games", "2", "--jobs", "0").stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["match", "connect4", "human", "random"], "engines play here"),
        (["match", "connect4", "hal", "random"], "players are"),
        (["match", "connect4", "random", "random", "--games", "0"], "1 to 1,000,000"),
        (["analyse", "connect4", "--engine", "mcts:expand=some"], "one child or all"),
        (["analyse", "connect4", "--engine", "mcts:threads=5"], "1 to 2"),
        (["analyse", "connect4", "--engine", "budget:select=luck"], "heap, sort, quickselect"),
        (["analyse", "connect4", "--engine", "budget:clock=sun"], "budget or node"),
        (
            ["analyse", "connect4", "--engine", "budget:fill=-1"],
            "it is 0 (automatic) or lies between 0.1 and 2.0",
        ),
        (["analyse", "connect4", "--engine", "budget:fill=nan"], "not a number"),
        (
            ["analyse", "connect4", "--engine", "budget:threads=3"],
            "3 threads; budget runs on 1 to 2",
        ),
    ],
)
def test_bad_input_to_the_new_commands_and_engines(arguments: list[str], words: str) -> None:
    done = mnkala(*arguments)
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_the_budget_looks_only_at_the_candidates_it_is_given() -> None:
    position = Position("gomoku").play("h8 h9")
    near = parse_engine("budget:candidates=near:1,depth=2,q=3,nodes=500").analyse(position)
    cells = {position.rules.move_text(move.code) for move in near.moves}
    assert cells <= {f"{column}{row}" for column in "ghi" for row in (7, 8, 9, 10)}
    every = parse_engine("budget:candidates=all,depth=3,q=2").analyse(
        Position("tictactoe").play("b2 a1 a2")
    )
    assert every.score is not None
    assert every.score.kind != "exact"


def test_the_holder_of_a_stop_flag_sees_the_nodes_grow() -> None:
    stop = Stop()
    seen = [
        stop.nodes()
        for _ in parse_engine("deepening").stream(Position("connect4"), Limit(depth=9, stop=stop))
    ]
    assert seen == sorted(seen)
    assert stop.nodes() > 1000


def test_a_search_that_compiles_nothing_needs_only_run() -> None:
    class Last(Search):
        name = "last"

        def run(self, task: Task) -> Analysis:
            return Analysis(
                task.position,
                task.engine,
                score=None,
                moves=(),
                line_codes=task.position.legal_codes[-1:],
                nodes=1,
                held=1,
                seconds=0,
            )

    assert Engine(Last(), Limit()).analyse(Position("tictactoe")).best_move == "c3"


def test_a_node_holds_the_reward_of_the_most_visits() -> None:
    tree = make_tree(2, 2, 1, 0)
    tree.node[0, VISITS], tree.node[0, REWARD] = MOST_VISITS, 2 * MOST_VISITS  # each visit a win
    assert tree.node[0, REWARD] == 2 * tree.node[0, VISITS].item()
