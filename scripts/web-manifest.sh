#!/usr/bin/env bash
# Compresses what is to be served, and lists it with its hashes in manifest.json: a part of scripts/web.sh.
#
#   web-manifest.sh FOLDER BUILD ADDRESSES
#   web-manifest.sh hashes                     of the paths on standard input, each ended by a null, as JSON
set -euo pipefail

# The form of Subresource Integrity, "sha256-<base64>".
hashes() {
    xargs -0 -r sha256sum | while read -r hash path; do
        printf '%s\tsha256-%s\n' "${path#./}" "$(printf "$(sed 's/../\\x&/g' <<<"$hash")" | base64 -w 0)"
    done | jq -R -n 'reduce (inputs | split("\t")) as [$path, $hash] ({}; .[$path] = $hash)'
}
if [ "$1" = hashes ]; then
    hashes
    exit
fi

cd "$1"
files=$(find . -type f -print0 | LC_ALL=C sort -z | hashes)
find . -type f ! -name '*.png' -print0 | xargs -0 -n 16 -P "$(nproc)" brotli --best --keep --
find . -type f ! -name '*.png' ! -name '*.br' -print0 | xargs -0 gzip --best --keep --no-name --
find . -name '*.br' -o -name '*.gz' | while read -r file; do
    if [ "$(stat -c %s "$file")" -ge "$(stat -c %s "${file%.*}")" ]; then rm "$file"; fi
done
find . \( -name '*.br' -o -name '*.gz' \) -print0 | LC_ALL=C sort -z | hashes |
    jq --arg build "$2" --argjson addresses "$3" --argjson files "$files" '{
        $build, $addresses, $files,
        compressed: (reduce to_entries[] as $one ({};
            ($one.key | capture("(?<path>.*)\\.(?<ending>br|gz)$")) as $of
            | .[$of.path][if $of.ending == "gz" then "gzip" else "br" end] = $one.value))
    }' >../manifest.json
mv ../manifest.json .
