#!/usr/bin/env bash
# Builds every target of the Embedded-clean core (Wire, Signals, DeviceHAL, WasmBridge, each companion's Engine and Device) for
# wasm32-unknown-none-wasm, where there is no Foundation, no C library and no existential: what holds that line.
#
#   scripts/embedded.sh [TARGET ...]
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/toolset.sh
targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then
    targets=(Wire Signals DeviceHAL WasmBridge)
    for folder in Companions/*/Engine Companions/*/Device; do
        companion=$(basename "$(dirname "$folder")")
        targets+=("$companion$(basename "$folder")")
    done
fi
failed=0
for target in "${targets[@]}"; do
    if swift build --triple wasm32-unknown-none-wasm --toolset .build-wasm/toolset.json --scratch-path .build-wasm \
        -c release --target "$target" >.build-wasm/log 2>&1; then
        echo "  $target is Embedded-clean"
    else
        cat .build-wasm/log
        echo "$target does not build as Embedded Swift for WebAssembly" >&2
        failed=1
    fi
done
exit $failed
