"""The cache of byte strings: processes that save at once, damaged files, full disks, and entries
that nobody uses any more.
"""

from __future__ import annotations

import errno
import multiprocessing
import os
import threading
import time
import warnings
from collections.abc import Callable
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest

from mnkala.native import disk_cache
from mnkala.native.disk_cache import DAY, UNUSED_FOR, CacheWarning, DiskCache

ROUNDS = 200
PATIENCE = 120.0
"""Seconds that one of two may wait for the other on a busy machine."""


def payload_of(key: str) -> bytes:
    """What is saved under a key: recognisable, and several pages long."""
    return f"machine code of {key};".encode() * 500


def save_all(folder: Path, own: str, other: str, meet: Barrier | threading.Barrier) -> None:
    """Save key after key at the same moment as somebody else, who saves other keys of the same
    kernel and one key in common.
    """
    cache = DiskCache(folder)
    for i in range(ROUNDS):
        meet.wait(PATIENCE)
        cache.save("kernel", f"{own} {i}", payload_of(f"{own} {i}"))
        cache.save("kernel", "common", payload_of("common"))
        seen = cache.load("kernel", f"{other} {i}")
        assert seen in (None, payload_of(f"{other} {i}")), (
            "an entry is there as a whole, or not at all"
        )
        assert cache.load("kernel", "common") == payload_of("common")


def check_all(folder: Path) -> None:
    """Everything that two have saved is there, in its place, and nothing else."""
    cache = DiskCache(folder)
    for key in ("common", *(f"{who} {i}" for who in ("int64", "float64") for i in range(ROUNDS))):
        assert cache.load("kernel", key) == payload_of(key), key
    assert len(list(folder.iterdir())) == 2 * ROUNDS + 1, "no temporary file is left"


def test_two_processes_that_save_at_once_hundreds_of_times_keep_every_entry_under_its_key(
    tmp_path: Path,
) -> None:
    spawning = multiprocessing.get_context("spawn")
    meet = spawning.Barrier(2)
    processes = [
        spawning.Process(target=save_all, args=(tmp_path, own, other, meet), daemon=True)
        for own, other in (("int64", "float64"), ("float64", "int64"))
    ]
    for process in processes:
        process.start()
    for process in processes:
        process.join(PATIENCE)
    assert [process.exitcode for process in processes] == [0, 0]
    check_all(tmp_path)


def test_two_threads_that_save_at_once_keep_every_entry_under_its_key(tmp_path: Path) -> None:
    meet = threading.Barrier(2)
    threads = [
        threading.Thread(target=save_all, args=(tmp_path, own, other, meet))
        for own, other in (("int64", "float64"), ("float64", "int64"))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    check_all(tmp_path)


def the_file(folder: Path) -> Path:
    """The one file of a folder."""
    (file,) = folder.iterdir()
    return file


def flip_a_bit(data: bytes, place: int) -> bytes:
    """The same bytes but for one bit."""
    return data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda data: b"", id="empty"),
        pytest.param(lambda data: data[:10], id="only-the-beginning"),
        pytest.param(lambda data: data[:-1], id="truncated"),
        pytest.param(lambda data: data + b"\0", id="too-long"),
        pytest.param(lambda data: b"\0" * len(data), id="zeros"),
        pytest.param(lambda data: b"\x80\x04N." + data, id="foreign"),
        pytest.param(lambda data: flip_a_bit(data, 0), id="bit-of-the-format"),
        pytest.param(
            lambda data: flip_a_bit(data, len(disk_cache.MAGIC)), id="bit-of-the-checksum"
        ),
        pytest.param(lambda data: flip_a_bit(data, data.index(b"int64")), id="bit-of-the-key"),
        pytest.param(lambda data: flip_a_bit(data, len(data) // 2), id="bit-of-the-payload"),
    ],
)
def test_a_damaged_file_is_no_entry_and_is_overwritten(
    tmp_path: Path, damage: Callable[[bytes], bytes]
) -> None:
    cache = DiskCache(tmp_path)
    cache.save("kernel", "int64", payload_of("int64"))
    file = the_file(tmp_path)
    file.write_bytes(damage(file.read_bytes()))
    assert cache.load("kernel", "int64") is None
    cache.save("kernel", "int64", payload_of("int64"))
    assert cache.load("kernel", "int64") == payload_of("int64")
    assert the_file(tmp_path) == file


def test_a_file_in_the_place_of_another_is_noticed_by_its_key(tmp_path: Path) -> None:
    cache = DiskCache(tmp_path)
    cache.save("kernel", "int64", payload_of("int64"))
    int_file = the_file(tmp_path)
    cache.save("kernel", "float64", payload_of("float64"))
    (float_file,) = set(tmp_path.iterdir()) - {int_file}
    float_file.replace(int_file)
    assert cache.load("kernel", "int64") is None
    assert cache.load("kernel", "float64") is None


