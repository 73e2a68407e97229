"""The files of the page. Their address changes with them, so that a browser that has them asks for none again: a page is some eighty
modules, and each would cost a request whenever it is loaded. Only index.html, which names the address, is asked for every time."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

from starlette.responses import HTMLResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

STATIC = Path(__file__).parent / "static"
PLACE = "as"
"""The files are at PLACE/STAMP/NAME; without the two in front they are there too, but not to be kept."""
FOR_GOOD = "public, max-age=31536000, immutable"
FILE_OF_THE_PAGE = re.compile(r'((?:href|src)=")(?=\w+\.(?:css|js|svg)")')


class PageFiles(StaticFiles):
    """Answers for the files with a stamp in front of their name, and for index.html."""

    def __init__(self) -> None:
        super().__init__(directory=STATIC)
        self._stamp = ""

    def index(self) -> Response:
        """The page itself. What was edited since it was last asked for has a new address."""
        self._stamp = _stamp()
        text = (STATIC / "index.html").read_text(encoding="utf-8")
        return HTMLResponse(FILE_OF_THE_PAGE.sub(rf"\g<1>{PLACE}/{self._stamp}/", text), headers={"Cache-Control": "no-cache"})

    def file_response(self, full_path: str | os.PathLike[str], stat_result: os.stat_result, scope: Scope,
                      status_code: int = 200) -> Response:
        answer = super().file_response(full_path, stat_result, scope, status_code)
        if scope["path_params"].get("stamp") == self._stamp:  # else a page from before an update asks: what it gets is not what it means
            answer.headers["Cache-Control"] = FOR_GOOD
        return answer


def _stamp() -> str:
    """Tells one state of the files from another, by their names, sizes and times."""
    found = sorted((entry.name, entry.stat().st_size, entry.stat().st_mtime_ns) for entry in os.scandir(STATIC))
    return hashlib.sha256(repr(found).encode()).hexdigest()[:12]
