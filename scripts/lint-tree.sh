#!/usr/bin/env bash
# What the tree promises of itself, beyond what the compiler and the formatter see:
# no drawers, no file past 500 lines, exact package versions, no path of one machine, no link to nothing.
#
#   scripts/lint-tree.sh [DIR]
set -euo pipefail
cd "${1:-$(dirname "$0")/..}"
failed=0
complain() { sed "s|\$|: $1|"; }
report() { if [ -n "$1" ]; then printf '%s\n' "$1"; failed=1; fi; }

if [ -e .git ]; then
    files=$(git ls-files --cached --others --exclude-standard --deduplicate)
else
    files=$(find . -type f -not -path './.build*' | sed 's|^\./||')
fi
# A file that was deleted and not yet committed is still listed.
files=$(while IFS= read -r file; do [ -f "$file" ] && printf '%s\n' "$file"; done <<<"$files")

report "$(grep -iE '(^|/)(utils?|utilit(y|ies)|helpers?|common|shared|misc|managers?|extensions?)(/|\.[a-z]+$)' <<<"$files" |
    complain 'a drawer; name it for what is in it')"
report "$(grep -iE '/[A-Za-z]*(Utils?|Helpers?|Manager)\.swift$' <<<"$files" |
    complain 'a drawer; name it for what is in it')"

report "$(grep -E '\.(swift|js|mjs|css|html|py|sh|c|h)$' <<<"$files" | tr '\n' '\0' | xargs -0r wc -l |
    awk '$2 != "total" && $1 > 500 { print $2 ": " $1 " lines; split it by what it does before 500" }')"

report "$(grep -n '\.package(' Package.swift | grep -v 'exact: "' | sed 's|^|Package.swift:|' |
    complain 'say exact: and the version')"
# Those that a package wants in turn would float, see Package.swift.
if [ -f Package.resolved ]; then
    report "$(sed -n 's|.*"location" *: *".*/\([^/"]*\)".*|\1|p' Package.resolved | sed 's/\.git$//' |
        while IFS= read -r name; do grep -q "\.package(.*/$name\"" Package.swift || printf '%s\n' "$name"; done |
        sed 's|^|Package.swift: |' | complain 'is wanted by a package; say exact: and its version here')"
fi
report "$(grep -nH -vE '^ *(#.*)?$|^[A-Za-z0-9_.-]+==[^ ]+$' Tests/EndToEnd/requirements*.txt docs/requirements.txt 2>/dev/null |
    complain 'say == and the version')"

text=$(grep -vE '\.(png|ico|woff2?|wasm|sqlite|bin|plist|plantsbin)$' <<<"$files")
# Folders that exist on one developer's machine only.
report "$(tr '\n' '\0' <<<"$text" | xargs -0r grep -nHIE '(^|[^A-Za-z0-9_.~<$}/-])/(work|workspace|home|Users|root)/[A-Za-z]' |
    complain 'a path of one machine')"

# Foundation's own (Swift 6.3.1) looks for open files in /proc/self/fd, and copies 256 bytes of each name that readdir gives: where
# some 1,360 are open, which a crowd of clients comes to, the last of them lie beyond readdir's buffer.
report "$(grep '\.swift$' <<<"$text" | tr '\n' '\0' | xargs -0r grep -nHE '(^|[^A-Za-z0-9_.])(Foundation\.)?Process\(\)' |
    complain 'starts a program by Foundation, which crashes with many files open; use Subprocess')"

# What is all companions' names none of them: not by its slug, and not by its title.
declared=$(grep -E '^Companions/[^/]+/Web/companion\.json$' <<<"$files" || true)
declares() { sed -n "s/.*\"$2\": *\"\([^\"]*\)\".*/\1/p" "$1" | head -n 1; }
for file in $declared; do
    folder=${file%/Web/*}
    for word in "$(declares "$file" slug)" "$(declares "$file" title)"; do
        [ -n "$word" ] || { report "$file: wants a slug and a title"; continue; }
        report "$(grep -E '^(Platform|Web)/' <<<"$text" | tr '\n' '\0' | xargs -0r grep -nHiwF -e "$word" |
            complain "names a companion; it declares in $folder what all need to know")"
    done
    # The hub's own declaration says the same.
    for word in slug title; do
        grep -rqE "static let $word(: String)? = \"$(declares "$file" "$word")\"" "$folder/Hub" ||
            report "$file: has another $word than the hub's part, $folder/Hub"
    done
done

# Links in Markdown to files of the repository.
while IFS= read -r document; do
    [ -n "$document" ] || continue
    while IFS= read -r link; do
        target=${link%%#*}
        [ -z "$target" ] || [ -e "$(dirname "$document")/$target" ] ||
            report "$document: links to $link, which is not there"
    done < <(grep -oE '\]\([^): ]+\)' "$document" | sed 's/^](//; s/)$//')
done < <(grep '\.md$' <<<"$files")

# Places that Markdown names: a folder that has moved leads a reader nowhere. What was measured on a day keeps its words.
report "$(grep '\.md$' <<<"$text" | grep -v '^docs/performance/' | tr '\n' '\0' |
    xargs -0r grep -nHoE '`(Platform|Apps|Benchmarks|scripts)/[A-Za-z0-9_./+-]+`' |
    while IFS= read -r found; do
        place=${found##*:}
        [ -e "${place//\`/}" ] || printf '%s\n' "$found"
    done | complain 'there is nothing of that name')"

while IFS= read -r script; do
    [ -n "$script" ] || continue
    bash -n "$script" || failed=1
done < <(grep -E '\.sh$|^\.ci/run$' <<<"$files")
exit $failed
