"""The engine `threats`: it sees what can be read off, keeps its limits, and says what it knows."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
from pathlib import Path

import msgspec
import numpy as np
import pytest

from mnkala.core import Position
from mnkala.errors import BadEngine
from mnkala.families.lines.engine.shared_search import (
    call_back,
    come_to,
    hear,
    is_busy,
    is_called,
    leave,
    share,
)
from mnkala.families.lines.engine.transposition_table import (
    BUCKET,
    age_of,
    bucket,
    depth_of,
    find,
    game_table,
    store,
)
from mnkala.families.lines.engine.weights import FOURSOMES, SHIPPED, read_weights
from mnkala.search import Limit, Stop, parse_engine
from mnkala.search.root import Task
from mnkala.search.table import EMPTY, EXACT, KEPT_BITS, make_table

QUICK = Limit(nodes=4000)


def best(game: str, moves: str, engine: str = "threats", limit: Limit = QUICK) -> str:
    """The engine's move after these."""
    return parse_engine(engine).analyse(Position(game).play(moves), limit).best_move


def test_it_completes_a_line_and_takes_the_cell_where_the_other_would() -> None:
    assert best("gomoku", "h8h9i8i9j8j9k8k9") in ("g8", "l8")
    assert best("gomoku", "h8h9i8i9j8j9k8") in ("g8", "l8")
    assert best("gomoku:15,exact", "h8h9i8h10g8h11j13h12g14h14i15") in ("f8", "j8")


def test_an_open_three_is_answered_on_its_line_or_by_a_four() -> None:
    assert best("gomoku", "h8a1i8a15j8") in ("f8", "g8", "k8", "l8")


def test_a_victory_by_fours_is_proved_and_told_to_its_end() -> None:
    # Two threes that cross: a four on one makes a four and an open line on the other.
    position = Position("gomoku").play("h8a1i8a15j8o15 h9o1h10a8h11a3".replace(" ", ""))
    analysis = parse_engine("threats").analyse(position, QUICK)
    assert analysis.score is not None
    assert analysis.score.result == "win"
    assert position.play("".join(analysis.line)).is_over


def test_a_forced_answer_is_given_at_once() -> None:
    analysis = parse_engine("threats").analyse(
        Position("gomoku").play("h8h9i8i9j8j9k8"), Limit(nodes=1_000_000)
    )
    assert analysis.nodes < 1000


@pytest.mark.parametrize(
    "game",
    [
        "tictactoe",
        "mnk:1x1x1",
        "mnk:1x9x4",
        "mnk:70x70x10",
        "mnk:70x70x10,exact",
        "gomoku:19",
        "mnk:4x4x2",
        "mnk:3x3x1",
        "mnk:90x90x16",
        "mnk:20x90x15,exact",
    ],
)
def test_it_plays_every_size_to_the_end_or_for_a_while(game: str) -> None:
    position = Position(game)
    engine = parse_engine("threats")
    for _ in range(12):
        if position.is_over:
            break
        position = position.play(engine.analyse(position, Limit(nodes=300)).best_move)
    assert position.is_over or len(position.history) == 12


def test_the_same_question_has_the_same_answer_and_costs_the_same() -> None:
    position = Position("gomoku").play("h8i9h10h9j9g9k9")
    one, other = (parse_engine("threats").analyse(position, Limit(depth=5)) for _ in range(2))
    assert one == dataclasses.replace(other, seconds=one.seconds)


@pytest.mark.parametrize(
    ("game", "moves", "depth"),
    [
        ("mnk:6x5x4", "c3b2", 8),
        ("mnk:6x5x4", "c3d4b3", 8),
        ("mnk:7x7x4", "d4e5c4", 8),
        ("mnk:5x5x4", "c3b2c4", 10),
        ("gomoku", "h8i9k7j6j7h7i8k8k6l5l7m7", 6),
        ("gomoku", "j11j9g11e6k10e8g6l9i10i11h9g8h10j10h12", 8),
    ],
)
def test_two_threads_prove_what_one_proves(game: str, moves: str, depth: int) -> None:
    position = Position(game).play(moves)
    one, two = (
        parse_engine(f"threats:threads={n}").analyse(position, Limit(depth=depth)) for n in (1, 2)
    )
    assert one.score is not None
    assert two.score is not None
    assert one.score.result == two.score.result
    assert one.score.plies is None or (one.score.value > 0) == (two.score.value > 0)
    assert two.best_code in position.legal_codes
    assert two.line_codes


def test_a_thread_is_called_back_from_below_a_position_that_another_has_answered_for() -> None:
    one, other = share(2, plies=10)
    come_to(other, np.uint64(7), np.uint64(5), 3)
    assert is_busy(one, np.uint64(7))
    call_back(one, np.uint64(6), 3)
    assert not is_called(other)
    call_back(one, np.uint64(5), 3)
    assert is_called(other)
    assert not is_called(one)
    assert not hear(other, 4), "it was for a position further up"
    assert hear(other, 3)
    assert not is_called(other)
    leave(other, np.uint64(7), 3)
    call_back(one, np.uint64(5), 3)
    assert not is_busy(one, np.uint64(7))
    assert not is_called(other)


