#!/usr/bin/env bash
# Proves the two commands of README.md on a bare Debian 12: a fresh debootstrap with git, make and this machine's Swift
# toolchain, a clone of what is committed, `make run` until it answers and stops cleanly, then `make test`.
#
#   sudo scripts/prove-clean.sh [FOLDER]     (default /var/tmp/tandem-clean; reused and kept)
#
# ONLY=run or ONLY=test does one of them. BIND="/a /b" shows further folders inside, and GIT_CONFIG_GLOBAL a git
# configuration, for machines that reach their packages by a mirror. Needs root, debootstrap and the right to mount.
set -euo pipefail
checkout=$(cd "$(dirname "$0")/.." && pwd)
folder=${1:-/var/tmp/tandem-clean}
port=${PORT:-18080}
mqtt_port=${MQTT_PORT:-11883}

if [ "${INSIDE_OWN_MOUNTS:-}" != yes ]; then
    [ "$(id -u)" = 0 ] || { echo "Run this as root: it makes a file system and changes into it." >&2; exit 1; }
    command -v debootstrap >/dev/null || { echo "Install debootstrap first: apt-get install debootstrap" >&2; exit 1; }
    # Mounts of its own, which end with it.
    exec env INSIDE_OWN_MOUNTS=yes unshare --mount --propagation private "$0" "$@"
fi
step() { printf '\n#### %s (%d s in)\n' "$*" $SECONDS; }

root=$folder/root
if [ ! -e "$root/.complete" ]; then
    step "A bare Debian 12 in $root, some minutes"
    mkdir -p "$root"
    debootstrap --variant=minbase --include=git,make,ca-certificates bookworm "$root" "$("$checkout/scripts/debian-mirror.sh")" >"$folder/debootstrap.log"
    touch "$root/.complete"
fi

toolchain=$(cd "$(dirname "$(readlink -f "$(command -v swift)")")/../.." && pwd)
show() {
    mkdir -p "$root$1"
    mount --bind "$1" "$root$1"
    mount -o remount,ro,bind "$root$1"
}
show "$toolchain"
for extra in ${BIND:-}; do show "$extra"; done
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
cp -L /etc/resolv.conf "$root/etc/resolv.conf"
# A network may have certificates of its own.
cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
[ -z "${GIT_CONFIG_GLOBAL:-}" ] || cp "$GIT_CONFIG_GLOBAL" "$root/root/.gitconfig"

step 'A clone of what is committed'
rm -rf "$root/srv/tandem"
git clone --quiet --no-hardlinks "$checkout" "$root/srv/tandem"

inside() {
    chroot "$root" /usr/bin/env -i HOME=/root LANG=C.UTF-8 TERM="${TERM:-dumb}" \
        PIP_CERT=/etc/ssl/certs/ca-certificates.crt \
        PATH="/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:$toolchain/usr/bin" \
        ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
        /bin/sh -c "cd /srv/tandem && $1"
}
answers() { (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; }

run_once() {
    step "make run, $1"
    local began=$SECONDS code=0
    # Job control gives it a process group of its own, so that SIGINT reaches what Ctrl-C would.
    set -m
    inside "exec make run ARGS='--port $port --mqtt-port $mqtt_port'" &
    local job=$!
    set +m
    until answers; do
        kill -0 $job 2>/dev/null || { echo 'make run ended before it answered' >&2; exit 1; }
        sleep 0.2
    done
    step "It answers, after $((SECONDS - began)) s; Ctrl-C"
    kill -INT -- -$job
    wait $job || code=$?
    case $code in
        0 | 130) step "make run ended with $code" ;;
        *) echo "make run ended with $code" >&2; exit 1 ;;
    esac
}
if [ "${ONLY:-run}" = run ]; then
    run_once 'the first time'
    run_once 'the second time'
fi
if [ "${ONLY:-test}" = test ]; then
    step 'make test'
    inside 'make test'
fi
step 'Proven'
