"""A push service on a machine of its own: what browsers' makers run, played by Python, over TLS on port 443.

Run as a program it answers each POST with the next line of its standard input, and prints what it was sent.
"""

import base64
import http.server
import json
import os
import pathlib
import queue
import ssl
import subprocess
import sys
import threading

import http_ece
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from py_vapid import Vapid02

from tls import own_certificate

HOST = "fcm.googleapis.com"
# Anybody's on the internet, and nobody's on the machines of these tests.
ADDRESS = "142.250.185.74"


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unbase64url(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Phone:
    """A browser that has subscribed, with an independent library for what it is sent."""

    def __init__(self, path="/fcm/send/phone"):
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.secret = os.urandom(16)
        self.endpoint = f"https://{HOST}{path}"

    def offer(self, people):
        point = self.key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        keys = {"p256dh": base64url(point), "auth": base64url(self.secret)}
        return {"endpoint": self.endpoint, "keys": keys, "people": people}

    def open(self, body):
        plain = http_ece.decrypt(body, private_key=self.key, auth_secret=self.secret, version="aes128gcm")
        return json.loads(plain)


class Request:
    def __init__(self, line):
        record = json.loads(line)
        self.path, self.headers = record["path"], record["headers"]
        self.body = bytes.fromhex(record["body"])
        self.all = (self.path + json.dumps(self.headers)).encode() + self.body

    def claims(self):
        """Those of its token, whose signature py-vapid has found good, and the key that it is bound to."""
        authorization = self.headers["authorization"]
        # The library takes the parameters without the space of RFC 8292, 3.
        assert Vapid02.verify(authorization.replace(", ", ","))
        scheme, parameters = authorization.split(" ", 1)
        values = dict(part.split("=", 1) for part in parameters.split(", "))
        return json.loads(unbase64url(values["t"].split(".")[1])), values["k"]


class PushService:
    """The program on a machine whose names and trust are made to lead to it; nothing of the hub is told so."""

    def __init__(self, machine, folder):
        self.machine, self.folder = machine, pathlib.Path(folder)
        self.hosts = self.folder / "hosts"
        self.names({HOST: ADDRESS})
        certificate, key = own_certificate(self.folder / "service", HOST)
        machine.run("mount", "--bind", self.hosts, "/etc/hosts")
        machine.run("mount", "--bind", certificate, "/etc/ssl/certs/ca-certificates.crt")
        machine.run("ip", "link", "add", "internet", "type", "veth", "peer", "name", "beyond")
        machine.run("ip", "address", "add", f"{ADDRESS}/32", "dev", "internet")
        # So that the machine asks for addresses of both families; without a cable there is nobody to ask for duplicates.
        machine.run("ip", "address", "add", "2a00:1450::1/128", "dev", "internet", "nodad")
        machine.run("ip", "link", "set", "internet", "up")
        self.requests, self.arrivals = [], queue.Queue()
        self.process = subprocess.Popen(
            [*machine.inside, sys.executable, __file__, ADDRESS, str(certificate), str(key)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert self.process.stdout.readline() == "ready\n"
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def names(self, addresses):
        """What the machine takes for the addresses of hosts, from now on."""
        self.hosts.write_text("127.0.0.1 localhost\n" + "".join(f"{a} {n}\n" for n, a in addresses.items()))

    def read(self):
        for line in self.process.stdout:
            self.requests.append(Request(line))
            self.arrivals.put(self.requests[-1])

    def answer(self, *statuses):
        """What the next requests get."""
        for status in statuses:
            self.process.stdin.write(f"{status}\n")
        self.process.stdin.flush()

    def next(self, within=30):
        """The next request, when it has come."""
        return self.arrivals.get(timeout=within)

    def close(self):
        self.process.stdin.close()
        self.process.terminate()
        self.process.wait(10)


def serve(address, certificate, key):
    answers = queue.Queue()

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            print(json.dumps({"path": self.path, "headers": headers, "body": body.hex()}), flush=True)
            self.send_response(answers.get())
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer((address, 443), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print("ready", flush=True)
    for line in sys.stdin:
        answers.put(int(line))


if __name__ == "__main__":
    serve(*sys.argv[1:])
