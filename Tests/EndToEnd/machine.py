"""Machines of a small network on this one: namespaces with a host name, a cable between two, and real Avahi daemons."""

import json
import subprocess
import sys

from hub import Hub, Problem, eventually

ADDRESSES = ("10.77.0.1", "10.77.0.2")

# One request, made by a Python on the machine.
REQUEST = """
import json, sys, urllib.error, urllib.request
data, headers = json.loads(sys.argv[3])
request = urllib.request.Request(sys.argv[1], data and data.encode(), headers, method=sys.argv[2])
try:
    answer = urllib.request.urlopen(request, timeout=30)
except urllib.error.HTTPError as error:
    answer = error
print(json.dumps([answer.status, answer.read().decode(), dict(answer.headers)]))
"""


def can_be_made():
    """Whether this user may make namespaces and cables; root may, in most places."""
    probe = ["unshare", "--net", "--mount", "--uts", "ip", "link", "add", "one", "type", "veth", "peer", "name", "two"]
    return subprocess.run(probe, capture_output=True).returncode == 0


class Machine:
    """A host name, a network and a /run of its own, until `close`."""

    def __init__(self, name):
        self.name = name
        self.programs = []
        # Ends with its standard input, so that it never outlives the tests.
        script = (
            "mount -t tmpfs tmpfs /run && mkdir -p /run/dbus /run/avahi-daemon && hostname $0 && ip link set lo up "
            "&& echo ready && exec cat"
        )
        self.holder = subprocess.Popen(
            ["unshare", "--net", "--mount", "--uts", "--propagation", "private", "sh", "-c", script, name],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert self.holder.stdout.readline() == "ready\n"

    @property
    def inside(self):
        """What a command begins with that runs on this machine."""
        return ["nsenter", "--target", str(self.holder.pid), "--net", "--mount", "--uts"]

    def run(self, *command):
        result = subprocess.run([*self.inside, *command], capture_output=True, text=True, timeout=30)
        assert result.returncode == 0, f"{command}: {result.returncode}\n{result.stdout}{result.stderr}"
        return result.stdout

    def start(self, *command):
        process = subprocess.Popen([*self.inside, *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.programs.append(process)
        return process

    def start_bus(self):
        self.start("dbus-daemon", "--system", "--nofork", "--nopidfile")
        eventually(lambda: "socket" in self.run("ls", "/run/dbus"), what="D-Bus")

    def start_avahi(self):
        self.start("/usr/sbin/avahi-daemon", "--no-drop-root", "--no-chroot")
        eventually(lambda: self.resolve(f"{self.name}.local"), what="Avahi's first answer")

    def resolve(self, name):
        """The IPv4 address of a name, as any program of this machine gets it from Avahi; None where there is none."""
        command = ["avahi-resolve", "-4", "-n", name]
        words = subprocess.run([*self.inside, *command], capture_output=True, text=True, timeout=30).stdout.split()
        return words[1] if len(words) == 2 else None

    def browse(self, kind="_https._tcp"):
        """The services that this machine sees: a set of (name, host, address, port)."""
        rows = [line.split(";") for line in self.run("avahi-browse", "-rpt", kind).splitlines()]
        return {(row[3], row[6], row[7], int(row[8])) for row in rows if row[0] == "="}

    def python(self, source, *arguments):
        return self.run(sys.executable, "-c", source, *map(str, arguments))

    def close(self):
        for process in reversed(self.programs):
            process.terminate()
            process.wait(10)
        self.holder.stdin.close()
        self.holder.wait(10)


def connect(one, other):
    """A cable from one machine to the other; they have the ADDRESSES then."""
    one.run("ip", "link", "add", "cable0", "type", "veth", "peer", "name", "cable1")
    one.run("ip", "link", "set", "cable1", "netns", str(other.holder.pid))
    for number, machine in enumerate((one, other)):
        machine.run("ip", "address", "add", f"{ADDRESSES[number]}/24", "dev", f"cable{number}")
        machine.run("ip", "link", "set", f"cable{number}", "up")


class HubOnMachine(Hub):
    """A hub that runs on a machine of its own, and is asked there."""

    def __init__(self, machine, data, *flags, path=None, **options):
        super().__init__(data, *flags, **options)
        self.machine = machine
        self.wrapper = [*machine.inside, *(["env", f"PATH={path}"] if path else [])]

    def is_up(self):
        if self.process.poll() is not None:
            self.reader.join(2)
            raise AssertionError(f"the hub ended with {self.process.returncode}:\n{self.log}")
        probe = "import socket, sys; print(socket.socket().connect_ex(('127.0.0.1', int(sys.argv[1]))))"
        return self.machine.python(probe, self.port) == "0\n"

    def request(self, method, path, body=None, headers=None):
        headers = {"Content-Type": "application/json"} | dict(headers or {})
        if self.token:
            headers.setdefault("Authorization", f"Bearer {self.token}")
        data = None if body is None else json.dumps(body)
        status, text, headers = json.loads(self.machine.python(REQUEST, self.url + path, method, json.dumps([data, headers])))
        answer = json.loads(text) if text else b""
        if status >= 400:
            raise Problem(status, answer, headers)
        return status, answer, headers

    def announcement(self):
        return self.get("/api/welcome")["announcement"]
