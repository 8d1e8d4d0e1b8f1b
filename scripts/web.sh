#!/usr/bin/env bash
# Assembles web-build/, the folder that the hub serves:
#
#   web.sh              bundled: few files, as phones want them
#   web.sh modules      web-modules/: the same page of the modules as they are written, to be looked into with a
#                       browser's own tools: tandem demo --web web-modules
#
#   index.html, sw.js              with what is listed below put in
#   manifest.webmanifest           with a shortcut to each companion; manifest.<tag>.webmanifest the same in another language
#   icons/...png                   drawn from Web/pictures
#   app/...-<hash>.js              the shell, each companion, and what stands behind an import(): scripts/bundle.sh
#   app/...-<hash>.css, .svg       of Web/; below app/<companion>/ of Companions/<Name>/Web/
#   app/all-<hash>.css             the style sheets that index.html names, and each companion's <companion>.css
#   app/language/<tag>-<hash>.json  what a language has for the sentences of the page: scripts/web-languages.sh
#   app/wasm/<companion>-<hash>.wasm
#   app/vendor/chart-<hash>.js
#   wasm/<companion>.wasm          the same at an address that nothing changes, for whoever else wants the rules
#   ....br, ....gz                 beside each file that gets smaller by it
#   manifest.json                  {"build": ..., "addresses": {"wasm/plants.wasm": "/app/...", ...},
#                                   "files": {"path": "sha256-..."},
#                                   "compressed": {"path": {"br": "sha256-...", "gzip": "sha256-..."}}}
#
# Below app/ a name has the hash of what is in it, and what names it changes with it: a page and its WebAssembly are
# always of one build, and what did not change stays in the cache of a browser. In web-modules that hash is the build's,
# app/<build>/. The build is a hash of all of it; an unchanged tree gives an unchanged name. It is assembled aside and
# renamed into place: a page never meets half a folder.
set -euo pipefail
cd "$(dirname "$0")/.."
form=${1:-bundle}
case $form in bundle) target=web-build ;; modules) target=web-modules ;; *) echo "web.sh [modules]" >&2; exit 2 ;; esac
chart=/usr/share/javascript/chart.js/chart.min.js

# Two at a time would assemble in the same folder: the second waits, and then finds it up to date.
exec 9>.build-web.lock
flock 9

# What is not newer than the manifest is in it already. A folder is newer when a file was taken out of it.
inputs=(Web Platform/Embedded/{Wire,Signals,WasmBridge,WasmRuntime} Toolsets Package.swift
    scripts/{web,web-icons,web-languages,web-manifest,bundle,companions,wasm,toolset}.sh scripts/chunks.jq "$chart")
