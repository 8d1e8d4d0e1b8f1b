#!/usr/bin/env bash
# make deb: dist/tandem_<version>_<arch>.deb, which needs no Swift where it is installed.
#
# The executable is the release build's, stripped, and told its commit. What it wants of the machine is asked of
# dpkg-shlibdeps. The version is HubVersion's.
set -euo pipefail
cd "$(dirname "$0")/.."
version=$(scripts/version.sh)
architecture=$(dpkg --print-architecture)
# Whoever gives the package to others says with Debian's own two variables who answers for it.
maintainer="${DEBFULLNAME:-The authors of Tandem} <${DEBEMAIL:-tandem@example.org}>"
# Times in the package are the last commit's: the same commit gives the same package.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH
source=packaging/debian
executable=.build/release/tandem

scripts/web.sh
scripts/build.sh release
if ldd "$executable" | grep -q libswiftCore; then
    echo "This Swift toolchain cannot link its runtime into the executable; install Swift 6.3 from swift.org" >&2
    exit 1
fi

tree=dist/tree
rm -rf "$tree"
share=$tree/usr/share
documents=$share/doc/tandem
mkdir -p "$tree/DEBIAN" "$tree/usr/bin" "$tree/lib/systemd/system" "$tree/etc/tandem" "$share/tandem" "$documents" \
    "$share/man/man1" "$share/lintian/overrides"
fill() {
    sed -e "s|@VERSION@|$version|; s|@ARCHITECTURE@|$architecture|; s|@MAINTAINER@|$maintainer|" \
        -e "s|@YEAR@|$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y)|; s|@DATE@|$(date -u -d "@$SOURCE_DATE_EPOCH" +%F)|" \
        -e "s|@DEPENDS@|${depends:-}|; s|@INSTALLED_SIZE@|${installed:-}|" "$1"
}

# The executable's own section for it, 64 bytes that end in a zero.
scripts/version.sh commit | head -c 63 | tr -d '\n' >dist/commit
truncate -s 64 dist/commit
objcopy --strip-unneeded --update-section tandem_commit=dist/commit "$executable" "$tree/usr/bin/tandem"
rm dist/commit
cp -R web-build "$share/tandem/web"
cp "$source/tandem.service" "$tree/lib/systemd/system/"
cp "$source/tandem.json" "$tree/etc/tandem/"
cp "$source/README.Debian" "$documents/"
cp "$source/lintian-overrides" "$share/lintian/overrides/tandem"
fill "$source/copyright.in" >"$documents/copyright"
fill "$source/tandem.1.in" | gzip -9n >"$share/man/man1/tandem.1.gz"
{
    printf 'tandem (%s) unstable; urgency=medium\n\n' "$version"
    # The newest section of the changelog, a line an entry, and then lines of what Debian's readers show.
    awk '/^## / { section++; next } section != 1 { next }
        /^- / { if (entry) print entry; entry = substr($0, 3); next }
        /^  / && entry { entry = entry " " substr($0, 3) }
        END { if (entry) print entry }' CHANGELOG.md |
        while IFS= read -r entry; do fold -s -w 74 <<<"$entry" | sed 's/ *$//; 1s/^/  * /; 2,$s/^/    /'; done
    printf '\n -- %s  %s\n' "$maintainer" "$(date -u -R -d "@$SOURCE_DATE_EPOCH")"
} | gzip -9n >"$documents/changelog.gz"

# The licences and notices of what is linked in.
runtime=$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")/share/swift/LICENSE.txt
{
    echo "What the executable of Tandem is linked with, and under which licence."
    for folder in .build/checkouts/*/; do
        for file in "$folder"LICENSE* "$folder"NOTICE*; do
            [ -f "$file" ] && printf '\n==== %s: %s\n\n' "$(basename "$folder")" "$(basename "$file")" && cat "$file"
        done
    done
    if [ -f "$runtime" ]; then
        printf '\n==== The Swift runtime and standard library, and Foundation\n\n'
        cat "$runtime"
    fi
} | gzip -9n >"$documents/third-party-notices.gz"

# dpkg-shlibdeps wants a source package's control file beside it.
mkdir -p dist/shlibs/debian
printf 'Source: tandem\n\nPackage: tandem\nArchitecture: any\n' >dist/shlibs/debian/control
depends=$(cd dist/shlibs && dpkg-shlibdeps -O -e "../tree/usr/bin/tandem" 2>log | sed -n 's/^shlibs:Depends=//p')
[ -n "$depends" ] || { cat dist/shlibs/log >&2; echo "dpkg-shlibdeps found nothing to depend on" >&2; exit 1; }
# In KiB, as dpkg counts.
installed=$(du -k -s --apparent-size "$tree" | cut -f 1)
fill "$source/control.in" >"$tree/DEBIAN/control"
cp "$source/conffiles" "$source/postinst" "$source/prerm" "$source/postrm" "$tree/DEBIAN/"
find "$tree" -type d -exec chmod 0755 {} +
find "$tree" -type f -exec chmod 0644 {} +
chmod 0755 "$tree/usr/bin/tandem" "$tree"/DEBIAN/{postinst,prerm,postrm}
(cd "$tree" && find . -type f -not -path './DEBIAN/*' -printf '%P\0' | LC_ALL=C sort -z | xargs -0 md5sum >DEBIAN/md5sums)

mkdir -p dist
package=dist/tandem_${version}_$architecture.deb
dpkg-deb --root-owner-group --build "$tree" "$package" >/dev/null
rm -rf "$tree" dist/shlibs
echo "The package is ready: $package, $(($(stat -c %s "$package") / 1000000)) MB, $((installed / 977)) MB installed"
echo "  Depends: $depends"
echo "  Install it: sudo apt install ./$package"
