"""Where the attack takes place: hubs of their own with a household in them, and the addresses that it comes from."""

import contextlib
import http.client
import json
import os
import pathlib
import shutil
import socket
import ssl
import tempfile

from hub import EMAIL, PASSWORD, ROOT, TANDEM, Hub, tandem
from probes import Unplayable

HUB_ADDRESS = "10.77.0.1"  # scripts/attack.sh gives it, and those of the strangers, to a cable that ends nowhere
STRANGERS = 130


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self):
        try:
            return json.loads(self.body)
        except ValueError:
            return None

    @property
    def text(self):
        return self.body.decode(errors="replace")


class Caller:
    """Somebody who asks the hub over HTTP: with a token or a cookie or neither, from an address, with TLS or without."""

    def __init__(self, hub, token=None, cookie=None, source=None, secure=False):
        self.hub, self.token, self.cookie, self.source, self.secure = hub, token, cookie, source, secure

    def connection(self, timeout=30):
        """One connection, through its handshake, as http.client has it."""
        host, port = ("127.0.0.1", self.hub.port)
        if self.secure:
            host, port = (HUB_ADDRESS if self.source and self.source.startswith("10.") else host, self.hub.https_port)
        plain = socket.create_connection((host, port), timeout, (self.source, 0) if self.source else None)
        name = f"localhost:{port}"
        if self.secure:
            name = f"{self.hub.name}:{port}"
            context = ssl.create_default_context(cafile=self.hub.data / "authority/authority.pem")
            plain = context.wrap_socket(plain, server_hostname=self.hub.name)
        client = http.client.HTTPConnection(name, timeout=timeout)
        client.sock = plain
        return client

    def ask(self, method, path, body=None, headers=None, timeout=30):
        headers = dict(headers or {})
        if self.token:
            headers.setdefault("Authorization", f"Bearer {self.token}")
        if self.cookie:
            headers.setdefault("Cookie", self.cookie)
        if body is not None and not isinstance(body, (bytes, str)):
            body = json.dumps(body)
            headers.setdefault("Content-Type", "application/json")
        with contextlib.closing(self.connection(timeout)) as client:
            client.request(method, path, body, headers)
            answer = client.getresponse()
            return Answer(answer.status, answer.headers, answer.read())


class HubApp(Hub):
    """A hub with a household: Tess, who is an adult, and the children Mila and Theo; each with a sign-in."""

    def __init__(self, data, *flags, **options):
        super().__init__(data, *flags, **options)
        self.stranger = Caller(self)
        self.tess = self.mila = self.theo = None
        self.ids = {}

    def settle(self):
        """The people, once it runs."""
        self.sign_in()
        self.tess = Caller(self, self.token)
        self.ids["tess"] = self.get("/api/session")["person"]["id"]
        for name in ("mila", "theo"):
            self.ids[name] = self.post("/api/people", {"name": name.title(), "face": "fox", "birthYear": 2017})["id"]
        self.mila, self.theo = self.signed_in_as("mila"), self.signed_in_as("theo")
        return self

    def another_sign_in(self):
        """Tess on another device."""
        answer = self.stranger.ask("POST", "/api/session", {"email": EMAIL, "password": PASSWORD, "bearer": True})
        assert answer.status == 200, answer.text
        return Caller(self, answer.json["token"])

    def signed_in_as(self, child):
        """A device of the household at a child's profile."""
        caller = self.another_sign_in()
        answer = caller.ask("PUT", "/api/session/profile", {"personID": self.ids[child]})
        assert answer.status == 200, answer.text
        return caller

    def is_alive(self):
        return self.process.poll() is None and self.stranger.ask("GET", "/healthz", timeout=10).status == 200

    @property
    def routes(self):
        """(method, path with {names}, the operation, its schemas in place) of each route that the hub describes."""
        described = self.stranger.ask("GET", "/openapi.json").json
        schemas = described["components"]["schemas"]
        return [
            (method.upper(), path, with_schemas(what, schemas))
            for path, each in described["paths"].items()
            for method, what in each.items()
        ]


def with_schemas(described, schemas, within=()):
    """What is described, with each reference replaced by the schema that it names; one within itself stays a reference."""
    if isinstance(described, list):
        return [with_schemas(each, schemas, within) for each in described]
    if not isinstance(described, dict):
        return described
    name = str(described.get("$ref", "")).removeprefix("#/components/schemas/")
    if name in schemas and name not in within:
        return with_schemas(schemas[name], schemas, (*within, name))
    return {key: with_schemas(each, schemas, within) for key, each in described.items()}


class Ground:
    """The hubs of one run. One is shared by the probes that do it no harm; whoever harms makes their own."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tandem-attack-"))
        self.is_namespace = os.environ.get("TANDEM_ATTACK_NAMESPACE") == "1"
        self.number = 0
        self.shared = None
        self.own = []

    @property
    def description(self):
        return "in a network namespace of its own" if self.is_namespace else "on loopback: no namespace could be made"

    def __enter__(self):
        return self

    def stranger(self, number):
        """The address of one of many machines in the network."""
        if not self.is_namespace:
            return f"127.77.1.{number % STRANGERS + 1}"
        return f"10.77.1.{number % STRANGERS + 1}"

    def needs_namespace(self):
        if not self.is_namespace:
            raise Unplayable("wants addresses of a network, and no namespace could be made")

    def folder_of(self, name="data"):
        self.number += 1
        return self.folder / f"{self.number}-{name}"

    def app(self, *flags, wrapper=(), **options):
        """A hub of the probe's own, running, with its household; ended after the probe."""
        data = self.folder_of()
        tandem("user", "add", "--data", data, "--name", "Tess", "--email", EMAIL, stdin=PASSWORD + "\n")
        app = HubApp(data, *flags, lan=options.pop("lan", "linden"), legacy=options.pop("legacy", True), **options)
        app.wrapper = list(wrapper)
        self.own.append(app)
        app.start()
        return app.settle()

    def app_in(self, data):
        """A hub in a folder that has an account, running, with its household."""
        app = HubApp(data)
        self.own.append(app)
        app.start()
        return app.settle()

    @property
    def executable(self):
        return TANDEM

    def fresh(self, *flags, **options):
        """A hub that nobody has an account on."""
        app = HubApp(self.folder_of("fresh"), *flags, **options)
        self.own.append(app)
        return app.start(within=150)  # A sample household has a year behind it.

    @property
    def home(self):
        """The shared one, with its screens where they are built."""
        if self.shared is None or not self.shared.is_alive():
            web = ROOT / "web-build"
            self.shared = self.app(web=web if (web / "index.html").exists() else None)
            self.own.remove(self.shared)
        return self.shared

    def tidy(self):
        while self.own:
            self.own.pop().close()

    def __exit__(self, *_):
        self.tidy()
        if self.shared:
            self.shared.close()
        shutil.rmtree(self.folder, ignore_errors=True)


__all__ = ["Answer", "Caller", "Ground", "House", "TANDEM", "EMAIL", "PASSWORD", "HUB_ADDRESS"]