for folder in Companions/*/{Web,Engine,Browser}; do
    if [ -d "$folder" ]; then inputs+=("$folder"); fi
done
if [ -e "$target/manifest.json" ] && ! [ Companions -nt "$target/manifest.json" ] &&
    [ -z "$(find "${inputs[@]}" -newer "$target/manifest.json" -print -quit)" ]; then
    echo "The web folder is up to date: $target, build $(jq -r .build "$target/manifest.json")"
    exit 0
fi

if compgen -G 'Companions/*/Browser/*.swift' >/dev/null; then scripts/wasm.sh; fi

# The page's own modules, and below each companion's slug its own.
work=.build-$target
rm -rf "$work"
mkdir -p "$work"/{source/{wasm,vendor},page,made/app}
source=$(realpath "$work/source") made=$(realpath "$work/made") scripts=$(realpath scripts)
cp -R Web/. "$source"
rm -r "$source"/types "$source"/tsconfig.json # what only tsc reads
declarations=$(scripts/companions.sh)
mapfile -t slugs < <(jq -r '.[].slug' <<<"$declarations")
while read -r folder slug; do cp -R "Companions/$folder/Web" "$source/$slug"; done \
    < <(jq -r '.[] | "\(.folder) \(.slug)"' <<<"$declarations")
for module in .build-wasm/modules/*.wasm; do
    if [ -e "$module" ]; then cp "$module" "$source/wasm/"; fi
done
cp "$chart" "$source/vendor/chart.js"
scripts/web-languages.sh "$source/language"
find "$source" \( -name '.*' -o -name '*.md' -o -name companion.json -o -name '*.xcstrings' \) -type f -delete

scripts/web-icons.sh "$source" "$made" "$declarations"
cp scripts/web.sh "$work/page" # what it makes of the files is in the build's name too
cd "$source"
# What the page itself is made of, its icons among it, is not served besides.
mv index.html sw.js manifest.webmanifest ../page
cat pictures/icons.svg $(for slug in "${slugs[@]}"; do echo "$slug/icons.svg"; done) >../page/icons.svg
rm pictures/icons.svg $(for slug in "${slugs[@]}"; do echo "$slug/icons.svg"; done)

# The style sheets that the page names are one, and that of each companion's name with them: a dozen requests fewer for
# each load, also from the cache. What only some screens want is loaded by them.
styles=$(
    sed -n 's|.*<link rel="stylesheet" href="/app/\(.*\)">.*|\1|p' ../page/index.html
    for slug in "${slugs[@]}"; do
        if [ -e "$slug/$slug.css" ]; then echo "$slug/$slug.css"; fi
    done
)
xargs cat <<<"$styles" >all.css
xargs rm <<<"$styles"
# Whatever is a companion's has its paint.
while read -r slug paint; do
    if ! grep -qF "[data-paint=\"$paint\"] {" all.css; then
        echo "$slug wants the paint $paint, which Web/styles/tokens.css does not have" >&2
        exit 1
    fi
    sed -i "s|\[data-paint=\"$paint\"\] {|[data-companion=\"$slug\"], &|" all.css
done < <(jq -r '.[] | "\(.slug) \(.paint)"' <<<"$declarations")
sed -i -e '0,/<link rel="stylesheet"/s|<link rel="stylesheet".*|<LINK rel="stylesheet" href="/app/all.css">|' \
    -e '/<link rel="stylesheet"/d' -e 's|<LINK|<link|' ../page/index.html

hash_of() { find "$@" -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -c 1-12; }
# What no module imports: style sheets, pictures, WebAssembly, the library of the charts.
listed() { find . -type f \( ! -name '*.js' -o -path './vendor/*' \) -printf '%P\n' | LC_ALL=C sort; }
# Puts files, by the lines of their paths, where they are served; answers with these addresses by path, as JSON.
placed() {
    local path address
    while read -r path; do
        if [ "$form" = modules ]; then address=app/$build/$path
        else address=app/${path%.*}-$(sha256sum <"$path" | cut -c 1-10).${path##*.}; fi
        mkdir -p "$made/$(dirname "$address")"
        cp "$path" "$made/$address"
        echo "$path /$address"
    done | jq -R -n 'reduce (inputs | split(" ")) as [$path, $address] ({}; .[$path] = $address)'
}
# Writes build.js, which says what is served where, and which companions there are and what they declare.
write_build() {
    jq -r --argjson addresses "$1" '
        (to_entries[] | "import companion\(.key) from \"./\(.value.slug)/screens.js\";"),
        "export const companions = {\(to_entries | map("\(.value.slug | tojson): companion\(.key)") | join(", "))};",
        "export const declarations = \(map(del(.folder, .order)) | tojson);",
        "export const addresses = \($addresses | tojson);"' <<<"$declarations" >build.js
}

if [ "$form" = modules ]; then
    build=$(cd .. && hash_of source page)
    begin=$(jq -n --arg main "/app/$build/main.js" '{$main, preload: [], signIn: [], screens: {}}')
    addresses=$(listed | placed)
    write_build "$addresses"
    cp -R . "$made/app/$build"
else
    find . -name '*.css' -printf '%P\n' | xargs esbuild --minify --outdir=../styles --outbase=. --log-level=warning
    cp -R ../styles/. .
    addresses=$(listed | placed)
    write_build "$addresses"
    begin=$("$scripts/bundle.sh" . "$made/app" "${slugs[@]}" |
        jq '.main |= "/app/\(.)" | .preload[] |= "/app/\(.)" | .signIn[] |= "/app/\(.)" | .screens[][] |= "/app/\(.)"')
fi
sed -i "s|\"{{SCREENS}}\"|$(jq -c .screens <<<"$begin")|" first.js # of a companion's address
addresses=$(echo first.js | placed | jq --argjson others "$addresses" '$others + .')
if [ "$form" = bundle ]; then build=$(cd .. && hash_of made/app page); fi

if [ -e "../../$target/manifest.json" ] && [ "$(jq -r .build "../../$target/manifest.json")" = "$build" ]; then
    cd ../..
    rm -rf "$work"
    touch "$target/manifest.json"
    echo "The web folder is up to date: $target, build $build"
    exit 0
fi

cd ../page
icons=$(tr '\n' ' ' <icons.svg | sed 's|</symbol>|&\n|g' | sed -n 's|.*<symbol id="|<symbol id="icon-|p')
# Addresses in index.html are those of the folder: each becomes that at which the file is served.
jq -R -s -r --arg build "$build" --arg icons "$icons" --argjson begin "$begin" --argjson addresses "$addresses" \
    --argjson slugs "$(jq -n -c '$ARGS.positional' --args "${slugs[@]}")" '
    ($addresses + {"main.js": $begin.main}) as $served
    | gsub("\"/app/(?<path>[^\"]+)\""; "\"\($served[.path] // error("index.html names \(.path), which is not there"))\"")
    | gsub("\\{\\{BUILD\\}\\}"; $build)
    | gsub("\\{\\{LANGUAGES\\}\\}"; [$addresses | to_entries[] | select(.key | test("^language/.*[.]json$"))
        | "\(.key[9:-5])=\(.value)"] | join(" "))
    | gsub("\\{\\{PRELOADS\\}\\}"; [($begin | .preload + .signIn)[] | "<link rel=\"modulepreload\" href=\"\(.)\">"] | join("\n"))
    | gsub("\\{\\{OVERVIEWS\\}\\}"; [$slugs[]
        | "<link rel=\"preload\" href=\"/api/\(.)\" as=\"fetch\" crossorigin>"] | join("\n"))
    | gsub("\\{\\{ICONS\\}\\}"; "<svg class=\"icons\" hidden>\n\($icons)\n</svg>")
    ' index.html >"$made/index.html"
mkdir "$made/wasm"
for module in "$source"/wasm/*.wasm; do
    if [ -e "$module" ]; then cp "$module" "$made/wasm"; fi
done
# What the service worker keeps: the page, its manifests and icons, and all that is below app/.
(cd "$made" && find index.html ./*.webmanifest icons app -type f -print0 | LC_ALL=C sort -z | "$scripts/web-manifest.sh" hashes) >files.json
jq -R -s -r --arg build "$build" --slurpfile files files.json \
    --argjson slugs "$(jq -n -c '$ARGS.positional' --args "${slugs[@]}")" '
    split("{{BUILD}}") | join($build) | split("\"{{FILES}}\"") | join($files[0] | tojson)
    | split("\"{{COMPANIONS}}\"") | join($slugs | tojson)' sw.js >"$made/sw.js"
cd ../..
"$scripts/web-manifest.sh" "$made" "$build" "$addresses"

if [ -e "$target" ]; then mv "$target" "$work/old"; fi
mv "$made" "$target"
rm -rf "$work"
echo "The web folder is ready: $target, build $build"
