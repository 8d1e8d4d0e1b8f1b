"""Every route of /openapi.json, by everybody who may not."""

import re
import secrets

from ground import PASSWORD, Caller
from probes import hold, probe

ADULTS = "For an adult of the household."
# One ends the sign-in that the walk is made with, the other knows programs on the hub's machine by where they ask from.
OWN = {("DELETE", "/api/session"), ("GET", "/metrics")}
BODIES = {
    "string": "x", "integer": 1, "boolean": True, "number": 1, "object": {}, "array": [],
}  # fmt: skip


def path_of(path, ids=None):
    """The path with made-up ids, or those given by name."""
    return re.sub(r"\{(\w+)\}", lambda match: (ids or {}).get(match[1], f"nobody-{secrets.token_hex(8)}"), path)


def body_of(operation):
    """A body that has all that the route asks for, of the right types."""
    content = operation.get("requestBody", {}).get("content", {})
    if "application/json" in content:
        # A body that the route reads itself has no schema.
        return example(content["application/json"].get("schema", {}))
    return b"x" if content else None


def example(schema):
    """A value that the schema takes."""
    if "anyOf" in schema:
        return example(next((each for each in schema["anyOf"] if each.get("type") != "null"), {}))
    if "properties" in schema:
        return {name: example(each) for name, each in schema["properties"].items()}
    return schema["enum"][0] if "enum" in schema else BODIES.get(schema.get("type"), "x")


def walk(app, caller, chosen, expected, ids=None):
    """Asks each chosen route; the ones that were not answered with an expected status, and how many were asked."""
    asked, others = 0, []
    for method, path, operation in app.routes:
        if (method, path) in OWN or not chosen(method, path, operation):
            continue
        asked += 1
        answer = caller.ask(method, path_of(path, ids), body_of(operation))
        if answer.status not in expected:
            others.append(f"{method} {path}: {answer.status}")
    hold(asked > 0, "no route was chosen")
    return asked, others


def is_member(_, __, operation):
    return bool(operation["security"])


def is_adult(_, __, operation):
    return operation.get("description", "").startswith(ADULTS)


@probe("every route that wants a sign-in, without one", "Without a sign-in nothing of the household is told or changed.")
def anonymous(ground):
    asked, others = walk(ground.home, ground.home.stranger, is_member, {401})
    hold(not others, f"answered otherwise than 401: {', '.join(others[:8])}")
    return f"{asked} routes, each 401"


@probe("the figures for a monitor, through a proxy on the hub’s machine", "Without a sign-in nothing of the household is told or changed.")
def figures(ground):
    app = ground.home
    for name in ("X-Forwarded-For", "X-Real-IP", "X-Forwarded-Host", "Forwarded", "Via"):
        status = app.stranger.ask("GET", "/metrics", None, {name: "203.0.113.9"}).status
        hold(status == 401, f"{name}: {status}")
    status = app.mila.ask("GET", "/metrics", None, {"Via": "1.1 proxy"}).status
    hold(status == 403, f"a child’s profile: {status}")
    return "5 ways, each 401"


@probe("every route with a token that was made up", "A token that the hub did not give opens nothing.")
def invented(ground):
    asked = 0
    for token in (secrets.token_urlsafe(32), "", "null", "../" * 20, "x" * 4_000, "' OR 1=1 --"):
        caller = Caller(ground.home, token=token or " ")
        count, others = walk(ground.home, caller, is_member, {401})
        hold(not others, f"{token[:20]!r}: {', '.join(others[:8])}")
        asked += count
    return f"{asked} requests, each 401"


@probe("every route with the token of a program that reads", "A program that reads gets what was chosen for it, and changes nothing.")
def program(ground):
    app = ground.home
    made = app.tess.ask("POST", "/api/programs", {"name": "Probe", "companions": ["brushing"]}).json
    caller = Caller(app, token=made["token"])
    hold(caller.ask("GET", "/api/brushing").status == 200, "what was chosen is not there")

    def is_other(method, path, operation):
        return is_member(method, path, operation) and not (method == "GET" and path.startswith("/api/brushing"))

    asked, others = walk(app, caller, is_other, {403})
    app.tess.ask("DELETE", f"/api/programs/{made['program']['id']}")
    hold(not others, f"answered otherwise than 403: {', '.join(others[:8])}")
    hold(caller.ask("GET", "/api/brushing").status == 401, "it reads on after it was ended")
    return f"{asked} routes, each 403"


@probe("every adults’ route from a child’s profile", "A child’s profile changes nothing of the household.")
def child(ground):
    asked, others = walk(ground.home, ground.home.mila, is_adult, {403})
    hold(not others, f"answered otherwise than 403: {', '.join(others[:8])}")
    return f"{asked} routes, each 403"


@probe("a child’s profile that leaves for an adult’s", "Who leaves a child’s profile gives the password.")
def leaves(ground):
    app = ground.home
    for password in (None, "", "a wrong password"):
        answer = app.theo.ask("PUT", "/api/session/profile", {"personID": app.ids["tess"], "password": password})
        hold(answer.status in (400, 401, 403, 422), f"password {password!r}: {answer.status}")
    hold(app.theo.ask("GET", "/api/sign-ins").status == 403, "the adults’ routes are open afterwards")
    return "3 tries, none let through"


@probe("every route with ids that are of nobody", "What is not the household’s own does not exist for it.")
def foreign(ground):
    asked, others = walk(
        ground.home, ground.home.tess, lambda method, path, operation: "{" in path and is_member(method, path, operation),
        {400, 403, 404, 405, 409, 413, 415, 422},
    )  # fmt: skip
    hold(not others, f"answered as if they were: {', '.join(others[:8])}")
    return f"{asked} routes, none answered as if they were"


@probe("every changing route from another site’s page", "A page of another site changes nothing, whoever is signed in.")
def other_origin(ground):
    app = ground.home
    answer = app.stranger.ask("POST", "/api/session", {"email": "tess@example.org", "password": PASSWORD})
    cookie = answer.headers["Set-Cookie"].split(";")[0]
    caller, asked = Caller(app, cookie=cookie), 0
    for origin in ("https://evil.example", "null", f"http://localhost:{app.port}.evil.example", "http://127.0.0.1:1"):
        for method, path, operation in app.routes:
            if method in ("GET", "HEAD"):
                continue
            asked += 1
            status = caller.ask(method, path_of(path), body_of(operation), {"Origin": origin}).status
            hold(status == 403, f"{method} {path} with Origin {origin}: {status}")
    hold(caller.ask("GET", "/api/session").status == 200, "the sign-in was ended")
    return f"{asked} requests, each 403"


@probe("methods that no route has", "The default is no.")
def methods(ground):
    app, asked = ground.home, 0
    for _, path, _ in app.routes:
        for method in ("TRACE", "CONNECT", "PROPFIND", "FOO"):
            answer = app.stranger.ask(method, path_of(path), b"") if method != "CONNECT" else None
            if answer:
                asked += 1
                hold(answer.status in (400, 401, 403, 404, 405, 501), f"{method} {path}: {answer.status}")
    return f"{asked} requests, none served"
