"""Makes docs/performance.md from docs/performance/latest.json, and that from what was measured last; says what fell too far.

    .venv/bin/python Benchmarks/table.py            takes bench-results/*.json into latest.json, and writes the table
    .venv/bin/python Benchmarks/table.py --check    writes nothing: whether the table is that of latest.json

latest.json has each figure as it was measured last, with the run that it is of; a figure that could not be measured in a
later run keeps what it had and says so. Ends with 1 where a ratio that was just measured is past its limit in thresholds.json,
or where a program did not measure what it is there for. A time or a rate alone never fails: machines differ.
"""

import argparse
import datetime
import json
import pathlib
import sys

from results import FOLDER, ROOT, rows

LATEST = ROOT / "docs/performance/latest.json"
TABLE = ROOT / "docs/performance.md"
MOST_LINES = 80
HEAD = """# Performance

One line for each figure, written by `make bench` (or `Benchmarks/table.py`, from `docs/performance/latest.json`): do not edit
it by hand. A figure has the letter of the run that it is of, below. Aims, their sources and the limits below which `make bench`
fails stand in `Benchmarks/thresholds.json`. `make bench ONLY="brokers handshakes"` measures some of it; each program in
`Benchmarks` says at its top how it measures. Earlier figures, and what was found on the way, are kept by date: up to
[24 November 2026](performance/2026-11-24.md), [28](performance/2026-11-28.md) and [29 November](performance/2026-11-29.md); how cost
grows is [a page of its own](performance/scale.md).

| figure | how it is taken | measured | beside | aim | met | run |
|---|---|---|---|---|---|---|
"""


def number(value):
    """With commas, and no more digits than say something."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def amount(value, unit):
    return f"{number(value)}{'' if unit.startswith('/') else ' '}{unit}"


def judged(figure):
    """What the aim and the limits are of: the ratio where there is one."""
    return figure.get("ratio", figure["value"])


def is_met(row, figure):
    if row.get("aim") is None:
        return ""
    value = judged(figure)
    return "yes" if (value >= row["aim"] if row["better"] == "higher" else value <= row["aim"]) else "**no**"


def cells(row, figure, letter):
    ratio, unit, spread = figure.get("ratio"), figure["unit"], figure.get("spread")
    measured = amount(figure["value"], unit) if ratio is None else number(ratio)
    notes = [
        spread and f"{number(spread[0])} to {number(spread[1])}", ratio is not None and f"here {amount(figure['value'], unit)}",
        "n" in figure and f"n = {figure['n']:,}", figure.get("note"),
    ]  # fmt: skip
    notes = [one for one in notes if one]
    peer = figure.get("peer")
    aim = row.get("aim")
    return [
        row["figure"], f"`{row['program']}`: {row['how']}", f"**{measured}**" + (f" ({'; '.join(notes)})" if notes else ""),
        f"{peer['name']}: {amount(peer['value'], unit)}" if peer else "",
        "" if aim is None else f"{'at least' if row['better'] == 'higher' else 'at most'} "
        + (number(aim) if ratio is not None else amount(aim, unit)),
        is_met(row, figure), letter + (f"; {figure['missing']}" if figure.get("missing") else ""),
    ]  # fmt: skip


def of(run):
    """A run in words."""
    date = datetime.date.fromisoformat(run["date"])
    programs = ", ".join(f"{name} {version}" for name, version in sorted(run.get("versions", {}).items()))
    load = f", load {run['load']}" if run.get("load") is not None else ""
    kernel = f", Linux {run['kernel']}" if run.get("kernel") else ""
    return (
        f"{date.day} {date:%B %Y}, `{run['commit']}`, {run['cores']} cores {run['cpu']}, {run['system']}{kernel}{load}"
        f"{'; ' + programs if programs else ''}{'; ' + run['note'] if run.get('note') else ''}"
    )


def table(latest):
    known, runs, lines = rows(), [], []
    for name, row in known.items():
        figure = latest["figures"].get(name)
        if figure is None:
            lines.append([row["figure"], f"`{row['program']}`: {row['how']}", "not measured yet", "", "", "", ""])
        elif "value" not in figure:
            lines.append([row["figure"], f"`{row['program']}`: {row['how']}", "not measured", "", "", "", figure["missing"]])
        else:
            if figure["run"] not in runs:
                runs.append(figure["run"])
            lines.append(cells(row, figure, chr(ord("a") + runs.index(figure["run"]))))
    text = HEAD + "".join(f"| {' | '.join(line)} |\n" for line in lines) + "\n"
    text += "".join(f"- **{chr(ord('a') + index)}**: {of(latest['runs'][run])}\n" for index, run in enumerate(runs))
    if text.count("\n") > MOST_LINES:
        raise SystemExit(f"The table has {text.count(chr(10))} lines, and {MOST_LINES} at most: take figures out of thresholds.json.")
    return text


def taken_in(latest, measured):
    """latest with what was measured, each figure with its run; runs of which nothing is left go."""
    figures, runs = dict(latest["figures"]), dict(latest["runs"])
    for data in measured:
        run = data["machine"]
        # Programs of one `make bench` begin at different loads: a run is told by its machine, its tree and its day.
        key = next((key for key, one in runs.items() if {**one, "load": 0} == {**run, "load": 0}), None)
        if key is None:
            key = f"{run['date']} {run['commit']}"
            while key in runs:
                key += "'"
            runs[key] = run
        for figure in data["figures"]:
            figures[figure["name"]] = {**{k: v for k, v in figure.items() if k not in ("name", "aim", "better")}, "run": key}
        for one in data["missing"]:
            kept = figures.get(one["name"], {})
            figures[one["name"]] = {**kept, "missing": f"not measured on {run['date']}: {one['why']}"}
    known = rows()
    figures = {name: figures[name] for name in known if name in figures}
    left = {one.get("run") for one in figures.values()}
    return {"runs": {key: run for key, run in runs.items() if key in left}, "figures": figures}


def trouble(measured):
    """What is past its limit, and what a program should have measured and said nothing of."""
    known = rows()
    for data in measured:
        came = {one["name"]: one for one in data["figures"]}
        missing = {one["name"] for one in data["missing"]}
        for name, row in known.items():
            if row["program"] != data["program"] or name in missing:
                continue
            if name not in came:
                # A part of a program was asked for: what it leaves out, it leaves.
                if not data.get("isPart"):
                    yield f"{name}: {row['program']} did not measure it ({row['figure']})"
                continue
            value, peer = came[name].get("ratio"), came[name].get("peer", {}).get("name", "its peer")
            for limit, is_past in (("least", lambda a, b: a < b), ("most", lambda a, b: a > b)):
                if limit in row and value is not None and is_past(value, row[limit]):
                    yield (f"{name}: {number(value)} of {peer}, and {row[limit]} at {limit} ({row['figure']}; "
                           f"Benchmarks/thresholds.json, {row['source']})")  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="whether docs/performance.md is that of latest.json")
    asked = parser.parse_args()
    latest = json.loads(LATEST.read_text())
    if asked.check:
        if table(latest) != TABLE.read_text():
            raise SystemExit(f"{TABLE.relative_to(ROOT)} is not what Benchmarks/table.py makes of latest.json")
        return
    measured = [json.loads(file.read_text()) for file in sorted(pathlib.Path(FOLDER).glob("*.json"))]
    latest = taken_in(latest, measured)
    LATEST.write_text(json.dumps(latest, indent=1, ensure_ascii=False) + "\n")
    TABLE.write_text(table(latest))
    wrong = list(trouble(measured))
    for line in wrong:
        print(f"FAILED {line}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
