"""The layers of isolation around a student's process that this machine offers, and how a process
enters them.

None of them needs rights that a normal user lacks, and each works without the others:

- *namespaces*: processes, network, messages and mounts of its own. The process sees a file system
  with Python, the libraries, the games and its own folder; it sees only its own processes, and all
  of them end with the first.
- *user*: if the grader is root, the student's process is `nobody`.
- *landlock*: the kernel denies it all files but the same ones, and all programs.

`available` tries the layers once, in a process of its own, and returns those that work. A student's
process must enter all of these or it does not start: no layer is ever left out silently. `linux.py`
has the calls of the kernel, `guard.py` the limits and the guard on top.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import importlib.util
import os
import shutil
import sys
import sysconfig
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

from mnkala.core.registry import rules_files
from mnkala.errors import MnkalaError
from mnkala.jobs.child import Child, NoLine
from mnkala.school import linux
from mnkala.school.guard import LARGEST_FOLDER, MOST_FILES, SHOWN_PARTS

Layer = Literal["namespaces", "user", "landlock"]
Danger = Literal["files", "processes", "network"]
LAYERS: tuple[Layer, ...] = ("namespaces", "user", "landlock")
CONTAINED_BY: dict[Danger, tuple[Layer, ...]] = {
    "files": ("namespaces", "landlock"),
    "processes": ("namespaces", "user"),
    "network": ("namespaces",),
}
"""The layers that contain each danger; any one of them suffices."""
IN_WORDS: dict[Danger, str] = {
    "files": "reading and changing your files, the reference solution among them",
    "processes": "signals to your processes, this one among them",
    "network": "the network and the sockets of other programs",
}

PACKAGE = Path(__file__).resolve().parents[1]
LIBRARIES = (
    "/lib",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/usr/share/zoneinfo",
    "/etc/ld.so.cache",
    "/nix/store",
    "/gnu/store",
)
DEVICES = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom")
NOBODY = 65534
ROOT_BYTES, ROOT_FILES = 4 << 20, 100_000
"""The size in bytes and files of the file system to which everything else is bound."""
PROBING_SECONDS = 60.0
START = "import sys; sys.path[:] = [sys.argv[1], *sys.path, sys.argv[2]]; from mnkala.school.worker import main; main()"


@dataclasses.dataclass(frozen=True)
class Isolation:
    """The layers that are active on this machine."""

    layers: tuple[Layer, ...] = ()
    refused: tuple[str, ...] = ()
    """The other layers that were tried, and why each does not work here."""

    def contains(self, danger: Danger) -> bool:
        """Whether this danger is contained."""
        return any(layer in self.layers for layer in CONTAINED_BY[danger])

    def __str__(self) -> str:
        """One line for the teacher: the active layers, and the dangers that are not contained."""
        missing = [words for danger, words in IN_WORDS.items() if not self.contains(danger)]
        active = ", ".join((*self.layers, "limits", "guard"))
        if not missing:
            return f"Isolation: {active}. Files outside, other processes and the network are out of reach."
        why = f" ({'; '.join(self.refused)})" if self.refused else ""
        return f"Isolation: {active}. NOT contained here: {'; '.join(missing)}{why}. See docs/class.md."


# ---- In the grader's process ----


@functools.cache
def available() -> Isolation:
    """The layers that work here, found by entering them."""
    if sys.platform != "linux":
        return Isolation()
    folder = new_folder()
    process = None
    try:
        process = Child(command(folder), folder=folder, environment=environment(folder))
        process.tell({"token": "", "probe": readable_paths()})
        found = process.message(PROBING_SECONDS)
    except (OSError, NoLine) as error:
        raise MnkalaError(f"the processes for students' files cannot be started: {error}") from None
    finally:
        if process is not None:
            process.end()
        remove_folder(folder)
    return Isolation(tuple(found["layers"]), tuple(found["refused"]))


def command(folder: str) -> list[str]:
    """The command that starts a student's process in a folder from `new_folder`."""
    return [sys.executable, "-I", "-B", "-c", START, *import_paths(), folder]


