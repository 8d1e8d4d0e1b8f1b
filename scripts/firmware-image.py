#!/usr/bin/env python3
"""Makes the file of an image (docs/site/reference/firmware-images.md) of an ELF file: a header, and what the board's memory holds.

    scripts/firmware-image.py IMAGE.elf --board mps2-an386 --image plant-sensor --version 1.0.0 IMAGE.image
"""

import argparse
import pathlib
import re
import struct
import sys
import zlib


def loaded(elf):
    """What an ELF file has loaded, from its lowest address on (System V ABI, chapter 5)."""
    if elf[:6] != b"\x7fELF\x01\x01":
        sys.exit("This is no ELF file of 32 bits with the lowest byte first")
    start, size, count = struct.unpack_from("<I", elf, 28)[0], *struct.unpack_from("<HH", elf, 42)
    parts = []
    for index in range(count):
        kind, offset, _, address, length = struct.unpack_from("<IIIII", elf, start + index * size)
        # What begins with the file itself holds its headers, which no board has.
        if kind == 1 and length and offset:
            parts.append((address, elf[offset : offset + length]))
    lowest = min(address for address, _ in parts)
    memory = bytearray(max(address + len(part) for address, part in parts) - lowest)
    for address, part in parts:
        memory[address - lowest : address - lowest + len(part)] = part
    return bytes(memory)


def header(board, image, version, payload, flags=0):
    numbers = [int(number) for number in version.split(".")]
    first = struct.pack("<4sBBHHHHH16s16sIII", b"TDMI", 1, flags, 0, *numbers, 0, board, image, len(payload), zlib.crc32(payload), 0)
    return first + struct.pack("<I", zlib.crc32(first))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("elf", type=pathlib.Path)
    parser.add_argument("--board", required=True)
    parser.add_argument("--image", required=True)
    parser.add_argument("--version", required=True)
    parser.add_argument("file", type=pathlib.Path)
    arguments = parser.parse_args()
    if not re.fullmatch(r"(0|[1-9]\d{0,4})(\.(0|[1-9]\d{0,4})){2}", arguments.version):
        sys.exit(f"{arguments.version} is no version such as 1.2.0")
    payload = loaded(arguments.elf.read_bytes())
    arguments.file.write_bytes(header(arguments.board.encode(), arguments.image.encode(), arguments.version, payload) + payload)


if __name__ == "__main__":
    main()
