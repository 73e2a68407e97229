"""Swap2: who may do what, who has which side afterwards, and what engines do; in a match, with a
clock, saved, and in the terminal.
"""

from __future__ import annotations

import asyncio
import dataclasses

import pytest

from mnkala import Limit, Position, parse_engine
from mnkala.core import Rules, parse_game
from mnkala.core.registry import family_of
from mnkala.errors import BadGame, BadRecord, IllegalMove
from mnkala.families.lines.rules import Mnk
from mnkala.families.lines.swap2 import OPENINGS, Side, Stage, Swap2, all_openings
from mnkala.play import Match, Player, parse_player
from mnkala.play.clock import Clock
from mnkala.play.controller import Controller
from mnkala.play.events import Move
from mnkala.play.game_state import GameState
from mnkala.play.opening_rule import OVER, Decision, OpeningRule, new_opening, read_opening
from mnkala.play.saved_games import SavedGame, find_saved_game, record_of, state_of
from mnkala.play.view import make_view
from mnkala.search import Engine
from mnkala.terminal.screens import Choice
from tests.command_line import mnkala
from tests.terminal_table import table

ANN, BOB = Player("human", nickname="Ann"), Player("human", nickname="Bob")
THREE, FIVE = "d4 e5 f3", "d4 e5 f3 c6 g2"


def a_match(
    moves: str = "", first: Player = ANN, second: Player = BOB, game: str = "gomoku:9"
) -> Match:
    """A match that opens by Swap2, with stones and choices played one after the other."""
    position = Position(game)
    match = Match(position, (first, second), new_opening("swap2", position))
    for move in moves.split():
        match.play(move)
    return match


@pytest.mark.parametrize(
    ("played", "actor", "stage", "first"),
    [
        ("", "Ann", Stage.PLACE, "Ann"),
        ("d4 e5", "Ann", Stage.PLACE, "Ann"),
        (THREE, "Bob", Stage.CHOOSE, "Ann"),
        (f"{THREE} x", "Ann", Stage.OVER, "Bob"),
        (f"{THREE} o", "Bob", Stage.OVER, "Ann"),
        (f"{THREE} two", "Bob", Stage.MORE, "Ann"),
        (f"{THREE} two c6", "Bob", Stage.MORE, "Ann"),
        (f"{THREE} 2 c6 g2", "Ann", Stage.DECIDE, "Ann"),
        (f"{THREE} two c6 g2 black", "Bob", Stage.OVER, "Ann"),
        (f"{THREE} two c6 g2 white", "Ann", Stage.OVER, "Bob"),
        (f"{THREE} White a1", "Ann", Stage.OVER, "Ann"),
    ],
)
def test_who_acts_and_who_has_x(played: str, actor: str, stage: Stage, first: str) -> None:
    match = a_match(played)
    opening = match.state.opening_rule
    assert isinstance(opening, Swap2)
    assert (match.to_move.nickname, opening.stage, match.players[0].nickname) == (
        actor,
        stage,
        first,
    )
    assert opening == read_opening(str(opening), match.position.rules)
    assert opening == read_opening(opening.state(), match.position.rules), (
        "as games were saved when there was one rule"
    )
    if stage is Stage.OVER and "a1" not in played:
        assert match.position.to_move == "o", "whoever has o moves next"
    assert ("opening", "swap2") in match.record().tags


@pytest.mark.parametrize(
    ("played", "said"),
    [
        ("x", "'x' is not a cell"),
        (f"{THREE} h8", "'h8' cannot be chosen; choose x, o or two"),
        (f"{THREE} two c6 g2 two", "'two' cannot be chosen; choose x or o"),
        (f"{THREE} two d4", "d4 cannot be played"),
        (f"{THREE} o x", "'x' is not a cell"),
    ],
)
def test_what_may_not_be_done_is_refused(played: str, said: str) -> None:
    with pytest.raises(IllegalMove, match=said):
        a_match(played)


def test_an_opening_is_not_taken_back_but_what_follows_it_is() -> None:
    match = a_match(THREE)
    with pytest.raises(IllegalMove, match="an opening by Swap2 is not taken back"):
        match.undo()
    match.play("o")
    with pytest.raises(IllegalMove, match="the stones of the opening are not taken back"):
        match.undo()
    match.play("a1")
    assert match.undo() == 1
    assert match.redo() == 1


