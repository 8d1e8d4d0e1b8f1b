"""Other makers' MQTT tests against a hub of its own: Eclipse Paho's interoperability tests and mosquitto's of its broker.

    .venv/bin/python Tests/Conformance/conformance.py DIR [WORD...]

DIR holds copies of github.com/eclipse/paho.mqtt.testing or github.com/eclipse/mosquitto, or both, under these last names: no
line of theirs is part of the project. With words, only tests whose names have one of them. It prints a line for each test,
then the table of docs/site/reference/mqtt.md, and fails where a test fails that is not among the exceptions there.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "Tests/EndToEnd"))

from hub import Hub, free_port  # noqa: E402

EXCEPTIONS = json.loads((HERE / "exceptions.json").read_text())
DOES_NOT_APPLY = 77


class Results:
    def __init__(self):
        self.rows = []

    def add(self, suite, name, outcome, why=""):
        reason = EXCEPTIONS.get(suite, {}).get(name)
        if outcome == "failed" and reason:
            outcome, why = "differs", reason
        elif outcome == "passed" and reason:
            outcome, why = "failed", "It passes, and is among the exceptions."
        self.rows.append((suite, name, outcome, why))
        print(f"{outcome:>14}  {suite}  {name}" + (f": {why}" if why else ""), flush=True)

    def table(self):
        print("\n| suite | passed | differs | does not apply | failed |\n|---|---|---|---|---|")
        for suite in dict.fromkeys(row[0] for row in self.rows):
            count = [
                sum(row[0] == suite and row[2] == outcome for row in self.rows)
                for outcome in ("passed", "differs", "does not apply", "failed")
            ]
            print(f"| {suite} | " + " | ".join(map(str, count)) + " |")
        return any(row[2] == "failed" for row in self.rows)


def paho(folder, words, results):
    """Each test of the two files in a process and with a hub of its own: they count on a broker that has nothing yet."""
    for file in ("client_test.py", "client_test5.py"):
        text = (folder / file).read_text()
        names = re.findall(r"^\s+def (test\w*)\(self", text, re.M)
        for name in dict.fromkeys(names):
            if not wanted(name, words):
                continue
            with tempfile.TemporaryDirectory() as data:
                hub = Hub(pathlib.Path(data) / "data", "--mqtt-open", "--log-level", "error").start()
                try:
                    run = subprocess.run(
                        [sys.executable, str(HERE / "paho_test.py"), str(folder / file), name, str(hub.mqtt_port)],
                        capture_output=True, text=True, timeout=180,
                    )  # fmt: skip
                    results.add(f"Paho {file}", name, "failed" if run.returncode else "passed", last_line(run))
                except subprocess.TimeoutExpired:
                    results.add(f"Paho {file}", name, "failed", "It did not end.")
                finally:
                    hub.close()


def last_line(run):
    lines = [line for line in (run.stdout + run.stderr).splitlines() if line.strip()]
    errors = [line for line in lines if re.match(r"\w*(Error|Exception)\b", line)]
    return "" if run.returncode == 0 else " ".join((errors or lines or ["nothing was said"])[-1:])


# Of mosquitto's tests those of the protocol. Bridges, its plugins, its access lists and its TLS are its own.
MOSQUITTO = re.compile(r"(0[1-57]|1[123])-.*\.py$")


def mosquitto(folder, words, results):
    for path in sorted((folder / "broker").iterdir()):
        name = path.name.removesuffix(".py")
        if not MOSQUITTO.match(path.name) or path.name.endswith("helper.py") or not wanted(name, words):
            continue
        try:
            run = subprocess.run(
                [sys.executable, str(HERE / "mosquitto_test.py"), str(path), str(free_port())],
                capture_output=True, text=True, timeout=180,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            results.add("mosquitto", name, "failed", "It did not end.")
            continue
        if run.returncode == DOES_NOT_APPLY:
            results.add("mosquitto", name, "does not apply", run.stderr.strip().splitlines()[-1])
        else:
            said = "; ".join(line for line in run.stdout.splitlines() if line.strip())
            why = (said or last_line(run))[:600] if run.returncode else ""
            results.add("mosquitto", name, "failed" if run.returncode else "passed", why)


def wanted(name, words):
    return not words or any(word in name for word in words)


def main(folder, *words):
    folder = pathlib.Path(folder)
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    results = Results()
    suites = [
        (folder / "paho.mqtt.testing/interoperability", paho),
        (folder / "mosquitto/test", mosquitto),
    ]
    if not any(path.is_dir() for path, _ in suites):
        sys.exit(f"There is neither paho.mqtt.testing nor mosquitto in {folder}: clone one from github.com/eclipse.")
    for path, play in suites:
        if path.is_dir():
            play(path, words, results)
    sys.exit(results.table())


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(*sys.argv[1:])
