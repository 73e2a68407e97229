"""The package's own errors: each says what was wrong and what is allowed, and a user sees its text alone."""


def printable(text: str) -> str:
    """The text with control characters written out: what a plug-in or a file says must not steer the terminal."""
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() or letter in _HARMLESS else ascii(letter)[1:-1] for letter in text)


_HARMLESS = "\n\t\xa0\u2009\u202f"
"""Characters that are not printable but harmless: line ends, and spaces that must not break."""


class MnkalaError(Exception):
    """Base of all errors that a user can correct."""

    def __str__(self) -> str:
        return printable(super().__str__())


class BadGame(MnkalaError):
    """A game string that names no game, or a size that the game does not have."""


class BadPosition(MnkalaError):
    """A position literal that cannot be read or cannot arise. `fault` names what is wrong, with its `values` and the cells of the
    picture that show it, for those who say it in other words."""

    def __init__(self, text: str, fault: str = "", cells: tuple[tuple[int, int], ...] = (), **values: str | int) -> None:
        super().__init__(text)
        self.fault, self.cells, self.values = fault, cells, values


class BadRecord(MnkalaError):
    """A saved game cannot be read."""


class IllegalMove(MnkalaError):
    """A move that cannot be read, or that the rules do not allow here."""


class BadEngine(MnkalaError):
    """An engine string, a heuristic or a limit that does not exist or does not fit the game."""


class NotCompiled(MnkalaError):
    """Something that works in plain Python but that the compiler refuses."""


class BadPlugin(MnkalaError):
    """A plug-in that cannot be loaded or breaks the contract."""
