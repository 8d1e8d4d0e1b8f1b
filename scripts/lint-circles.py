#!/usr/bin/env python3
"""Finds modules of the page that import each other in a ring, `import()` counted too: none may.

    scripts/lint-circles.py [TREE]

A companion's folder is served beside the shell's, so that `../app/api.js` of one is `app/api.js`.
"""

import graphlib
import json
import pathlib
import posixpath
import re
import sys

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
IMPORT = re.compile(
    r'^\s*(?:import|export)\b[^;"]*?\bfrom\s+"(\.[^"]+)"|^\s*import\s+"(\.[^"]+)"|\bimport\("(\.[^"]+)"\)', re.MULTILINE
)


def modules(tree):
    """Each module by its address below the page, with its text."""
    folders = {tree / "Web": ""}
    for manifest in sorted(tree.glob("Companions/*/Web/companion.json")):
        folders[manifest.parent] = json.loads(manifest.read_text())["slug"]
    return {
        posixpath.join(slug, file.relative_to(folder).as_posix()): file.read_text()
        for folder, slug in folders.items()
        for file in folder.rglob("*.js")
    }


def imports(address, text, known):
    """The modules that a module imports."""
    named = (next(filter(None, found.groups())) for found in IMPORT.finditer(COMMENT.sub("", text)))
    paths = (posixpath.normpath(posixpath.join(posixpath.dirname(address), one)) for one in named)
    return {path for path in paths if path in known}


def main():
    tree = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[1])
    known = modules(tree)
    try:
        graphlib.TopologicalSorter({one: imports(one, text, known) for one, text in known.items()}).prepare()
    except graphlib.CycleError as error:
        ring = error.args[1][::-1]  # it names each before whoever imports it
        raise SystemExit("These modules import each other in a ring: " + " -> ".join(ring)) from None
    print(f"  {len(known)} modules, and no ring")


if __name__ == "__main__":
    main()
