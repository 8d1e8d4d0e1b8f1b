#!/usr/bin/env python3
"""TLS handshakes, fresh and resumed, beside nginx with the same certificate and key.

    handshakes.py --seconds 3 --rounds 5

The client is Python's ssl over OpenSSL, some processes with one connection each at a time, and it shares the cores with
the server: a handshake costs a client more than a server. So besides the rate and the latencies that these clients see,
it measures the server's own time: the CPU that its process spent, a handshake. Two cores can do at most two seconds of
that a second, whatever the client is.

A handshake ends when the client has checked the server's Finished; the connection is then closed without a request.
"""

import argparse
import json
import multiprocessing
import os
import pathlib
import socket
import ssl
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
os.environ.setdefault("TANDEM_BINARY", str(ROOT / ".build/release/tandem"))
sys.path.insert(0, str(ROOT / "Tests/EndToEnd"))

import hub as tandem_hub  # noqa: E402
from mqtt_blast import percentile  # noqa: E402
from results import Results  # noqa: E402

CLIENTS = int(os.environ.get("CLIENTS", "4"))
VERSIONS = {"1.3": ssl.TLSVersion.TLSv1_3, "1.2": ssl.TLSVersion.TLSv1_2}
NAME = "linden.local"
PROGRAM = "/usr/sbin/nginx"


class Nginx:
    """Debian's nginx with the hub's certificate, a worker a core."""

    def __init__(self, folder, authority):
        self.folder = pathlib.Path(folder)
        self.port = tandem_hub.free_port()
        self.settings = self.folder / "nginx.conf"
        self.settings.write_text(f"""
            daemon off; pid {folder}/nginx.pid; worker_processes {os.cpu_count()}; error_log stderr;
            events {{ worker_connections 1024; }}
            http {{
                access_log off;
                server {{
                    listen 127.0.0.1:{self.port} ssl http2;
                    ssl_certificate {authority}/leaf.pem;
                    ssl_certificate_key {authority}/leaf.key;
                    ssl_protocols TLSv1.2 TLSv1.3;
                    ssl_session_cache shared:tandem:4m;
                    return 204;
                }}
            }}""")

    def __enter__(self):
        program = [PROGRAM, "-p", self.folder, "-c", self.settings]
        # As root it would give its workers to another user, who cannot read the key.
        if os.geteuid() == 0:
            program += ["-g", "user root;"]
        self.process = subprocess.Popen(program, stderr=subprocess.DEVNULL)
        tandem_hub.eventually(self.answers, what="nginx's first answer")
        return self

    def answers(self):
        with socket.socket() as link:
            return link.connect_ex(("127.0.0.1", self.port)) == 0

    @property
    def pids(self):
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        return [self.process.pid, *map(int, children.split())]

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


def cpu_nanoseconds(pids):
    """What these processes' threads have spent on a core."""
    return sum(
        int(task.read_text().split()[0]) for pid in pids for task in pathlib.Path("/proc").glob(f"{pid}/task/*/schedstat")
    )


def connect(context, port, session=None):
    link = socket.create_connection(("127.0.0.1", port))
    link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return context.wrap_socket(link, server_hostname=NAME, session=session)


def client(port, version, trusted, is_resumed, seconds, start, results):
    context = ssl.create_default_context(cafile=trusted)
    context.minimum_version = context.maximum_version = VERSIONS[version]
    context.set_alpn_protocols(["h2", "http/1.1"])
    session = None
    if is_resumed:
        # One request over HTTP/1.1, since the tickets of TLS 1.3 come after the handshake.
        context.set_alpn_protocols(["http/1.1"])
        with connect(context, port) as link:
            link.sendall(f"GET /healthz HTTP/1.1\r\nHost: {NAME}:{port}\r\nConnection: close\r\n\r\n".encode())
            while link.recv(65536):
                pass
            session = link.session
    latencies = []
    start.wait()
    end = time.perf_counter() + seconds
    while (began := time.perf_counter()) < end:
        link = connect(context, port, session)
        latencies.append(time.perf_counter() - began)
        if link.session_reused != is_resumed:
            raise SystemExit(f"a handshake that should{'' if is_resumed else ' not'} have been resumed was the other")
        link.close()
    results.put(latencies)


