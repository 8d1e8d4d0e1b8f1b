#!/usr/bin/env bash
# Runs a command in a copy of this tree, and throws away what it writes.
#
#   in-copy.sh COMMAND...
#
# Where the system allows (Linux, an overlay in a mount namespace of its own) the copy lies, for that command alone, at this
# tree's own path: what was built before is found up to date, and a build takes a minute. Elsewhere it is a copy with a build
# of its own, below .build-copy, which the first time takes as long as any first build.
set -euo pipefail
tree=$(cd "$(dirname "$0")/.." && pwd -P)
work=$(mktemp -d)
# An overlay leaves a folder that nobody may enter.
empty() { chmod -R u+rwX "$work" && rm -rf "${work:?}"/*; }
trap 'empty; rmdir "$work"' EXIT

# What is mounted below the tree, such as a cache at .build, is not in an overlay of the tree.
overlay='
    set -e
    mount_copy() {
        mkdir -p "$work/$2/up" "$work/$2/wk"
        mount -t overlay overlay -o "lowerdir=$1,upperdir=$work/$2/up,workdir=$work/$2/wk$options" "$1" 2>/dev/null
    }
    build=$tree/.build
    mounted=$(mountpoint -q "$build" && echo yes || true)
    if [ "$mounted" ]; then mkdir "$work/build"; mount --rbind "$build" "$work/build"; fi
    mount_copy "$tree" tree || { mount -t tmpfs tmpfs "$work" && mount_copy "$tree" tree; }
    if [ "$mounted" ]; then
        mkdir -p "$work/b/up" "$work/b/wk"
        mount -t overlay overlay -o "lowerdir=$work/build,upperdir=$work/b/up,workdir=$work/b/wk$options" "$build"
    fi
    cd "$tree"
    exec "$@"'
export tree work
for way in "--mount --propagation private|" "--mount --user --map-root-user --propagation private|,userxattr"; do
    export options=${way#*|}
    # shellcheck disable=SC2086
    if unshare ${way%|*} bash -c "$overlay" in-copy true 2>/dev/null; then
        empty
        # shellcheck disable=SC2086
        unshare ${way%|*} bash -c "$overlay" in-copy "$@"
        exit 0
    fi
    empty
done
echo 'No copy can be mounted here: one is built, which takes as long as a first build.' >&2
mkdir -p "$tree/.build-copy"
(cd "$tree" && { git ls-files -z --cached --others --exclude-standard 2>/dev/null || find . -type f -not -path './.build*' -print0; }) |
    (cd "$tree" && xargs -0 -I{} sh -c '[ -e "$1" ] && printf "%s\0" "$1"' _ {} | tar --null -T - -cf - ) | tar -xf - -C "$work"
ln -s "$tree/.build-copy" "$work/.build"
cd "$work"
"$@"
