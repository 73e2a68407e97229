"""What a student's file cannot do, even if it has switched the guard off: each attack is a file of
a class that is graded in one run.
"""

from __future__ import annotations

import dataclasses
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from mnkala.cli import run
from mnkala.errors import MnkalaError
from mnkala.school import exercises, sandbox
from mnkala.school.grading import GradingSettings, check_file, grade_folder
from mnkala.school.process import Bounds
from mnkala.school.report import write_feedback
from mnkala.school.sandbox import Danger, Isolation, Layer, available
from mnkala.school.submission import Submission
from tests.waiting import wait_until

BOUNDS = Bounds(seconds=30.0)
linux_only = pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux has layers of isolation"
)

DISARM = """
import gc
for found in gc.get_objects():
    if type(found) is list and found == [True]:
        found[0] = False
tried = []
def attempt(do, *arguments):
    try:
        tried.append(f"succeeded: {do(*arguments)!r:.60}")
    except BaseException as error:
        tried.append(type(error).__name__)
"""
"""The guard's switch is a list with one truth value, and Python shows every list to everyone."""

WRITES = """
import ctypes, os, sqlite3
def by_library(path):
    if ctypes.CDLL(None).creat(path.encode(), 0o666) < 0:
        raise OSError
def by_database(path):
    sqlite3.connect(path).execute("create table t (x)")
def by_history(path):
    import readline
    readline.write_history_file(path)
def by_link(path):
    os.symlink(os.path.dirname(path), "link")
    open(os.path.join("link", os.path.basename(path)), "w").close()
for number, way in enumerate((by_library, by_database, by_history, by_link)):
    attempt(way, os.path.join(OUTSIDE, f"written-{number}"))
open("notes.txt", "w").write("its own folder is its own")
"""
READS = """
attempt(lambda: print(open(OUTSIDE + "/secret").read(), flush=True))
attempt(lambda: exec(open(REFERENCE).read(), globals()))
"""
KILLS = """
import os, resource, signal
for number in (VICTIM, os.getppid()):
    attempt(os.kill, number, signal.SIGKILL)
    attempt(lambda: signal.pidfd_send_signal(os.pidfd_open(number), signal.SIGKILL))
    attempt(resource.prlimit, number, resource.RLIMIT_NOFILE, (0, 0))
"""
BREEDS = """
import ctypes, subprocess, sys, time
library = ctypes.CDLL(None)
library.prctl(15, MARK.encode())
for _ in range(3):
    if library.fork() == 0:
        library.setsid()
        time.sleep(600)
attempt(lambda: subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)", MARK], start_new_session=True))
time.sleep(0.1)
"""
CALLS = """
import socket
attempt(lambda: socket.create_connection(("127.0.0.1", PORT), 5))
attempt(lambda: socket.socket(socket.AF_UNIX).connect(OUTSIDE + "/socket"))
"""
REPORT = """
raise RuntimeError(", ".join(tried))
"""
ATTACKS: dict[str, tuple[Danger, str]] = {
    "writes": ("files", WRITES),
    "reads": ("files", READS),
    "kills": ("processes", KILLS),
    "breeds": ("processes", BREEDS),
    "calls": ("network", CALLS),
}
LIES = """
import os
for descriptor in range(3, 30):
    try:
        os.write(descriptor, b"[" * 60000 + b"\\n")
    except OSError:
        pass
"""
"""JSON that is nested more deeply than Python can read."""


@dataclasses.dataclass
class Surroundings:
    """What there is to attack: a folder that anyone may write to, a process of the grader's user,
    two servers.
    """

    outside: Path
    victim: subprocess.Popen[bytes]
    servers: list[socket.socket]
    mark: str
    limits: tuple[int, int]

    def source(self, *names: str) -> str:
        known = (
            f"OUTSIDE, REFERENCE, VICTIM = {str(self.outside)!r}, {exercises.__file__!r}, {self.victim.pid}\n"
            f"MARK, PORT = {self.mark!r}, {self.servers[0].getsockname()[1]}\n"
        )
        return (
            known
            + DISARM
            + "".join(ATTACKS[name][1] for name in names)
            + REPORT
            + "\n\ndef heuristic(position): return 0\n"
        )

    def assert_unharmed(self, danger: Danger) -> None:
        if danger == "files":
            assert sorted(path.name for path in self.outside.iterdir()) == ["secret", "socket"]
        elif danger == "processes":
            import resource

            assert self.victim.poll() is None
            assert resource.prlimit(self.victim.pid, resource.RLIMIT_NOFILE) == self.limits
            assert_none_left(self.mark)
        else:
            for server in self.servers:
                with pytest.raises(BlockingIOError):
                    server.accept()


