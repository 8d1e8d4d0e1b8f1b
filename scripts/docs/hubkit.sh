#!/usr/bin/env bash
# Writes the documentation of HubKit, which companions compile against, from the modules of the newest build.
#
#   scripts/docs/hubkit.sh FOLDER PATH     PATH: where FOLDER will be served, such as /hubkit
set -euo pipefail
cd "$(dirname "$0")/../.."
out=$1 path=$2
work=.build-docs/hubkit
rm -rf "$work"
mkdir -p "$work/symbols"
module=$(ls -t .build/*/*/Modules/HubKit.swiftmodule | head -n 1)
configuration=$(basename "${module%/Modules/*}")

# What the module was compiled with: SwiftPM's plan for the build has it as JSON.
mapfile -t compiled < <(sed -n '/^  "C\.HubKit-/,/^    args:/ s/^    args: //p' ".build/$configuration.yaml" | head -n 1 | jq -r '.[]')
options=()
for ((i = 0; i < ${#compiled[@]}; i++)); do
    case ${compiled[i]} in
        -I | -target | -Xcc) options+=("${compiled[i]}" "${compiled[++i]}") ;;
    esac
done
swift symbolgraph-extract -module-name HubKit "${options[@]}" -minimum-access-level public -skip-inherited-docs \
    -skip-synthesized-members -output-dir "$work/symbols"
# What other modules are given of it, such as a query of GRDB, is HubKit@GRDB.symbols.json, and belongs to it.
docc convert Platform/HubKit/HubKit.docc --additional-symbol-graph-dir "$work/symbols" --output-dir "$work/archive" \
    --fallback-bundle-identifier tandem.hubkit --fallback-display-name HubKit --fallback-default-module-kind Module \
    --hosting-base-path "$path" --warnings-as-errors
rm -rf "$out"
mv "$work/archive" "$out"
