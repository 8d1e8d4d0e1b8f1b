#!/usr/bin/env bash
# Has clang read the headers of the C++ standard library once for all files of C++, instead of once for each:
#
#   CCC_OVERRIDE_OPTIONS=$(scripts/cxx-headers.sh release|debug) swift build ...
#
# Prints what that variable of clang's driver is set to, or nothing where this does not work. BoringSSL is built twice, for
# swift-nio-ssl and for swift-crypto: 560 files that read the same headers in the larger part of their time. The variable
# changes no command line, so that a plain `swift build` goes on with what was built with it.
set -euo pipefail
cd "$(dirname "$0")/.."
configuration=${1:-debug}
# What SwiftPM gives such a file and a precompiled header must agree with.
options=(-std=c++17 -fPIC -fblocks -fno-omit-frame-pointer -D_GNU_SOURCE -D_POSIX_C_SOURCE=200112L -w)
case $configuration in release) options+=(-O2) ;; *) options+=(-O0) ;; esac
clang=$(dirname "$(readlink -f "$(command -v swift)")")/clang
[ -x "$clang" ] || exit 0
# One for each compiler and library: it takes no other's, nor any header that has changed since, such as by an upgrade of Debian's.
folder=$PWD/.build-headers/$configuration-$({
    "$clang" --version
    sha256sum scripts/cxx-headers.sh
} 2>&1 | sha256sum | cut -c 1-16)
headers() { tr -d '\\\n' <"$folder/made-of" | tr -s ' ' '\n' | grep '^/.*[^:]$' | xargs -r stat -c '%n %s %Y' 2>&1 | sha256sum; }
if ! [ -e "$folder/options" ] || [ "$(headers)" != "$(cat "$folder/headers")" ]; then
    rm -rf .build-headers/"$configuration"-*
    mkdir -p "$folder"
    for header in algorithm array atomic functional initializer_list iterator limits memory new optional string_view tuple \
        type_traits utility variant stdlib.h string.h stdio.h time.h; do
        echo "#include <$header>"
    done >"$folder/standard.h"
    printf -- '-std=c++17\n-include %s\n' "$folder/standard.h" >"$folder/tried"
    printf '#include <memory>\nint main() { return std::unique_ptr<int>() ? 1 : 0; }\n' >"$folder/try.cc"
    "$clang" "${options[@]}" -MD -MF "$folder/made-of" -x c++-header "$folder/standard.h" -o "$folder/standard.h.pch" 2>/dev/null &&
        "$clang" "${options[@]}" --config="$folder/tried" -c "$folder/try.cc" -o "$folder/try.o" 2>/dev/null || exit 0
    headers >"$folder/headers"
    mv "$folder/tried" "$folder/options"
fi
# Each file of C++ in the packages says -std=c++17, and no file of C does.
echo "# s/^-std=c\\+\\+17\$/--config=${folder//\//\\/}\/options/"
