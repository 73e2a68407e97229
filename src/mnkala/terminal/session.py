"""A game in the terminal, apart from what shows it: who moves, which position is looked at, which
puzzle is being solved. The full screen and plain lines are the two displays.

The game itself is a `Controller`, to which events are applied. Engines and the solver work in
the background; everything else runs in the display's thread, where their answers arrive.
"""

from __future__ import annotations

import contextlib
import dataclasses
import time
from pathlib import Path

from mnkala.core import Position
from mnkala.errors import MnkalaError
from mnkala.explain.inspection import hint_engine
from mnkala.explain.move_values import appraise
from mnkala.explain.words import say
from mnkala.play.controller import Controller, Step, accepts_draw, opponent_of, seconds_to_wait
from mnkala.play.events import (
    Answer,
    DrawAgreed,
    FlagFall,
    Helped,
    LostByFault,
    Move,
    Pace,
    Pause,
    Redo,
    Resignation,
    Undo,
)
from mnkala.play.game_state import USUAL_PACE, Event, GameState, Superseded
from mnkala.play.puzzle_contract import Attempt
from mnkala.play.puzzles import Hints, puzzles_of
from mnkala.play.saved_games import SavedGame, find_saved_game, open_saved_game, saved_game_of
from mnkala.play.store import ChangedElsewhere
from mnkala.play.view import View, Walk, make_view
from mnkala.programs.process import Forfeit
from mnkala.search import Analysis, Stop
from mnkala.terminal.position_info import Background, Display, Give, Refused, Study, Thoughts
from mnkala.terminal.puzzles import (
    Task,
    make_task,
    missed_task,
    read_choice,
)
from mnkala.terminal.saved_games import chosen_game, keep, noted_words, pasted_game

PACES = (0.0, 0.1, 0.3, USUAL_PACE, 1.0, 2.0, 4.0)
"""Seconds between the moves of two engines."""
ELSEWHERE_SECONDS = 1.0
"""How often to check whether the page has continued the game."""


class Untimed(Controller):
    """A game in progress whose clock stands still."""

    def become(self, state: GameState, now: float, event: Event | None = None) -> None:
        super().become(dataclasses.replace(state, clock=self.state.clock), now, event)

    def set_clock(self, now: float) -> None:
        """Leave the clock as it is."""


