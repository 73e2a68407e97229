"""Findings and claims: their form on the stored rows, and what each says of made-up rows where the
truth is known.
"""

from __future__ import annotations

import math
import random
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jinja2 import UndefinedError

from mnkala.families.connect.studies import depth_limit, parity, pruning, timing
from mnkala.families.kalah.studies import levels
from mnkala.families.lines.studies import free_cells
from mnkala.lab.judging import Sentences, slope_interval
from mnkala.lab.registry import Row, Verdict, claims, claims_of
from mnkala.lab.results import Results
from mnkala.lab.store import SHIPPED, load
from mnkala.lab.studies import heuristics, learning, mcts, ordering, scaling
from mnkala.lab.study_file import study_names
from mnkala.search.budget import FILL, FILL_OF_ALL

REPORT = Path(__file__).parents[1] / "docs" / "report" / "report.md"
MOST_WORDS, MOST_SENTENCES = 120, 2


@cache
def stored(study: str) -> Results:
    """What is shipped of a study's data."""
    return load(study, SHIPPED)


def rows_of(study: str) -> Results:
    """The same, or a skipped test that says why: `test_lab_code` tells which studies lack data."""
    results = stored(study)
    if not results.rows:
        pytest.skip(f"no rows of {study} come with the package")
    return results


def words_in(text: str) -> int:
    """Words and numbers; marks between them do not count."""
    return sum(any(letter.isalnum() for letter in word) for word in text.split())


def sentences_in(text: str) -> int:
    return len(re.findall(r"[.!?](?=\s|$)", text))


# ---- Form ----


@pytest.mark.parametrize("study", study_names())
def test_a_finding_answers_in_two_sentences_and_is_short(study: str) -> None:
    finding = rows_of(study).finding
    assert finding is not None
    answer = finding.split("\n\n")[0]
    assert 1 <= sentences_in(answer) <= MOST_SENTENCES, answer
    assert words_in(finding) <= MOST_WORDS, finding
    assert not re.search(r"\b(nan|inf|None)\b|  ", finding), finding


@pytest.mark.parametrize("study", study_names())
def test_every_claim_is_judged_by_the_stored_rows_in_one_clause(study: str) -> None:
    results = rows_of(study)
    for claim, judgement in results.judgements:
        assert judgement.verdict in Verdict
        assert words_in(judgement.evidence) >= 3, claim.says
        assert not judgement.evidence.endswith("."), judgement.evidence
        assert not re.search(r"\b(nan|inf|None)\b", judgement.evidence)


@pytest.mark.parametrize("study", study_names())
def test_without_the_rows_that_they_need_judges_decide_nothing(study: str) -> None:
    """A quick run, or a part of a study, must not be read as evidence."""
    for claim in claims_of(study):
        assert claim.judge([], []).verdict is Verdict.NOT_DECIDABLE, claim.says


def test_a_template_reads_as_its_text_however_it_is_broken_into_lines(tmp_path: Path) -> None:
    (tmp_path / "my-study.txt").write_text(
        """
{% macro finding(boards, extra) %}
{{ 1200 | count("position") }} on
{% for board in boards %} {{ board }}{{ loop | then }}{% endfor %}
{% if extra %}, {{ extra }}{% endif %}.
¶
{{ (0.5, 0.4, 0.6) | share }} of the points ( {{ 12.3 | times }} ).
{% endmacro %}
""",
        encoding="utf-8",
    )
    say = Sentences(str(tmp_path / "my_study.py"))
    assert (
        say.finding(boards=["a", "b", "c"], extra="at least")
        == "1,200 positions on a, b and c, at least.\n\n50 % (40 to 60 %) of the points (12.3×)."
    )
    with pytest.raises(UndefinedError):
        say.finding(boards=["a"])


def test_claims_are_of_the_five_reports_and_each_stands_once() -> None:
    assert {claim.report for claim in claims()} <= {"000", "001", "002", "003", "004"}
    assert {claim.report for claim in claims()} >= {"000", "001", "002", "003"}
    assert all(claim.study in study_names() for claim in claims())
    assert all(not claim.says.endswith(".") for claim in claims())


