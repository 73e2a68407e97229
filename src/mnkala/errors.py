"""The package's own errors: each says what was wrong and what is allowed, and a user sees its text alone."""


class MnkalaError(Exception):
    """Anything that a user can put right."""


class BadGame(MnkalaError):
    """A game string that names no game, or a size that the game does not have."""


class BadPosition(MnkalaError):
    """A position literal that cannot be read or cannot arise."""


class BadRecord(MnkalaError):
    """A saved game that cannot be read."""


class IllegalMove(MnkalaError):
    """A move that cannot be read, or that the rules do not allow here."""


class BadEngine(MnkalaError):
    """An engine string, a heuristic or a limit that does not exist or does not fit the game."""


class BadPlugin(MnkalaError):
    """A plug-in that cannot be loaded or breaks the contract."""
