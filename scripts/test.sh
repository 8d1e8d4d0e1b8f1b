#!/usr/bin/env bash
# make test: everything, on the release that people get. Stops at the first stage that fails.
set -euo pipefail
cd "$(dirname "$0")/.."
started=$SECONDS
stage() { printf "\n== %s (%d s in)\n" "$*" $((SECONDS - started)); }

# The page's modules and the release are built beside each other: what one waits for leaves the processor to the other.
swift package resolve
page=$(mktemp)
(
    if compgen -G 'Companions/*/Browser/*.swift' >/dev/null; then
        stage 'The same vectors in WebAssembly'
        scripts/test-wasm.sh
    fi
    stage 'The web folder, and the same of single modules for tests that reach into one'
    scripts/web.sh
    scripts/web.sh modules
) >"$page" 2>&1 &
built=$!
trap 'kill "$built" 2>/dev/null || true; rm -f "$page"' EXIT
stage 'The release, and its tests'
scripts/build.sh release --tests
if ! wait "$built"; then
    cat "$page"
    exit 1
fi
trap - EXIT
cat "$page"
rm "$page"
export TANDEM_BINARY=$PWD/.build/release/tandem
# Of a crash its calls are said, last of all: a log that was cut short still has them.
unit_tests() { SWIFT_BACKTRACE=enable=yes,color=no,threads=crashed,registers=none,images=none swift test -c release --skip-build "$@"; }
# Apart: crowds of a thousand sockets, and the companions' tests, which calculate for a minute, would starve everything
# beside them that has a time limit.
companions="^($(ls Companions | paste -sd '|'))Tests\."
sockets='^(MQTTServer|TLS)Tests\.'
stage 'Unit tests of the platform'
unit_tests --skip "$companions" --skip "$sockets"
stage 'Unit tests of listeners, with crowds of clients'
unit_tests --filter "$sockets"
stage 'Unit tests of the companions, and vectors'
unit_tests --filter "$companions"
stage 'Real MQTT clients and a real browser against the hub, some minutes'
# Two at a time, each process with ports, browsers and a household of its own; who is done early takes tests of the other.
# Beside them, one after the other, those that wait for the clock and leave the processor idle: such as a song at its tempo.
by_the_clock=$(mktemp)
TANDEM_TEST_PROCESS=2 .venv/bin/python -m pytest Tests/EndToEnd -m by_the_clock >"$by_the_clock" 2>&1 &
beside=$!
trap 'kill "$beside" 2>/dev/null || true; rm -f "$by_the_clock"' EXIT
failed=
.venv/bin/python -m pytest Tests/EndToEnd -m 'not by_the_clock and not alone' --numprocesses 2 --dist worksteal --durations 15 || failed=yes
wait "$beside" || failed=yes
trap - EXIT
cat "$by_the_clock"
rm "$by_the_clock"
[ -z "$failed" ] || exit 1
# A new address of the machine ends what pages of other tests are loading.
.venv/bin/python -m pytest Tests/EndToEnd -m alone
stage 'A companion as `make companion` makes it, in a copy of this tree'
scripts/in-copy.sh scripts/test-companion.sh
stage 'All tests passed'
