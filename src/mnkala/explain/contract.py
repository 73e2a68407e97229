"""The contract of explanations: what a family of games says about moves, in words.

Any game gets the reasons that follow from its rules alone (`reasons`). A family adds what its
moves do on its board, and may judge moves in its own way, because people think about its games
in whole turns and seeds, or in lines and threats.

A `Reason` is one sentence about a move, with its values and the cells that it is about.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Set
from typing import Any, ClassVar, TypeVar

from mnkala.core import Position, Rules, parse_game
from mnkala.core.picture import Cell
from mnkala.core.registry import family_of, sound_game_names
from mnkala.core.score import Score
from mnkala.errors import BadGame
from mnkala.explain.words import say
from mnkala.search import Analysis, Stop

Answer = TypeVar("Answer", bound=Analysis)


@dataclasses.dataclass(frozen=True)
class Threat:
    """A player's threat on the board. Moves are given as codes that mean the same cells in every
    position, and so are the marks that make the threat."""

    player: int
    kind: str
    """The kind of threat, for code that draws or lists threats."""
    told: Reason
    """A sentence that describes the threat and names all its cells."""
    stones: tuple[int, ...]
    """The marks that make the threat."""
    at: tuple[int, ...]
    """The moves that carry out the threat."""
    stops: tuple[int, ...]
    """The opponent's moves that stop the threat."""
    is_line: bool = False
    """Whether `at` is a line of play, in which every second move is the opponent's reply."""


@dataclasses.dataclass(frozen=True)
class Fault:
    """A move, or a whole turn where a player may move again, that gave something away. Moves are
    codes."""

    position: Position
    """The position before it."""
    played: tuple[int, ...]
    best: tuple[int, ...]
    """The better move or turn."""
    line: tuple[int, ...]
    """The better one and what follows, as far as that is known."""
    refutation: tuple[int, ...]
    """What was played and what follows, as far as that is known."""
    turned: tuple[str, str] | None
    """The proved results before and after it, if it made the result worse."""


