#!/usr/bin/env bash
# Installs what this machine is missing, and nothing else: Debian's packages, and for tests and the site a Python environment.
#
#   scripts/setup.sh [run|lint|test|deb|docs]
#
# When all is there it installs nothing, asks nothing of the network, and takes a fraction of a second.
set -euo pipefail
cd "$(dirname "$0")/.."
want=${1:-run}

# A package of Debian 12, and a file or command that shows it is there, from wherever it came.
need() {
    local package=$1 probe
    shift
    for probe in "$@"; do
        case $probe in
            /*) compgen -G "$probe" >/dev/null && return ;;
            *) command -v "$probe" >/dev/null && return ;;
        esac
    done
    missing+=("$package")
}

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

missing=()
# What a Swift toolchain itself wants of Debian.
need binutils ld
need ca-certificates /etc/ssl/certs/ca-certificates.crt
need libc6-dev /usr/include/stdio.h
need libstdc++-12-dev '/usr/include/c++/*/vector'
need libcurl4 '/usr/lib/*/libcurl.so.4' '/lib/*/libcurl.so.4'
need libxml2 '/usr/lib/*/libxml2.so.2'
need libncurses6 '/usr/lib/*/libncurses.so.6' '/lib/*/libncurses.so.6'
need libqrencode-dev /usr/include/qrencode.h
need libsqlite3-dev /usr/include/sqlite3.h
need pkg-config pkg-config
need tzdata /usr/share/zoneinfo/UTC
# The web folder.
need binaryen wasm-opt
need brotli brotli
need esbuild esbuild
need jq jq
need libjs-chart.js /usr/share/javascript/chart.js/chart.min.js
need librsvg2-bin rsvg-convert
# The voice of toys that a computer plays; the hub runs without it.
if [ "$want" = run ] || [ "$want" = test ]; then need espeak-ng espeak-ng; fi
if [ "$want" = lint ] || [ "$want" = test ]; then
    need node-typescript tsc
    need python3 python3
fi
if [ "$want" = docs ]; then
    need python3 python3
    if ! [ -x .venv-docs/bin/python ] && ! python3 -c 'import ensurepip, venv' 2>/dev/null; then missing+=(python3-venv); fi
fi
if [ "$want" = deb ]; then
    need dpkg-dev dpkg-shlibdeps
fi
if [ "$want" = test ]; then
    need avahi-daemon avahi-daemon /usr/sbin/avahi-daemon
    need avahi-utils avahi-publish
    need chromium chromium
    need curl curl
    need dbus-daemon dbus-daemon
    need faketime faketime
    need ffmpeg ffmpeg
    need iproute2 ip
    need fonts-liberation '/usr/share/fonts/truetype/liberation*'
    need fonts-noto-color-emoji /usr/share/fonts/truetype/noto/NotoColorEmoji.ttf
    need libnss3-tools certutil
    need mosquitto mosquitto /usr/sbin/mosquitto
    need mosquitto-clients mosquitto_pub
    need nodejs node
    need openssl openssl
    need procps ps
    if ! [ -x .venv/bin/python ] && ! python3 -c 'import ensurepip, venv' 2>/dev/null; then missing+=(python3-venv); fi
fi

if [ ${#missing[@]} -gt 0 ]; then
    if ! command -v apt-get >/dev/null; then
        echo "Not Debian: install what matches these of Debian's packages, then run this again: ${missing[*]}" >&2
        exit 1
    fi
    as_root=()
    if [ "$(id -u)" != 0 ]; then
        if ! command -v sudo >/dev/null; then
            echo "Run this as root, then again what you ran: apt-get install --no-install-recommends ${missing[*]}" >&2
            exit 1
        fi
        as_root=(sudo)
    fi
    echo "Installing from Debian, a minute or two: ${missing[*]}"
    "${as_root[@]}" apt-get update -q
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"
fi

if [ -z "$version" ]; then
    version=$(swift_version)
    if [ -z "$version" ]; then
        echo "$swift_needed; the one here does not start: $(swift --version 2>&1 | head -n 1 || true)" >&2
        exit 1
    fi
    is_new_enough "$version" || { echo "$swift_needed; this one is $version." >&2; exit 1; }
fi

# A folder with the packages of a file of requirements; both are its own.
python_packages() {
    local folder=$1 requirements=$2 mark
    mark=$folder/installed-$(sha256sum <"$requirements" | cut -c 1-16)
    [ ! -e "$mark" ] || return 0
    echo "Installing the Python packages of $requirements into $folder, under a minute"
    rm -rf "$folder"
    python3 -m venv "$folder"
    "$folder/bin/pip" install --quiet --no-deps --disable-pip-version-check -r "$requirements"
    touch "$mark"
}
case $want in
    test) python_packages .venv Tests/EndToEnd/requirements.txt ;;
    docs) python_packages .venv-docs docs/requirements.txt ;;
esac
