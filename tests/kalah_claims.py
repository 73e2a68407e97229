"""Sentences about turns of Kalah, held against a Kalah of lists that sows seed by seed and tries
everything; nothing of it is shared.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator

from mnkala.core import Position
from mnkala.explain.contract import Reason
from mnkala.search import Score

Row = tuple[int, ...]


@dataclasses.dataclass(frozen=True)
class Board:
    """A board of Kalah; rows and stores by player."""

    rows: tuple[Row, Row]
    stores: tuple[int, int]
    mover: int
    standard: bool
    captured: int = 0
    """By the last sowing."""
    swept: tuple[int, int] = (0, 0)
    """What each player took out of the own row at the end."""

    @property
    def over(self) -> bool:
        return not sum(map(sum, self.rows))

    @property
    def legal(self) -> list[int]:
        return [house for house, seeds in enumerate(self.rows[self.mover]) if seeds]

    @property
    def lead(self) -> int:
        """Of player 0."""
        return self.stores[0] - self.stores[1]

    def sow(self, house: int) -> Board:
        me, houses = self.mover, len(self.rows[0])
        rows, stores = [list(row) for row in self.rows], list(self.stores)
        hand, rows[me][house] = rows[me][house], 0
        side, place, captured = me, house, 0
        while hand:
            place += 1
            if place == houses and side == me:
                stores[me] += 1
            elif place >= houses:
                side, place = 1 - side, 0
                rows[side][0] += 1
            else:
                rows[side][place] += 1
            hand -= 1
        in_store = place == houses
        if not in_store and side == me and rows[me][place] == 1:
            captured = rows[1 - me][houses - 1 - place]
            if captured or not self.standard:
                stores[me] += captured + 1
                rows[me][place] = rows[1 - me][houses - 1 - place] = 0
        swept = (0, 0)
        if not all(map(any, rows)):
            swept = (sum(rows[0]), sum(rows[1]))
            rows = [[0] * houses, [0] * houses]
        stores = [stores[0] + swept[0], stores[1] + swept[1]]
        return Board(
            (tuple(rows[0]), tuple(rows[1])),
            (stores[0], stores[1]),
            me if in_store else 1 - me,
            self.standard,
            captured,
            swept,
        )

    def passed(self) -> Board:
        return dataclasses.replace(self, mover=1 - self.mover)

    def turns(self) -> Iterator[tuple[tuple[int, ...], Board]]:
        """Every chain of sowings, whole, with the board after it."""
        for house in self.legal:
            after = self.sow(house)
            if after.over or after.mover != self.mover:
                yield (house,), after
            else:
                yield from (((house, *chain), end) for chain, end in after.turns())

    def most_captured(self) -> int:
        return max(end.captured for _, end in self.turns())

    def extra(self) -> list[int]:
        return [
            house
            for house in self.legal
            if (after := self.sow(house)).mover == self.mover and not after.over
        ]


def board_of(position: Position) -> Board:
    """A position as this Kalah sees it, read from its literal."""
    numbers = [int(number) for number in str(position.literal).strip("<>o").split(",")]
    houses, mine, theirs, rest = numbers[0], numbers[1], numbers[2], numbers[3:]
    rows, stores = (tuple(rest[:houses]), tuple(rest[houses:])), (mine, theirs)
    if position.mover:
        rows, stores = (rows[1], rows[0]), (stores[1], stores[0])
    return Board(rows, stores, position.mover, "standard" in position.game)


@functools.cache
def to_come(rows: tuple[Row, Row], mover: int, standard: bool) -> int:
    """By how much player 0's lead still grows with best play."""
    board = Board(rows, (0, 0), mover, standard)
    after = [board.sow(house) for house in board.legal]
    values = [
        end.lead + (0 if end.over else to_come(end.rows, end.mover, standard)) for end in after
    ]
    return max(values) if mover == 0 else min(values)


def margin(board: Board, player: int) -> int:
    """The final margin with best play, for a player."""
    lead = board.lead + (0 if board.over else to_come(board.rows, board.mover, board.standard))
    return lead if player == 0 else -lead


def scores_of(position: Position) -> dict[int, Score]:
    """The true score of every move, for the mover."""
    board, me = board_of(position), position.mover
    margins = {house: margin(board.sow(house), me) for house in board.legal}
    return {house: Score.exactly(value, me) for house, value in margins.items()}


def best_play(position: Position, move: int) -> tuple[int, ...]:
    """A move and best play after it, to the end."""
    board, line = board_of(position).sow(move), [move]
    while not board.over:
        here, player = margin(board, board.mover), board.mover
        line.append(
            next(house for house in board.legal if margin(board.sow(house), player) == here)
        )
        board = board.sow(line[-1])
    return tuple(line)


def split(board: Board, line: tuple[int, ...]) -> list[tuple[Board, tuple[int, ...], Board]]:
    """The turns of a line: the board before, the chain, the board after."""
    found: list[tuple[Board, tuple[int, ...], Board]] = []
    while line:
        end, count = board, 0
        while count < len(line) and end.mover == board.mover and not end.over:
            end, count = end.sow(line[count]), count + 1
        found.append((board, line[:count], end))
        board, line = end, line[count:]
    return found


