#!/usr/bin/env python3
"""Writes the table of modules of modules.json into ARCHITECTURE.md, between its two marks.

  scripts/module-table.py [--check]

--check writes nothing, and exits 1 where the document does not have it as it is.
"""
import json
import pathlib
import sys

root = pathlib.Path(__file__).resolve().parent.parent
begin, end = "<!-- scripts/module-table.py writes what follows, of modules.json -->", "<!-- modules.json ends here -->"


def spans(names):
    return ", ".join(f"`{name}`" for name in names)


def table():
    """The two tables: what each target may import, and what the words in it stand for."""
    data = json.loads((root / "modules.json").read_text())
    yield from ("| target | may import |", "|---|---|")
    for module in data["modules"]:
        cell = spans(module["imports"]) or "nothing"
        if "note" in module:
            cell += f": {module['note']}"
        yield f"| `{module['name']}` | {cell} |"
    yield from ("", "A word of the table may stand for several modules:", "", "| word | modules |", "|---|---|")
    for word, names in data["words"].items():
        yield f"| `{word}` | {spans(names)} |"


document = root / "ARCHITECTURE.md"
text = document.read_text()
before, rest = text.split(begin)
after = rest.split(end)[1]
written = f"{before}{begin}\n\n" + "\n".join(table()) + f"\n\n{end}{after}"
if written != text:
    if "--check" in sys.argv[1:]:
        sys.exit("ARCHITECTURE.md: the table of modules is not that of modules.json; scripts/module-table.py writes it")
    document.write_text(written)
