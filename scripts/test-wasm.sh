#!/usr/bin/env bash
# Runs every companion's vector files through its WebAssembly, as the native tests run them through the engine.
#
#   scripts/test-wasm.sh [NAME]     NAME: the folder of one, which alone is asked
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/wasm.sh
for folder in Companions/*/Browser; do
    [ -d "$folder" ] || continue
    name=$(basename "$(dirname "$folder")")
    [ "${1:-$name}" = "$name" ] || continue
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
    slug=$(scripts/companions.sh | jq -r --arg folder "$name" '.[] | select(.folder == $folder).slug')
    node scripts/run-vectors.mjs ".build-wasm/modules/$slug.wasm" "Companions/$name/Vectors"/exports*.txt
done
