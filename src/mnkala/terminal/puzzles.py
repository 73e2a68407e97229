"""A puzzle in the terminal: what is to be found, hints in steps, and what the solver says about
the last try, beside the board and in plain lines. What a person missed in a game is such a task
too, judged by a review."""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import random
from collections.abc import Iterator
from typing import TYPE_CHECKING

from mnkala.core import Position, Rules, parse_game
from mnkala.errors import MnkalaError
from mnkala.explain.score_words import score_words
from mnkala.explain.words import named_moves, say
from mnkala.play import HUMAN, Player
from mnkala.play.game_state import GameState
from mnkala.play.mistakes import (
    MistakeReport,
    OwnMove,
    missed,
    own_move,
    review_all,
    unreviewed,
)
from mnkala.play.own_rating import ENOUGH_GAMES
from mnkala.play.puzzle_contract import Attempt, Goal, Puzzle, PuzzleFamily
from mnkala.play.puzzle_progress import (
    Numbered,
    Progress,
    Solver,
    daily,
    entries,
    is_known,
    mixed,
    progress,
    shipped,
    similar,
)
from mnkala.play.puzzles import (
    Hints,
    NoPuzzles,
    attempt,
    find_puzzles,
    hints,
    puzzle_set,
    solution,
)
from mnkala.play.reviews import review
from mnkala.play.saved_games import open_store
from mnkala.search import Stop
from mnkala.terminal.drawing import INK, SOFT, TONES
from mnkala.terminal.environment import print_wrapped, show_progress

if TYPE_CHECKING:
    from mnkala.terminal.panels import Panels, Part

CHOICES = ("daily", "mixed")
"""Puzzles that are chosen otherwise than by a goal."""
ALIKE = 3
"""The puzzles that follow a missed move."""
MOST_BARS = 24
"""The latest games whose mistakes are listed."""
NEITHER_SIDE = (Player(HUMAN), Player(HUMAN))
"""The players of a puzzle. The solver moves for the other side when it judges a move."""


