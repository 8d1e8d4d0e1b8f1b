#!/usr/bin/env bash
# make torture: kills the release build with SIGKILL at random points under load, and looks each time whether all that it
# acknowledged is there: readings, retained messages, messages of QoS 2 exactly once, sessions.
#
#   scripts/torture.sh ROUNDS
#
# It prints its seed first; TANDEM_TORTURE_SEED plays the same plan again. TANDEM_BINARY names another executable.
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${1:-1000}
if ! [[ $rounds =~ ^[1-9][0-9]*$ ]]; then
    echo "scripts/torture.sh ROUNDS, a number of at least 1; “$rounds” is none." >&2
    exit 2
fi
export TANDEM_BINARY=${TANDEM_BINARY:-$PWD/.build/release/tandem}
if ! [ -x "$TANDEM_BINARY" ]; then
    echo "There is no $TANDEM_BINARY: run \`make torture\`, or \`make build\` first." >&2
    exit 1
fi
TANDEM_TORTURE_ROUNDS=$rounds exec .venv/bin/python -m pytest Tests/EndToEnd/test_torture.py -q -s
