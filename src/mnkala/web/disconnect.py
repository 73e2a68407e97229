"""Cancels the handler of a request, and with it the work that it waits for, when the client disconnects.

A browser that goes to another page, or a program that is killed, closes its connection. Nobody would read the answer, so nobody should
compute it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

from starlette.requests import Request

from mnkala.web.http_errors import ClientLeft, ShuttingDown

T = TypeVar("T")


async def cancel_on_disconnect(request: Request, answer: Awaitable[T]) -> T:
    """What a handler answers, once its request was read; the handler is cancelled if the client leaves before or the server closes."""
    asked = asyncio.ensure_future(answer)
    leaving = asyncio.create_task(_leaving(request))
    try:
        await asyncio.wait({asked, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not asked.done():
            raise ClientLeft("the connection was closed before the answer was there")
        return asked.result()
    except asyncio.CancelledError:
        raise ShuttingDown("the server is closing") from None
    finally:
        asked.cancel()
        leaving.cancel()


async def _leaving(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
