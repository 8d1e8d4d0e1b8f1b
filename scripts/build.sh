#!/usr/bin/env bash
# Builds the executable: scripts/build.sh release|debug
set -euo pipefail
cd "$(dirname "$0")/.."
configuration=${1:-debug}
if ! [ -x ".build/$configuration/tandem" ]; then
    # Fifteen minutes of one processor's time (docs/performance.md, "From a clone to the page"), of all that there are.
    echo "Building Tandem ($configuration). The first time takes about $((15 / $(nproc) + 1)) minutes on this machine; after" \
        "that, seconds. The numbers in brackets say how far it is."
fi
swift build -c "$configuration" --product tandem