@dataclasses.dataclass(frozen=True)
class Task:
    """A puzzle being solved."""

    puzzle: Puzzle
    number: int
    """Its number in the set of its goal, from 0."""
    total: int
    left: Goal
    """The goal that is left; empty once the puzzle is solved."""
    tried: Attempt | None = None
    """The last move that was tried."""
    helped: bool = False
    line: tuple[str, ...] = ()
    """The solution from here, if it was asked for."""
    chosen: str = ""
    """How the puzzle was chosen: `daily`, `mixed` or `series`; empty for one of a goal."""
    rest: tuple[Numbered, ...] = ()
    """The puzzles that follow in a series."""
    back: GameState | None = None
    """The game to return to after a series."""
    hints: Hints | None = None
    shown: int = 0
    """The number of hints that were shown."""
    reached: Progress | None = None
    """What the person has reached, once the puzzle is solved."""

    @property
    def solved(self) -> bool:
        """Whether the puzzle is solved."""
        return not self.left

    def game(self) -> GameState:
        """The puzzle's position as a game, on which moves are played."""
        return GameState(self.puzzle.position, NEITHER_SIDE)

    def after(self, tried: Attempt) -> Task:
        """The task after a move was judged."""
        left = tried.left if tried.right else self.left
        task = dataclasses.replace(
            self,
            tried=tried,
            left=left,
            helped=self.helped or not tried.right,
            line=(),
            hints=None,
            shown=0,
        )
        return task._kept() if task.solved or not tried.right else task

    def again(self) -> Task:
        """The task from its beginning."""
        return dataclasses.replace(
            self, left=self.puzzle.goal, tried=None, line=(), hints=None, shown=0
        )

    def hinted(self, hints: Hints) -> Task:
        """The task with the next hint shown."""
        first = min(3, self.shown + 1) if hints.area or self.shown else 2
        task = dataclasses.replace(self, hints=hints, shown=first, helped=True, line=())
        return task if self.helped else task._kept()

    def _kept(self) -> Task:
        """The task after its result was kept with the games; what cannot be kept is not counted."""
        if isinstance(self.puzzle, OwnMove) or not is_known(self.puzzle):
            return self
        today, who = datetime.date.today(), Solver()
        result = entries(self.puzzle, who, solved=self.solved, helped=self.helped, today=today)
        with contextlib.suppress(MnkalaError), open_store() as store:
            store.write(result)
            if self.solved:
                reached = progress(store, who, today, self.puzzle.game)
                return dataclasses.replace(self, reached=reached)
        return self

    def judge(self, position: Position, move: str, stop: Stop | None = None) -> Attempt:
        """The judgement of a move that is tried."""
        if isinstance(self.puzzle, OwnMove):
            return self.puzzle.judge(move, stop)
        return attempt(position, self.left, move, stop=stop)

    def solve(self, position: Position, stop: Stop | None = None) -> tuple[str, ...]:
        """The solution from a position of the task."""
        if isinstance(self.puzzle, OwnMove):
            return self.puzzle.solution
        return solution(position, self.left, stop=stop)

    def help(self, position: Position, stop: Stop | None = None) -> Hints:
        """Hints from a position of the task."""
        if self.hints is not None:
            return self.hints
        if isinstance(self.puzzle, OwnMove):
            return self.puzzle.hints
        return hints(position, self.left, stop=stop)

    def after_this(self) -> Task:
        """The next task: of the same goal, of the mixed ones, or of the series."""
        if self.chosen == "series":
            first, *rest = self.rest
            return dataclasses.replace(_task(first, "series"), rest=tuple(rest), back=self.back)
        rules = self.puzzle.position.rules
        if self.chosen == "mixed":
            return make_task(rules, "mixed")
        return make_task(rules, self.puzzle.goal, self.number + 1)

    def words(self, language: str) -> str:
        """The task in words."""
        return self.puzzle.task(self.left).text(language)

    def verdict(self, language: str) -> Iterator[tuple[str, str]]:
        """What the solver says about the last try, as sentences with their tone."""
        tried = self.tried
        if self.solved:
            yield say("puzzle.solved_helped" if self.helped else "puzzle.solved", language), "good"
            if self.reached is not None:
                yield reached_words(self.reached, language), "even"
        elif self.shown and self.hints is not None:
            for text in self.hint_words(self.hints, self.shown, language):
                yield text, "even"
        elif tried is not None and not tried.right:
            yield from self._refused(tried, language)
        elif tried is not None:
            rules = tried.after.rules
            key = (
                "puzzle.right_again"
                if tried.reply is None
                else "puzzle.right_last"
                if self.left == 1
                else "puzzle.right"
            )
            reply = "" if tried.reply is None else named_moves(rules, tried.reply)
            yield (
                say(
                    key, language, move=named_moves(rules, tried.move), reply=reply, moves=self.left
                ),
                "good",
            )

    def _refused(self, tried: Attempt, language: str) -> Iterator[tuple[str, str]]:
        """Explain what is wrong with a move."""
        score = score_words(tried.known, tried.after.rules, language)
        for number, reason in enumerate(tried.said):
            yield (
                say(reason.key, language, **{**reason.values, "score": score}),
                "even" if number else "bad",
            )
        for number, reason in enumerate(tried.why):
            reply = named_moves(tried.after.rules, tried.turns[1][0])
            if not number:
                yield say("puzzle.why", language, reply=reply), "even"
            yield reason.text(language), "even"

    def hint_words(self, hints: Hints, step: int, language: str) -> Iterator[str]:
        """A hint in words: where to look, the idea, or the move and its reasons."""
        rules = self.puzzle.position.rules
        if step == 1:
            yield say("puzzle.look_at", language, moves=named_moves(rules, *hints.near))
        elif step == 2:
            yield hints.idea.text(language)
        else:
            yield say("play.hint_says", language, move=named_moves(rules, hints.line[0]))
            yield from (reason.text(language) for reason in hints.reasons)


def goal_words(family: PuzzleFamily, goal: Goal, language: str) -> str:
    """The goal of some puzzles in words, for a list to choose from."""
    return (
        say("terminal.puzzle_length", language, moves=goal)
        if isinstance(goal, int)
        else say(f"{family.texts}.{goal}.name", language)
    )


def solution_words(goal: Goal, line: tuple[str, ...], language: str) -> str:
    """A solution in words: to the end of the game, or the sowings of one turn."""
    return say(
        "puzzle.solution_is", language, line=(" " if isinstance(goal, int) else ", ").join(line)
    )


def make_task(rules: Rules, goal: Goal, number: int | None = None) -> Task:
    """A puzzle with a goal, by its number or any; the one of today for the goal `daily`, or one near
    the person's rating for `mixed`."""
    if goal == "daily":
        return _task(daily(rules.game_string(), datetime.date.today()), goal)
    if goal == "mixed":
        with open_store() as store:
            reached = progress(store, Solver(), datetime.date.today())
        found = mixed(shipped(rules.game_string()), reached, 1, random.Random())
        if not found:
            raise NoPuzzles(f"no puzzles for {rules.game_string()} come with the package")
        return _task(found[0], goal)
    found_set = puzzle_set(rules, goal)
    chosen = random.randrange(len(found_set)) if number is None else number % len(found_set)
    return Task(found_set[chosen], chosen, len(found_set), goal)


def _task(each: Numbered, chosen: str) -> Task:
    return Task(each.puzzle, each.number, each.total, each.puzzle.goal, chosen=chosen)


