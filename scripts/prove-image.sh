#!/usr/bin/env bash
# make prove-image: the image in dist/ as a newcomer meets it: loaded from its file, started with compose.yaml, a household and
# readings made, stopped, upgraded from the version before with its data, then moved to the local network for phones. Ends at
# the first thing that is not so.
#
#   sudo scripts/prove-image.sh [FOLDER]     (default /var/tmp/tandem-image)
#
# BEFORE=FILE names the archive of an earlier version; without, the same content under a lower number is it. The machine is
# one of its own, with its own network, mounts and name. Needs what scripts/oci.sh has made, root, and podman; podman-compose is
# .venv-release's, since Debian 12's own knows no `network_mode: host`.
set -euo pipefail
checkout=$(cd "$(dirname "$0")/.." && pwd)
folder=${1:-/var/tmp/tandem-image}
if [ "${INSIDE_OWN_MACHINE:-}" != yes ]; then
    [ "$(id -u)" = 0 ] || { echo "Run this as root: it makes a network and mounts." >&2; exit 1; }
    exec env INSIDE_OWN_MACHINE=yes unshare --mount --net --uts --propagation private "$0" "$@"
fi
cd "$checkout"
log=
# shellcheck source=scripts/prove-steps.sh
. scripts/prove-steps.sh

version=$(scripts/version.sh)
archive=dist/tandem-$version-oci-$(dpkg --print-architecture).tar
[ -e "$archive" ] || fail "$archive is not there: run make image"
before=0.0.1
port=8080

# A machine of its own, in whose network is one other.
rm -rf "$folder"
mkdir -p "$folder"/{networks,layout,bundle} /var/lib/cni
mount -t tmpfs tmpfs /run
mount -t tmpfs tmpfs /var/lib/cni
mkdir -p /run/dbus /run/avahi-daemon
hostname linden
ip link set lo up
ip link add lan type veth peer name elsewhere
ip address add 192.168.77.2/24 dev lan
ip link set lan up
ip link set elsewhere up
# Podman as it is, but for where it stores; and it may not lift limits that this machine has.
files=$(ulimit -Hn) processes=$(ulimit -Hu)
[ "$files" != unlimited ] || files=1048576
[ "$processes" != unlimited ] && [ "$processes" -le 32768 ] || processes=32768
cat >"$folder/containers.conf" <<END
[containers]
default_ulimits = ["nofile=$files:$files", "nproc=$processes:$processes"]
log_driver = "k8s-file"
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
[network]
network_config_dir = "$folder/networks"
END
printf '[storage]\ndriver = "vfs"\ngraphroot = "%s"\nrunroot = "/run/storage"\n' "$folder/storage" >"$folder/storage.conf"
export CONTAINERS_CONF=$folder/containers.conf CONTAINERS_STORAGE_CONF=$folder/storage.conf

compose() { quietly .venv-release/bin/podman-compose --project-name tandem --file "$folder/$1.yaml" "${@:2}"; }
container=tandem_tandem_1
as_hub() { podman exec "$container" "$@"; }
up() {
    compose "$1" up --detach
    log=$folder/$1.log
    local tries=0
    until as_hub tandem health >/dev/null 2>&1; do
        [ $((tries += 1)) -lt 100 ] || { podman logs "$container" >"$log" 2>&1 || true; fail 'the hub did not answer'; }
        sleep 0.2
    done
    podman logs "$container" >"$log" 2>&1
}
down() {
    quietly podman stop "$container"
    holds 'stopped by SIGTERM, in time' is "$(podman inspect --format '{{.State.ExitCode}}' "$container")" 0
    compose "$1" down
}
household() {
    sign_in
    api GET /api/devices | jq -r '.. | objects | select(.id? == "'"$device"'") | .name' | head -n 1
    as_hub tandem export readings --device "$device" --format json | jq -c '[.[] | {series, at, value}] | sort_by(.at)'
}

step "What is in $archive"
tar -xf "$archive" -C "$folder/layout"
quietly umoci unpack --image "$folder/layout:$version" "$folder/bundle"
root=$folder/bundle/rootfs
holds 'umoci can read it, and every hash is right' test -x "$root/usr/bin/tandem"
holds 'no file changes its user' test -z "$(find "$root" -perm /6000)"
holds 'nobody but root can write, but in /data and /tmp' is "$(find "$root" -perm /022 ! -type l -printf '%P ')" 'tmp '
holds '/data is of a user of its own, and for them alone' is "$(stat -c '%a %u %g' "$root/data")" '700 10001 10001'
holds 'no authority but Debian’s' is "$(grep -c BEGIN "$root/etc/ssl/certs/ca-certificates.crt")" \
    "$(find "$root/usr/share/ca-certificates" -name '*.crt' | wc -l)"
echo "  $(du -sm --apparent-size "$root" | cut -f 1) MB, of $(ls "$root/var/lib/dpkg/status.d" | wc -l) packages of Debian"
rm -rf "$folder/bundle" "$folder/layout"

step 'Loaded, as `docker load` and `podman load` do'
quietly podman load --input "$archive"
holds "its name is tandem:$version" podman image exists "tandem:$version"
if [ -n "${BEFORE:-}" ]; then
    quietly podman load --input "$BEFORE"
    before=$(sed -n 's/^Loaded image.*://p' "$output")
