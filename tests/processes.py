"""Which processes run, where the system tells as Linux does."""

from __future__ import annotations

from pathlib import Path

import pytest

needs_proc = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="who is whose child is known on Linux"
)


def is_running(process: int) -> bool:
    """Whether a process runs; one that has ended and that nobody has waited for does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] not in (
            "Z",
            "X",
        )
    except OSError:
        return False
