#!/usr/bin/env python3
"""Looks through the site as it was built: every link of a page leads to a file, every anchor to an id, and nothing that a page
is made of comes from another host.

    scripts/docs/check_site.py FOLDER
"""

import pathlib
import sys
import urllib.parse
from html.parser import HTMLParser

LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href"}


class Page(HTMLParser):
    """The ids of a page, and what it links to and loads."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.loaded = set(), set(), set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.ids |= {attributes[name] for name in ("id", "name") if attributes.get(name)}
        if tag == "a" and attributes.get("href"):
            self.links.add(attributes["href"])
        if attributes.get(LOADED.get(tag)):
            self.loaded.add(attributes[LOADED[tag]])


def main(site):
    pages = {path: Page(path.read_text()) for path in site.rglob("*.html")}
    # What docc makes is one page that draws itself of JSON, from the root of its host; its links are docc's to check.
    kit = site / "hubkit"
    # What is wrong, and the pages where it is: a link of the navigation is in all of them.
    faults = {}

    def complain(path, words):
        faults.setdefault(words, []).append(path.relative_to(site).as_posix())

    for path, page in pages.items():
        for link in page.links | page.loaded:
            url = urllib.parse.urlsplit(link)
            if url.scheme or url.netloc:
                if link in page.loaded and url.scheme != "data":
                    complain(path, f"{link} is loaded from another host")
                continue
            if kit in path.parents:
                continue
            # The page that stands in for those that are not there has links from the root.
            start = site if url.path.startswith("/") else path.parent
            target = (start / urllib.parse.unquote(url.path).lstrip("/")).resolve() if url.path else path
            if target.is_dir():
                target /= "index.html"
            name, place = target.relative_to(site).as_posix(), urllib.parse.unquote(url.fragment)
            if not target.exists():
                complain(path, f"{name} is not there")
            elif place and target in pages and place not in pages[target].ids:
                complain(path, f"{name}#{place} is not there")
    for words, places in sorted(faults.items()):
        more = f" and {len(places) - 3} more" if len(places) > 3 else ""
        print(f"{words}: linked from {', '.join(sorted(places)[:3])}{more}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
