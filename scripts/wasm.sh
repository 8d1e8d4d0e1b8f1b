#!/usr/bin/env bash
# Builds every companion's Browser target as WebAssembly: .build-wasm/modules/<companion>.wasm
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/toolset.sh
# What every browser since 2021 and Node 18 understand; all features would also write types that they do not.
features="--enable-bulk-memory --enable-sign-ext --enable-mutable-globals --enable-nontrapping-float-to-int"
mkdir -p .build-wasm/modules
for folder in Companions/*/Browser; do
    [ -d "$folder" ] || continue
    name=$(basename "$(dirname "$folder")")
    if ! swift build --triple wasm32-unknown-none-wasm --toolset .build-wasm/toolset.json --scratch-path .build-wasm \
        -c release --product "${name}Browser" >.build-wasm/log 2>&1; then
        cat .build-wasm/log >&2
        exit 1
    fi
    built=.build-wasm/wasm32-unknown-none-wasm/release/${name}Browser.wasm
    module=.build-wasm/modules/${name,,}.wasm
    if command -v wasm-opt >/dev/null; then
        # shellcheck disable=SC2086
        wasm-opt -Oz $features "$built" -o "$module.new"
    else
        cp "$built" "$module.new"
    fi
    # An unchanged module keeps its time, and so does what is made of it.
    cmp -s "$module.new" "$module" && rm "$module.new" || mv "$module.new" "$module"
    echo "$module: $(stat -c %s "$module") bytes, $(gzip -9 -c "$module" | wc -c) compressed"
done
