#!/usr/bin/env bash
# Builds the images of boards and what answers the engines' vector files on an ARM processor, and tries them in QEMU; those that
# need a hub with the newest debug build, or with the one that TANDEM_BINARY names; a page plays with the kit as web-modules has it.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/firmware.sh
scripts/firmware.sh --board STM32F405
scripts/firmware.sh --board Pico
scripts/firmware.sh --vectors
if [ ! -e web-modules/index.html ]; then
    scripts/wasm.sh
    scripts/web.sh modules
fi
.venv/bin/python -m pytest Firmware/Tests --durations 5
