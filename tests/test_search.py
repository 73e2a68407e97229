"""The searches: alpha-beta is minimax, proved values are true, limits are kept, node counts are
signatures.
"""

from __future__ import annotations

import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnkala import Analysis, Engine, Limit, Position, Stop, parse_engine
from mnkala.errors import BadEngine
from mnkala.search.engine import searches, summary
from mnkala.search.limit import depth_for_nodes
from tests.reference import SlowConnect, random_position

HEURISTICS = ("basic", "article", "zero-sum", "zero-sum-hv", "nothing", "utility")
SMALL = ("connect:3x3x3", "connect:3x4x3", "connect:4x3x3", "connect:2x5x3", "connect:1x6x2")


def ask(engine: str, position: Position, all_moves: bool = False) -> Analysis:
    return parse_engine(engine).analyse(position, all_moves=all_moves)


# ---- Values ----


@pytest.mark.parametrize("heuristic", HEURISTICS)
@pytest.mark.parametrize(
    "game", ["connect4", pytest.param("connect4:8x8", marks=pytest.mark.slow), "connect:5x6x3"]
)
@given(seed=st.integers(0, 10_000), depth=st.integers(1, 4))
@settings(max_examples=12)
def test_alpha_beta_finds_the_value_and_the_move_of_minimax(
    game: str, heuristic: str, seed: int, depth: int
) -> None:
    position = random_position(game, seed)
    full = ask(f"minimax:depth={depth},heuristic={heuristic}", position)
    pruned = ask(f"alphabeta:depth={depth},heuristic={heuristic}", position)
    assert full.score is not None
    assert pruned.score is not None
    assert (pruned.score.value, pruned.best_code) == (full.score.value, full.best_code)
    assert pruned.nodes <= full.nodes


@given(seed=st.integers(0, 10_000))
@settings(max_examples=15)
def test_every_move_gets_its_minimax_value_with_all_moves(seed: int) -> None:
    position = random_position("connect4", seed)
    full = ask("minimax:depth=4", position)
    pruned = ask("alphabeta:depth=4", position, all_moves=True)
    assert [(move.code, move.score.value) for move in pruned.moves] == [
        (move.code, move.score.value) for move in full.moves
    ]
    assert all(move.score.kind in ("exact", "bound", "estimate") for move in pruned.moves)


@pytest.mark.parametrize(
    "engine",
    [
        "minimax:depth=12",
        "alphabeta:depth=12",
        "deepening:depth=12",
        "deepening:depth=12,threads=2",
    ],
)
@pytest.mark.parametrize("game", SMALL)
def test_small_boards_are_solved_exactly(game: str, engine: str) -> None:
    position = Position(game)
    rules = position.rules
    slow = SlowConnect(rules.rows, rules.cols, rules.line)  # type: ignore[attr-defined]
    for seed in range(8):
        position = random_position(game, seed)
        columns = slow.start()
        for move in position.history_codes:
            columns = slow.play(columns, move)
        analysis = ask(engine, position)
        margin, plies = slow.solve(columns)
        assert analysis.score is not None
        assert (analysis.score.value, analysis.score.kind) == (slow.score(columns), "exact")
        assert analysis.score.result == ("loss", "draw", "win")[margin + 1]
        if margin:
            assert analysis.score.plies == plies
        after, _ = slow.solve(slow.play(columns, analysis.line_codes[0]))
        assert -after == margin, "the best move keeps the value"


@pytest.mark.parametrize("game", ["connect:4x4x3", "connect4:5x4", "connect:4x5x4"])
def test_deepening_proves_what_brute_force_proves(game: str) -> None:
    rules = Position(game).rules
    slow = SlowConnect(rules.rows, rules.cols, rules.line)  # type: ignore[attr-defined]
    for seed in range(25):
        position = random_position(game, seed + 100)
        if len(position.history) < 9:
            continue
        columns = slow.start()
        for move in position.history_codes:
            columns = slow.play(columns, move)
        score = ask("deepening:depth=20", position).score
        assert score is not None
        assert (score.kind, score.value) == ("exact", slow.score(columns))


def test_the_lines_end_where_the_score_says() -> None:
    """Follow the principal variation of a proved win to the end of the game."""
    position = Position("connect4").play("4455")
    analysis = ask("deepening:depth=8", position)
    assert analysis.score is not None
    assert (analysis.score.result, analysis.score.kind) == ("win", "exact")
    end = position.play_codes(analysis.line_codes)
    assert len(analysis.line_codes) == analysis.score.plies
    assert end.outcome is not None
    assert end.outcome.winner == position.mover


