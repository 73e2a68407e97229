"""Settings for all tests, and the fixtures that test modules share: a server, a browser and its
visitors, a brisk terminal.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.browser import BrowserAtHand, Visitor
    from tests.web_server import Server

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell starts what runs in its background so, and the processes that tests send Ctrl-C to
    # would inherit it and be deaf.
    signal.signal(signal.SIGINT, signal.default_int_handler)
settings.register_profile("mnkala", deadline=None, max_examples=50)
settings.load_profile("mnkala")


@pytest.fixture(scope="session", autouse=True)
def data_of_the_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Games that tests play are not the user's."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("MNKALA_DATA_DIR", str(tmp_path_factory.mktemp("data")))
        yield


@pytest.fixture(scope="module", autouse=True)
def what_a_module_registers_is_forgotten() -> Iterator[None]:
    """Games and heuristics of one test module are unknown in the next."""
    from mnkala.core.registry import forgetting

    with forgetting():
        yield


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of the page, with two plug-ins, for all tests: to start one takes seconds."""
    from tests.web_server import running

    with running(
        tmp_path_factory.mktemp("page"), MNKALA_PLUGINS="domineering,breakthrough"
    ) as started:
        yield started


@pytest.fixture(scope="session")
def one_browser() -> Iterator[BrowserAtHand]:
    """The browser of all tests."""
    from tests.browser import BrowserAtHand

    with BrowserAtHand() as started:
        yield started


@pytest.fixture(scope="module")
def browser(one_browser: BrowserAtHand) -> Iterator[Browser]:
    """A running browser."""
    with one_browser.at_work() as running:
        yield running


@pytest.fixture(scope="module")
def at_a_desk(browser: Browser, one_browser: BrowserAtHand, server: Server) -> Visitor:
    """One person for all tests."""
    return one_browser.visitor("desk", server)


@pytest.fixture(scope="module")
def with_a_phone(browser: Browser, one_browser: BrowserAtHand, server: Server) -> Visitor:
    """Another one."""
    from tests.browser import PHONE

    return one_browser.visitor("phone", server, viewport=PHONE, has_touch=True, is_mobile=True)


@pytest.fixture
def ann(at_a_desk: Visitor) -> Iterator[Visitor]:
    """A person at the browser who has not been here before, and who must hear no complaint of the
    console.
    """
    at_a_desk.start_anew()
    yield at_a_desk
    at_a_desk.check_complaints()


@pytest.fixture
def phone(with_a_phone: Visitor) -> Iterator[Visitor]:
    """The same with a phone."""
    with_a_phone.start_anew()
    yield with_a_phone
    with_a_phone.check_complaints()


@pytest.fixture
def games_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Games are kept here."""
    monkeypatch.setenv("MNKALA_DATA_DIR", str(tmp_path))
    return tmp_path


@pytest.fixture
def brisk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Textual's pilot waits after each key until the processor is idle, up to two seconds; but here
    engines work all the time.
    """

    async def breathe(*_: float) -> None:
        await asyncio.sleep(0.001)

    monkeypatch.setattr("textual.app.wait_for_idle", breathe)
    monkeypatch.setattr("textual.pilot.wait_for_idle", breathe)
