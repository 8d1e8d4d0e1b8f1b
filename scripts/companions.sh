#!/usr/bin/env bash
# What the companions declare for the page, as JSON, in the order in which the page shows them: a list of what
# Companions/FOLDER/Web/companion.json says, each with its "folder". Where there is none, the folder's name says it all.
#
#   companions.sh [DIR]     DIR: the tree, this one by default
set -euo pipefail
cd "${1:-$(dirname "$0")/..}"
for folder in Companions/*/Web; do
    [ -d "$folder" ] || continue
    name=$(basename "$(dirname "$folder")")
    if [ -e "$folder/companion.json" ]; then cat "$folder/companion.json"; else echo '{}'; fi |
        jq -c --arg folder "$name" '
            {folder: $folder, slug: ($folder | ascii_downcase), title: $folder, order: 100} + .
            | if (.slug | test("^[a-z][a-z0-9-]*$")) and (.paint | type == "string") then . else
                error("Companions/\($folder)/Web/companion.json wants a \"slug\" of small letters, and a \"paint\" of Web/styles/tokens.css")
              end'
done | jq -s -c 'sort_by(.order, .slug)
    | if (map(.slug) | length) == (map(.slug) | unique | length) then . else error("two companions have the same slug") end'
