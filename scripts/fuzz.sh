#!/usr/bin/env bash
# make fuzz: libFuzzer (https://llvm.org/docs/LibFuzzer.html) on every reader of foreign bytes, Tests/Fuzz/Targets.
#
#   scripts/fuzz.sh [SECONDS [TARGET...]]
#
# Divides the seconds (default: 600) over the targets (default: all), each run in a process of its own, from a seed that
# is printed: FUZZ_SEED=<n> takes that one. What was learnt stays in .build-fuzz/corpora/<target>, and the next run goes
# on from it. An input that traps, hangs, takes too much memory or breaks a property is a finding: it is kept in
# .build-fuzz/findings, and the exit code is 1. Once it is mended it belongs into Tests/Fuzz/Corpora/<target>, under a
# name that says what it is; `make test` reads what lies there.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-600}
[[ $seconds =~ ^[1-9][0-9]*$ ]] || { sed -n '4p' "$0" >&2; exit 64; }
shift || true
# Whoever is fuzzed may trap: the place is in the finding, and a backtrace of each takes half a minute.
export SWIFT_BACKTRACE=enable=no

echo "Building the fuzzers. The first time takes some minutes; after that, seconds."
# lld, because the linker that Swift takes by default cannot do AddressSanitizer. A scratch folder of its own: no normal
# build is touched.
mkdir -p .build-fuzz
if ! swift build -c release --scratch-path .build-fuzz --product fuzz -Xswiftc -sanitize=fuzzer,address \
    -Xswiftc -DFUZZING -Xswiftc -enable-testing -Xswiftc -use-ld=lld >.build-fuzz/log 2>&1; then
    grep -v 'Cannot export local symbol' .build-fuzz/log | tail -n 60 >&2
    exit 1
fi
fuzz=.build-fuzz/release/fuzz
targets=("$@")
[ ${#targets[@]} -gt 0 ] || mapfile -t targets < <("$fuzz" list)
share=$((seconds / ${#targets[@]}))
[ "$share" -gt 0 ] || share=1
mkdir -p .build-fuzz/findings

total=0
findings=0
printf '%-20s %12s %10s %9s   %s\n' target runs 'a second' corpus seed
for target in "${targets[@]}"; do
    seed=${FUZZ_SEED:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}
    folder=.build-fuzz/corpora/$target
    mkdir -p "$folder/learnt"
    "$fuzz" prepare "$target" "$folder"
    options=(-seed="$seed" -max_total_time="$share" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1
        -artifact_prefix=".build-fuzz/findings/$target-")
    [ -s "$folder/dictionary" ] && options+=(-dict="$folder/dictionary")
    folders=("$folder/learnt" "$folder/seeds")
    [ -d "Tests/Fuzz/Corpora/$target" ] && folders+=("Tests/Fuzz/Corpora/$target")
    log=$folder/log
    status=0
    # A process that does not stop by itself is stopped: twice its time is more than it needs.
    timeout -k 5 $((share * 2 + 120)) "$fuzz" run "$target" "${options[@]}" "${folders[@]}" >"$log" 2>&1 || status=$?
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -n 1)
    rate=$(sed -n 's/^stat::average_exec_per_sec: *//p' "$log" | tail -n 1)
    # Where it ended early there are no statistics, but each line of progress has its count.
    runs=${runs:-$(sed -n 's/^#\([0-9]*\).*/\1/p' "$log" | tail -n 1)}
    total=$((total + ${runs:-0}))
    printf '%-20s %12s %10s %9s   %s\n' "$target" "${runs:-0}" "${rate:--}" "$(ls "$folder/learnt" | wc -l)" "$seed"
    if [ "$status" -ne 0 ]; then
        findings=$((findings + 1))
        grep -E 'does not hold|ERROR: |SUMMARY: |Test unit written to' "$log" | cut -c 1-300 | sed 's/^/    /' || true
        echo "    The whole of it: $log"
    fi
done
echo "$total runs in ${#targets[@]} targets, $findings with a finding"
[ "$findings" -eq 0 ]
