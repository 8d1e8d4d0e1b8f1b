"""A tablet that the family shares, left at an adult's profile."""

from areas.authorization import is_adult, walk
from ground import PASSWORD
from probes import hold, probe


def tablet(app, profile="tess"):
    """A device that the family shares, at a profile; its adult's password was given when it was made."""
    caller = app.another_sign_in()
    answer = caller.ask("PUT", "/api/session/shared", {"isShared": True})
    if answer.status == 403:  # Once it is shared, or before, the password may be wanted.
        confirm(app, caller)
        answer = caller.ask("PUT", "/api/session/shared", {"isShared": True})
    assert answer.status == 200, answer.text
    # Who comes to it later: the page was opened anew, and somebody stands at the adult's face without having said who.
    if profile != "tess":
        caller.ask("PUT", "/api/session/profile", {"personID": app.ids[profile]})
    return caller


def confirm(app, caller):
    return caller.ask("PUT", "/api/session/profile", {"personID": app.ids["tess"], "password": PASSWORD})


@probe("every adults’ route on a shared device at an adult’s face", "Adults’ routes on a shared device want the password of the last minutes.")  # fmt: skip
def unconfirmed(ground):
    app = ground.home
    caller = tablet(app)
    # The reads among them are what somebody does who just holds it; all of them are asked.
    asked, others = walk(app, caller, is_adult, {403})
    hold(not others, f"answered otherwise than 403: {len(others)} of {asked}, such as {', '.join(others[:5])}")
    return f"{asked} routes, each 403"


@probe("the sharing ended, an invitation made, the sign-ins listed", "Whoever holds the tablet cannot make themselves at home.")  # fmt: skip
def at_home(ground):
    app = ground.home
    caller = tablet(app)
    for method, path, body in (
        ("PUT", "/api/session/shared", {"isShared": False}),
        ("POST", "/api/invitations", {}),
        ("GET", "/api/sign-ins", None),
        ("POST", "/api/devices", {"kind": "plant-sensor", "name": "Mine"}),
    ):
        status = caller.ask(method, path, body).status
        hold(status == 403, f"{method} {path}: {status}")
    return "4 ways, each 403"


@probe("an adult’s route after the password", "With the password an adult can go on.")
def confirmed(ground):
    app = ground.home
    caller = tablet(app, "mila")
    answer = confirm(app, caller)
    hold(answer.status == 200, f"the password was answered with {answer.status}")
    status = caller.ask("GET", "/api/sign-ins").status
    hold(status == 200, f"the sign-ins were answered with {status}")
    status = caller.ask("PUT", "/api/session/profile", {"personID": app.ids["mila"]}).status
    hold(status == 200, f"the way to a child’s face: {status}")
    status = caller.ask("GET", "/api/sign-ins").status
    hold(status == 403, f"at a child’s face the sign-ins were answered with {status}")
    return "open after it, shut at a child’s face"
