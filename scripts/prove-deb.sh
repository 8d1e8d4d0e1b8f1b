#!/usr/bin/env bash
# make prove-deb: the Debian package in a bare Debian 12 without Swift. Installed by apt, its service's command run as
# its user, a household, a device and a reading made; upgraded, removed, installed again, purged; and after each the
# household's data is looked for. Ends at the first thing that is not so.
#
#   sudo scripts/prove-deb.sh [FOLDER]     (default /var/tmp/tandem-deb; its bare Debian is kept for the next time)
#
# Needs what scripts/deb.sh has built, root, debootstrap, curl, openssl and the right to mount.
set -euo pipefail
checkout=$(cd "$(dirname "$0")/.." && pwd)
folder=${1:-/var/tmp/tandem-deb}
port=18080
https=18443

if [ "${INSIDE_OWN_MOUNTS:-}" != yes ]; then
    [ "$(id -u)" = 0 ] || { echo "Run this as root: it makes a file system and changes into it." >&2; exit 1; }
    for program in debootstrap curl jq openssl; do
        command -v $program >/dev/null || { echo "Install it first: apt-get install $program" >&2; exit 1; }
    done
    # Mounts of its own, which end with it.
    exec env INSIDE_OWN_MOUNTS=yes unshare --mount --propagation private "$0" "$@"
fi
cd "$checkout"
. scripts/prove-steps.sh

package=$(find dist -name "tandem_*_$(dpkg --print-architecture).deb" | sort -V | tail -n 1)
[ -n "$package" ] || fail "no package in dist: run make deb"
version=$(dpkg-deb -f "$package" Version)

bare=$folder/bare
root=$folder/root
if [ ! -e "$bare/.complete" ]; then
    step "A bare Debian 12 in $bare, a minute or some"
    mkdir -p "$bare"
    debootstrap --variant=minbase --include=ca-certificates bookworm "$bare" "$(scripts/debian-mirror.sh)" >"$folder/debootstrap.log"
    touch "$bare/.complete"
