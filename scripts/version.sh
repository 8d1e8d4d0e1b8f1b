#!/usr/bin/env bash
# Prints the version of the hub, as Platform/HubKit/HubVersion.swift says it; with `commit` that of the tree, as the
# executable of a package says it.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ "${1:-}" = commit ]; then
    commit=$(git describe --always --exclude='*' --abbrev=12 --dirty 2>/dev/null || true)
    echo "${commit:+commit }${commit:-development}"
    exit
fi
version=$(sed -n 's/.*static let current = "\(.*\)"$/\1/p' Platform/HubKit/HubVersion.swift)
[[ $version =~ ^[0-9][0-9A-Za-z.~+]*$ ]] || { echo "No version of a Debian package: \"$version\"" >&2; exit 1; }
echo "$version"