@pytest.mark.parametrize("engine", ["minimax:depth=5", "alphabeta:depth=5", "deepening:depth=5"])
def test_a_quicker_win_and_a_slower_loss_are_preferred(engine: str) -> None:
    win = ask(engine, Position("connect4").play("121212"))
    assert (win.best_move, str(win.score)) == ("1", "+18 (win in 1 ply)")
    lost = Position("connect4").play("44553")
    loss = ask(engine, lost)
    assert loss.score is not None
    assert (loss.score.result, loss.score.plies) == ("loss", 2)


def test_a_score_can_be_seen_from_the_other_side() -> None:
    score = ask("alphabeta:depth=3", Position("connect4").play("121212")).score
    assert score is not None
    other = score.seen_by(1)
    assert (other.value, other.result, other.player) == (-18, "loss", 1)
    assert other.seen_by(0) == score


@pytest.mark.parametrize("threads", [1, 2])
def test_threads_change_no_proved_value(threads: int) -> None:
    for seed in range(30):
        position = random_position("connect4:5x5", seed)
        if len(position.history) >= 10:
            alone = ask("alphabeta:depth=25", position)
            assert ask(f"deepening:depth=25,threads={threads}", position).score == alone.score


@pytest.mark.parametrize("bits", [4, 8, 22])
def test_the_size_of_the_table_changes_no_proved_value(bits: int) -> None:
    for seed in range(6):
        position = random_position("connect4:5x4", seed + 3)
        assert (
            ask(f"deepening:depth=20,table_bits={bits}", position).score
            == ask("alphabeta:depth=20", position).score
        )


def test_wide_and_narrow_boards_search_alike() -> None:
    """The same position on bits and on arrays: the same values, moves and node counts, though
    heuristics are kept differently.
    """
    from mnkala.families.connect.bits import Connect
    from mnkala.families.connect.rules import WideConnect

    for heuristic in (name for name in HEURISTICS if name != "nothing"):
        for seed in range(5):
            moves = random_position("connect4", seed, 20).history_codes
            found = []
            for rules in (Connect(6, 7, 4), WideConnect(6, 7, 4)):
                analysis = ask(
                    f"alphabeta:depth=5,heuristic={heuristic}", Position(rules).play_codes(moves)
                )
                found.append(
                    (
                        analysis.score,
                        analysis.line_codes,
                        analysis.nodes,
                        analysis.evaluations,
                        analysis.cutoffs,
                    )
                )
            assert found[0] == found[1]


# ---- Node counts ----


@pytest.mark.parametrize(
    ("size", "nodes"),
    [
        ("10x11", [12, 63, 557, 1924, 19327, 65465]),
        ("15x16", [17, 93, 1537, 4674, 93840]),
    ],
)
def test_report_002s_pruned_rows_come_out_to_the_node(size: str, nodes: list[int]) -> None:
    position = Position(f"connect4:{size}").play("1")
    engines = [
        f"alphabeta:depth={depth},heuristic=zero-sum-hv,win=100"
        for depth in range(1, len(nodes) + 1)
    ]
    assert [ask(engine, position).nodes for engine in engines] == nodes


@pytest.mark.parametrize(
    ("size", "nodes"),
    [
        ("6x7", [8, 57, 400, 2801, 19608, 137257]),
        ("10x11", [12, 133, 1464, 16105, 177156]),
        ("15x16", [17, 273, 4369, 69905]),
    ],
)
def test_report_002s_unpruned_rows_come_out_to_the_node(size: str, nodes: list[int]) -> None:
    position = Position(f"connect4:{size}")
    assert [
        ask(f"minimax:depth={depth}", position).nodes for depth in range(1, len(nodes) + 1)
    ] == nodes