def test_margins_save_nodes() -> None:
    spent = dict.fromkeys((240, 1_000_000), 0)
    for moves in ("h8i9k7j6j7h7i8k8", "h8g8g10i7j6g7j7k6h9h10", "h8i7g7h9g9i9", "i10i7h6"):
        for margin in spent:
            found = parse_engine(f"threats:tuning=margin:{margin}").analyse(
                Position("gomoku").play(moves), Limit(depth=9)
            )
            spent[margin] += found.nodes
    assert spent[240] < 0.9 * spent[1_000_000]


@pytest.mark.parametrize("margin", [1, 300])
def test_margins_hide_no_answer_to_a_threat_and_no_victory(margin: int) -> None:
    """Even a margin that trusts the evaluation blindly is not for positions in which somebody wins."""
    engine = parse_engine(f"threats:tuning=margin:{margin}+razor:{margin}+shallow:9")
    three = Position("gomoku").play("h8a1i8a3j8")
    assert engine.analyse(three, Limit(depth=5)).best_code in {
        three.play(move).history_codes[-1] for move in ("f8", "g8", "k8", "l8")
    }
    wins = engine.analyse(Position("gomoku").play("h8a1i8a3j8a5"), Limit(depth=5))
    assert wins.score is not None
    assert (wins.score.plies, wins.score.value > 0) == (3, True)


def test_a_handful_of_moves_gets_values() -> None:
    analysis = parse_engine("threats").analyse(
        Position("gomoku").play("h8i9h10"), Limit(depth=3), all_moves=True
    )
    assert 2 <= len(analysis.moves) <= 6
    assert all(move.score.kind in ("estimate", "likely") for move in analysis.moves)
    assert analysis.best_code in {move.code for move in analysis.moves}


def test_a_file_of_weights_has_a_number_for_each_four_kinds_or_for_none(tmp_path: Path) -> None:
    plain = msgspec.json.decode(SHIPPED.read_bytes())
    file = tmp_path / "weights.json"
    for rows, good in (
        ([[], []], True),
        ([[7] * FOURSOMES] * 2, True),
        ([[1, 2], [3]], False),
        ([[0] * FOURSOMES, []], False),
    ):
        file.write_bytes(msgspec.json.encode(plain | {"together": rows}))
        if good:
            assert [list(row) for row in read_weights(str(file)).together] == rows
        else:
            with pytest.raises(BadEngine, match=f"together needs two rows of {FOURSOMES} numbers"):
                read_weights(str(file))
        read_weights.cache_clear()


@pytest.mark.parametrize(
    "tuning",
    [
        "width:0",
        "width_power:401",
        "leaf_fours:61",
        "leaf_nodes:9223372036854775806",
        "margin:-1",
        "singular_share:101",
    ],
)
def test_settings_that_a_search_has_no_room_for_are_refused_in_words(tuning: str) -> None:
    """Without a move to look at, every position was worth less than a loss; with more fours than
    there is room for, memory was overwritten.
    """
    with pytest.raises(BadEngine, match=f"tuning={tuning}; {tuning.partition(':')[0]} is [01] to "):
        parse_engine(f"threats:tuning={tuning}")


@pytest.mark.parametrize(
    ("field", "words"),
    [
        ("kinds", "a cell could be worth 200,0"),
        ("bonuses", "a cell could be worth 50,0"),
        ("order_kinds", "the move order has a number of size 50,000,000"),
    ],
)
def test_weights_with_which_an_evaluation_could_look_like_a_proof_are_refused(
    tmp_path: Path, field: str, words: str
) -> None:
    plain = msgspec.json.decode(SHIPPED.read_bytes())
    plain[field][1][1] = -50_000_000
    file = tmp_path / "weights.json"
    file.write_bytes(msgspec.json.encode(plain))
    with pytest.raises(BadEngine, match=words):
        parse_engine(f"threats:heuristic={file}").search.check(Position("gomoku").rules)
    read_weights.cache_clear()


def test_other_games_and_unknown_settings_are_refused_in_words() -> None:
    with pytest.raises(BadEngine, match=r"plays \(m,n,k\)-games"):
        parse_engine("threats").search.check(Position("connect4").rules)
    with pytest.raises(BadEngine, match="did you mean late"):
        parse_engine("threats:tuning=lat:3")
    with pytest.raises(BadEngine, match="whole number"):
        parse_engine("threats:tuning=late:many")
    with pytest.raises(BadEngine, match="file of weights"):
        parse_engine("threats:heuristic=nowhere").search.prepare(Position("gomoku").rules)
    with pytest.raises(BadEngine, match="threads"):
        parse_engine("threats:threads=9")


