#!/usr/bin/env bash
# make release VERSION=0.1.0: all that a release is, in dist/, for this machine's architecture.
#
#   tandem_<version>_<arch>.deb, tandem-<version>-oci-<arch>.tar, compose.yaml
#   tandem-<version>-<arch>.cdx.json    what they are made of (scripts/sbom.sh)
#   RELEASE-NOTES.md                    the version's section of CHANGELOG.md
#   SHA256SUMS                          of all these
#
# It wants a tree without changes, whose HubVersion.swift, CHANGELOG.md and compose.yaml say this version; .venv-release has
# the programs that check what was made.
set -euo pipefail
cd "$(dirname "$0")/.."
asked=${1:-}
refuse() { echo "No release: $*" >&2; exit 1; }
[ -n "$asked" ] || refuse "say which: make release VERSION=$(scripts/version.sh)"
version=$(scripts/version.sh)
[ "$asked" = "$version" ] || refuse "Platform/HubKit/HubVersion.swift says $version, and not $asked"
[ -z "$(git status --porcelain)" ] || refuse "these files have changes that are not committed:"$'\n'"$(git status --short)"
[ "$(grep -m 1 '^## ' CHANGELOG.md)" = "## $version" ] || refuse "the newest section of CHANGELOG.md is not ## $version"
compose=packaging/oci/compose.yaml
grep -qx "    image: tandem:$version" $compose || refuse "$compose starts another image than tandem:$version"
architecture=$(dpkg --print-architecture)
check() { .venv-release/bin/"$1" "${@:2}" || refuse "$1 finds fault"; }
check check-jsonschema --builtin-schema vendor.compose-spec $compose
check check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
check zizmor --offline --quiet .github/workflows

rm -rf dist
mkdir dist
scripts/deb.sh
scripts/oci.sh
bill=dist/tandem-$version-$architecture.cdx.json
scripts/sbom.sh >"$bill"
check python -c 'import pathlib, sys; from cyclonedx.schema import SchemaVersion; from cyclonedx.validation.json import JsonStrictValidator
error = JsonStrictValidator(SchemaVersion.V1_6).validate_str(pathlib.Path(sys.argv[1]).read_text())
sys.exit(error and str(error).splitlines()[0])' "$bill"
cp $compose dist/
awk '/^## / { section++ } section == 1' CHANGELOG.md >dist/RELEASE-NOTES.md
(cd dist && sha256sum -- * >../.build-sums && mv ../.build-sums SHA256SUMS)
printf '\nThe release is ready, in dist/:\n'
cat dist/SHA256SUMS
