"""What the data say of evaluations learned from self-play."""

from __future__ import annotations

import math
from collections.abc import Sequence

from mnkala.lab.claims import NOT_TOLD, Judgement, claim, judged
from mnkala.lab.registry import Row, finding
from mnkala.lab.strength import carried, result_of, told, verdict
from mnkala.lab.wording import grouped, having, in_paragraphs, listed, number
from mnkala.play.series import SeriesResult


@finding("learning")
def in_words(rows: list[Row]) -> str:
    """Whether what was learned beats what was made by hand."""
    play = having(rows, "learned_from", "share")
    answer = _against(play)
    return in_paragraphs(answer, [_earlier(play), _curve(having(rows, "test_loss")), _windows(having(rows, "discs", "ratio"))])


def _most(rows: Sequence[Row]) -> list[Row]:
    """The series of what was learned from most games, by game."""
    found = []
    for _, some in grouped(rows, "game").items():
        most = max(row["learned_from"] for row in some)
        found += [row for row in some if row["learned_from"] == most]
    return found


def _counted(rows: Sequence[Row]) -> dict[str, tuple[int, int, int]]:
    """By game: series in which it is clearly ahead and clearly behind, and all of them. A series is an opponent and a limit."""
    found = {}
    for (game,), some in grouped(rows, "game").items():
        sure = [verdict(result_of([row])) for row in some]
        found[str(game)] = (sure.count("ahead"), sure.count("behind"), len(sure))
    return found


def _against(rows: Sequence[Row]) -> list[str]:
    if not rows:
        return []
    counts = _counted(_most(rows))
    ahead, every = sum(won for won, _, _ in counts.values()), sum(total for _, _, total in counts.values())
    start = "Yes" if ahead == every else "Some of them" if ahead else "It is not shown"
    words = listed([f"{won} of {total} series on {game}" for game, (won, _, total) in counts.items()])
    lost = sum(lost for _, lost, _ in counts.values())
    hardest = []
    for (game,), some in grouped(_most(rows), "game").items():
        by_name = {str(name): [result_of([row]) for row in same] for (name,), same in grouped(some, "other").items()}
        least = min(by_name, key=lambda name: sum(result.share for result in by_name[name]) / len(by_name[name]))
        shares = sorted(100 * result.share for result in by_name[least])
        hardest.append(f"{least} on {game} ({shares[0]:.0f} to {shares[-1]:.0f} % by limit)")
    return [f"{start}: with all that was learned it is clearly ahead in {words} (an opponent and a limit), and clearly behind in {lost}.",
            f"It scores least against {listed(hardest)}."]


def _earlier(rows: Sequence[Row]) -> str:
    """How it was after the first round."""
    if not rows:
        return ""
    fewest = min(row["learned_from"] for row in rows)
    counts = _counted([row for row in rows if row["learned_from"] == fewest])
    if fewest == max(row["learned_from"] for row in rows):
        return ""
    words = listed([f"{won} of {total} on {game}" for game, (won, _, total) in counts.items()])
    return f"After {number(fewest)} games it was ahead in {words}."


def _curve(rows: Sequence[Row]) -> str:
    said = []
    for (game,), some in grouped(rows, "game").items():
        last = max(some, key=lambda row: int(row["games"]))
        said.append(f"{last['test_loss']:.2f} on {game}")
    return f"Log loss on held-out games: {listed(said)} (knowing nothing: {math.log(2):.2f})." if said else ""


def _windows(rows: Sequence[Row]) -> str:
    if not rows:
        return ""
    most = max(row["rounds"] for row in rows)
    worth = {discs: sum(row["ratio"] for row in some) / len(some) for discs in sorted({row["discs"] for row in rows})
             if (some := [row for row in rows if row["discs"] == discs and row["rounds"] == most])}
    reported = {row["discs"]: row["report_ratio"] for row in having(rows, "report_ratio")}
    theirs = f"; report 002 weighs them {' : '.join(number(reported[discs]) for discs in sorted(reported))}" if reported else ""
    ours = " : ".join(f"{value:.0f}" for value in worth.values())
    return f"Windows of one, two and three discs are worth {ours} by what was learned{theirs}."


@claim("learning", report="002", says="machine learning would improve the player (future work): learned against its own zero-sum")
def learned_is_better(rows: list[Row]) -> Judgement:
    """With all limits together and most by themselves, by what was learned from most games."""
    duels = {str(row["limit"]): result_of([row]) for row in _most(having(rows, "learned_from", "share"))
             if row["other"] == "zero-sum" and str(row["game"]).startswith("connect4")}
    if not duels:
        return NOT_TOLD
    return judged(*carried(list(duels.values())), f"{listed([f'{told(result)} with {limit}' for limit, result in duels.items()])}, "
                  f"together {told(sum(duels.values(), SeriesResult()))}")
