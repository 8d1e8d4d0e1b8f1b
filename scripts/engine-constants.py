#!/usr/bin/env python3
"""Writes Web/engine-constants.js of each companion: enumerations of its engine that the page names, as Swift has them.

  scripts/engine-constants.py [--check]

A word of the page is the name of a case, a number what the engine gives it. --check writes nothing, and exits 1 where a file
is not what the Swift sources say.
"""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent / "Companions"
# The companion, and of each enumeration: its name in JavaScript, its file and its name in Swift.
wanted = {
    "Brushing": [
        ("INPUT", "Engine/SessionInput.swift", "SessionInput"),
        ("OUTPUT", "Engine/SessionInput.swift", "SessionOutput"),
        ("KIND", "Engine/RoutineStep.swift", "Kind"),
        ("SURFACE", "Engine/BrushedSurface.swift", "BrushedSurface"),
    ],
    "Drums": [
        ("OUTPUT", "Engine/Session/SessionInput.swift", "SessionOutput"),
        ("MODE", "Engine/Session/SessionSetup.swift", "PlayMode"),
        ("HANDS", "Engine/Session/SessionSetup.swift", "Hands"),
        ("LINK", "Engine/Session/SessionSetup.swift", "LinkKind"),
        ("VERDICT", "Engine/Session/SessionResult.swift", "Verdict"),
    ],
    "MotionLab": [
        ("KIND", "Engine/Sensors/SensorKind.swift", "SensorKind"),
        ("SOURCE", "Engine/Sensors/SensorSource.swift", "SensorSource"),
    ],
    "TriviaToy": [
        ("PACKET", "Platform/Embedded/Wire/Improv/ImprovPacket.swift", "Kind"),
    ],
}
option = re.compile(r"static (?:let|var) (\w+)(?:: \w+ \{| =) \w+\(rawValue: (?:(\d+)|1 << (\d+))\)")


def members(text, name):
    """What a type is in a plain clause, and its cases with their numbers, of an enumeration or a set of options."""
    declared = re.search(rf"((?: *///.*\n)*)( *)public (?:enum|struct) {name}: ([^{{]*)\{{\n((?:.*\n)*?)\2\}}", text)
    if not declared:
        raise SystemExit(f"scripts/engine-constants.py: no {name}")
    body = declared[4]
    if "OptionSet" in declared[3]:
        found = {one[1]: int(one[2]) if one[2] else 1 << int(one[3]) for one in option.finditer(body)}
    else:
        found, number = {}, -1
        for line in re.findall(r"^ *case (.+)$", body, re.M):
            for case in line.split(","):
                word, _, value = (part.strip() for part in case.partition("="))
                if not re.fullmatch(r"\w+", word):
                    continue  # of a switch
                number = int(value, 0) if value else number + 1
                found[word] = number
    clause = re.sub(r"\s*///\s?", " ", declared[1]).strip()
    return re.split(r"[.;:,]\s", clause + " ")[0], found


def module(companion, lists):
    yield "/* Enumerations of the engine: scripts/engine-constants.py writes them, of the Swift sources that they name. */"
    for name, source, swift in lists:
        folder = root.parent if source.startswith("Platform/") else root / companion
        clause, found = members((folder / source).read_text(), swift)
        yield f"\n/** {clause}: `{swift}` in {source}. */"
        yield f"export const {name} = {{"
        yield from (f"    {word}: {number}," for word, number in found.items())
        yield "};"


stale = []
for companion, lists in wanted.items():
    path = root / companion / "Web/engine-constants.js"
    written = "\n".join(module(companion, lists)) + "\n"
    if not path.exists() or path.read_text() != written:
        stale.append(path)
        if "--check" not in sys.argv[1:]:
            path.write_text(written)
if stale and "--check" in sys.argv[1:]:
    print(*(f"{path.relative_to(root.parent)} is not what Swift says: run scripts/engine-constants.py" for path in stale), sep="\n")
    sys.exit(1)