def read_choice(family: PuzzleFamily, text: str) -> Goal:
    """Read a goal as it is typed; `daily` and `mixed` are kept as they are."""
    return text if text in CHOICES else family.read_goal(text)


def missed_task(game: GameState, stop: Stop) -> Task | None:
    """What a person missed in a finished game, as a task that three puzzles like it follow; None if
    there is nothing to find."""
    *_, found = review(game.position, stop=stop)
    seats = [seat for seat in (0, 1) if game.players[seat].is_human]
    mistake = missed(found, seats[0] if len(seats) == 1 else None) if found.final else None
    if mistake is None:
        return None
    puzzle = own_move(found, mistake)
    rest: list[Numbered] = []
    if find_puzzles(game.position.rules) is not None:
        with open_store() as store:
            reached = progress(store, Solver(), datetime.date.today())
        rest = similar(game.position.game, mistake.kind, reached, ALIKE, random.Random())
    return Task(puzzle, 0, 1, puzzle.goal, chosen="series", rest=tuple(rest), back=game)


def reached_words(reached: Progress, language: str) -> str:
    """The person's rating and streak in words."""
    found = reached.rating
    rating = (
        say("puzzle.rating_none", language, count=max(1, ENOUGH_GAMES - reached.tried))
        if found is None
        else say(
            "puzzle.rating",
            language,
            rating=round(found.rating),
            low=round(found.low),
            high=round(found.high),
        )
    )
    streak = say("puzzle.streak", language, days=reached.streak) if reached.streak else ""
    return " · ".join(filter(None, (rating, streak)))


def mistakes_text(report: MistakeReport, language: str) -> Iterator[str]:
    """The mistakes in saved games as lines of text."""

    def told(key: str, **values: object) -> str:
        return say(f"mistake.{key}", language, **values)

    if not report.total:
        yield told("none_yet")
    elif report.open:
        yield told("open", open=report.open, total=report.total)
    for game in report.games:
        yield ""
        yield f"{game.game}: {told('reviewed', games=game.reviewed)}"
        family = find_puzzles(parse_game(game.game))
        for kind in game.kinds:
            count = told("count", count=kind.count, games=kind.games)
            parts = [count, told(f"change_{kind.change}")]
            if kind.proved < kind.count:
                parts.append(told("by_search"))
            yield f"  {say(kind.kind, language)}: {', '.join(parts)}"
            bars = " ".join(map(str, kind.by_game[-MOST_BARS:]))
            yield f"    {told('bars', counts=bars)}"
            last = kind.places[0]
            yield f"    {told('last', command=f'mnkala review {last.id}', number=last.mistake.first)}"
            if family is not None:
                goals = family.trains.get(kind.kind, family.offered)
                yield f"    {told('train_with', command=f'mnkala play {family.game} --puzzle {goals[0]}')}"
        if not game.kinds:
            yield f"  {told('none')}"


def tell_mistakes(language: str) -> None:
    """Review the saved games that are not reviewed yet, and print the mistakes in all of them.
    Ctrl-C stops the reviewing; games that are done stay reviewed."""
    with open_store() as store:
        rows, _ = unreviewed(store, None)
        stop = Stop()
        try:
            for done, _row in enumerate(review_all(store, rows, stop), start=1):
                show_progress(say("mistake.progress", language, done=done, total=len(rows)))
        except KeyboardInterrupt:
            stop.set()
        finally:
            show_progress("")
        _, report = unreviewed(store, None)
    print_wrapped(*mistakes_text(report, language))


def puzzle_panel(panels: Panels, task: Task) -> list[Part]:
    """The task, what was tried, and which keys help."""
    stars = ("*" if panels.ascii_only else "★") * task.puzzle.grade.stars
    which = panels.say("puzzle.number", number=task.number + 1, total=task.total)
    about = "" if isinstance(task.puzzle, OwnMove) else f"  {which} {stars}"
    parts: list[Part] = [panels.title("puzzle.title"), (about, SOFT)]
    if not task.solved:
        parts += ["\n", (task.words(panels.language), f"bold {INK}")]
    if panels.session.is_judging:
        parts += ["\n", (panels.say("exact.waits"), SOFT)]
    else:
        for text, tone in task.verdict(panels.language):
            parts += [
                "\n",
                (
                    text,
                    SOFT
                    if tone == "even"
                    else f"bold {TONES[tone]}"
                    if task.solved
                    else TONES[tone],
                ),
            ]
    if task.line:
        parts += ["\n", (solution_words(task.puzzle.goal, task.line, panels.language), INK)]
    return [*parts, "\n", (panels.say("terminal.puzzle_keys"), SOFT)]
