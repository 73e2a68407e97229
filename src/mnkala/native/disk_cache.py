"""Bytes on disk by key, shared by any number of processes without a lock: one file for each
entry, and no index that two processes could write at once.

A file is named by the digest of its key, written beside its place and renamed into it, so a
reader sees all of it or nothing. It begins with its key and a checksum: what a crash, a bad disk
or another program left there does not count as an entry. Nothing here ever fails: an unreadable
entry does not exist, and an entry that cannot be written costs a warning.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import threading
import time
import uuid
import warnings
import zlib
from pathlib import Path

MAGIC = b"mnkala cache 1\n"
"""How each file begins; the number is that of the format."""
HEADING_LENGTH = len(MAGIC) + 4
DAY = 24 * 60 * 60
UNUSED_FOR = 8 * 7 * DAY
"""The seconds after which an unused entry is removed, such as that of an older version, an
edited source, or a plug-in that is gone."""
LARGEST = 512 << 20
"""The most bytes in a folder, some fifteen versions of everything that can be compiled; the
least recently used entries are removed first."""


class CacheWarning(UserWarning):
    """A warning that the cache cannot be written."""


class DiskCache:
    """A folder of entries, each a file of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = threading.Lock()
        self._warned = False
        self._swept = False

    def load(self, name: str, key: str) -> bytes | None:
        """The bytes saved under this name and key, or None. Reading an entry renews its
        modification time at most once a day.
        """
        path = self._path(name, key)
        try:
            with path.open("rb") as file:
                data, used = file.read(), os.fstat(file.fileno()).st_mtime
        except OSError:
            return None
        payload = _unpack(key, data)
        if payload is not None and time.time() - used > DAY:
            with contextlib.suppress(OSError):
                os.utime(path)
        return payload

    def save(self, name: str, key: str, payload: bytes) -> None:
        """Save `payload`. The name is for people who look into the folder; the key alone must
        distinguish the entry from all others."""
        path = self._path(name, key)
        partial = path.with_name(f"{path.name}.tmp.{uuid.uuid4().hex[:16]}")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            partial.write_bytes(_pack(key, payload))
            os.replace(partial, path)
        except OSError as error:
            # Windows does not replace a file that is being read: then another process has saved the
            # same entry.
            if not (isinstance(error, PermissionError) and path.exists()):
                self._warn(error)
        else:
            self._sweep()
        finally:
            with contextlib.suppress(OSError):
                partial.unlink()

    def _path(self, name: str, key: str) -> Path:
        return self.folder / f"{name}-{hashlib.sha256(key.encode()).hexdigest()[:32]}.nbc"

    def _warn(self, error: OSError) -> None:
        with self._lock:
            first, self._warned = not self._warned, True
        if first:
            warnings.warn(
                f"the cache {self.folder} cannot be written: {error.strerror or error}",
                CacheWarning,
                stacklevel=2,
            )

    def _sweep(self) -> None:
        """Remove what is old or too much, once in each process, and only in one that has just
        compiled something and so has time.

        Another process may be using a removed entry: it has read it already, or compiles it
        again.
        """
        with self._lock:
            first, self._swept = not self._swept, True
        if not first:
            return
        files: list[tuple[float, int, str]] = []
        with contextlib.suppress(OSError), os.scandir(self.folder) as listing:
            for file in listing:
                with contextlib.suppress(OSError):
                    facts = file.stat(follow_symlinks=False)
                    files.append((facts.st_mtime, facts.st_size, file.path))
        total, oldest = 0, time.time() - UNUSED_FOR
        for used, size, path in sorted(files, reverse=True):
            total += size
            if used < oldest or total > LARGEST:
                with contextlib.suppress(OSError):
                    os.unlink(path)


def _pack(key: str, payload: bytes) -> bytes:
    body = key.encode() + b"\0" + payload
    return _heading(body) + body


def _unpack(key: str, data: bytes) -> bytes | None:
    """The payload, or None for a file that is damaged or belongs to another key."""
    body, begin = memoryview(data)[HEADING_LENGTH:], key.encode() + b"\0"
    whole = data[:HEADING_LENGTH] == _heading(body)
    return bytes(body[len(begin) :]) if whole and body[: len(begin)] == begin else None


def _heading(body: bytes | memoryview) -> bytes:
    """A checksum against damage, not against malice: a strong digest would cost as much as all the
    rest of loading.
    """
    return MAGIC + zlib.crc32(body).to_bytes(4, "big")