def named(text: str | int) -> tuple[int, ...]:
    """The houses of a chain as it stands in a sentence."""
    return tuple(
        int(part) - 1
        for part in str(text)
        .removeprefix("@move.turn ")
        .removeprefix("@move.houses ")
        .removeprefix("@move.house ")
        .split(", ")
    )


def check(
    position: Position,
    move: int,
    told: tuple[Reason, ...],
    scores: dict[int, Score],
    line: tuple[int, ...],
) -> None:
    """Hold all that is said of a move against the truth: the true scores of all moves, and the line
    that was told with it."""
    mine = scores[move].value
    others = [score.value for other, score in scores.items() if other != move]
    for reason in told:
        if reason.key.startswith("why."):
            check_fault(position, (move,), reason, mine, max([mine, *others]), line)
        else:
            check_praise(position, move, reason, mine, others, line)


def check_turn(
    position: Position, chain: tuple[int, ...], told: tuple[Reason, ...], line: tuple[int, ...]
) -> None:
    """Hold all that is said of a whole turn against the truth; `line` is the turn and what was told
    to follow it."""
    board, scores = board_of(position), scores_of(position)
    (_, played, end), *_ = split(board, line)
    assert played == chain, "the line begins with the turn"
    for reason in told:
        if reason.key.startswith("why."):
            mine, best = margin(end, board.mover), margin(board, board.mover)
            check_fault(position, chain, reason, mine, best, line)
        else:
            others = [score.value for other, score in scores.items() if other != chain[0]]
            check_praise(position, chain[0], reason, scores[chain[0]].value, others, line)


def check_praise(
    position: Position,
    move: int,
    reason: Reason,
    mine: int,
    others: list[int],
    line: tuple[int, ...],
) -> None:
    """Hold what is said for a move against the board and the true margins, of the move and of all
    others."""
    board, me, values = board_of(position), position.mover, reason.values
    told = split(board, line)
    _, chain, end = told[0]
    stored = end.stores[me] - board.stores[me]
    match reason.key:
        case "hint.wins":
            assert board.sow(move).over
            assert mine > 0
        case "hint.only_move":
            assert board.legal == [move]
        case "hint.only_win" | "hint.only_draw":
            assert max(others) < (1 if mine > 0 else 0) <= mine + (mine == 0)
        case "hint.only_safe":
            others_after = [board.sow(other) for other in board.legal if other != move]
            assert all(loses_at_once(other, me) for other in others_after)
            assert not loses_in_a_turn(board.sow(move), me)
        case "hint.blocks":
            (reply,) = named(values["move"])
            for other in (board.sow(other) for other in board.legal if other != move):
                end = other if other.over else other.sow(reply)
                assert end.over
                assert other.over or other.mover != me
                assert margin(end, me) < 0, "this reply would win"
            after = board.sow(move)
            assert after.mover != me
            assert reply not in after.legal or margin(after.sow(reply), me) >= 0, "and wins no more"
        case "hint.wins_by_force":
            assert mine > 0
        case "hint.holds_draw":
            assert mine == 0 == max([0, *others])
        case "hint.lost":
            assert max([mine, *others]) < 0
        case "hint.only_best":
            assert 0 < int(values["margin"]) <= mine - max(others)
        case "hint.extra_turn":
            assert move in board.extra()
        case "hint.extra_turns":
            assert list(named(values["moves"])) == board.extra()
        case "hint.chain" | "hint.chain_captures":
            assert (named(values["chain"]), values["stored"]) == (chain, stored - end.swept[me])
            assert (values["seeds"] if reason.key == "hint.chain_captures" else 0) == end.captured
        case "hint.captures":
            assert (len(chain), values["seeds"]) == (1, end.captured)
            assert board.rows[1 - me][named(values["house"])[0]] in (end.captured, end.captured - 1)
        case "hint.ends_sweeping":
            assert end.over
            assert values["seeds"] == end.swept[me] > 0
        case "hint.ends_giving":
            assert end.over
            assert values["seeds"] == end.swept[1 - me] > 0
        case "hint.ends":
            assert end.over
            assert end.swept == (0, 0)
        case "hint.saves" | "hint.eases":
            threats = dict(board.passed().turns())
            assert (
                threats[named(values["chain"])].captured
                == values["seeds"]
                == board.passed().most_captured()
            )
            assert end.most_captured() == (values["left"] if reason.key == "hint.eases" else 0)
            assert end.most_captured() < int(values["seeds"])
        case "hint.prepares_capture":
            assert min(reply.most_captured() for _, reply in end.turns()) == values["seeds"]
            assert board.most_captured() < int(values["seeds"])
        case "hint.prepares_again":
            assert all(reply.extra() for _, reply in end.turns())
            assert not board.extra()
        case "hint.last_sweep":
            check_last_sweep(told, me, int(values["seeds"]), max([mine, *others]))
        case _:
            raise AssertionError(f"nobody can tell whether {reason.key} is true")


