#!/usr/bin/env bash
# make bench: measures the release executable on this machine and prints the figures of docs/performance.md.
#
# Mosquitto, from set-up, and nginx, where it is installed (apt-get install nginx-light), stand beside it.
# ROUNDS, READINGS (a connection and round) and STORED (readings for the last part) make it shorter or longer;
# BENCH_DIR puts the data folder on a disk of your choice.
set -euo pipefail
cd "$(dirname "$0")/.."
[ -x .build/release/tandem ] || { echo "Build first: make build" >&2; exit 1; }
load=$(cut -d ' ' -f 1 /proc/loadavg)
echo "$(nproc) cores, $(uname -m), load $load; $({ PATH=$PATH:/usr/sbin mosquitto -h || true; } 2>/dev/null | sed -n 1p)"
echo "Some minutes: a store of ${STORED:-10000000} readings is built on the way."
.venv/bin/python Benchmarks/figures.py
echo 'MQTT beside mosquitto, by turns:'
scripts/build.sh release broker-load >/dev/null
.venv/bin/python Benchmarks/brokers.py
.venv/bin/python Benchmarks/replays.py
.venv/bin/python Benchmarks/drum_latency.py
.venv/bin/python Benchmarks/year_of_drums.py
.venv/bin/python Benchmarks/thirty_phones.py
echo "Readings for decades, rows and sealed; PostgreSQL beside, where it is installed:"
scripts/build.sh release reading-store >/dev/null
DAYS=${DAYS:-60} SIZES=${SIZES:-0.1,1,10} .venv/bin/python Benchmarks/decades.py
echo "The original trivia toy, over HTTP:"
scripts/build.sh release bare-route >/dev/null
.venv/bin/python Benchmarks/toy_legacy.py
echo 'The page in Chromium:'
.venv/bin/python Benchmarks/first_load.py
.venv/bin/python Benchmarks/drum_page.py
exec .venv/bin/python Benchmarks/lab_page.py
