"""Schemathesis against the real server: whatever its description allows or forbids, the server
answers as described and never fails.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, seed, settings
from schemathesis.checks import CHECKS

from mnkala.web.openapi import description
from tests.web_server import Person, Server, running


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("schema")) as started:
        yield started


@pytest.fixture(scope="module", autouse=True)
def no_garbage_collection() -> Iterator[None]:
    """Hypothesis reads source code with `ast` while it draws. CPython 3.11 ends that with a
    SystemError ("AST constructor recursion depth mismatch", python/cpython#106905) if other code
    runs in its midst, as the callbacks of a collection do: seen once.
    """
    gc.disable()
    yield
    gc.enable()


REFUSALS = ["400", "401", "403", "404", "413", "415", "422", "429", "503"]
"""Of what the schema forbids; a text that is too long may make a body that is too large before it
is read.
"""
CONFIG = schemathesis.Config.from_dict(
    {
        "request-timeout": 120,  # a busy machine is slow, and slowness is no fault of the answer
        "checks": {"negative_data_rejection": {"expected-statuses": REFUSALS}},
    }
)
schema = schemathesis.openapi.from_dict(json.loads(description()), config=CONFIG)


def trying(examples: int, *phases: Phase) -> settings:
    """So many requests of every kind; in the explicit phase also one for each bound of each value,
    some hundreds in all.
    """
    return settings(
        max_examples=examples, deadline=None, phases=phases, suppress_health_check=list(HealthCheck)
    )


@schema.parametrize()
@seed(20261115)
@trying(8, Phase.generate)
def test_every_request_is_answered_as_described(case: schemathesis.Case, server: Server) -> None:
    check(case, server)


@pytest.mark.slow
@schema.parametrize()
@seed(20261116)
@trying(30, Phase.explicit, Phase.generate)
def test_every_one_of_many_requests_is_answered_as_described(
    case: schemathesis.Case, server: Server
) -> None:
    check(case, server)


def check(case: schemathesis.Case, server: Server) -> None:
    known = Person(server)
    # Strings that the schema allows may still name no game or no move: such a refusal (400) is as
    # described.
    excluded: list[Any] = [
        CHECKS.get_one(name)
        for name in ("positive_data_acceptance", "ignored_auth", "missing_required_header")
    ]
    case.call_and_validate(
        headers={"Authorization": f"Bearer {known.secret}"},
        base_url=server.address,
        excluded_checks=excluded,
    )
