#!/usr/bin/env bash
# Compares every import in the Swift sources with modules.json, of which ARCHITECTURE.md has its table.
#
#   scripts/lint-imports.sh [--describe FILE] [DIR]
#
# DIR is the package (default: this checkout). FILE is what `swift package describe --type json` printed, for callers
# that have it already. Prints one line an offence, "path:line: Module may not import Other", and exits 1 if any.
set -euo pipefail

describe=
while [ $# -gt 0 ]; do
    case $1 in
        --describe) describe=$2; shift 2 ;;
        -h | --help) sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 0 ;;
        *) break ;;
    esac
done
root=$(cd "${1:-$(dirname "$0")/..}" && pwd)
cd "$root"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ -z "$describe" ]; then
    describe=$work/describe.json
    swift package describe --type json >"$describe"
fi

# What each module may import, and what a word stands for, as "left<TAB>word word ...".
jq -r '.modules[] | [.name, (.imports | join(" "))] | @tsv' modules.json >"$work/rules"
jq -r '.words | to_entries[] | [.key, (.value | join(" "))] | @tsv' modules.json >"$work/words"

jq -r '.targets[] | .name as $name | .path as $path | .type as $type
    | .sources[]? | select(endswith(".swift")) | [$name, $type, "\($path)/\(.)"] | @tsv' "$describe" >"$work/files"
[ -s "$work/files" ] || { echo "no Swift source found in $root"; exit 1; }
ls -d Companions/*/ 2>/dev/null | sed 's|^Companions/||; s|/$||' >"$work/companions" || true
# A copy of one module (the lint's own test) has no sibling folders: the names of its targets tell the companions too.
jq -r '.targets[].path | capture("^Companions/(?<name>[^/]+)/").name' "$describe" 2>/dev/null >>"$work/companions" || true
cut -f1 "$work/files" | sort -u >"$work/modules"

# Every import of every file as "module<TAB>path<TAB>line<TAB>imported", reading past comments and string literals.
while IFS=$'\t' read -r module type path; do
    printf '%s\t%s\n' "$module" "$path"
done <"$work/files" | awk -F'\t' '
    function scan(module, path,    line, number, comment, literal, rest, part, count, i, parts, name) {
        comment = 0
        literal = 0
        number = 0
        while ((getline line < path) > 0) {
            number++
            if (literal) { if (line ~ /"""/) literal = 0; continue }
            if (comment) {
                if (line !~ /\*\//) continue
                sub(/^.*\*\//, "", line)
                comment = 0
            }
            gsub(/\/\*([^*]|\*+[^*\/])*\*+\//, " ", line)
            if (line ~ /^[^"]*\/\//) sub(/\/\/.*$/, "", line)
            if (line ~ /^[^"]*\/\*/) { comment = 1; sub(/\/\*.*$/, "", line) }
            if (line ~ /"""[^"]*$/ && line !~ /""".*"""/) { literal = 1; sub(/""".*$/, "", line) }
            if (line !~ /import/) continue
            gsub(/"([^"\\]|\\.)*"/, "", line)
            count = split(line, parts, ";")
            for (i = 1; i <= count; i++) {
                part = parts[i]
                while (match(part, /^[ \t]*@[A-Za-z_]+(\([^)]*\))?/)) part = substr(part, RSTART + RLENGTH)
                sub(/^[ \t]*(public|package|internal|fileprivate|private)[ \t]+/, "", part)
                if (part !~ /^[ \t]*import[ \t]+[A-Za-z_]/) continue
                sub(/^[ \t]*import[ \t]+/, "", part)
                sub(/^(struct|class|enum|protocol|typealias|func|var|let)[ \t]+/, "", part)
                match(part, /^[A-Za-z_][A-Za-z0-9_]*/)
                name = substr(part, 1, RLENGTH)
                print module "\t" path "\t" number "\t" name
            }
        }
        if (number == 0 && (getline line < path) < 0) print "?\t" path "\t0\t?"
        close(path)
    }
    { scan($1, $2) }' >"$work/imports"

# The table itself: X is a companion; a word that names several modules is opened, also inside another word.
awk -F'\t' -v work="$work" '
    function open_word(word, target, deep,    parts, n, i) {
        allowed[target, word] = 1
        if (!(word in words) || deep > 4) return
        n = split(words[word], parts, " ")
        for (i = 1; i <= n; i++) if (parts[i] != word) open_word(parts[i], target, deep + 1)
    }
    function rule_of(target,    c, role) {
        if (target in rules) { own = ""; return target }
        for (c in companions)
            if (index(target, c) == 1) {
                role = substr(target, length(c) + 1)
                if (("X" role) in rules) { own = c; return "X" role }
            }
        own = ""
        return target ~ /Tests$/ ? "PlatformTests" : ""
    }
    function prepare(target,    rule, parts, n, i, c) {
        rule = rule_of(target)
        if (rule == "" || !(rule in rules)) {
            print "modules.json: the module " target " has no row"
            failed = 1
            return
        }
        known[target] = 1
        n = split(rules[rule], parts, " ")
        for (i = 1; i <= n; i++)
            if (parts[i] ~ /^X(Engine|Device|VirtualBoard|Browser|VectorLines|Hub|Texts)$/) {
                if (own != "") open_word(own substr(parts[i], 2), target, 0)
                else for (c in companions) open_word(c substr(parts[i], 2), target, 0)
            } else open_word(parts[i], target, 0)
    }
    BEGIN {
        while ((getline < (work "/rules")) > 0) rules[$1] = $2
        while ((getline < (work "/words")) > 0) words[$1] = $2
        while ((getline < (work "/companions")) > 0) companions[$1] = 1
        while ((getline < (work "/modules")) > 0) prepare($1)
    }
    $1 == "?" { print $2 ": cannot be read"; failed = 1; next }
    {
        if (!known[$1] || $4 == "Swift" || (($1, $4) in allowed)) next
        print $2 ":" $3 ": " $1 " may not import " $4
        failed = 1
    }
    END { exit failed }' "$work/imports"
