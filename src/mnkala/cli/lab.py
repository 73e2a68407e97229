"""`mnkala lab`: run studies, write their report, begin a study of one's own."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import App, Parameter
from rich.table import Table as RichTable

from mnkala.cli.arguments import AsJson, Processes, Retry, Scheduler, flag, resumable, show
from mnkala.cli.commands import Console
from mnkala.errors import MnkalaError
from mnkala.jobs import shown_on
from mnkala.numbers import counted

if TYPE_CHECKING:
    from mnkala.lab.results import Results
    from mnkala.lab.study import Study

lab = App(
    name="lab",
    help="Measure searches and heuristics: run the studies that come with mnkala and your own, and write the report.\n\n"
    "Start with `mnkala lab list` and `mnkala lab run pruning --quick`.",
)
ResultsFile = Annotated[
    Path | None,
    Parameter(
        help="The file with the results, or `shipped` for those of the report that comes with mnkala; "
        "if not given, lab.sqlite in the user's data folder."
    ),
]
MOST_LINES = 40
"""The most rows of a table that the terminal shows."""


@lab.command(name="list")
def list_studies(*, data: ResultsFile = None, json: AsJson = False) -> None:
    """List the studies: what each asks, and what there is of its data."""
    from mnkala.lab.store import SHIPPED, load
    from mnkala.lab.study_file import all_studies

    results = [load(study, data) for study in all_studies()]
    values = {
        one.study.name: {
            "title": one.study.title,
            "question": one.study.question,
            "source": one.study.source,
            "data": one.state,
            "done": one.done,
            "jobs": one.total,
            "stale": one.stale,
        }
        for one in results
    }
    width = max((len(one.study.name) for one in results), default=0)
    lines = [
        f"{one.study.name.ljust(width)}  {one.study.question}\n{' ' * width}  {one.study.source}"
        f"{'; ' if one.study.source else ''}{_state(one.state, one.done, one.total)}{_stale(one)}"
        for one in results
    ]
    if data is None and any(not one.rows for one in results):
        lines.append(
            f"\nThe data of the report come with mnkala: `mnkala lab list --data {SHIPPED}`. "
            "To measure a study yourself: `mnkala lab run STUDY`."
        )
    show(json, values, lines)


def _stale(results: Results) -> str:
    return (
        f"; {results.stale} of them measured with older code (`{results.again_if_stale}`)"
        if results.stale
        else ""
    )


def _state(state: str, done: int, total: int) -> str:
    jobs = counted(total, "job")
    return {
        "full": f"full data ({jobs})",
        "quick": f"quick data ({jobs})",
        "partial": f"{done} of {jobs} done",
        "none": "not measured here yet",
    }[state]


@lab.command
def run(
    study: Annotated[
        str,
        Parameter(
            help="The name of a study (see `mnkala lab list`), the path of a study file of your own, or `all`."
        ),
    ],
    *,
    quick: Annotated[
        bool,
        flag("A small run of some seconds to a minute, to see what a study does."),
    ] = False,
    jobs: Processes = None,
    cluster: Scheduler = None,
    data: Annotated[
        Path | None,
        Parameter(
            help="The file to keep results in; if not given, lab.sqlite in the user's data folder (or what MNKALA_LAB_DATA says)."
        ),
    ] = None,
    out: Annotated[
        Path | None, Parameter(help="The folder for the page; if not given, beside the data.")
    ] = None,
    retry: Retry = False,
    fresh: Annotated[
        bool,
        flag("Discard the results of this study and measure again."),
    ] = False,
    stale: Annotated[
        bool,
        flag(
            "Measure again only what an older version of the code, engines included, has measured."
        ),
    ] = False,
) -> int:
    """Run a study: `mnkala lab run pruning --quick`. Shows its table and finding, and writes a page
    with its plots.

    Results are kept as they come. After Ctrl-C (or worse) the same command continues where it
    stopped.
    """
    from mnkala.lab.study_file import load_study, study_names

    names = study_names() if study == "all" else [study]
    chosen = [load_study(name) for name in names]
    return max(
        _run_one(one, quick, jobs, cluster, data, out, retry, fresh, stale) for one in chosen
    )


def _run_one(
    study: Study,
    quick: bool,
    jobs: int | None,
    cluster: str | None,
    data: Path | None,
    out: Path | None,
    retry: bool,
    fresh: bool,
    stale: bool,
) -> int:
    """Run one study, show it and write its page; return 1 if something failed."""
    from mnkala.lab.report import write_page
    from mnkala.lab.store import default_data, load
    from mnkala.lab.store import run as run_study

    where = data or default_data()
    if where.is_file() and not fresh and (old := load(study, where, quick=quick).earlier):
        print(
            f"{study.name}: {where} has {counted(old, 'job')} of another version of the measure; the results stay there and are "
            "measured again",
            file=sys.stderr,
        )
    again = " ".join(
        [study.command, *(["--quick"] if quick else []), *([f"--data {data}"] if data else [])]
    )

    def kept() -> str:
        there = load(study, where, quick=quick)
        return f"{there.done} of {counted(there.total, 'job')} done and kept in {where}; continue with: {again}"

    with resumable(kept):
        results = run_study(
            study,
            where,
            quick=quick,
            jobs=jobs,
            cluster=cluster,
            progress=shown_on(study.name),
            retry=retry,
            fresh=fresh,
            stale=stale,
        )
    _print_results(results)
    if results.rows:
        page = write_page([results], out or where.with_name(f"{where.stem}-pages"), study.name)
        print(f"\npage with plots: {page}")
    if results.summary and results.summary.replaced:
        print(
            f"replaced {counted(results.summary.replaced, 'worker process')} that died",
            file=sys.stderr,
        )
    if results.failures:
        print(
            f"{len(results.failures)} of {counted(results.total, 'job')} failed; left alone until `{again} --retry`:",
            file=sys.stderr,
        )
        for error, cases in list(_by_error(results).items())[:5]:
            print(
                f"failed: {cases[0]}{f' and {len(cases) - 1} more' if len(cases) > 1 else ''}: {error}",
                file=sys.stderr,
            )
    return 1 if results.failures else 0


def _by_error(results: Results) -> dict[str, list[str]]:
    """The cases that failed, in words, grouped by error."""
    from mnkala.lab.tables import show

    found: dict[str, list[str]] = {}
    for failure in results.failures:
        found.setdefault(failure.error, []).append(show(failure.values))
    return found


def _print_results(results: Results) -> None:
    """Print tables and finding on the terminal."""
    from mnkala.lab.tables import tables

    console = Console()
    if not console.is_terminal:
        console = Console(width=160)
    console.print(f"[bold]{results.study.title}[/bold]", highlight=False)
    for part in results.parts:
        for table in tables(part):
            shown = RichTable(
                title=table.title or part.part.title or None,
                caption=table.note or None,
                title_justify="left",
            )
            for name, numeric in zip(table.head, table.numeric, strict=True):
                shown.add_column(name, justify="right" if numeric else "left")
            for row in table.rows[:MOST_LINES]:
                shown.add_row(*row)
            console.print(shown, highlight=False, markup=False)
            if len(table.rows) > MOST_LINES:
                left = counted(len(table.rows) - MOST_LINES, "more row")
                console.print(
                    f"… and {left}: see the page, or `mnkala lab export`", highlight=False
                )
    if finding := results.finding:
        console.print(f"\n{finding}", highlight=False, markup=False)
    elif results.rows and not results.study.shipped:
        console.print(
            f'\nno finding: a function under @finding("{results.study.name}") would say in words what the rows show',
            highlight=False,
            markup=False,
        )


@lab.command
def report(
    *studies: Annotated[
        str, Parameter(help="Names or files of studies; all that come with mnkala if not given.")
    ],
    data: ResultsFile = None,
    out: Annotated[Path, Parameter(help="The folder to write into.")] = Path("lab-report"),
    no_plots: Annotated[
        bool,
        flag("Write nothing but the Markdown, without plots."),
    ] = False,
) -> int:
    """Write the report: one self-contained page, and Markdown with its pictures beside it."""
    from mnkala.lab.report import write_markdown, write_page
    from mnkala.lab.store import load
    from mnkala.lab.study_file import study_names

    results = [load(name, data) for name in studies or study_names()]
    if not no_plots:
        print(write_page(results, out, "index"))
    print(write_markdown(results, out, "report", plots=not no_plots))
    for one in results:
        if one.state != "full":
            print(
                f"{one.study.name}: {_state(one.state, one.done, one.total)}; full data: {one.study.command}",
                file=sys.stderr,
            )
        if one.stale:
            print(
                f"{one.study.name}: {counted(one.stale, 'job')} measured with older code; again: {one.again_if_stale}",
                file=sys.stderr,
            )
    return 0


@lab.command
def new(
    file: Annotated[Path, Parameter(help="The file to write; its name must end in .toml.")],
) -> None:
    """Begin a study of your own: write a commented study file, and a measure beside it, that run as
    they are.
    """
    from mnkala.lab.study_file import write_starter

    study, code = write_starter(file)
    again = shlex.quote(str(study))
    print(f"""wrote {study} and {code}
