#!/usr/bin/env bash
# make bench: measures the release executable on this machine, and writes docs/performance.md from it.
#
#   make bench                                all but clean_build and session_append, which build for many minutes
#   make bench ONLY="brokers handshakes"      these programs of this folder
#
# Mosquitto, from set-up, and nginx and PostgreSQL, where they are installed (apt-get install nginx-light postgresql), stand
# beside it. Each program says at its top what makes it shorter or longer (ROUNDS, READINGS, STORED ...). BENCH_DIR puts data
# folders on a disk of your choice. Every program writes bench-results/PROGRAM.json, from which table.py makes the table. It
# ends with 1, and a line for each, where a ratio is past its limit in thresholds.json or a program did not measure.
set -euo pipefail
cd "$(dirname "$0")/.."
[ -x .build/release/tandem ] || { echo "Build first: make build" >&2; exit 1; }
programs=(executable_size figures handshakes brokers storm replays drum_latency year_of_drums thirty_phones decades
    memory_peaks toy_legacy json_route scale
    first_load screens drum_page lab_page year_of_plants)
when_named=(clean_build session_append)
read -ra wanted <<<"${ONLY:-${programs[*]}}"
for program in "${wanted[@]}"; do
    [[ " ${programs[*]} ${when_named[*]} " = *" $program "* ]] || {
        echo "There is no benchmark \"$program\": ${programs[*]} ${when_named[*]}" >&2
        exit 2
    }
done
export BENCH_RESULTS=${BENCH_RESULTS:-bench-results} DAYS=${DAYS:-60} SIZES=${SIZES:-0.1,1,10}
BENCH_RESULTS=$(realpath -m "$BENCH_RESULTS")
rm -rf "$BENCH_RESULTS"
echo "$(nproc) cores, $(uname -m), load $(cut -d ' ' -f 1 /proc/loadavg). All of it takes an hour or so: figures builds a store" \
    "of ${STORED:-10000000} readings on the way."

failed=()
for program in "${wanted[@]}"; do
    printf '\n== %s\n' "$program"
    case $program in
        brokers) scripts/build.sh release broker-load >/dev/null ;;
        decades | memory_peaks | scale) scripts/build.sh release reading-store >/dev/null ;;
        toy_legacy | json_route) scripts/build.sh release bare-route >/dev/null ;;
        executable_size | first_load | screens | drum_page | lab_page | year_of_plants) scripts/web.sh >/dev/null ;;
    esac
    .venv/bin/python "Benchmarks/$program.py" || failed+=("$program")
done
echo
if [ -z "${ONLY:-}" ]; then
    for program in "${when_named[@]}"; do echo "not measured: $program builds for many minutes: make bench ONLY=$program"; done
fi
if .venv/bin/python Benchmarks/table.py; then over=; else over=yes; fi
for program in "${failed[@]}"; do echo "FAILED Benchmarks/$program.py ended before it had measured everything"; done
[ -z "$over" ] && [ ${#failed[@]} = 0 ] || exit 1
echo 'Every ratio is within its limit. The table is docs/performance.md; commit it with docs/performance/latest.json.'
