#!/usr/bin/env bash
# Prints where this machine takes Debian from: the address of its first source of Debian's `main`, for debootstrap.
#
#   scripts/debian-mirror.sh [APT]     APT: the folder of apt's configuration, /etc/apt by default
#
# On a machine that is not Debian, DEBIAN_MIRROR names one: no host is written in.
set -euo pipefail
apt=${1:-/etc/apt}
sources=()
for file in "$apt"/sources.list "$apt"/sources.list.d/*.sources "$apt"/sources.list.d/*.list; do
    if [ -f "$file" ]; then sources+=("$file"); fi
done
found=
if [ ${#sources[@]} -gt 0 ]; then
    # A .list has a source on a line, `deb [options] address suite component ...`; a .sources has it in paragraphs of
    # fields. Each becomes "address suites... | components..."; Debian's own are known by the names of its suites.
    found=$(awk '
        function tell(    first) {
            if (types ~ /(^| )deb( |$)/ && enabled !~ /^(no|false|0|off)$/) { split(address, first, " "); print first[1], suites, "|", parts }
            types = address = suites = parts = enabled = ""
        }
        FNR == 1 { tell(); paragraphs = FILENAME ~ /\.sources$/ }
        /^[ \t]*#/ { next }
        paragraphs && /^[ \t]*$/ { tell(); next }
        paragraphs && match($0, /^[A-Za-z-]+:/) {
            field = tolower(substr($0, 1, RLENGTH - 1))
            value = substr($0, RLENGTH + 1)
            gsub(/^[ \t]+|[ \t]+$/, "", value)
            if (field == "types") types = value
            if (field == "uris") address = value
            if (field == "suites") suites = value
            if (field == "components") parts = value
            if (field == "enabled") enabled = tolower(value)
            next
        }
        paragraphs { next }
        $1 == "deb" {
            sub(/^[ \t]*deb[ \t]+(\[[^]]*\][ \t]*)?/, "")
            types = "deb"; address = $1; suites = $2; parts = $3 " " $4 " " $5 " " $6
            tell()
        }
        END { tell() }' "${sources[@]}" |
        awk -F ' [|] ' '$1 ~ /^(https?|file):.* (bookworm|trixie|forky|stable|testing|sid|unstable)( |$)/ &&
            !found && $2 ~ /(^| )main( |$)/ { split($1, words, " "); print words[1]; found = 1 }')
fi
found=${DEBIAN_MIRROR:-$found}
if [ -z "$found" ]; then
    echo "debian-mirror.sh: $apt names no source of Debian. Set DEBIAN_MIRROR to the address of a mirror." >&2
    exit 1
fi
echo "${found%/}"
