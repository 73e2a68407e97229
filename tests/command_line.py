"""A command as a user types it, and what became of it."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from mnkala.cli import run


def mnkala(
    *arguments: str, stdin: str = "", folder: Path | None = None, **variables: str
) -> subprocess.CompletedProcess[str]:
    """A command and what became of it: in a process of its own if it needs a folder or an
    environment of its own, else in this one.
    """
    if folder is None and not variables:
        return _mnkala_here(*arguments, stdin=stdin)
    environment = {**os.environ, "COLUMNS": "200", **variables}
    return subprocess.run(
        [sys.executable, "-m", "mnkala", *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=600,
        cwd=folder,
        env=environment,
    )


def _mnkala_here(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """The same without the second or two that a new process takes to import everything."""
    output, errors = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        patch.setenv("COLUMNS", "200")
        for name, stream in (("stdin", io.StringIO(stdin)), ("stdout", output), ("stderr", errors)):
            patch.setattr(sys, name, stream)
        status = run(list(arguments))
    return subprocess.CompletedProcess(arguments, status, output.getvalue(), errors.getvalue())
