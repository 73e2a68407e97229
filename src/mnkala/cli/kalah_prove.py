"""`mnkala kalah prove`: the score of a start in pieces, which can be spread over processes and machines, stopped, and gone on with."""

from __future__ import annotations

import sys
from typing import Annotated

from cyclopts import Parameter

from mnkala.cli.arguments import Processes, Retry, Scheduler
from mnkala.errors import MnkalaError


def prove(
    game: Annotated[str, Parameter(help="A game string of Kalah with at most 62 seeds.")] = "kalah:6x5",
    *,
    above: Annotated[int | None, Parameter(help="Only whether the first player's score is more than this.")] = None,
    turns: Annotated[int, Parameter(help="Split the game after so many turns, 1 to 5: more of them are more and smaller pieces.")] = 3,
    jobs: Processes = None,
    cluster: Scheduler = None,
    table: Annotated[int, Parameter(help="Megabytes for the table of each process.")] = 1024,
    retry: Retry = False,
) -> int:
    """Prove the score of a start piece by piece: `mnkala kalah prove kalah:6x5`, for what is too much for one sitting.

    A piece is a question about a position of the first turns: is its score above a number? Answers are kept in the data folder as they
    come. After Ctrl-C (or worse) the same command goes on, also with more --turns. `mnkala kalah database --seeds 24` before it saves most
    of the work. The exit status is 1 if the score, or what was asked, stays open.
    """
    from mnkala.core import parse_game
    from mnkala.families.kalah.solver.split import check_split, proof_path, prove_split
    from mnkala.jobs import shown_on
    from mnkala.numbers import counted

    if not 1 <= table <= 1 << 16:
        raise MnkalaError(f"--table {table}; 1 to 65536 megabytes are possible")
    rules = check_split(parse_game(game), turns, above)
    again = f"mnkala kalah prove {game}" + (f" --above {above}" if above is not None else "") + (f" --turns {turns}" if turns != 3 else "")
    try:
        found = prove_split(rules, above=above, turns=turns, jobs=jobs, cluster=cluster, table_mb=table, retry=retry, progress=shown_on)
    except KeyboardInterrupt:
        print(f"\nwhat is done is kept in {proof_path(rules)}; go on with: {again}", file=sys.stderr)
        raise
    told = f"score {found.lower:+d}" if found.lower == found.upper else f"score between {found.lower} and {found.upper}"
    print(f"{rules.game_string()}: {told}   {counted(found.done, 'piece')} now, {found.units:,} in all, kept in {proof_path(rules)}")
    if found.failures:
        print(f"some work failed and is left alone until `{again} --retry`:", file=sys.stderr)
    for failure in found.failures[:5]:
        print(f"failed: {failure}", file=sys.stderr)
    return 1 if (found.lower < found.upper if above is None else found.is_above(above) is None) else 0
