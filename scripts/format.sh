#!/usr/bin/env bash
# Formats every Swift source in place; with --check says what differs, as `make lint` does.
set -euo pipefail
cd "$(dirname "$0")/.."
sources=(Package.swift Apps Companions Platform Tests)
if [ "${1:-}" = --check ]; then
    exec swift format lint --strict --parallel --recursive --configuration .swift-format "${sources[@]}"
fi
exec swift format format --in-place --parallel --recursive --configuration .swift-format "${sources[@]}"
