#!/usr/bin/env bash
# Checks the page's JavaScript with tsc, against the types of the hub's own answers, and how its modules import each other.
#
#   scripts/lint-web.sh
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/types.sh
tsc -p .build-types/tsconfig.json
tsc -p .build-types/tsconfig.worker.json
scripts/lint-exports.py
scripts/lint-circles.py
