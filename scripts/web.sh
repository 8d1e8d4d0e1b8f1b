#!/usr/bin/env bash
# Assembles web-build/, the folder that the hub serves:
#
#   index.html, sw.js              with {{BUILD}} and what is listed below put in
#   manifest.webmanifest           with a shortcut to each companion
#   icons/...png                   drawn from Web/pictures
#   app/<build>/...                Web/: the shell
#   app/<build>/<companion>/...    Companions/<Name>/Web/: its screens
#   app/<build>/wasm/<companion>.wasm
#   wasm/<companion>.wasm          the same at an address that no build changes, for whoever else wants the rules
#   app/<build>/vendor/chart.js
#   ....br, ....gz                 beside each file that gets smaller by it
#   manifest.json                  {"build": ..., "files": {"path": "sha256-..."},
#                                   "compressed": {"path": {"br": "sha256-...", "gzip": "sha256-..."}}}
#
# The build is a hash of all that is in it, so a page and its WebAssembly are always of one build, and an unchanged
# tree gives an unchanged name. It is assembled aside and renamed into place: a page never meets half a folder.
set -euo pipefail
cd "$(dirname "$0")/.."
chart=/usr/share/javascript/chart.js/chart.min.js
[ -e "$chart" ] || { echo "Chart.js is missing: run scripts/setup.sh, or apt-get install libjs-chart.js" >&2; exit 1; }
for tool in jq brotli:brotli rsvg-convert:librsvg2-bin; do
    command -v "${tool%%:*}" >/dev/null && continue
    echo "${tool%%:*} is missing: run scripts/setup.sh, or apt-get install ${tool##*:}" >&2
    exit 1
done

# Two at a time would assemble in the same folder: the second waits, and then finds it up to date.
exec 9>.build-web.lock
flock 9

# What is not newer than the manifest is in it already. A folder is newer when a file was taken out of it.
inputs=(Web Platform/{Wire,Signals,WasmBridge,WasmRuntime} Toolsets Package.swift scripts/{web,wasm,toolset}.sh "$chart")
for folder in Companions/*/{Web,Engine,Browser}; do
    if [ -d "$folder" ]; then inputs+=("$folder"); fi
done
if [ -e web-build/manifest.json ] && [ -z "$(find "${inputs[@]}" -newer web-build/manifest.json -print -quit)" ]; then
    echo "The web folder is up to date: web-build, build $(jq -r .build web-build/manifest.json)"
    exit 0
fi

if compgen -G 'Companions/*/Browser/*.swift' >/dev/null; then scripts/wasm.sh; fi

rm -rf .build-web
mkdir -p .build-web/app/new/vendor .build-web/app/new/wasm .build-web/app/new/icons
app=.build-web/app/new
cp -R Web/. "$app"
companions=()
for folder in Companions/*/Web; do
    [ -d "$folder" ] || continue
    name=$(basename "$(dirname "$folder")")
    companions+=("$name")
    mkdir -p "$app/${name,,}"
    cp -R "$folder/." "$app/${name,,}"
