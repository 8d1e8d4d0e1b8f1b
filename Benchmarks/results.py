"""The figures of one benchmark program, as JSON: bench-results/PROGRAM.json, from which table.py makes docs/performance.md.

    results = Results("brokers")
    results.record("broker.stored", 690_620, "/s", peer=("mosquitto", 125_676), ratio=5.5, spread=(5.1, 6.1), n=5)
    results.missing("nginx is not installed: apt-get install nginx-light", "tls.1.3.fresh", "tls.1.3.resumed")

Each figure is written as soon as it is known, so that a program that ends early has not measured for nothing. Which figures
there are, in what order, and what is aimed at, says thresholds.json. Where a figure has a ratio, its spread, its aim and its
limits are those of the ratio: rates and times of one machine say little of another, how two programs compare says much.
"""

import datetime
import json
import os
import pathlib
import platform
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[1]
FOLDER = pathlib.Path(os.environ.get("BENCH_RESULTS", ROOT / "bench-results"))
THRESHOLDS = ROOT / "Benchmarks/thresholds.json"


def rows():
    """The figures of thresholds.json by name, in the order of the table."""
    return {row["name"]: row for row in json.loads(THRESHOLDS.read_text())["figures"]}


def said_by(*command, pattern=r"(\d+(?:\.\d+)+)"):
    """The version that a program says of itself, or None where it is not installed."""
    path = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
    try:
        said = subprocess.run(command, capture_output=True, text=True, timeout=20, env=os.environ | {"PATH": path})
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.search(pattern, said.stdout + said.stderr)
    return found and found[1]


def first(path, pattern):
    try:
        found = re.search(pattern, pathlib.Path(path).read_text(), re.MULTILINE)
    except OSError:
        return None
    return found and found[1].strip().strip('"')


def git(*arguments):
    return subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, text=True).stdout.strip()


def machine():
    """What a figure is of: the machine, how busy it is, the programs beside, and the tree."""
    versions = {
        "mosquitto": said_by("mosquitto", "-h"), "nginx": said_by("nginx", "-v"), "chromium": said_by("chromium", "--version"),
        "postgresql": next(iter(sorted(one.name for one in pathlib.Path("/usr/lib/postgresql").glob("*"))), None),
        "swift": said_by("swift", "--version", pattern=r"Swift version (\S+)"), "python": platform.python_version(),
    }  # fmt: skip
    return {
        "date": datetime.date.today().isoformat(),
        "commit": git("rev-parse", "--short=8", "HEAD") + ("+" if git("status", "--porcelain", "-uno") else ""),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "cpu": first("/proc/cpuinfo", r"^model name\s*:(.*)$") or platform.machine(),
        "system": first("/etc/os-release", r"^PRETTY_NAME=(.*)$") or platform.system(),
        "kernel": platform.release(),
        "load": round(os.getloadavg()[0], 1),
        "versions": {name: version for name, version in versions.items() if version},
    }


def rounded(value):
    """To four digits that count: what is behind them is noise."""
    return value if isinstance(value, int) or value is None else float(f"{value:.4g}")


class Results:
    """What one program has measured so far."""

    def __init__(self, program, is_part=False):
        """is_part: some of it was asked for, and what is left out is no fault."""
        self.file = FOLDER / f"{program}.json"
        self.data = {"program": program, "isPart": is_part, "machine": machine(), "figures": [], "missing": []}
        self.known = rows()
        self.write()

    def record(self, name, value, unit, *, spread=None, n=None, peer=None, ratio=None, note=""):
        """spread: the least and the most. peer: its name, and its value of the same."""
        row = self.known.get(name, {})
        figure = {
            "name": name, "value": rounded(value), "unit": unit, "spread": spread and [rounded(one) for one in spread], "n": n,
            "peer": peer and {"name": peer[0], "value": rounded(peer[1])}, "ratio": rounded(ratio), "note": note or None,
            "aim": row.get("aim"), "better": row.get("better"),
        }  # fmt: skip
        self.data["figures"].append({key: one for key, one in figure.items() if one is not None})
        self.write()

    def missing(self, why, *names):
        """Says of figures that they cannot be measured here, and why."""
        print(f"not measured: {', '.join(names)}: {why}", flush=True)
        self.data["missing"] += [{"name": name, "why": why} for name in names]
        self.write()

    def write(self):
        FOLDER.mkdir(parents=True, exist_ok=True)
        half = self.file.with_suffix(".part")
        half.write_text(json.dumps(self.data, indent=1, ensure_ascii=False) + "\n")
        half.replace(self.file)
