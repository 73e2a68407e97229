"""The OpenAPI 3.1 description, made from the table of routes and the types of the messages."""

from __future__ import annotations

import functools
import re
from typing import Any

import msgspec

from mnkala import __version__
from mnkala.web.messages import Problem, SocketAnswer
from mnkala.web.requests import SocketRequest
from mnkala.web.routes import JSON, ROUTES, Route

BASE = "/api/v1"
ALWAYS = {
    400: "What was sent cannot be read, or is not allowed by the rules of the game",
    429: "Too much is waiting, or too many actions in a second",
    503: "The server is full, or another program holds the file of games",
    507: "The disk is full: nothing was saved",
}


@functools.cache
def description() -> bytes:
    """The whole description as JSON."""
    types = [
        Problem,
        SocketRequest,
        SocketAnswer,
        *(kind for route in ROUTES for kind in (route.body, route.answer) if kind is not None),
    ]
    schemas, components = msgspec.json.schema_components(
        types, ref_template="#/components/schemas/{name}"
    )
    by_type = {repr(kind): schema for kind, schema in zip(types, schemas, strict=True)}
    paths: dict[str, dict[str, Any]] = {}
    for route in ROUTES:
        paths.setdefault(BASE + route.path, {})[route.method.lower()] = _operation(route, by_type)
    whole = {
        "openapi": "3.1.0",
        "info": {
            "title": "mnkala",
            "version": __version__,
            "summary": "Two-player board games: play, analyse, review",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "paths": paths,
        "x-websocket": {
            "path": f"{BASE}/live",
            "description": "JSON messages, each with its type; the first one is hello",
            "receives": by_type[repr(SocketRequest)],
            "sends": by_type[repr(SocketAnswer)],
        },
        "components": {
            "schemas": components,
            "securitySchemes": {
                "secret": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "A secret that the client makes up: 32 to 64 of A-Z, a-z, 0-9, '-', '_'",
                }
            },
        },
    }
    return msgspec.json.encode(whole)


def _operation(route: Route, by_type: dict[str, Any]) -> dict[str, Any]:
    problem = {"content": {JSON: {"schema": by_type[repr(Problem)]}}}
    answers: dict[str, Any] = {str(route.status): _answer(route, by_type)}
    for status, text in _refusals(route).items():
        answers[str(status)] = {"description": text, **problem}
    operation: dict[str, Any] = {
        "operationId": f"{route.method.lower()}{re.sub(r'[^a-z]+', '_', route.path).rstrip('_')}",
        "summary": route.summary,
        "responses": answers,
        "parameters": [
            {
                "name": name,
                "in": "path",
                "required": True,
                "schema": {"type": "string", "minLength": 1, "maxLength": 60},
            }
            for name in re.findall(r"\{(\w+)\}", route.path)
        ]
        + [
            {"name": name, "in": "query", "required": False, "schema": schema}
            for name, schema in route.query
        ],
    }
    if route.body is not None:
        operation["requestBody"] = {
            "required": True,
            "content": {JSON: {"schema": by_type[repr(route.body)]}},
        }
    if route.needs_token:
        operation["security"] = [{"secret": []}]
    return operation


def _answer(route: Route, by_type: dict[str, Any]) -> dict[str, Any]:
    if not route.media:
        return {"description": "Done"}
    schema = by_type[repr(route.answer)] if route.answer is not None else {}
    return {
        "description": route.summary,
        "content": {media: {"schema": schema} for media in route.media},
    }


def _refusals(route: Route) -> dict[int, str]:
    found = dict(ALWAYS)
    if route.body is not None or route.method == "POST":
        found |= {413: "The body is too large", 415: "The body is not JSON"}
    if route.needs_token:
        found |= {401: "No secret was sent", 403: "Not your seat"}
    else:
        found |= {403: "A page of another origin"}
    if "{" in route.path:
        found |= {
            404: "There is no such thing, or it is not open to you",
            422: "The game is kept but cannot be read",
        }
    if route.path.endswith("/moves"):
        found |= {409: "The position has changed: the game is not at that turn any more"}
    return dict(sorted(found.items()))
