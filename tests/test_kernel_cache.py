"""Kernels and their cache on disk: whatever has become of a file or of the folder, a kernel gives
the right answer.
"""

from __future__ import annotations

import errno
import os
import threading
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mnkala.native import NativeClass, kernel, native
from mnkala.native.cache import cache_folder
from mnkala.native.disk_cache import CacheWarning, DiskCache
from mnkala.native.objects import PACKAGE, sources_of


def double(number: Any) -> Any:
    """Its machine code differs with the type of the number."""
    return number + number


def worth(thing: Any) -> Any:
    """Calls a method of a native class."""
    return thing.worth()


def adder(amount: int) -> Callable[[int], int]:
    """A kernel that closes over a number."""

    def add(number: int) -> int:
        return number + amount

    return kernel(add)


def answers(compiled: Any) -> tuple[list[float], int]:
    """What `double` says of an int and of a float, and how many of the two were loaded rather than
    compiled.
    """
    return [compiled(3), compiled(1.25)], sum(compiled.stats.cache_hits.values())


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test has an empty cache."""
    monkeypatch.setenv("MNKALA_CACHE_DIR", str(tmp_path))
    return cache_folder()


def test_each_signature_is_compiled_once_and_loaded_ever_after(folder: Path) -> None:
    assert answers(kernel(double)) == ([6, 2.5], 0)
    files = {file: file.stat().st_mtime_ns for file in folder.iterdir()}
    assert len(files) == 2
    assert answers(kernel(double)) == ([6, 2.5], 2)
    assert {file: file.stat().st_mtime_ns for file in folder.iterdir()} == files


def truncate(files: list[Path]) -> None:
    for file in files:
        file.write_bytes(file.read_bytes()[:-100])


def empty(files: list[Path]) -> None:
    for file in files:
        file.write_bytes(b"")


def flip_a_bit(files: list[Path]) -> None:
    for file in files:
        data = bytearray(file.read_bytes())
        data[len(data) // 2] ^= 1
        file.write_bytes(data)


def swap(files: list[Path]) -> None:
    first, second = files
    one, other = first.read_bytes(), second.read_bytes()
    first.write_bytes(other)
    second.write_bytes(one)


@pytest.mark.parametrize("damage", [truncate, empty, flip_a_bit, swap])
def test_damaged_files_are_compiled_again_and_overwritten(
    folder: Path, damage: Callable[[list[Path]], None]
) -> None:
    assert answers(kernel(double)) == ([6, 2.5], 0)
    files = sorted(folder.iterdir())
    damage(files)
    assert answers(kernel(double)) == ([6, 2.5], 0)
    assert answers(kernel(double)) == ([6, 2.5], 2)
    assert sorted(folder.iterdir()) == files


def test_a_whole_entry_that_a_changed_library_cannot_read_is_compiled_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(DiskCache, "load", lambda *_: b"cno_such_module\nthing\n.")
    assert answers(kernel(double)) == ([6, 2.5], 0)


def test_a_full_disk_costs_only_the_cache_and_one_warning_for_all_kernels(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def replace(*paths: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "replace", replace)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert answers(kernel(double)) == ([6, 2.5], 0)
        assert answers(kernel(double)) == ([6, 2.5], 0)
        assert adder(1)(1) == 2
    assert [warning.category for warning in caught] == [CacheWarning]
    assert not list(folder.iterdir())


def test_two_threads_that_need_a_kernel_at_once_both_get_it(folder: Path) -> None:
    compiled, meet, found = (kernel(double), kernel(double)), threading.Barrier(2), []

    def ask(place: int) -> None:
        meet.wait(60)
        found.append(answers(compiled[place])[0])

    threads = [threading.Thread(target=ask, args=(place,)) for place in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [[6, 2.5], [6, 2.5]]
    assert len(list(folder.iterdir())) == 2


def test_kernels_that_close_over_different_values_have_entries_of_their_own(folder: Path) -> None:
    assert [adder(amount)(10) for amount in (1, 2, 1)] == [11, 12, 11]
    assert len(list(folder.iterdir())) == 2


def test_compiled_code_is_stamped_with_all_that_it_may_call_and_with_nothing_of_another_family() -> (
    None
):
    homes = ("families/kalah", "families/lines", "families/connect")
    kernels = (
        "families/kalah/solver/search.py",
        "families/lines/engine/search.py",
        "families/connect/solver/search.py",
    )
    stamped = [
        {str(file.relative_to(PACKAGE)) for file in sources_of(PACKAGE / kernel)}
        for kernel in kernels
    ]
    assert {
        "families/kalah/solver/shallow_search.py",
        "families/kalah/solver/weights.py",
        "solve/table.py",
    } <= stamped[0]
    assert "families/lines/engine/patterns.py" in stamped[1]
    for each, home in zip(stamped, homes, strict=True):
        assert {other for other in homes if any(name.startswith(f"{other}/") for name in each)} == {
            home
        }


def test_a_kernel_typed_at_a_prompt_is_compiled_but_not_kept(folder: Path) -> None:
    names: dict[str, Any] = {}
    exec("def triple(number):\n    return 3 * number", names)
    assert kernel(names["triple"])(2) == 6
    assert not folder.exists()


def test_a_class_typed_at_a_prompt_and_typed_again_is_never_taken_for_its_older_self(
    folder: Path,
) -> None:
    compiled, answers = kernel(worth), []
    for amount in (1, 2):
        names: dict[str, Any] = {
            "__name__": "a_prompt",
            "native": native,
            "NativeClass": NativeClass,
        }
        exec(
            f"@native\nclass Coin(NativeClass):\n    def worth(self):\n        return {amount}",
            names,
        )
        answers += [compiled(names["Coin"]()), kernel(worth)(names["Coin"]())]
    assert answers == [1, 1, 2, 2]
    assert not folder.exists()
