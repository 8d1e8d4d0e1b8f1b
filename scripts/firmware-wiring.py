#!/usr/bin/env python3
"""Writes the tables of wiring in docs/site/firmware.md, and a diagram of each, from those that the code sets the pins by.

    scripts/firmware-wiring.py [--check]      --check: only says whether they are there as they should be
"""

import html
import itertools
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
NAMES = {"STM32F405": "STM32F405", "Pico": "Raspberry Pi Pico"}


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


#: Colours of wires, which people with any sight of colours tell apart (Okabe and Ito, 2008), dark enough on white.
WIRES = ["#0072b2", "#d55e00", "#007a5a", "#a6437f", "#5b5b5b", "#8a6d00"]
ROW, GAP, HEAD = 22, 16, 24


def diagram(board):
    """The board on the left with its pins, and each part on the right with its own, as SVG."""
    parts = [(part, list(group)) for part, group in itertools.groupby(rows(board), key=lambda row: row[1])]
    height = sum(HEAD + ROW * len(group) + GAP for _, group in parts) + 24
    title = f"Wiring of the {NAMES[board]}"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 {height}" role="img" aria-labelledby="title" '
        'font-family="system-ui, sans-serif" font-size="13">',
        f'<title id="title">{title}</title>',
        f'<rect width="760" height="{height}" rx="8" fill="#fff"/>',
        f'<rect x="16" y="12" width="150" height="{height - 24}" rx="8" fill="#eef3ee" stroke="#2f4f3a"/>',
        f'<text x="28" y="{height / 2:.0f}" font-weight="600" fill="#1d2b22" transform="rotate(-90 36 {height / 2:.0f})" '
        f'text-anchor="middle">{NAMES[board]}</text>',
    ]
    top = 12 + GAP / 2
    for number, (part, group) in enumerate(parts):
        colour = WIRES[number % len(WIRES)]
        lines.append(f'<rect x="330" y="{top:.0f}" width="414" height="{HEAD + ROW * len(group)}" rx="6" fill="#f6f7fb" stroke="#8a8fa3"/>')
        lines.append(f'<text x="342" y="{top + 17:.0f}" font-weight="600" fill="#1c1f2b">{html.escape(part)}</text>')
        for index, (pin, _, end, mind) in enumerate(group):
            middle = top + HEAD + ROW * index + ROW / 2 - 4
            lines.append(f'<path d="M166 {middle:.0f}H330" stroke="{colour}" stroke-width="2.5" fill="none"/>')
            lines.append(f'<circle cx="166" cy="{middle:.0f}" r="4" fill="{colour}"/><circle cx="330" cy="{middle:.0f}" r="4" fill="{colour}"/>')
            lines.append(f'<text x="154" y="{middle + 4:.0f}" text-anchor="end" fill="#1d2b22">{pin}</text>')
            lines.append(f'<text x="342" y="{middle + 4:.0f}" fill="#1c1f2b">{html.escape(end)}</text>')
            lines.append(f'<text x="{400 if end else 342}" y="{middle + 4:.0f}" font-size="12" fill="#4a4f63">{html.escape(mind)}</text>')
        top += HEAD + ROW * len(group) + GAP
    return "\n".join(lines + ["</svg>", ""])


def main():
    page = whole = PAGE.read_text()
    for board in BOARDS:
        begin, end = f"<!-- wiring of Firmware/Boards/{board}/Wiring.swift begins here -->", "<!-- wiring ends here -->"
        before, rest = whole.split(begin)
        whole = f"{before}{begin}\n{table(board)}\n{end}{rest.split(end, 1)[1]}"
    files = {PAGE: whole} | {ROOT / f"docs/pictures/wiring-{board.lower()}.svg": diagram(board) for board in BOARDS}
    stale = [path for path, text in files.items() if not path.exists() or path.read_text() != text]
    if "--check" not in sys.argv:
        for path in stale:
            path.write_text(files[path])
        return 0
    for path in stale:
        print(f"{path.relative_to(ROOT)} is not the wiring of the code: run scripts/firmware-wiring.py", file=sys.stderr)
    return len(stale) > 0


if __name__ == "__main__":
    sys.exit(main())
