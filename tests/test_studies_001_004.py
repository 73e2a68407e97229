"""The studies of report 001's player and of report 004's Gomoku: what they measure, and what they
say of made-up rows.
"""

from __future__ import annotations

from typing import Any

import pytest

from mnkala.core import Position
from mnkala.families.lines.studies import budget, future_work, gomoku
from mnkala.lab.measuring import PacedPlayer
from mnkala.lab.registry import Row, Verdict, claims_of
from mnkala.lab.study_file import load_study
from mnkala.search import Limit, Stop
from mnkala.search.budget import Budget
from mnkala.search.heuristic import heuristic_for
from mnkala.search.root import Task

STUDIES = ("budget", "future-work", "gomoku")


def verdict_on(study: str, words: str, rows: list[Row]) -> tuple[Verdict, str]:
    claim = next(one for one in claims_of(study) if words in one.says)
    return tuple(claim.judge(rows, []))  # type: ignore[return-value]


def match(won: int, lost: int, drawn: int = 0, **cells: Any) -> Row:
    """The row of a match of pairs that were won, lost or drawn twice."""
    return {
        **cells,
        "wins": 2 * won,
        "draws": 2 * drawn,
        "losses": 2 * lost,
        "pairs": f"{lost} 0 {drawn} 0 {won}",
        "share": (won + drawn / 2) / (won + lost + drawn),
    }


AHEAD, BEHIND, EVEN = (45, 5), (5, 45), (26, 24)


@pytest.mark.parametrize("study", STUDIES)
def test_without_rows_nothing_is_said_and_nothing_is_judged(study: str) -> None:
    finding = {"budget": budget, "future-work": future_work, "gomoku": gomoku}[study].in_words([])
    assert finding == ""
    assert claims_of(study)
    assert all(claim.judge([], []).verdict is Verdict.NOT_DECIDABLE for claim in claims_of(study))


@pytest.mark.parametrize("study", STUDIES)
def test_the_whole_study_is_cheap_enough_to_be_shared_by_two_workers(study: str) -> None:
    work = load_study(study).work()
    assert 20 <= len(work) <= 60
    assert all(one.values.get("games", 0) % 2 == 0 for one in work), (
        "openings are played from both sides"
    )


# ---- Report 001's player and what it dropped: measures ----


def test_every_approach_that_was_dropped_is_a_player_here() -> None:
    for rival in budget.RIVALS:
        row = budget.dropped_rival(game="mnk:4x4x3", rival=rival, milliseconds=0.5, games=2)
        assert row["wins"] + row["draws"] + row["losses"] == 2
    assert set(budget.REASONS) == set(budget.RIVALS)


def test_games_against_the_clock_are_the_same_each_time() -> None:
    one, again = (
        budget.budget_against_clock(game="mnk:5x5x4", depth="fixed", nodes=300, games=4)
        for _ in range(2)
    )
    assert {name for name in one if one[name] != again[name]} <= {"ms_one", "ms_other"}
    assert one["nodes_other"] <= 300 * 1.1


def test_where_the_clock_strikes_the_move_being_searched_tells_nothing() -> None:
    position = Position("gomoku:10").play_codes((44, 45, 54))

    def moves_looked_at(nodes: int) -> int:
        search = budget.ByClock()
        search.prepare(position.rules)
        return len(
            search.run(
                Task(position, Limit(nodes=nodes), Stop(), lambda analysis: None, engine="")
            ).moves
        )

    assert moves_looked_at(20) == 0
    assert (
        moves_looked_at(20)
        < moves_looked_at(4000)
        <= moves_looked_at(200_000)
        == Budget().at_root(position.rules).amount
    )


def test_in_time_either_player_tells_how_many_root_moves_it_saw() -> None:
    with_budget, with_clock = budget.root_moves_in_time(
        game="mnk:5x5x4", milliseconds=5, positions=2
    )
    assert (with_budget["player"], with_clock["player"]) == ("budget", "clock")
    assert all(
        0 <= row["looked_at_least"] <= row["looked_at"] <= row["root_moves"] == 15
        for row in (with_budget, with_clock)
    )
    assert 0 < with_budget["clock_ns"] < with_budget["node_ns"]


