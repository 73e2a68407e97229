"""The review of a game on the full screen: what is reviewed, and the list of moves with their
grades, beside the board that shows each of them.
"""

from __future__ import annotations

from collections.abc import Iterator

from mnkala.explain.words import GRADE_MARKS, say
from mnkala.numbers import written
from mnkala.play.reviews import Review, review, reviewer
from mnkala.search import Stop
from mnkala.terminal.position_info import Background, Display, Give, Refused
from mnkala.terminal.session import Session


class Reviewing:
    """Reviews the game of a session in the background; `heard` is given what is known so far."""

    def __init__(self, display: Display, heard: Give[Review]) -> None:
        self._background = Background(display, "review")
        self._heard = heard
        self._last: Review | None = None

    def ask(self, session: Session) -> None:
        """Review the game, or show the review of it that was made before."""
        position = session.game.position
        if session.task is not None or not position.history:
            raise Refused("review.no_moves")
        if not session.game.is_over:
            raise Refused("terminal.review_later")
        if self._last is not None and self._last.position == position:
            self._heard(self._last)
            return
        judge = reviewer(position.rules)

        def work(stop: Stop, give: Give[Review]) -> None:
            judge.search.prepare(position.rules)
            for found in review(position, engine=judge, stop=stop):
                give(found)

        self._background.ask(work, self._hear)

    def _hear(self, found: Review) -> None:
        self._last = found if found.final else None
        self._heard(found)

    def drop(self) -> None:
        """Stop the review, because nobody waits for it any more."""
        self._background.drop()


def heading(found: Review, language: str) -> str:
    """Say in a line how well both sides played."""
    players = [
        f"{player} {written(share, 0, language)} %"
        for player, share in zip(found.position.rules.players, found.accuracy, strict=True)
        if share is not None
    ]
    return f"{say('review.title', language)}: {', '.join(players)}"


def rows(found: Review, language: str) -> Iterator[tuple[str, str]]:
    """All moves, or turns where margins count: the ply after which the board shows it, and the move
    with its grade, what was better and whether it decided the game."""
    entries = (
        [(turn.number, turn.first, turn.last, " ".join(turn.moves), turn) for turn in found.turns]
        if found.turns
        else [(move.ply, move.ply, move.ply, move.move, move) for move in found.moves]
    )
    for number, first, last, text, graded in entries:
        grade = graded.grade or "best"
        words = (
            f"{number}. {found.position.rules.players[graded.player]} {text}{GRADE_MARKS[grade]}"
        )
        best = graded.best if isinstance(graded.best, str) else " ".join(graded.best)
        if GRADE_MARKS[grade]:
            better = say("review.better", language, move=best)
            words += f"  {say(f'review.grade_{grade}', language)}. {better}"
        if first <= (found.turning_point or 0) <= last:
            words += f" ({say('review.turning_point', language)})"
        yield str(last), words