def verdict_on(
    study: str, words: str, rows: list[Row], references: list[Row] | None = None
) -> tuple[Verdict, str]:
    claim = next(one for one in claims_of(study) if words in one.says)
    return tuple(claim.judge(rows, references or []))  # type: ignore[return-value]


# ---- Pruning ----


def _pruning_row(depth: int, start: str, ours: int, theirs: int, board: str = "6x7") -> Row:
    return {
        "board": board,
        "start": start,
        "depth": depth,
        "unpruned": 80,
        "pruned": ours,
        "ratio": 80 / ours,
        "report_unpruned": 80,
        "report_pruned": theirs,
    }


def test_the_finding_on_pruning_says_which_counts_come_out_and_which_do_not() -> None:
    rows = [_pruning_row(1, "empty board", 8, 8), _pruning_row(2, "empty board", 4, 4)]
    met = pruning.in_words(rows)
    assert "one in 20 on 6x7 (all at depth 2, from the empty board)" in met
    assert "Of 4 counts of the report’s, 4 match exactly." in met
    assert "could not be matched" not in met
    assert verdict_on("pruning", "on 6×7", rows) == (
        Verdict.REPRODUCED,
        "2 of 2 counts match exactly",
    )
    rows = [
        _pruning_row(1, "empty board", 8, 8),
        _pruning_row(2, "empty board", 5, 4),
        _pruning_row(2, "after 1", 6, 4),
    ]
    assert "1 pruned count on 6x7 could not be matched from either start" in pruning.in_words(rows)
    assert verdict_on("pruning", "on 6×7", rows)[0] is Verdict.NOT_DECIDABLE, (
        "the report does not say where it began"
    )


@pytest.mark.parametrize(("wide", "verdict"), [(2, Verdict.REPRODUCED), (40, Verdict.REFUTED)])
def test_the_saving_must_grow_with_depth_and_width(wide: int, verdict: Verdict) -> None:
    rows = [
        _pruning_row(depth, "after 1", nodes, nodes, board)
        for board, depth, nodes in (
            ("6x7", 1, 80),
            ("6x7", 3, 8),
            ("10x11", 1, 80),
            ("10x11", 3, wide),
        )
    ]
    assert verdict_on("pruning", "saves more", rows)[0] is verdict


@pytest.mark.parametrize(("fourth", "verdict"), [(4, Verdict.REPRODUCED), (16, Verdict.REFUTED)])
def test_the_saving_may_fall_by_one_ply_but_not_by_two(fourth: int, verdict: Verdict) -> None:
    rows = [
        _pruning_row(depth, "after 1", nodes - (board == "10x11"), nodes, board)
        for board in ("6x7", "10x11")
        for depth, nodes in ((1, 80), (2, 10), (3, 20), (4, fourth))
    ]
    judgement, evidence = verdict_on("pruning", "saves more", rows)
    assert judgement is verdict
    assert "it falls in 2 of 6 single plies, always from an even to an odd depth" in evidence
    assert (
        verdict_on("pruning", "saves more", [row for row in rows if row["depth"] < 3])[0]
        is Verdict.NOT_DECIDABLE
    )


# ---- Parity ----


def test_a_smooth_growth_of_the_saving_favours_neither_parity() -> None:
    assert parity.even_bonus([2.0**depth for depth in range(6)]) == pytest.approx(0)