def test_a_search_that_leaves_its_nodes_unused_does_not_get_more_and_more() -> None:
    """At the end of a game on a small board few moves are left to search."""
    paced = PacedPlayer("mnk:3x3x3", "budget", 4)
    paced.engine.search.prepare(Position("mnk:3x3x3").rules)
    position = Position("mnk:3x3x3").play_codes((0, 1, 2, 4, 3))
    for _ in range(8):
        answer, _ = paced.ask(position)
    assert answer.nodes < 200
    assert paced.budgets.get(paced.key, 1000) <= 1000


# ---- The same: what is said ----


def rival_rows(**results: tuple[int, int]) -> list[Row]:
    return [
        match(*result, part="rivals", game=game, rival=rival.replace("_", " "))
        for rival, result in results.items()
        for game in ("mnk:5x5x4", "gomoku:15")
    ]


def test_the_player_that_beats_all_is_said_to() -> None:
    rows = rival_rows(MCTS=AHEAD, greedy=AHEAD)
    assert budget.in_words(rows).startswith(
        "Over 2 boards, the player clearly beats everything that was dropped (searches in equal time; greedy as they need): MCTS 90 % and"
    )
    assert "By board" not in budget.in_words(rows)
    assert verdict_on("budget", "beats MCTS", rows)[0] is Verdict.REPRODUCED
    assert verdict_on("budget", "five rules", rows)[0] is Verdict.NOT_DECIDABLE


def test_a_rival_that_is_as_good_or_better_is_named() -> None:
    rows = rival_rows(MCTS=EVEN, greedy=BEHIND, five_rules=AHEAD)
    found = budget.in_words(rows)
    assert "clearly beats five rules 90 %" in found
    assert "clearly loses to greedy 10 %" in found
    assert "is not clearly better or worse than MCTS 52 %" in found
    assert (
        "By board, 2 of 6 matches are clearly lost (on mnk:5x5x4 and gomoku:15) and 2 of 6 matches are undecided"
        in found
    )
    assert verdict_on("budget", "beats MCTS", rows)[0] is Verdict.NOT_DECIDABLE
    assert verdict_on("budget", "without a search", rows)[0] is Verdict.REFUTED


def test_one_board_on_which_it_is_clearly_behind_refutes_that_it_beats_a_rival() -> None:
    rows = [
        match(*AHEAD, part="rivals", game=game, rival="greedy")
        for game in ("gomoku:10", "gomoku:15", "gomoku:20")
    ]
    rows.append(match(*BEHIND, part="rivals", game="mnk:5x5x4", rival="greedy"))
    judged, evidence = verdict_on("budget", "without a search", rows)
    assert judged is Verdict.REFUTED
    assert "clearly lost on mnk:5x5x4" in evidence


def moves_rows(clock: float, with_budget: float) -> list[Row]:
    return [
        {
            "part": "moves",
            "game": "gomoku:15",
            "milliseconds": 5,
            "player": player,
            "looked_at": seen,
            "root_moves": 12,
            "clock_ns": 30,
            "node_ns": 1500,
        }
        for player, seen in (("clock", clock), ("budget", with_budget))
    ]


@pytest.mark.parametrize(
    ("clock", "with_budget", "judged"),
    [(3, 12, Verdict.REPRODUCED), (12, 12, Verdict.REFUTED), (12, 3, Verdict.REFUTED)],
)
def test_the_risk_of_a_clock_is_judged_by_the_root_moves_that_were_seen(
    clock: float, with_budget: float, judged: Verdict
) -> None:
    rows = moves_rows(clock, with_budget)
    assert verdict_on("budget", "risks", rows)[0] is judged
    assert (
        f"With a clock, it sees fewer root moves than with a budget in {int(clock < with_budget)} of 1 case"
        in budget.in_words(rows)
    )
    assert "at most 2 % of a node" in budget.in_words(rows)


def test_a_case_in_which_the_budget_sees_few_root_moves_is_named() -> None:
    rows = [
        {**row, "milliseconds": time}
        for time, clock, seen in ((5, 3, 12), (20, 6, 12), (80, 12, 12), (2, 3, 1))
        for row in moves_rows(clock, seen)
    ]
    assert (
        "in 2 of 4 cases, and more in 1 (25 % of them instead of 8 % on gomoku:15 in 2 ms)."
        in budget.in_words(rows)
    )
    assert verdict_on("budget", "risks", rows) == (
        Verdict.NOT_DECIDABLE,
        "compared with a budget, in 4 cases of board and time, a player with a clock looks at fewer root moves in 2 (in the "
        "clearest case, 25 % of them instead of 100 % on gomoku:15 in 5 ms), at as many in 1 and at more in 1 (in the clearest case, 25 % of them "
        "instead of 8 % on gomoku:15 in 2 ms)",
    )


