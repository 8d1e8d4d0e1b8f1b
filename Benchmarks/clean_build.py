"""From a clone to the page: the processor time, user and kernel, that a tree takes to be built where nothing is built yet.

    .venv/bin/python Benchmarks/clean_build.py [TREE] [--modules 40]
    .venv/bin/python Benchmarks/clean_build.py BEFORE AFTER --rounds 2     by turns, and the ratio of the second to the first

The files of a tree that git knows, as they are, are copied into a folder of their own, and what `make run` of that tree builds
with runs there: its `scripts/build.sh` and `scripts/web.sh`, as `make --dry-run run` tells them. Packages that the tree has fetched
already are copied too. Processor time is that of all processes together, which other work on the machine changes little; which
module it went to is looked up in /proc ten times a second. It takes as long as a first build, so `make bench` runs it only when it
is named: make bench ONLY=clean_build
"""

import argparse
import collections
import os
import pathlib
import re
import resource
import shlex
import shutil
import statistics
import subprocess
import tempfile
import threading
import time

from results import ROOT, Results

TICK = os.sysconf("SC_CLK_TCK")
# What SwiftPM has fetched, which is the same wherever it lies.
FETCHED = ["repositories", "checkouts", "artifacts", "workspace-state.json"]


def copied(tree, to):
    """A tree as a new clone of it would be, with what is not committed yet."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=tree, capture_output=True, check=True
    )
    for name in filter(None, listed.stdout.decode().split("\0")):
        if (tree / name).exists():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(tree / name, to / name)
    for name in FETCHED:
        if (tree / ".build" / name).is_dir():
            shutil.copytree(tree / ".build" / name, to / ".build" / name, symlinks=True)
        elif (tree / ".build" / name).exists():
            shutil.copy2(tree / ".build" / name, to / ".build" / name)
    if (tree / "Package.resolved").exists():
        shutil.copy2(tree / "Package.resolved", to / "Package.resolved")
    return to


def steps_of(tree):
    """What `make run` of a tree builds with, before it starts the hub."""
    asked = subprocess.run(["make", "--dry-run", "run"], cwd=tree, capture_output=True, check=True, text=True)
    return [line for line in asked.stdout.splitlines() if line.startswith(("scripts/build.sh", "scripts/web.sh"))]


def work_of(program, arguments):
    """The module that a compiler compiles, or the name of another program."""
    if "-module-name" in arguments:
        return arguments[arguments.index("-module-name") + 1]
    objects = [re.search(r"/([^/]+)\.build/", one) for one in arguments if one.endswith((".o", ".c", ".cc", ".S"))]
    return next((one[1] for one in objects if one), program)


class Sampler(threading.Thread):
    """Processor seconds of each module, of the processes of one session."""

    def __init__(self, session):
        super().__init__(daemon=True)
        self.session, self.seen, self.is_over = session, {}, threading.Event()

    def run(self):
        while not self.is_over.wait(0.1):
            for process in filter(str.isdigit, os.listdir("/proc")):
                try:
                    self.look_at(process)
                except (OSError, ValueError):
                    continue  # It has ended.

    def look_at(self, process):
        head, _, rest = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")
        fields = rest.split()
        if int(fields[3]) != self.session:
            return
        key = process, fields[19]  # its number may be another's later
        if key not in self.seen:
            program = head.partition("(")[2]
            arguments = pathlib.Path(f"/proc/{process}/cmdline").read_bytes().decode(errors="replace").split("\0")
            self.seen[key] = [work_of(program, arguments), 0.0]
        self.seen[key][1] = (int(fields[11]) + int(fields[12])) / TICK

    def seconds(self):
        self.is_over.set()
        self.join()
        total = collections.Counter()
        for module, seconds in self.seen.values():
            total[module] += seconds
        return total


def spent():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime, used.ru_stime


def build(tree, steps):
    """User and kernel seconds, how long it took, and the modules."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder:
        place = copied(tree, pathlib.Path(folder).resolve())
        modules, before, began = collections.Counter(), spent(), time.monotonic()
        for step in steps:
            process = subprocess.Popen(
                shlex.split(step), cwd=place, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True
            )
            sampler = Sampler(process.pid)
            sampler.start()
            _, said = process.communicate()
            modules += sampler.seconds()
            if process.returncode:
                raise SystemExit(f"{step} ended with {process.returncode} in a copy of {tree}:\n{said[-3000:]}")
        user, kernel = (after - then for after, then in zip(spent(), before))
        return user, kernel, time.monotonic() - began, modules


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("trees", nargs="*", type=pathlib.Path, metavar="TREE", help="this one; of two, the second is set beside the first")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--modules", type=int, default=20, help="how many are listed")
    parser.add_argument("--step", action="append", help="a command in place of the build's own")
    asked = parser.parse_args()
    trees = [tree.resolve() for tree in asked.trees] or [ROOT]
    if len(trees) > 2:
        parser.error("one tree, or two")
    found = [[] for _ in trees]
    for _ in range(asked.rounds):
        for tree, runs in zip(trees, found):
            user, kernel, took, modules = build(tree, asked.step or steps_of(tree))
            runs.append((user + kernel, took))
            print(f"{tree}: {user + kernel:,.1f} s of processor time ({user:,.1f} user, {kernel:,.1f} kernel) in {took:,.0f} s", flush=True)
            for module, seconds in modules.most_common(asked.modules):
                print(f"  {seconds:>8.1f} s  {module}", flush=True)
            rest = user + kernel - sum(seconds for _, seconds in modules.most_common(asked.modules))
            print(f"  {rest:>8.1f} s  others, and what was too short to be seen", flush=True)
    middles = [statistics.median(seconds for seconds, _ in runs) for runs in found]
    took = statistics.median(took for _, took in found[-1])
    beside = {}
    if len(trees) == 2:
        beside = {"peer": ("before", middles[0]), "ratio": middles[1] / middles[0]}
        print(f"the second takes {beside['ratio']:.2f} of the first's processor time")
    if not asked.step:
        Results("clean_build").record("build.processor", middles[-1], "s", n=asked.rounds, note=f"{took:,.0f} s long", **beside)


if __name__ == "__main__":
    main()
