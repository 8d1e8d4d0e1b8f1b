#!/usr/bin/env python3
"""Holds doc comments to their beginning: what the thing is, in a plain clause, and no riddle about it.

    scripts/lint-comments.py [DIR]

It looks at the folders in scripts/lint-comments.txt. A folder is added when its comments have been gone through, and
none is taken away. In these folders each public, package and open declaration has a comment, requirements of protocols
too, and no comment begins with a word of the list below. Prints "path:line: what is wrong", and exits 1 if anything is.
"""

import pathlib
import re
import sys

# A comment that begins so speaks of the thing before it has said what it is.
RIDDLES = """
    What Whatever Which Whichever Who Whoever Whom Whose Where Wherever When Whenever Why How However If
    Of In By As At On With Without For Below Above Between After Before Until Since Behind Beyond
    It Its They Them Their Those These This That There Such So Too He She
    Nothing Nobody None Nowhere Somebody Someone Something Everybody Everyone Everything Anybody Anyone Anything
    Both Neither Either Nil
""".split() + ["One that", "One who", "Another that", "Another who", "All that", "All who"]
RIDDLE = re.compile(rf"(?:{'|'.join(RIDDLES)})(?:['’]s)?\b")

MODIFIERS = r"(?:@?\w+(?:\([^()]*\))?\s+)*?"
KEYWORDS = "actor|associatedtype|class|enum|func|init|let|macro|protocol|struct|subscript|typealias|var"
VISIBLE = re.compile(rf"\s*{MODIFIERS}(?:public|package|open)\s+{MODIFIERS}(?:{KEYWORDS})\b")
PROTOCOL = re.compile(rf"( *){MODIFIERS}(?:public|package|open)\s+protocol\b.*\{{$")
REQUIREMENT = re.compile(rf" *{MODIFIERS}(?:associatedtype|func|init|subscript|var)\b")
# Their comments are in the standard library.
WITNESS = re.compile(r"\bvar (?:debugD|d)escription\b|\bfunc (?:(?:==|<) |hash\(into|encode\(to)|\binit\(from decoder")


def without_groups(text):
    """Text without what is quoted or in parentheses; of these, one that is not closed stays."""
    text, count = re.sub(r'"(?:[^"\\]|\\.)*"', "", text), 1
    while count:
        text, count = re.subn(r"\([^()]*\)", "", text)
    return text


def behind_attribute(lines, at):
    """The number of the line behind an attribute that has lines of its own; the same number where there is none."""
    rest = without_groups(lines[at])
    if not re.fullmatch(r"(?:\s*@[\w.]+)+\s*(?:\(.*)?", rest):
        return at
    end = at + 1
    while "(" in rest and end < len(lines):
        rest = without_groups(rest + lines[end])
        end += 1
    return end


def findings(lines):
    protocol = None  # the indentation of the visible protocol that the line is in
    is_commented = is_text = False
    at = 0
    while at < len(lines):
        line = lines[at]
        if is_text or line.count('"""') % 2:  # in a literal of several lines
            is_text ^= line.count('"""') % 2 == 1
            is_commented = False
        elif comment := re.match(r"\s*///\s*(.*)", line):
            if not is_commented and (riddle := RIDDLE.match(comment[1])):
                yield at, f"begins with “{riddle[0]}”; say first what it is, as in “The connections that …”"
            if not is_commented and comment[1].startswith("- "):
                yield at, "begins with a list; say first what it is or does"
            is_commented = True
        elif (end := behind_attribute(lines, at)) > at:
            at = end
            continue
        else:
            if protocol is not None and line.startswith(protocol + "}"):
                protocol = None
            is_requirement = REQUIREMENT.match(line) and protocol is not None and re.match(rf"{protocol}    \S", line)
            if not is_commented and (is_requirement or VISIBLE.match(line)) and not WITNESS.search(line):
                yield at, "has no comment; say what it is"
            if opened := PROTOCOL.match(line):
                protocol = opened[1]
            is_commented = False
        at += 1


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[1])
    found = []
    for folder in (root / "scripts/lint-comments.txt").read_text().split():
        paths = sorted((root / folder).rglob("*.swift"))
        if not paths:
            found.append(f"scripts/lint-comments.txt: {folder}: there is no Swift in it")
        for path in paths:
            lines = path.read_text().splitlines()
            found += [f"{path.relative_to(root)}:{at + 1}: {what}" for at, what in findings(lines)]
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
