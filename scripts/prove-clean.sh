#!/usr/bin/env bash
# Proves the two commands of README.md where nothing is installed: in a bare Debian 12 with git, make, certificates and this
# machine's Swift toolchain. What `make run` installs there builds the page and starts the hub, which answers its health,
# its page and, signed in, what Today asks, and stops at Ctrl-C; in a second one, what `make test` installs is enough for a
# test in a real browser.
#
#   sudo scripts/prove-clean.sh [--cold] [FOLDER]
#
# The tree is this one, in a copy, without anything that git ignores. The Swift build alone is taken as it is, so that all
# takes some minutes; with --cold it is built there too, and `make test` is run to its end, which takes an hour. FOLDER
# (default /var/tmp/tandem-clean) keeps the bare Debian and its packages for the next time. Proxies, certificates, and
# where git, pip and apt get their packages are this machine's.
#
# Needs root, debootstrap, curl, jq and the right to mount.
set -euo pipefail
tree=$(cd "$(dirname "$0")/.." && pwd -P)
refuse() { echo "prove-clean: $*" >&2; exit 1; }
if [ "${IN_COPY:-}" != yes ]; then
    [ "$(id -u)" = 0 ] || refuse "run this as root: it makes a file system and changes into it."
    # In a copy of the tree that is mounted for this command alone, and with it whatever is mounted below.
    exec env IN_COPY=yes "$tree/scripts/in-copy.sh" "$0" "$@"
fi
[ "$(stat -f -c %T "$tree")" = overlayfs ] || refuse "this machine lets nothing be mounted here."
cold=
if [ "${1:-}" = --cold ]; then cold=yes; shift; fi
folder=$(realpath -m "${1:-/var/tmp/tandem-clean}")
port=${PORT:-18080}
mqtt_port=${MQTT_PORT:-11883}
step() { printf '\n#### %s (%d s in)\n' "$*" $SECONDS; }

step "$tree, without what git ignores${cold:+, not even a build}"
kept=()
if [ -z "$cold" ]; then
    kept=(-e '!/.build' -e '!/.build-headers' -e '!/.build-wasm' -e '!/Package.resolved')
    rm -rf "$tree"/.build-wasm/{modules,toolset.json}
elif [ -d "$tree/.build" ]; then
    find "$tree/.build" -mindepth 1 -delete
fi
# What another target makes anew beside this, such as the site, may go away while it is looked at.
clean() { git -C "$tree" -c safe.directory='*' clean -ffdXq "${kept[@]}"; }
clean || clean
git -C "$tree" -c safe.directory='*' status --short

mirror=$("$tree/scripts/debian-mirror.sh")
bare=$folder/bare
if [ ! -e "$bare" ]; then
    step "A bare Debian 12 in $bare, a minute or two"
    mkdir -p "$folder/packages" "$folder/archives/partial"
    rm -rf "$bare.new"
    debootstrap --variant=minbase --include=git,make,ca-certificates --cache-dir="$folder/packages" bookworm "$bare.new" \
        "$mirror" >"$folder/debootstrap.log" || { tail "$folder/debootstrap.log" >&2; exit 1; }
    mv "$bare.new" "$bare"
fi

