#!/usr/bin/env bash
# Writes .build-types/: the OpenAPI document, TypeScript declarations made of it, and the settings for tsc and for editors.
#
#   scripts/types.sh
set -euo pipefail
cd "$(dirname "$0")/.."
out=.build-types
mkdir -p "$out"
# TANDEM_BINARY names one that is built already.
if [ -z "${TANDEM_BINARY:-}" ]; then
    swift build --product tandem >"$out/build.log" 2>&1 || { cat "$out/build.log" >&2; exit 1; }
fi
"${TANDEM_BINARY:-.build/debug/tandem}" openapi >"$out/openapi.json"
python3 scripts/typescript.py <"$out/openapi.json" >"$out/contract.d.ts"
# The browser as TypeScript declares it, with what it has learnt since; and without a bare fetch(): pages ask the hub through
# app/api.js, which says what is wrong in words.
dom=$(dirname "$(readlink -f "$(command -v tsc)")")/../lib/lib.dom.d.ts
sed -e '/^declare var AbortSignal: {/,/^};/c declare var AbortSignal: AbortSignalConstructor;' \
    -e '/no-default-lib/d' -e '/^declare function fetch(/d' \
    -e 's/^type PermissionName = /&"midi" | /; s/^type ScrollBehavior = /&"instant" | /' "$dom" >"$out/dom.d.ts"
# A companion's Web folder lies beside the shell's: ../app/ from Companions/Plants/Web is Web/app, as it is served.
jq -n '$ARGS.positional as $companions | {
    extends: "../Web/tsconfig.json",
    compilerOptions: {rootDirs: (["../Web"] + [$companions[] | "../\(.)"])},
    include: (["dom.d.ts", "contract.d.ts", "../Web/**/*"] + [$companions[] | "../\(.)/Web/**/*"]),
    exclude: ["../Web/sw.js", "../Web/types/worker.d.ts"]
}' --args Companions/* >"$out/tsconfig.json"
jq -n '{
    extends: "../Web/tsconfig.json", compilerOptions: {lib: ["es2022", "webworker", "webworker.iterable"]},
    include: ["../Web/sw.js", "../Web/types/worker.d.ts"]
}' >"$out/tsconfig.worker.json"