def environment(home: str) -> dict[str, str]:
    """The smallest environment that an interpreter needs. NumPy gets one thread, because the
    process may have no more."""
    kept = {
        name: os.environ[name]
        for name in ("PATH", "SYSTEMROOT", "LANG", "LC_ALL")
        if name in os.environ
    }
    return kept | {
        "HOME": home,
        "TMPDIR": home,
        "TEMP": home,
        "TMP": home,
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
    }


def new_folder() -> str:
    """Make a folder with two empty ones: `home`, in which a student's process lives, and `root`,
    where it mounts what it may see."""
    folder = os.path.realpath(tempfile.mkdtemp(prefix="mnkala-class-"))
    _furnish(folder)
    return folder


def _furnish(folder: str) -> None:
    for name in ("home", "root"):
        os.makedirs(os.path.join(folder, name), 0o700)
    os.chmod(folder, 0o711)  # Another user must be able to pass through.


def is_full(folder: str) -> bool:
    """Whether a process has put more into its folder than it may."""
    size = count = 0
    for place, folders, files in os.walk(folder):
        count += len(folders) + len(files)
        if count > MOST_FILES:
            return True
        for file in files:
            with contextlib.suppress(OSError):  # It may be gone already.
                size += os.lstat(os.path.join(place, file)).st_size
    return size > LARGEST_FOLDER


def remove_folder(folder: str) -> None:
    """Remove the folder, whatever the file has put there, without following links."""
    shutil.rmtree(folder, ignore_errors=True)


@functools.cache
def import_paths() -> tuple[str, str]:
    """The import paths of a student's process: this mnkala, which comes first, and NumPy, in case a
    bare interpreter does not find it."""
    numpy = importlib.util.find_spec("numpy")
    assert numpy is not None
    assert numpy.origin is not None
    return str(PACKAGE.parent), str(Path(numpy.origin).parents[1])


@functools.cache
def readable_paths() -> tuple[str, ...]:
    """The files and folders that a student's process may read besides its own: Python, installed
    packages, libraries, the games."""
    python = (sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib"))
    roots = [*LIBRARIES, *python, os.path.join(sys.base_prefix, "lib"), import_paths()[1]]
    shown = [
        path
        for root in dict.fromkeys(roots)
        if os.path.exists(root)
        for path in _around(root, PACKAGE)
    ]
    games = (*(str(PACKAGE / name) for name in SHOWN_PARTS), *sorted(rules_files()))
    return (*dict.fromkeys(shown), *filter(os.path.exists, games), *filter(os.path.exists, DEVICES))


def _around(root: str, hidden: Path) -> Iterator[str]:
    """The root folder or, if something in it must stay hidden, all other parts of it."""
    if not hidden.is_relative_to(os.path.realpath(root)):
        yield root
    elif hidden != Path(root).resolve():
        for child in sorted(os.scandir(os.path.realpath(root)), key=lambda child: child.name):
            yield from _around(child.path, hidden)


# ---- In the student's process ----


def enter(layers: Iterable[Layer], folder: str, readable: Sequence[str]) -> None:
    """Enter all of these layers, or raise OSError.

    Call it before any other thread is started. The process is killed when the thread that started
    it ends, and so are those that it forks here. Only the innermost process returns.
    """
    home, wanted = os.path.join(folder, "home"), frozenset(layers)
    linux.end_with_parent()
    if "user" in wanted:
        for path in (home, *(entry.path for entry in os.scandir(home))):
            os.chown(path, NOBODY, NOBODY)
    if "namespaces" in wanted:
        _leave_namespaces()
        _change_root(os.path.join(folder, "root"), home, readable)
        _go_on_in_child()  # When the first process of the namespace ends, the kernel ends all others.
        _go_on_in_child()  # Nothing that this one does can keep the first from ending.
    if "user" in wanted:
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
        linux.end_with_parent()
    if wanted:
        linux.drop_capabilities()
    linux.no_new_privileges()
    if "landlock" in wanted:
        linux.landlock(readable, [home, os.devnull])


def _leave_namespaces() -> None:
    """Leave the namespaces. Root can do so at once; any other user becomes the only user of a user
    namespace first."""
    own = linux.NEW_MOUNTS | linux.NEW_IPC | linux.NEW_PROCESSES | linux.NEW_NETWORK
    user, group = os.geteuid(), os.getegid()
    if user == 0:
        linux.unshare(own)
        return
    linux.unshare(own | linux.NEW_USER)
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{user} {user} 1"),
        ("gid_map", f"{group} {group} 1"),
    ):
        Path("/proc/self", name).write_text(text)