COMPILED_FOR_THIS_ALONE = (
    "gomoku deepening:depth=4,heuristic=criticality",
    "kalah deepening:depth=9,heuristic=kalah",
    "connect4:10x11 deepening:depth=7,heuristic=lines",
)
SIGNATURES = {
    "kalah deepening:depth=9,heuristic=kalah": (10993, 5933, 3431),
    "kalah deepening:depth=9": (9631, 4756, 3414),
    "kalah alphabeta:depth=7,heuristic=kalah": (15234, 9717, 3463),
    "gomoku alphabeta:depth=3": (151, 133, 15),
    "gomoku deepening:depth=4,heuristic=criticality": (1754, 1507, 157),
    "tictactoe deepening:depth=9": (4643, 1239, 1240),
    "connect4 minimax:depth=6": (137257, 117649, 0),
    "connect4 alphabeta:depth=8": (203414, 144556, 42157),
    "connect4:7x6 alphabeta:depth=8,heuristic=basic": (34241, 21371, 9202),
    "connect4 deepening:depth=12": (471067, 246590, 123828),
    "connect4:10x11 deepening:depth=7": (26815, 15566, 7537),
    "connect4:10x11 deepening:depth=7,heuristic=lines": (45254, 29922, 8762),
    "connect:8x9x5 deepening:depth=7,heuristic=article": (12250, 7799, 2398),
}
"""Nodes, evaluations and cut-offs of deterministic searches. A change that means to alter the
search puts new numbers here.
"""


@pytest.mark.parametrize(
    "question",
    [
        pytest.param(
            question, marks=pytest.mark.slow if question in COMPILED_FOR_THIS_ALONE else ()
        )
        for question in SIGNATURES
    ],
)
def test_a_search_visits_the_same_nodes_on_every_machine(question: str) -> None:
    game, engine = question.split()
    analysis = ask(engine, Position(game))
    assert (analysis.nodes, analysis.evaluations, analysis.cutoffs) == SIGNATURES[question]


def test_an_analysis_tells_what_it_did() -> None:
    analysis = ask("alphabeta:depth=4", Position("connect4"))
    assert 0 < analysis.evaluations < analysis.nodes
    assert analysis.cutoffs > 0
    assert (analysis.depth, len(analysis.line_codes), analysis.held) == (4, 4, 5)
    deeper = ask("deepening:depth=8", Position("connect4"))
    assert 8 < deeper.held <= deeper.nodes
    assert deeper.table_hits > 0


# ---- Limits ----


@pytest.mark.parametrize("engine", ["minimax", "alphabeta", "deepening", "deepening:threads=2"])
@pytest.mark.parametrize("game", ["connect4", "connect4:20x20"])
def test_a_clock_ends_a_search_that_would_go_on_for_hours(engine: str, game: str) -> None:
    """How exactly clocks are kept is measured by `bench.clock_keeping`."""
    chosen = parse_engine(engine)
    position = Position(game)
    chosen.search.prepare(position.rules)
    for seconds in (0.05, 0.3):
        analysis = chosen.analyse(position, Limit(time=seconds))
        assert analysis.best_code is not None
        assert analysis.depth >= 1


@pytest.mark.parametrize("engine", ["minimax", "alphabeta", "deepening"])
@pytest.mark.parametrize("nodes", [1, 100, 12345])
def test_a_node_limit_is_never_exceeded_and_always_answered(engine: str, nodes: int) -> None:
    analysis = parse_engine(engine).analyse(Position("connect4"), Limit(nodes=nodes))
    assert 1 <= analysis.nodes <= nodes
    assert analysis.best_code is not None


@pytest.mark.parametrize("engine", ["minimax", "alphabeta", "deepening:threads=2"])
def test_a_stop_flag_ends_a_search_that_would_go_on_for_hours(engine: str) -> None:
    chosen = parse_engine(engine)
    chosen.search.prepare(Position("connect4").rules)
    stop = Stop()
    threading.Timer(0.2, stop.set).start()
    assert chosen.analyse(Position("connect4"), Limit(stop=stop)).best_code is not None


def test_answers_stream_and_a_closed_stream_stops_the_search() -> None:
    stream = parse_engine("deepening").stream(Position("connect4"), Limit(time=3600))
    first = next(stream)
    second = next(stream)
    assert (first.depth, second.depth) == (1, 2)
    stream.close()  # type: ignore[attr-defined]
    assert not any(thread.name == "search" for thread in threading.enumerate())


@pytest.mark.parametrize("nodes", [5, 50, 348])
def test_a_search_that_was_stopped_before_it_saw_every_move_calls_no_position_lost(
    nodes: int,
) -> None:
    """The last column wins at once, and every other move loses: those that were searched are no
    proof of the position.
    """
    position = Position("connect4:4x16", literal="16/2o7o4x/x1x6xxo3x/xoooxx1oxooo2ox")
    found = ask(f"deepening:nodes={nodes}", position)
    assert found.score is not None
    assert (found.score.result, found.score.kind) == ("unknown", "bound")
    assert all(move.score.result == "loss" for move in found.moves)
    won = ask("deepening:nodes=20000", position)
    assert (won.best_move, str(won.score)) == ("16", "+21 (win in 1 ply)")


