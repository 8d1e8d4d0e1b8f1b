"""What an append costs in a session of 1 kB, of 1 MB and of 30 MB: time of the component on a real SQLite file, each
committed with synchronous=FULL, and how much more memory the process has after 200 of them.

    .venv/bin/python Benchmarks/session_append.py [debug|release]

It builds the tests, so `make bench` runs it only when it is named: make bench ONLY=session_append
"""

import os
import re
import subprocess
import sys

from results import ROOT, Results

LINE = re.compile(r"append of \d+ bytes at (\d+) bytes: n (\d+), median ([\d.]+) ms, quartiles ([\d.]+) to ([\d.]+) ms; .*")


def main():
    configuration = sys.argv[1] if len(sys.argv) > 1 else "debug"
    run = subprocess.run(
        ["swift", "test", "-c", configuration, "--no-parallel", "--filter", "HubKitTests.AppendBenchmark"],
        cwd=ROOT, env=os.environ | {"TANDEM_BENCHMARK": "1"}, stdout=subprocess.PIPE, text=True, check=True,
    )  # fmt: skip
    found = list(LINE.finditer(run.stdout))
    for one in found:
        print(one[0])
    short, long = (float(one[3]) for one in (found[0], found[-1]))
    Results("session_append").record(
        "append", long, "ms", peer=("1 kB", short), ratio=long / short, n=int(found[-1][2]), note=f"{configuration} build"
    )


if __name__ == "__main__":
    main()
