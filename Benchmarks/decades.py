"""Readings for decades: bytes a reading of each kind, and what a hub with 1, 10 and 100 million of them costs.

Release builds of tandem and reading-store, or those that TANDEM_BINARY and READING_STORE name. DAYS of each kind, or of KINDS alone, SIZES in
millions; PostgreSQL, where it is installed (apt-get install postgresql) or its programs are in PG_BIN, stands beside.
"""

import os
import pathlib
import pwd
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
os.environ.setdefault("TANDEM_BINARY", str(ROOT / ".build/release/tandem"))
STORE = os.environ.get("READING_STORE", str(ROOT / ".build/release/reading-store"))
sys.path.insert(0, str(ROOT / "Tests/EndToEnd"))

import figures  # noqa: E402
import hub as tandem_hub  # noqa: E402
import pages  # noqa: E402
from results import Results  # noqa: E402

DAYS = os.environ.get("DAYS", "365")
KINDS = os.environ.get("KINDS", "").split()
SIZES = [float(size) for size in os.environ.get("SIZES", "0.1,1,10,100").split(",")]
ROUNDS = int(os.environ.get("ROUNDS", "15"))


def store(*arguments):
    run = subprocess.run([STORE, *map(str, arguments)], capture_output=True, text=True, check=True)
    return [line.split("\t") for line in run.stdout.splitlines()]


class Postgres:
    """A server of our own in a folder, as the user postgres where we are root."""

    def __init__(self, folder, programs):
        self.folder, self.programs = folder, programs
        self.user = pwd.getpwnam("postgres") if os.geteuid() == 0 else None
        self.sockets = tempfile.mkdtemp(prefix="pg")
        for path in (folder, self.sockets):
            os.makedirs(path, exist_ok=True)
            if self.user:
                os.chown(path, self.user.pw_uid, self.user.pw_gid)
        self.run("initdb", "-D", folder, "-A", "trust", "-U", "postgres", "--no-sync")
        options = f"-c listen_addresses='' -c unix_socket_directories={self.sockets} -c fsync=off"
        self.run("pg_ctl", "-D", folder, "-o", options, "-w", "-l", f"{folder}/log", "start")

    @staticmethod
    def programs_here():
        named = [os.environ.get("PG_BIN", "")] + sorted(map(str, pathlib.Path("/usr/lib/postgresql").glob("*/bin")))
        return next((folder for folder in named if folder and os.access(f"{folder}/initdb", os.X_OK)), None)

    def run(self, program, *arguments, text=None):
        who = {"user": self.user.pw_uid, "group": self.user.pw_gid} if self.user else {}
        return subprocess.run(
            [f"{self.programs}/{program}", *map(str, arguments)],
            input=text, capture_output=True, text=True, check=True, cwd="/", **who,
        ).stdout  # fmt: skip

    def bytes_of(self, csv):
        """What a table of these readings takes with its primary key."""
        said = self.run("psql", "-h", self.sockets, "-U", "postgres", "-Atq", text=f"""
            DROP TABLE IF EXISTS reading;
            CREATE TABLE reading(
                series int NOT NULL, at timestamptz NOT NULL, value double precision NOT NULL, PRIMARY KEY(series, at));
            CREATE TEMP TABLE came(series int, at bigint, value double precision);
            \\copy came FROM '{csv}' CSV
            INSERT INTO reading SELECT series, to_timestamp(at / 1000.0), value FROM came ORDER BY at;
            VACUUM ANALYZE reading;
            SELECT pg_total_relation_size('reading');
        """)  # fmt: skip
        return int(said.split()[-1])

    def stop(self):
        self.run("pg_ctl", "-D", self.folder, "-m", "immediate", "stop")
        shutil.rmtree(self.sockets)


# The kinds that have a line in the table, by their names in reading-store.
NAMED = {"temperature": "decades.temperature", "quarterly": "decades.quarterly"}


