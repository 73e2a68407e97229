"""Locks of the operating system, which vanish with the process that holds them however that ends:
nothing stale is ever left.
"""

from __future__ import annotations

import errno
import os
import sys

LOCKED_BYTE = 1 << 20
"""The byte that is locked, which lies beyond the text, because nobody else can read what Windows
has locked."""
HELD_BY_ANOTHER = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)
"""The error numbers of the system for a lock that another process holds."""

if sys.platform == "win32":
    import msvcrt

    def lock(file: int) -> None:
        """Lock an open file for this process, or raise OSError at once."""
        os.lseek(file, LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        finally:
            os.lseek(file, 0, os.SEEK_SET)
else:
    import fcntl

    def lock(file: int) -> None:
        """Lock an open file for this process, or raise OSError at once."""
        # A lock of the process and not of the open file: a child that outlives the server must not
        # hold it.
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, LOCKED_BYTE)
