#!/usr/bin/env python3
"""Writes the tables of wiring in docs/site/firmware.md from those that the code sets the pins by.

    scripts/firmware-wiring.py [--check]      --check: only says whether they are there as they should be
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs/site/firmware.md"
#: How each board's table writes a pin, and how a pin is called there.
BOARDS = {
    "STM32F405": (r"Place \{ Place\(port: (\d), number: (\d+)\) \}", lambda port, number: f"P{'ABC'[int(port)]}{number}"),
    "Pico": (r"UInt32 \{ (\d+) \}", lambda number: f"GP{number}"),
}


def rows(board):
    """Pin, part, its pin and what to mind, for each pin."""
    place, name = BOARDS[board]
    code = ROOT / f"Firmware/Boards/{board}/Wiring.swift"
    line = re.compile(rf"static var \w+: {place}  // (\w+) \|(.*)\|(.*)\|(.*)")
    for text in code.read_text().splitlines():
        if found := line.search(text):
            *numbers, pin, part, end, mind = (word.strip() for word in found.groups())
            if pin != name(*numbers):
                raise SystemExit(f"{code.relative_to(ROOT)}: {pin} is not {name(*numbers)}")
            yield pin, part, end, mind


def table(board):
    lines = ["| pin | leads to | its pin | mind |", "|---|---|---|---|"]
    return "\n".join(lines + [f"| {' | '.join(row)} |" for row in rows(board)])


def main():
    page = whole = PAGE.read_text()
    for board in BOARDS:
        begin, end = f"<!-- wiring of Firmware/Boards/{board}/Wiring.swift begins here -->", "<!-- wiring ends here -->"
        before, rest = whole.split(begin)
        whole = f"{before}{begin}\n{table(board)}\n{end}{rest.split(end, 1)[1]}"
    if "--check" in sys.argv:
        if whole != page:
            print("The wiring in docs/site/firmware.md is not that of the code: run scripts/firmware-wiring.py", file=sys.stderr)
        return whole != page
    PAGE.write_text(whole)
    return 0


if __name__ == "__main__":
    sys.exit(main())