def in_a_new_process(code: str, **variables: str) -> list[str]:
    """The lines that a few lines of Python print."""
    command = [sys.executable, "-c", f"from mnkala import *\n{code}"]
    environment = {**os.environ, **variables}
    return subprocess.run(
        command, capture_output=True, text=True, check=True, env=environment
    ).stdout.splitlines()


def test_kernels_from_disk_work_in_another_process_and_nothing_is_left_to_compile_there() -> None:
    """Compiled code that is loaded is not the code that was just made: a recursion that begins with
    a constant crashed only then.
    """
    moves = "h8i9h10h9j9g9"
    found = parse_engine("threats").analyse(Position("gomoku").play(moves), Limit(depth=4))
    *signatures, best = in_a_new_process(
        "from mnkala.families.lines.engine import iterative_deepening, small_board, vcf, vct\n"
        "parse_engine('threats').search.prepare(Position('gomoku').rules)\n"
        "for kernel in (vcf.shortest, vct.shortest_by_threats, vct.refutation, iterative_deepening.list_root, iterative_deepening.search_root, "
        "small_board.ask):\n"
        "    print(kernel.__name__, len(kernel.signatures))\n"
        f"print(parse_engine('threats').analyse(Position('gomoku').play({moves!r}), Limit(depth=4)).best_move)"
    )
    assert [line.split()[1] for line in signatures] == ["1"] * 6, signatures
    assert best == found.best_move


def test_compiled_and_plain_searches_visit_the_same_nodes() -> None:
    """Both in processes that have proved nothing yet of the small board."""
    code = (
        "for game, moves in (('mnk:5x5x4', 'c3b2c4'), ('mnk:5x6x4,exact', 'c3d3c4d4')):\n"
        "    found = parse_engine('threats').analyse(Position(game).play(moves), Limit(depth=2, nodes=200))\n"
        "    print(found.line, found.score, found.nodes)"
    )
    compiled, uncompiled = (in_a_new_process(code, MNKALA_PLAIN=plain) for plain in ("", "1"))
    assert compiled == uncompiled


# ---- The table of a game ----


def test_an_entry_gives_way_to_deeper_and_younger_ones() -> None:
    table = make_table(4)
    keys = [
        key
        for key in (np.uint64(i) for i in range(1, 200))
        if bucket(table, key) == bucket(table, np.uint64(1))
    ][: BUCKET + 2]
    for depth, key in enumerate(keys[:BUCKET], start=3):
        assert store(table, key, 10, depth, EXACT, 7, 0, 0) == 1
    store(table, keys[BUCKET], 10, 2, EXACT, 7, 0, 0)
    assert find(table, keys[0]) == EMPTY, "the shallowest gave way"
    assert depth_of(find(table, keys[BUCKET])) == 2
    store(table, keys[1], 10, 4, EXACT, 7, 0, 3)
    store(table, keys[BUCKET + 1], 10, 1, EXACT, 7, 0, 3)
    assert depth_of(find(table, keys[1])) == 4, (
        "younger, and so worth more than a deeper one of three moves ago"
    )
    assert age_of(find(table, keys[1])) == 3


def test_a_table_is_kept_for_the_next_move_of_the_same_player_in_the_same_game() -> None:
    def asked(moves: str, engine: str = "threats", keep: bool = True) -> tuple[int, int]:
        task = Task(
            Position("gomoku").play(moves), Limit(), Stop(), lambda analysis: None, engine=engine
        )
        with game_table(task, 6, keep) as (table, age):
            held = int(np.count_nonzero(table.data))
            table.data[held] = np.uint64(1)
            return age, held

    assert asked("h8i9") == (0, 0)
    assert asked("h8i9h10h9") == (1, 1)
    assert asked("h8i9h10h9j9") == (0, 0), "the other player's"
    assert asked("h8i9h10h9j9g9", "threats:nodes=5") == (0, 0), "another engine's"
    assert asked("h8i9h10h9j9g9") == (2, 2)
    assert asked("h8i9h10h9j9g9") == (0, 0), "the same question again"
    assert asked("h8i9h10h7") == (0, 0), "another game"
    assert asked("h8i9h10h7j9g9", keep=False) == (0, 0)


def test_a_large_table_is_kept_only_for_a_search_that_asks_for_it() -> None:
    task = Task(Position("gomoku"), Limit(), Stop(), lambda analysis: None, engine="large")

    def lent(bits: int, keep: bool) -> object:
        with game_table(task, bits, keep) as (table, _):
            return table

    for keep in (False, True):
        first = lent(KEPT_BITS + 1, keep)
        assert (lent(KEPT_BITS + 1, keep) is first) == keep
    lent(6, keep=True)  # takes the place of the large one


def test_a_game_with_a_kept_table_is_played_to_the_same_end_twice() -> None:
    def game() -> tuple[str, ...]:
        engine, position = parse_engine("threats:keep=on"), Position("gomoku").play("h8i9h10")
        for _ in range(6):
            position = position.play(engine.analyse(position, Limit(nodes=3000)).best_move)
        return position.history

    assert game() == game()
