"""The texts around the board: players, evaluation, moves, hint and analysis, the header, the
status line and the keys."""

from __future__ import annotations

import textwrap
import time
from collections.abc import Iterable

from textual.content import Content
from textual.style import Style

from mnkala.core import Position
from mnkala.core.position import line_text
from mnkala.core.score import Score
from mnkala.explain.chances import read
from mnkala.explain.inspection import Hint, Inspection
from mnkala.explain.score_words import moves_to_end, percent, score_words
from mnkala.explain.turn_words import best_turn_words, step_words, turn_words
from mnkala.explain.words import error_words, named_moves, say, words
from mnkala.numbers import written
from mnkala.play.opening_rule import Decision
from mnkala.search import Analysis
from mnkala.terminal.drawing import GOLD, INK, PAPER, PLAYERS, SOFT, TONES
from mnkala.terminal.help_text import COMMANDS
from mnkala.terminal.position_info import Study
from mnkala.terminal.proofs import book_panel, proof_panel, threats_panel, tone
from mnkala.terminal.puzzles import puzzle_panel
from mnkala.terminal.saved_games import ending, player_name
from mnkala.terminal.session import Session

ROOM_FOR_LEGEND = 9
"""With fewer lines than this, an analysis does not explain the signs = and ~, which the help
does."""
Part = str | tuple[str, str | Style]


