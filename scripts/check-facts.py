#!/usr/bin/env python3
"""Says what is wrong with the facts of the trivia toy, as `file:line: what is wrong`; what is of a whole file has line 0.

    scripts/check-facts.py [DIR]

Whether a fact is true, and whether its source says so, only a reader can tell.
"""

import json
import pathlib
import re
import sys
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[1]
FOLDER = ROOT / "Companions/TriviaToy/Facts"
FEWEST_FACTS, FEWEST_CATEGORIES = 300, 12
KEYS = ["id", "difficulty", "age", "en", "de", "source"]
DIFFICULTIES, AGES = ["easy", "medium", "hard"], [5, 8, 11]
LENGTHS = {"en": (60, 280), "de": (60, 320)}  # characters
IDENTIFIER = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
FOREIGN = re.compile(r"[^A-Za-z0-9ÄÖÜäöüß ,.'?!:-]")
ALIKE = 0.6  # words that two texts have in common, as a share of all words of both


def once(pairs):
    """An object's members, refusing a name that is there twice: json would keep the last one in silence."""
    names = [name for name, _ in pairs]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"{name} is there twice")
    return dict(pairs)


def words(text):
    return frozenset(re.findall(r"\w+", text.lower()))


def wrong_with_text(language, text):
    if not isinstance(text, str) or not text.strip():
        yield f"{language} is missing"
        return
    least, most = LENGTHS[language]
    if not least <= len(text) <= most:
        yield f"{language} has {len(text)} characters, not {least} to {most}"
    if foreign := sorted(set(FOREIGN.findall(text))):
        yield f"{language} has characters that are not allowed: {' '.join(map(ascii, foreign))}"
    if re.search(r"\d{5}", text):
        yield f"{language} has more than four digits in a row"
    if text != " ".join(text.split()):
        yield f"{language} has a space too many"
    if text[-1] not in ".?!":
        yield f"{language} does not end like a sentence"


def wrong_with_source(source):
    if not isinstance(source, dict):
        yield "source is missing"
        return
    if list(source) != ["title", "url"]:
        yield "source has other keys than title and url, in this order"
    title, url = source.get("title"), source.get("url")
    if not isinstance(title, str) or not title.strip():
        yield "the source's title is missing"
    if not isinstance(url, str) or not url.strip():
        yield "the source's URL is missing"
        return
    try:
        parts = urllib.parse.urlsplit(url)
        fine = parts.scheme == "https" and "." in (parts.hostname or "") and not re.search(r"\s", url)
    except ValueError:
        fine = False
    if not fine:
        yield "the source's URL is not one of https"


def wrong_with_fact(fact, category):
    if list(fact) != KEYS:
        yield f"has other keys than {', '.join(KEYS)}, in this order"
    name = fact.get("id")
    if not isinstance(name, str) or not IDENTIFIER.fullmatch(name):
        yield "id is not of a-z, 0-9 and single hyphens"
    elif not name.startswith(category + "-"):
        yield f"id does not begin with {category}-"
    if fact.get("difficulty") not in DIFFICULTIES:
        yield f"difficulty is not one of {', '.join(DIFFICULTIES)}"
    if type(fact.get("age")) is not int or fact["age"] not in AGES:
        yield f"age is not one of {', '.join(map(str, AGES))}"
    for language in LENGTHS:
        yield from wrong_with_text(language, fact.get(language))
    yield from wrong_with_source(fact.get("source"))


def read(path):
    """Number, fact or None, and what hindered reading, for each line."""
    for number, line in enumerate(path.read_bytes().removesuffix(b"\n").split(b"\n"), 1):
        try:
            fact = json.loads(line.decode("utf-8"), object_pairs_hook=once)
        except UnicodeDecodeError:
            yield number, None, "is not UTF-8"
        except ValueError as error:
            yield number, None, f"is not JSON: {error}"
        else:
            yield (number, fact, None) if isinstance(fact, dict) else (number, None, "is not an object")


def wrong_with_pack(folder):
    """Place and mistake, for all files of the folder."""
    files = sorted(folder.glob("*.jsonl"))
    if pathlib.Path.cwd() in folder.parents:
        files = [path.relative_to(pathlib.Path.cwd()) for path in files]
    count, ids, texts = 0, {}, {language: [] for language in LENGTHS}
    for path in files:
        seen = set()
        for number, fact, hindrance in read(path):
            place = f"{path}:{number}"
            if fact is None:
                yield place, hindrance
                continue
            count += 1
            for mistake in wrong_with_fact(fact, path.stem):
                yield place, mistake
            if fact.get("difficulty") in DIFFICULTIES:
                seen.add(fact["difficulty"])
            name = fact.get("id")
            if isinstance(name, str) and ids.setdefault(name, place) != place:
                yield place, f"id {name} is that of {ids[name]}"
            for language, others in texts.items():
                if not isinstance(fact.get(language), str):
                    continue
                own = words(fact[language])
                for other, where in others:
                    share = len(own & other) / max(1, len(own | other))
                    if share >= ALIKE:
                        yield place, f"{language} has {share:.0%} of its words in common with {where}"
                others.append((own, place))
        for difficulty in DIFFICULTIES:
            if difficulty not in seen:
                yield f"{path}:0", f"has no fact that is {difficulty}"
    if len(files) < FEWEST_CATEGORIES:
        yield f"{folder}:0", f"has {len(files)} categories, fewer than {FEWEST_CATEGORIES}"
    if count < FEWEST_FACTS:
        yield f"{folder}:0", f"has {count} facts, fewer than {FEWEST_FACTS}"


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    mistakes = [f"{place}: {mistake}" for place, mistake in wrong_with_pack(folder)]
    print(*mistakes, sep="\n", end="\n" if mistakes else "")
    sys.exit(1 if mistakes else 0)


main()