@pytest.mark.parametrize(
    ("used", "judged"),
    [
        ((1.0, 0.9), Verdict.REPRODUCED),
        ((1.5, 0.9), Verdict.REFUTED),
        ((1.04, 0.9), Verdict.NOT_DECIDABLE),
    ],
)
def test_the_time_is_kept_unless_a_move_takes_clearly_longer(
    used: tuple[float, float], judged: Verdict
) -> None:
    rows = [
        {**row, "milliseconds": time, "used": part}
        for time, part in zip((5, 80), used, strict=True)
        for row in moves_rows(3, 12)
    ]
    found, evidence = verdict_on("budget", "within the time", rows)
    assert found is judged
    assert evidence.startswith(
        f"depending on the board, a move takes {used[0]:.2f} times 5 ms and 0.90 times 80 ms; with a clock"
    )


@pytest.mark.parametrize(
    ("result", "judged", "words"),
    [
        (AHEAD, Verdict.REPRODUCED, "clearly better on gomoku:15 (90 %)"),
        (BEHIND, Verdict.REFUTED, "clearly worse on gomoku:15 (10 %)"),
        (EVEN, Verdict.NOT_DECIDABLE, "not clearly better or worse on gomoku:15 (52 %)"),
    ],
)
def test_the_budget_is_judged_by_games_in_which_only_it_differs(
    result: tuple[int, int], judged: Verdict, words: str
) -> None:
    rows = [
        match(*result, part="clock", game="gomoku:15", depth="fixed"),
        match(*AHEAD, part="clock", game="gomoku:10", depth="filled"),
    ]
    assert verdict_on("budget", "shared out", rows)[0] is judged
    assert f"it is {words} at a fixed depth" in budget.in_words(rows)


def test_one_board_does_not_carry_that_a_budget_is_better() -> None:
    rows = [
        match(*result, part="clock", game=game, depth="fixed")
        for game, result in (("mnk:5x5x4", AHEAD), ("gomoku:10", EVEN), ("gomoku:15", EVEN))
    ]
    judged, evidence = verdict_on("budget", "shared out", rows)
    assert judged is Verdict.NOT_DECIDABLE
    assert "90 % (79 to 96 %) on mnk:5x5x4" in evidence
    assert "52 % (39 to 65 %) on gomoku:15" in evidence


# ---- Future work: measures ----


def test_both_updates_give_the_same_numbers_and_the_shorter_way_is_quicker() -> None:
    short, long = future_work.update_cost(side=12, k=8, repeats=3, seconds=0.002, nodes=300)
    assert (short["slower"], short["slower_search"]) == (1, 1)
    assert long["slower"] > 1.3
    position = Position("mnk:12x12x8").play_codes((5, 17, 30, 31, 44))
    values = [
        heuristic_for(name, position.rules).evaluate(position.rules, position.state())
        for name in future_work.UPDATES.values()
    ]
    assert values[0] == values[1]


def test_a_q_of_nought_is_the_learnt_one() -> None:
    row = future_work.q_match(game="mnk:5x5x4", one=2, other=0, nodes=100, games=2)
    assert (row["learnt_q"], row["hand_q"], row["opponent"]) == (
        Budget().branching(Position("mnk:5x5x4").rules),
        7,
        "learnt",
    )
    assert (
        future_work.q_match(game="mnk:5x5x4", one=2, other=3, nodes=100, games=2)["opponent"]
        == "q = 3"
    )


def test_the_study_plays_no_q_against_itself() -> None:
    for work in load_study("future-work").work():
        if work.measure == "q-match":
            learnt = Budget().branching(Position(work.values["game"]).rules)
            assert work.values["one"] != (work.values["other"] or learnt), work.values


def test_two_threads_tell_their_cores_and_their_speed() -> None:
    row = future_work.budget_threads(game="mnk:5x5x4", milliseconds=5, positions=1, rounds=2)
    assert row["cores"] >= 1
    assert row["by_processor_low"] <= row["by_processor"] <= row["by_processor_high"]
    assert row["cores_used"] > 0


# ---- The same: what is said ----


