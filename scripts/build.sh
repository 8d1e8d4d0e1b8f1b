#!/usr/bin/env bash
# Builds an executable: scripts/build.sh release|debug [PRODUCT], else tandem. With --tests the tests too, in one go: while one
# processor compiles the last modules of the hub, one after the other, the others compile tests.
#
# The first time it says how long that takes on this machine, once a minute of it has shown how fast the machine is, and then
# how far it is. Benchmarks/build-seconds-*.tsv have what each module takes.
set -euo pipefail
cd "$(dirname "$0")/.."
configuration=${1:-debug}
product=${2:-tandem}
CCC_OVERRIDE_OPTIONS=$(scripts/cxx-headers.sh "$configuration")
export CCC_OVERRIDE_OPTIONS
[ "$configuration" = debug ] || scripts/icu-data.sh
build=(swift build -c "$configuration" --product "$product")
[ "$product" != --tests ] || { product=tandem build=(swift build -c "$configuration" --build-tests); }
if [ -x ".build/$configuration/$product" ] || [ "$product" != tandem ]; then exec "${build[@]}"; fi

declare -A seconds
total=0
while read -r module most; do
    seconds[$module]=$most
    total=$((total + most))
done < <(grep -v '^#' "Benchmarks/build-seconds-$configuration.tsv")
total=$((total + 560 * ${seconds[.cc]})) # BoringSSL's files, twice
echo "Building Tandem ($configuration), once. How long that takes here is known in a minute; later builds take seconds."
started=$SECONDS begun=0 said=0 done=0
# Of the lines that swift build prints, those that say what it compiles are counted, a module's first one or a file of C++ at a
# time; whatever else it says is shown.
"${build[@]}" 2>&1 | while IFS= read -r line; do
    if [[ $line =~ ^\[[0-9]+/[0-9]+\]\ (Compiling|Emitting\ module)\ ([A-Za-z0-9_]+) ]]; then
        name=${BASH_REMATCH[2]}
        case $line in *.cc) name=.cc ;; esac
        done=$((done + ${seconds[$name]:-0}))
        [ "$name" = .cc ] || unset "seconds[$name]"
    elif ! [[ $line =~ ^(\[[0-9]+/[0-9]+\]|Building\ for|Fetch|Creating|Working|Comput|warning:|\ +/|$) ]]; then
        printf '%s\n' "$line"
    fi
    passed=$((SECONDS - started))
    # How fast the machine is shows once it compiles: what is fetched before hangs on the line, not on the processor.
    [ "$done" -gt 0 ] || begun=$passed
    if [ $((passed - said)) -ge 60 ] && [ $((100 * done / total)) -ge 2 ]; then
        said=$passed
        [ "$done" -lt "$total" ] || done=$((total - 1))
        left=$((((passed - begun) * (total - done) / done + 59) / 60))
        echo "  $((100 * done / total)) % after $((passed / 60)) min; about $left min to go on this machine"
    fi
done