@pytest.mark.parametrize(
    ("game", "literal", "said"),
    [
        ("tictactoe", None, "not of tictactoe"),
        ("connect4", None, "five or more in a row"),
        ("mnk:4x9x5", None, "rows and columns or more"),
        ("gomoku:5", "5/5/2x2/5/5", "begins on an empty board"),
    ],
)
def test_other_games_and_boards_with_stones_have_no_swap2(
    game: str, literal: str | None, said: str
) -> None:
    with pytest.raises(BadGame, match=said):
        new_opening("swap2", Position(game, literal=literal))


@pytest.mark.parametrize("saved", ["somewhere 3", "swap2: somewhere 3", "place", "swap9: place 0"])
def test_a_damaged_opening_is_refused(saved: str) -> None:
    with pytest.raises(BadRecord, match=r"no stage of Swap2|no opening rule of gomoku"):
        read_opening(saved, parse_game("gomoku"))


def test_whoever_changes_sides_takes_the_time_along() -> None:
    running = Controller(dataclasses.replace(a_match().state, clock=Clock.of(100, 5)))
    running.prepared(0)
    now = 0
    for move in THREE.split():
        running.apply(Move(move), now)
        now += 10
    assert running.state.clock is not None
    assert running.state.clock.left == (95.0, 100), (
        "the first stone is free, and each one gets the increment"
    )
    running.apply(Move("x"), 30)
    assert [player.nickname for player in running.state.players] == ["Bob", "Ann"]
    assert running.state.clock.left == (95.0, 95.0)
    assert running.state.clock.running == 1, "Ann has o and is to move"


@pytest.mark.usefixtures("games_folder")
def test_an_opening_is_saved_at_every_stage() -> None:
    saved = SavedGame()
    game = a_match().state
    for move in (*THREE.split(), "two", "c6", "g2", "o", "a1"):
        game = game.apply(Move(move))
        saved.save(game)
        row = find_saved_game(saved.id)
        assert row is not None
        again = state_of(row, parse_player)
        assert (again.opening_rule, again.position, again.players) == (
            game.opening_rule,
            game.position,
            game.players,
        )
        assert "# opening: swap2" in record_of(row)


# ---- Any other rule ----


@dataclasses.dataclass(frozen=True)
class Pie(OpeningRule):
    """The first player makes a move, the second takes that side or the other."""

    name = "connect.pie"
    boards = "Connect"
    stage: str = "cut"

    def fits(self, rules: Rules) -> bool:
        return rules.game_string() == "connect4"

    @property
    def actor(self) -> int:
        return int(self.stage == "take")

    @property
    def choices(self) -> tuple[str, ...]:
        return ("x", "o") if self.stage == "take" else ()

    def left(self, position: Position) -> int:
        return int(self.stage == "cut")

    def placed(self, position: Position) -> Pie:
        return Pie("take")

    def chosen(self, choice: str, position: Position) -> tuple[Pie, bool]:
        return Pie(OVER, 1), choice == "x"

    def thinker(self, engine: Engine) -> Engine:
        raise NotImplementedError

    def state(self) -> str:
        return f"{self.stage}/{self.stones}"

    def resumed(self, state: str) -> Pie:
        stage, _, stones = state.partition("/")
        return Pie(stage, int(stones))


@pytest.mark.usefixtures("games_folder")
def test_a_family_with_a_rule_of_its_own_is_played_saved_and_shown_by_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    position, saved = Position("connect4"), SavedGame()
    monkeypatch.setattr(type(family_of(position.rules)), "opening_rules", lambda self: (Pie(),))
    assert make_view(position).openings == ("connect.pie",)
    with pytest.raises(BadGame, match="is an opening rule of Connect, not of connect4:9x7"):
        new_opening("connect.pie", Position("connect4:9x7"))
    with pytest.raises(BadGame, match=r"'pie' is no opening rule; connect4 has connect\.pie"):
        new_opening("pie", position)
    game = GameState(position, (ANN, BOB), new_opening("connect.pie", position))
    for move, nickname in (("4", "Bob"), ("x", "Ann")):
        game = game.apply(Move(move))
        saved.save(game)
        row = find_saved_game(saved.id)
        assert row is not None
        again = state_of(row, parse_player)
        assert (again.opening_rule, again.players) == (game.opening_rule, game.players)
        assert again.to_move.nickname == nickname
        assert "# opening: connect.pie" in record_of(row)


# ---- Engines ----


def decide(stage: Stage, moves: str, value: int, monkeypatch: pytest.MonkeyPatch) -> Decision:
    monkeypatch.setattr("mnkala.families.lines.swap2.chance_of", lambda found: value / 100)
    engine = parse_engine("random")
    found = Swap2(stage).thinker(engine).analyse(Position("gomoku:9").play(moves), Limit(nodes=1))
    assert isinstance(found, Decision)
    assert found.engine == "random"
    return found