def update_rows(slower: tuple[float, ...]) -> list[Row]:
    rows = []
    for k, factor in zip((4, 6, 8), slower, strict=True):
        for update, times in (("O(k)", 1.0), ("O(k²)", factor)):
            rows.append(
                {
                    "part": "updates",
                    "side": 15,
                    "k": k,
                    "update": update,
                    "ns": 100 * k * times,
                    "slower": times,
                    "slower_low": 0.99 * times,
                    "slower_high": 1.01 * times,
                    "slower_search": times,
                }
            )
    return rows


def test_updates_are_told_by_the_whole_search_and_by_their_growth() -> None:
    rows = update_rows((2, 3, 4))
    found = future_work.in_words(rows)
    assert "make the whole search 2.00× (k = 4, side 15) to 4.00× (k = 8, side 15) as fast" in found
    assert "grows like k^1.0" in found
    assert verdict_on("future-work", "O(k) instead", rows) == (
        Verdict.REPRODUCED,
        "an update in O(k²) takes 2.00 times as long as one in O(k) for k = 4 and 4.00 times for k = 8",
    )
    assert (
        verdict_on("future-work", "O(k) instead", update_rows((2, 2, 2)))[0]
        is Verdict.NOT_DECIDABLE
    )
    assert verdict_on("future-work", "O(k) instead", update_rows((0.5, 2, 3)))[0] is Verdict.REFUTED


@pytest.mark.parametrize(
    ("result", "judged", "words"),
    [
        (BEHIND, Verdict.REPRODUCED, "clearly better than"),
        (AHEAD, Verdict.REFUTED, "clearly worse than"),
        (EVEN, Verdict.NOT_DECIDABLE, "not clearly better than"),
    ],
)
def test_the_learnt_q_is_judged_where_it_differs_from_the_hand_chosen(
    result: tuple[int, int], judged: Verdict, words: str
) -> None:
    common: dict[str, Any] = {"part": "q", "opponent": "learnt", "other": 0}
    rows = [
        match(*result, game="mnk:5x5x4", one=7, hand_q=7, learnt_q=5, cells=25, **common),
        match(*AHEAD, game="gomoku:15", one=2, hand_q=4, learnt_q=4, cells=225, **common),
    ]
    assert verdict_on("future-work", "learning", rows)[0] is judged
    assert (
        f"The learnt q is {words} the one chosen by hand where they differ"
        in future_work.in_words(rows)
    )
    constant = [
        match(30, 20, game=game, one=3, hand_q=7, learnt_q=5, cells=25, **common)
        for game in ("mnk:5x5x4", "gomoku:15")
    ]
    assert "On mnk:5x5x4, q = 3 scores 60 % against the learnt one." in future_work.in_words(
        rows + constant
    )
    assert (
        "q = 3 scores 60 % (46 to 72 %) against the learnt q there"
        in verdict_on("future-work", "learning", rows + constant)[1]
    )


@pytest.mark.parametrize(
    ("small", "large", "judged"),
    [
        (AHEAD, BEHIND, Verdict.REPRODUCED),
        (BEHIND, BEHIND, Verdict.REFUTED),
        (AHEAD, AHEAD, Verdict.REFUTED),
        (EVEN, BEHIND, Verdict.NOT_DECIDABLE),
    ],
)
def test_many_moves_must_be_better_on_the_smallest_and_worse_on_the_largest_board(
    small: tuple[int, int], large: tuple[int, int], judged: Verdict
) -> None:
    rows = [
        match(
            *result,
            part="q",
            game=game,
            cells=cells,
            one=7,
            other=3,
            opponent="q = 3",
            hand_q=1,
            learnt_q=1,
        )
        for game, cells, result in (("gomoku:25", 625, large), ("mnk:5x5x4", 25, small))
    ]
    assert verdict_on("future-work", "small boards", rows)[0] is judged


def thread_rows(speed: float, used: float) -> list[Row]:
    return [
        {
            "part": "threads",
            "game": "gomoku:15",
            "cores": 2,
            "cores_used": used,
            "speed_up": speed,
            "speed_up_low": 0.95 * speed,
            "speed_up_high": 1.05 * speed,
            "by_processor": 1.9,
            "by_processor_low": 1.85,
            "by_processor_high": 1.95,
        }
    ]


