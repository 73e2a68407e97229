"""A client that leaves before its answer is there: the handler is called off, and with it the work that it waits for.

A browser that goes to another page, or a program that is killed, closes its connection. Nobody would read the answer, so nobody should
compute it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

from starlette.requests import Request

from mnkala.web.refusals import Closing, Left

T = TypeVar("T")


async def unless_left(request: Request, answer: Awaitable[T]) -> T:
    """What a handler answers, once its request was read; the handler is cancelled if the client leaves before or the server closes."""
    asked = asyncio.ensure_future(answer)
    leaving = asyncio.create_task(_leaving(request))
    try:
        await asyncio.wait({asked, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not asked.done():
            raise Left("the connection was closed before the answer was there")
        return asked.result()
    except asyncio.CancelledError:
        raise Closing("the server is closing") from None
    finally:
        asked.cancel()
        leaving.cancel()


async def _leaving(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
