"""A game in plain lines: the board is printed, the person types a move or a command, and the
engine answers."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from mnkala.core.position import line_text, written_line
from mnkala.errors import MnkalaError
from mnkala.explain.chances import read
from mnkala.explain.contract import explanations_of
from mnkala.explain.inspection import advice, hint_of, inspect
from mnkala.explain.score_words import score_words
from mnkala.explain.turn_words import best_turn_words
from mnkala.explain.words import LANGUAGES, error_words, named_moves, say
from mnkala.numbers import written
from mnkala.play import Player
from mnkala.play.controller import accepts_draw, opponent_of
from mnkala.play.events import (
    Answer,
    DrawAgreed,
    Helped,
    LostByFault,
    Move,
    Redo,
    Resignation,
    Undo,
)
from mnkala.play.fair_starts import any_fair_start
from mnkala.play.game_state import Event, GameState
from mnkala.play.opening_explorer import explore_opening
from mnkala.play.opening_rule import Decision
from mnkala.play.puzzle_contract import Goal
from mnkala.play.puzzles import attempt, puzzles_of, solution
from mnkala.play.saved_games import SavedGame, find_saved_game, open_saved_game, saved_game_of
from mnkala.play.view import make_view
from mnkala.programs.process import Forfeit
from mnkala.search import Analysis, Limit, Stop
from mnkala.solve.oracle import out_of_reach
from mnkala.terminal.commands import command_of, help_rows
from mnkala.terminal.environment import print_wrapped
from mnkala.terminal.help_text import legend_text, rules_text
from mnkala.terminal.position_info import Refused
from mnkala.terminal.proofs import book_text, exact_text
from mnkala.terminal.puzzles import Task, make_task, solution_words
from mnkala.terminal.saved_games import (
    ending,
    file_for,
    keep,
    listed,
    noted_words,
    pasted_game,
    player_name,
    save,
    spent_words,
)
from mnkala.terminal.turn_animation import Walk, walk_text

PROOF_LIMIT, ESTIMATE_LIMIT = Limit(time=30), Limit(time=2)
"""How long `analyse` works at most; for what is still open then, the bounds are shown."""


class _Quit(Exception):
    """The person wants to leave."""


class PlainGame:
    """The dialogue about one game."""

    def __init__(
        self,
        game: GameState,
        file: Path | None,
        colour: bool,
        language: str,
        saved: SavedGame | None = None,
    ) -> None:
        self.game = game
        self.file = file
        self.saved = saved or saved_game_of(file)
        self.not_saved = ""
        """The reason why the game could not be saved, as last shown."""
        self.colour = colour
        self.language = language
        self.task: Task | None = None
        """The puzzle being solved instead of a game."""

    def run(self) -> int:
        """Play until the end and return the exit status."""
        position = self.game.position
        marks = position.rules.players
        first, second = (player_name(self.game, side, self.language) for side in (0, 1))
        print(
            self._say(
                "line_players",
                game=position.game,
                first_mark=marks[0],
                first=first,
                second_mark=marks[1],
                second=second,
            )
        )
        if any(player.is_human for player in self.game.players):
            print(self._say("line_start"))
        try:
            self._play()
        except (_Quit, EOFError, KeyboardInterrupt) as reason:
            if not isinstance(reason, _Quit):
                print()
            return self._keep(130 if isinstance(reason, KeyboardInterrupt) else 0)
        print(
            ending(self.game, self.language),
            *spent_words(self.game, self.language),
            *noted_words(self.game, self.language),
            sep="\n",
        )
        print(self.game.record().without_tags())
        if self.file:
            self._save(self.file)
        return 0

    def _say(self, key: str, **values: object) -> str:
        return say(f"terminal.{key}", self.language, **values)

    def _play(self) -> None:
        self._show()
        self._show_task()
        while not self.game.is_over or self.task is not None:
            self._save_quietly()
            if self.game.is_over or self.game.to_move.is_human:
                self._ask()
            else:
                self._let_think()
        self._save_quietly()

    def _let_think(self) -> None:
        """Let the engine make its move, or its choice in an opening."""
        game = self.game
        mark, name, players = (
            game.position.to_move,
            player_name(game, game.mover, self.language),
            game.players,
        )
        try:
            analysis = game.thinker.analyse(game.position)
        except Forfeit as fault:  # The game is over, and its end gives the reason.
            self._apply(LostByFault(str(fault)))
            return
        self._apply(Answer(analysis))
        if isinstance(analysis, Decision):
            print()
            print_wrapped(analysis.words(name, self.language))
            self._tell_sides(players)
        else:
            move = named_moves(game.position.rules, analysis.best_move)
            print()
            print_wrapped(
                f"{self._say('line_plays', mark=mark, move=move)}  {self._details(analysis)}"
            )
        self._show()

    def _tell_sides(self, before: tuple[Player, Player]) -> None:
        """Print the players by side, if they have changed sides."""
        if self.game.players is not before:
            for side, mark in enumerate(self.game.position.rules.players):
                print(
                    say(
                        "play.has_side",
                        self.language,
                        player=player_name(self.game, side, self.language),
                        mark=mark,
                    )
                )

    def _apply(self, event: Event) -> None:
        """Apply an event to the game. Plain lines have no clock: that of a game begun with one
        is stopped."""
        self.game = dataclasses.replace(self.game.apply(event), clock=self.game.clock)

    def _save_quietly(self) -> None:
        """Save any changes; if that is impossible, say why, once."""
        if self.task is None:
            try:
                self.saved.save(self.game)
            except MnkalaError as error:
                if str(error) != self.not_saved:
                    print(error_words(error, self.language))
                self.not_saved = str(error)

    def _show(self) -> None:
        position = self.game.position
        print(position.terminal() if self.colour else position)

    def _show_task(self) -> None:
        if self.task is not None:
            asked = self.task.words(self.language)
            print(
                self._say(
                    "line_puzzle", number=self.task.number + 1, total=self.task.total, task=asked
                )
            )

    def _ask(self) -> None:
        """Read one line from the person: a command or a move."""
        opening, players = self.game.opening, self.game.players
        if opening is not None:
            print(
                opening.words(
                    self.game.position,
                    player_name(self.game, self.game.mover, self.language),
                    self.language,
                )
            )
            if opening.choices:
                print(say(f"{opening.name}.type_{opening.stage}", self.language))
        line = input(self._say("line_prompt", mark=self.game.position.to_move)).strip()
        word, _, rest = line.partition(" ")
        if not word:
            return
        command = None if line in self.game.position.legal_moves else command_of(word, "lines")
        try:
            if command is not None:
                if command.is_help:
                    self._apply(Helped())
                getattr(self, f"do_{command.word}")(rest.strip())
            elif self.task is not None:
                self._try(line)
            else:
                self._apply(Move(line))
                self._tell_sides(players)
                self._show()
        except MnkalaError as error:
            print(error_words(error, self.language))
        except Refused as refusal:
            print(say(refusal.key, self.language))

    def do_help(self, _: str) -> None:
        """Print the commands."""
        rows = list(help_rows(self.language, "lines"))
        width = max(len(typed) for typed, _ in rows)
        print(
            self._say("help_intro"),
            *(f"  {typed.ljust(width)}  {text}" for typed, text in rows),
            sep="\n",
        )

    def do_rules(self, _: str) -> None:
        """Print the rules of the game."""
        print(rules_text(self.game.position.rules, self.language, self.colour))

    def do_numbers(self, _: str) -> None:
        """Explain how to read the numbers."""
        print(legend_text(make_view(self.game.position), self.language))

    def do_draw(self, _: str) -> None:
        """End the game as a draw, if the other side agrees: two people at one keyboard do, an
        engine says what it thinks."""
        engine = opponent_of(self.game)
        if engine is not None and not accepts_draw(engine, self.game.position, Stop()):
            raise Refused("terminal.draw_declined")
        self._apply(DrawAgreed())

    def do_resign(self, _: str) -> None:
        """Resign the game."""
        self._apply(Resignation())

    def do_language(self, code: str) -> None:
        """Change to the named language, or to the next."""
        codes = list(LANGUAGES)
        self.language = (
            code if code in codes else codes[(codes.index(self.language) + 1) % len(codes)]
        )
        self.do_help("")

    def do_hint(self, _: str) -> None:
        """Print a hint with its reasons."""
        analysis = advice(self.game.position)
        print_wrapped(
            f"{self._say('line_hint', move=analysis.best_move)}  {self._details(analysis)}"
        )
        if turn := best_turn_words(analysis.position, analysis.line_codes, self.language):
            print_wrapped(f"  {turn}")
        for reason in hint_of(analysis).reasons:
            print_wrapped(f"  {reason.text(self.language)}")

    def do_turn(self, _: str) -> None:
        """Print the best turn, seed by seed."""
        position = self.game.position
        if not position.rules.moves_again:
            raise Refused("terminal.no_turns")
        analysis = advice(position)
        print(best_turn_words(position, analysis.line_codes, self.language))
        walk = Walk.of(position, analysis.line_codes)
        for line in walk_text(walk, self.language) if walk else ():
            print_wrapped(line)

    # ---- Proofs ----

    def do_analyse(self, _: str) -> None:
        """Print what is known about every move: exact scores, and an estimate of what is open."""
        position = self.game.position
        *_earlier, known = inspect(
            position, PROOF_LIMIT if out_of_reach(position) is None else ESTIMATE_LIMIT
        )
        proved = known.is_settled and known.proof is not None
        for line in (
            exact_text(known, self.language) if proved else estimate_text(known, self.language)
        ):
            print_wrapped(line)

    def do_book(self, _: str) -> None:
        """Print what the opening book says about the position."""
        for line in book_text(explore_opening(self.game.position), self.language):
            print_wrapped(line)

    def do_threats(self, _: str) -> None:
        """Print what both sides threaten."""
        position = self.game.position
        found = explanations_of(position.rules).find_threats(position, Stop())
        for threat in found:
            print_wrapped(f"  {threat.told.text(self.language)}")
        if not found:
            print(say("threat.none", self.language))

    def do_puzzle(self, text: str) -> None:
        """Open a puzzle with a goal, or the next one."""
        rules = self.game.position.rules
        family = puzzles_of(rules)
        goal = (
            family.read_goal(text)
            if text
            else self.task.puzzle.goal
            if self.task is not None
            else family.offered[0]
        )
        number = (
            self.task.number + 1
            if self.task is not None and goal == self.task.puzzle.goal
            else None
        )
        task = make_task(rules, goal, number)
        self._begin(task.game(), SavedGame(), task)
        self._show_task()

    def do_fair(self, _: str) -> None:
        """Begin a game between the same players from a start that neither side wins; the current
        game is saved."""
        self._begin(GameState(any_fair_start(self.game.position.rules).position, self.game.players))

    def do_new(self, _: str) -> None:
        """Begin the same game between the same players; the current one is saved."""
        self._begin(GameState(self.game.position.root(), self.game.players))

    def _begin(
        self, game: GameState, saved: SavedGame | None = None, task: Task | None = None
    ) -> None:
        """Begin another game or a puzzle; the game that is left is saved."""
        if self.task is None and (kept := keep(self.saved, self.game, self.file, self.language)):
            print(kept)
        self.task, self.game, self.file, self.saved = task, game, None, saved or saved_game_of(None)
        self._show()

    def _try(self, move: str) -> None:
        """Try a move in a puzzle."""
        task = self.task
        if task is None or task.solved:
            print(self._say("line_puzzle_more"))
            return
        tried = attempt(self.game.position, task.left, move)
        self.task = task.after(tried)
        if tried.right:
            for text in filter(None, (tried.move, tried.reply)):
                self._apply(Move(text))
            self._show()
        for text, _ in self.task.verdict(self.language):
            print_wrapped(text)
        if self.task.solved:
            print(self._say("line_puzzle_more"))

    def do_solution(self, _: str) -> None:
        """Print the solution of the puzzle from here."""
        if self.task is None or self.task.solved:
            raise Refused("terminal.no_puzzle")
        line = solution(self.game.position, self.task.left)
        self.task = dataclasses.replace(self.task, helped=True)
        print_wrapped(solution_words(self.task.puzzle.goal, line, self.language))

    def do_undo(self, _: str) -> None:
        """Take back to the last turn of a person or, in a puzzle, to its start."""
        if self.task is not None:  # a puzzle begins again
            self.task = self.task.again()
            self.game = self.task.game()
            self._show()
            return
        count = self._go_to(Undo())
        print(self._say("took_back_one" if count == 1 else "took_back", count=count))
        self._show()

    def do_redo(self, _: str) -> None:
        """Play again what was taken back."""
        count = self._go_to(Redo())
        print(self._say("played_again_one" if count == 1 else "played_again", count=count))
        self._show()

    def _go_to(self, event: Event) -> int:
        """Take moves back or play them again; return how many."""
        before = len(self.game.position.history_codes)
        self._apply(event)
        return abs(len(self.game.position.history_codes) - before)

    def do_moves(self, _: str) -> None:
        """Print the legal moves and those already played."""
        position = self.game.position
        played = written_line(position.root(), position.history_codes) or self._say("line_none")
        print(self._say("line_moves", legal=" ".join(position.legal_moves), played=played))

    def do_save(self, name: str) -> None:
        """Write the record of the game to a file."""
        self._save(Path(name).expanduser() if name else file_for(self.game, self.file))

    def _save(self, file: Path) -> None:
        save(self.game, file)
        self.file = file
        print(self._say("saved", file=file))

    def do_games(self, _: str) -> None:
        """Print the saved games of this computer."""
        lines = [f"{game_id}  {line}" for game_id, line in listed(self.language).items()]
        print("\n".join(lines) or say("saved.none", self.language))

    def do_open(self, text: str) -> None:
        """Continue with a saved game, or with one in any form; the current game is saved."""
        if not text:
            raise Refused("terminal.opened_nothing")
        row = find_saved_game(text)
        saved: SavedGame | None = None
        said: list[str] = []
        if row is None:
            game, said = pasted_game(text, self.game, self.language)
        else:
            saved, game = open_saved_game(row)
        for line in said:
            print(line)
        for engine in game.engines():
            engine.search.prepare(game.position.rules)
        self._begin(game, saved)

    def do_quit(self, _: str) -> None:
        """Leave the program."""
        raise _Quit

    def _keep(self, status: int) -> int:
        """Save the game and leave."""
        kept = keep(self.saved, self.game, self.file, self.language) if self.task is None else ""
        if kept:
            print(kept)
        return status

    def _details(self, analysis: Analysis) -> str:
        """The mover's chances, depth and effort in words; for an external program, what it
        reports itself."""
        if analysis.score is None:
            return f"({analysis.note})" if analysis.note else ""
        nodes, seconds = (
            written(analysis.nodes, language=self.language),
            written(analysis.seconds, 2, self.language),
        )
        key = "play.facts" if analysis.depth else "exact.facts"  # a proof has no depth
        facts = say(key, self.language, depth=analysis.depth, nodes=nodes, seconds=seconds)
        score = read(analysis.score, analysis.position, analysis.engine)
        return f"({score_words(score, analysis.position.rules, self.language)}; {facts.replace(' · ', ', ')})"


def estimate_text(analysis: Analysis, language: str) -> Iterator[str]:
    """What a search thinks of the moves on a board that cannot be solved, the best move first."""
    rules = analysis.position.rules
    if turn := best_turn_words(analysis.position, analysis.line_codes, language):
        yield turn
    for move in analysis.moves[:10]:
        line = line_text(analysis.position, move.line_codes[:10])
        yield f"{rules.move_text(move.code):>4}  {score_words(move.score, rules, language)}   {line}"


def play_plain(
    game: GameState,
    file: Path | None = None,
    colour: bool | None = None,
    language: str = "en",
    puzzle: Goal | None = None,
    saved: SavedGame | None = None,
    as_json: bool = False,
) -> int:
    """Play on standard input and output and return the exit status. `file` or `saved` is where a
    resumed game is written back; `puzzle` is the goal of a puzzle to begin with. With `as_json`
    the dialogue goes to standard error, and one object about the game to standard output."""
    dialogue = PlainGame(
        game,
        file,
        (sys.stderr if as_json else sys.stdout).isatty() if colour is None else colour,
        language,
        saved,
    )
    if puzzle is not None:
        dialogue.task = make_task(game.position.rules, puzzle)
        dialogue.game = dialogue.task.game()
    if not as_json:
        return dialogue.run()
    with contextlib.redirect_stdout(sys.stderr):
        status = dialogue.run()
    print(json.dumps(dialogue.game.as_json()))
    return status
