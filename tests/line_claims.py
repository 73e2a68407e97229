"""Sentences about threats on lines, held against a board of its own that tries moves one by one; it
shares nothing with the package but what a position looks like.

What the names mean is written here from the definitions alone. A *four* is a set of k - 1 marks
that one more completes; the same marks completed by either of two cells are an *open four*; k - 2
marks that one more makes an open four are an *open three*."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mnkala.core import Position
from mnkala.explain.contract import Reason, Threat
from mnkala.families.lines.board_threats import MOST_TOLD
from mnkala.families.lines.rules import Mnk

Cell = tuple[int, int]
Marks = frozenset[Cell]
DOUBLES = ("double_four", "four_three", "double_three")
FOURS = ("four", "open_four")
STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))


class SlowBoard:
    """Marks by (row, column)."""

    def __init__(self, position: Position) -> None:
        rules = position.rules
        assert isinstance(rules, Mnk)
        self.rules, self.line, self.exact = rules, rules.line, rules.exact
        self.all = [(row, col) for row in range(rules.rows) for col in range(rules.cols)]
        self.everywhere = set(self.all)
        cells = position.state().cells
        self.marks = {cell: int(cells[i]) - 1 for i, cell in enumerate(self.all) if cells[i]}

    def cell(self, code: int) -> Cell:
        return divmod(code, self.rules.cols)

    def named(self, text: object) -> list[Cell]:
        """The cells of a list such as `g8, k8` or `h8-i8` or `h8 g8`."""
        names = str(text).replace("-", " ").replace(",", " ").split()
        return [self.cell(self.rules.parse_move(name)) for name in names]

    def with_(self, *marks: tuple[Cell, int]) -> SlowBoard:
        other = object.__new__(SlowBoard)
        other.__dict__.update(self.__dict__, marks=self.marks | dict(marks))
        return other

    @property
    def empty(self) -> list[Cell]:
        return [cell for cell in self.all if cell not in self.marks]

    def lines(self, cell: Cell, player: int, steps: Iterable[Cell] = STEPS) -> Iterator[Marks]:
        """The lines that a mark here would complete."""
        for step in steps if cell not in self.marks else ():
            behind = self.row_of(cell, (-step[0], -step[1]), player)
            run = [*reversed(behind), cell, *self.row_of(cell, step, player)]
            if len(run) == self.line or (len(run) > self.line and not self.exact):
                lines = (run[i : i + self.line] for i in range(len(run) - self.line + 1))
                yield from (frozenset(line) for line in lines if cell in line)

    def row_of(self, cell: Cell, step: Cell, player: int) -> list[Cell]:
        """The marks of a player in a row beside a cell."""
        found, (row, col) = list[Cell](), cell
        while self.marks.get((row := row + step[0], col := col + step[1])) == player:
            found.append((row, col))
        return found

    def around(self, cell: Cell, step: Cell) -> list[Cell]:
        """The cells that can be in one line with this one."""
        distances = [far for far in range(1 - self.line, self.line) if far]
        found = ((cell[0] + far * step[0], cell[1] + far * step[1]) for far in distances)
        return [each for each in found if each in self.everywhere]

    def room(
        self,
        cell: Cell,
        player: int,
        steps: Iterable[Cell],
        least: int,
    ) -> Iterator[tuple[Cell, Cell]]:
        """The empty cells around a cell, and their direction, where so many marks of a player are
        around too."""
        for step in steps:
            around = self.around(cell, step)
            if sum(self.marks.get(each) == player for each in around) >= least:
                yield from ((each, step) for each in around if each not in self.marks)

    def completes(self, cell: Cell, player: int) -> bool:
        return any(True for _ in self.lines(cell, player))

    def completing(self, player: int) -> set[Cell]:
        return {cell for cell in self.empty if self.completes(cell, player)}

    def ways(self, cell: Cell, player: int) -> set[Cell]:
        """The cells that complete a line of which a mark here is one."""
        return set[Cell]().union(*self.fours_by(cell, player).values())

    def fours_by(
        self,
        cell: Cell,
        player: int,
        steps: Iterable[Cell] = STEPS,
    ) -> dict[Marks, set[Cell]]:
        """The fours that a mark here makes, and the cells that complete them."""
        after = self.with_((cell, player))
        found: dict[Marks, set[Cell]] = {}
        for each, step in self.room(cell, player, steps, self.line - 2):
            for line in after.lines(each, player, (step,)):
                if cell in line:
                    found.setdefault(line - {each}, set()).add(each)
        return found

    def open_threes_by(
        self,
        cell: Cell,
        player: int,
        steps: Iterable[Cell] = STEPS,
    ) -> dict[Marks, set[Cell]]:
        """The open threes of which a mark here is one, and the cells that make them open fours."""
        after = self.with_((cell, player))
        found: dict[Marks, set[Cell]] = {}
        for each, step in self.room(cell, player, steps, self.line - 3):
            for marks, ways in after.fours_by(each, player, (step,)).items():
                if len(ways) > 1 and cell in marks:
                    found.setdefault(marks - {each}, set()).add(each)
        return found

    def open_threes(self, player: int) -> dict[Marks, set[Cell]]:
        """All open threes that are no part of a four, and the cells that make them open fours."""
        known, found = self.completing(player), dict[Marks, set[Cell]]()
        for cell in [each for each in self.empty if each not in known]:
            for marks, ways in self.fours_by(cell, player).items():
                if len(ways) > 1 and not ways & known:
                    found.setdefault(marks - {cell}, set()).add(cell)
        return found

    def makes(self, cell: Cell, player: int) -> tuple[str, int]:
        """What a mark here makes, by name, and on how many lines it makes an open three and no
        four."""
        fours = {step: self.fours_by(cell, player, (step,)) for step in STEPS}
        quiet = [step for step in STEPS if not fours[step]]
        threes = sum(bool(self.open_threes_by(cell, player, (step,))) for step in quiet)
        each = [ways for made in fours.values() for ways in made.values()]
        if any(len(ways) > 1 for ways in each):
            return "open_four", threes
        if len(set[Cell]().union(*each)) > 1:
            return "double_four", threes
        if each:
            return "four_three" if threes else "four", threes
        return "double_three" if threes > 1 else "open_three" if threes else "", threes

    def is_met(self, cell: Cell, player: int) -> bool:
        """Whether, after a mark here, one answer leaves neither a line to complete nor a move that
        leaves two, of those that the mark brought about."""
        after = self.with_((cell, player))
        threats = [
            (each, ways)
            for each in after.empty
            if len(ways := after.ways(each, player)) > 1 and ways - self.ways(each, player)
        ]
        must = self.ways(cell, player)
        answers = must if len(must) == 1 else set(self.empty) - {cell}
        if len(must) > 1:
            return False
        return any(all(meets(answer, each, ways) for each, ways in threats) for answer in answers)

    def wins_next_but_one(self, player: int) -> dict[Cell, set[Cell]]:
        """The moves after which two cells or more complete a line, and these cells."""
        others = [cell for cell in self.empty if not self.completes(cell, player)]
        found = {cell: self.ways(cell, player) for cell in others}
        return {cell: ways for cell, ways in found.items() if len(ways) > 1}

    def forced_win(self, player: int, left: int) -> bool:
        """A victory by at most so many moves that all are fours, by trying everything."""
        if self.completing(player):
            return True
        theirs = self.completing(1 - player)
        if left < 2 or len(theirs) > 1:
            return False
        for cell in theirs or self.empty:
            after = self.with_((cell, player))
            ways = after.completing(player)
            if len(ways) > 1 or (
                len(ways) == 1
                and after.with_((next(iter(ways)), 1 - player)).forced_win(player, left - 1)
            ):
                return True
        return False


def meets(answer: Cell, cell: Cell, ways: set[Cell]) -> bool:
    """Whether an answer leaves at most one way to complete a line after a move that has these."""
    return answer == cell or len(ways - {answer}) < 2


# ---- Threats ----


def check_threats(position: Position, threats: Iterable[Threat]) -> None:
    """All that is told of the threats on a board, and that each four and open three is told once:
    of a player who wins at once nothing but that.
    """
    board = SlowBoard(position)
    threats, me = tuple(threats), position.mover
    for threat in threats:
        check_threat(position, threat)
    wins_now = board.completing(me)
    if wins_now:
        assert {threat.player for threat in threats} == {me}
        assert {threat.kind for threat in threats} <= {*FOURS}
    standing = [threat.stones for threat in threats if threat.kind in (*FOURS, "open_three")]
    assert len(standing) == len({*standing})
    for player in (me,) if wins_now else (0, 1):
        theirs = [threat for threat in threats if threat.player == player]
        if len(theirs) == MOST_TOLD:
            continue  # there may be more
        threes = [threat.stones for threat in theirs if threat.kind == "open_three"]
        told = {frozenset(map(board.cell, stones)) for stones in threes}
        assert told == (set() if wins_now else {*board.open_threes(player)})
        wins, doubles = (
            {board.cell(code) for threat in theirs if threat.kind in kinds for code in threat.at}
            for kinds in (FOURS, DOUBLES)
        )
        assert wins == board.completing(player)
        made = {cell for cell in board.empty if board.makes(cell, player)[0] in DOUBLES}
        assert doubles == (set() if wins else made)


def check_threat(position: Position, threat: Threat) -> None:
    """All that is told of a threat."""
    board, player = SlowBoard(position), threat.player
    stones, at, stops = (
        [board.cell(code) for code in codes] for codes in (threat.stones, threat.at, threat.stops)
    )
    now = threat.told.key.endswith("_now")
    assert now == (
        player == position.mover
        and (threat.kind in ("fours", *FOURS) or not board.completing(1 - player))
    )
    assert not (now and stops), "nobody stops the player to move"
    assert all(board.marks[cell] == player for cell in stones)
    if threat.kind == "fours":
        assert_victory(board, player, at)
        for cell in stops:
            assert not board.with_((cell, 1 - player)).forced_win(player, 3)
        return
    assert not set(at) & set(board.marks)
    if threat.kind in FOURS:
        wins = {
            cell
            for cell in board.completing(player)
            if frozenset((*stones, cell)) in board.lines(cell, player)
        }
        assert wins == set(at)
        assert (len(at) > 1) == (threat.kind == "open_four")
        assert stops == ([] if now or len(at) > 1 else at)
    elif threat.kind == "open_three":
        assert set(at) == board.open_threes(player)[frozenset(stones)]
        fours = [
            cell
            for cell in board.empty
            if not board.completes(cell, player)
            and frozenset((*stones, cell)) in board.fours_by(cell, player)
        ]
        left = [(cell, ways) for cell in fours if len(ways := board.ways(cell, player)) > 1]
        assert now or set(stops) == {
            answer
            for answer in board.empty
            if all(meets(answer, cell, ways) for cell, ways in left)
        }
    else:
        (cell,) = at
        assert board.makes(cell, player)[0] == threat.kind
        assert len(stones) <= len(STEPS) * (board.line - 1)
        assert now or {*stops} == {
            each for each in board.empty if is_stopped(board, cell, player, each)
        }


def is_stopped(board: SlowBoard, cell: Cell, player: int, answer: Cell) -> bool:
    """Whether after an answer a mark on this cell makes no double, and nothing else to which there
    is no single answer."""
    if answer == cell:
        return True
    after = board.with_((answer, 1 - player))
    doubled = after.makes(cell, player)[0] in ("open_four", *DOUBLES)
    return not doubled and after.is_met(cell, player)


def assert_victory(board: SlowBoard, player: int, line: list[Cell]) -> None:
    """Every move but the last leaves the other side one cell to take, and takes it; the last but
    one leaves two or more.
    """
    assert len(line) % 2 == 1
    for i, cell in enumerate(line[:-1]):
        if i % 2 == 0:
            assert not board.completing(player)
            assert board.completing(1 - player) <= {cell}
            board = board.with_((cell, player))
            ways = board.completing(player)
            assert line[i + 1] in ways
            assert len(ways) == 1 or i == len(line) - 3
        else:
            board = board.with_((cell, 1 - player))
    assert board.completes(line[-1], player)


# ---- Reasons ----


def check_reason(position: Position, move: int, reason: Reason) -> None:
    """All that a reason for a move claims."""
    board, me = SlowBoard(position), position.mover
    you, cell, values, key = (
        1 - me,
        board.cell(move),
        reason.values,
        reason.key.removeprefix("hint."),
    )
    after = board.with_((cell, me))
    (made, threes), ways = board.makes(cell, me), after.completing(me)
    assert not after.completing(you), "somebody else completes a line first"
    if key == "wins_by_fours":
        line = board.named(values["line"])
        assert (line[0], (len(line) + 1) // 2) == (cell, values["moves"])
        assert_victory(board, me, line)
    elif key in ("makes_open_four", "makes_double_four"):
        assert ways == set(board.named(values["moves"]))
        assert key == f"makes_{made}"
    elif key in ("makes_four_three", "makes_four"):
        assert key == f"makes_{made}"
        assert [*ways] == board.named(values["move"])
    elif key.startswith(("makes_open_three", "makes_double_three", "threatens_double_four")):
        wins = after.wins_next_but_one(me)
        answers = {
            answer
            for answer in after.empty
            if all(meets(answer, each, ways) for each, ways in wins.items())
        }
        assert wins
        assert answers == set(board.named(values["moves"]))
        assert key.endswith("unstopped") == (not answers)
        if key.startswith("threatens"):
            assert made == ""
            gained = {each for each, ways in wins.items() if ways - board.ways(each, me)}
            assert gained == set(board.named(values["at"]))
        else:
            assert key.startswith("makes_double" if threes > 1 else "makes_open")
            assert key.removesuffix("_unstopped") == f"makes_{made}"
    elif key == "stops_open_three":
        marks = frozenset(board.named(values["cells"]))
        assert marks in board.open_threes(you)
        assert marks not in after.open_threes(you)
        fours = [each for each in after.empty if marks | {each} in after.fours_by(each, you)]
        assert all(len(after.ways(each, you)) < 2 for each in fours)
    elif key == "stops_fours":
        line = board.named(values["line"])
        assert_victory(board, you, line)
        assert not after.forced_win(you, 3)
    else:
        (at,) = board.named(values["move"])
        assert key == f"stops_{board.makes(at, you)[0]}"
        assert is_stopped(board, at, you, cell)
