#!/usr/bin/env bash
# Prints what a release is made of, as CycloneDX 1.6 in JSON: the package and the image in dist/ with their hashes, each Swift
# package that is linked in, what those bring of others, Chart.js, and each package of Debian in the image; versions, licences,
# hashes.
#
#   scripts/sbom.sh >FILE      after scripts/deb.sh and scripts/oci.sh, whose files it reads
set -euo pipefail
cd "$(dirname "$0")/.."
version=$(scripts/version.sh)
architecture=$(dpkg --print-architecture)
package=tandem_${version}_$architecture.deb
archive=tandem-$version-oci-$architecture.tar
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
hash_of() { sha256sum <"$1" | cut -c 1-64; }

# The licence of a Swift package, by its text.
licence() {
    if grep -q 'Runtime Library Exception' "$1"; then echo 'Apache-2.0 WITH Swift-exception'
    elif grep -q 'Apache License' "$1"; then echo Apache-2.0
    elif grep -q 'Permission is hereby granted, free of charge' "$1"; then echo MIT
    else echo "$1: which licence is this? scripts/sbom.sh wants to know it" >&2; return 1; fi
}
# What packages bring of others in their sources, lines of "package name version licence".
vendored() {
    local file folder
    # "This directory is derived from BoringSSL cloned from ... at revision ..."
    for file in .build/checkouts/*/Sources/*BoringSSL/hash.txt; do
        folder=${file#.build/checkouts/}
        [ ! -e "$file" ] || echo "${folder%%/*} boringssl $(grep -oE '[0-9a-f]{40}' "$file") Apache-2.0"
    done
    for file in .build/checkouts/*/Sources/CNIOLLHTTP/include/c_nio_llhttp.h; do
        folder=${file#.build/checkouts/}
        [ ! -e "$file" ] || echo "${folder%%/*} llhttp $(sed -n 's/^#define LLHTTP_VERSION_[A-Z]* //p' "$file" | paste -s -d .) MIT"
    done
}
vendored | jq -R 'split(" ") | {package: .[0], name: .[1], version: .[2], licence: .[3]}' | jq -s . >"$work/vendored.json"
jq -c '.pins[]' Package.resolved | while IFS= read -r pin; do
    folder=.build/checkouts/$(jq -r '.location | sub(".*/"; "") | sub("[.]git$"; "")' <<<"$pin")
    files=("$folder"/LICENSE*)
    jq -c --arg licence "$(licence "${files[0]}")" '. + {$licence}' <<<"$pin"
done | jq -s . >"$work/pins.json"
swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p' | head -n 1 >"$work/swift"
chart=/usr/share/javascript/chart.js/chart.min.js

jq -n --arg version "$version" --arg architecture "$architecture" --arg swift "$(cat "$work/swift")" \
    --arg commit "$(git rev-parse HEAD)" --arg timestamp "$(date -u -d "@$(git log -1 --format=%ct)" +%FT%TZ)" \
    --arg package "$package" --arg packageHash "$(hash_of "dist/$package")" \
    --arg archive "$archive" --arg archiveHash "$(hash_of "dist/$archive")" \
    --arg depends "$(dpkg-deb -f "dist/$package" Depends)" \
    --arg chart "$(dpkg-query -W -f '${Version}' libjs-chart.js | sed 's/[+-].*//')" --arg chartHash "$(hash_of "$chart")" \
    --slurpfile pins "$work/pins.json" --slurpfile vendored "$work/vendored.json" --slurpfile debian .build-oci/packages.json '
    def sha256: [{alg: "SHA-256", content: .}];
    def licensed: [{expression: .}];
    def swiftPackage: . as $pin | (.location | sub("^https://"; "") | sub("[.]git$"; "")) as $place | {
        type: "library", "bom-ref": "swift:\(.identity)", name: .identity, version: .state.version, licenses: .licence | licensed,
        purl: "pkg:swift/\($place)@\(.state.version)",
        externalReferences: [{type: "vcs", url: .location, comment: "the commit", hashes: [{alg: "SHA-1", content: .state.revision}]}],
        components: [$vendored[0][] | select(.package == $pin.identity) | {
            type: "library", "bom-ref": "\(.package):\(.name)", name, version, licenses: .licence | licensed}]}
        | if .components == [] then del(.components) else . end;
    def debianPackage: {
        type: "library", "bom-ref": "debian:\(.name)", name, version, hashes: .sha256 | sha256,
        licenses: [.licences[] | {license: {name: .}}],
        purl: "pkg:deb/debian/\(.name | @uri)@\(.version | @uri)?arch=\(.architecture)&distro=debian-12"};
    def artefact($hash): {type: "file", "bom-ref": ., name: ., $version, hashes: $hash | sha256};
    [$debian[0][].name] as $names
    | ([$pins[0][] | "swift:\(.identity)"] + ["swift:runtime", "chart.js"]) as $linked
    | ([$depends | split(", *"; "")[] | sub("[ (|].*"; "") | select(IN($names[])) | "debian:\(.)"]) as $wanted
    | {
        bomFormat: "CycloneDX", specVersion: "1.6", version: 1,
        metadata: {
            $timestamp,
            component: {type: "application", "bom-ref": "tandem", name: "tandem", $version, licenses: "Apache-2.0" | licensed,
                properties: [{name: "commit", value: $commit}, {name: "architecture", value: $architecture}]}},
        components: (
            [($package | artefact($packageHash)), ($archive | artefact($archiveHash)),
             {type: "platform", "bom-ref": "swift:runtime", name: "swift", version: $swift,
              description: "The runtime, the standard library and Foundation, linked in",
              licenses: "Apache-2.0 WITH Swift-exception" | licensed},
             {type: "library", "bom-ref": "chart.js", name: "chart.js", version: $chart, licenses: "MIT" | licensed,
              hashes: $chartHash | sha256, purl: "pkg:npm/chart.js@\($chart)"}]
            + [$pins[0][] | swiftPackage] + [$debian[0][] | debianPackage]),
        dependencies: [
            {ref: "tandem", dependsOn: [$package, $archive]},
            {ref: $package, dependsOn: ($linked + $wanted)},
            {ref: $archive, dependsOn: ($linked + [$names[] | "debian:\(.)"])}]
    }'
