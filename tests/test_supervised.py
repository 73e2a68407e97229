"""Programs end with everything that they started: when they end, when they are told to, and when
whoever started them is killed.
"""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from mnkala.jobs import child
from mnkala.jobs.child import Supervised, held_below
from tests.processes import is_running, needs_proc
from tests.waiting import wait_until

if os.name != "nt":
    from mnkala.jobs.supervisor import descendants
pytestmark = needs_proc

SCATTERS = """
import os, sys, time
for _ in range(3):
    if os.fork() == 0:
        os.setsid()
        if os.fork():
            os._exit(0)
        time.sleep(1000)
    os.wait()
"""
"""Leaves three processes behind that have a session of their own and no parent."""
WAITS = "sys.stdin.read(); time.sleep(1000)"
MANAGES = """
import subprocess, sys, threading, time
from mnkala.jobs.child import Supervised
threading.Thread(target=lambda: Supervised([sys.executable, "-S", "-c", sys.argv[1]], stdin=subprocess.PIPE)).start()
time.sleep(1000)
"""


def started(program: str) -> Supervised:
    return Supervised(
        [sys.executable, "-S", "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )


def family_of(process: int, size: int) -> list[int]:
    """The descendants of a process, once there are so many."""
    wait_until(lambda: len(descendants(process)) == size, f"{size} processes run")
    return descendants(process)


def assert_all_end(processes: list[int]) -> None:
    wait_until(lambda: not any(map(is_running, processes)), "all processes have ended")


@pytest.fixture
def scattered() -> Iterator[tuple[Supervised, list[int]]]:
    """A program that waits, and the processes below its supervisor: itself and three that have left
    its session.
    """
    process = started(SCATTERS + WAITS)
    assert process.stdin is not None
    assert process.stdout is not None
    with process.stdin, process.stdout:
        yield process, family_of(process.pid, 4)
        process.end()


def test_a_program_is_ended_with_descendants_that_have_left_it(
    scattered: tuple[Supervised, list[int]],
) -> None:
    process, family = scattered
    assert process.end() == -signal.SIGKILL
    assert not any(map(is_running, family))


def test_a_program_that_ends_leaves_nothing_behind() -> None:
    with started(SCATTERS + "sys.exit(3)") as process:
        assert process.stdout is not None
        assert process.stdout.read() == b"", "the pipe closes, for nobody holds it any more"
        assert process.wait() == 3


def test_a_program_ends_with_a_manager_that_is_killed_and_not_with_the_thread_that_started_it() -> (
    None
):
    manager = subprocess.Popen([sys.executable, "-c", MANAGES, SCATTERS + WAITS])
    family = family_of(manager.pid, 5)
    wait_until(
        lambda: len([*Path(f"/proc/{manager.pid}/task").iterdir()]) == 1,
        "the thread that started the program has ended",
    )
    assert all(map(is_running, family))
    manager.kill()
    manager.wait()
    assert_all_end(family)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_program_ends_with_its_supervisor(number: signal.Signals) -> None:
    process = started("import sys, time; " + WAITS)
    family = family_of(process.pid, 1)
    process.send_signal(number)
    assert process.wait() == -signal.SIGKILL
    assert_all_end(family)
    process.communicate()


def test_a_supervisor_that_its_program_has_stopped_saves_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(child, "ENDING_SECONDS", 0.1)
    process = started(SCATTERS + "import signal; os.kill(os.getppid(), signal.SIGSTOP);" + WAITS)
    family = family_of(process.pid, 4)
    wait_until(
        lambda: Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[0] == "T",
        "the supervisor is stopped",
    )
    assert process.end() == -signal.SIGKILL
    assert_all_end(family)
    process.communicate()


@pytest.mark.parametrize(
    ("program", "status"),
    [
        ("raise SystemExit(7)", 7),
        ("import os, signal; os.kill(os.getpid(), signal.SIGTERM)", -signal.SIGTERM),
        ("import os; os.abort()", -signal.SIGABRT),
        ("import os, signal; os.killpg(0, signal.SIGKILL)", -signal.SIGKILL),
    ],
)
def test_it_is_told_how_a_program_ended(program: str, status: int) -> None:
    with started(program) as process:
        assert process.wait() == status


def test_a_program_that_cannot_be_executed_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "program"
    file.write_text("no program\n")
    file.chmod(0o700)
    with (
        Supervised([str(file)]) as process,
        pytest.raises(OSError, match="Exec format error") as refused,
    ):
        process.check_started()
    assert refused.value.errno == errno.ENOEXEC


def test_two_threads_may_end_a_program(scattered: tuple[Supervised, list[int]]) -> None:
    process, _ = scattered
    threads = [threading.Thread(target=process.end) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert process.returncode == -signal.SIGKILL


def test_memory_counts_wherever_a_descendant_holds_it() -> None:
    process = started(
        "import os, time\nif os.fork(): time.sleep(1000)\nos.setsid()\nif os.fork(): os._exit(0)\n"
        "held = [bytes([1]) * (1 << 20) for _ in range(50)]\ntime.sleep(1000)"
    )
    wait_until(
        lambda: held_below(process.pid) > 50 << 20,
        "50 megabytes are held by a process without a parent",
    )
    process.end()
    process.communicate()
