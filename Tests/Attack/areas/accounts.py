"""Guesses at passwords and codes, and what they do to whoever is right."""

import concurrent.futures
import re
import time

from ground import EMAIL, PASSWORD, STRANGERS, Caller
from hub import eventually
from passkey import FLAG, Passkey, es256
from probes import hold, probe


def tries(app, ground, count, body, path="/api/session", workers=24, within=60):
    """So many posts from as many addresses, over HTTPS where there is a network; the statuses, 0 for none. Those that
    were not begun within so many seconds are left out."""
    end = time.monotonic() + within

    def one(number):
        if time.monotonic() > end:
            return None
        caller = Caller(app, source=ground.stranger(number), secure=ground.is_namespace)
        try:
            return caller.ask("POST", path, body(number), timeout=20).status
        except OSError:
            return 0

    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        return [status for status in pool.map(one, range(count)) if status is not None]


@probe("guesses at one e-mail from 120 addresses, the right one meanwhile", "Who guesses at one account is slowed down, wherever they come from, and keeps nobody out.")  # fmt: skip
def guesses(ground):
    app = ground.app()
    known = app.tess  # Has signed in from here before.
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        guessing = pool.submit(
            tries, app, ground, 480, lambda number: {"email": EMAIL, "password": f"a wrong password {number}"}
        )
        # Sleeps, since what is looked at are moments of the time that the guesses take; none of them is an event.
        time.sleep(0.5)
        longest = 0.0
        for _ in range(3):
            begun = time.monotonic()
            answer = Caller(app).ask("POST", "/api/session", {"email": EMAIL, "password": PASSWORD}, timeout=60)
            longest = max(longest, time.monotonic() - begun)
            hold(answer.status == 200, f"the right password is answered with {answer.status}: {answer.text[:100]}")
            time.sleep(0.5)  # As above.
        codes = guessing.result()
    checked = sum(code in (401, 403, 422) for code in codes)
    hold(checked <= 60, f"{checked} of {len(codes)} guesses were checked")
    hold(longest < 5, f"the right one took {longest:.1f} s")
    hold(known.ask("GET", "/api/session").status == 200, "who is signed in is out")
    return f"{checked} of {len(codes)} guesses were checked, the right one took {longest:.2f} s at most"


@probe("failed sign-ins", "Failed sign-ins are written down where the owner sees them.")
def written_down(ground):
    app = ground.app()
    for number in range(4):
        app.stranger.ask("POST", "/api/session", {"email": EMAIL, "password": f"wrong {number}"})
    answer = app.tess.ask("GET", "/api/failed-sign-ins")
    if answer.status == 404:
        answer = app.tess.ask("GET", "/api/sign-ins")
        hold("fail" in answer.text.lower(), "no route tells of them")
    hold(answer.status == 200 and answer.json, f"{answer.status}: {answer.text[:100]}")
    hold("wrong 1" not in answer.text, "the guessed passwords are in it")
    hold("wrong 1" not in app.log, "the guessed passwords are in the log")
    hold(app.mila.ask("GET", "/api/failed-sign-ins").status == 403, "a child’s profile sees them")
    return "4 failed tries are told to an adult"


@probe("passkeys: of another site, replayed, copied, another’s, and a flood of questions", "A passkey opens its account, once for each question, at its own name and origin.")  # fmt: skip
def passkeys(ground):
    app = ground.app()
    host = f"localhost:{app.port}"
    own = Passkey(f"http://{host}")

    def ask(path, body=None, caller=app.stranger, **headers):
        return caller.ask("POST", path, body or {}, {"Host": host, **headers})

    options = ask("/api/passkeys/challenge", {"password": PASSWORD}, app.tess).json
    made = ask("/api/passkeys", {"name": "Phone", "credential": own.made(options)}, app.tess)
    hold(made.status == 201, f"it is made with {made.status}: {made.text[:100]}")
    hold(ask("/api/passkeys", {"name": "Again", "credential": own.made(options)}, app.tess).status == 422, "a question is answered twice")
    hold(ask("/api/passkeys/challenge", {"password": PASSWORD}, app.mila).status == 403, "a child’s profile makes one")

    def tried(**changed):
        return ask("/api/session/passkey", own.used(ask("/api/session/passkey/challenge").json["options"], **changed)).status

    for wrong in [
        {"origin": "https://evil.example"}, {"relying_party": "evil.example"}, {"user": app.ids["mila"].encode()},
        {"flags": FLAG.UP}, {"flags": FLAG.UV}, {"type": "webauthn.create"}, {"sign": es256()[1]},
    ]:  # fmt: skip
        hold(tried(**wrong) == 401, f"{list(wrong)} opens it")
    hold(ask("/api/session/passkey/challenge", Origin="https://evil.example").status == 403, "another site asks for one")
    # A question that was asked before the flood is answered after it.
    waiting = own.used(ask("/api/session/passkey/challenge").json["options"])
    codes = tries(app, ground, 600, lambda number: {}, "/api/session/passkey/challenge")
    hold(set(codes) <= {0, 200, 429}, f"{set(codes)}")
    own.count = 9
    hold(ask("/api/session/passkey", waiting).status == 200, "the right one is kept out")
    hold(ask("/api/session/passkey", waiting).status == 401, "it is replayed")
    hold(tried() == 200 and tried() == 401, "a counter that has not gone on opens it")
    hold("counter has not gone on" in app.log, "a copy is not told")
    return f"7 forgeries, a replay and a copy are refused, and {len(codes)} questions from elsewhere push out none"