class Session:
    """One game or puzzle after another."""

    def __init__(
        self,
        display: Display,
        game: GameState,
        file: Path | None = None,
        task: Task | None = None,
        saved: SavedGame | None = None,
    ) -> None:
        self._display = display
        self._preparing, self._thinking, self._judging = (
            Background(display, group) for group in ("preparation", "engine", "puzzle")
        )
        self.thoughts = Thoughts(display, game.position)
        self._behind: SavedGame | None = None
        """The saved game to which a series of puzzles leads back."""
        pace = USUAL_PACE if display.is_live else 0.0
        self._set(dataclasses.replace(game, pace=pace, paused=False), file, task, saved)

    def _set(
        self,
        game: GameState,
        file: Path | None = None,
        task: Task | None = None,
        saved: SavedGame | None = None,
    ) -> None:
        """Put another game, or a puzzle, in the place of the current one."""
        self.controller = Controller(game) if self._display.is_live else Untimed(game)
        self.file, self.task = file, task
        self.saved = saved or saved_game_of(file)
        self._counts = task is None and not game.is_over
        """Whether the end of this game still has to be counted for the person's rating."""
        self._looked_elsewhere = time.monotonic()
        self.ply: int | None = None
        """The number of moves in the position that is looked at, or None for the game as it
        stands."""
        self.walk: Walk | None = None
        """The turn that is being watched step by step, on the board that is looked at."""
        self.thoughts.begin(self.position)

    def begin(
        self, game: GameState, task: Task | None = None, saved: SavedGame | None = None
    ) -> None:
        """Begin another game, which may be a saved one, or a puzzle; the game that is left is
        saved."""
        self.leave()
        self.close()
        self._set(
            dataclasses.replace(game, pace=self.game.pace, paused=False), task=task, saved=saved
        )
        self.start()

    def begin_puzzle(self, task: Task) -> None:
        """Begin a puzzle instead of a game."""
        self.begin(task.game(), task=task)

    def begin_new(self, chosen: str) -> None:
        """Begin a game that a menu offers."""
        self.begin(chosen_game(self.game, chosen))

    def open(self, text: str) -> None:
        """Continue with a saved game, or with one in any form."""
        row = find_saved_game(text)
        if row is not None:
            saved, game = open_saved_game(row)
            self.begin(game, saved=saved)
            return
        game, said = pasted_game(text, self.game, self._display.language)
        self.begin(game)
        if said:
            self._display.tell(" ".join(said))

    def leave(self) -> None:
        """Save an unfinished game that is being left. A puzzle can be had again."""
        if self.task is None and not self.game.is_over:
            message = keep(self.saved, self.game, self.file, self._display.language)
            if message:
                self._display.note(message)

    def start(self) -> None:
        """Compile what the engines need, then play."""
        controller, rules = self.controller, self.game.position.rules
        engines = [*self.game.engines(), *([hint_engine(rules)] if self._display.is_live else [])]

        def work(_: Stop, give: Give[None]) -> None:
            for engine in engines:
                engine.search.prepare(rules)
            give(None)

        def heard(_: None) -> None:
            controller.prepared(time.monotonic())
            self.thoughts.start()
            self.go_on()

        controller.preparing()
        self._preparing.ask(work, heard, self._fail)

    def close(self) -> None:
        """Stop all work; a game between two engines does not continue by itself."""
        self._apply(Pause(True))
        self.controller.stop_thinking()
        self.thoughts.close()
        for background in (self._preparing, self._thinking, self._judging):
            background.drop()

    def save(self, file: Path) -> None:
        """Write the record of the game to a file, which is offered again at the next save, and say
        so."""
        self.game.record().save(file)
        self.file = file
        self._display.tell(say("terminal.saved", self._display.language, file=file))

    # ---- What is looked at ----

    @property
    def game(self) -> GameState:
        """The game being played, or the last one."""
        return self.controller.state

    def _apply(self, event: Event) -> None:
        self.controller.apply(event, time.monotonic())

    @property
    def position(self) -> Position:
        """The position on the screen."""
        game = self.game.position
        return game if self.ply is None else game.back(len(game.history) - self.ply)

    @property
    def view(self) -> View:
        """The board on the screen."""
        return make_view(self.position) if self.walk is None else self.walk.here.view

    def look(self, ply: int | None) -> None:
        """Look at the position after the given number of moves; the game itself is not changed."""
        self.walk = None
        self.ply = None if ply is None or ply >= len(self.game.position.history) else max(0, ply)
        self.thoughts.look_at(self.position)

    @property
    def can_play(self) -> bool:
        """Whether a person may move on the board that is shown."""
        return (
            self.ply is None
            and self.walk is None
            and not self.game.is_over
            and self.game.to_move.is_human
        )

    def step_through(self, by: int) -> None:
        """Go through the best turn step by step, or begin to."""
        if self.walk is not None:
            self.walk = self.walk.moved(by)
            return
        if not self.position.rules.moves_again:
            raise Refused("terminal.no_turns")
        self.walk = Walk.of(self.position, self.thoughts.best_line())
        if self.walk is None:
            raise Refused("terminal.no_turn")

    # ---- Help ----

    def ask_hint(self) -> None:
        """Ask for a hint; in a puzzle for the next one, of which each says more."""
        if self.task is not None:
            self._hint(self.task)
            return
        self.thoughts.ask_hint()
        self._note_help()

    def study(self, name: str) -> None:
        """Start or stop the analysis, the threats or the book."""
        self.thoughts.toggle(Study(name))
        self._note_help_of_study()

    def _note_help_of_study(self) -> None:
        if self.thoughts.study is not None:
            self._note_help()

    def _note_help(self) -> None:
        if self.game.unaided and not self.game.is_over:
            self._apply(Helped())
            self.go_on()

    # ---- Moving ----

    def play(self, text: str) -> None:
        """Play a person's move in the game, or try it in the open puzzle. Raise Refused if it
        cannot be played now.
        """
        if self.ply is not None:
            raise Refused("terminal.looking_back")
        if self.game.is_over:
            raise Refused("play.analysis_over")
        if not self.game.to_move.is_human:
            raise Refused("terminal.not_your_turn")
        self.walk = None
        if self.task is not None:
            self._try(self.task, text)
        else:
            self._apply(Move(text))
            self.go_on()

    def undo(self) -> None:
        """Take back to the last turn of a person or, in a puzzle, to its start."""
        if self.task is None:
            self._go_to(Undo(), "took_back")
        else:
            self.begin_puzzle(self.task.again())

    def redo(self) -> None:
        """Play again what was taken back."""
        self._go_to(Redo(), "played_again")

    def _go_to(self, event: Event, key: str) -> None:
        before = len(self.game.position.history_codes)
        self._apply(event)
        self.ply = None
        self.go_on()
        count = abs(len(self.game.position.history_codes) - before)
        key = f"terminal.{key}_one" if count == 1 else f"terminal.{key}"
        self._display.tell(say(key, self._display.language, count=count))

    def resign(self) -> None:
        """Let the person resign, even while an engine is thinking."""
        first, second = self.game.players
        if self.game.between_engines:
            raise Refused("terminal.nobody_resigns")
        if self.game.is_over:
            raise Refused("play.analysis_over")
        self._apply(Resignation((first.is_human, second.is_human)))
        self.go_on()

    def offer_draw(self) -> None:
        """End the game as a draw, if the other side agrees: two people at one keyboard do, an
        engine says what it thinks."""
        game = self.game
        if self.task is not None or game.is_over:
            raise Refused("play.analysis_over")
        if not game.to_move.is_human:
            raise Refused("terminal.not_your_turn")
        engine = opponent_of(game)

        def heard(agrees: bool) -> None:
            if agrees:
                self._apply(DrawAgreed())
                self.go_on()
            else:
                self._display.tell(say("terminal.draw_declined", self._display.language))

        def work(stop: Stop, give: Give[bool]) -> None:
            give(engine is None or accepts_draw(engine, game.position, stop))

        self._judging.ask(work, heard)

    def toggle_evaluation(self) -> None:
        """Show or hide the evaluation bar."""
        self.thoughts.toggle_evaluation()

    def toggle_pause(self) -> None:
        """Pause or resume a game between engines, or ask an engine again that failed."""
        if self.game.between_engines or self.controller.trouble:
            self._apply(Pause(not (self.game.paused or self.controller.trouble)))
            self.go_on()

    def step(self) -> None:
        """Let an engine make one move, then pause."""
        if self.game.between_engines or self.controller.trouble:
            self.ply = None
            self._apply(Pause(True, steps=1))
            self.go_on()

    def change_pace(self, slower: bool) -> None:
        """Change the time between the moves of two engines."""
        if self.game.between_engines:
            at = PACES.index(self.game.pace)
            self._apply(Pace(PACES[max(0, min(len(PACES) - 1, at + (1 if slower else -1)))]))
            self.go_on()

    # ---- What happens by itself ----

    def go_on(self) -> None:
        """Continue after any change: save the game, let engines move, and work on the position
        on the screen."""
        self._keep()
        self._note_help_of_study()
        if self._counts and self.game.is_over:
            self._counts = False
            for text in noted_words(self.game, self._display.language):
                self._display.tell(text)
        if self.walk is not None and self.walk.position != self.position:
            self.walk = None
        now = time.monotonic()
        match self.controller.next_step(now):
            case Step.PREPARE:
                self.start()
            case Step.THINK:
                self._think(now)
            case Step.WAIT:
                self._display.set_timer(seconds_to_wait(self.game, now), self.go_on)
        self.thoughts.look_at(self.position)
        self._display.changed()

    def _keep(self) -> None:
        """Save any changes. A failure is reported, and the next change tries again; if another
        program changed the game, its version is taken over."""
        if self.task is None:
            try:
                self.saved.save(self.game)
            except ChangedElsewhere:
                self._take_over()
            except MnkalaError as error:
                self._display.tell(error)

    def _take_over(self) -> None:
        """Take over the game if the page has continued it."""
        with contextlib.suppress(MnkalaError):
            found = self.saved.changed_elsewhere()
            if found is not None:
                self.ply, game = None, self.game
                self.controller.become(
                    dataclasses.replace(
                        found, pace=game.pace, paused=game.paused, steps=game.steps
                    ),
                    time.monotonic(),
                )
                self.go_on()
                self._display.tell(say("saved.changed_elsewhere", self._display.language))

    def _think(self, now: float) -> None:
        """Let the engine whose turn it is think in the background, and play what it finds."""
        controller = self.controller
        ticket = controller.think(now)
        limit = dataclasses.replace(ticket.engine.limit, time=ticket.seconds)

        def work(stop: Stop, give: Give[Analysis | Forfeit]) -> None:
            try:
                *_, last = ticket.engine.stream(ticket.position, limit, stop=stop)
            except Forfeit as fault:
                give(fault)
            else:
                give(last)

        def heard(found: Analysis | Forfeit) -> None:
            try:
                self._apply(
                    controller.wanted(
                        ticket,
                        LostByFault(str(found)) if isinstance(found, Forfeit) else Answer(found),
                    )
                )
            except Superseded:
                return
            except MnkalaError as error:
                self._fail(error)
                return
            if not isinstance(found, Forfeit) and (whole := appraise(found).score) is not None:
                self.thoughts.opinions[self.game.position] = whole.after()
            self.go_on()

        self._thinking.ask(work, heard, self._fail, ticket.stop)

    def _fail(self, trouble: MnkalaError) -> None:
        self.controller.failed(trouble, time.monotonic())
        self._display.tell(trouble)

    def tick(self) -> None:
        """Update the clock and what the study has found."""
        now = time.monotonic()
        if self.task is None and now > self._looked_elsewhere + ELSEWHERE_SECONDS:
            self._looked_elsewhere = now
            self._take_over()
        left = self.controller.seconds_left(now)
        if left == 0:
            self.controller.apply(FlagFall(), now)
            self.go_on()
        elif self.thoughts.is_studying or left is not None:
            self._display.changed()

    # ---- Puzzles ----

    @property
    def is_judging(self) -> bool:
        """Whether the solver is judging a move that was tried."""
        return self._judging.is_running

    def find_puzzle(self, text: str) -> None:
        """Find a puzzle with a goal, by default that of the last one, to replace the game; for
        some boards it has to be made first. Puzzles with one goal come one after the other."""
        rules, last = self.game.position.rules, self.task
        if not text and last is not None and last.chosen != "daily":
            if last.chosen == "series" and not last.rest:
                raise Refused("terminal.series_over")
            self._judging.ask(lambda _, give: give(last.after_this()), self.begin_puzzle)
            return
        family = puzzles_of(rules)
        goal = read_choice(family, text) if text else family.offered[0]
        number = None if last is None or goal != last.puzzle.goal else last.number + 1
        self._judging.ask(lambda _, give: give(make_task(rules, goal, number)), self.begin_puzzle)

    def find_missed(self) -> None:
        """Review the finished game, and make a task of what the person missed in it."""
        game, saved = self.game, self.saved
        if self.task is not None or not game.is_over or not game.position.history_codes:
            raise Refused("terminal.nothing_to_review")

        def heard(task: Task | None) -> None:
            if task is None:
                self._display.tell(say("review.find_nothing", self._display.language))
            else:
                self.begin_puzzle(task)
                self._behind = saved

        self._judging.ask(lambda stop, give: give(missed_task(game, stop)), heard)

    def go_back(self) -> None:
        """Return to the game whose missed move was a task."""
        if self.task is None or self.task.back is None:
            raise Refused("terminal.no_game_back")
        self.begin(self.task.back, saved=self._behind)

    def _try(self, task: Task, move: str) -> None:
        """Let the solver judge a move in the puzzle. A right move is played together with its
        answer, a wrong one is not."""
        position = self.game.position
        if task.solved:
            raise Refused("terminal.no_puzzle")
        position.play(move)  # refused at once if it is not legal
        if self.is_judging:
            return

        def heard(tried: Attempt) -> None:
            self.task = task.after(tried)
            for text in (tried.move, tried.reply) if tried.right else ():
                if text is not None:
                    self._apply(Move(text))
            self.go_on()

        self._judging.ask(lambda stop, give: give(task.judge(position, move, stop)), heard)

    def show_solution(self) -> None:
        """Show the solution of the puzzle from here."""
        task, position = self.task, self.position
        if task is None or task.solved:
            raise Refused("terminal.no_puzzle")
        if self.is_judging:
            return

        def heard(line: tuple[str, ...]) -> None:
            self.task = dataclasses.replace(task, line=line, helped=True)

        self._judging.ask(lambda stop, give: give(task.solve(position, stop)), heard)

    def _hint(self, task: Task) -> None:
        """Show the next hint in the puzzle."""
        position = self.game.position
        if task.solved:
            raise Refused("terminal.no_puzzle")
        if self.is_judging:
            return

        def heard(found: Hints) -> None:
            self.task = task.hinted(found)

        self._judging.ask(lambda stop, give: give(task.help(position, stop)), heard)