def kinds(folder, results):
    os.chmod(folder, 0o755)  # the server is another user
    programs = Postgres.programs_here()
    if not programs:
        results.missing("PostgreSQL is not installed (apt-get install postgresql)", *NAMED.values())
    postgres = Postgres(f"{folder}/pg", programs) if programs else None
    print(f"bytes a reading, {DAYS} days of each: rows with rollups; sealed but for three days; PostgreSQL's row and key")
    try:
        for kind, words, count, rows, sealed, micros in store("kinds", folder, DAYS, *KINDS):
            csv = pathlib.Path(folder) / f"{kind}.csv"
            theirs = postgres.bytes_of(csv) / int(count) if postgres else None
            beside = f"{theirs:.1f}" if postgres else "-"
            if postgres and kind in NAMED:
                results.record(NAMED[kind], float(sealed), "bytes", peer=("PostgreSQL", theirs), ratio=theirs / float(sealed),
                               n=int(count), note=f"{DAYS} days, {rows} in rows")  # fmt: skip
            csv.unlink()
            print(f"| {words} | {int(count):,} | {rows} | {sealed} | {beside} | sealing {micros} µs |", flush=True)
    finally:
        if postgres:
            postgres.stop()


def took(work):
    started = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - started)


def one_size(folder, millions, results):
    now = int(time.time() * 1000)
    data = tandem_hub.prepare(folder / "data")
    hub = tandem_hub.Hub(data, web=ROOT / "web-build" if (ROOT / "web-build/manifest.json").exists() else None).start()
    hub.sign_in()
    plant, device = pages.add_plant(hub)
    hub.terminate(60)
    file = data / "tandem.sqlite"
    started = time.perf_counter()
    [[count, size]] = store("fill", file, device.id, int(millions * 1e6), now)
    count, size = int(count), int(size)
    print(f"\n{count:,} readings, {size / 1e6:,.1f} MB, {size / count:.2f} bytes each; filled and sealed in "
          f"{time.perf_counter() - started:,.0f} s", flush=True)  # fmt: skip
    many = f"{count:,} readings"
    results.record("decades.bytes", size / count, "bytes", n=count)
    starts = []
    for _ in range(5):
        starts.append(figures.milliseconds_to_first_answer(hub))
        hub.terminate(60)
    hub.start()
    time.sleep(2)
    resident = hub.resident_bytes()
    print(f"  start to first answer: median {statistics.median(starts):.0f} ms; idle {resident / 1e6:.1f} MB resident")
    for span in ("day", "week", "month", "year", "decade"):
        for quantity in ("moisture", "temperature"):
            path = f"/api/plants/{plant['id']}/chart?span={span}&quantity={quantity}"
            taken = [took(lambda: hub.get(path)) for _ in range(ROUNDS)]
            print(f"  chart of a {span} of {quantity}: first {taken[0]:.1f}, median {statistics.median(taken):.1f} ms",
                  flush=True)  # fmt: skip
    results.record("decades.chart", statistics.median(taken), "ms", spread=(min(taken), max(taken)), n=ROUNDS,
                   note=f"{quantity}, {many}")  # fmt: skip
    hub.terminate(60)
    for name, milliseconds, buckets in store("ask", file, device.id, now):
        print(f"  {name}: {milliseconds} ms, {buckets} points")
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    started = time.perf_counter()
    export = subprocess.run(
        [os.environ["TANDEM_BINARY"], "export", "readings", "--device", device.id, "--data", data],
        stdout=open(folder / "export.csv", "wb"), check=True,
    )  # fmt: skip
    passed = time.perf_counter() - started
    written = (folder / "export.csv").stat().st_size
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    assert export.returncode == 0
    print(f"  export as CSV: {count / passed / 1e6:.2f} million a second, {written / passed / 1e6:.0f} MB/s; "
          f"no child of this used more than {max(before, most) / 1e3:.0f} MB")  # fmt: skip
    results.record("decades.export", count / passed, "/s", note=f"{written / passed / 1e6:.0f} MB/s, {many}")
    (folder / "export.csv").unlink()
    [[rate]] = store("insert", file, device.id, 500_000, now + 60_000)
    print(f"  stored a second on top, a thousand of 40 series a commit, durable: {int(rate):,}", flush=True)
    results.record("decades.insert", int(rate), "/s", note=many)


def main():
    parts = sys.argv[1:] or ["kinds", "sizes"]
    results = Results("decades", is_part=len(parts) < 2 or bool(KINDS))
    for part in parts:
        with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder:
            if part == "kinds":
                kinds(folder, results)
                continue
            for millions in SIZES:
                place = pathlib.Path(folder) / f"{millions}"
                place.mkdir()
                one_size(place, millions, results)
                shutil.rmtree(place)


if __name__ == "__main__":
    main()