@pytest.mark.parametrize(
    ("stage", "moves", "percent", "side", "stones"),
    [
        (Stage.PLACE, "", 50, None, 3),
        (Stage.PLACE, "e5 a1", 50, None, 1),
        (Stage.CHOOSE, THREE, 60, Side.SECOND, 1),
        (Stage.CHOOSE, THREE, 40, Side.FIRST, 0),
        (Stage.CHOOSE, THREE, 51, Side.TWO, 2),
        (Stage.MORE, THREE, 51, None, 2),
        (Stage.MORE, f"{THREE} c6", 51, None, 1),
        (Stage.DECIDE, FIVE, 51, Side.SECOND, 1),
        (Stage.DECIDE, FIVE, 49, Side.FIRST, 0),
    ],
)
def test_an_engine_takes_the_side_that_it_thinks_better_of(
    stage: Stage,
    moves: str,
    percent: int,
    side: Side | None,
    stones: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The chance is that of o, who is to move."""
    found = decide(stage, moves, percent, monkeypatch)
    assert (found.choice, len(found.line_codes)) == (side, stones)
    Position("gomoku:9").play(moves).play_codes(found.line_codes)


@pytest.mark.parametrize("game", ["gomoku:5", "mnk:6x9x5", "gomoku:19"])
def test_the_openings_of_the_list_fit_every_board_in_every_turn(game: str) -> None:
    rules = parse_game(game)
    assert isinstance(rules, Mnk)
    found = [*all_openings(rules)]
    assert len(found) == 8 * len(OPENINGS)
    for codes in found:
        Position(rules).play_codes(codes)


def test_two_engines_open_a_game_and_play_it_to_its_end() -> None:
    players = [
        parse_player(text, parse_game("gomoku:6")) for text in ("random:seed=1", "random:seed=2")
    ]
    match = a_match(first=players[0], second=players[1], game="gomoku:6")
    while not match.is_over:
        match.take(match.think())
    assert match.state.opening_rule is not None
    assert match.state.opening_rule.stones in (3, 5)


# ---- The terminal ----


@pytest.mark.usefixtures("games_folder")
def test_a_game_in_plain_lines_opens_by_swap2() -> None:
    done = mnkala(
        "play",
        "gomoku:9",
        "--swap2",
        "--second",
        "human",
        "--name",
        "Ann",
        "--name",
        "Bob",
        "--plain",
        stdin="d4\ne5\nf3\nh8\nx\na1\nquit\n",
    )
    for said in (
        "Swap2, Ann: put 3 stones on the board, x, o and x in turn.",
        "Swap2, Ann: put 1 stone on the board",
        "Swap2, Bob: take x, or take o and move, or put two more stones.",
        "Type x or o, or two for two more stones.",
        "'h8' cannot be chosen; choose x, o or two",
        "Bob has x now.",
        "Ann has o now.",
    ):
        assert said in done.stdout
    assert "d4e5f3a1" in mnkala("saved", "--json").stdout
    again = mnkala(
        "play",
        "gomoku:9",
        "--opening-rule",
        "swap2",
        "--second",
        "human",
        "--plain",
        stdin="quit\n",
    )
    assert "put 3 stones on the board" in again.stdout
    assert (
        "'pie' is no opening rule; gomoku has swap2"
        in mnkala("play", "gomoku", "--opening-rule", "pie", "--plain").stderr
    )
    for arguments in (
        ("connect4", "--swap2"),
        ("gomoku", "--swap2", "--moves", "h8"),
        ("--resume", "last", "--swap2"),
    ):
        refused = mnkala("play", *arguments, "--plain")
        assert refused.returncode == 2
        assert "Swap2" in refused.stderr or "--swap2" in refused.stderr


@pytest.mark.usefixtures("brisk", "games_folder")
def test_a_game_on_the_full_screen_opens_by_swap2() -> None:
    async def play() -> None:
        async with table("gomoku:9", second="random") as here:
            await here.ready()
            here.app.session.begin_new("opening swap2")
            await here.ready()
            assert "put 3 stones" in here.said("status")
            for row, column in ((4, 4), (3, 3), (5, 3)):
                await here.click(row, column)
            session = here.app.session
            await here.until(
                lambda: session.game.mover == 0
            )  # who has no opinion puts two more stones
            assert "take x, or take o and move" in here.said("status")
            await here.press("enter")
            await here.until(lambda: isinstance(here.app.screen, Choice))
            await here.press("down", "enter")
            assert session.game.opening is None
            assert session.game.players[1].is_human
            assert session.can_play

    asyncio.run(play())
