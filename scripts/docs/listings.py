#!/usr/bin/env python3
"""Writes the listings of a tutorial into this very tree, in their order, so that they can be compiled: a listing with a title
is the file of that name, and one in the language diff changes it.

    scripts/docs/listings.py docs/site/write-a-companion.md

Within a diff, a line with only @@ stands between places. The lines before a change are found by their words and not by their
numbers, and are in the file once.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LISTING = re.compile(r'^```(?P<language>\w+) title="(?P<file>[^"]+)"\n(?P<text>.*?\n)```$', re.MULTILINE | re.DOTALL)


def changed(text, change, file):
    """A file after a change of one place."""
    lines = change.splitlines(keepends=True)
    before = "".join(line[1:] for line in lines if not line.startswith("+"))
    after = "".join(line[1:] for line in lines if not line.startswith("-"))
    if text.count(before) != 1:
        sys.exit(f"{file}: these lines are there {text.count(before)} times, not once:\n{before}")
    return text.replace(before, after)


def main(document):
    listings = list(LISTING.finditer(pathlib.Path(document).read_text()))
    for listing in listings:
        path = ROOT / listing["file"]
        if listing["language"] != "diff":
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(listing["text"])
            continue
        text = path.read_text()
        for change in listing["text"].split("@@\n"):
            text = changed(text, change, listing["file"])
        path.write_text(text)
    print(f"{len(listings)} listings of {document}")


if __name__ == "__main__":
    main(sys.argv[1])
