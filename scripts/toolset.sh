#!/usr/bin/env bash
# Writes .build-wasm/toolset.json: Toolsets/wasm.json with the place of this machine's toolchain filled in.
set -euo pipefail
cd "$(dirname "$0")/.."
resources=$(swift -print-target-info | jq -r .paths.runtimeResourcePath)
if [ ! -e "$resources/embedded/wasm32-unknown-none-wasm" ]; then
    echo "This Swift toolchain has no Embedded standard library for WebAssembly; install Swift 6.3 from swift.org" >&2
    exit 1
fi
mkdir -p .build-wasm/empty
# SwiftPM takes wasm32-unknown-none-wasm for a Linux and asks for libm there too. What it would hold is in WasmRuntime.
printf '!<arch>\n' >.build-wasm/empty/libm.a
sed "s|@RUNTIME_RESOURCE_PATH@|$resources|; s|@EMPTY@|$PWD/.build-wasm/empty|" Toolsets/wasm.json >.build-wasm/toolset.json