def test_threads_that_did_not_have_their_cores_can_show_a_gain_but_no_loss() -> None:
    assert verdict_on("future-work", "threads", thread_rows(1.8, 1.95))[0] is Verdict.REPRODUCED
    assert verdict_on("future-work", "threads", thread_rows(0.8, 1.95))[0] is Verdict.REFUTED
    assert verdict_on("future-work", "threads", thread_rows(1.0, 1.95))[0] is Verdict.NOT_DECIDABLE
    assert verdict_on("future-work", "threads", thread_rows(0.8, 0.9))[0] is Verdict.NOT_DECIDABLE
    assert verdict_on("future-work", "threads", thread_rows(1.5, 1.6)) == (
        Verdict.REPRODUCED,
        "two threads visit 1.50× as many nodes in the same time; they had 1.60 of 2 cores",
    )
    assert "The threads had 1.60 of 2 cores." in future_work.in_words(thread_rows(1.5, 1.6))
    assert "Two threads visit 1.80× as many nodes in the same time" in future_work.in_words(
        thread_rows(1.8, 1.95)
    )


# ---- Report 004's Gomoku: measures ----


def test_a_wider_star_has_more_moves_and_more_depth_more_nodes() -> None:
    rows = {
        (radius, depth): gomoku.near_growth(radius=radius, depth=depth, positions=1)
        for radius in (1, 2)
        for depth in (1, 2)
    }
    assert rows[1, 1]["nodes"] == rows[1, 1]["moves"] + 1
    assert rows[1, 1]["moves"] < rows[2, 1]["moves"]
    assert all(rows[radius, 1]["nodes"] < rows[radius, 2]["nodes"] for radius in (1, 2))


def test_the_values_of_runs_follow_the_report_s_formula() -> None:
    assert list(gomoku.report_values())[:3] == [1, 38137.5, 38138.5 * 3 * 7.5 * 113 * 14]
    assert all(row["outweighs"] > 8 for row in gomoku.run_law()[1:])


def test_gentle_values_let_many_short_runs_outweigh_a_long_one() -> None:
    """One side has a pair that is closed at both ends, and stones in corners; the other has as many
    stones, which stand free.
    """
    x, o = (112, 113, 0, 14, 210), (111, 114, 63, 67, 71)
    position = Position("gomoku:15").play_codes(
        [cell for both in zip(x, o, strict=True) for cell in both]
    )
    rules, state = position.rules, position.state()
    assert heuristic_for("runs", rules).evaluate(rules, state) > 0
    gentle, steeper = (gomoku.SteppedRuns(False, step) for step in (10, 100))
    assert gentle.evaluate(rules, state) < 0 < steeper.evaluate(rules, state)


def test_matches_of_radius_depth_and_values_are_played_to_the_end() -> None:
    rows = [
        gomoku.radius_match(one=1, other="all", milliseconds=0.5, games=2),
        gomoku.depth_match(radius=1, one=2, other=1, games=2),
        gomoku.run_values(one="runs", other="runs, steps of 10", milliseconds=0.5, games=2),
        gomoku.gomoku_rival(rival="budget", milliseconds=0.5, rival_milliseconds=0.5, games=2),
    ]
    assert all(row["wins"] + row["draws"] + row["losses"] == 2 for row in rows)
    assert rows[0]["depth_one"] >= rows[0]["depth_other"] >= 0


def test_where_quick_wins_are_worth_more_every_win_at_once_is_taken() -> None:
    alike, quick = gomoku.quick_wins(radius=1, depth=2, positions=3)
    assert quick["at_once"] == 3 >= alike["at_once"]
    assert quick["low"] < quick["share"] == 1


# ---- The same: what is said ----


def radius_rows(best: tuple[int, int]) -> list[Row]:
    pairs: list[tuple[int | str, int | str]] = [(1, 2), (1, "all"), (2, "all")]
    return [
        match(
            *(AHEAD if other == "all" else best),
            part="radius",
            milliseconds=2,
            one=one,
            other=other,
            depth_one=2.0,
            depth_other=1.0,
        )
        for one, other in pairs
    ]


