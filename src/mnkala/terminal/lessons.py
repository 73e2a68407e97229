"""Lessons in playing, in plain lines: the position is printed, the person types a move, and the
solver judges it."""

from __future__ import annotations

from collections.abc import Sequence

from mnkala.core import Position
from mnkala.errors import MnkalaError
from mnkala.explain.score_words import score_words
from mnkala.explain.words import error_words, named_moves, say
from mnkala.play.lessons import Course, Lesson, attempt, courses, help_with, text_in
from mnkala.play.puzzle_contract import Attempt
from mnkala.play.saved_games import open_store
from mnkala.play.store import THIS_COMPUTER, Learned
from mnkala.terminal.environment import only_ascii, print_wrapped

MOST_SHOWN = 6
"""The most moves of a refutation that are played to its end; of a longer one the reply is shown."""


def learned() -> set[str]:
    """The lessons that were gone through on this computer."""
    with open_store() as store:
        return store.learned(None)


def print_courses(language: str, wanted: Sequence[Course] | None = None) -> None:
    """List the lessons of these courses, or of all, with what was gone through."""
    done, sign = learned(), "*" if only_ascii() else "✓"
    for course in wanted or courses():
        count = sum(lesson.key in done for lesson in course.lessons)
        progress = say("lesson.progress", language, done=count, total=len(course.lessons))
        print(f"{course.game}: {progress}")
        for number, lesson in enumerate(course.lessons, start=1):
            mark = sign if lesson.key in done else " "
            print(f"{number:4} {mark} {text_in(lesson.title, language)}")


def first_open(course: Course) -> int:
    """The place of the first lesson that is still to be gone through."""
    done = learned()
    return next((at for at, each in enumerate(course.lessons) if each.key not in done), 0)


class LessonDialogue:
    """One lesson after another, until the person leaves or the course ends."""

    def __init__(self, course: Course, at: int, language: str, colour: bool) -> None:
        self.course, self.at = course, at
        self.language, self.colour = language, colour
        self.played: list[str] = []

    @property
    def lesson(self) -> Lesson:
        """The lesson that is open."""
        return self.course.lessons[self.at]

    def run(self) -> int:
        """Ask until the course is over; return an exit status."""
        self._begin()
        try:
            while self._ask():
                pass
        except (EOFError, KeyboardInterrupt) as reason:
            print()
            return 130 if isinstance(reason, KeyboardInterrupt) else 0
        return 0

    def _say(self, key: str, **values: object) -> str:
        return say(f"lesson.{key}", self.language, **values)

    def _begin(self) -> None:
        lesson, total = self.lesson, len(self.course.lessons)
        self.played = []
        print()
        title = text_in(lesson.title, self.language)
        print(f"{self._say('number', number=self.at + 1, total=total)}: {title}")
        print_wrapped(text_in(lesson.text, self.language))
        if marked := self._marked():
            print(self._say("marked", cells=", ".join(marked)))
        self._print(lesson.position)
        print_wrapped(text_in(lesson.task, self.language))
        print(self._say("typing"))

    def _marked(self) -> list[str]:
        """The cells that the text points at, as the board is read; houses speak for themselves."""
        lesson = self.lesson
        noun, rows = lesson.position.rules.move_noun, len(self._cells())
        if noun == "column":
            return [
                self._say("cell", column=column + 1, row=rows - row) for row, column in lesson.cells
            ]
        return lesson.show if noun == "cell" else []

    def _cells(self) -> tuple[tuple[int, ...], ...]:
        position = self.lesson.position
        return position.rules.picture(position.state()).cells

    def _print(self, position: Position) -> None:
        print(position.terminal() if self.colour else position)

    def _ask(self) -> bool:
        """Read a move or a command; answer whether to go on."""
        position = self.lesson.at(self.played)
        line = input(say("terminal.line_prompt", self.language, mark=position.to_move)).strip()
        try:
            match line.lower():
                case "":
                    pass
                case "q" | "quit" | "exit":
                    return False
                case "?" | "help":
                    print(self._say("typing"))
                case "a" | "again":
                    self._begin()
                case "n" | "next":
                    return self._next()
                case "h" | "hint":
                    self._hint()
                case _:
                    return self._try(position, line)
        except MnkalaError as error:
            print_wrapped(error_words(error, self.language))
        return True

    def _next(self) -> bool:
        if self.at + 1 == len(self.course.lessons):
            print_wrapped(self._say("course_done"))
            return False
        self.at += 1
        self._begin()
        return True

    def _hint(self) -> None:
        move, reasons = help_with(self.lesson, self.played)
        named = named_moves(self.lesson.position.rules, move)
        print_wrapped(
            say("play.hint_says", self.language, move=named),
            *(reason.text(self.language) for reason in reasons),
        )

    def _try(self, position: Position, move: str) -> bool:
        """Judge a move, and show what it leads to."""
        tried = attempt(self.lesson, self.played, move)
        if not tried.right:
            self._refuse(position, tried)
            return True
        before = len(position.history)
        self.played += tried.answered.history[before:]
        self._print(tried.answered)
        if not tried.solved:
            move, *replies = tried.answered.history[before:]
            rules = position.rules
            named = {"move": named_moves(rules, move), "reply": named_moves(rules, *replies)}
            again = "puzzle.right_again"
            print_wrapped(say("lesson.goes_on" if replies else again, self.language, **named))
            return True
        print_wrapped(self._say("right"), text_in(self.lesson.right, self.language))
        with open_store() as store:
            store.write([Learned(THIS_COMPUTER, True, self.lesson.key)])
        return self._next()

    def _refuse(self, position: Position, tried: Attempt) -> None:
        """Play the refutation on the board, and say what is wrong."""
        shown = tried.line if len(tried.line) <= MOST_SHOWN else (tried.move, *tried.refutation)
        self._print(position.play(",".join(shown)))
        score = score_words(tried.known, position.rules, self.language)
        for reason in tried.said:
            print_wrapped(say(reason.key, self.language, **{**reason.values, "score": score}))
        if tried.why:
            reply = named_moves(position.rules, tried.turns[1][0])
            why = (reason.text(self.language) for reason in tried.why)
            print_wrapped(" ".join((say("puzzle.why", self.language, reply=reply), *why)))
        print(self._say("try_again"))
        self._print(position)


def run_lessons(course: Course, at: int, language: str, colour: bool) -> int:
    """Go through the lessons of a course from one of them on."""
    return LessonDialogue(course, at, language, colour).run()
