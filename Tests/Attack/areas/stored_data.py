"""What stays in the files, what a file that comes out of the hub does, and the log's size."""

import contextlib
import json
import socket
import time

from areas.http import talk
from probes import hold, probe


@probe("60,000 bad requests, and what they write", "A stranger cannot fill the log.")
def log_lines(ground):
    app = ground.app()
    before, begun = len(app.lines), time.monotonic()
    bad = "GET / x HTTP/1.1\r\n\r\n"
    for number in range(300):
        with contextlib.suppress(OSError):
            talk(app, bad if number % 2 else "\x00\xff" * 100, timeout=1)
    for _ in range(1_500):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", app.mqtt_port), 5) as one:
            one.sendall(b"\xf0\x00")
    for _ in range(300):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", app.https_port), 5) as one:
            one.sendall(b"\x16\x03\x01\x00\x05hello")
    for _ in range(200):
        app.stranger.ask("GET", "/api/session")
    device = app.add_device()
    from mqtt import connect_packet

    for _ in range(300):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", app.mqtt_port), 5) as one:
            one.sendall(connect_packet(device.id, "wrong"))
            one.recv(4)
    lines, seconds = len(app.lines) - before, time.monotonic() - begun
    hold(lines <= 300, f"{lines} lines in {seconds:.0f} s for 2,600 bad requests")
    return f"{lines} lines in {seconds:.0f} s for 2,600 bad requests"


@probe("the name of a child who was removed, in the files", "What is removed is not in the files any more.")
def removed(ground):
    app = ground.app()
    name = "Zebulontheremoved"
    person = app.post("/api/people", {"name": name, "face": "fox"})["id"]
    for number in range(50):
        app.request("PATCH", f"/api/people/{person}", {"name": f"{name}{number:02}"})
    app.request("DELETE", f"/api/people/{person}")
    app.terminate()
    found = [
        path.name for path in app.data.rglob("*") if path.is_file() and name.encode() in path.read_bytes()
    ]  # fmt: skip
    hold(not found, f"it is in {', '.join(found)}")
    return "in none of the files after the hub has stopped"


@probe("cells that a spreadsheet takes for formulas", "A file for a spreadsheet has text in it and no formulas.")
def cells(ground):
    app = ground.home
    import drums_blobs

    titles = ["=1+1", "+1", "-1", "@x", "＝1+1", "＋1", "－1", "＠x", "\t=1", "\r=1"]
    for number, title in enumerate(titles):
        blob = drums_blobs.session(app.ids["theo"], int(time.time() * 1000) - 3_600_000 * (number + 2), title=title)
        app.tess.ask("POST", "/api/drums/sessions", blob, {"Content-Type": "application/octet-stream"})
    text = app.tess.ask("GET", f"/api/drums/export?person={app.ids['theo']}&format=csv").text
    import csv
    import io

    risky = "=+-@＝＋－＠\t\r"
    found = {
        cell for row in csv.reader(io.StringIO(text.lstrip("\ufeff"))) for cell in row
        if cell[:1] in risky and cell[:1] and not cell.lstrip("-+").replace(".", "").isdigit()
    }  # fmt: skip
    hold(not found, f"{sorted(found)}")
    return f"{len(text.splitlines())} rows, no cell begins like one"


@probe("a child’s profile that notes 1,500 waterings", "What a child’s profile writes down is bounded.")
def waterings(ground):
    app = ground.app()
    plant = app.post("/api/plants", {"name": "Fern"})["id"]
    now, taken, status = int(time.time() * 1000), 0, 0
    for number in range(1_500):
        status = app.mila.ask("POST", f"/api/plants/{plant}/waterings", {"at": now - number * 61_000}).status
        taken += status in (200, 201)
        if status == 429:
            break
    hold(taken < 1_000, f"{taken} of 1,500 were taken")
    hold(app.tess.ask("POST", f"/api/plants/{plant}/waterings", {"at": now - 86_400_000 * 20}).status == 201, "an adult’s is refused too")  # fmt: skip
    return f"{taken} were taken, then {status}"


