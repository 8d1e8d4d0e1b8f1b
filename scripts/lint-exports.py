#!/usr/bin/env python3
"""Says which exports of the page's modules nobody imports.

    scripts/lint-exports.py

A companion's screens.js, what tests reach by name and what a build writes (build.js) are taken by others than modules.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
EXPORT = re.compile(r"^export (?:async )?(?:function\*?|const|let|class) (\w+)", re.M)
NAMES = r"\{([^{}]*)\}"
IMPORT = re.compile(
    rf'(?:import|export)\s*{NAMES}\s*from\s*"([^"]+)"|{NAMES}\s*=\s*await import\("([^"]+)"\)|\bimport\("([^"]+)"\)', re.S)


def modules():
    for path in sorted(ROOT.glob("Web/**/*.js")):
        yield "/" + path.relative_to(ROOT / "Web").as_posix(), path
    for path in sorted(ROOT.glob("Companions/*/Web/**/*.js")):
        folder = next(one for one in path.parents if one.name == "Web")
        yield f"/{folder.parent.name.lower()}/{path.relative_to(folder).as_posix()}", path


def resolved(importer, specifier):
    parts = importer.split("/")[:-1]
    for part in specifier.split("/"):
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


def main():
    texts = {name: path.read_text() for name, path in modules()}
    where = dict(modules())
    used, whole = set(), set()
    for name, text in texts.items():
        for static, source, dynamic, target, bare in IMPORT.findall(text):
            for one in (static or dynamic).split(","):
                if one.strip():
                    used.add((resolved(name, source or target), re.split(r"\s+as\s+|:", one.strip())[0].strip()))
            if bare:  # what is taken of it stands elsewhere
                whole.add(resolved(name, bare))
        for source, one in re.findall(r'import\("([^"]+)"\)\.(\w+)', text):  # a type of JSDoc, or a member
            used.add((resolved(name, source), one))
    tests = "\n".join(path.read_text() for path in (ROOT / "Tests/EndToEnd").glob("*.py"))
    dead = [
        f"{where[name].relative_to(ROOT)}: nobody imports {one}"
        for name, text in texts.items()
        for one in EXPORT.findall(text)
        if (name, one) not in used and name not in whole and not re.search(rf"\b{one}\b", tests)
    ]
    print(*dead, sep="\n", end="\n" if dead else "")
    sys.exit(1 if dead else 0)


if __name__ == "__main__":
    main()
