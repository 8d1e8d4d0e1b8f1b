#!/bin/sh
# What an append costs in a session of 1 kB, of 1 MB and of 30 MB: time of the component on a real SQLite file, each
# committed with synchronous=FULL, and how much more memory the process has after 200 of them.
#
#   Benchmarks/session_append.sh [debug|release]
set -eu
cd "$(dirname "$0")/.."
TANDEM_BENCHMARK=1 swift test -c "${1:-debug}" --no-parallel --filter HubKitTests.AppendBenchmark | grep '^append of'
