"""The console on which commands draw what is more than lines of text."""

from __future__ import annotations

import rich.console


class Console(rich.console.Console):
    """Leaves it to `mnkala.cli.run` what a closed pipe means, as for everything else that is printed."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError
