#!/usr/bin/env bash
# make image: dist/tandem-<version>-oci-<arch>.tar, an image for Docker and Podman with what the Debian package in dist/ holds.
#
# Its root is Debian 12's, from this machine's mirror, and of that no more than the hub's programs want: themselves, the
# libraries that they are linked with, the voices of espeak-ng, time zones and public authorities. There is no package manager
# in it, no shell but the one that announces the hub's name, and nothing that changes its user. The archive is one of OCI and
# of `docker save` at once, so that every Docker and Podman can load it. The same commit and the same packages of Debian give
# the same bytes.
#
# .build-oci/packages.json says which packages of Debian are in it, for scripts/sbom.sh.
set -euo pipefail
cd "$(dirname "$0")/.."
version=$(scripts/version.sh)
architecture=$(dpkg --print-architecture)
package=dist/tandem_${version}_$architecture.deb
[ -e "$package" ] || { echo "$package is not there: run make deb" >&2; exit 1; }
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
# Whoever binds a folder of the host to /data gives it to this user.
user=10001

work=.build-oci
root=$work/root image=$work/image layout=$work/layout
rm -rf "$work"
mkdir -p "$root" "$image"/{etc/ssl/certs,usr/bin,var/lib/dpkg/status.d} "$layout/blobs/sha256"

# Debian's packages, unpacked and not installed: nothing of theirs runs.
echo "Fetching Debian's part of the image, a minute"
depends=$(dpkg-deb -f "$package" Depends | tr , '\n' | sed 's/[(|].*//; s/ //g' | grep -vx adduser)
mirror=$(scripts/debian-mirror.sh)
security=$(grep -rhE '^(URIs:|deb ).*-security' /etc/apt/sources.list /etc/apt/sources.list.d 2>/dev/null |
    grep -oE '[a-z]+://[^ ]+-security' | head -n 1 || true)
mmdebstrap --quiet --variant=extract --skip=cleanup/apt,output/dev --format=tar \
    --include="$(tr '\n' , <<<"$depends")avahi-utils,base-files,ca-certificates,dash,espeak-ng,ffmpeg,tzdata" \
    --hook-dir=/usr/share/mmdebstrap/hooks/merged-usr bookworm - \
    "deb $mirror bookworm main" "deb $mirror bookworm-updates main" \
    "deb ${security:-http://security.debian.org/debian-security} bookworm-security main" 2>"$work/mmdebstrap.log" |
    tar -x --no-same-owner --exclude=./dev -C "$root" || { cat "$work/mmdebstrap.log" >&2; exit 1; }
# Into what `lib` leads to, which the package's own folder of that name would otherwise take the place of.
dpkg-deb --fsys-tarfile "$package" | tar -x --no-same-owner --keep-directory-symlink -C "$root"

# What is kept of it, each path as it is below the root. Some libraries lie in folders that only a package's own
# configuration names: in the image all lie in one.
libraries=$(cd "$root" && echo usr/lib/*-linux-gnu*)
programs=(avahi-publish dash espeak-ng ffmpeg tandem)
for program in "${programs[@]}"; do
    "$root/$libraries"/ld-linux-*.so.* --inhibit-cache \
        --library-path "$root/$libraries:$root/$libraries/blas:$root/$libraries/lapack:$root/$libraries/pulseaudio" \
        --list "$root/usr/bin/$program" >"$work/linked" || { echo "$program wants a library that is in no package" >&2; exit 1; }
    sed -n "s|.* => \(.*\) (0x.*|\1|p" "$work/linked"
done | LC_ALL=C sort -u | sed "s|^$root/||" >"$work/libraries"
if grep '^/' "$work/libraries"; then echo "These libraries are this machine's own, and none of the image's" >&2; exit 1; fi
(
    cd "$root"
    find ./* -maxdepth 0 -type l # lib is usr/lib
    find usr/lib* "$libraries" -maxdepth 1 -name 'ld-linux-*'
    find "${programs[@]/#/usr/bin/}" "$libraries/espeak-ng-data" usr/share/{tandem,doc/tandem,zoneinfo,ca-certificates} \
        usr/lib/os-release etc/os-release etc/debian_version ! -type d ! -path 'usr/share/zoneinfo/right/*' ! -path 'usr/share/zoneinfo/posix/*'
) | sed 's|^\./||' | LC_ALL=C sort -u >"$work/files"

# Which packages these are of, as a list, and as scanners of images without dpkg look for it.
for file in "$root"/var/cache/apt/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$file" | tar -t | sed -E "s|^\./||; s|^(bin\|lib\|lib64\|sbin)/|usr/&|; s|\$|\t$file|"
done | awk -F '\t' 'FNR == NR { kept[$1]; next } $1 in kept && !told[$2]++ { print $2 }' \
    <(cat "$work/libraries" "$work/files") - | LC_ALL=C sort >"$work/packages"
while IFS= read -r file; do
    name=$(dpkg-deb -f "$file" Package)
    dpkg-deb -f "$file" >"$image/var/lib/dpkg/status.d/$name"
    text=$root/usr/share/doc/$name/copyright
    (cd "$root" && cp --parents --dereference "usr/share/doc/$name/copyright" ../image/)
    # Where the licences stand in Debian's form for machines; in some packages they stand in words.
    if grep -q '^Format:' "$text"; then sed -n 's/^License: *\([^ ].*\)/\1/p' "$text" | sort -u; fi |
        jq -R -n --arg name "$name" --arg version "$(dpkg-deb -f "$file" Version)" \
            --arg architecture "$(dpkg-deb -f "$file" Architecture)" --arg sha256 "$(sha256sum <"$file" | cut -c 1-64)" \
            '{$name, $version, $architecture, $sha256, licences: [inputs]}'
done <"$work/packages" | jq -s . >"$work/packages.json"

tar -C "$root" -c -T "$work/files" | tar -x --no-same-owner -C "$image"
(cd "$root" && xargs cp --dereference -t "../image/$libraries" <../libraries)
ln -s dash "$image/usr/bin/sh"
cat "$root"/usr/share/ca-certificates/mozilla/*.crt >"$image/etc/ssl/certs/ca-certificates.crt"
printf '%s\n' 'passwd: files' 'group: files' 'hosts: files dns' >"$image/etc/nsswitch.conf"
printf '%s\n' 'root:x:0:0:root:/:/usr/sbin/nologin' "tandem:x:$user:$user:Tandem hub:/data:/usr/sbin/nologin" >"$image/etc/passwd"
printf '%s\n' 'root:x:0:' "tandem:x:$user:" >"$image/etc/group"
chmod -R u=rwX,go=rX "$image"

# The one layer: root's files, and two folders for what is written.
layer=$work/layer.tar
mkdir -p "$work/written"/{data,tmp}
same=(--mtime="@$SOURCE_DATE_EPOCH" --numeric-owner --sort=name --format=gnu)
tar "${same[@]}" --owner=0 --group=0 -C "$image" -cf "$layer" $(cd "$image" && LC_ALL=C ls)
tar "${same[@]}" --owner=0 --group=0 --mode=1777 -C "$work/written" -rf "$layer" tmp
tar "${same[@]}" --owner=$user --group=$user --mode=0700 -C "$work/written" -rf "$layer" data
content=sha256:$(sha256sum <"$layer" | cut -c 1-64)
gzip -n "$layer"

# A file by the hash of what is in it; answers how a manifest names it.
blob() {
    local digest size
    digest=$(sha256sum <"$1" | cut -c 1-64) size=$(stat -c %s "$1")
    mv "$1" "$layout/blobs/sha256/$digest"
    jq -n --arg mediaType "application/vnd.oci.image.$2" --arg digest "sha256:$digest" --argjson size "$size" '$ARGS.named'
}
created=$(date -u -d "@$SOURCE_DATE_EPOCH" +%FT%TZ)
revision=$(git rev-parse HEAD 2>/dev/null || true)
# Where this is built of a public clone, as GitHub's runners say it.
home=${GITHUB_REPOSITORY:+$GITHUB_SERVER_URL/$GITHUB_REPOSITORY}
jq -n --arg created "$created" --arg architecture "$architecture" --arg content "$content" --arg user "$user:$user" \
    --arg version "$version" --arg revision "$revision" --arg home "$home" '
    {$created, $architecture, os: "linux",
     config: {
        User: $user, WorkingDir: "/data", Volumes: {"/data": {}}, StopSignal: "SIGTERM",
        Entrypoint: ["tandem"], Cmd: ["serve"],
        # Outside of the host’s network a container’s own loopback is reached by nobody.
        Env: ["PATH=/usr/bin", "LANG=C.UTF-8", "HOME=/data", "TANDEM_DATA=/data", "TANDEM_HOST=0.0.0.0"],
        ExposedPorts: {"8080/tcp": {}, "1883/tcp": {}, "8443/tcp": {}, "8883/tcp": {}},
        # Not of OCI: Docker reads it, and compose.yaml says it for all.
        Healthcheck: {Test: ["CMD", "tandem", "health"], Interval: 30e9, Timeout: 10e9, StartPeriod: 60e9, Retries: 3},
        Labels: ({title: "Tandem", description: "A hub for what a household does together with its devices.", $version,
            $created, $revision, source: $home, url: $home, licenses: "Apache-2.0 AND LicenseRef-Debian"} | with_entries(select(.value != "") | .key |= "org.opencontainers.image." + .))},
     rootfs: {type: "layers", diff_ids: [$content]},
     history: [{$created, created_by: "scripts/oci.sh"}]}' >"$work/config.json"
config=$(blob "$work/config.json" config.v1+json)
data=$(blob "$layer.gz" layer.v1.tar+gzip)
jq -n --argjson config "$config" --argjson data "$data" \
    '{schemaVersion: 2, mediaType: "application/vnd.oci.image.manifest.v1+json", $config, layers: [$data]}' >"$work/image.json"
manifest=$(blob "$work/image.json" manifest.v1+json)
jq -n --argjson manifest "$manifest" --arg architecture "$architecture" --arg version "$version" '
    {schemaVersion: 2, mediaType: "application/vnd.oci.image.index.v1+json",
     manifests: [$manifest + {platform: {$architecture, os: "linux"}, annotations: {
        "org.opencontainers.image.ref.name": $version, "io.containerd.image.name": "docker.io/library/tandem:\($version)"}}]}' \
    >"$layout/index.json"
jq -n -c '{imageLayoutVersion: "1.0.0"}' >"$layout/oci-layout"
# What Docker before 25 looks for.
jq -n --argjson config "$config" --argjson data "$data" --arg version "$version" '
    def path: "blobs/" + sub(":"; "/");
    [{Config: $config.digest | path, RepoTags: ["tandem:\($version)"], Layers: [$data.digest | path]}]' >"$layout/manifest.json"

archive=dist/tandem-$version-oci-$architecture.tar
tar "${same[@]}" --owner=0 --group=0 --mode=u=rwX,go=rX -C "$layout" -cf "$archive" oci-layout index.json manifest.json blobs
echo "The image is ready: $archive, $(($(stat -c %s "$archive") / 1000000)) MB, $(du -sm --apparent-size "$image" | cut -f 1) MB unpacked"
echo "  Load it: docker load --input $archive"