@pytest.fixture
def surroundings() -> Iterator[Surroundings]:
    import resource

    outside = Path(tempfile.mkdtemp(prefix="outside-"))
    victim = subprocess.Popen([sys.executable, "-I", "-S", "-c", "input()"], stdin=subprocess.PIPE)
    servers = [socket.create_server(("127.0.0.1", 0)), socket.socket(socket.AF_UNIX)]
    servers[1].bind(str(outside / "socket"))
    servers[1].listen()
    (outside / "secret").write_text("the teacher's secret")
    for path, mode in ((outside, 0o777), (outside / "socket", 0o777), (outside / "secret", 0o644)):
        path.chmod(mode)
    for server in servers:
        server.setblocking(False)
    try:
        yield Surroundings(
            outside,
            victim,
            servers,
            f"left{os.getpid() % 10**6}x{time.monotonic_ns() % 1000:03}",
            resource.prlimit(victim.pid, resource.RLIMIT_NOFILE),
        )
    finally:
        victim.kill()
        victim.communicate()
        for server in servers:
            server.close()
        shutil.rmtree(outside)


def marked(mark: str) -> list[int]:
    """The processes that have this name or argument."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            told = (path / "comm").read_text() + (path / "cmdline").read_text()
            if mark in told and (path / "stat").read_text().rpartition(")")[2].split()[0] != "Z":
                found.append(int(path.name))
        except (OSError, UnicodeDecodeError):
            continue
    return found


def assert_none_left(mark: str) -> None:
    wait_until(lambda: not marked(mark), "no process is left")


@linux_only
def test_attacks_hurt_nobody_and_the_files_are_named(
    tmp_path: Path, surroundings: Surroundings
) -> None:
    contained = {
        name: danger for name, (danger, _) in ATTACKS.items() if available().contains(danger)
    }
    if not contained:
        pytest.skip(f"this machine has no layer of isolation: {available()}")
    for name in contained:
        (tmp_path / f"{name}.py").write_text(surroundings.source(name))
    (tmp_path / "lies.py").write_text("def heuristic(position): return 0\n" + LIES)
    (tmp_path / "anna").mkdir()
    (tmp_path / "anna" / "minimax.py").write_text("this is no Python")
    (tmp_path / "anna-minimax.py").write_text("neither = is this")
    grades = {
        grade.name: grade for grade in grade_folder(tmp_path, GradingSettings(BOUNDS, games=0))
    }
    for name, danger in contained.items():
        assert "cannot be loaded: it raised RuntimeError" in grades[name].note, grades[name]
        assert (
            danger == "processes" or "succeeded" not in grades[name].note
        )  # who signals the first process gets no error
        assert grades[name].points == 0
        surroundings.assert_unharmed(danger)
    assert all("secret" not in grade.printed for grade in grades.values())
    assert "grader's own channel" in grades["lies"].note

    write_feedback(list(grades.values()), tmp_path / "letters")
    letters = [path for path in (tmp_path / "letters").rglob("*") if path.is_file()]
    assert len(letters) == len(grades)
    assert (
        (tmp_path / "letters" / "anna" / "minimax.txt")
        .read_text()
        .startswith("anna/minimax: 0 of 20")
    )
    assert (
        (tmp_path / "letters" / "anna-minimax.txt").read_text().startswith("anna-minimax: 0 of 20")
    )


@linux_only
@pytest.mark.parametrize("layer", ["namespaces", "landlock"])
def test_one_layer_contains_what_it_says_without_the_others(
    layer: Layer, surroundings: Surroundings, monkeypatch: pytest.MonkeyPatch
) -> None:
    if layer not in available().layers:
        pytest.skip(f"this machine does not have it: {available()}")
    isolation = Isolation((layer,))
    monkeypatch.setattr("mnkala.school.process.available", lambda: isolation)
    contained = [name for name, (danger, _) in ATTACKS.items() if isolation.contains(danger)]
    grade = check_file(Submission("eve", surroundings.source(*contained), "heuristic"), BOUNDS)
    assert "cannot be loaded: it raised RuntimeError" in grade.note
    assert "secret" not in grade.printed
    for name in contained:
        surroundings.assert_unharmed(ATTACKS[name][0])


FILLS = "for i in range(5): open(f'{i}.bin', 'wb').write(bytes(8 << 20))"
FILLS_UNSEEN = (
    DISARM
    + "import os\nheld = [os.open('.', os.O_TMPFILE | os.O_RDWR) for _ in range(5)]\nfor file in held: os.write(file, bytes(8 << 20))"
)


@linux_only
@pytest.mark.parametrize(
    ("layers", "body"), [((), FILLS), (("namespaces",), FILLS), (("namespaces",), FILLS_UNSEEN)]
)
def test_the_disk_cannot_be_filled(
    layers: tuple[Layer, ...], body: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not set(layers) <= set(available().layers):
        pytest.skip(f"this machine does not have it: {available()}")
    monkeypatch.setattr("mnkala.school.process.available", lambda: Isolation(layers))
    grade = check_file(
        Submission("eve", f"{body}\ndef heuristic(position): return 0", "heuristic"), BOUNDS
    )
    assert grade.note == "filled its folder: all that it writes may have 32 MB in 1000 files"
    assert grade.points == 0


@linux_only
def test_a_process_that_cannot_be_isolated_does_not_start(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if not available().layers:
        pytest.skip(f"this machine has no layer of isolation: {available()}")
    monkeypatch.setattr(
        "mnkala.school.process.readable_paths", lambda: (str(tmp_path / "nowhere"),)
    )
    with pytest.raises(MnkalaError, match="cannot be isolated by"):
        check_file(Submission("anna", "def heuristic(position): return 0", "heuristic"), BOUNDS)


@linux_only
def test_a_grader_that_is_killed_leaves_no_process(tmp_path: Path) -> None:
    mark = f"left{os.getpid() % 10**6}x{time.monotonic_ns() % 1000:03}"
    source = f"import ctypes, time\nctypes.CDLL(None).prctl(15, b{mark[:4]!r} b{mark[4:]!r})\ntime.sleep(600)\n"
    grader = subprocess.Popen(
        [
            sys.executable,
            "-c",
            f"from mnkala.school.process import *\nStudentProcess({source!r}, 'minimax', Bounds(600)).start()",
        ],
        env=os.environ | {"TMPDIR": str(tmp_path)},
    )
    try:
        wait_until(lambda: marked(mark), "the student's process runs")
    finally:
        grader.kill()
        grader.wait()
    assert_none_left(mark)


def test_the_first_line_says_what_is_not_contained(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "anna.py").write_text("this is no Python")
    monkeypatch.setattr(
        sandbox,
        "available",
        lambda: Isolation(("landlock",), ("namespaces: unshare: not permitted",)),
    )
    assert run(["class", "grade", str(tmp_path), "--games", "0"]) == 0
    first = capsys.readouterr().err.splitlines()[0]
    assert first.startswith(
        "Isolation: landlock, limits, guard. NOT contained here: signals to your processes"
    )
    assert (
        "the network and the sockets of other programs (namespaces: unshare: not permitted)"
        in first
    )
    assert "files" not in first


def test_what_each_set_of_layers_contains() -> None:
    assert "NOT" not in str(Isolation(("namespaces",)))
    assert "your files" in str(Isolation(("user",)))
    assert str(Isolation()).startswith(
        "Isolation: limits, guard. NOT contained here: reading and changing your files"
    )


def test_the_reference_is_hidden_wherever_mnkala_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (
        "python/site-packages/numpy",
        "python/site-packages/mnkala/school",
        "python/site-packages/mnkala/games",
        "python/json",
    ):
        (tmp_path / name).mkdir(parents=True)
    shown = list(
        sandbox._around(str(tmp_path / "python"), tmp_path / "python" / "site-packages" / "mnkala")
    )
    assert [Path(path).relative_to(tmp_path).as_posix() for path in shown] == [
        "python/json",
        "python/site-packages/numpy",
    ]
    school_files = Path(exercises.__file__).parent
    assert not any(
        school_files.is_relative_to(os.path.realpath(path)) for path in sandbox.readable_paths()
    )
