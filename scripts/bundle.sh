#!/usr/bin/env bash
# Bundles the page's modules with esbuild: few files, each named after a hash of what is in it.
#
#   bundle.sh FOLDER OUT SLUG...      FOLDER holds Web/ and, below SLUG/, each companion's Web/; it is written to
#
# Answers {"main": ..., "preload": [...]}, paths in OUT: what the page begins with, and what that imports. What lies in
# OUT is the shell with Today (chunk), what pages and companions share beyond it (chunk), for each companion what it
# brings to the shell (chunk) and its screens (all-screens), and whatever else stands behind an import().
# chunks.jq says why these.
set -euo pipefail
scripts=$(cd "$(dirname "$0")" && pwd)
out=$(realpath -m "$2") slugs=$(jq -n -c '$ARGS.positional' --args "${@:3}")
cd "$1"

esbuild main.js --bundle --splitting --format=esm --outdir=.graph --metafile=.graph.json --log-level=warning
rm -r .graph
jq --argjson slugs "$slugs" -f "$scripts/chunks.jq" .graph.json >.chunks.json
imports() { jq -r --arg of "$1" '.[$of][] | "import \"./\(.)\";"' .chunks.json; }
imports shell >page-shell.js
{ echo 'import "./page-shell.js";'; imports kit; } >page-kit.js

# A module of the page exports all that it has, also what nobody takes today.
mapfile -t pinned < <(jq -r '.shell[], .kit[], .borrowed[]' .chunks.json)
esbuild "${pinned[@]}" --format=esm --outdir=.pinned --outbase=. --metafile=.pinned.json --log-level=warning
rm -r .pinned
jq -r '[.outputs[] | select(.exports != []) | {entryPoint, exports}] | to_entries[] | .key as $at | .value
    | "export { \([.exports[] | "\(.) as pinned\($at)_\(.)"] | join(", ")) } from \"./\(.entryPoint)\";"' \
    .pinned.json >page-pinned.js

while read -r file first; do
    up=$(sed 's|[^/]*$||; s|[^/]*/|../|g' <<<"$file")
    for one in $first; do printf 'import "%s%s";\n' "${up:-./}" "$one"; done | cat - "$file" >.file
    mv .file "$file"
done < <(jq -r '.first | to_entries[] | "\(.key) \(.value | join(" "))"' .chunks.json)

mkdir -p "$out"
esbuild main.js page-pinned.js --bundle --splitting --format=esm --minify --target=es2022 --legal-comments=none \
    --outdir="$out" --entry-names='[name]-[hash]' --chunk-names='[name]-[hash]' --metafile=.built.json --log-level=warning
rm "$out"/page-pinned-*.js
# esbuild names its outputs from where it was started.
jq --arg out "$(realpath --relative-to=. "$out")/" '.outputs | to_entries[] | select(.value.entryPoint == "main.js")
    | {main: (.key | ltrimstr($out)),
       preload: [.value.imports[] | select(.kind == "import-statement").path | ltrimstr($out)]}' .built.json