class Panels:
    """The texts about a session in one language."""

    def __init__(self, session: Session, language: str, ascii_only: bool) -> None:
        self.session, self.language, self.ascii_only = session, language, ascii_only

    def say(self, key: str, **values: object) -> str:
        """A text; a key without a dot belongs to the section `terminal`."""
        return say(key if "." in key else f"terminal.{key}", self.language, **values)

    def number(self, value: float, digits: int = 0) -> str:
        """A number in the notation of the language."""
        return written(value, digits, self.language)

    def mark(self, side: int) -> str:
        """The shape of a player's pieces on the board."""
        if self.ascii_only:
            return "XO"[side]
        return ("✕", "○")[side] if self.session.view.style == "squares" else ("●", "○")[side]

    def title(self, key: str) -> Part:
        """A heading above a part of the panel."""
        return (self.say(key), f"bold {SOFT}")

    # ---- Above and below ----

    def header(self) -> Content:
        """The text of the header: the name of the game."""
        game = self.session.game.position.game
        known = words(self.language).get(f"game.{game.partition(':')[0]}.name", "")
        return Content.assemble(
            (" mnkala ", f"bold {PAPER} on {PLAYERS[1]}"),
            (f"  {known or game}", f"bold {INK}"),
            (f"   {game}" if known else "", SOFT),
        )

    def status(self, message: str) -> Content:
        """The line below the board: `message` if there is one, such as an error, otherwise what the
        game waits for.
        """
        session, controller, game = self.session, self.session.controller, self.session.game
        style = INK
        if message:
            text, style = message, GOLD
        elif session.walk is not None:
            walk, what = session.walk, step_words(session.walk.here.step, self.language)
            text = self.say(
                "walking",
                moves=walk.here.moves,
                what=what,
                step=walk.at + 1,
                steps=len(walk.frames),
            )
        elif session.ply is not None:
            text = self.say("looking_at", ply=session.ply, plies=len(game.position.history))
        elif game.is_over:
            text, style = ending(game, self.language, (self.mark(0), self.mark(1))), f"bold {GOLD}"
        elif controller.ticket is not None:
            text = self.say("thinking", player=self._player(controller.ticket.player))
        elif controller.trouble or game.is_halted:
            text = self.say("paused")
        elif not controller.is_prepared:
            text = self.say("preparing")
        elif game.between_engines:
            text = self.say("pace", seconds=f"{game.pace:g}")
        elif game.opening is not None:
            text = game.opening.words(
                game.position, player_name(game, game.mover, self.language), self.language
            )
        else:
            text = self.say("your_turn", player=self._player(game.mover))
        return Content.styled(f" {text}", style)

    def _player(self, side: int) -> str:
        return f"{self.mark(side)} ({player_name(self.session.game, side, self.language)})"

    def keys(self, width: int) -> Content:
        """The keys that fit in the line, as links; help and quit are always among them."""
        view, watching = self.session.view, self.session.game.between_engines
        offered = {
            "always": True,
            "playing": not watching,
            "watching": watching,
            "turns": self.session.position.rules.moves_again,
            "book": view.book,
            "threats": view.threats,
            "puzzles": view.puzzles,
            "over": self.session.game.is_over and self.session.task is None,
        }
        *others, helping, leaving = [
            command for command in COMMANDS if command.label and offered[command.when]
        ]
        room = width - 1
        shown = []
        for command in (helping, leaving, *others):
            room -= len(command.shown) + len(self.say(command.label)) + 3
            if room >= 0:
                shown.append(command)
        parts: list[Part] = [" "]
        for command in [*shown[2:], *shown[:2]]:
            does = Style.from_meta({"do": command.action})
            parts += [
                (command.shown, Style.parse(f"bold {GOLD}") + does),
                (f" {self.say(command.label)}", Style.parse(SOFT) + does),
                "  ",
            ]
        return Content.assemble(*parts)

    # ---- Players ----

    def players(self, width: int) -> Content:
        """The players, whose turn it is, and the clocks."""
        game, clock = self.session.game, self.session.game.clock
        lines: list[Part] = []
        for side in (0, 1):
            turn = not game.is_over and game.mover == side
            name = player_name(game, side, self.language)
            left = f" {_time(clock.remaining(side, time.monotonic()))}" if clock else ""
            arrow = (">" if self.ascii_only else "▸") if turn else " "
            room = width - 5 - len(game.position.rules.players[side]) - len(left)
            shown = name if len(name) <= room else name[: room - 1] + "…"
            lines += [
                (f"{arrow} ", GOLD),
                (
                    f"{self.mark(side)} {game.position.rules.players[side]} ",
                    f"bold {PLAYERS[side]}",
                ),
                (shown.ljust(room), f"bold {INK}" if turn else INK),
                (left, f"bold {GOLD}" if turn else SOFT),
                "" if side else "\n",
            ]
        return Content.assemble(*lines)

    # ---- Evaluation ----

    def evaluation(self, width: int) -> Content:
        """A bar from the first player's colour to the second's, with its meaning in words."""
        thoughts = self.session.thoughts
        if not thoughts.evaluating:
            return Content("")
        opinion = thoughts.opinion()
        if opinion is None:
            return Content.styled(
                f"{('-' if self.ascii_only else '─') * width}\n{self.say('evaluation_unknown')}",
                SOFT,
            )
        first_chance = opinion.chance if opinion.player == 0 else 1 - opinion.chance
        cells = round(first_chance * width)
        first, second = ("#", "=") if self.ascii_only else ("█", "▒")
        bar = [(first * cells, PLAYERS[0]), (second * (width - cells), PLAYERS[1])]
        return Content.assemble(*bar, "\n", *self._meaning(opinion, first_chance))

    def _meaning(self, score: Score, first: float) -> list[Part]:
        if score.result == "draw":
            return [(self.say("proved_draw"), f"bold {INK}")]
        if score.result != "unknown":
            rules, side = (
                self.session.position.rules,
                score.player if score.result == "win" else 1 - score.player,
            )
            by_margin, moves = rules.graded and score.exact is not None, moves_to_end(score, rules)
            key = "proved_wins_by" if by_margin else "proved_wins_in" if moves else "proved_wins"
            return self._with_player(
                key, side, f"bold {INK}", moves=moves, margin=abs(score.exact or 0)
            )
        expected = percent(first)
        if expected == 50:
            return [(self.say("even"), SOFT)]
        return self._with_player(
            "estimate", int(expected < 50), SOFT, percent=max(expected, 100 - expected)
        )

    def _with_player(self, key: str, side: int, style: str, **values: object) -> list[Part]:
        """A sentence in which a player's mark has its colour."""
        before, _, after = self.say(key, player="\0", **values).partition("\0")
        return [(before, style), (self.mark(side), f"bold {PLAYERS[side]}"), (after, style)]

    # ---- Moves ----

    def moves(self, width: int) -> tuple[Content, int]:
        """The moves by rounds, each a link to its position, and the row of the move that is
        looked at."""
        session = self.session
        game = session.game.position
        if not game.history:
            return Content.styled(self.say("play.no_moves"), SOFT), 0
        here = len(game.history) if session.ply is None else session.ply
        parts: list[Part] = []
        row, shown_row, used = 0, 0, 0
        for count, entries in self._rounds(game):
            parts.append((f"{count:>3} ", SOFT))
            used = 4
            for index, (ply, side, text) in enumerate(entries):
                if used + len(text) + 1 > width:
                    parts.append("\n    ")
                    row, used = row + 1, 4
                if index and entries[index - 1][1] != side:
                    pad = max(1, width // 2 - used) if used < width // 2 else 1
                    parts.append(" " * pad)
                    used += pad
                look = Style.parse(f"bold {INK} on #3a4a5e" if ply == here else PLAYERS[side])
                parts += [(text, look + Style.from_meta({"do": f"look({ply})"})), " "]
                used += len(text) + 1
                shown_row = row if ply == here else shown_row
            parts.append("\n")
            row += 1
        return Content.assemble(*parts).rstrip(), shown_row

    @staticmethod
    def _rounds(game: Position) -> Iterable[tuple[int, list[tuple[int, int, str]]]]:
        """Group the moves into rounds of (ply, side, move), each with the number of its first turn.
        A round begins when the first player moves after the second."""
        rounds: list[tuple[int, list[tuple[int, int, str]]]] = []
        turn, last = 0, -1
        for ply, (side, move) in enumerate(
            zip(game.movers, game.history_codes, strict=True), start=1
        ):
            turn += side != last
            if not rounds or (side == 0 and last == 1):
                rounds.append((turn, []))
            rounds[-1][1].append((ply, side, game.rules.move_text(move)))
            last = side
        return rounds

    # ---- Thoughts ----

    def thoughts(self, width: int, height: int) -> Content:
        """The current study or else a hint, the puzzle, or the engine's last answer."""
        session, thoughts, answer = self.session, self.session.thoughts, self.session.game.answer
        parts: list[Part] = []
        if thoughts.proof is not None:
            parts = proof_panel(self, thoughts.proof, width, height)
        elif thoughts.study is Study.ANALYSIS:
            parts = self._analysis(thoughts.analysis, width, height)
        elif thoughts.study is Study.BOOK:
            parts = book_panel(self, thoughts.opening)
        elif thoughts.study is Study.THREATS:
            parts = threats_panel(self, thoughts.threatened)
        elif thoughts.is_hinting:
            parts = [(self.say("play.hint_waits"), SOFT)]
        elif thoughts.hint is not None:
            parts = self._hint(thoughts.hint)
        elif session.task is not None:
            parts = puzzle_panel(self, session.task)
        elif answer is not None:
            return self.answer(answer, width)
        return Content.assemble(*parts)

    def answer(self, analysis: Analysis, width: int) -> Content:
        """An engine's move, with what the engine thinks of it, or its choice in an opening."""
        game = self.session.game
        if isinstance(analysis, Decision):
            return Content.styled(analysis.words(analysis.engine, self.language), INK)
        name = player_name(game, analysis.position.mover, self.language)
        parts: list[Part] = [
            (
                self.say(
                    "answer", player=name, move=named_moves(game.position.rules, analysis.best_move)
                ),
                INK,
            )
        ]
        if analysis.note and analysis.score is None:
            parts += ["\n", (textwrap.shorten(analysis.note, 3 * width, placeholder=" …"), SOFT)]
        if analysis.score is not None:
            effort = self._effort(analysis.depth, analysis.nodes, analysis.seconds, width)
            whole = read(analysis.score, analysis.position, analysis.engine)
            parts += ["\n", (self.score(whole), f"bold {INK}"), "\n", (effort, SOFT)]
        return Content.assemble(*parts)

    def score(self, score: Score) -> str:
        """A score in words, in the language of the screen."""
        return score_words(score, self.session.position.rules, self.language)

    def _effort(self, depth: int, nodes_so_far: int, time_so_far: float, width: int) -> str:
        """Describe the depth, nodes and time of a search so far, on one line or, if `width` is too
        small, on two."""
        facts = self.say(
            "play.facts",
            depth=depth,
            nodes=self.number(nodes_so_far),
            seconds=self.number(time_so_far, 1),
        )
        first, middle, last = facts.split(" · ")
        return facts if len(facts) <= width else f"{first} · {last}\n{middle}"

    def _hint(self, hint: Hint) -> list[Part]:
        score = "" if hint.score is None else f"  {self.score(hint.score)}"
        parts: list[Part] = [
            self.title("play.hint"),
            " ",
            (hint.move, f"bold {TONES['good']}"),
            (score, SOFT),
        ]
        if len(hint.turn) > 1 or any(move.captured for move in hint.turn):
            parts += [
                "\n",
                (self.say("turn.best", turn=turn_words(hint.turn, self.language)), f"bold {INK}"),
            ]
        for reason in hint.reasons:
            parts += ["\n", (reason.text(self.language), INK)]
        if len(hint.line) > 1:
            position = self.session.position
            parts += [
                "\n",
                (line_text(position, map(position.rules.parse_move, hint.line[:12])), SOFT),
            ]
        return parts

    def waiting(self) -> list[Part]:
        """What a study shows before it has found anything."""
        key = (
            "play.analysis_over"
            if self.session.position.is_over
            else ""
            if self.session.controller.is_prepared
            else "preparing"
        )
        return ["\n", (self.say(key) if key else "…", SOFT)]

    def _analysis(self, analysis: Inspection | None, width: int, height: int) -> list[Part]:
        session = self.session
        parts: list[Part] = [self.title("play.analysis")]
        if analysis is None:
            return [*parts, *self.waiting()]
        if not session.thoughts.is_studying:
            parts.append((f"  {self.say('analysis_done')}", TONES["good"]))
        position = analysis.position
        effort, best = (
            self._effort(analysis.depth, *session.thoughts.effort(), width),
            self.say("best_line"),
        )
        line = textwrap.shorten(
            line_text(position, analysis.line_codes), 2 * width - len(best) - 4, placeholder=" …"
        )
        turn = best_turn_words(position, analysis.line_codes, self.language)
        why_not = (
            ""
            if analysis.out_of_reach is None
            else self.say(
                "exact.out_of_reach", why=error_words(analysis.out_of_reach, self.language)
            )
        )
        parts += ["\n", (effort, SOFT)]
        parts += ["\n", (why_not, SOFT)] if why_not else []
        parts += ["\n", (turn, f"bold {INK}")] if turn else []
        parts += ["\n", (f"{best} ", SOFT), (line, INK)]
        ranked = analysis.moves
        legend = height >= ROOM_FOR_LEGEND
        wrapped = (
            *textwrap.wrap(f"{best} {line}", width),
            *textwrap.wrap(why_not, width),
            *textwrap.wrap(turn, width),
        )
        used = 1 + legend + len(effort.splitlines()) + len(wrapped)  # with the title
        room = len(ranked) if len(ranked) <= height - used else max(1, height - used - 1)
        for move in ranked[:room]:
            text = position.rules.move_text(move.code)
            bold = "bold " if move.score.kind == "exact" else ""
            parts += [
                "\n",
                (f"{text:>4} ", f"bold {INK}"),
                (self.score(move.score), f"{bold}{TONES[tone(move.score)]}"),
            ]
        if len(ranked) > room:
            parts += [("\n   …", SOFT)]
        if legend:
            parts += [
                "\n",
                (self.say("legend_graded" if position.rules.graded else "legend"), SOFT),
            ]
        return parts


def _time(seconds: float) -> str:
    """Write a time as minutes and seconds; below 20 seconds also tenths."""
    return f"{int(seconds // 60)}:{int(seconds % 60):02d}" if seconds >= 20 else f"{seconds:.1f}"
