"""`mnkala dataset`: positions of a game with their scores, to train on."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from mnkala.cli.arguments import (
    Processes,
    Retry,
    Scheduler,
    UsualGame,
    announced,
    tell_failures,
    usual_game,
)
from mnkala.errors import MnkalaError
from mnkala.jobs import shown_on
from mnkala.numbers import shortened


def dataset(
    game: UsualGame = None,
    *,
    count: Annotated[int, Parameter(alias="-n", help="How many different positions.")] = 10_000,
    label: Annotated[
        str,
        Parameter(
            help="exact for exact scores, or an engine string for an engine's: deepening:nodes=10000."
        ),
    ] = "exact",
    plies: Annotated[
        str | None,
        Parameter(
            help="Positions after this many moves: a range such as 12..30. If not given, from where nearly all are solved in a moment to the "
            "end; for an engine's label, all."
        ),
    ] = None,
    seed: Annotated[int, Parameter(help="The seed that chooses the positions.")] = 1,
    out: Annotated[
        Path | None, Parameter(help="The file; GAME.parquet in this folder if not given.")
    ] = None,
    jobs: Processes = None,
    cluster: Scheduler = None,
    retry: Retry = False,
) -> int:
    """Write a data set to train on: `mnkala dataset connect4 -n 100000 --label exact`. Positions as
    arrays with their scores, in Parquet.

    Positions are found by random play, each once; the same command writes the same rows again.
    Labels are kept as they come: after Ctrl-C (or worse) the same command continues. It needs
    pyarrow: pip install 'mnkala[data]'.
    """
    from mnkala.core import parse_game
    from mnkala.dataset import DataSetPlan, build
    from mnkala.dataset.building import kept_path

    rules = parse_game(usual_game(game))
    path = (out or Path(f"{re.sub(r'[^a-z0-9]+', '-', rules.game_string())}.parquet")).expanduser()
    plan = DataSetPlan(rules, count, label, seed, None if plies is None else _range(plies))
    try:
        with announced(
            "compiling, once, and looking from which ply on positions are solved in a moment"
        ):
            plan = plan.settled()
        built = build(plan, path, jobs=jobs, cluster=cluster, retry=retry, progress=shown_on)
    except KeyboardInterrupt:
        if kept_path(path).exists():
            print(
                f"\nwhat is done is kept in {kept_path(path)}; continue with: {plan.command} --out {path}",
                file=sys.stderr,
            )
        raise
    if built.failures:
        tell_failures(
            built.failures,
            f"{len(built.failures)} of the jobs failed, and {path} was not written; --retry tries them again:",
        )
        return 1
    if built.exhausted:
        print(
            f"there are no more than {built.rows:,} such positions, as far as random play finds them",
            file=sys.stderr,
        )
    print(
        f"{path}: {built.rows:,} positions, {path.stat().st_size:,} bytes; made by {plan.command}; digest {built.digest[:16]}"
    )
    return 0


def _range(text: str) -> tuple[int, int]:
    """The two ends of a range such as 12..30, or twice the one number."""
    found = re.fullmatch(r"([0-9]{1,6})(?:\.\.([0-9]{1,6}))?", text.strip())
    if found is None:
        raise MnkalaError(
            f"--plies {shortened(text)}; write a range of whole numbers, such as 12..30"
        )
    return int(found[1]), int(found[2] or found[1])