class Explanations:
    """Base class of every family's explanations; itself used for games whose family has none."""

    verdicts: ClassVar[bool] = False
    """Whether the family also explains why a move is bad."""
    margins: ClassVar[bool] = False
    """Whether reviews grade moves by the margin that a turn gave away, where a solver knows margins
    (see `grades` for the scale)."""
    margin_texts: ClassVar[str] = "review.margin"
    """The stem of the texts about margins in the game's own unit: STEM.count, STEM.gave and
    STEM.given. `words/review.json` has them in points."""
    threats: bool = False
    """Whether the family finds threats on the board."""
    tries_replies: ClassVar[bool] = True
    """Whether every move and every reply is tried to find moves that lose at once. A family that
    recognises such moves on the board has its own sentences for them."""

    importance: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """The rank of the family's own reasons among others: maps the key of a reason to the keys that
    come directly after it, the most important first (`reasons.IMPORTANCE` ranks the reasons of any
    game). A class adds to the ranks of its base."""
    said_by: ClassVar[Mapping[str, Set[str]]] = {}
    """Maps the key of a reason to the stronger reasons that make it redundant. A class adds to the
    entries of its base."""
    added_to_win: ClassVar[Set[str]] = frozenset()
    """Keys of the reasons that are worth mentioning beside an immediate win."""
    legend: tuple[str, ...] = ()
    """The stems of the family's additions to the legend; their texts are `STEM.sample` and
    `STEM.text`."""

    def reasons(
        self, position: Position, move: int, line: tuple[int, ...], *, proved: bool
    ) -> Iterator[Reason]:
        """What a move that does not win at once does on the board. `line` is the move with its
        expected continuation, which is best play by both sides if it is `proved`."""
        rules = position.rules
        if rules.mover(rules.play(position.state(), move)) == position.mover:
            player = rules.players[position.mover]
            yield Reason(
                "hint.moves_again", {"player": player}, rules.changed_cells(position.state(), move)
            )

    def verdict(
        self,
        position: Position,
        move: int,
        scores: Mapping[int, Score],
        line: tuple[int, ...],
        best_line: tuple[int, ...],
        whole: Score | None,
    ) -> tuple[Reason, ...] | None:
        """Why a move is good or bad; arguments as for `verdicts.verdict`. None leaves the answer to
        the general one, which judges by results."""
        return None

    def turn_verdict(
        self,
        position: Position,
        turn: tuple[int, ...],
        line: tuple[int, ...],
        best: tuple[int, ...],
        least: int | None,
        margin: int | None,
        *,
        exact: bool,
    ) -> tuple[Reason, ...] | None:
        """Why a whole turn was good or bad, where reviews grade by `margins`; arguments as for
        `verdicts.turn_verdict`. None leaves the answer to the general one."""
        return None

    def mistake(self, fault: Fault) -> str | None:
        """The family's own kind of a mistake, by what can be proved or seen on the board: the key of
        the text that names it. None leaves it to the kinds of any game
        (`reasons.kind_of_mistake`), which come first where somebody wins at once."""
        return None

    def drawbacks(self, position: Position, move: int, line: tuple[int, ...]) -> Iterator[Reason]:
        """What a move that is proved to be worse than another lets the opponent do on the board.
        `line` is the move and best play after it as far as that is proved; its first reply is
        explained elsewhere."""
        return iter(())

    def sharpened(self, analysis: Answer) -> Answer:
        """The analysis, completed by what can be proved at once. A score that is proved by forcing
        moves has that kind of win as its `source`; the text `worth.by_SOURCE` describes it."""
        return analysis

    def check_threats(self, rules: Rules) -> None:
        """Raise an error with the reason if threats cannot be listed for a game."""
        if not self.threats:
            examples = (
                name.example
                for name in sound_game_names()
                if explanations_of(parse_game(name.example)).threats
            )
            raise BadGame(
                f"threats are not shown in {rules.game_string()}; they are in games such as {', '.join(examples) or 'none here'}",
                "error.no_threats",
                game=rules.game_string(),
                games=", ".join(examples),
            )

    def find_threats(self, position: Position, stop: Stop) -> tuple[Threat, ...]:
        """All threats of both sides, the most serious first. Raises Stopped once `stop` is set."""
        self.check_threats(position.rules)
        return ()


def explanations_of(rules: Rules) -> Explanations:
    """The explanations for a game: those of its family, or else those for any game of lines, or for
    any game at all."""
    from mnkala.explain.line_reasons import LineExplanations, is_game_of_lines

    return family_of(rules).explanations(rules) or (
        LineExplanations() if is_game_of_lines(rules) else Explanations()
    )


def cells_of(rules: Rules, moves: Iterable[int]) -> tuple[Cell, ...]:
    """The cells of moves whose codes mean the same cells in every position, such as those of
    threats."""
    state = rules.start()
    return tuple(cell for move in moves for cell in rules.move_cells(state, move))


def sharpened(analysis: Answer) -> Answer:
    """An analysis, completed by what the family of its game can prove at once."""
    return explanations_of(analysis.position.rules).sharpened(analysis)


@dataclasses.dataclass(frozen=True)
class Reason:
    """Why a move is good or bad, in a form that can be said in every language."""

    key: str
    """A text of `words/hint.json`, such as hint.wins."""
    values: Mapping[str, str | int] = dataclasses.field(default_factory=dict)
    """The values for the placeholders of the text."""
    cells: tuple[Cell, ...] = ()
    """The cells on the board that the sentence is about."""

    def text(self, language: str = "en") -> str:
        """The reason as a sentence in a language."""
        return say(self.key, language, **self.values)

    @property
    def english(self) -> str:
        """The reason as a sentence in English."""
        return self.text()

    def to_json(self) -> dict[str, Any]:
        """The reason as JSON values, as the server sends it."""
        return {
            "key": self.key,
            "values": dict(self.values),
            "text": self.english,
            "cells": [list(cell) for cell in self.cells],
        }