def check_fault(
    position: Position,
    played: tuple[int, ...],
    reason: Reason,
    mine: int,
    best: int,
    line: tuple[int, ...],
) -> None:
    """Hold what is said against a move, or against a whole turn, against the true margins after it
    and of best play, and against the line."""
    board, me, values = board_of(position), position.mover, reason.values
    told = split(board, line)
    match reason.key:
        case (
            "why.wins_less"
            | "why.draws_won"
            | "why.loses_won"
            | "why.loses_drawn"
            | "why.loses_more"
        ):
            assert (values["seeds"], values["margin"], values["best_margin"]) == (
                best - mine,
                abs(mine),
                abs(best),
            )
            words = {
                "why.wins_less": mine > 0,
                "why.draws_won": best > 0 == mine,
                "why.loses_won": best > 0 > mine,
                "why.loses_drawn": best == 0 > mine,
                "why.loses_more": 0 > best > mine,
            }
            assert words[reason.key]
            assert keeps(board, named(values["best"]), best)
        case "why.gives_at_least":
            assert 0 < int(values["seeds"]) <= best - mine
            assert keeps(board, named(values["best"]), mine + int(values["seeds"]))
        case "why.loses":
            assert mine < 0
        case "why.tempting":
            gains = {
                chain: (end.lead - board.lead) * (1 if me == 0 else -1)
                for chain, end in board.turns()
            }
            assert named(values["chain"])[: len(played)] == played
            assert gains[named(values["chain"])] == values["seeds"] == max(gains.values())
            assert mine < best
        case "why.answer_captures" | "why.leaves_threat":
            before, chain, end = answer(told, me, mine)
            assert (chain, end.captured) == (named(values["chain"]), values["seeds"])
            threat = threatened(board.passed(), chain)
            same = threat is not None and threat == captured_house(before, chain)
            assert (reason.key == "why.leaves_threat") == same
            assert reason.key == "why.answer_captures" or threat == named(values["house"])[0]
        case "why.answer_chain":
            before, chain, end = answer(told, me, mine)
            assert (chain, end.stores[1 - me] - before.stores[1 - me]) == (
                named(values["chain"]),
                values["seeds"],
            )
            assert len(chain) > 1
        case "why.answer_ends":
            _, chain, end = answer(told, me, mine)
            assert chain == named(values["chain"])
            assert end.over
        case "why.later":
            theirs = [each for each in told[2:] if each[0].mover != me]
            assert any(
                (chain, end.captured) == (named(values["chain"]), values["seeds"])
                and margin(end, me) == mine
                for _, chain, end in theirs
            )
        case "why.last_sweep":
            check_last_sweep(told, 1 - me, int(values["seeds"]), -mine)
        case _:
            raise AssertionError(f"nobody can tell whether {reason.key} is true")


def keeps(board: Board, chain: tuple[int, ...], least: int) -> bool:
    """Whether a player can sow so in one turn, and have at least so many seeds more in the end."""
    me = board.mover
    for house in chain:
        if board.over or board.mover != me or house not in board.legal:
            return False
        board = board.sow(house)
    return margin(board, me) >= least


Told = list[tuple[Board, tuple[int, ...], Board]]


def answer(told: Told, me: int, mine: int) -> tuple[Board, tuple[int, ...], Board]:
    """The turn that answers, which is best play on both sides."""
    before, chain, end = told[1]
    assert before.mover == 1 - me
    assert margin(before, me) == mine == margin(end, me), "it answers what was played, and best"
    return before, chain, end


def captured_house(board: Board, chain: tuple[int, ...]) -> int | None:
    """The house that a turn empties by a capture, counted from its owner's left."""
    for house in chain[:-1]:
        board = board.sow(house)
    after, me, houses = board.sow(chain[-1]), board.mover, len(board.rows[0])
    last = (chain[-1] + board.rows[me][chain[-1]]) % (2 * houses + 1)
    return houses - 1 - last if after.captured else None


def threatened(board: Board, chain: tuple[int, ...]) -> int | None:
    """The house from which a turn would capture two seeds or more, if it can be made."""
    end = dict(board.turns()).get(chain)
    return captured_house(board, chain) if end is not None and end.captured >= 2 else None


def check_last_sweep(told: Told, player: int, seeds: int, won: int) -> None:
    """That a line of best play, by which a player wins by so much, ends with these seeds out of the
    player's own row."""
    end = told[-1][2]
    assert end.over
    assert end.swept[player] == seeds
    assert margin(end, player) == won


def loses_at_once(board: Board, player: int) -> bool:
    """Whether a player has lost, or the other one, to move, can end the game and win."""
    if board.over:
        return margin(board, player) < 0
    ends = [board.sow(house) for house in board.legal] if board.mover != player else []
    return any(end.over and margin(end, player) < 0 for end in ends)


def loses_in_a_turn(board: Board, player: int) -> bool:
    """The same, by any chain of sowings."""
    ends = [end for _, end in board.turns()] if board.mover != player else [board]
    return any(end.over and margin(end, player) < 0 for end in ends)
