"""Proofs beside the board, as text: exact scores with their lines, the opening book, a puzzle. What is won, drawn or lost has a shape."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.content import Content

from mnkala.games import Rules
from mnkala.play.score_words import score_words
from mnkala.play.verdicts import proved_verdicts
from mnkala.solve import Exact, MoveProof
from mnkala.terminal.canvas import GOLD, INK, SOFT
from mnkala.terminal.drawing import TONES, Note
from mnkala.terminal.line_proofs import reasons_text

if TYPE_CHECKING:
    from mnkala.terminal.panels import Panels, Part

SHAPES = {"win": "▲", "draw": "■", "loss": "▼", "unknown": "…"}
ASCII_SHAPES = {"win": "+", "draw": "=", "loss": "-", "unknown": "?"}
TONE_OF = {"win": "good", "loss": "bad", "draw": "even", "unknown": "even"}
ROOM_FOR_LINES = 14
"""Lines of a panel below which only the best line is written out."""


def proof_panel(panels: Panels, width: int, height: int) -> Content:
    """Every move with its exact score, and the proved line."""
    session, proof = panels.session, panels.session.proof
    parts: list[Part] = [panels.title("terminal.exact_title")]
    if session.position.is_over:
        return Content.assemble(*parts, "\n", (panels.say("play.analysis_over"), SOFT))
    if proof is None:
        return Content.assemble(*parts, "\n", (panels.say("preparing") if not session.ready else panels.say("exact.waits"), SOFT))
    settled = sum(known.solution.score is not None for known in proof.moves)
    if proof.done:
        parts.append((f"  {panels.say('analysis_done')}", TONES["good"]))
    else:
        parts.append((f"  {panels.say('exact.proved_so_far', done=settled, total=len(proof.moves))}", SOFT))
    nodes, seconds = session.analysis_effort()
    parts += ["\n", (panels.say("exact.facts", nodes=panels.number(nodes), seconds=f"{seconds:.1f}"), SOFT)]
    parts += _rows(panels, proof.position.rules, proof.moves, proof.best)
    for known, label in _lines(proof, height):
        lost = label == "exact.refuted"
        texts = [proof.position.rules.move_text(move) for move in known.line]
        head = f"{texts[0]} {panels.say(label)}" if lost else panels.say(label)
        shown = textwrap.shorten(" ".join(texts[lost:]), max(20, 2 * width - len(head) - 4), placeholder=" …")
        parts += ["\n", (f"{head} ", TONES["bad" if lost else "good"]), (shown, INK)]
        why = reasons_text(proved_verdicts(proof).get(known.move, ()), panels.language)
        parts += ["\n", (why, SOFT)] if why else []
    return Content.assemble(*parts)


def _lines(proof: Exact, height: int) -> list[tuple[MoveProof, str]]:
    """The lines that are written out: the best, and what refutes the losing moves where there is room."""
    best = [(known, "exact.best_line") for known in proof.moves if known.move in proof.best and len(known.line) > 1][:1]
    room = max(0, (height - len(proof.moves) - 4) // 4 - len(best)) if height >= ROOM_FOR_LINES else 0
    lost = [(known, "exact.refuted") for known in proof.moves if known.solution.result == "loss" and len(known.line) > 1]
    return [*best, *lost[:room]]


def _rows(panels: Panels, rules: Rules, moves: Sequence[MoveProof], best: Sequence[int]) -> list[Part]:
    """A line for each move, the best first."""
    shapes = ASCII_SHAPES if panels.ascii_only else SHAPES
    parts: list[Part] = []
    for known in sorted(moves, key=lambda known: (-(known.solution.lower + known.solution.upper), known.move)):
        result = known.solution.result
        value = f"{known.solution.score:+d}" if known.solution.score else "0" if known.solution.score == 0 else ""
        mark = "*" if known.move in best else " "
        parts += ["\n", (mark, GOLD), (f"{rules.move_text(known.move):>2} ", f"bold {INK}"),
                  (f"{shapes[result]} {value:>3} ", f"bold {TONES[TONE_OF[result]]}"),
                  (score_words(known.solution, rules, panels.language), TONES[TONE_OF[result]])]
    return parts


def proof_notes(proof: Exact) -> dict[str, Note]:
    """What stands on the board under each column."""
    ranked = sorted(proof.moves, key=lambda known: -(known.solution.lower + known.solution.upper))
    found = {}
    for rank, known in enumerate(ranked, start=1):
        text = "…" if known.solution.score is None else f"={known.solution.score:+d}" if known.solution.score else "=0"
        solution = known.solution
        found[proof.position.rules.move_text(known.move)] = Note(text, TONE_OF[solution.result], solution.score is not None, rank)
    return found


def book_panel(panels: Panels, width: int) -> Content:
    """What the book has of this position."""
    opening = panels.session.opening
    parts: list[Part] = [panels.title("exact.book")]
    if opening is None:
        return Content.assemble(*parts, "\n…")
    parts += [(f"  {opening.book}" if opening.book else "", SOFT), "\n"]
    facts = {"plies": opening.plies, "discs": opening.discs}
    whole = opening.solution
    words = "" if whole is None else score_words(whole, opening.position.rules, panels.language)
    if opening.book is None:
        return Content.assemble(*parts, (panels.say("exact.book_none"), SOFT))
    if opening.position.is_over:
        return Content.assemble(*parts, (panels.say("play.analysis_over"), SOFT))
    if not opening.moves:
        key = "exact.book_edge" if whole else "exact.book_ended" if opening.discs > opening.plies else "exact.book_gap"
        return Content.assemble(*parts, (panels.say(key, **facts, score=words), SOFT))
    player = opening.position.to_move
    if whole:
        parts.append((panels.say("exact.book_says", **facts, player=player, score=words), SOFT))
    return Content.assemble(*parts, *_rows(panels, opening.position.rules, opening.moves, opening.best))


def puzzle_panel(panels: Panels) -> Content:
    """The task, what was tried, and what to press."""
    session, task = panels.session, panels.session.task
    assert task is not None
    stars = ("*" if panels.ascii_only else "★") * task.puzzle.grade.stars
    which = panels.say("puzzle.number", number=task.number + 1, total=task.total)
    parts: list[Part] = [panels.title("puzzle.title"), (f"  {which} {stars}", SOFT), "\n"]
    player = session.match.position.to_move
    if task.solved:
        parts.append((panels.say("puzzle.solved_helped" if task.helped else "puzzle.solved"), f"bold {TONES['good']}"))
    else:
        parts.append((panels.say("puzzle.task_last" if task.left == 1 else "puzzle.task", player=player, moves=task.left), f"bold {INK}"))
    tried = task.tried
    if session.judging:
        parts += ["\n", (panels.say("exact.waits"), SOFT)]
    elif tried is not None and tried.right and not task.solved:
        key = "puzzle.right_last" if task.left == 1 else "puzzle.right"
        parts += ["\n", (panels.say(key, move=tried.move, reply=tried.reply, moves=task.left), TONES["good"])]
    elif tried is not None and not tried.right:
        words = score_words(tried.known, tried.after.rules, panels.language)
        parts += ["\n", (panels.say("puzzle.wrong", move=tried.move), f"bold {TONES['bad']}"), " ",
                  (panels.say(f"puzzle.wrong_{tried.known.result}", score=words, moves=task.left), TONES["bad"])]
        if len(tried.line) > 1:
            parts += ["\n", (panels.say("puzzle.refuted", line=" ".join(tried.line[1:9])), SOFT)]
    if task.line:
        parts += ["\n", (panels.say("puzzle.solution_is", line=" ".join(task.line)), INK)]
    parts += ["\n", (panels.say("terminal.puzzle_keys"), SOFT)]
    return Content.assemble(*parts)
