"""A hub for tests: the real executable, on free ports, with a data folder that is thrown away."""

import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
TANDEM = pathlib.Path(os.environ.get("TANDEM_BINARY", ROOT / ".build/debug/tandem"))
EMAIL, PASSWORD = "tess@example.org", "a long enough password"


def ports():
    """Those that nobody is given by chance: below what Linux gives to clients, a range for each process of the tests."""
    worker = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
    process = int(os.environ.get("TANDEM_TEST_PROCESS", worker))
    first = 12_000 + process * 2_500 + os.getpid() % 500
    while True:
        yield from range(first, first + 2_000)


PORTS = ports()


def free_port():
    """A port that is free, and that no other test of this run was given lately."""
    while True:
        port = next(PORTS)
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port


def eventually(condition, within=10.0, what="it"):
    """Waits until condition() is truthy and returns what it returned; asks again every few milliseconds."""
    pause, end = threading.Event(), time.monotonic() + within
    while True:
        result = condition()
        if result:
            return result
        if time.monotonic() > end:
            raise AssertionError(f"{what} did not happen within {within} s; the last answer was {result!r}")
        pause.wait(0.02)


def tandem(*arguments, stdin=None, check=True, timeout=60):
    """Runs one subcommand to its end."""
    result = subprocess.run(
        [TANDEM, *map(str, arguments)], input=stdin, capture_output=True, text=True, timeout=timeout
    )
    if check and result.returncode != 0:
        raise AssertionError(f"tandem {' '.join(map(str, arguments))}: {result.returncode}\n{result.stdout}{result.stderr}")
    return result


#: The smallest picture that the hub takes: a JPEG of one dot, the first of Companions/Plants/Vectors/pictures.txt.
PICTURE = bytes.fromhex(
    "ffd8ffe000104a46494600010100000100010000ffdb004300" + bytes(range(1, 65)).hex() +
    "ffc2000b080001000101011100ffda0008010100003f0012ff0034ffd056ffd9"
)


class Problem(AssertionError):
    """An answer of 400 or more."""

    def __init__(self, status, body, headers):
        super().__init__(f"{status}: {body!r}")
        self.status, self.body, self.headers = status, body, headers


