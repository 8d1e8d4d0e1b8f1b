#!/usr/bin/env bash
# make attack: what a stranger in the network, a device or a child's file might try, played against the release build.
#
#   scripts/attack.sh [--list] [WORD...]
#
# Runs in a network namespace of its own, with a network interface that leads nowhere: a hub there has many neighbours,
# and none of them is real. Where no namespace may be made it plays on loopback, and says so. Every probe is bounded in
# count and time. TANDEM_BINARY names another executable.
set -euo pipefail
cd "$(dirname "$0")/.."
export TANDEM_BINARY=${TANDEM_BINARY:-$PWD/.build/release/tandem}
export SWIFT_BACKTRACE=enable=no
if ! [ -x "$TANDEM_BINARY" ]; then
    echo "There is no $TANDEM_BINARY: run \`make attack\`, or \`make build\` first." >&2
    exit 1
fi
attack=(.venv/bin/python Tests/Attack/attack.py "$@")
# As root, or as whoever may be root of a namespace of their own.
for unshare in 'unshare --net' 'unshare --user --map-root-user --net'; do
    if $unshare ip link add probe type veth peer name other 2>/dev/null; then
        # shellcheck disable=SC2016
        TANDEM_ATTACK_NAMESPACE=1 exec $unshare bash -c '
            set -e
            ip link set lo up
            ip link add house type veth peer name nowhere
            ip link set house up
            ip link set nowhere up
            ip address add 10.77.0.1/16 dev house
            for number in $(seq 1 130); do ip address add "10.77.1.$number/16" dev house; done
            exec "$@"' attack "${attack[@]}"
    fi
done
exec "${attack[@]}"