def refuse(code: int) -> Callable[..., None]:
    """A system call that fails."""

    def call(*arguments: object) -> None:
        raise OSError(code, os.strerror(code))

    return call


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EACCES, errno.EROFS])
def test_a_disk_that_takes_nothing_costs_the_entry_and_one_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    cache = DiskCache(tmp_path)
    with monkeypatch.context() as patched, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        patched.setattr(os, "replace", refuse(code))
        for key in ("int64", "float64", "int64"):
            cache.save("kernel", key, payload_of(key))
    assert [str(warning.message) for warning in caught] == [
        f"the cache {tmp_path} cannot be written: {os.strerror(code)}"
    ]
    assert not list(tmp_path.iterdir()), "no temporary file is left"
    assert cache.load("kernel", "int64") is None
    cache.save("kernel", "int64", payload_of("int64"))
    assert cache.load("kernel", "int64") == payload_of("int64"), (
        "once there is room again, entries are kept again"
    )


def test_a_disk_that_is_full_in_the_middle_of_a_file_leaves_nothing_behind(tmp_path: Path) -> None:
    resource = pytest.importorskip(
        "resource", reason="a limit on the size of files is a thing of Unix"
    )
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    cache = DiskCache(tmp_path / "cache")
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
    try:
        with pytest.warns(CacheWarning):
            cache.save("kernel", "int64", payload_of("int64"))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert not list(cache.folder.iterdir())


@pytest.mark.parametrize("folder", ["a-file", "a-file/folder"])
def test_a_folder_that_cannot_be_made_costs_only_the_cache(tmp_path: Path, folder: str) -> None:
    (tmp_path / "a-file").write_text("not a folder")
    cache = DiskCache(tmp_path / folder)
    with pytest.warns(CacheWarning, match="cannot be written"):
        cache.save("kernel", "int64", payload_of("int64"))
    assert cache.load("kernel", "int64") is None


def test_an_entry_that_windows_does_not_replace_because_it_is_being_read_is_as_good(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = DiskCache(tmp_path)
    cache.save("kernel", "int64", payload_of("int64"))
    monkeypatch.setattr(os, "replace", refuse(errno.EACCES))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cache.save("kernel", "int64", payload_of("int64"))
    assert cache.load("kernel", "int64") == payload_of("int64")


def age(file: Path, seconds: float) -> None:
    """Make a file look as if it was last used that long ago."""
    os.utime(file, (time.time() - seconds, time.time() - seconds))


def test_what_nobody_used_for_weeks_is_removed_and_what_is_used_stays(tmp_path: Path) -> None:
    cache = DiskCache(tmp_path)
    for key in ("used", "unused"):
        cache.save("kernel", key, payload_of(key))
    (tmp_path / "kernel-of-an-older-version.nbi").write_bytes(b"index")
    (tmp_path / "kernel-1234.nbc.tmp.5678").write_bytes(b"of a process that was killed")
    for file in tmp_path.iterdir():
        age(file, UNUSED_FOR + DAY)
    assert DiskCache(tmp_path).load("kernel", "used") == payload_of("used")
    DiskCache(tmp_path).save("kernel", "new", payload_of("new"))
    assert len(list(tmp_path.iterdir())) == 2
    assert [cache.load("kernel", key) is not None for key in ("used", "new", "unused")] == [
        True,
        True,
        False,
    ]


def test_a_folder_that_grew_too_large_loses_the_least_recently_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache, keys = DiskCache(tmp_path), [f"key {i}" for i in range(5)]
    for days, key in enumerate(keys):
        known = set(tmp_path.iterdir())
        cache.save("kernel", key, payload_of(key))
        (added,) = set(tmp_path.iterdir()) - known
        age(added, days * DAY)
    monkeypatch.setattr(disk_cache, "LARGEST", 3.5 * added.stat().st_size)
    DiskCache(tmp_path).save("kernel", "newest", payload_of("newest"))
    assert [cache.load("kernel", key) is not None for key in ("newest", *keys)] == [
        True,
        True,
        True,
        False,
        False,
        False,
    ]


def test_an_entry_that_another_process_removes_meanwhile_is_just_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = DiskCache(tmp_path)
    cache.save("kernel", "old", payload_of("old"))
    age(the_file(tmp_path), UNUSED_FOR + DAY)
    monkeypatch.setattr(os, "unlink", refuse(errno.ENOENT))
    monkeypatch.setattr(os, "utime", refuse(errno.ENOENT))
    DiskCache(tmp_path).save("kernel", "new", payload_of("new"))
    assert cache.load("kernel", "old") == payload_of("old")
