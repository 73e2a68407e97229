"""The types of the server's messages for the page's JavaScript, made of the OpenAPI description:
`python -m tests.page_types` writes them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from mnkala.web.openapi import BASE, description

FILE = Path(__file__).parents[1] / "src" / "mnkala" / "web" / "types" / "messages.d.ts"
HEAD = """// The server's messages, which are described where they are defined (mnkala/web/messages.py and requests.py). Do not edit: this is made of the
// OpenAPI description by `python -m tests.page_types`.
"""
RENAMED = {"Node": "TreeNode"}
"""Names that the browser has given to something else."""
SIMPLE = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}


def page_types() -> str:
    """The whole file."""
    told = json.loads(description())
    schemas, socket = told["components"]["schemas"], told["x-websocket"]
    bodies = [
        operation["requestBody"]
        for path in told["paths"].values()
        for operation in path.values()
        if "requestBody" in operation
    ]
    sent_by_page = set(re.findall(r'schemas/(\w+)"', json.dumps([bodies, socket["receives"]])))
    sparse = {
        cls.__name__ for cls in _structs(msgspec.Struct) if cls.__struct_config__.omit_defaults
    }
    parts = [HEAD]
    for name, schema in sorted(schemas.items()):
        parts.append(_interface(name, schema, name in sent_by_page, name in sparse))
    for name, schema in (("SocketRequest", socket["receives"]), ("SocketAnswer", socket["sends"])):
        parts.append(f"type {name} = {_type(schema)};\n")
    return "\n".join([*parts, _api(told["paths"])])


def _structs(cls: Any) -> Iterator[Any]:
    for each in cls.__subclasses__():
        yield each
        yield from _structs(each)


def _interface(name: str, schema: dict[str, Any], asked: bool, sparse: bool) -> str:
    """A field with a default may be left out of a request; of an answer only in types that leave
    their defaults out.
    """
    lines = []
    for field, kind in schema["properties"].items():
        optional = field not in schema.get("required", ()) and (asked or sparse)
        if optional and sparse:
            kind = (
                {**kind, "anyOf": [each for each in kind["anyOf"] if each != {"type": "null"}]}
                if "anyOf" in kind
                else kind
            )
        lines.append(f"  {field}{'?' if optional else ''}: {_type(kind)};")
    return "\n".join([f"interface {RENAMED.get(name, name)} {{", *lines, "}", ""])


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        return RENAMED.get(name, name)
    if "anyOf" in schema:
        return " | ".join(_type(each) for each in schema["anyOf"])
    if "enum" in schema:
        return " | ".join(json.dumps(each) for each in schema["enum"])
    if schema.get("type") == "array":
        if "prefixItems" in schema:
            return f"[{', '.join(map(_type, schema['prefixItems']))}]"
        items = _type(schema["items"]) if "items" in schema else "unknown"
        return f"({items})[]" if "|" in items else f"{items}[]"
    if schema.get("type") == "object":
        values = schema.get("additionalProperties")
        return (
            f"Record<string, {_type(values)}>"
            if isinstance(values, dict)
            else "Record<string, unknown>"
        )
    return SIMPLE[schema["type"]] if "type" in schema else "unknown"


def _api(paths: dict[str, Any]) -> str:
    """What can be asked, as overloads: those of longer paths come first, for a place in a path
    takes any text.
    """
    found = []
    for path, operations in paths.items():
        place = re.sub(r"\{\w+\}", "${string}", path.removeprefix(f"{BASE}/"))
        for method, operation in operations.items():
            names = [f"`{place}`"]
            if any(each["in"] == "query" for each in operation["parameters"]):
                names.append(f"`{place}?${{string}}`")
            answer = next(
                each for status, each in operation["responses"].items() if status.startswith("2")
            ).get("content", {})
            schema = answer.get("application/json", {}).get("schema") if len(answer) == 1 else None
            body = operation.get("requestBody")
            given = (
                f", body: {_type(body['content']['application/json']['schema'])}" if body else ""
            )
            if schema:
                line = f"{method}(path: {' | '.join(names)}{given}): Promise<{_type(schema)}>;"
            elif answer:
                line = f"file(path: {' | '.join(names)}{given}): Promise<Blob>;"
            else:
                line = f"remove(path: {' | '.join(names)}): Promise<void>;"
            found.append((line.split("(")[0], -place.count("/"), place.count("$"), line))
    return "\n".join(
        [
            "/** What can be asked of the server. */",
            "interface Api {",
            *(f"  {line}" for *_, line in sorted(found)),
            "}",
            "",
        ]
    )


if __name__ == "__main__":
    FILE.write_text(page_types(), encoding="utf-8")
