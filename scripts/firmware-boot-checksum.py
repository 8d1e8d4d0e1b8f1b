#!/usr/bin/env python3
"""Fills in the checksum by which the Pico's boot ROM knows an image: of its first 252 bytes, into the four behind them.

    scripts/firmware-boot-checksum.py IMAGE.elf

It is a CRC-32 with the polynomial 0x04C11DB7 from ones, highest bit first, not inverted at the end (RP2040 data sheet, 2.8.1.3.1).
zlib's goes from the lowest bit and is inverted: with the bits of each byte and of the result turned round it is the same.
"""

import pathlib
import struct
import sys
import zlib


def turned(value, bits):
    return int(f"{value:0{bits}b}"[::-1], 2)


def checksum(data):
    return turned(zlib.crc32(bytes(turned(byte, 8) for byte in data)) ^ 0xFFFF_FFFF, 32)


def place(image, address):
    """Where in the file the bytes of an address lie (ELF-32, program headers)."""
    start, size, count = struct.unpack_from("<I", image, 28)[0], *struct.unpack_from("<HH", image, 42)
    for index in range(count):
        kind, offset, _, target, length = struct.unpack_from("<5I", image, start + index * size)
        if kind == 1 and target <= address < target + length:
            return offset + address - target
    raise SystemExit(f"The image has nothing at {address:#x}")


def main():
    path = pathlib.Path(sys.argv[1])
    image = bytearray(path.read_bytes())
    start = place(image, 0x1000_0000)
    struct.pack_into("<I", image, start + 252, checksum(image[start : start + 252]))
    path.write_bytes(image)


if __name__ == "__main__":
    main()
