"""Settings for all tests, and what the tests of the page share: a server, a browser, a visitor."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.browser import Visitor
    from tests.web_server import Server

settings.register_profile("mnkala", deadline=None, max_examples=50)
settings.load_profile("mnkala")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of the page, with a plug-in."""
    from tests.web_server import running

    with running(tmp_path_factory.mktemp("page"), MNKALA_PLUGINS="domineering") as started:
        yield started


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A running browser."""
    from tests.browser import chromium

    with chromium() as started:
        yield started


@pytest.fixture
def ann(browser: Browser, server: Server) -> Iterator[Visitor]:
    """A person at the browser, who must hear no complaint of the console."""
    from tests.browser import Visitor

    visitor = Visitor(browser, server)
    yield visitor
    visitor.close()
