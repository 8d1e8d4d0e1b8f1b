#!/usr/bin/env bash
# make conformance DIR=folder: plays other makers' MQTT tests against the hub, each with one of its own.
#
#   scripts/conformance.sh DIR [WORD...]
#
# DIR holds clones of github.com/eclipse/paho.mqtt.testing and github.com/eclipse/mosquitto; docs/site/reference/mqtt.md says what comes of
# it. TANDEM_BINARY names another executable than the debug build's.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ -z "${1:-}" ]; then
    echo "scripts/conformance.sh DIR: a folder with clones of github.com/eclipse/paho.mqtt.testing and .../mosquitto." >&2
    exit 2
fi
export TANDEM_BINARY=${TANDEM_BINARY:-$PWD/.build/debug/tandem}
if ! [ -x "$TANDEM_BINARY" ]; then
    echo "There is no $TANDEM_BINARY: run \`swift build\` first." >&2
    exit 1
fi
exec .venv/bin/python Tests/Conformance/conformance.py "$@"
