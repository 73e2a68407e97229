"""`mnkala class`: exercises for a class, and their grading."""

from __future__ import annotations

import json as json_module
import os
import sys
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from mnkala.cli.arguments import Within, flag, resumable
from mnkala.cli.commands import Console
from mnkala.jobs import shown_on
from mnkala.numbers import counted

app = App(
    name="class", help="For teachers: hand out exercises on searching, and grade what comes back."
)


@app.command
def grade(
    folder: Annotated[Path, Parameter(help="Where the students' files are.")],
    *,
    out: Annotated[
        Path | None, Parameter(help="Write the results to this file: .md, .csv or .json.")
    ] = None,
    seconds: Annotated[
        float, Parameter(validator=Within(0.1, 600), help="The longest time for one answer.")
    ] = 5.0,
    memory: Annotated[
        int,
        Parameter(
            validator=Within(16, 1 << 16), help="Megabytes for one file, on top of Python itself."
        ),
    ] = 512,
    games: Annotated[
        int,
        Parameter(
            validator=Within(0, 1000),
            help="Games of each match on the ladder, in pairs with sides changed; 0 for no ladder.",
        ),
    ] = 4,
    jobs: Annotated[
        int | None,
        Parameter(
            validator=Within(1, 64),
            help="Files graded at the same time; by default one for every two processors.",
        ),
    ] = None,
    keep: Annotated[
        Path | None,
        Parameter(
            help="Where results are kept between runs; by default FOLDER/.mnkala-class.sqlite."
        ),
    ] = None,
    feedback: Annotated[
        Path | None,
        Parameter(help="The folder for a text to each student; by default FOLDER/feedback."),
    ] = None,
    json: Annotated[
        bool,
        flag("Print one JSON list instead of the table."),
    ] = False,
) -> None:
    """Grade students' files: `mnkala class grade submissions --out results.md`.

    FOLDER holds a file a student (`anna.py`), or a folder a student (`anna/minimax.py`), each with
    one function: minimax, alphabeta, mcts or heuristic. Every file runs in processes of its own
    with limits of time and memory, against reference tests and, if it has half of the points, on a
    ladder of players. Ctrl-C keeps what was graded; the same command continues. On Linux the
    processes are isolated as far as the machine allows; the first line says how, and what is not
    contained (docs/class.md has more).
    """
    from mnkala.school import report
    from mnkala.school.grading import GradingSettings, grade_folder
    from mnkala.school.process import Bounds
    from mnkala.school.sandbox import available

    if out is not None:
        report.check_out(out)
    print(available(), file=sys.stderr, flush=True)
    jobs = jobs or max(1, (os.cpu_count() or 1) // 2)
    with resumable("what was graded is kept; the same command continues from here"):
        grades = grade_folder(
            folder,
            GradingSettings(Bounds(seconds, memory), games, jobs),
            kept=keep,
            progress=shown_on,
        )
    letters = feedback or folder / "feedback"
    report.write_feedback(grades, letters)
    if out is not None:
        report.write(grades, out)
    if json:
        print(json_module.dumps(report.as_json(grades)))
        return
    Console().print(report.for_terminal(grades))
    passed = sum(one.passed for one in grades)
    print(
        f"{passed} of {counted(len(grades), 'file')} passed. A text for each student is in {letters}"
        + (f", the table in {out}." if out else ".")
    )


@app.command
def new(
    folder: Annotated[
        Path,
        Parameter(
            help="The folder to write into; it is created if needed, and nothing in it is overwritten."
        ),
    ],
) -> None:
    """Write an exercise sheet and a template for each exercise into FOLDER, for the students."""
    from mnkala.school.submission import write_handout

    written = write_handout(folder)
    print(f"wrote {', '.join(path.name for path in written)} to {folder}")
