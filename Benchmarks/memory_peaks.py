"""The most memory that the commands take which go through all that a household has: export, import, seal, backup, restore.

Release builds of tandem and reading-store. SIZES in millions of readings; a command whose peak grows with them keeps what it
should write in pieces (docs/adr/0041-a-transaction-stays-in-memory.md).
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
TANDEM = os.environ.setdefault("TANDEM_BINARY", str(ROOT / ".build/release/tandem"))
STORE = os.environ.get("READING_STORE", str(ROOT / ".build/release/reading-store"))
sys.path.insert(0, str(ROOT / "Tests/EndToEnd"))

import hub as tandem_hub  # noqa: E402
from results import Results  # noqa: E402

SIZES = [float(size) for size in os.environ.get("SIZES", "0.1,1,10").split(",")]


def peak(*command):
    """The most that a command had resident, in bytes."""
    process = subprocess.Popen([TANDEM, *map(str, command)], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, f"tandem {command[0]} ended with {process.returncode}"
    return usage.ru_maxrss * 1024


def one_size(folder, millions):
    data, moved = tandem_hub.prepare(folder / "data"), folder / "moved"
    hub = tandem_hub.Hub(data).start()
    hub.sign_in()
    device = hub.add_device("Decade")
    hub.terminate(60)
    now = int(time.time() * 1000)
    said = subprocess.run(
        [STORE, "fill", data / "tandem.sqlite", device.id, str(int(millions * 1e6)), str(now)], capture_output=True,
        text=True, check=True,
    )  # fmt: skip
    count = int(said.stdout.split()[0])
    archive, backup = folder / "all.zip", folder / "all.backup"
    found = {"export": peak("export", "everything", archive, "--data", data)}
    # An archive has readings as they came, so that all of them are sealed afterwards.
    found["import"] = peak("import", "everything", archive, "--data", moved)
    found["seal"] = peak("seal", "--after-days", 1, "--data", moved)
    found["backup"] = peak("backup", backup, "--data", moved)
    found["restore"] = peak("restore", backup, "--data", moved)
    return count, found


def record(all_found):
    """The peaks with the most readings so far; those with fewer stand beside them."""
    results = Results("memory_peaks")
    count, most = all_found[-1]
    # The others are said in the terminal alone: the table is short.
    for name in ("import", "seal", "backup"):
        others = "; ".join(f"{found[name] / 1e6:.0f} of {fewer:,}" for fewer, found in all_found[:-1])
        results.record(f"memory.{name}", most[name] / 1e6, "MB", note=f"{count:,} readings" + (f"; {others}" if others else ""))


def main():
    all_found = []
    for millions in SIZES:
        with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder:
            count, found = one_size(pathlib.Path(folder), millions)
            all_found.append((count, found))
            print(f"{count:>12,} readings: " + ", ".join(f"{name} {one / 1e6:.0f} MB" for name, one in found.items()), flush=True)
        record(all_found)


if __name__ == "__main__":
    main()
