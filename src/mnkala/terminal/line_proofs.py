"""Proofs in plain lines: exact scores of every move, the opening book, what a puzzle asks and what the solver says of a move in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from mnkala.games import Position, Rules
from mnkala.play.opening import Opening
from mnkala.play.reason import Reason
from mnkala.play.score_words import score_words
from mnkala.play.verdicts import proved_verdicts
from mnkala.play.words import say
from mnkala.search import Analysis, RootMove
from mnkala.solve import Exact, MoveProof
from mnkala.terminal.proving import Task

SAID_BY_SCORE = ("hint.wins", "hint.wins_in", "why.loses_in")


def rows(rules: Rules, moves: Sequence[MoveProof], best: Sequence[int], language: str,
         reasons: Mapping[int, Sequence[Reason]]) -> Iterator[str]:
    """A line for each move, the best first; best moves have a star, lost ones the line that refutes them."""
    for known in sorted(moves, key=lambda known: (-(known.solution.lower + known.solution.upper), known.move)):
        value = "" if known.solution.score is None else str(known.solution)
        star = "*" if known.move in best else " "
        lost = known.solution.result == "loss"
        line = " ".join(rules.move_text(move) for move in known.line[lost:])
        label = "exact.refuted" if lost else "exact.best_line" if known.move in best else "exact.proved_line"
        after = f"   {say(label, language)} {line}" if len(known.line) > 1 else ""
        yield f"{star}{rules.move_text(known.move):>3}  {value:>3}  {score_words(known.solution, rules, language)}{after}"
        why = reasons_text(reasons.get(known.move, ()), language)
        if why:
            yield f"           {why}"


def reasons_text(reasons: Sequence[Reason], language: str) -> str:
    """Why a move is good or bad, without what its score says already."""
    return " ".join(reason.text(language) for reason in reasons if reason.key not in SAID_BY_SCORE)


def exact_lines(proof: Exact, language: str) -> Iterator[str]:
    """Everything that was proved of a position."""
    score = score_words(proof.solution, proof.position.rules, language)
    yield say("terminal.line_exact", language, mark=proof.position.to_move, score=score)
    yield from rows(proof.position.rules, proof.moves, proof.best, language, proved_verdicts(proof))
    yield say("exact.facts", language, nodes=f"{proof.nodes:,}", seconds=f"{proof.seconds:.1f}")


def estimate_lines(analysis: Analysis) -> Iterator[str]:
    """The scores of a search for a board that cannot be solved, the best first."""
    rules = analysis.position.rules

    def worth(move: RootMove) -> tuple[bool, int]:
        return move.move != analysis.best_move, -move.score.value

    for move in sorted(analysis.moves, key=worth)[:10]:
        yield f"{rules.move_text(move.move):>4}  {move.score}   {' '.join(rules.move_text(code) for code in move.line[:10])}"


def book_lines(opening: Opening, language: str) -> Iterator[str]:
    """What the book has of a position, or where it ends."""
    if opening.book is None:
        yield say("exact.book_none", language)
        return
    yield say("terminal.line_book", language, book=opening.book)
    whole = opening.solution
    words = "" if whole is None else score_words(whole, opening.position.rules, language)
    key = "exact.book_says" if opening.moves and whole else "exact.book_edge" if whole else "exact.book_ended"
    if key == "exact.book_ended" and opening.discs <= opening.plies:
        key = "exact.book_gap"
    if not (key == "exact.book_gap" and opening.moves):
        yield say(key, language, plies=opening.plies, discs=opening.discs, player=opening.position.to_move, score=words)
    yield from rows(opening.position.rules, opening.moves, opening.best, language, {})


def task_line(task: Task, position: Position, language: str) -> str:
    """What is to be done."""
    key = "puzzle.task_last" if task.left == 1 else "puzzle.task"
    asked = say(key, language, player=position.to_move, moves=task.left)
    return say("terminal.line_puzzle", language, number=task.number + 1, total=task.total, task=asked)


def verdict_lines(task: Task, language: str) -> Iterator[str]:
    """What the solver says of the move that was tried last."""
    tried = task.tried
    assert tried is not None
    if task.solved:
        yield say("puzzle.solved_helped" if task.helped else "puzzle.solved", language)
        yield say("terminal.line_puzzle_more", language)
    elif tried.right:
        yield say("puzzle.right_last" if task.left == 1 else "puzzle.right", language, move=tried.move, reply=tried.reply, moves=task.left)
    else:
        words = score_words(tried.known, tried.after.rules, language)
        yield f"{say('puzzle.wrong', language, move=tried.move)} {say(f'puzzle.wrong_{tried.known.result}', language, score=words)}"
        if len(tried.line) > 1:
            yield say("puzzle.refuted", language, line=" ".join(tried.line[1:9]))
