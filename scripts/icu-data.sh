#!/usr/bin/env bash
# Makes .build-icu/data.inc, which Platform/C/CICUData/data.S takes into a release: the data of Foundation's ICU for the languages
# that Tandem speaks, without the converters of character sets, dictionaries and transliterations. Does nothing where it is
# made, and where the toolchain's ICU does not look as this expects: then the whole of it is linked.
set -euo pipefail
cd "$(dirname "$0")/.."
toolchain=$(dirname "$(readlink -f "$(command -v swift)")")
archive=$toolchain/../lib/swift_static/linux/lib_FoundationICU.a
member=icu_packaged_data.cpp.o
[ -e "$archive" ] || exit 0
# Of this toolchain, these scripts, and this folder, which data.inc names.
made=$({ echo "$PWD" && stat -Lc '%s %Y' "$archive" && sha256sum scripts/icu-data.sh scripts/icu-data.swift; } | sha256sum | cut -c 1-16)
[ "$(cat .build-icu/made 2>/dev/null)" != "$made" ] || exit 0
rm -rf .build-icu
mkdir .build-icu
cd .build-icu
ar x "$archive" "$member" || exit 0
symbol=$(nm "$member" | sed -n 's/^0* R \(icudt[0-9]*_dat\)$/\1/p')
[ -n "$symbol" ] || exit 0
objcopy -O binary --only-section=.rodata "$member" whole.dat
rm "$member"
swift ../scripts/icu-data.swift whole.dat part.dat || exit 0
rm whole.dat
cat >data.inc <<END
.section .rodata.$symbol, "a", %progbits
.globl $symbol
.balign 16
$symbol:
.incbin "$PWD/part.dat"
END
echo "$made" >made
touch ../Platform/C/CICUData/data.S