else
    podman tag "tandem:$version" "tandem:$before"
fi
cp packaging/oci/compose.yaml "$folder/now.yaml"
sed "s/tandem:$version\$/tandem:$before/" packaging/oci/compose.yaml >"$folder/before.yaml"

step "Started with compose.yaml: version $before"
up before
code=$(sed -n 's/^First account:.*code: *//p' "$log")
holds 'it says where it is, and prints the code of the first account' grep -q "^Tandem is at http://localhost:$port," "$log"
holds 'the screens are found' grep -q '<html' <(curl -s "http://localhost:$port/")
look image-new
status() { as_hub sh -c 'while read -r line; do echo "$line"; done </proc/1/status' | awk -v "key=$1:" '$1 == key { print $2 }'; }
holds 'it is its own user' is "$(status Uid)" 10001
holds 'it has no rights' is "$(status CapEff) $(status CapBnd) $(status NoNewPrivs)" "0000000000000000 0000000000000000 1"
holds 'its root can only be read' is "$(as_hub sh -c ': >/usr/new' 2>&1 | grep -o 'Read-only file system')" 'Read-only file system'
holds 'the health check of compose.yaml is content' podman healthcheck run "$container"
holds 'and would not be, were no hub there' is "$(as_hub tandem health --port 1 >/dev/null 2>&1 || echo $?)" 1
holds 'espeak-ng speaks, and ffmpeg reads it' as_hub sh -c \
    'espeak-ng --stdout hello >/tmp/a.wav && ffmpeg -loglevel error -i /tmp/a.wav -c:a libopus -f webm /tmp/a.webm &&
        ffmpeg -loglevel error -i /tmp/a.webm -f s16le /tmp/a.pcm && test -s /tmp/a.pcm'
make_household
for value in 41 42 43; do
    quietly curl -s --fail --max-time 10 --user "$device:$device_token" "mqtt://127.0.0.1:1883/tandem/$device/moisture" -d $value
done
tries=0
until [ "$(as_hub tandem export readings --device "$device" --format json | jq length)" -ge 3 ]; do
    [ $((tries += 1)) -lt 40 ] || fail 'no reading came'
    sleep 0.3
done
household >"$folder/household.before"
sed 's/^/  | /' "$folder/household.before" | cut -c 1-110
down before

step "Upgraded: version $version in compose.yaml"
up now
holds "it says its version and commit, $version" \
    grep -qxE "${version//./\\.} \(commit [0-9a-f]{12}(-dirty)?\)" <(as_hub tandem --version)
household >"$folder/household.after"
holds 'the same account, device and readings' diff "$folder/household.before" "$folder/household.after"
look image-upgraded
down now

step 'For phones: in the network of this machine, with its Avahi'
sed -E -e '/# FOR THIS MACHINE ALONE/,/# FOR PHONES/{//!d}' \
    -e '/# FOR PHONES/,/# END/s/^    # (network_mode|environment|  )/    \1/' -e 's|^      # (- /run/dbus)|      \1|' \
    packaging/oci/compose.yaml >"$folder/lan.yaml"
# As the page about the image says: D-Bus lets nobody in whom this machine has no name for.
cp /etc/passwd "$folder/passwd"
mount --bind "$folder/passwd" /etc/passwd
echo 'tandem-container:x:10001:10001::/nonexistent:/usr/sbin/nologin' >>/etc/passwd
dbus-daemon --system --nofork --nopidfile &
bus=$!
tries=0
until [ -S /run/dbus/system_bus_socket ]; do [ $((tries += 1)) -lt 50 ] || fail 'no D-Bus'; sleep 0.1; done
avahi-daemon --no-drop-root --no-chroot >"$folder/avahi.log" 2>&1 &
avahi=$!
trap 'kill $avahi $bus 2>/dev/null || true; podman kill --all >/dev/null 2>&1 || true' EXIT
up lan
tries=0
until grep -q '^On phones:' "$log"; do
    [ $((tries += 1)) -lt 100 ] || fail 'it says no address for phones'
    sleep 0.2
    podman logs "$container" >"$log" 2>&1
done
holds 'it is announced, and its address has the name' grep -qx 'On phones: https://linden.local:8443' "$log"
holds 'the name leads here' is "$(avahi-resolve -4 -n linden.local | cut -f 2)" 192.168.77.2
as_hub tandem authority | sed -n '/^-----BEGIN/,/^-----END/p' >"$folder/authority.pem"
holds 'HTTPS by its name, trusted by the authority that it prints' curl -fs -o /dev/null --cacert "$folder/authority.pem" \
    --resolve linden.local:8443:192.168.77.2 https://linden.local:8443/healthz
holds 'the plain ports are this machine’s alone' test -z "$(curl -s --max-time 2 "http://192.168.77.2:$port/healthz")"
household >"$folder/household.after"
holds 'the same account, device and readings' diff "$folder/household.before" "$folder/household.after"
look compose-for-phones
down lan
rm -rf "$folder/storage"
step 'Proven'
