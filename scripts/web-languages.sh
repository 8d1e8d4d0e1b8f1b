#!/usr/bin/env bash
# Writes what each language has for the sentences of the page, from the catalogs of Web/ and of each companion's Web/: a part
# of scripts/web.sh.
#
#   web-languages.sh FOLDER     english.js has the plural forms of English, <tag>.json the sentences of another language; what
#                               that does not have yet is said in English. `scripts/strings.mjs check` says what is missing.
set -euo pipefail
out=$(realpath "$1")
cd "$(dirname "$0")/.."
said=$(jq -n '
    reduce (inputs.strings | to_entries[] | .key as $key | .value.localizations // {} | to_entries[]
        | {tag: (.key | ascii_downcase), $key,
           text: (.value | .stringUnit.value // (.variations.plural | map_values(.stringUnit.value)))}
    ) as $one ({en: {}}; .[$one.tag][$one.key] = $one.text)' Web/Localizable.xcstrings Companions/*/Web/Localizable.xcstrings)
jq -r '"// Written by scripts/web-languages.sh.", "export const english = \(.en | tojson);"' <<<"$said" >"$out/english.js"
for tag in $(jq -r 'keys - ["en"] | .[]' <<<"$said"); do
    # What English has forms of stays English where another language has none.
    jq -c --arg tag "$tag" '.en + .[$tag]' <<<"$said" >"$out/$tag.json"
done
