#!/usr/bin/env bash
# Builds every target of the Embedded-clean core (Wire, Signals, Advertisements, DeviceHAL, WasmBridge, each companion's Engine and Device) for
# wasm32-unknown-none-wasm, where there is no Foundation, no C library and no existential: what holds that line. All at once are
# the product EmbeddedCore of Package.swift.
#
#   scripts/embedded.sh [TARGET ...]
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/toolset.sh
build() {
    if ! swift build --triple wasm32-unknown-none-wasm --toolset .build-wasm/toolset.json --scratch-path .build-wasm \
        -c release "$@" >.build-wasm/log 2>&1; then
        cat .build-wasm/log
        echo "$2 does not build as Embedded Swift for WebAssembly" >&2
        return 1
    fi
    echo "  $2 is Embedded-clean"
}
if [ $# -eq 0 ]; then
    build --product EmbeddedCore
else
    for target in "$@"; do build --target "$target"; done
fi
