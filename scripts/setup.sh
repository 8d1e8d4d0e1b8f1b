#!/usr/bin/env bash
# Installs what this machine is missing for a target of the Makefile, and nothing else: Debian's packages, and for tests and
# the site a Python environment each. What cannot be installed is named, with what to do, before anything is compiled.
#
#   scripts/setup.sh format|web|run|lint|firmware|test|pictures|docs|deb|image|release|bare|prove
#   scripts/setup.sh list WORD        what WORD needs, a package on a line and how it is looked for; installs nothing
#
# When all is there it installs nothing, asks nothing of the network, and takes a fraction of a second. Each program that a
# script calls stands here: scripts/lint-programs.py compares them.
set -euo pipefail
cd "$(dirname "$0")/.."
list=
if [ "${1:-}" = list ]; then list=yes; shift; fi
want=${1:-run}

# Whether something is there, from wherever it came: a file (/usr/include/qrencode.h, also a pattern), a module of python3
# (python3:venv) or a command (jq).
is_there() {
    case $1 in
        */*) compgen -G "$1" >/dev/null ;;
        python3:*) python3 -c "import ${1#*:}" 2>/dev/null ;;
        *) command -v "$1" >/dev/null ;;
    esac
}
missing=() without=()
# A package of Debian 12, and all that is wanted of it; `one|other` is there when one of them is.
need() {
    local package=$1 probe way found
    shift
    if [ -n "$list" ]; then echo "$package $*"; return; fi
    for probe in "$@"; do
        found=
        while IFS= read -r way; do if is_there "$way"; then found=yes; break; fi; done <<<"${probe//|/$'\n'}"
        if [ -z "$found" ]; then
            missing+=("$package") without+=("$package (${probe%%|*})")
            return
        fi
    done
}

# What a Swift toolchain itself wants of Debian.
toolchain() {
    need binutils ar ld nm objcopy readelf strip
    need ca-certificates /etc/ssl/certs/ca-certificates.crt
    need libc6-dev /usr/include/features.h /usr/include/stdio.h
    need libstdc++-12-dev '/usr/include/c++/*/memory'
    need libcurl4 '/usr/lib/*/libcurl.so.4|/lib/*/libcurl.so.4'
    need libxml2 '/usr/lib/*/libxml2.so.2'
    need libncurses6 '/usr/lib/*/libncurses.so.6|/lib/*/libncurses.so.6'
    need tzdata /usr/share/zoneinfo/UTC
}
page() {
    toolchain
    need binaryen wasm-opt
    need brotli brotli
    need esbuild esbuild
    need jq jq
    need libjs-chart.js /usr/share/javascript/chart.js/chart.min.js
    need librsvg2-bin rsvg-convert
}
hub() {
    page
    need libqrencode-dev /usr/include/qrencode.h
    need libsqlite3-dev /usr/include/sqlite3.h
    need libsystemd-dev /usr/include/systemd/sd-bus.h
    need pkg-config pkg-config
    need zlib1g-dev /usr/include/zlib.h
}
lint() {
    hub
    need node-typescript tsc /usr/share/nodejs/typescript/lib/typescript.js
    need nodejs node
    need python3 python3
    need shfmt shfmt
}
# The images of boards, and QEMU, which plays one.
firmware() {
    toolchain
    need jq jq
    need python3 python3
    need qemu-system-arm qemu-system-arm
}
package() {
    hub
    need dpkg-dev dpkg-shlibdeps
}
image() {
    package
    need mmdebstrap mmdebstrap
}
case $want in
    format) toolchain ;;
    firmware) firmware ;;
    web) page ;;
    run)
        hub
        # The voice of toys that a computer plays; the hub runs without it.
        need espeak-ng espeak-ng
        ;;
    lint) lint ;;
    docs)
        hub
        need python3 python3
        need python3-venv '.venv-docs/bin/python|python3:ensurepip'
        ;;
    deb) package ;;
    image) image ;;
    release)
        image
        need python3-venv '.venv-release/bin/python|python3:ensurepip'
        ;;
    bare)
        hub
        need curl curl
        need debootstrap 'debootstrap|/usr/sbin/debootstrap'
        ;;
    prove)
        image
        need avahi-daemon 'avahi-daemon|/usr/sbin/avahi-daemon'
        need avahi-utils avahi-resolve
        need containernetworking-plugins /usr/lib/cni/bridge
        need curl curl
        need dbus-daemon dbus-daemon
        need debootstrap 'debootstrap|/usr/sbin/debootstrap'
        need iproute2 ip
        need iptables 'iptables|/usr/sbin/iptables'
        need openssl openssl
        need podman podman
        need python3-venv '.venv-release/bin/python|python3:ensurepip'
        need runc 'runc|/usr/sbin/runc'
        need umoci umoci
        ;;
    test | pictures)
        lint
        firmware
        need abcmidi abc2midi
        need avahi-daemon 'avahi-daemon|/usr/sbin/avahi-daemon'
        need avahi-utils avahi-publish avahi-resolve
        need chromium chromium
        need chromium-headless-shell chromium-headless-shell
        need curl curl
        need dbus-daemon dbus-daemon
        need dfu-util dfu-suffix dfu-util
        need dnsmasq-base 'dnsmasq|/usr/sbin/dnsmasq'
        need espeak-ng espeak-ng
        need faketime faketime
        need ffmpeg ffmpeg
        need iproute2 ip
        need fonts-liberation '/usr/share/fonts/truetype/liberation*'
        need fonts-noto-color-emoji /usr/share/fonts/truetype/noto/NotoColorEmoji.ttf
        need libnss3-tools certutil
        need mosquitto 'mosquitto|/usr/sbin/mosquitto' mosquitto_passwd
        need mosquitto-clients mosquitto_pub mosquitto_sub mosquitto_rr
        need nginx-light 'nginx|/usr/sbin/nginx'
        need haproxy 'haproxy|/usr/sbin/haproxy'
        need openssl openssl
        need procps ps
        # BlueZ without a radio, by Debian's own Python.
        need python3-dbus /usr/lib/python3/dist-packages/dbus/__init__.py
        need python3-dbusmock /usr/lib/python3/dist-packages/dbusmock/templates/bluez5.py
        need python3-gi /usr/lib/python3/dist-packages/gi/__init__.py
        need python3-venv '.venv/bin/python|python3:ensurepip'
        if [ "$want" = pictures ]; then
            need chromium-l10n /usr/lib/chromium/locales/en-GB.pak
            need pngquant pngquant
        fi
        ;;
    *) sed -n '5,6s/^# *//p' "$0" >&2; exit 64 ;;
