"""What the data say of report 000's table of times."""

from __future__ import annotations

from statistics import fmean, median

from mnkala.lab.registry import Row, finding
from mnkala.lab.wording import extremes, grouped, having, listed, number, times


@finding("timing")
def in_words(rows: list[Row]) -> str:
    """Whose moves are quickest, whether moves get quicker in longer games, and what is held in memory; the report beside us."""
    timed = having(rows, "ms")
    if not timed:
        return "No game of the wanted lengths came up."
    ours = {str(name): fmean(row["ms"] for row in some) for (name,), some in grouped(timed, "algorithm").items()}
    told = [row for row in timed if row.get("report_ms") is not None]
    theirs = {str(name): fmean(row["report_ms"] for row in some) for (name,), some in grouped(told, "algorithm").items()}
    sentences = [f"Mean time a move: {listed([f'{name} {number(ms)} ms' for name, ms in ours.items()])}"
                 + (f" (the report: {listed([f'{name} {number(ms)} ms' for name, ms in theirs.items()])})." if theirs else ".")]
    if theirs:
        same = sorted(ours, key=ours.__getitem__) == sorted(theirs, key=theirs.__getitem__)
        order = " < ".join(sorted(ours, key=ours.__getitem__))
        sentences.append(f"The order from quick to slow, {order}, is {'also the' if same else 'not the'} report's"
                         + ("." if same else f", which is {' < '.join(sorted(theirs, key=theirs.__getitem__))}."))
        factors = {name: median(row["report_ms"] / row["ms"] for row in told if row["algorithm"] == name) for name in theirs}
        sentences.append(f"Ours are quicker by a factor {extremes(factors, times)}, on another machine and with compiled code.")
    sentences += [_trend(name, [row for row in timed if row["algorithm"] == name], name in theirs) for name in ours]
    held = {str(name): max(int(row["held"]) for row in some) for (name,), some in grouped(timed, "algorithm").items()}
    bounds = {str(name): max(int(row["report_held"]) for row in some)
              for (name,), some in grouped([row for row in told if row.get("report_held")], "algorithm").items()}
    memory = listed([f"{name} {number(most)}" + (f" (the report's bound: {number(bounds[name])})" if name in bounds else "")
                     for name, most in held.items()])
    sentences.append(f"Nodes held in memory at most: {memory}. Ours plays and takes back moves on one board, so minimax and alpha-beta "
                     "hold only the path to the current node.")
    return " ".join(sentence for sentence in sentences if sentence)


def _trend(name: str, rows: list[Row], told: bool) -> str:
    """Whether moves take less time in games in which the computer makes more of them."""
    ordered = sorted(rows, key=lambda row: int(row["computer_moves"]))
    if len(ordered) < 3:
        return ""
    first, last = ordered[0], ordered[-1]
    mine = last["ms"] / first["ms"]
    sentence = (f"{name}: from {first['computer_moves']} to {last['computer_moves']} moves the mean time changes by a factor {mine:.2f}, "
                f"the nodes a move by {last['nodes'] / first['nodes']:.2f}")
    theirs = [row for row in ordered if row.get("report_ms") is not None]
    if told and len(theirs) >= 2:
        sentence += f" (the report's times by {theirs[-1]['report_ms'] / theirs[0]['report_ms']:.2f})"
    return sentence + "."
