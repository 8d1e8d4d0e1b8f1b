#!/usr/bin/env bash
# Bundles the page's modules with esbuild: few files, each named after a hash of what is in it.
#
#   bundle.sh FOLDER OUT SLUG...      FOLDER holds Web/ and, below SLUG/, each companion's Web/; it is written to
#
# Answers {"main": ..., "preload": [...], "signIn": [...], "screens": {SLUG: [...]}}, paths in OUT: what the page begins with, what
# that imports, and what the sign-in and the screens of each companion are made of besides. What lies in
# OUT is the shell with Today (chunk), what pages and companions share beyond it (chunk), for each companion what it
# brings to the shell (chunk) and its screens (all-screens), and whatever else stands behind an import().
# chunks.jq says why these.
set -euo pipefail
scripts=$(cd "$(dirname "$0")" && pwd)
out=$(realpath -m "$2") slugs=$(jq -n -c '$ARGS.positional' --args "${@:3}")
cd "$1"

mapfile -t modules < <(find . -name '*.js' ! -path './vendor/*' ! -path ./first.js -printf '%P\n' | LC_ALL=C sort)
esbuild "${modules[@]}" --format=esm --outdir=.single --outbase=. --metafile=.single.json --log-level=warning
esbuild main.js --bundle --splitting --format=esm --outdir=.graph --metafile=.graph.json --log-level=warning
rm -r .single .graph
jq --argjson slugs "$slugs" --slurpfile single .single.json -f "$scripts/chunks.jq" .graph.json >.chunks.json
imports() { jq -r --arg of "$1" '.[$of][] | "import \"./\(.)\";"' .chunks.json; }
imports shell >page-shell.js
{ echo 'import "./page-shell.js";'; imports kit; } >page-kit.js
# A module of the page exports all that it has, also what nobody takes today.
jq -r '.pinned | to_entries[] | .key as $at | .value
    | "export { \([.exports[] | "\(.) as pinned\($at)_\(.)"] | join(", ")) } from \"./\(.path)\";"' .chunks.json >page-pinned.js

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
jq --arg out "$(realpath --relative-to=. "$out")/" --argjson slugs "$slugs" '
    .outputs as $outputs
    | def made($entry): $outputs | to_entries[] | select(.value.entryPoint == $entry).key;
    def files: [., recurse($outputs[.].imports[] | select(.kind == "import-statement").path)] | unique;
    (made("main.js") | files) as $begin
    | def named: ltrimstr($out);
    {main: (made("main.js") | named), preload: [($begin - [made("main.js")])[] | named],
     signIn: [((made("pages/sign-in.js") | files) - $begin)[] | named],
     screens: ([$slugs[] | {key: ., value: [(([made("\(.)/all-screens.js")][] | files) - $begin)[] | named]}]
        | from_entries)}' .built.json