esac
[ -z "$list" ] || exit 0

swift_needed="Tandem needs Swift 6.3 or later: install it from https://www.swift.org/install/linux/ (Debian 12) and have \`swift\` in your PATH"
command -v swift >/dev/null || { echo "$swift_needed; no swift was found." >&2; exit 1; }
# "Swift version 6.3.1 (...)" or "Apple Swift version 6.3 (...)"; empty when a library that Swift itself wants is missing.
swift_version() { { swift --version 2>/dev/null || true; } | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p' | head -n 1; }
is_new_enough() { [ "$(printf '%s\n' 6.3 "$1" | sort -V | head -n 1)" = 6.3 ]; }
version=$(swift_version)
if [ -n "$version" ] && ! is_new_enough "$version"; then
    echo "$swift_needed; this one is $version." >&2
    exit 1
fi

if [ ${#missing[@]} -gt 0 ]; then
    if ! command -v apt-get >/dev/null; then
        echo "Tandem's make installs by Debian's apt-get, which is not here. Install what these of Debian's packages hold, and" \
            "run this again; in parentheses what is looked for:" >&2
        printf '  %s\n' "${without[@]}" >&2
        exit 1
    fi
    as_root=()
    if [ "$(id -u)" != 0 ]; then
        if ! command -v sudo >/dev/null; then
            echo "Packages of Debian are missing, and there is no sudo to install them. As root:" >&2
            echo "  apt-get update && apt-get install --no-install-recommends ${missing[*]}" >&2
            echo "and then again what you ran." >&2
            exit 1
        fi
        as_root=(sudo)
    fi
    echo "Installing from Debian, a minute or two: ${missing[*]}"
    if ! "${as_root[@]}" apt-get update -q ||
        ! "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"; then
        echo "Debian's packages could not be installed: apt-get says why above. Without a network, have them installed by" \
            "other means, and run this again: ${missing[*]}" >&2
        exit 1
    fi
fi

if [ -z "$version" ]; then
    version=$(swift_version)
    if [ -z "$version" ]; then
        echo "$swift_needed; the one here does not start: $(swift --version 2>&1 | head -n 1 || true)" >&2
        exit 1
    fi
    is_new_enough "$version" || { echo "$swift_needed; this one is $version." >&2; exit 1; }
fi

# A folder with the packages of a file of requirements.
python_packages() {
    local folder=$1 requirements=$2 mark
    mark=$folder/installed-$(sha256sum <"$requirements" | cut -c 1-16)
    [ ! -e "$mark" ] || return 0
    echo "Installing the Python packages of $requirements into $folder, a minute or so"
    rm -rf "$folder"
    python3 -m venv "$folder"
    if ! "$folder/bin/pip" install --quiet --no-deps --disable-pip-version-check -r "$requirements"; then
        echo "The Python packages of $requirements could not be installed: pip says why above. Once PyPI can be reached," \
            "run this again." >&2
        exit 1
    fi
    touch "$mark"
}
case $want in
    test | pictures)
        # 620 MB; some of it is there as wheels for a Python of Debian 12 on amd64 only. Its tests say that they were skipped.
        (
            [ "$want" = pictures ] || (python_packages .venv-homeassistant Tests/EndToEnd/requirements-homeassistant.txt) ||
                echo "Tests with a real Home Assistant are skipped without them." >&2
        ) &
        python_packages .venv Tests/EndToEnd/requirements.txt
        wait
        ;;
    docs) python_packages .venv-docs docs/requirements.txt ;;
    release | prove) python_packages .venv-release packaging/requirements.txt ;;
esac
