"""Exercise 4: a heuristic for Connect and Kalah."""

from mnkala import Position


def heuristic(position: Position) -> float:
    """How good a position that is not over looks to the player to move: more is better, 0 is even.

    The helpers below read the board; use them or write your own.
    """
    return 0.0  # finite, but naive: every position looks even


def is_kalah(position: Position) -> bool:
    """Whether this is Kalah; the other game you are asked about is Connect."""
    return position.game.startswith("kalah")


def connect_rows(position: Position) -> list[str]:
    """Connect: the rows from the top; 'x' is player 0, 'o' player 1, '.' is empty."""
    return (position.literal or "").split("/")


def kalah_seeds(position: Position) -> tuple[int, int, list[int], list[int]]:
    """Kalah: the mover's store, the other player's store, the mover's houses and the other player's
    houses. Each player's houses are in the order in which that player sows them."""
    numbers = [int(number) for number in (position.literal or "").strip("<>o").split(",")]
    houses = numbers[0]
    return numbers[1], numbers[2], numbers[3 : 3 + houses], numbers[3 + houses :]
