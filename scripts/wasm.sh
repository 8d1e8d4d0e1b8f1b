#!/usr/bin/env bash
# Builds every companion's Browser target as WebAssembly: .build-wasm/modules/<companion>.wasm
#
# A phone loads it before anything can begin, so its size is held: Companions/<Name>/Browser/size-budget says how many
# bytes there may be, as they are and compressed. A module beyond it fails the build. What is not newer than a module
# is in it already: it is not built again.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/toolset.sh
# What every browser since 2021 and Node 18 understand; all features would also write types that they do not.
features="--enable-bulk-memory --enable-sign-ext --enable-mutable-globals --enable-nontrapping-float-to-int"
mkdir -p .build-wasm/modules
swift=$(swift --version 2>&1)
for folder in Companions/*/Browser; do
    [ -d "$folder" ] || continue
    name=$(basename "$(dirname "$folder")")
    module=.build-wasm/modules/$(scripts/companions.sh | jq -r --arg folder "$name" '.[] | select(.folder == $folder).slug').wasm
    inputs=(Platform/Embedded/{Wire,Signals,WasmBridge,WasmRuntime} Toolsets Package.swift scripts/{wasm,toolset}.sh
        "Companions/$name"/{Engine,Browser})
    made=${module%.wasm}.made # what it was made with, and when that was begun
    if [ -e "$module" ] && [ "$swift" = "$(cat "$made" 2>/dev/null)" ] && [ -z "$(find "${inputs[@]}" -newer "$made" -print -quit)" ]; then
        echo "$module is up to date"
        continue
    fi
    [ -d .build-wasm/wasm32-unknown-none-wasm ] ||
        echo "Building the engines for the page. The first time takes a minute or two, and fetches the Swift packages; after that, seconds."
    echo "$swift" >"$made.new"
    if ! swift build --triple wasm32-unknown-none-wasm --toolset .build-wasm/toolset.json --scratch-path .build-wasm \
        -c release --product "${name}Browser" >.build-wasm/log 2>&1; then
        cat .build-wasm/log >&2
        exit 1
    fi
    built=.build-wasm/wasm32-unknown-none-wasm/release/${name}Browser.wasm
    budget=$folder/size-budget
    read -r most most_compressed < <(grep -v '^#' "$budget" 2>/dev/null) || true
    if ! [[ ${most:-} =~ ^[0-9]+$ && ${most_compressed:-} =~ ^[0-9]+$ ]]; then
        echo "$budget wants two numbers on a line: the most bytes after wasm-opt, and after gzip -9" >&2
        exit 1
    fi
    # shellcheck disable=SC2086
    wasm-opt -Oz $features "$built" -o "$module.new"
    size=$(stat -c %s "$module.new")
    compressed=$(gzip -9 -c <"$module.new" | wc -c)
    if [ "$size" -gt "$most" ] || [ "$compressed" -gt "$most_compressed" ]; then
        echo "${name}Browser is too large for a phone: $size bytes of at most $most, compressed $compressed of at most" \
            "$most_compressed. Take something out of it (strings and Dictionaries cost most), or raise $budget." >&2
        rm "$module.new"
        exit 1
    fi
    # An unchanged module keeps its time, and so does what is made of it.
    cmp -s "$module.new" "$module" && rm "$module.new" || mv "$module.new" "$module"
    mv "$made.new" "$made"
    echo "$module: $size bytes of $most, $compressed of $most_compressed compressed"
done