def _change_root(root: str, home: str, readable: Iterable[str]) -> None:
    """Make a file system that holds what may be read, read-only, and the home, each in its old
    place, and nothing else.

    The home is a file system of bounded size in memory, so nothing that is done in it fills the
    disk.
    """
    linux.make_mounts_private()
    linux.mount_memory(root, ROOT_BYTES, ROOT_FILES)
    for real in sorted({os.path.realpath(path) for path in readable}):
        _show(real, root + real)
    for path in readable:
        if not os.path.lexists(root + path):  # It may be a link on the way to the path.
            os.makedirs(os.path.dirname(root + path), exist_ok=True)
            os.symlink(os.path.realpath(path), root + path)
    os.makedirs(root + home, exist_ok=True)
    linux.make_read_only(root)
    linux.mount_memory(root + home, LARGEST_FOLDER, MOST_FILES)
    shutil.copytree(home, root + home, dirs_exist_ok=True)
    for path in (home, *(entry.path for entry in os.scandir(home))):
        owner = os.stat(path)
        os.chown(root + path, owner.st_uid, owner.st_gid)
    os.chroot(root)
    os.chdir(home)


def _show(source: str, target: str) -> None:
    """Bind a file or folder to a new place, unless a folder that was bound before already shows it."""
    if os.path.lexists(target):
        return
    if os.path.isdir(source):
        os.makedirs(target)
    else:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        Path(target).touch()
    linux.bind(source, target)


def _go_on_in_child() -> None:
    """Fork. The parent only waits, and ends as its child ends: a child killed by signal N gives
    status 128 + N, as in a shell."""
    child = os.fork()
    if child == 0:
        linux.end_with_parent()
        return
    while True:
        ended, status = os.wait()
        if ended == child:
            code = os.waitstatus_to_exitcode(status)
            os._exit(code if code >= 0 else 128 - code)


def probe(folder: str, readable: Sequence[str]) -> dict[str, Any]:
    """Try one layer after the other, each on top of those that worked."""
    layers: list[Layer] = []
    refused = []
    for layer in LAYERS:
        if layer == "user" and os.geteuid() != 0:
            continue  # A normal user is one already.
        reason = _tried((*layers, layer), os.path.join(folder, layer), readable)
        if reason is None:
            layers.append(layer)
        else:
            refused.append(f"{layer}: {reason}")
    return {"layers": layers, "refused": refused}


def _tried(layers: Sequence[Layer], folder: str, readable: Sequence[str]) -> str | None:
    """Enter the layers in a child process; return None if all goes well there, otherwise the
    reason."""
    _furnish(folder)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            enter(layers, folder, readable)
            Path(folder, "home", "note").write_text("can be written")
            for path in readable:
                if not os.access(path, os.R_OK):
                    raise PermissionError(f"{path} cannot be read there")
        except Exception as error:
            os.write(writing, (str(error) or type(error).__name__).encode())
            os._exit(1)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        said = pipe.read().decode("utf-8", "replace")
    _, status = os.waitpid(child, 0)
    return None if status == 0 else said or f"ended with status {os.waitstatus_to_exitcode(status)}"
