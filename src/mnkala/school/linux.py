"""Calls of the Linux kernel that fence a process in and for which Python has no function, made
through the C library.

Each raises OSError if the kernel refuses. The numbers are those of the kernel's headers; calls
without a function of their own have the same number on every processor. For Landlock, see
`Documentation/userspace-api/landlock.rst` in the kernel's sources.
"""

from __future__ import annotations

import ctypes
import functools
import os
import signal
import struct
from collections.abc import Iterable

NEW_MOUNTS, NEW_IPC, NEW_USER, NEW_PROCESSES, NEW_NETWORK = (
    0x20000,
    0x8000000,
    0x10000000,
    0x20000000,
    0x40000000,
)
"""Flags of `unshare`: what a process can have for itself."""
READ_FILE, READ_FOLDER, WRITE_FILE = 1 << 2, 1 << 3, 1 << 1
"""Access rights of Landlock."""
_EXECUTE = 1 << 0
_FILE_RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
"""All rights on files that each version of Landlock knows, by the version that introduced them."""
_TCP, _SCOPES = 0b11, 0b11
"""Rights that came with version 4 (to bind and connect) and version 6 (abstract sockets, and
signals to processes outside)."""


@functools.cache
def _library() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _call(name: str, *arguments: object) -> int:
    """Call a function of the C library. Integers are passed as longs, as its variadic functions
    require."""
    passed = [
        ctypes.c_ulong(argument) if isinstance(argument, int) else argument
        for argument in arguments
    ]
    result = int(getattr(_library(), name)(*passed))
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, f"{name}: {os.strerror(error)}")
    return result


def unshare(what: int) -> None:
    """Leave these namespaces of the parent process."""
    _call("unshare", what)


def end_with_parent() -> None:
    """Let the kernel kill this process when its parent ends. A change of user undoes this."""
    _call("prctl", 1, int(signal.SIGKILL), 0, 0, 0)


def no_new_privileges() -> None:
    """Never gain rights by executing a program, whatever its owner and mode."""
    _call("prctl", 38, 1, 0, 0, 0)


def drop_capabilities() -> None:
    """Give up all of root's rights except those over its own files."""
    _call("capset", struct.pack("Ii", 0x20080522, 0), bytes(24))


# ---- Mounts ----


def make_mounts_private() -> None:
    """Hide this namespace's mounts from others."""
    _call("mount", None, b"/", None, 0x4000 | 0x40000, None)


def mount_memory(target: str, size: int, files: int) -> None:
    """Mount a file system in memory, limited to so many bytes and files."""
    _call(
        "mount",
        b"tmpfs",
        os.fsencode(target),
        b"tmpfs",
        0x2 | 0x4,
        f"mode=755,size={size},nr_inodes={files}".encode(),
    )


def bind(source: str, target: str) -> None:
    """Mount a file or folder, with everything mounted inside it, in a second place."""
    _call("mount", os.fsencode(source), os.fsencode(target), None, 0x1000 | 0x4000, None)


def make_read_only(target: str) -> None:
    """Make a mount read-only, and ignore set-user-ID bits below it (Linux 5.12)."""
    in_this_folder, recursive, read_only, no_owners_rights = -100, 0x8000, 0x1, 0x2
    attributes = struct.pack("=QQQQ", read_only | no_owners_rights, 0, 0, 0)
    _call(
        "syscall", 442, in_this_folder, os.fsencode(target), recursive, attributes, len(attributes)
    )


# ---- Landlock ----


def landlock_version() -> int:
    """The version of Landlock's interface; raises OSError where there is none."""
    return _call("syscall", 444, None, 0, 1)


def landlock(readable: Iterable[str], writable: Iterable[str]) -> None:
    """Deny this process and its children all other files, all programs and, if the kernel can, TCP
    and signals to the outside."""
    version = landlock_version()
    rights = max(mask for since, mask in _FILE_RIGHTS.items() if since <= version)
    fields = (rights, _TCP, _SCOPES)[: 3 if version >= 6 else 2 if version >= 4 else 1]
    attributes = struct.pack(f"={len(fields)}Q", *fields)
    rules = _call("syscall", 444, attributes, len(attributes), 0)
    try:
        for path in readable:
            _allow(rules, path, READ_FILE | READ_FOLDER if os.path.isdir(path) else READ_FILE)
        for path in writable:
            _allow(
                rules, path, rights & ~_EXECUTE if os.path.isdir(path) else READ_FILE | WRITE_FILE
            )
        _call("syscall", 446, rules, 0)
    finally:
        os.close(rules)


def _allow(rules: int, path: str, rights: int) -> None:
    beneath = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        _call("syscall", 445, rules, 1, struct.pack("=Qi", rights, beneath), 0)
    finally:
        os.close(beneath)
