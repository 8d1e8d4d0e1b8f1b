#!/usr/bin/env bash
# Makes two companions by `make companion`, in this very tree, and holds them to all that the others are held to: one as it is
# made, and one that has become what the tutorial makes of it. To be run in a copy:
# scripts/in-copy.sh scripts/test-companion.sh
set -euo pipefail
cd "$(dirname "$0")/.."
name=TeaKettle slug=kettle title='Tea kettle'
tutorial=docs/site/write-a-companion.md taught=FishTank
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

step "$tutorial, from its first command to its last listing"
command=$(grep -m 1 '^make companion ' "$tutorial")
eval "$command"
[ -d "Companions/$taught" ]
scripts/docs/listings.py "$tutorial"

step 'They lint'
swift format lint --strict --recursive --configuration .swift-format "Companions/$name" "Companions/$taught" \
    Package.swift Apps/tandem/Registry.swift
scripts/lint-imports.sh
scripts/lint-tree.sh
scripts/strings.mjs check
for engine in "${name}Engine" "${taught}Engine"; do scripts/embedded.sh "$engine"; done

step 'They build, and pass their tests'
scripts/build.sh release --tests
swift test -c release --skip-build --filter "^($name|$taught)Tests\."

step 'Their rules answer their vectors in WebAssembly too'
for one in "$name" "$taught"; do scripts/test-wasm.sh "$one"; done

step 'The page has them, and the hub lists them'
scripts/web.sh
.venv/bin/python -m pytest Tests/EndToEnd/made_companion.py -q -p no:cacheprovider
