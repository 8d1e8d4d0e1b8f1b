#!/usr/bin/env bash
# Runs every companion's vector files through its WebAssembly, as the native tests run them through the engine.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/wasm.sh
for folder in Companions/*/Browser; do
    [ -d "$folder" ] || continue
    name=$(basename "$(dirname "$folder")")
    node scripts/run-vectors.mjs ".build-wasm/modules/${name,,}.wasm" "Companions/$name/Vectors"/*.txt
done