@pytest.mark.parametrize("branching", [4, 7, 16])
def test_the_minimal_tree_favours_even_depths_as_theory_says(branching: int) -> None:
    """Leaves of the full tree over those of Knuth and Moore's minimal one, at large depths, where
    its −1 no longer counts.
    """
    ratios = [
        branching**d / (branching ** math.ceil(d / 2) + branching ** (d // 2) - 1)
        for d in range(12, 21)
    ]
    bonus = parity.even_bonus(ratios)
    assert bonus is not None
    # The first depth of the list is even here, so the sign turns round.
    assert math.exp(-bonus) == pytest.approx(parity.perfect_bonus(branching), rel=1e-3)


def _parity_rows(bonus: float, noise: float) -> list[Row]:
    chance = random.Random(1)
    rows = []
    for seed in range(40):
        shift = chance.gauss(bonus, noise)
        rows += [
            {
                "game": "connect4",
                "ordering": "as listed",
                "heuristic": "usual",
                "seed": seed,
                "depth": depth,
                "ratio": math.exp(0.5 * depth + (shift / 2 if depth % 2 == 0 else -shift / 2)),
            }
            for depth in range(1, 7)
        ]
    return rows


@pytest.mark.parametrize(
    ("bonus", "noise", "words", "verdict"),
    [
        (
            0.3,
            0.1,
            "Even depths prune clearly better in 1 of 1 case (a game and an order of moves; t intervals): moves as listed in connect4.",
            Verdict.REPRODUCED,
        ),
        (-0.3, 0.1, "Odd depths prune clearly better in 1 of 1 case", Verdict.REPRODUCED),
        (0.0, 0.3, "It is not decided", Verdict.NOT_DECIDABLE),
    ],
)
def test_the_finding_on_parity_is_as_sure_as_the_data(
    bonus: float, noise: float, words: str, verdict: Verdict
) -> None:
    rows = _parity_rows(bonus, noise)
    assert parity.in_words(rows).startswith(words)
    assert verdict_on("parity", "parity", rows)[0] is verdict


# ---- The depth for a limit ----


@pytest.mark.parametrize("truth", [0.6, 0.75, 0.9])
def test_the_best_factor_is_found_where_nodes_follow_the_formula(truth: float) -> None:
    searches = [
        [{"depth": depth, "nodes": 7 ** (truth * depth)} for depth in range(1, 13)]
        for _ in range(5)
    ]
    fit = depth_limit.best_factor("connect4", searches)
    assert fit is not None
    assert fit.factor == pytest.approx(truth, abs=0.02)
    assert fit.hits[0] > 0.9
    assert (fit.usual > 0.9) == (truth == 0.75)


def test_a_factor_is_judged_by_positions_that_did_not_choose_it() -> None:
    """Two positions that need different F: the best for one does badly on the other."""
    searches = [
        [{"depth": depth, "nodes": 7 ** (truth * depth)} for depth in range(1, 10)]
        for truth in (0.55, 0.95)
    ]
    fit = depth_limit.best_factor("connect4", searches)
    assert fit is not None
    assert fit.hits[0] < 0.5


@pytest.mark.parametrize(
    ("falls", "verdict"), [(0.05, Verdict.REFUTED), (0.0, Verdict.NOT_DECIDABLE)]
)
def test_a_factor_that_falls_with_the_depth_is_no_constant(falls: float, verdict: Verdict) -> None:
    chance = random.Random(1)
    rows: list[Row] = [
        {
            "game": "connect4",
            "engine": "alphabeta",
            "seed": seed,
            "depth": depth,
            "nodes": 1,
            "factor": 0.9 - falls * depth + chance.gauss(0, 0.01),
        }
        for seed in range(8)
        for depth in range(1, 6)
    ]
    assert verdict_on("depth-limit", "one F", rows)[0] is verdict
    assert verdict_on("depth-limit", "between 0.5 and 1", rows)[0] is Verdict.REPRODUCED
    assert (
        verdict_on("depth-limit", "between 0.5 and 1", [{**row, "factor": 0.4} for row in rows])[0]
        is Verdict.REFUTED
    )


# ---- Timing ----


def _timing_rows(*times: float) -> list[Row]:
    return [
        {
            "algorithm": name,
            "computer_moves": moves,
            "ms": ms * (1 + moves / 100),
            "nodes": 100.0 * ms,
            "held": 5,
            "report_ms": told,
            "report_held": 9,
        }
        for (name, told), ms in zip(
            (("Alpha-Beta", 10.0), ("Minimax", 20.0), ("MCTS", 30.0)), times, strict=True
        )
        for moves in (4, 6, 8)
    ]


def test_the_finding_on_timing_compares_the_order_of_the_algorithms() -> None:
    same, other = _timing_rows(1, 2, 3), _timing_rows(2, 1, 3)
    assert "in the report’s order." in timing.in_words(same)
    assert "the report’s order is Alpha-Beta < Minimax < MCTS" in timing.in_words(other)
    assert verdict_on("timing", "the quickest", same)[0] is Verdict.REPRODUCED
    assert verdict_on("timing", "the quickest", other)[0] is Verdict.REFUTED
    assert verdict_on("timing", "memory", same)[0] is Verdict.REPRODUCED
    assert (
        verdict_on("timing", "memory", [{**row, "held": 10} for row in same])[0] is Verdict.REFUTED
    )
    others = [row for row in same if row["algorithm"] != "MCTS"]
    assert verdict_on("timing", "memory", others)[0] is Verdict.NOT_DECIDABLE, (
        "what they hold is not what the report bounds"
    )


@pytest.mark.parametrize(
    ("factors", "verdict"),
    [
        ((1.0, 0.81, 0.64), Verdict.REPRODUCED),
        ((1.0, 1.21, 1.44), Verdict.REFUTED),
        ((1.0, 1.3, 0.9), Verdict.NOT_DECIDABLE),
    ],
)
def test_the_time_a_move_is_judged_by_the_length_of_games(
    factors: tuple[float, ...], verdict: Verdict
) -> None:
    rows: list[Row] = [
        {"algorithm": "Minimax", "computer_moves": moves, "ms": factor, "report_ms": 20.0 - moves}
        for moves, factor in zip((4, 8, 12), factors, strict=True)
    ]
    found, evidence = verdict_on("timing", "with Minimax the mean", rows)
    assert found is verdict
    assert (
        f"{factors[-1]:.2f}× from 4 to 12 moves; in the report 0.50× from 4 to 12 moves" in evidence
    )
    assert verdict_on("timing", "with MCTS the mean", rows)[0] is Verdict.NOT_DECIDABLE


def test_a_fixed_cost_is_told_by_algorithm_and_where_it_exceeds_the_search() -> None:
    found = timing.in_words([{**row, "fixed_ms": 1.5} for row in _timing_rows(1, 2, 3)])
    assert (
        "subtracted: 1.5 ms (Alpha-Beta), 1.5 ms (Minimax) and 1.5 ms (MCTS); with Alpha-Beta it exceeds the search itself."
        in found
    )


def test_minimax_and_alpha_beta_are_judged_by_every_decision() -> None:
    rows: list[Row] = [{"algorithm": "Minimax", "decisions": 20, "same_moves": 20}]
    assert verdict_on("timing", "same moves", rows) == (Verdict.REPRODUCED, "in 20 of 20 decisions")
    assert verdict_on("timing", "same moves", [{**rows[0], "same_moves": 19}])[0] is Verdict.REFUTED


# ---- Free cells ----


def test_the_finding_on_free_cells_does_not_call_a_tie_a_win() -> None:
    times = (
        ("swap list", 10.0, 1.0),
        ("fresh array", 30.0, 2.0),
        ("linked list", 20.0, 0.9),
        ("hash set", 40.0, 3.0),
    )
    rows: list[Row] = [
        {
            "side": 3,
            "cells": 9,
            "operation": "search",
            "structure": name,
            "ns": ns,
            "slower": ns / 10,
            "slower_low": low,
            "slower_high": ns,
        }
        for name, ns, low in times
    ]
    assert "clearly beats every rival on 0 of 1 board." in free_cells.in_words(rows)
    assert verdict_on("free-cells", "quicker", rows)[0] is Verdict.NOT_DECIDABLE
    rows[2]["slower_low"] = 1.5
    assert "clearly beats every rival on 1 of 1 board." in free_cells.in_words(rows)
    assert verdict_on("free-cells", "quicker", rows)[0] is Verdict.REPRODUCED
    assert verdict_on("free-cells", "does worse", rows)[0] is Verdict.REFUTED


# ---- Ordering ----


def _match_rows(best_q: int, best_depth: int, games: int) -> list[Row]:
    rows = []
    for q in (2, 3, 5, 8, 12):
        for depth in (3, 5, 8, 12):
            share = 1 / (
                1
                + math.exp(2 * (math.log(q / best_q) ** 2 + math.log(depth / best_depth) ** 2) - 1)
            )
            wins = round(games * share)
            rows.append(
                {
                    "part": "learning",
                    "game": "gomoku:13",
                    "q": q,
                    "depth": depth,
                    "hand_q": 5,
                    "wins": wins,
                    "draws": 0,
                    "losses": games - wins,
                    "share": wins / games,
                }
            )
    return rows


@pytest.mark.parametrize(("q", "depth"), [(3, 8), (8, 5), (5, 5)])
def test_the_best_q_and_depth_are_learnt_from_matches(q: int, depth: int) -> None:
    lesson = ordering.learn(_match_rows(q, depth, games=60))
    assert lesson is not None
    assert (lesson.q, lesson.depth) == (q, depth)
    assert lesson.low > 0.5


def test_settings_that_won_all_of_six_games_are_not_sure_of_it() -> None:
    rows: list[Row] = [
        {**row, "wins": 6, "losses": 0, "share": 1.0, "pairs": "0 0 0 0 3"}
        for row in _match_rows(3, 8, 6)
    ]
    lesson = ordering.learn(rows)
    assert lesson is not None
    assert lesson.low < 0.97
    alone = ordering.learn(rows[:2])
    assert alone is not None
    assert alone.low < 0.9


def test_few_games_decide_nothing() -> None:
    rows = [{**row, "wins": 1, "losses": 1, "share": 0.5} for row in _match_rows(3, 8, 10)]
    assert "suggests a better q and depth on 0 of 1 board." in ordering.in_words(rows)
    assert (
        "on 1 of 1 board (gomoku:13); 4 of 20 settings there are clearly better."
        in ordering.in_words(_match_rows(3, 8, 60))
    )
    few = [
        {**row, "wins": wins, "losses": 6 - wins}
        for row, wins in zip(_match_rows(3, 8, 6), (4, 4, 4, 5) * 5, strict=True)
    ]
    assert "; no single setting there is clearly better." in ordering.in_words(few)


def _filled_row(fill: float, game: str, wins: int, nodes: int = 2500) -> Row:
    moves = 6 if game == "kalah" else 81
    return {
        "part": "filling",
        "game": game,
        "fill": fill,
        "nodes": nodes,
        "filled_depth": 7,
        "wins": wins,
        "draws": 0,
        "losses": 100 - wins,
        "share": wins / 100,
        "moves": moves,
        "hand_q": 5 if moves > 25 else 7,
    }


def test_the_finding_on_the_filled_depth_counts_the_cases_of_each_default() -> None:
    rows = [
        _filled_row(FILL, "gomoku:9", 80),
        _filled_row(FILL_OF_ALL, "kalah", 20),
        _filled_row(FILL_OF_ALL, "gomoku:9", 5),
    ]
    assert (
        "clearly better than the fixed depth of 10 in 1 and clearly worse in 1 of 2 cases"
        in ordering.in_words(rows)
    )


@pytest.mark.parametrize(
    ("wins", "words"),
    [
        (
            (40, 90, 60),
            "No other q that was tried is clearly better than the report’s on any of 1 board.",
        ),
        (
            (90, 50, 60),
            "Another q is clearly better than the report’s on gomoku:15 (q = 2), of 1 board.",
        ),
        ((40, 55, 60), "No other q that was tried is clearly better"),
    ],
)
def test_the_hand_chosen_q_is_told_by_intervals(wins: tuple[int, ...], words: str) -> None:
    rows = [
        {**_filled_row(FILL, "gomoku:15", one), "q": q, "hand_q": 4}
        for q, one in zip((2, 4, 6), wins, strict=True)
    ]
    assert words in ordering.in_words(rows)


@pytest.mark.parametrize(
    ("factors", "verdict"),
    [
        ((5.5,), Verdict.REPRODUCED),
        ((2.0,), Verdict.REFUTED),
        ((4.95,), Verdict.NOT_DECIDABLE),
        ((1.0, 2.0, 5.5), Verdict.NOT_DECIDABLE),
        ((1.0, 5.5, 5.5), Verdict.REPRODUCED),
    ],
)
def test_the_reports_claim_is_held_against_the_factors_of_most_boards(
    factors: tuple[float, ...], verdict: Verdict
) -> None:
    rows: list[Row] = [
        {
            "select": "heap",
            "cells": cells,
            "nodes_per_second": 1e5,
            "times_sort": factor,
            "times_sort_low": factor - 0.1,
            "times_sort_high": factor + 0.1,
        }
        for cells, factor in zip((100, 400, 900), factors, strict=False)
    ]
    assert (
        verdict_on(
            "ordering", "5 to 6 times", rows, [{"select": "heap", "times_low": 5, "times_high": 6}]
        )[0]
        is verdict
    )


@pytest.mark.parametrize(
    ("heap", "verdict"),
    [(1.0, Verdict.REPRODUCED), (9.0, Verdict.REFUTED), (5.0, Verdict.NOT_DECIDABLE)],
)
def test_a_heap_must_be_clearly_quicker_than_what_was_dropped(
    heap: float, verdict: Verdict
) -> None:
    rows: list[Row] = [
        {"select": name, "cells": 25, "ns": ns, "ns_low": ns - 1, "ns_high": ns + 1}
        for name, ns in (("heap", heap), ("sort", 5.0), ("quickselect", 5.5))
    ]
    assert verdict_on("ordering", "quickselect", rows)[0] is verdict


# ---- Scaling ----


def _scaling_rows(cores: float, memory: float = 1.0) -> list[Row]:
    boards: list[Row] = [
        {
            "game": f"mnk:{cells}",
            "family": "mnk",
            "cells": cells,
            "seconds": cells**2 / 1e4,
            "fixed_share": 0.031,
            "nodes_per_cpu_second": 1e6 / cells,
            "kilobytes": cells**memory,
        }
        for cells in (25, 49, 81, 169)
    ]
    searches: list[Row] = [
        {
            "game": "gomoku",
            "family": "mnk",
            "position": number,
            "threads": threads,
            "seconds": 0.8 / threads,
            "cores": min(threads, cores),
            "nodes": 1000 * threads,
        }
        for number in range(4)
        for threads in (1, 2)
    ]
    return [*boards, *searches]


def test_the_finding_on_scaling_tells_growth_and_doubts_a_crowded_machine() -> None:
    found = scaling.in_words(_scaling_rows(cores=1.95))
    assert "`deepening` takes 0.062 to 2.9 s from 25 to 169 cells (mnk)" in found
    assert "0.04 to 0.0059 (mnk, 0.012 to 0.0059 between 81 and 169 cells)" in found
    assert "By the clock, two threads are 2.00 (gomoku) times as fast as one on mnk." in found
    assert "visit 2.00× the nodes" in found
    assert "idle machine" not in found
    assert "had 1.2 cores" in (crowded := scaling.in_words(_scaling_rows(cores=1.2)))
    assert "not what they can do on an idle machine" in crowded


@pytest.mark.parametrize(("memory", "verdict"), [(0.9, Verdict.REPRODUCED), (1.5, Verdict.REFUTED)])
def test_memory_may_not_grow_faster_than_the_board(memory: float, verdict: Verdict) -> None:
    assert verdict_on("scaling", "memory", _scaling_rows(2.0, memory))[0] is verdict


def test_two_boards_tell_no_growth() -> None:
    assert scaling.in_words(_scaling_rows(2.0)[:1]).startswith("These are too few boards")
    assert verdict_on("scaling", "memory", _scaling_rows(2.0)[:2])[0] is Verdict.NOT_DECIDABLE


def test_a_gain_on_one_game_does_not_hide_a_loss_on_another() -> None:
    searches = _scaling_rows(2.0)[4:]
    slower: list[Row] = [
        {**row, "game": "kalah", "family": "kalah", "seconds": 0.4 * row["threads"]}
        for row in searches
    ]
    assert (
        "two threads are 2.00 (gomoku) times as fast as one on mnk and 0.50 (kalah) on kalah."
        in scaling.in_words([*searches, *slower])
    )


def test_the_interval_of_a_slope_holds_it_as_often_as_it_says() -> None:
    chance, held = random.Random(3), 0
    for _ in range(400):
        _, low, high = slope_interval([(float(x), 2.0 * x + chance.gauss(0, 1)) for x in range(6)])
        held += low <= 2 <= high
    assert 0.92 < held / 400 < 0.98


# ---- Play ----


def series_row(one: Any, other: Any, wins: int, losses: int) -> Row:
    return {
        "one": one,
        "other": other,
        "wins": wins,
        "draws": 0,
        "losses": losses,
        "share": wins / (wins + losses),
    }


def test_a_finding_says_when_nothing_is_decided_and_when_something_is() -> None:
    def row(wins: int, losses: int) -> Row:
        return {
            "game": "connect4",
            "family": "connect",
            "milliseconds": 4,
            "ms_one": 4.0,
            "ms_other": 4.0,
            **series_row("mcts", "deepening", wins, losses),
        }

    assert "clearly ahead in 0 of 1 case and clearly behind in 0." in mcts.in_words([row(5, 5)])
    assert (
        "clearly ahead in 1 of 1 case – connect4, 4 ms – and clearly behind in 0."
        in mcts.in_words([row(50, 5)])
    )


def test_the_finding_on_mcts_says_where_growth_and_c_are_clear() -> None:
    rows: list[Row] = [
        {
            "game": game,
            "iterations": iterations,
            "exploration": c,
            **series_row("mcts", "alphabeta", won, 100 - won),
        }
        for game, few, many in (("kalah", (20, 20), (80, 30)), ("connect4", (20, 20), (25, 25)))
        for iterations, shares in ((30, few), (3000, many))
        for c, won in zip((1.0, 2.0), shares, strict=True)
    ]
    found = mcts.in_words(rows)
    assert (
        "rises from 20 to 80 % on kalah and 20 to 25 % on connect4; the growth is clear on kalah."
        in found
    )
    assert (
        "clearly apart in 1 of 4 cases (a game and iterations), most on kalah with 3,000 iterations: 80 %"
        in found
    )


@pytest.mark.parametrize(
    ("wins", "verdict"),
    [
        ((10, 20, 30, 40), Verdict.REPRODUCED),
        ((40, 30, 20, 10), Verdict.REFUTED),
        ((30, 10, 40, 20), Verdict.NOT_DECIDABLE),
    ],
)
def test_mcts_is_judged_by_the_games_as_they_branch(
    wins: tuple[int, ...], verdict: Verdict
) -> None:
    rows = [
        {
            "game": f"g{moves}",
            "milliseconds": 4,
            "branching": moves,
            **series_row("mcts", "deepening", won, 50 - won),
        }
        for moves, won in zip((3, 10, 30, 100), wins, strict=True)
    ]
    assert verdict_on("mcts", "many moves", rows)[0] is verdict


def _game(
    levels_text: str, heuristic: str, margin: int, pruning: bool = True, played: str = "abc"
) -> Row:
    depths = {1: 1, 2: 4, 3: 8}
    first, second = (depths[int(word)] for word in levels_text.split(" v "))
    return {
        "levels": levels_text,
        "heuristic": heuristic,
        "pruning": pruning,
        "played": played,
        "depth_first": first,
        "depth_second": second,
        "score_first": 24 - margin,
        "score_second": 24 + margin,
        "moves_first": 5,
        "moves_second": 5,
        "seconds_first": 0.001 if pruning else 0.01,
        "seconds_second": 0.001 if pruning else 0.01,
    }


def test_the_finding_tells_a_game_that_pruning_changed() -> None:
    rows = [_game("1 v 3", "stores", 5), _game("1 v 3", "stores", 5, pruning=False)]
    assert (
        "changed no move in 1 game played with and without it, only the time: at level 3, a move takes 1 ms instead of 10"
        in levels.in_words(rows)
    )
    assert verdict_on("levels", "changes no result", rows)[0] is Verdict.REPRODUCED
    assert verdict_on("levels", "quicker", rows)[0] is Verdict.REPRODUCED
    rows[1]["played"] = "other"
    assert "must not" in levels.in_words(rows)
    assert verdict_on("levels", "changes no result", rows)[0] is Verdict.REFUTED


def test_the_finding_on_levels_tells_whether_the_higher_always_won() -> None:
    rows = [_game("1 v 3", "stores", 5), {"heuristic": "stores", **series_row(8, 1, 60, 0)}]
    assert levels.in_words(rows).startswith("The higher level always won")
    rows[1] = {"heuristic": "stores", **series_row(8, 1, 59, 1)}
    assert (
        "it won 1 of 1 single game from the usual start and lost 1 of 60 from random openings"
        in levels.in_words(rows)
    )


@pytest.mark.parametrize(
    ("wins", "verdict"),
    [(60, Verdict.REPRODUCED), (20, Verdict.REFUTED), (42, Verdict.NOT_DECIDABLE)],
)
def test_a_heuristic_is_the_best_only_if_it_beats_every_rival_with_every_limit(
    wins: int, verdict: Verdict
) -> None:
    rows = [
        {"game": game, "limit": "depth 4", **series_row("zero-sum", other, won, 80 - won)}
        for game, other, won in (
            ("connect4", "article", 70),
            ("connect4", "basic", wins),
            ("gomoku:9", "basic", 0),
        )
    ]
    assert verdict_on("heuristics", "zero-sum", rows)[0] is verdict
    assert "on connect4" in heuristics.in_words(
        [*rows, {"game": "connect4", "limit": "depth 4", **series_row("basic", "article", 40, 40)}]
    )


@pytest.mark.parametrize(
    ("wins", "start", "verdict"),
    [
        (60, "Yes:", Verdict.REPRODUCED),
        (42, "This is not shown:", Verdict.NOT_DECIDABLE),
        (10, "This is not shown:", Verdict.REFUTED),
    ],
)
def test_learning_is_judged_by_what_was_learned_from_most_games(
    wins: int, start: str, verdict: Verdict
) -> None:
    rows = [
        {
            "game": "connect4",
            "limit": "depth 4",
            "learned_from": amount,
            **series_row("learned", "zero-sum", won, 80 - won),
        }
        for amount, won in ((400, 40), (1600, wins))
    ]
    assert learning.in_words(rows).startswith(start)
    assert verdict_on("learning", "learned", rows)[0] is verdict


@pytest.mark.parametrize(
    ("wins", "verdict"),
    [
        ((60, 60, 42), Verdict.REPRODUCED),
        ((60, 42, 42), Verdict.NOT_DECIDABLE),
        ((60, 60, 25), Verdict.NOT_DECIDABLE),
    ],
)
def test_learning_must_be_better_with_most_limits_and_worse_with_none(
    wins: tuple[int, ...], verdict: Verdict
) -> None:
    rows = [
        {
            "game": "connect4",
            "limit": f"depth {depth}",
            "learned_from": 1600,
            **series_row("learned", "zero-sum", won, 80 - won),
        }
        for depth, won in enumerate(wins)
    ]
    assert verdict_on("learning", "learned", rows)[0] is verdict
