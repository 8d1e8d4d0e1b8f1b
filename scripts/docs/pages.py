#!/usr/bin/env python3
"""Gathers the pages of the site in FOLDER: docs/site, and documents that stand elsewhere in the repository. Their links are
changed to where things stand in the site; a link to a file that is not in the site becomes its words.

    scripts/docs/pages.py FOLDER
"""

import os
import pathlib
import re
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Where a file of the repository stands in the site; the first pattern that fits.
PLACES = [
    (r"docs/site/(.*)", r"\1"),
    (r"docs/adr/README\.md", "decisions.md"),
    (r"docs/adr/(.*)", r"decisions/\1"),
    (r"docs/(pictures/.*|performance.*)", r"\1"),
    (r"ARCHITECTURE\.md", "architecture.md"),
    (r"CHANGELOG\.md", "changelog.md"),
    (r"CONTRIBUTING\.md", "contributing.md"),
    (r"SECURITY\.md", "report-a-hole.md"),
    (r"README\.md", "index.md"),
    (r"Web/README\.md", "the-page.md"),
    (r"Companions/(\w+)/README\.md", lambda found: f"companions/{found[1].lower()}.md"),
    # The documentation of the module, which docc makes of its sources.
    (r"Platform/HubKit(/README\.md|/HubKit\.docc/HubKit\.md)?", "hubkit/documentation/hubkit/index.html"),
]
SOURCES = ["docs/**/*", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "Web/README.md", "Companions/*/README.md"]
PICTURES = {".png", ".jpg", ".svg", ".webp"}
LINK = re.compile(r"(?P<mark>!?\[(?P<words>(?:[^\[\]]|\[[^\]]*\])*)\]\()(?P<link>[^)\s]+)\)")
ATTRIBUTE = re.compile(r'(?P<mark>\b(?:src|href)=")(?P<link>[^"]+)"')
FENCE = re.compile(r"^( *)(```+|~~~+).*?^\1\2[`~]*$", re.MULTILINE | re.DOTALL)


def place(file):
    """The place in the site of a file of the repository, or None."""
    for pattern, at in PLACES:
        if found := re.fullmatch(pattern, file):
            return at(found) if callable(at) else found.expand(at)
    return None


def moved(source, link):
    """A link of a document as it is in the site: the same where it leads elsewhere, None where it leads to no page."""
    if re.match(r"[a-z][a-z0-9+.-]*:|#|/", link):
        return link
    path, mark, anchor = link.partition("#")
    file = os.path.normpath(os.path.join(os.path.dirname(source), path))
    if (ROOT / file / "README.md").exists():
        file += "/README.md"
    to = place(file)
    return to and os.path.relpath(to, os.path.dirname(place(source))) + mark + anchor


def with_moved_links(text, source):
    """A document whose links outside of code are as they are in the site."""
    def link(found):
        to = moved(source, found["link"])
        if to is None:
            return found.groupdict().get("words") or ""
        return found["mark"] + to + found[0][found.end("link") - found.start():]

    def prose(part):
        return ATTRIBUTE.sub(link, LINK.sub(link, part))

    pieces, end = [], 0
    for code in FENCE.finditer(text):
        pieces += [prose(text[end:code.start()]), code[0]]
        end = code.end()
    return "".join(pieces + [prose(text[end:])])


def main(folder):
    for pattern in SOURCES:
        for path in sorted(ROOT.glob(pattern)):
            source = path.relative_to(ROOT).as_posix()
            to = place(source)
            if to is None or not path.is_file():
                continue
            target = folder / to
            target.parent.mkdir(parents=True, exist_ok=True)
            if path.suffix == ".md":
                target.write_text(with_moved_links(path.read_text(), source))
            elif path.suffix in PICTURES:
                shutil.copyfile(path, target)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
