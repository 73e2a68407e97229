"""The small process that stands between us and a program, and ends the program together with
everything that it started.

`child.py` runs this file as `python -I -S supervisor.py SOCKET PROGRAM ARGUMENT…`, and holds the
other end of the socket. The supervisor starts the program, which speaks with us directly, over the
standard streams. When the program ends, when the socket closes or when a signal asks for it, all
that still runs below is killed, and the supervisor ends as the program did. The socket closes also
when we are killed ourselves: the system sees to that, while nothing that a killed process meant to
do would happen.

On Linux the supervisor is a *subreaper* (prctl(2)): a process that has lost its parent becomes its
child and not that of process 1, so neither `setsid` nor a double fork leads out of its reach. If
the supervisor itself is killed, the program dies too. That signal comes when the *thread* that
forked ends, which is why it is asked for here, where there is one thread. Elsewhere (macOS) only
the group of the program's processes is found. This file imports nothing of mnkala, so that it
starts at once.
"""

import contextlib
import os
import resource
import select
import signal
import sys
from collections.abc import Callable

SET_SIGNAL_OF_PARENTS_DEATH, SET_SUBREAPER = 1, 36
"""Options of the system call prctl."""
ASK_TO_END = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
IGNORED_BY_PYTHON = (signal.SIGPIPE, signal.SIGXFSZ)
CANNOT_BE_RUN = 127
"""The exit status for a program that cannot be run, as in every shell."""


def main() -> None:
    """Start the program, and stay until it and every process that it started have ended."""
    manager, command = int(sys.argv[1]), sys.argv[2:]
    prctl = system_call()
    prctl(SET_SUBREAPER, 1)
    os.set_inheritable(manager, False)
    signals, signalled = os.pipe()
    for end in (signals, signalled):
        os.set_blocking(end, False)
    signal.set_wakeup_fd(signalled, warn_on_full_buffer=False)
    for number in (signal.SIGCHLD, *ASK_TO_END):
        signal.signal(number, lambda *_: None)
    program = start(command, manager, prctl)
    status = None
    while status is None:
        ready, _, _ = select.select([manager, signals], [], [])
        asked = set(os.read(signals, 1 << 10)) if signals in ready else set[int]()
        status = reaped(program)
        if manager in ready or asked.intersection(ASK_TO_END):
            break
    end_as(end_all(program, status))


def system_call() -> Callable[[int, int], None]:
    """Return the system call `prctl` as a function; on systems other than Linux, one that does
    nothing."""
    if sys.platform != "linux":
        return lambda what, value: None
    import ctypes

    library = ctypes.CDLL(None)

    def prctl(what: int, value: int) -> None:
        library.prctl(what, ctypes.c_ulong(value), *[ctypes.c_ulong(0)] * 3)

    return prctl


def start(command: list[str], manager: int, prctl: Callable[[int, int], None]) -> int:
    """Start the program in a session of its own and report to the manager whether it could be run:
    an error number, or 0.

    The supervisor then closes its own standard streams, so that they end when the program closes
    them.
    """
    reading, writing = os.pipe()
    own = os.getpid()
    program = os.fork()
    if program == 0:
        os.setsid()
        prctl(SET_SIGNAL_OF_PARENTS_DEATH, signal.SIGKILL)
        if os.getppid() != own:
            os._exit(CANNOT_BE_RUN)
        for number in IGNORED_BY_PYTHON:
            signal.signal(number, signal.SIG_DFL)
        try:
            os.execvp(command[0], command)
        except OSError as error:
            os.write(writing, str(error.errno).encode())
        os._exit(CANNOT_BE_RUN)
    os.close(writing)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
    with contextlib.suppress(OSError):  # The manager may already be gone.
        os.write(manager, os.read(reading, 16) or b"0")
    return program


def reaped(program: int) -> int | None:
    """Collect all child processes that have ended; return the exit status of the program if it is
    among them."""
    status = None
    with contextlib.suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            if ended[0] == program:
                status = ended[1]
    return status


def end_all(program: int, status: int | None) -> int | None:
    """Kill all descendants until none is left; return the program's exit status. A process that
    forks meanwhile is found in the next round."""
    while True:
        if status is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(program, signal.SIGKILL)
        kill(descendants(os.getpid()))
        try:
            ended, how = os.waitpid(-1, 0)
        except ChildProcessError:
            return status
        if ended == program:
            status = how


def descendants(ancestor: int) -> list[int]:
    """All descendants of a process, where the system lists processes as Linux does; otherwise an
    empty list."""
    parents: dict[int, int] = {}
    for process in filter(str.isdigit, os.listdir("/proc") if os.path.isdir("/proc") else ()):
        with (
            contextlib.suppress(OSError, ValueError, IndexError),
            open(f"/proc/{process}/stat", "rb") as told,
        ):
            parents[int(process)] = int(told.read().rpartition(b")")[2].split()[1])
    found, level = list[int](), {ancestor}
    while level := {child for child, parent in parents.items() if parent in level}:
        found += level
    return found


def kill(processes: list[int]) -> None:
    """Kill these processes; some may already have ended."""
    for process in processes:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(process, signal.SIGKILL)


def end_as(status: int | None) -> None:
    """End with the same signal or exit status as the program, so that whoever waits sees no
    difference."""
    code = CANNOT_BE_RUN if status is None else os.waitstatus_to_exitcode(status)
    if code < 0:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with contextlib.suppress(OSError):  # SIGKILL cannot be handled.
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)


if __name__ == "__main__":
    main()