@probe("an e-mail that there is and one that there is not", "An answer does not tell who has an account.")
def enumeration(ground):
    app = ground.app()

    def answer(email):
        begun = time.monotonic()
        said = app.stranger.ask("POST", "/api/session", {"email": email, "password": "a wrong password"})
        return said.status, said.json["detail"], time.monotonic() - begun

    yes = [answer(EMAIL) for _ in range(3)]
    no = [answer(f"nobody{n}@example.org") for n in range(3)]
    hold(yes[0][:2] == no[0][:2], f"{yes[0][:2]} and {no[0][:2]}")
    median = [sorted(one[2] for one in each)[1] for each in (yes, no)]
    hold(min(median) > max(median) / 4, f"{median[0] * 1000:.0f} ms and {median[1] * 1000:.0f} ms")
    return f"the same words, {median[0] * 1000:.0f} ms and {median[1] * 1000:.0f} ms"


def code_in(app):
    """The code of the first account, as the terminal shows it."""
    return eventually(lambda: re.findall(r"\b[0-9A-Z]{4}(?:-[0-9A-Z]{4}){1,3}\b", app.log), what="the code")[-1]


# Over all addresses, and for each address when that is used up; with codes of 60 bits a year of it finds none.
MOST_CODES = 60 + 3 * STRANGERS + 10


def bits(code):
    symbols = code.replace("-", "")
    each = 3.32 if symbols.isdigit() and len(symbols) <= 8 else 5
    return len(symbols) * each


@probe("the code of the first account: its length, guesses from 120 addresses", "No number of guesses in its time finds a code.")
def first_code(ground):
    app = ground.fresh(lan="linden")
    code = code_in(app)
    hold(bits(code) >= 60, f"it has {bits(code):.0f} bits")
    body = {"household": "Mine", "name": "Eve", "email": "eve@example.org", "password": PASSWORD}
    begun = time.monotonic()
    codes = tries(app, ground, 900, lambda number: {**body, "code": f"{number:04}-0000-0000"}, "/api/setup")
    seconds = time.monotonic() - begun
    taken = sum(one in (401, 403, 422) for one in codes)
    hold(taken <= MOST_CODES, f"{taken} of {len(codes)} codes were looked at in {seconds:.0f} s")
    right = Caller(app, source="127.0.0.1").ask("POST", "/api/setup", {**body, "name": "Tess", "code": code})
    hold(right.status == 201, f"the right code is answered with {right.status}: {right.text[:100]}")
    return f"{bits(code):.0f} bits, {taken} of {len(codes)} looked at in {seconds:.0f} s, the right one let in"


@probe("invitations: length, list, withdrawal, a limit over all addresses", "Invitations can be listed and withdrawn, and not guessed.")
def invitations(ground):
    app = ground.app()
    made = app.tess.ask("POST", "/api/invitations", {}).json
    hold(bits(made["code"]) >= 60, f"the code has {bits(made['code']):.0f} bits")
    listed = app.tess.ask("GET", "/api/invitations")
    hold(listed.status == 200, f"the list is answered with {listed.status}")
    hold(made["code"] not in listed.text, "the list tells the code again")
    hold(app.mila.ask("GET", "/api/invitations").status == 403, "a child’s profile sees the list")
    entries = listed.json if isinstance(listed.json, list) else next(iter(listed.json.values()))
    status = app.tess.ask("DELETE", f"/api/invitations/{entries[0]['id']}").status
    hold(status in (200, 204), f"withdrawn with {status}")
    person = {"name": "Eve", "email": "eve@example.org", "password": PASSWORD}
    status = app.stranger.ask("POST", "/api/accounts", {**person, "code": made["code"]}).status
    hold(status in (401, 403, 404, 410, 422), f"the withdrawn code is answered with {status}")
    codes = tries(app, ground, 900, lambda number: {**person, "code": f"{number:04}-1111-2222"}, "/api/accounts")
    taken = sum(one in (401, 403, 404, 422) for one in codes)
    hold(taken <= MOST_CODES, f"{taken} of {len(codes)} guesses were looked at")
    return f"{bits(made['code']):.0f} bits, withdrawn, {taken} of {len(codes)} guesses looked at"


@probe("an invitation used twice", "A code opens once.")
def twice(ground):
    app = ground.app()
    code = app.tess.ask("POST", "/api/invitations", {}).json["code"]
    person = {"name": "Ben", "password": PASSWORD, "code": code}
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        answers = list(
            pool.map(
                lambda n: app.stranger.ask("POST", "/api/accounts", {**person, "email": f"ben{n}@example.org"}).status,
                range(4),
            )
        )
    hold(answers.count(201) == 1, f"4 at once were answered with {answers}")
    return f"4 at once: {sorted(answers)}"


@probe("the sample household behind a proxy", "A sample household’s well-known password opens nothing from outside.")
def demo(ground):
    app = ground.fresh("--trusted-proxy", "127.0.0.1", command="demo", web=None)
    forwarded = {"X-Forwarded-For": "203.0.113.7", "X-Forwarded-Proto": "https", "X-Forwarded-Host": f"localhost:{app.port}"}
    # Those that its documentation has; what its terminal says now is its owner's alone.
    candidates = [("demo@tandem.local", "tandem-demo")]
    for email, password in candidates:
        answer = app.stranger.ask("POST", "/api/session", {"email": email, "password": password.rstrip(".")}, forwarded)
        hold(answer.status != 200, f"{email} comes in from 203.0.113.7")
    return f"{len(candidates)} tries from outside, none let in"


