#!/usr/bin/env python3
"""Writes the table of wiring in docs/site/firmware.md from the table that the code sets the pins by.

    scripts/firmware-wiring.py [--check]      --check: only says whether it is there as it should be
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
CODE = ROOT / "Firmware/Boards/STM32F405/Wiring.swift"
PAGE = ROOT / "docs/site/firmware.md"
BEGIN, END = "<!-- wiring of Firmware/Boards/STM32F405/Wiring.swift begins here -->", "<!-- wiring ends here -->"
LINE = re.compile(r"static var \w+: Place \{ Place\(port: (\d), number: (\d+)\) \}  // (\w+) \|(.*)\|(.*)\|(.*)")


def table():
    rows = ["| pin | leads to | its pin | mind |", "|---|---|---|---|"]
    for line in CODE.read_text().splitlines():
        if not (found := LINE.search(line)):
            continue
        port, number, pin, part, end, mind = (word.strip() for word in found.groups())
        if pin != f"P{'ABC'[int(port)]}{number}":
            raise SystemExit(f"{CODE.relative_to(ROOT)}: {pin} is not port {port}, number {number}")
        rows.append(f"| {pin} | {part} | {end} | {mind} |")
    return "\n".join(rows)


def main():
    page = PAGE.read_text()
    before, rest = page.split(BEGIN)
    whole = f"{before}{BEGIN}\n{table()}\n{END}{rest.split(END)[1]}"
    if "--check" in sys.argv:
        if whole != page:
            print("The wiring in docs/site/firmware.md is not that of the code: run scripts/firmware-wiring.py", file=sys.stderr)
        return whole != page
    PAGE.write_text(whole)
    return 0


if __name__ == "__main__":
    sys.exit(main())
