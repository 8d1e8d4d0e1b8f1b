#!/usr/bin/env bash
# Runs every companion's vector files through its WebAssembly, as the native tests run them through the engine; of one that
# has no page yet, those that need no page's module.
#
#   scripts/test-wasm.sh [NAME]     NAME: the folder of one, which alone is asked
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/wasm.sh
for folder in Companions/*/VectorLines; do
    [ -d "$folder" ] || continue
    name=$(basename "$(dirname "$folder")")
    [ "${1:-$name}" = "$name" ] || continue
    # What answers the lines of the vector files is a module of its own. What is called by name is called in the one that
    # phones load.
    if ! swift build --triple wasm32-unknown-none-wasm --toolset .build-wasm/toolset.json --scratch-path .build-wasm \
        -c release --product "${name}VectorLines" >.build-wasm/log 2>&1; then
        cat .build-wasm/log >&2
        exit 1
    fi
    lines=()
    for file in "Companions/$name/Vectors"/*.txt; do
        case $(basename "$file") in exports*) ;; *) lines+=("$file") ;; esac
    done
    node scripts/run-vectors.mjs ".build-wasm/wasm32-unknown-none-wasm/release/${name}VectorLines.wasm" "${lines[@]}"
    [ -d "Companions/$name/Browser" ] || continue
    slug=$(scripts/companions.sh | jq -r --arg folder "$name" '.[] | select(.folder == $folder).slug')
    node scripts/run-vectors.mjs ".build-wasm/modules/$slug.wasm" "Companions/$name/Vectors"/exports*.txt
done