# Shows a folder or a file of this machine inside, at the same place, to be read.
show() {
    if mountpoint -q "$root$1"; then return; fi
    if [ -d "$1" ]; then mkdir -p "$root$1"; else mkdir -p "$root$(dirname "$1")"; touch "$root$1"; fi
    mount --bind "$1" "$root$1"
    mount -o remount,ro,bind "$root$1"
}
toolchain=$(cd "$(dirname "$(readlink -f "$(command -v swift)")")/../.." && pwd)
show_toolchain() {
    local path
    if [ "$toolchain" != / ]; then
        show "$toolchain"
        return
    fi
    # Unpacked into the system, as in Swift's own images: what no package of Debian has brought there.
    comm -23 <(find /usr/{bin,lib,libexec,share/swift} -maxdepth 1 -mindepth 1 ! -lname '/etc/alternatives/*' 2>/dev/null | sort) \
        <(sed -E 's#^/(bin|lib)/#/usr&#' /var/lib/dpkg/info/*.list | sort -u) >"$folder/unpacked"
    while IFS= read -r path; do
        if [ ! -e "$root$path" ]; then show "$path"; fi
    done <"$folder/unpacked"
}
root=
leave_root() {
    [ -z "$root" ] || umount -R "$root"
    ! mountpoint -q "$folder/layer" || umount "$folder/layer"
    rm -rf --one-file-system "$folder/root" "$folder/layer"
}
# A bare Debian that nothing was installed in: a layer over the one that is kept, in memory where there is much of it.
new_root() {
    leave_root
    root=$folder/root
    mkdir -p "$root" "$folder/layer"
    if [ "$(awk '/^MemAvailable/ { print $2 }' /proc/meminfo)" -gt 8000000 ]; then
        mount -t tmpfs -o size=6g tmpfs "$folder/layer"
    fi
    mkdir "$folder"/layer/{new,work}
    if ! mount -t overlay overlay -o "lowerdir=$bare,upperdir=$folder/layer/new,workdir=$folder/layer/work" "$root"; then
        cp -a "$bare/." "$root"
        mount --bind "$root" "$root"
    fi
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mount --bind "$folder/archives" "$root/var/cache/apt/archives"
    mkdir -p "$root$tree"
    mount --rbind "$tree" "$root$tree"
    show_toolchain

    local file name value word
    echo "deb $mirror bookworm main" >"$root/etc/apt/sources.list"
    for file in /etc/resolv.conf /etc/hosts /etc/ssl/certs/ca-certificates.crt /etc/pip.conf; do
        if [ -e "$file" ]; then cp -L "$file" "$root$file"; fi
    done
    # Of apt how to get at a server, of git where it is.
    if command -v apt-config >/dev/null; then
        apt-config dump Acquire | grep -E '^Acquire::(https?|ftp|Check-|Retries|ForceIP)' >"$root/etc/apt/apt.conf.d/99outside" || true
    fi
    # What is thrown away need not be on the disk.
    echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/outside"
    git config --file "$root/root/.gitconfig" safe.directory '*'
    while read -r name value; do
        git config --file "$root/root/.gitconfig" --add "$name" "$value"
        word=${name#url.} word=${word%.insteadof}
        if [ -d "$word" ]; then show "$(realpath "$word")"; fi
    done < <(git config --get-regexp '^(url\..*\.insteadof|http\..*)$' || true)
    environment=(HOME=/root LANG=C.UTF-8 TERM="${TERM:-dumb}"
        PATH="/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:${toolchain%/}/usr/bin")
    while IFS='=' read -r name value; do
        environment+=("$name=$value")
        for word in $value; do
            if [[ $word == /* && -e $word && ! -e $root$word ]]; then show "$word"; fi
        done
    done < <(env | grep -E '^(PIP_.*|(https?|no|all)_proxy|(HTTPS?|NO|ALL)_PROXY|SSL_CERT_.*|GIT_SSL_.*|CURL_CA_BUNDLE|REQUESTS_CA_BUNDLE)=')
}
inside() { chroot "$root" /usr/bin/env -i "${environment[@]}" /bin/sh -c "cd '$tree' && $1"; }

# By their times a build knows that headers are as they were. Those of another day's package that say the same get them.
headers() { (cd "$1" && find . -type f -exec sha256sum {} + | LC_ALL=C sort); }
same_headers() {
    comm -12 <(headers /usr/include) <(headers "$root/usr/include") | cut -c 67- >"$folder/same"
    tar -C /usr/include -cf - -T "$folder/same" | tar -C "$root/usr/include" -xf -
}

installs() {
    local began=$SECONDS
    step "What make $1 installs"
    inside "scripts/setup.sh $1" >"$folder/setup.log" 2>&1 || { tail -n 40 "$folder/setup.log" >&2; exit 1; }
    grep '^Installing' "$folder/setup.log" | sed 's/^/  /'
    echo "  $((SECONDS - began)) s"
}

api() {
    local path=$1
    shift
    curl -sS --max-time 20 --fail-with-body "$@" "http://127.0.0.1:$port$path"
}
# Signs in as the hub says that one can, and asks what Today asks: who it is, and each companion how it is.
look_at_today() {
    local email password token slug page script
    read -r email password < <(sed -n 's/^Sign in as \(.*\) with the password \(.*\)$/\1 \2/p' "$log")
    page=$(api /)
    script=$(sed -n 's/.*<script type="module" src="\([^"]*\)".*/\1/p' <<<"$page")
    api "$script" -o /dev/null
    token=$(api /api/session -H 'Content-Type: application/json' \
        -d "$(jq -n --arg email "$email" --arg password "$password" '{$email, $password, bearer: true}')" | jq -er .token)
    echo "  signed in as $(api /api/session -H "Authorization: Bearer $token" | jq -er .person.name)"
    for slug in $("$tree/scripts/companions.sh" | jq -r '.[].slug'); do
        echo "  $slug answers $(api "/api/$slug" -H "Authorization: Bearer $token" | jq -c . | wc -c) bytes"
    done
}
run_once() {
    step "make run, $1"
    local began=$SECONDS code=0
    log=$folder/run.log
    # Job control gives it a process group of its own, so that SIGINT reaches what Ctrl-C would.
    set -m
    inside "exec make run CONFIGURATION=release ARGS='--port $port --mqtt-port $mqtt_port'" > >(tee "$log") 2>&1 &
    job=$!
    set +m
    trap 'kill -INT -- -$job 2>/dev/null || true' EXIT
    until grep -q '^Sign in as' "$log" && api /healthz -o /dev/null 2>/dev/null; do
        kill -0 $job 2>/dev/null || refuse 'make run ended before it answered'
        sleep 0.2
    done
    step "It answers, after $((SECONDS - began)) s"
    look_at_today
    trap - EXIT
    kill -INT -- -$job
    wait $job || code=$?
    case $code in
        0 | 130) step "Ctrl-C ended it with $code" ;;
        *) refuse "make run ended with $code" ;;
    esac
}

new_root
installs run
[ -n "$cold" ] || same_headers
run_once 'the first time'
run_once 'the second time'
new_root
if [ -n "$cold" ]; then
    step 'make test'
    inside 'make test'
else
    installs test
    step 'A test in a browser'
    inside 'TANDEM_BINARY=$PWD/.build/release/tandem exec .venv/bin/python -m pytest -q Tests/EndToEnd/test_wall.py -k tells_the_time'
fi
leave_root
step 'Proven'
