#!/usr/bin/env bash
# Runs every companion's vector files through its WebAssembly, as the native tests run them through the engine.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/wasm.sh
for folder in Companions/*/Browser; do
    [ -d "$folder" ] || continue
    name=$(basename "$(dirname "$folder")")
    # The lines of the vector files would make the page's module too large (Browser/VectorExports.swift): they are answered
    # by one of their own, which has all of the other too. What is called by name is called in the module that phones load.
    if ! swift build --triple wasm32-unknown-none-wasm --toolset .build-wasm/toolset.json \
        --scratch-path .build-wasm/vectors -c release --product "${name}Browser" -Xswiftc -DVECTORS \
        >.build-wasm/log 2>&1; then
        cat .build-wasm/log >&2
        exit 1
    fi
    answering=.build-wasm/vectors/wasm32-unknown-none-wasm/release/${name}Browser.wasm
    node scripts/run-vectors.mjs "$answering" "Companions/$name/Vectors"/*.txt
    node scripts/run-vectors.mjs ".build-wasm/modules/${name,,}.wasm" "Companions/$name/Vectors"/exports*.txt
done
