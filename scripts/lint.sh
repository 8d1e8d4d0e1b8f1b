#!/usr/bin/env bash
# make lint: every check runs, and the last line says whether all of them passed.
set -uo pipefail
cd "$(dirname "$0")/.."
failed=()
check() {
    echo "lint: $1"
    shift
    "$@" || failed+=("$*")
}
# The longest, beside all others.
embedded=$(mktemp)
scripts/embedded.sh >"$embedded" 2>&1 &
beside=$!
check 'format' scripts/format.sh --check
check 'imports against modules.json' scripts/lint-imports.sh
check 'the table of modules in ARCHITECTURE.md' scripts/module-table.py --check
check 'names, sizes, versions, links' scripts/lint-tree.sh
check 'comments that say first what a thing is' scripts/lint-comments.py
check 'the page against the hub’s own types' scripts/lint-web.sh
check 'every sentence in every language' scripts/strings.mjs check
check 'what scripts call against what their set-ups install' scripts/lint-programs.py
check 'the form of every fact' scripts/check-facts.py
check 'what the page names of engines' scripts/engine-constants.py --check
check 'the wiring on the page for makers against the code' scripts/firmware-wiring.py --check
check 'the dashboard of Grafana' scripts/grafana.py --check
check 'the table of figures against docs/performance/latest.json' python3 Benchmarks/table.py --check
echo 'lint: the core in Embedded mode for wasm32-unknown-none-wasm'
wait "$beside" || failed+=(scripts/embedded.sh)
cat "$embedded"
rm "$embedded"
if [ ${#failed[@]} -gt 0 ]; then
    printf 'lint: failed: %s\n' "${failed[@]}"
    exit 1
fi
echo 'lint: all is well'
