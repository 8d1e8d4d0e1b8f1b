#!/usr/bin/env bash
# make companion: a companion that works, from the templates in scripts/companion, and a place to begin.
#
#   companion.sh NAME [SLUG] [TITLE]
#
# NAME is its folder and what its modules begin with, `TriviaToy`; SLUG is in addresses, `toy`, by default NAME in small
# letters; TITLE is on screens, "Trivia toy", by default NAME. Two files besides name it: Package.swift and the registry of
# the executable, a line each.
set -euo pipefail
cd "$(dirname "$0")/.."
name=${1:-} slug=${2:-} title=${3:-}
slug=${slug:-${name,,}} title=${title:-$name}
refuse() { echo "$*" >&2; exit 64; }
[[ $name =~ ^[A-Z][A-Za-z0-9]{1,30}$ ]] ||
    refuse "make companion NAME=Kettle: a name of letters and digits, the first one large (not “$name”)."
[[ $slug =~ ^[a-z][a-z0-9-]{0,30}$ ]] || refuse "SLUG is of small letters, digits and hyphens, and not “$slug”."
[[ $title =~ ^[A-Za-z0-9][A-Za-z0-9\ \'-]{0,30}$ ]] || refuse "TITLE is of letters, digits and spaces, and not “$title”."
for other in Companions/*/; do
    other=$(basename "$other")
    # The name that a module begins with says whose it is.
    case $name in "$other"*) refuse "$name begins like $other: one would be taken for the other." ;; esac
    case $other in "$name"*) refuse "$other begins like $name: one would be taken for the other." ;; esac
done
for module in Platform/*/ Platform/*/*/; do
    for kind in Engine Device Browser VectorLines Hub Tests; do
        [ "$(basename "$module")" != "$name$kind" ] || refuse "Platform has a module $name$kind; choose another name."
    done
done
taken=$(scripts/companions.sh | jq -r --arg slug "$slug" --arg title "$title" \
    '.[] | select(.slug == $slug or (.title | ascii_downcase) == ($title | ascii_downcase)).folder')
[ -z "$taken" ] || refuse "$taken has that slug or that title already."
case $slug in api | app | join | settings | welcome | house) refuse "The page itself is at /$slug; choose another SLUG." ;; esac
# The lint keeps a companion's slug and title out of what is all companions': there it must not be a word already.
for word in "$slug" "$title"; do
    found=$(grep -rliwF -e "$word" Platform Web || true)
    [ -z "$found" ] || refuse "“$word” is a word of $(head -n 1 <<<"$found") already, which may name no companion; choose another."
done

templates=scripts/companion
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -R "$templates/." "$work"
while IFS= read -r -d '' file; do
    sed -i "s|@NAME@|$name|g; s|@SLUG@|$slug|g; s|@TITLE@|$title|g; s|@SYMBOL@|${slug//-/_}|g" "$file"
    made=$(sed "s|@NAME@|$name|; s|@SLUG@|$slug|" <<<"$file")
    [ "$made" = "$file" ] || mv "$file" "$made"
done < <(find "$work" -type f -print0)
mkdir -p "Companions/$name"
cp -R "$work/." "Companions/$name"

sed -i "/^let companions = \[/,/^]/ s|^]|    Companion(\"$name\", hasDevice: false),\n]|" Package.swift
sed -i "s|^import HubKit$|import HubKit\nimport ${name}Hub|; /^let companions/,/^]/ s|^]|    $name.self,\n]|" Apps/tandem/Registry.swift
# The order of the imports depends on the name.
swift format format --in-place --recursive --configuration .swift-format "Companions/$name" Apps/tandem/Registry.swift Package.swift
echo "Companions/$name is there: its README.md says what is in it. Package.swift and Apps/tandem/Registry.swift name it."