run it:      mnkala lab run {again} --quick
change it:   what varies is in {study}, what is measured in {code}; the same command runs it again
write it up: mnkala lab report {again}""")


@lab.command(name="measures")
def list_measures(*, json: AsJson = False) -> None:
    """List what studies can measure without any code of their own: names, arguments, what a row is."""
    from mnkala.lab.registry import measures

    found = [
        (
            one.name,
            one.required,
            [name for name in one.parameters if name not in one.required],
            one.summary,
        )
        for one in measures()
        if one.shipped
    ]
    show(
        json,
        {
            name: {"needs": needs, "takes": takes, "summary": summary}
            for name, needs, takes, summary in found
        },
        (
            f"{name}: {summary}\n    needs {', '.join(needs) or 'nothing'}"
            + (f"; may have {', '.join(takes)}" if takes else "")
            for name, needs, takes, summary in found
        ),
    )


@lab.command
def export(
    study: Annotated[str, Parameter(help="The name of a study, or the path of a study file.")],
    *,
    to: Annotated[Literal["csv", "json", "parquet"], Parameter(help="The format.")] = "csv",
    data: ResultsFile = None,
    out: Annotated[
        Path | None,
        Parameter(
            help="The file to write; standard output if not given (STUDY.parquet for Parquet)."
        ),
    ] = None,
) -> None:
    """Write the rows of a study as CSV, JSON or Parquet."""
    from mnkala.lab import tables as exporting
    from mnkala.lab.store import load

    results = load(study, data)
    if not results.rows:
        raise MnkalaError(
            f"there are no data of {results.study.name} yet; run `{results.study.command}` first"
        )
    if results.state != "full":
        print(
            f"{results.study.name}: {_state(results.state, results.done, results.total)}",
            file=sys.stderr,
        )
    if out is None and to == "parquet":
        out = Path(f"{results.study.name}.parquet")
    if out is None:
        sys.stdout.write(
            exporting.to_csv(results.rows) if to == "csv" else exporting.to_json(results.rows)
        )
        return
    print(exporting.write(results.rows, out, to), file=sys.stderr)
