#!/usr/bin/env bash
# Builds the images of Firmware/Images for a board of Firmware/Boards, and holds them to their budgets.
#
#   scripts/firmware.sh [--board MPS2AN386] [IMAGE ...]
#   scripts/firmware.sh --vectors [ENGINE ...]     what answers the vector files of a companion's engine, for a Cortex-M7
#
# The images lie in .build-firmware/images, an ELF file for each, with the map of what is in it.
set -euo pipefail
cd "$(dirname "$0")/.."
board=MPS2AN386
if [ "${1:-}" = --vectors ]; then
    shift
    engines=("$@")
    if [ ${#engines[@]} -eq 0 ]; then engines=(Plants TriviaToy Drums MotionLab Brushing); fi
fi
if [ "${1:-}" = --board ]; then board=$2; shift 2; fi
case $board in
    MPS2AN386 | STM32F405) processor=cortex-m4 triple=armv7em-none-none-eabi ;;
    Pico) processor=cortex-m0plus triple=armv6m-none-none-eabi ;;
    *) echo "There is no board $board in Firmware/Boards" >&2; exit 64 ;;
esac
build=$PWD/.build-firmware
mkdir -p "$build/package" "$build/images"
for folder in Firmware Platform Companions; do ln -sfn "../../$folder" "$build/package/$folder"; done
ln -sf ../../Firmware/Package.swift "$build/package/Package.swift"
runtime=$(swift -print-target-info | jq -r .paths.runtimeResourcePath)

# The linker script of a product: what the boot loader starts lies where that puts it.
link_of() { if [ "$board-$1" = MPS2AN386-PlantSensor ]; then echo slot; else echo link; fi; }

# Builds a product for a processor into a file.
#   build PRODUCT PROCESSOR STACK FILE
build() {
    local product=$1 processor=$2 stack=$3 file=$4 toolset=$build/$(basename "$4").json link scratch
    link=$(link_of "$product")
    # SwiftPM does not see that a toolset links otherwise: each way has a folder of its own.
    scratch=$build/$board-$processor
    if [ "$link" != link ]; then scratch+=-$link; fi
    sed "s|@BOARDS@|$PWD/Firmware/Boards|g; s|@BOARD@|$board|g; s|@MAP@|${file%.elf}.map|; s|@STACK@|$stack|
        s|@LINK@|$link|; s|@RUNTIME_RESOURCE_PATH@|$runtime|; s|@OPTIMIZE@|${optimize:-}|" "Firmware/Toolsets/$processor.json" >"$toolset.new"
    # A file that did not change is not written: SwiftPM would build everything anew.
    cmp -s "$toolset.new" "$toolset" || cp "$toolset.new" "$toolset"
    rm "$toolset.new"
    if ! FIRMWARE_BOARD=$board swift build --package-path "$build/package" --triple "$triple" --toolset "$toolset" \
        -c release --scratch-path "$scratch" --product "$product" >"$build/log" 2>&1; then
        cat "$build/log" >&2
        exit 1
    fi
    cp "$scratch/$triple/release/$product" "$file"
    if [ "$board" = Pico ]; then scripts/firmware-boot-checksum.py "$file"; fi
}

if [ -n "${engines:-}" ]; then
    for engine in "${engines[@]}"; do
        # Of the lab's engine Swift 6.3 makes another program for size than for speed: ten of its vectors tell them apart.
        optimize=-Osize
        if [ "$engine" = MotionLab ]; then optimize=-O; fi
        FIRMWARE_ENGINE=$engine build Vectors cortex-m7 256K "$build/images/$engine-vectors.elf"
    done
    exit
fi
images=("$@")
if [ ${#images[@]} -eq 0 ]; then
    images=(PlantSensor Toy Drums)
    if [ "$board" = MPS2AN386 ]; then images+=(Boot); fi
fi
for image in "${images[@]}"; do build "$image" "$processor" 12K "$build/images/$image-$board.elf"; done
# The file that a hub signs and a board is flashed with.
if [ "$board" = MPS2AN386 ] && [ -e "$build/images/PlantSensor-$board.elf" ]; then
    scripts/firmware-image.py "$build/images/PlantSensor-$board.elf" --board mps2-an386 --image plant-sensor \
        --version "${FIRMWARE_VERSION:-$(cat Firmware/version)}" "$build/images/PlantSensor-$board.image"
fi
scripts/firmware-sizes.py $(printf "$build/images/%s-$board.elf " "${images[@]}")