def test_greedy_play_knows_how_soon_a_win_comes() -> None:
    found = ask("greedy", Position("connect4").play("121212"))
    assert str(found.score) == "+18 (win in 1 ply)"


def test_the_same_question_gets_the_same_answer() -> None:
    answers = [ask("deepening:nodes=50000", Position("connect4").play("443")) for _ in range(2)]
    assert (answers[0].score, answers[0].line_codes, answers[0].nodes) == (
        answers[1].score,
        answers[1].line_codes,
        answers[1].nodes,
    )


def test_the_depth_for_a_node_limit_follows_report_002s_formula() -> None:
    rules = Position("connect4").rules
    assert [depth_for_nodes(rules, 42 * 7**5, factor) for factor in (1.0, 0.5)] == [5, 10]
    assert depth_for_nodes(rules, 1) == 1
    assert (
        ask("alphabeta:depth_from_nodes=100842,pruning_factor=1", Position("connect4")).depth == 4
    )
    with pytest.raises(BadEngine, match=r"between 0.5 and 1"):
        depth_for_nodes(rules, 1000, 0.2)


def test_a_finished_game_has_a_score_and_no_move() -> None:
    for engine in ("random", "minimax:depth=2", "deepening"):
        analysis = ask(engine, Position("connect4").play("1212121"))
        assert (analysis.best_code, str(analysis.score)) == (None, "-18 (loss)")


# ---- Random play, engine strings ----


def test_random_play_is_legal_and_a_seed_repeats_it() -> None:
    position = random_position("connect4", 5)
    moves = {ask("random", position).best_code for _ in range(60)}
    assert moves == set(position.legal_codes)
    assert len({ask("random:seed=7", position).best_code for _ in range(5)}) == 1


@pytest.mark.parametrize(
    "text",
    [
        "deepening",
        "alphabeta:heuristic=basic,depth=6",
        "deepening:threads=2,time=0.5",
        "random:seed=3",
    ],
)
def test_an_engine_string_is_read_back(text: str) -> None:
    assert str(parse_engine(text)) == text
    assert parse_engine(str(parse_engine(text))) == parse_engine(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "stockfish",
            "engines are alphabeta, auto, budget, deepening, gomocup, greedy, kaggle, kgp, mcts, minimax, open_spiel, overlooking, perfect, random, report-003, rules, sowing, threats",
        ),
        ("alphabeta:deep=3", "'deep=3' is not an option"),
        ("alphabeta:depth", "is not an option"),
        ("alphabeta:depth=x", "takes a whole number"),
        ("alphabeta:depth=0", "1 to 1000"),
        ("deepening:threads=9", "1 to 2"),
        ("deepening:time=-1", "more than 0"),
        ("deepening:time=nan", "not a number"),
        ("deepening:nodes=0", "1 to 9"),
        ("deepening:time=1e300", "at most 100,000,000"),
        ("alphabeta:win=134217729", "1 to 134,217,728"),
        ("minimax:win=-5", "1 to 134,217,728"),
        ("alphabeta:depth=3,depth=4", "given twice"),
        ("", "no engine"),
    ],
)
def test_a_bad_engine_string_is_told_what_is_allowed(text: str, words: str) -> None:
    with pytest.raises(BadEngine, match=words):
        parse_engine(text)


@pytest.mark.parametrize(
    "engine", ["deepening:table_bits=50", "alphabeta:heuristic=nonsense,depth=2"]
)
def test_options_that_cannot_be_met_are_named(engine: str) -> None:
    with pytest.raises(BadEngine, match=r"exponent is 4 to 30|heuristics are article"):
        ask(engine, Position("connect4"))


def test_an_engine_is_an_ordinary_object() -> None:
    engine: Engine = parse_engine("alphabeta:depth=2")
    assert engine.limit == Limit(depth=2)
    assert engine.analyse(Position("connect4"), Limit(depth=3)).depth == 3


def test_every_search_is_described_by_one_whole_sentence_however_its_docstring_is_broken_into_lines() -> (
    None
):
    for name, search in searches().items():
        text = summary(search)
        assert text.endswith("."), (name, text)
        assert text.count(". ") == 0, (name, text)
