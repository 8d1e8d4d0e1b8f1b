#!/usr/bin/env bash
# Builds the images of Firmware/Images for a board of Firmware/Boards, and holds them to their budgets.
#
#   scripts/firmware.sh [--board MPS2AN386] [IMAGE ...]
#
# The images lie in .build-firmware/images, an ELF file for each, with the map of what is in it.
set -euo pipefail
cd "$(dirname "$0")/.."
board=MPS2AN386
if [ "${1:-}" = --board ]; then board=$2; shift 2; fi
case $board in
    MPS2AN386 | STM32F405) processor=cortex-m4 triple=armv7em-none-none-eabi ;;
    RaspberryPiPico) processor=cortex-m0plus triple=armv6m-none-none-eabi ;;
    *) echo "There is no board $board in Firmware/Boards" >&2; exit 64 ;;
esac
images=("$@")
if [ ${#images[@]} -eq 0 ]; then images=(PlantSensor Toy Drums); fi
build=$PWD/.build-firmware
mkdir -p "$build/package" "$build/images"
for folder in Firmware Platform Companions; do ln -sfn "../../$folder" "$build/package/$folder"; done
ln -sf ../../Firmware/Package.swift "$build/package/Package.swift"
for image in "${images[@]}"; do
    map=$build/images/$image-$board.map
    toolset=$build/$image-$board.json
    sed "s|@BOARDS@|$PWD/Firmware/Boards|; s|@BOARD@|$board|; s|@MAP@|$map|; s|@STACK@|12K|" \
        "Firmware/Toolsets/$processor.json" >"$toolset.new"
    sed -i "s|@BOARDS@|$PWD/Firmware/Boards|" "$toolset.new"
    # A file that did not change is not written: SwiftPM would build everything anew.
    cmp -s "$toolset.new" "$toolset" || cp "$toolset.new" "$toolset"
    rm "$toolset.new"
    if ! FIRMWARE_BOARD=$board swift build --package-path "$build/package" --triple $triple --toolset "$toolset" \
        -c release --scratch-path "$build/$board" --product "$image" >"$build/log" 2>&1; then
        cat "$build/log" >&2
        exit 1
    fi
    cp "$build/$board/$triple/release/$image" "$build/images/$image-$board.elf"
done
