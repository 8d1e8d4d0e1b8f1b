#!/usr/bin/env bash
# Starts the hub with a sample household. Ctrl-C stops it.
#
#   run.sh release|debug [OPTION...]     which build of it, and what `tandem demo` is started with
set -euo pipefail
cd "$(dirname "$0")/.."
tandem=.build/$1/tandem
shift
exec "$tandem" demo "$@"
