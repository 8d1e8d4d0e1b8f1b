#!/usr/bin/env python3
"""Writes every route of the hub, and every type that is sent to it or by it, as Markdown.

    tandem openapi | scripts/docs/routes.py
"""

import json
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from typescript import key, type_of  # noqa: E402


def anchor(name):
    return name.lower().replace(".", "-")


def type_link(schema):
    """A type in code, which leads to where it is told."""
    if schema.get("type") == "array" and "$ref" in schema.get("items", {}):
        return f"array of {type_link(schema['items'])}"
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(type_link(one) for one in schema["anyOf"]))
    name = type_of(schema)
    return f"[`{name}`](#{anchor(name)})" if "$ref" in schema else f"`{name}`"


def content(media):
    """What a body is: a type of JSON, else what media types it may have."""
    words = [type_link(one["schema"]) if "schema" in one else f"`{name}`" for name, one in media.items()]
    return " or ".join(dict.fromkeys(words))


def route(method, path, operation):
    yield f"### {method.upper()} {path} {{ #{method}{path.replace('/', '-').replace('{', '').replace('}', '').replace('.', '-')} }}\n"
    access = "Without a sign-in." if operation.get("security") == [] else operation.get("description", "")
    yield f"{operation['summary']} {access}\n"
    lines = []
    if body := operation.get("requestBody"):
        lines.append(("takes", content(body["content"])))
    for parameter in operation.get("parameters", []):
        if parameter["in"] == "query":
            values = " ".join(f"`{one}`" for one in parameter["schema"].get("enum", []))
            words = parameter["description"] + (f" One of {values}." if values else "") + (" Required." if parameter["required"] else "")
            lines.append((f"`?{parameter['name']}=`", words))
    for status, response in operation["responses"].items():
        if status.startswith(("4", "5")):
            continue  # The same problem details of every route, which the page begins with.
        media = response.get("content")
        lines.append((f"answers {status}", content(media) if media else response["description"]))
    cell = lambda words: words.replace("|", "\\|")  # noqa: E731
    yield "| | |\n|---|---|\n" + "".join(f"| {cell(name)} | {cell(words)} |\n" for name, words in lines)


def type_block(name, schema):
    yield f"#### {name} {{ #{anchor(name)} }}\n"
    if schema.get("type") == "object" and "properties" in schema:
        required = schema.get("required", [])
        members = [f"  {key(one)}{'' if one in required else '?'}: {type_of(of)};" for one, of in schema["properties"].items()]
        yield "```typescript\n{\n" + "\n".join(members) + "\n}\n```\n"
    else:
        yield f"```typescript\n{type_of(schema)}\n```\n"


def main():
    document = json.load(sys.stdin)
    slugs = document["x-companions"]
    for slug in [None, *slugs]:
        print("## Of the hub itself\n" if slug is None else f"## /api/{slug}\n")
        for path, operations in document["paths"].items():
            owner = next((one for one in slugs if path.split("/")[2:3] == [one]), None)
            if owner == slug:
                for method, operation in operations.items():
                    print("\n".join(route(method, path, operation)))
    socket = document["x-websocket"]["/api/live"]
    print(f"## The WebSocket\n\n{socket['description']}\n")
    print(f"| | |\n|---|---|\n| the hub says | {type_link(socket['hub'])} |\n| a page says | {type_link(socket['page'])} |\n")
    print("## Types\n")
    for name, schema in document["components"]["schemas"].items():
        print("\n".join(type_block(name, schema)))


if __name__ == "__main__":
    main()