fi
rm -rf "$root"
cp -a --reflink=auto "$bare" "$root"
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
cp -L /etc/resolv.conf "$root/etc/resolv.conf"
cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
# Debian's own way to say that a place starts no services, as in every chroot.
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
chmod +x "$root/usr/sbin/policy-rc.d"
place=(chroot "$root" /usr/bin/env -i HOME=/root LANG=C.UTF-8 TERM=dumb DEBIAN_FRONTEND=noninteractive
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
    ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"})
inside() { "${place[@]}" "$@"; }
# Takes the user's place without a process in between, so that a signal reaches the hub.
user=(setpriv --reuid=tandem --regid=tandem --init-groups)
as_hub() { inside "${user[@]}" "$@"; }
data=$root/var/lib/tandem

# The service's own command, as its user: there is no systemd in a chroot.
hub=
start() {
    log=$folder/hub-$1.log
    local command
    command=$(sed -n 's/^ExecStart=//p' "$root/lib/systemd/system/tandem.service")
    "${place[@]}" "${user[@]}" sh -c "umask 0077; cd /var/lib/tandem; exec $command" >"$log" 2>&1 &
    hub=$!
    trap 'kill -TERM $hub 2>/dev/null || true' EXIT
    local tries=0
    until curl -fs -o /dev/null "http://127.0.0.1:$port/healthz"; do
        kill -0 $hub 2>/dev/null || fail "the hub ended"
        [ $((tries += 1)) -lt 150 ] || fail "the hub did not answer"
        sleep 0.1
    done
}
stop() {
    local code=0
    kill -TERM "$hub"
    wait "$hub" || code=$?
    trap - EXIT
    is "$code" 0
}
# Everything that the household must find again.
household() {
    sign_in
    api GET /api/devices | jq -r '.. | objects | select(.id? == "'"$device"'") | .name' | head -n 1
    # What is computed from the readings may differ with the version; the readings may not.
    as_hub tandem export readings --data /var/lib/tandem --device "$device" --format json |
        jq -c '[.[] | select(.at <= '"$until"')] | sort_by(.series, .at)'
    as_hub tandem authority --data /var/lib/tandem --fingerprint
}

step "Swift is not here; apt installs $package"
holds 'no Swift inside' test -z "$(inside sh -c 'command -v swift || true')"
cp "$package" "$root/tmp/"
quietly inside apt-get update -q
quietly inside apt-get install -q -y --no-install-recommends "/tmp/$(basename "$package")"
grep -A 2 '^Tandem' "$output" | sed 's/^/  | /'
echo "  $(inside dpkg-query -W -f '${Package} ${Version}: ${Status}' tandem)"
inside ldd /usr/bin/tandem | awk '{ print $1 }' | sort | tr '\n' ' ' | sed 's/^/  linked with /'; echo
holds 'every library is there' test -z "$(inside ldd /usr/bin/tandem | grep 'not found' || true)"
holds "it says its version and commit, $version" grep -qxE "${version//./\\.} \(commit [0-9a-f]{12}(-dirty)?\)" <(inside tandem --version)
holds 'the data folder is 0700 and of its own user' is "$(inside stat -c '%a %U %G' /var/lib/tandem)" '700 tandem tandem'
holds 'its user has no shell' is "$(inside getent passwd tandem | cut -d : -f 7)" /usr/sbin/nologin
holds 'the unit is enabled for the next start' test -L "$root/etc/systemd/system/multi-user.target.wants/tandem.service"

step 'Settings changed; the hub runs as its user'
cat >"$root/etc/tandem/tandem.json" <<END
{"tandem": {"lan": true, "name": "linden", "port": $port, "https": {"port": $https},
            "mqtt": {"port": 11883}, "mqtts": {"port": 18883}}}
END
start first
code=$(sed -n 's/^First account:.*code: *//p' "$log")
holds 'it prints the code of the first account' test -n "$code"
holds 'the screens are found' grep -q '<html' <(curl -s "http://127.0.0.1:$port/")
look package-new
quietly as_hub tandem authority --data /var/lib/tandem
sed -n '/^-----BEGIN/,/^-----END/p' "$output" >"$folder/authority.pem"
holds 'HTTPS by its name, trusted by the authority that it prints' curl -fs -o /dev/null --cacert "$folder/authority.pem" \
    --resolve "linden.local:$https:127.0.0.1" "https://linden.local:$https/healthz"
holds 'the chain holds for openssl too' grep -q 'Verify return code: 0' \
    <(openssl s_client -connect "127.0.0.1:$https" -servername linden.local -verify_hostname linden.local \
        -CAfile "$folder/authority.pem" </dev/null 2>&1)
make_household
as_hub timeout --preserve-status 10 tandem simulate plant --hub mqtt://127.0.0.1:11883 --device "$device" --token "$device_token" \
    --interval-seconds 1 >"$folder/simulate.log" 2>&1 &
simulator=$!
tries=0
until [ "$(as_hub tandem export readings --data /var/lib/tandem --device "$device" --format json | jq length)" -ge 5 ]; do
    [ $((tries += 1)) -lt 40 ] || { cat "$folder/simulate.log" >&2; fail 'no reading came'; }
    sleep 0.3
done
look package-used
wait $simulator || true
until=$(($(date +%s) * 1000))
household >"$folder/household.before"
sed 's/^/  | /' "$folder/household.before" | cut -c 1-110
holds 'nobody else can read what is stored, nor the keys' \
    test -z "$(find "$data" \( -name '*.key' -o -name '*.sqlite*' \) -perm /077)"
holds 'stopped by SIGTERM' stop

step 'Upgraded to a higher version'
next="$version+next"
# The same content under a higher number, packed without the minute of compression.
rm -rf "$folder/next"
dpkg-deb --raw-extract "$package" "$folder/next"
sed -i "s/^Version: .*/Version: $next/" "$folder/next/DEBIAN/control"
dpkg-deb --root-owner-group -Znone --build "$folder/next" "$root/tmp/next.deb" >/dev/null
rm -rf "$folder/next"
quietly inside apt-get install -q -y --no-install-recommends /tmp/next.deb
holds "$next is installed" is "$(inside dpkg-query -W -f '${Version} ${Status}' tandem)" "$next install ok installed"
holds 'the changed settings are kept' grep -q '"name": "linden"' "$root/etc/tandem/tandem.json"
start upgraded
household >"$folder/household.after"
holds 'the same account, device, readings and authority' diff "$folder/household.before" "$folder/household.after"
holds 'stopped by SIGTERM' stop

step 'Removed'
quietly inside apt-get remove -q -y tandem
holds 'the program is gone' test ! -e "$root/usr/bin/tandem" -a ! -e "$root/usr/share/tandem"
holds 'data and settings are kept' test -s "$data/tandem.sqlite" -a -s "$root/etc/tandem/tandem.json"

step 'Installed again'
quietly inside apt-get install -q -y --no-install-recommends /tmp/next.deb
start again
household >"$folder/household.after"
holds 'the same account, device, readings and authority' diff "$folder/household.before" "$folder/household.after"
holds 'stopped by SIGTERM' stop

step 'Purged'
quietly inside apt-get purge -q -y tandem
grep -A 1 'is kept in' "$output" | sed 's/^/  | /'
holds 'settings are gone' test ! -e "$root/etc/tandem"
holds 'nothing of the service is left' test -z "$(find "$root/etc/systemd" "$root/var/lib/systemd" -name '*tandem*')"
holds 'the data is kept, and it said where' test -s "$data/tandem.sqlite" -a -n "$(grep 'is kept in /var/lib/tandem' "$output")"
if command -v lintian >/dev/null; then
    step 'lintian'
    holds 'no error' lintian --fail-on error --allow-root "$package"
fi
step 'Proven'
