"""Home Assistant itself, as PyPI has it: started on a folder of its own, told of the hub in its own dialog, asked by its API."""

import json
import pathlib
import subprocess
import threading
import urllib.error
import urllib.parse
import urllib.request

from hub import ROOT, eventually, free_port, tandem

PROGRAM = ROOT / ".venv-homeassistant/bin/hass"
CLIENT = "http://127.0.0.1/"
# What MQTT does is told from INFO on: each connection and each time that one was lost.
CONFIGURATION = """
http:
  server_host: 127.0.0.1
  server_port: {port}
logger:
  default: warning
  logs:
    homeassistant.components.mqtt: info
"""
MQTT = "[homeassistant.components.mqtt"


class HomeAssistant:
    def __init__(self, folder, configuration=""):
        """configuration: more lines of configuration.yaml."""
        self.folder, self.port = pathlib.Path(folder), free_port()
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "configuration.yaml").write_text(CONFIGURATION.format(port=self.port) + configuration)
        self.process, self.keys, self.lines = None, {}, []

    # The program.

    def start(self):
        """Starts it and returns once all of it runs."""
        self.process = subprocess.Popen(
            # Nothing is installed by itself: what is missing shall be seen.
            [PROGRAM, "--config", self.folder, "--skip-pip", "--log-no-color"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        self.reader = threading.Thread(target=self.read, args=(self.process,), daemon=True)
        self.reader.start()
        eventually(self.answers, 60, "Home Assistant's first answer")
        if self.keys:
            self.renew()
        else:
            self.become_an_owner()
        eventually(lambda: self.get("/api/config")["state"] == "RUNNING", 60, "Home Assistant's start")
        return self

    def read(self, process):
        for line in process.stdout:
            self.lines.append(line.rstrip("\n"))

    def stop(self):
        """SIGTERM, as the machine's own stop is: it writes down what it has to."""
        self.process.terminate()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(10)
        self.reader.join(5)

    def close(self):
        if self.process and self.process.poll() is None:
            self.stop()

    # What it says.

    @property
    def log(self):
        return "\n".join(self.lines)

    def mqtt_lines(self, *levels):
        return [line for line in list(self.lines) if MQTT in line and any(f" {level} " in line for level in levels)]

    @property
    def connections(self):
        """How often it was let in by its broker so far."""
        return sum("Connected to MQTT server" in line for line in self.mqtt_lines("INFO"))

    @property
    def losses(self):
        """How often a connection to its broker ended that it had not ended itself, or could not be made."""
        words = ("Disconnected from MQTT server", "Failed to connect to MQTT server", "Unable to connect")
        return sum(any(one in line for one in words) for line in self.mqtt_lines("WARNING", "ERROR"))

    # Its API.

    def request(self, method, path, body=None, kind="application/json"):
        headers, data = {"Content-Type": kind}, body
        if body is not None and not isinstance(body, bytes):
            data = json.dumps(body).encode()
        if "access_token" in self.keys:
            headers["Authorization"] = f"Bearer {self.keys['access_token']}"
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data, headers, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.loads(answer.read())

    def get(self, path):
        return self.request("GET", path)

    def post(self, path, body):
        return self.request("POST", path, body)

    def answers(self):
        if self.process.poll() is not None:
            raise AssertionError(f"Home Assistant ended with {self.process.returncode}:\n{self.log}")
        try:
            return self.request("GET", "/api/onboarding")
        except (OSError, ValueError):
            return None

    def become_an_owner(self):
        """The first page of the first visit: an account, and a token for it."""
        owner = {"name": "Tess", "username": "tess", "password": "a long enough password", "language": "en"}
        code = self.post("/api/onboarding/users", {"client_id": CLIENT, **owner})["auth_code"]
        self.sign_in(grant_type="authorization_code", code=code)

    def renew(self):
        """A new access token; one lasts for half an hour."""
        self.sign_in(grant_type="refresh_token", refresh_token=self.keys["refresh_token"])

    def sign_in(self, **grant):
        refresh = self.keys.get("refresh_token")
        self.keys = {}
        form = urllib.parse.urlencode({"client_id": CLIENT, **grant}).encode()
        keys = self.request("POST", "/auth/token", form, "application/x-www-form-urlencoded")
        self.keys = {"refresh_token": refresh, **keys}

    def add_broker(self, hub, user, password, port=None, **advanced):
        """Settings, Devices & services, Add integration, MQTT: what its dialog answers. advanced: what it asks for more of
        whoever has switched on the advanced mode."""
        flows = "/api/config/config_entries/flow"
        form = self.post(flows, {"handler": "mqtt", "show_advanced_options": bool(advanced)})
        assert form["step_id"] == "broker", form
        broker = {"broker": "127.0.0.1", "port": port or hub.mqtt_port, "username": user, "password": password}
        steps = [broker]
        if advanced:
            steps = [{**broker, "advanced_options": True}]
            # Some are asked for only once others were given, such as a certificate.
            later = {name: advanced.pop(name) for name in ("certificate", "ws_path") if name in advanced}
            steps += [{**broker, **advanced}, {**broker, **advanced, **later}] if later else [{**broker, **advanced}]
        for step in steps:
            answer = self.post(f"{flows}/{form['flow_id']}", step)
        return answer

    def upload(self, file):
        """The id of a file that a dialog wants."""
        mark = "a-mark-that-no-certificate-has"
        head = f'--{mark}\r\nContent-Disposition: form-data; name="file"; filename="{file.name}"\r\n\r\n'
        data = head.encode() + file.read_bytes() + f"\r\n--{mark}--\r\n".encode()
        return self.request("POST", "/api/file_upload", data, kind=f"multipart/form-data; boundary={mark}")["file_id"]

    def publish(self, topic, payload, qos=1, retain=False):
        """The service mqtt.publish, which returns once the broker has acknowledged."""
        return self.post(
            "/api/services/mqtt/publish", {"topic": topic, "payload": payload, "qos": qos, "retain": retain}
        )

    def state(self, entity):
        """The state of an entity, or None where there is none."""
        try:
            return self.get(f"/api/states/{entity}")["state"]
        except urllib.error.HTTPError as error:
            if error.code == 404:
                return None
            raise

    def set_state(self, entity, state):
        """What an integration of a sensor does once it has a value."""
        return self.post(f"/api/states/{entity}", {"state": str(state)})


def let_in(hub, *filters):
    """The id and the token of a program, as the documents make them."""
    options = [word for one in filters for word in ("--filter", one)]
    made = tandem("integration", "add", "--name", "Home Assistant", *options, "--data", hub.data, "--json")
    program = json.loads(made.stdout)
    return program["id"], program["token"]
