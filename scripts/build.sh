#!/usr/bin/env bash
# Builds an executable: scripts/build.sh release|debug [PRODUCT], else tandem
#
# A release is linked with Swift's runtime in it where the toolchain can do that: the hub is then in a third less memory, and
# starts sooner (docs/performance/2026-11-24.md, "Idle memory").
set -euo pipefail
cd "$(dirname "$0")/.."
configuration=${1:-debug}
product=${2:-tandem}
options=()
if [ "$configuration" = release ] && [ -d "$(swift -print-target-info | jq -r .paths.runtimeResourcePath)_static" ]; then
    options=(--static-swift-stdlib)
fi
if ! [ -x ".build/$configuration/$product" ]; then
    # Fifteen minutes of one processor's time (docs/performance/2026-11-24.md, "From a clone to the page"), of all that there are.
    echo "Building Tandem ($configuration). The first time takes about $((15 / $(nproc) + 1)) minutes on this machine; after" \
        "that, seconds. The numbers in brackets say how far it is."
fi
swift build -c "$configuration" "${options[@]}" --product "$product"
