#!/usr/bin/env python3
"""Prints what each image of Firmware takes of flash and memory, by module and its largest symbols, and fails where it is over its budget.

    scripts/firmware-sizes.py IMAGES.elf ...        the budgets stand in Firmware/budgets.tsv

All symbols of an image, the largest first, are written beside it: IMAGE.sizes.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]


def symbols(image):
    """Address, size, kind and name of each symbol."""
    lines = subprocess.run(["nm", "-S", image], capture_output=True, text=True, check=True).stdout.splitlines()
    for line in lines:
        words = line.split(maxsplit=3)
        if len(words) == 4:
            yield int(words[0], 16), int(words[1], 16), words[2], words[3]


def sections(image):
    lines = subprocess.run(["readelf", "-SW", image], capture_output=True, text=True, check=True).stdout.splitlines()
    found = (re.match(r" *\[ *\d+\] (\.\S+) +\S+ +\S+ +\S+ +(\S+)", line) for line in lines)
    return {match[1]: int(match[2], 16) for match in found if match}


def module(name):
    """The module of a mangled name: the first word in it (Swift's ABI, Mangling), of a specialisation that of the function."""
    found = re.match(r"\$[es]+(\d+)", name)
    if not found:
        return "start-up and the compiler's functions"
    place = found.end()
    return name[place : place + int(found[1])]


def readable(names):
    """Names as a person would write them."""
    lines = subprocess.run(["swift", "demangle", "--simplified"], input="\n".join(names), capture_output=True, text=True, check=True)
    return lines.stdout.splitlines()


def main():
    budgets = {}
    for line in (ROOT / "Firmware/budgets.tsv").read_text().splitlines()[1:]:
        name, flash, memory, stack = line.split("\t")
        budgets[name] = int(flash), int(memory), int(stack)
    is_over = False
    for image in map(pathlib.Path, sys.argv[1:]):
        size = sections(image)
        flash = sum(size.get(name, 0) for name in (".boot2", ".vectors", ".fast", ".text", ".data"))
        memory = size.get(".fast", 0) + size.get(".data", 0) + size.get(".bss", 0)
        parts = {}
        found = sorted((count, name) for _, count, kind, name in symbols(image) if kind in "tTrR" and count)[::-1]
        largest = list(zip((count for count, _ in found), readable([name for _, name in found])))
        image.with_suffix(".sizes").write_text("".join(f"{count}\t{name}\n" for count, name in largest))
        for count, name in found:
            parts[module(name)] = parts.get(module(name), 0) + count
        rest = flash - sum(parts.values())
        print(f"{image.stem}: {flash} bytes of flash, {memory} of memory before the stack")
        for name, count in sorted(parts.items(), key=lambda part: -part[1]):
            print(f"  {count:7} {name}")
        print(f"  {rest:7} constants, tables and what has no name")
        print("  largest:")
        for count, name in largest[:8]:
            print(f"  {count:7}   {name if len(name) < 110 else name[:107] + '...'}")
        if image.stem not in budgets:
            continue
        most = budgets[image.stem]
        if flash > most[0] or memory > most[1]:
            print(f"  over its budget of {most[0]} and {most[1]} bytes (Firmware/budgets.tsv)", file=sys.stderr)
            is_over = True
    return is_over


if __name__ == "__main__":
    sys.exit(main())