class Hub:
    tokens = {}
    # Of pages that were signed in before, each another device.
    cookies = []
    # Whether other tests have it too: see shared_hub.py.
    is_shared = False

    def __init__(self, data, *flags, command="serve", legacy=False, web=None, lan=None, wrapper=()):
        """lan: the hub's name on the network, which opens the ports with TLS. wrapper: a command that becomes the hub, such as
        faketime's, with its arguments."""
        self.data = pathlib.Path(data)
        self.flags = list(flags)
        self.command = command
        if legacy:
            self.flags += ["--legacy", "plants"]
        if web:
            self.flags += ["--web", str(web)]
        self.port, self.mqtt_port = free_port(), free_port()
        self.https_port, self.mqtts_port = free_port(), free_port()
        self.name = f"{lan}.local" if lan else None
        if lan:
            self.flags += [
                "--lan", "--name", lan, "--https-port", str(self.https_port), "--mqtts-port", str(self.mqtts_port)
            ]  # fmt: skip
        self.wrapper = list(wrapper)
        self.process = None
        self.lines = []
        self.token = None

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    @property
    def origin(self):
        """The one address for phones."""
        return f"https://{self.name}:{self.https_port}"

    @property
    def log(self):
        return "".join(self.lines)

    def launch(self):
        """Starts the process and returns at once."""
        self.process = subprocess.Popen(
            [
                *self.wrapper, TANDEM, self.command, "--host", "127.0.0.1", "--port", str(self.port),
                "--mqtt-port", str(self.mqtt_port), "--data", str(self.data), *self.flags,
            ],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, stdin=subprocess.DEVNULL,
            # The sample is in English, whatever the machine speaks.
            env={**os.environ, "LC_ALL": "C.UTF-8"},
        )  # fmt: skip
        self.reader = threading.Thread(target=self.read, args=(self.process,), daemon=True)
        self.reader.start()
        return self

    def read(self, process):
        for line in process.stdout:
            self.lines.append(line)

    def start(self, within=60.0):
        self.launch()
        eventually(self.is_up, within, "the hub's first answer")
        return self

    def is_up(self):
        if self.process.poll() is not None:
            self.reader.join(2)
            raise AssertionError(f"the hub ended with {self.process.returncode}:\n{self.log}")
        try:
            with urllib.request.urlopen(f"{self.url}/healthz", timeout=5) as answer:
                with socket.create_connection(("127.0.0.1", self.mqtt_port), timeout=5):
                    return answer.status == 200
        except OSError:
            return False

    @property
    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def terminate(self, within=10.0):
        """SIGTERM, and the exit code."""
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.wait(within)

    def wait(self, within=10.0):
        code = self.process.wait(within)
        self.reader.join(2)
        return code

    def kill(self):
        """SIGKILL: no warning, no tidying."""
        self.process.kill()
        self.wait()

    def close(self):
        if self.process and self.process.poll() is None:
            try:
                self.terminate()
            except subprocess.TimeoutExpired:
                self.kill()

    def resident_bytes(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmRSS"))

    # The HTTP API.

    def request(self, method, path, body=None, headers=None):
        """Sends JSON, returns (status, decoded JSON or bytes, headers); an error status raises Problem."""
        headers = dict(headers or {})
        if self.token and "Authorization" not in headers:
            headers["Authorization"] = f"Bearer {self.token}"
        data = None
        if body is not None:
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            headers.setdefault("Content-Type", "application/json")
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, decoded(answer), answer.headers
        except urllib.error.HTTPError as error:
            raise Problem(error.code, decoded(error), error.headers) from None

    def get(self, path):
        return self.request("GET", path)[1]

    def post(self, path, body=None):
        return self.request("POST", path, {} if body is None else body)[1]

    def put(self, path, body):
        return self.request("PUT", path, body)[1]

    def signed_in(self):
        """Signed in as `prepare` was: the session came with the copied folder, and no password is hashed again."""
        self.token = self.tokens[EMAIL]
        return self

    def sign_in(self, email=EMAIL, password=PASSWORD):
        self.token = None
        self.token = self.post("/api/session", {"email": email, "password": password, "bearer": True})["token"]
        return self

    def page_cookie(self, email=EMAIL, password=PASSWORD):
        """Signs in as a page does; what the hub gives it to show from then on."""
        _, _, headers = self.request("POST", "/api/session", {"email": email, "password": password})
        return headers["Set-Cookie"].split(";")[0].split("=", 1)[1]

    def add_device(self, name="Fern's sensor"):
        answer = self.post("/api/devices", {"kind": "plant-sensor", "name": name})
        return Device(answer["id"], answer["token"], self)

    def export(self, device, form="json"):
        """The stored readings of a device as the command prints them, decoded: [{series, at, value}]."""
        text = tandem("export", "readings", "--device", device, "--format", form, "--data", self.data).stdout
        return json.loads(text) if form == "json" else text


class Device:
    def __init__(self, identifier, token, hub):
        self.id, self.token, self.hub = identifier, token, hub

    def topic(self, quantity="moisture"):
        return f"tandem/{self.id}/{quantity}"

    def show(self):
        return self.hub.get(f"/api/devices/{self.id}")

    def value(self, quantity="moisture"):
        """The newest value of a series, or None."""
        return next((series["value"] for series in self.show()["series"] if series["quantity"] == quantity), None)

    def readings(self, quantity="moisture"):
        """Every stored reading of a series as (at, value), oldest first."""
        rows = self.hub.export(self.id)
        return sorted((row["at"], row["value"]) for row in rows if row["series"].endswith(quantity))


def decoded(answer):
    body = answer.read()
    return json.loads(body) if body and "json" in answer.headers.get("Content-Type", "") else body


PAGES = 2  # signed in beforehand, as many as one test has devices


def prepare(folder):
    """A data folder with one account that is signed in, on pages too, made by the command line; returns the folder."""
    folder = pathlib.Path(folder)
    tandem("user", "add", "--data", folder, "--name", "Tess", "--email", EMAIL, stdin=PASSWORD + "\n")
    hub = Hub(folder).start().sign_in()
    Hub.cookies = [hub.page_cookie() for _ in range(PAGES)]
    hub.terminate()
    Hub.tokens[EMAIL] = hub.token
    return folder


def copy_of(folder, to):
    shutil.copytree(folder, to, dirs_exist_ok=True)
    return pathlib.Path(to)


def code_of(hub):
    """The code for the first account, the latest that the hub printed."""
    return eventually(
        lambda: re.findall(r"\b[A-Z0-9]{4}(?:-[A-Z0-9]{4}){2}\b", hub.log), what="the code in the terminal"
    )[-1]
