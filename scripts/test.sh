#!/usr/bin/env bash
# make test: everything. Stops at the first stage that fails.
set -euo pipefail
cd "$(dirname "$0")/.."
stage() { printf '\n== %s\n' "$*"; }

stage 'Building, debug. The first time takes some minutes; after that, seconds.'
swift build --build-tests
# Apart: crowds of a thousand sockets, and the companions' tests, which calculate for a minute, would starve everything
# beside them that has a time limit.
companions="^($(ls Companions | paste -sd '|'))Tests\."
sockets='^(MQTTServer|TLS)Tests\.'
stage 'Unit tests of the platform'
swift test --skip-build --skip "$companions" --skip "$sockets"
stage 'Unit tests of listeners, with crowds of clients'
swift test --skip-build --filter "$sockets"
stage 'Unit tests of the companions, and vectors'
swift test --skip-build --filter "$companions"
if compgen -G 'Companions/*/Browser/*.swift' >/dev/null; then
    stage 'The same vectors in WebAssembly'
    scripts/test-wasm.sh
fi
stage 'The web folder, and the same of single modules for tests that reach into one'
scripts/web.sh
scripts/web.sh modules
stage 'Real MQTT clients and a real browser against the hub, some minutes'
# Two at a time, each process with ports, browsers and a household of its own; who is done early takes tests of the other.
.venv/bin/python -m pytest Tests/EndToEnd --numprocesses 2 --dist worksteal
stage 'A companion as `make companion` makes it, in a copy of this tree'
scripts/in-copy.sh scripts/test-companion.sh
stage 'All tests passed'