def test_the_best_radius_is_named_and_whether_it_is_sure() -> None:
    assert "In 2 ms a move, radius 1 plays best: 90 % (" in gomoku.in_words(radius_rows(AHEAD))
    blind = [{**row, "milliseconds": 1, "depth_other": 0.5} for row in radius_rows(BEHIND)]
    assert gomoku.in_words(radius_rows(AHEAD) + blind) == gomoku.in_words(radius_rows(AHEAD))
    assert "undecided" not in gomoku.in_words(radius_rows(AHEAD))
    assert "undecided against radius 2" in gomoku.in_words(radius_rows(EVEN))
    assert verdict_on("gomoku", "near the stones", radius_rows(AHEAD))[0] is Verdict.REPRODUCED
    turned = [
        match(
            *BEHIND,
            part="radius",
            milliseconds=2,
            one=1,
            other="all",
            depth_one=2.0,
            depth_other=1.0,
        )
    ]
    assert verdict_on("gomoku", "near the stones", turned)[0] is Verdict.REFUTED
    more_time = [{**row, "milliseconds": 6, "one": 2} for row in turned]
    judged, evidence = verdict_on("gomoku", "near the stones", radius_rows(AHEAD) + more_time)
    assert (judged, evidence) == (
        Verdict.REFUTED,
        "against the whole board, which reaches a depth of 1.0 in 6 ms a move, radius 2 scores 10 % (4 to 21 %)",
    )
    even = [
        match(
            *EVEN, part="radius", milliseconds=2, one=1, other="all", depth_one=2.0, depth_other=1.0
        )
    ]
    assert verdict_on("gomoku", "near the stones", even)[0] is Verdict.NOT_DECIDABLE


def test_growth_is_told_by_the_ply() -> None:
    rows = [
        {"part": "growth", "radius": 1, "depth": depth, "nodes": 10**depth, "ms": ms}
        for depth, ms in ((1, 1), (2, 5), (3, 50))
    ]
    assert "One more ply takes 10 times as many nodes" in gomoku.in_words(rows)
    assert verdict_on("gomoku", "how quickly", rows) == (
        Verdict.REPRODUCED,
        "one more ply takes 5.00× to 10× the time",
    )
    assert (
        verdict_on("gomoku", "how quickly", [{**row, "ms": 10 - row["depth"]} for row in rows])[0]
        is Verdict.REFUTED
    )
    assert verdict_on("gomoku", "how quickly", rows[:1])[0] is Verdict.NOT_DECIDABLE


@pytest.mark.parametrize(
    ("result", "judged", "words"),
    [
        (AHEAD, Verdict.REPRODUCED, "clearly better than"),
        (BEHIND, Verdict.REFUTED, "clearly worse than"),
        (EVEN, Verdict.NOT_DECIDABLE, "undecided against"),
    ],
)
def test_steep_values_are_judged_against_gentle_ones_on_the_same_runs(
    result: tuple[int, int], judged: Verdict, words: str
) -> None:
    rows = [match(*result, part="values", one="runs", other="runs, steps of 10")]
    assert verdict_on("gomoku", "steeply", rows)[0] is judged
    assert f"Its steep values of runs are {words} steps of 10 (" in gomoku.in_words(rows)
    both = [*rows, match(*EVEN, part="values", one="runs", other="runs, steps of 3")]
    assert verdict_on("gomoku", "steeply", both)[0] is Verdict.NOT_DECIDABLE
    assert "52 % (39 to 65 %) against steps of 3" in verdict_on("gomoku", "steeply", both)[1]


def test_that_longer_runs_outweigh_shorter_ones_is_arithmetic() -> None:
    law = [{"part": "law", **row} for row in gomoku.run_law()]
    assert verdict_on("gomoku", "outweighs", law)[0] is Verdict.REPRODUCED
    assert (
        verdict_on("gomoku", "outweighs", [{**row, "outweighs": 0.5} for row in law])[0]
        is Verdict.REFUTED
    )


def test_strength_depth_and_wins_are_told_with_their_odds() -> None:
    rows = [
        match(*BEHIND, part="rivals", rival="threats", milliseconds=10, rival_milliseconds=1),
        match(*AHEAD, part="rivals", rival="threats", milliseconds=4, rival_milliseconds=4),
        match(*AHEAD, part="rivals", rival="budget", milliseconds=4, rival_milliseconds=4),
        match(*EVEN, part="rivals", rival="deepening", milliseconds=4, rival_milliseconds=4),
        match(*AHEAD, part="depth", one=2, other=1),
        match(*BEHIND, part="depth", one=3, other=1),
        match(*EVEN, part="depth", one=3, other=2),
        {"part": "utility", "utility": "all wins alike", "at_once": 40, "positions": 60},
    ]
    found = gomoku.in_words(rows)
    assert "It scores 10 % (" in found
    assert (
        "against threats with 1/10 of its time, clearly ahead of budget, undecided against deepening."
        in found
    )
    assert (
        "The deeper search is clearly better in 1 of 3 matches, clearly worse with depth 3 against 1, undecided with depth 3 against 2."
        in found
    )
    assert "Of 60 wins in one move it takes 40 with all wins alike." in found
