"""TypeScript declarations of the hub's answers, requests and live messages, from its OpenAPI document.

    tandem openapi | scripts/typescript.py >contract.d.ts

A component `Plants.PlantReply.Value` becomes the type of that name. `Contract.Answer<"GET", "/api/plants">` is what a
route answers, `Contract.Body<...>` what it takes; `Contract.LiveMessage` is what the socket says.
"""

import json
import re
import sys

IDENTIFIER = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*")


def key(name):
    return name if IDENTIFIER.fullmatch(name) else json.dumps(name)


def type_of(schema):
    if "$ref" in schema:
        return schema["$ref"].removeprefix("#/components/schemas/")
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(type_of(one) for one in schema["anyOf"]))
    kind = schema.get("type")
    if kind == "array" and "prefixItems" in schema:
        least = schema["minItems"]
        return f"[{', '.join(type_of(one) + ('' if place < least else '?') for place, one in enumerate(schema['prefixItems']))}]"
    if kind == "array":
        return f"Array<{type_of(schema['items'])}>"
    if kind == "object" and "additionalProperties" in schema:
        return f"{{ [name: string]: {type_of(schema['additionalProperties'])} }}"
    if kind == "object":
        return members(schema)
    return {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}[kind]


def members(schema):
    required = schema.get("required", [])
    lines = (f"{key(name)}{'' if name in required else '?'}: {type_of(one)};" for name, one in schema["properties"].items())
    return "{ " + " ".join(lines) + " }"


def component(name, schema):
    *space, own = name.split(".")
    is_object = schema.get("type") == "object" and "properties" in schema
    declaration = f"interface {own} {members(schema)}" if is_object else f"type {own} = {type_of(schema)};"
    return f"declare namespace {'.'.join(space)} {{ {declaration} }}"


def answer(responses):
    types = []
    for status, response in responses.items():
        if not status.startswith("2"):
            continue
        content = response.get("content", {})
        schemas = [one["schema"] for one in content.values() if "schema" in one]
        types += [type_of(one) for one in schemas] if schemas else ["Uint8Array"] if content else ["null"]
    return " | ".join(dict.fromkeys(types))


def body(operation):
    content = operation.get("requestBody", {}).get("content", {})
    if not content:
        return "NoBody"
    schema = content.get("application/json", {}).get("schema")
    return type_of(schema) if schema else "Uint8Array"


def route(method, path, operation):
    segments = ", ".join("string" if part.startswith("{") else json.dumps(part) for part in path.split("/"))
    return f"        {json.dumps(f'{method.upper()} {path}')}: {{ path: [{segments}]; body: {body(operation)}; answer: {answer(operation['responses'])} }};"


def patterns(method, paths):
    """What the paths of a method look like: without a query, and with one that begins with a name that the route declares."""
    for path, operations in paths.items():
        if method in operations:
            pattern = re.sub(r"\{[A-Za-z]+\}", "${string}", path)
            yield f"`{pattern}`"
            for parameter in operations[method].get("parameters", []):
                if parameter["in"] == "query":
                    yield f"`{pattern}?{parameter['name']}=${{string}}`"


LOOKUP = """
    interface NoBody { [name: string]: never }
    type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
    type WithoutQuery<P extends string> = P extends `${infer Path}?${string}` ? Path : P;
    type Segments<P extends string> = P extends `${infer First}/${infer Rest}` ? [First, ...Segments<Rest>] : [P];
    type Fitting<M extends Method, S> = {
        [K in keyof Routes]: K extends `${M} ${string}` ? (S extends Routes[K]["path"] ? K : never) : never
    }[keyof Routes];
    /** The route that a path is of: the one of that very path, else the one whose names it fills in. */
    type Route<M extends Method, P extends string> = P extends unknown ? `${M} ${WithoutQuery<P>}` extends keyof Routes
        ? `${M} ${WithoutQuery<P>}` : Fitting<M, Segments<WithoutQuery<P>>> : never;
    /** What a route answers. */
    type Answer<M extends Method, P extends string> = Routes[Route<M, P>]["answer"];
    /** What a route takes. */
    type Body<M extends Method, P extends string> = Routes[Route<M, P>]["body"];
"""


def main():
    document = json.load(sys.stdin)
    print("// Made by scripts/typescript.py of `tandem openapi`.")
    for name, schema in document["components"]["schemas"].items():
        print(component(name, schema))
    print("declare namespace Contract {\n    interface Routes {")
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            print(route(method, path, operation))
    print("    }" + LOOKUP)
    print("    /** The paths that a method has routes for. */\n    interface Paths {")
    for method in ("get", "post", "put", "patch", "delete"):
        print(f"        {method.upper()}: {' | '.join(patterns(method, document['paths']))};")
    print("    }")
    companions = " | ".join(json.dumps(slug) for slug in document["x-companions"])
    print(f"    /** The companions of the house, by their slugs. */\n    type Companion = {companions};")
    socket = document["x-websocket"]["/api/live"]
    print(f"    /** What the socket says. */\n    type LiveMessage = {type_of(socket['hub'])};")
    print(f"    /** What a page says on it. */\n    type PageMessage = {type_of(socket['page'])};")
    print("}")


if __name__ == "__main__":
    main()
