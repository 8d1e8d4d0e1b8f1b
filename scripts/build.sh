#!/usr/bin/env bash
# Builds the executable: scripts/build.sh release|debug
set -euo pipefail
cd "$(dirname "$0")/.."
configuration=${1:-debug}
if ! [ -x ".build/$configuration/tandem" ]; then
    echo "Building Tandem ($configuration). The first time takes some minutes; after that, seconds."
fi
swift build -c "$configuration" --product tandem