def run(port, pids, version, trusted, is_resumed, seconds):
    """One round: {"per_second", "p50_ms", "p99_ms", "cpu_us"}."""
    start, results = multiprocessing.Barrier(CLIENTS + 1), multiprocessing.Queue()
    clients = [
        multiprocessing.Process(target=client, args=(port, version, trusted, is_resumed, seconds, start, results))
        for _ in range(CLIENTS)
    ]
    for process in clients:
        process.start()
    start.wait(30)
    before, began = cpu_nanoseconds(pids), time.perf_counter()
    latencies = sorted(latency for _ in clients for latency in results.get(timeout=seconds + 30))
    took, spent = time.perf_counter() - began, cpu_nanoseconds(pids) - before
    for process in clients:
        process.join()
    return {
        "per_second": len(latencies) / took,
        "p50_ms": 1000 * percentile(latencies, 0.5),
        "p99_ms": 1000 * percentile(latencies, 0.99),
        "cpu_us": spent / len(latencies) / 1000,
    }


def measure(hub, *, rounds=5, seconds=3.0, versions=("1.3", "1.2")):
    """The servers take turns; medians of the rounds as {(version, kind): {"tandem", "nginx", "cpu_ratio", ...}}.

    hub runs with the network's ports open, under NAME.
    """
    authority, found = hub.data / "authority", {}
    with tempfile.TemporaryDirectory() as folder, Nginx(folder, authority) as nginx:
        servers = {"nginx": (nginx.port, nginx.pids), "tandem": (hub.https_port, [hub.process.pid])}
        for version in versions:
            for kind in ("fresh", "resumed"):
                each = {name: [] for name in servers}
                for _ in range(rounds):
                    for name, (port, pids) in servers.items():
                        trusted = str(authority / "authority.pem")
                        each[name].append(run(port, pids, version, trusted, kind == "resumed", seconds))
                middle = {
                    name: {key: round(statistics.median(one[key] for one in taken), 2) for key in taken[0]}
                    for name, taken in each.items()
                }
                pairs = list(zip(each["tandem"], each["nginx"]))
                ratios = [b["cpu_us"] / a["cpu_us"] for a, b in pairs]
                found[version, kind] = middle | {
                    "rate_ratio": round(statistics.median(a["per_second"] / b["per_second"] for a, b in pairs), 2),
                    "cpu_ratio": round(statistics.median(ratios), 2),
                    "cpu_ratios": [round(min(ratios), 2), round(max(ratios), 2)],
                }
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=3.0, help="of a round")
    parser.add_argument("--rounds", type=int, default=int(os.environ.get("ROUNDS", "5")))
    options = parser.parse_args()
    results = Results("handshakes")
    if not pathlib.Path(PROGRAM).exists():
        kinds = [f"tls.{version}.{kind}" for version in VERSIONS for kind in ("fresh", "resumed")]
        return results.missing("nginx is not installed (apt-get install nginx-light)", *kinds)
    with tempfile.TemporaryDirectory() as folder:
        data = tandem_hub.prepare(pathlib.Path(folder) / "data")
        hub = tandem_hub.Hub(data, lan="linden").start()
        try:
            for (version, kind), row in measure(hub, rounds=options.rounds, seconds=options.seconds).items():
                print(json.dumps({"tls": version, "kind": kind, **row}), flush=True)
                ours, theirs = row["tandem"], row["nginx"]
                results.record(
                    f"tls.{version}.{kind}", ours["cpu_us"], "µs", peer=("nginx", theirs["cpu_us"]), ratio=row["cpu_ratio"],
                    spread=row["cpu_ratios"], n=options.rounds,
                    note=f"{ours['per_second']:,.0f} / {theirs['per_second']:,.0f} a second, p99 {ours['p99_ms']:.1f} /"
                    f" {theirs['p99_ms']:.1f} ms",
                )  # fmt: skip
        finally:
            hub.close()


if __name__ == "__main__":
    main()