@probe("push addresses that lead into the house", "The hub speaks to nobody in the house because somebody said so.")
def push(ground):
    app = ground.home
    keys = {"p256dh": "BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM", "auth": "tBHItJI5svbpez7KI4CCXg"}  # fmt: skip
    addresses = (
        f"http://127.0.0.1:{app.port}/", f"https://127.0.0.1:{app.https_port}/", "https://localhost/x",
        "https://169.254.169.254/latest/meta-data", "https://[::1]/", "https://10.77.0.1/", "file:///etc/passwd",
        "https://fcm.googleapis.com.evil.example/x", "https://evil.example/fcm.googleapis.com", "gopher://x/",
        "https://user@fcm.googleapis.com:22/x", "https://0x7f000001/", "https://2130706433/",
    )  # fmt: skip
    for address in addresses:
        for people in ([app.ids["mila"]], []):
            body = {"endpoint": address, "keys": keys, "people": people, "subscription": {"endpoint": address, "keys": keys}}
            status = app.tess.ask("POST", "/api/push/subscriptions", body).status
            hold(400 <= status < 500, f"{address}: {status}")
    return f"{len(addresses)} addresses, each refused"


@probe("addresses of channels that nobody may choose", "The hub speaks to nobody in the house because somebody said so.")
def channels(ground):
    app = ground.home
    hosts = (
        "169.254.169.254", "[::1]", "[fe80::1]", "0.0.0.0", "0x7f000001", "2130706433", "0177.0.0.1", "224.0.0.1",
        "evil.example", "user@127.0.0.1", "127.0.0.1:0", "127.0.0.1:99999", "127.0.0.1\\@evil.example",
    )  # fmt: skip
    for host in hosts:
        topic = {"kind": "ntfy", "person": app.ids["mila"], "address": f"http://{host}/topic"}
        hook = {"name": "x", "address": f"http://{host}/x", "events": [{"companion": "brushing", "event": "brushed"}], "people": []}
        mail = {"host": host, "isStarttls": False, "user": "a@b.example", "password": "x"}
        for method, path, body in (("POST", "/api/channels", topic), ("POST", "/api/webhooks", hook), ("PUT", "/api/mail-account", mail)):
            if path == "/api/mail-account" and host == "evil.example":
                continue
            status = app.tess.ask(method, path, body).status
            hold(status in (422, 429), f"{path} {host}: {status}")
            status = app.mila.ask(method, path, body).status
            hold(status == 403, f"{path} from a child’s profile: {status}")
    return f"{len(hosts)} addresses for ntfy, webhooks and mail, each refused"


UNSEEN = [chr(code) for code in (0, 7, 0x7F, 0x9B, 0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))]


@probe("names, titles and notes with characters that nobody sees", "No text turns its letters round, or ends in its middle.")  # fmt: skip
def unseen(ground):
    app, asked = ground.app(), 0
    plant = app.tess.ask("POST", "/api/plants", {"name": "Fern"}).json["id"]
    for sign in UNSEEN:
        text = f"Mi{sign}la"
        for method, path, body in (
            ("PATCH", "/api/household", {"name": text}), ("POST", "/api/people", {"name": text, "face": "fox"}),
            ("PATCH", f"/api/plants/{plant}", {"name": text}), ("PATCH", f"/api/plants/{plant}", {"place": text}),
            ("POST", f"/api/plants/{plant}/care", {"what": "note", "note": text}),
            ("POST", "/api/lab/classes", {"name": text, "sensors": ["accelerometer"], "minutes": 5}),
            ("POST", "/api/toy/pairing", {"name": text}),
        ):  # fmt: skip
            answer = app.tess.ask(method, path, body)
            hold(answer.status < 500, f"{method} {path} with U+{ord(sign):04X}: {answer.status}")
            asked += 1
    said = "".join(
        json.dumps(app.tess.ask("GET", path).json, ensure_ascii=False)
        for path in ("/api/session", "/api/people", "/api/plants", f"/api/plants/{plant}/care", "/api/lab/classes", "/api/devices")
    )
    found = [f"U+{ord(sign):04X}" for sign in UNSEEN if sign in said or f"\\u{ord(sign):04x}" in said]
    hold(not found, f"what is stored has {', '.join(found)} in it")
    return f"{asked} texts, none is stored with them"
