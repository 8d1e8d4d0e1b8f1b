#!/usr/bin/env bash
# Starts the hub with a sample household. Ctrl-C stops it.
set -euo pipefail
cd "$(dirname "$0")/.."
exec .build/release/tandem demo "$@"
