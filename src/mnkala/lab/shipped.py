"""The rows of the report that comes with the package: one packed file, from which the page, `--data shipped` and docs/report are made.

`python -m mnkala.lab.shipped pack FILE` ships the rows of all studies in a file of results, `unpack FILE` writes them into one, so that
`mnkala lab run all --stale --data FILE` can measure again what an older engine measured.
"""

from __future__ import annotations

import lzma
import sys
from collections.abc import Sequence
from importlib import resources
from pathlib import Path

from mnkala.errors import MnkalaError
from mnkala.folders import file_errors
from mnkala.jobs import Store
from mnkala.numbers import counted

SHIPPED = "shipped"
"""What `--data` calls these rows; a file of that name is ./shipped."""
PACKED = "data/report.sqlite.xz"


def open_shipped() -> Store:
    """The rows, in memory: some hundredths of a second."""
    packed = resources.files("mnkala.lab").joinpath(PACKED)
    with file_errors(PACKED, "read"):
        try:
            content = lzma.decompress(packed.read_bytes())
        except lzma.LZMAError as error:
            raise MnkalaError(f"{PACKED} of the package is damaged: {error}") from None
    return Store(PACKED, content)


def pack(data: Path, packed: Path | None = None) -> int:
    """Ship the rows of the full runs of all studies that a file of results holds; how many."""
    from mnkala.lab.study_file import all_studies

    if not data.is_file():
        raise MnkalaError(f"there is no file {data}")
    with Store(data) as store:
        wanted = sorted({work.key for study in all_studies() for work in study.work()})
        keys = list(store.outcomes(wanted))
        content = lzma.compress(store.as_bytes(keys), preset=9 | lzma.PRESET_EXTREME)
    target = packed or Path(str(resources.files("mnkala.lab").joinpath(PACKED)))
    with file_errors(target, "written"):
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    return len(keys)


def unpack(data: Path) -> int:
    """Write the shipped rows into a new file of results; how many."""
    if data.exists():
        raise MnkalaError(f"{data} is there already; choose another name")
    with open_shipped() as store, file_errors(data, "written"):
        keys = [outcome.key for outcome in store.all()]
        data.parent.mkdir(parents=True, exist_ok=True)
        data.write_bytes(store.as_bytes(keys))
    return len(keys)


def main(words: Sequence[str]) -> int:
    """The command line of this module."""
    if len(words) != 2 or words[0] not in ("pack", "unpack"):
        print("python -m mnkala.lab.shipped pack|unpack FILE", file=sys.stderr)
        return 2
    try:
        print(counted((pack if words[0] == "pack" else unpack)(Path(words[1])), "job"))
    except MnkalaError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