done
for module in .build-wasm/modules/*.wasm; do
    [ -e "$module" ] && cp "$module" "$app/wasm/"
done
cp "$chart" "$app/vendor/chart.js"
find .build-web \( -name '.*' -o -name '*.md' \) -type f -delete

# The app's icons. One that a phone cuts to its own shape fills the whole square.
draw() { rsvg-convert --width "$1" --height "$1" --output "$app/icons/$2.png"; }
square() { sed 's/ rx="112"//' "$app/pictures/app-icon.svg"; }
draw 192 icon-192 <"$app/pictures/app-icon.svg"
draw 512 icon-512 <"$app/pictures/app-icon.svg"
square | draw 512 maskable-512
square | draw 180 apple-touch-icon

# A shortcut to each companion: its folder's name, and the icon of that name on the app's ground.
shortcuts=[]
for name in "${companions[@]}"; do
    slug=${name,,}
    symbol=$(sed -n "s|.*<symbol id=\"$slug\" viewBox=\"0 0 24 24\">\(.*\)</symbol>.*|\1|p" "$app/pictures/icons.svg")
    [ -n "$symbol" ] || { echo "Web/pictures/icons.svg has no symbol $slug, the icon of $name's shortcut" >&2; exit 1; }
    draw 192 "shortcut-$slug" <<SVG
<svg xmlns="http://www.w3.org/2000/svg" viewBox="-12 -12 48 48"><rect x="-12" y="-12" width="48" height="48"
rx="10" fill="#2d2421"/><g fill="none" stroke="#fcf9f7" stroke-width="1.75" stroke-linecap="round"
stroke-linejoin="round">$symbol</g></svg>
SVG
    shortcuts=$(jq --arg name "$name" --arg slug "$slug" '. + [{name: $name, url: "/\($slug)", icons: [
        {src: "/icons/shortcut-\($slug).png", sizes: "192x192", type: "image/png"}]}]' <<<"$shortcuts")
done

cp scripts/web.sh "$app/web.sh" # what it makes of the files is in the build's name too
build=$(cd "$app" && find . -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -c 1-12)
rm "$app/web.sh"
if [ -e web-build/manifest.json ] && [ "$(jq -r .build web-build/manifest.json)" = "$build" ]; then
    rm -rf .build-web
    touch web-build/manifest.json
    echo "The web folder is up to date: web-build, build $build"
    exit 0
fi

mv "$app" ".build-web/app/$build"
app=.build-web/app/$build
mv "$app/icons" .build-web/icons
cp -R "$app/wasm" .build-web/wasm
jq --argjson shortcuts "$shortcuts" '.shortcuts = $shortcuts' "$app/manifest.webmanifest" >.build-web/manifest.webmanifest

# The page's own style sheets are one, and that of each companion's name with them: a dozen requests fewer for each
# load, also from the cache. What only some screens want is loaded by them.
styles=$(
    sed -n 's|.*<link rel="stylesheet" href="/app/{{BUILD}}/\(.*\)">.*|\1|p' "$app/index.html"
    for name in "${companions[@],,}"; do
        if [ -e "$app/$name/$name.css" ]; then echo "$name/$name.css"; fi
    done
)
(cd "$app" && xargs cat <<<"$styles" >all.css && xargs rm <<<"$styles")
sed -i -e '0,/<link rel="stylesheet"/s|.*<link rel="stylesheet".*|{{STYLES}}|' -e '/<link rel="stylesheet"/d' \
    -e 's|{{STYLES}}|<link rel="stylesheet" href="/app/{{BUILD}}/all.css">|' "$app/index.html"

# What each page imports before it has begun, and each companion's start, so that a browser asks for all of it at once
# and not layer by layer: the page says so itself. What only some places want besides, Today its bands and a companion
# its first screen, first.js asks for.
modules=$(cd "$app" && find . -name '*.js' -printf '%P\n' | LC_ALL=C sort | xargs awk '
    function resolved(from, to,    parts, n, i, out, m) {
        sub(/[^\/]*$/, "", from)
        n = split(from to, parts, "/")
        for (i = 1; i <= n; i++) {
            if (parts[i] == "..") m--
            else if (parts[i] != ".") out[++m] = parts[i]
        }
        to = out[1]
        for (i = 2; i <= m; i++) to = to "/" out[i]
        return to
    }
    function walk(place, roots, seen,    queue, last, at, i, n, ones) { # adds to seen, and prints, what roots import
        last = split(roots, queue, " ")
        for (at = 1; at <= last; at++) seen[queue[at]] = 1
        for (at = 1; at <= last; at++) {
            if (queue[at] != "main.js") print place "\t" queue[at]
            n = split(imports[queue[at]], ones, " ")
            for (i = 1; i <= n; i++) if (!seen[ones[i]]++) queue[++last] = ones[i]
        }
    }
    match($0, /(from|import) "\.[^"]*"/) {
        path = substr($0, RSTART, RLENGTH)
        gsub(/^[a-z]* "|"$/, "", path)
        imports[FILENAME] = imports[FILENAME] " " resolved(FILENAME, path)
    }
    FILENAME ~ /^[^\/]*\/screens\.js$/ && FNR == 1 { starts = starts " " FILENAME }
    FILENAME ~ /^[^\/]*\/today\.js$/ && FNR == 1 { today = today " " FILENAME } # that of pages/ among them
    FILENAME ~ /^[^\/]*\/screens\.js$/ && match($0, /later\("\/[^\/:"]*", "[^"]*"/) {
        split(substr($0, RSTART, RLENGTH), said, "\"")
        screen[said[2]] = resolved(FILENAME, said[4])
    }
    END {
        screen["/"] = today
        walk("", starts " main.js", shell)
        for (place in screen) {
            split("", seen)
            for (one in shell) seen[one] = 1
            walk(place, screen[place], seen)
        }
    }')
sed -n "s|^\t\(.*\)|<link rel=\"modulepreload\" href=\"/app/$build/\1\">|p" <<<"$modules" >.build-web/preloads
sed -e "s/{{BUILD}}/$build/g" -e '/{{PRELOADS}}/{r .build-web/preloads' -e 'd}' "$app/index.html" >.build-web/index.html
rm .build-web/preloads
places=$(grep '^/' <<<"$modules" | LC_ALL=C sort -s -k 1,1 | jq -R -n -c '
    reduce (inputs | split("\t")) as [$place, $one] ({}; .[$place] += [$one])')
sed -i "s|\"{{PLACES}}\"|$places|" "$app/first.js"

# `path<tab>sha256-<base64>` of files, the form of Subresource Integrity, as a JSON object.
hashes() {
    xargs -0 -r sha256sum | while read -r hash path; do
        printf '%s\tsha256-%s\n' "${path#./}" "$(printf "$(sed 's/../\\x&/g' <<<"$hash")" | base64 -w 0)"
    done | jq -R -s 'split("\n") | map(select(. != "") | split("\t") | {(.[0]): .[1]}) | add // {}'
}
mv "$app/sw.js" .build-web.js
rm "$app/index.html" "$app/manifest.webmanifest"
(cd .build-web && find index.html app -type f -print0 | LC_ALL=C sort -z | hashes) >.build-web.json
slugs=$(printf '%s\n' "${companions[@],,}" | jq -R -s -c 'split("\n") | map(select(. != ""))')
awk -v build="$build" -v slugs="$slugs" -v files="$(cat .build-web.json)" '
    function put(name, value,    at) {
        if (at = index($0, name)) $0 = substr($0, 1, at - 1) value substr($0, at + length(name))
    }
    { put("{{BUILD}}", build); put("\"{{FILES}}\"", files); put("\"{{COMPANIONS}}\"", slugs); print }
    ' .build-web.js >.build-web/sw.js
rm .build-web.js .build-web.json

(cd .build-web && find . -type f -print0 | LC_ALL=C sort -z | hashes) >.build-web.files
find .build-web -type f ! -name '*.png' -print0 | xargs -0 -n 16 -P "$(nproc)" brotli --best --keep --
find .build-web -type f ! -name '*.png' ! -name '*.br' -print0 | xargs -0 gzip --best --keep --no-name --
find .build-web -name '*.br' -o -name '*.gz' | while read -r file; do
    if [ "$(stat -c %s "$file")" -ge "$(stat -c %s "${file%.*}")" ]; then rm "$file"; fi
done
(cd .build-web && find . \( -name '*.br' -o -name '*.gz' \) -print0 | LC_ALL=C sort -z | hashes) |
    jq --arg build "$build" --slurpfile files .build-web.files '{
        build: $build, files: $files[0],
        compressed: (reduce to_entries[] as $one ({};
            ($one.key | capture("(?<path>.*)\\.(?<ending>br|gz)$")) as $of
            | .[$of.path][if $of.ending == "gz" then "gzip" else "br" end] = $one.value))
    }' >.build-web.json
mv .build-web.json .build-web/manifest.json
rm .build-web.files

rm -rf .build-web-old
if [ -e web-build ]; then mv web-build .build-web-old; fi
mv .build-web web-build
rm -rf .build-web-old
echo "The web folder is ready: web-build, build $build"
