#!/usr/bin/env bash
# Writes .build-wasm/toolset.json: Toolsets/wasm.json with the place of this machine's toolchain filled in.
set -euo pipefail
cd "$(dirname "$0")/.."
resources=$(swift -print-target-info | jq -r .paths.runtimeResourcePath)
if [ ! -e "$resources/embedded/wasm32-unknown-none-wasm" ]; then
    echo "This Swift toolchain has no Embedded standard library for WebAssembly; install Swift 6.3 from swift.org" >&2
    exit 1
fi
mkdir -p .build-wasm
sed "s|@RUNTIME_RESOURCE_PATH@|$resources|" Toolsets/wasm.json >.build-wasm/toolset.json
