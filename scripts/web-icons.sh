#!/usr/bin/env bash
# Draws the app's icons, and says in manifest.webmanifest which shortcuts it has, and in manifest.<tag>.webmanifest the same
# in each other language: a part of scripts/web.sh.
#
#   web-icons.sh SOURCE MADE DECLARATIONS     SOURCE holds Web/ and below each slug a companion's; MADE is the folder to be
#                                             served; DECLARATIONS is what scripts/companions.sh says
set -euo pipefail
source=$1 made=$2
mkdir -p "$made/icons"

# One that a phone cuts to its own shape fills the whole square.
draw() { rsvg-convert --width "$1" --height "$1" --output "$made/icons/$2.png"; }
square() { sed 's/ rx="112"//' "$source/pictures/app-icon.svg"; }
draw 192 icon-192 <"$source/pictures/app-icon.svg"
draw 512 icon-512 <"$source/pictures/app-icon.svg"
square | draw 512 maskable-512
square | draw 180 apple-touch-icon

# A shortcut to each companion: its title, and the icon of its slug on the app's ground.
shortcuts=[]
while IFS=$'\t' read -r slug folder title; do
    symbol=$(sed -n "s|.*<symbol id=\"$slug\" viewBox=\"0 0 24 24\">\(.*\)</symbol>.*|\1|p" "$source/$slug/icons.svg" || true)
    if [ -z "$symbol" ]; then
        echo "Companions/$folder/Web/icons.svg has no symbol $slug, the icon of the companion and of its shortcut" >&2
        exit 1
    fi
    draw 192 "shortcut-$slug" <<SVG
<svg xmlns="http://www.w3.org/2000/svg" viewBox="-12 -12 48 48"><rect x="-12" y="-12" width="48" height="48"
rx="10" fill="#2d2421"/><g fill="none" stroke="#fcf9f7" stroke-width="1.75" stroke-linecap="round"
stroke-linejoin="round">$symbol</g></svg>
SVG
    shortcuts=$(jq --arg name "$title" --arg slug "$slug" '. + [{name: $name, url: "/\($slug)", icons: [
        {src: "/icons/shortcut-\($slug).png", sizes: "192x192", type: "image/png"}]}]' <<<"$shortcuts")
done < <(jq -r '.[] | [.slug, .folder, .title] | @tsv' <<<"$3")
jq --argjson shortcuts "$shortcuts" '.shortcuts = $shortcuts' "$source/manifest.webmanifest" >"$made/manifest.webmanifest"
for sentences in "$source"/language/*.json; do
    [ -e "$sentences" ] || continue
    tag=$(basename "$sentences" .json)
    jq --arg tag "$tag" --slurpfile said "$sentences" 'def said: $said[0][.] // .;
        .lang = $tag | .description |= said | .shortcuts[].name |= said' \
        "$made/manifest.webmanifest" >"$made/manifest.$tag.webmanifest"
done
