#!/usr/bin/env bash
# Assembles web-build/, the folder that the hub serves:
#
#   index.html                     with {{BUILD}} replaced
#   app/<build>/...                Web/: the shell
#   app/<build>/<companion>/...    Companions/<Name>/Web/: its screens
#   app/<build>/wasm/<companion>.wasm
#   app/<build>/vendor/chart.js
#   manifest.json                  {"build": ..., "files": {"path": "sha256-..."}}
#
# The build is a hash of all that is in it, so a page and its WebAssembly are always of one build, and an unchanged
# tree gives an unchanged name. It is assembled aside and renamed into place: a page never meets half a folder.
set -euo pipefail
cd "$(dirname "$0")/.."
chart=/usr/share/javascript/chart.js/chart.min.js
[ -e "$chart" ] || { echo "Chart.js is missing: run scripts/setup.sh, or apt-get install libjs-chart.js" >&2; exit 1; }

# What is not newer than the manifest is in it already. A folder is newer when a file was taken out of it.
inputs=(Web Platform/Wire Platform/Signals Toolsets Package.swift scripts/web.sh scripts/wasm.sh "$chart")
for folder in Companions/*/{Web,Engine,Browser}; do
    if [ -d "$folder" ]; then inputs+=("$folder"); fi
done
if [ -e web-build/manifest.json ] && [ -z "$(find "${inputs[@]}" -newer web-build/manifest.json -print -quit)" ]; then
    echo "The web folder is up to date: web-build, build $(jq -r .build web-build/manifest.json)"
    exit 0
fi

if compgen -G 'Companions/*/Browser/*.swift' >/dev/null; then scripts/wasm.sh; fi

rm -rf .build-web
mkdir -p .build-web/app/new/vendor .build-web/app/new/wasm
app=.build-web/app/new
[ -d Web ] && cp -R Web/. "$app"
for folder in Companions/*/Web; do
    [ -d "$folder" ] || continue
    name=$(basename "$(dirname "$folder")")
    mkdir -p "$app/${name,,}"
    cp -R "$folder/." "$app/${name,,}"
done
for module in .build-wasm/modules/*.wasm; do
    [ -e "$module" ] && cp "$module" "$app/wasm/"
done
cp "$chart" "$app/vendor/chart.js"
find .build-web \( -name '.*' -o -name '*.md' \) -type f -delete

build=$(cd "$app" && find . -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -c 1-12)
if [ -e web-build/manifest.json ] && [ "$(jq -r .build web-build/manifest.json)" = "$build" ]; then
    rm -rf .build-web
    touch web-build/manifest.json
    echo "The web folder is up to date: web-build, build $build"
    exit 0
fi

mv "$app" ".build-web/app/$build"
app=.build-web/app/$build
if [ -e "$app/index.html" ]; then
    sed "s/{{BUILD}}/$build/g" "$app/index.html" >.build-web/index.html
    rm "$app/index.html"
fi
# sha256-<base64>, the form of Subresource Integrity.
(cd .build-web && find . -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum) |
    while read -r hash path; do
        printf '%s\tsha256-%s\n' "${path#./}" "$(printf "$(sed 's/../\\x&/g' <<<"$hash")" | base64 -w 0)"
    done | jq -R -s --arg build "$build" \
        '{build: $build, files: (split("\n") | map(select(. != "") | split("\t") | {(.[0]): .[1]}) | add)}' \
        >.build-web.json
mv .build-web.json .build-web/manifest.json

rm -rf .build-web-old
if [ -e web-build ]; then mv web-build .build-web-old; fi
mv .build-web web-build
rm -rf .build-web-old
echo "The web folder is ready: web-build, build $build"
