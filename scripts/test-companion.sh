#!/usr/bin/env bash
# Makes a companion by `make companion`, in this very tree, and holds it to all that the others are held to. To be run in a
# copy: scripts/in-copy.sh scripts/test-companion.sh
set -euo pipefail
cd "$(dirname "$0")/.."
name=TeaKettle slug=kettle title='Tea kettle'
step() { printf '\n-- %s\n' "$*"; }

step 'What cannot be a companion is refused, in words, and nothing is made'
refused() {
    local words=$1 said
    shift
    if said=$(scripts/companion.sh "$@" 2>&1); then echo "companion.sh $* was not refused" >&2; exit 1; fi
    grep -q "$words" <<<"$said" || { echo "companion.sh $*: $said" >&2; exit 1; }
}
before=$(ls Companions | wc -l)
refused 'a name of letters' ''
refused 'a name of letters' 'tea-kettle'
refused 'a name of letters' '../Kettle'
refused 'begins like' "$(ls Companions | head -n 1)Too"
refused 'is of small letters' Kettle 'Kettle!'
refused 'has that slug' Kettle "$(scripts/companions.sh | jq -r '.[0].slug')"
refused 'choose another SLUG' Kettle settings
refused 'is a word of' Kettle device
[ "$(ls Companions | wc -l)" = "$before" ]

step "make companion NAME=$name SLUG=$slug"
scripts/companion.sh "$name" "$slug" "$title"
grep -rnE '@(NAME|SLUG|TITLE|SYMBOL)@' "Companions/$name" && { echo 'a template is not filled in' >&2; exit 1; }

step 'It lints'
swift format lint --strict --recursive --configuration .swift-format "Companions/$name" Package.swift Apps/tandem/Registry.swift
scripts/lint-imports.sh
scripts/lint-tree.sh
scripts/strings.mjs check
scripts/embedded.sh "${name}Engine"

step 'It builds, and passes its tests'
swift build --build-tests
swift test --skip-build --filter "^${name}Tests\."

step 'Its rules answer its vectors in WebAssembly too'
scripts/test-wasm.sh "$name"

step 'The page has it, and the hub lists it'
scripts/web.sh
.venv/bin/python -m pytest Tests/EndToEnd/made_companion.py -q -p no:cacheprovider
