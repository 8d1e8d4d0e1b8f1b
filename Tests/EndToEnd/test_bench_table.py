"""What `make bench` makes of what it measured: a ratio past its limit is said and fails, a time alone never does."""

import json
import subprocess
import sys

import pytest

from hub import ROOT

sys.path.insert(0, str(ROOT / "Benchmarks"))

import table  # noqa: E402
from results import Results, rows  # noqa: E402

RUN = {"date": "2026-12-01", "commit": "0123abcd", "cores": 4, "cpu": "a processor", "system": "Debian 12"}


def measured(program, *figures, missing=(), **more):
    return {"program": program, "machine": RUN, "figures": list(figures), "missing": list(missing), **more}


def figure(name, value=1.0, **more):
    return {"name": name, "value": value, "unit": "ms", **more}


def test_a_ratio_past_its_limit_is_said_and_a_time_alone_never_is():
    kinds = [name for name, row in rows().items() if row["program"] == "handshakes"]
    good = [figure(name, ratio=rows()[name]["least"]) for name in kinds]
    assert list(table.trouble([measured("handshakes", *good)])) == []
    bad = [figure(kinds[0], ratio=0.1, peer={"name": "nginx", "value": 1}), *good[1:]]
    [line] = table.trouble([measured("handshakes", *bad)])
    assert kinds[0] in line and "0.1 of nginx" in line and f"{rows()[kinds[0]]['least']} at least" in line
    slow = [figure(name, 1e9) for name, row in rows().items() if row["program"] == "figures"]
    assert list(table.trouble([measured("figures", *slow)])) == []


def test_a_program_that_says_nothing_of_a_figure_has_not_measured_it():
    [line] = table.trouble([measured("toy_legacy", figure("toy.healthz", ratio=1))])
    assert line.startswith("toy.next: toy_legacy did not measure it")
    assert list(table.trouble([measured("toy_legacy", isPart=True)])) == []
    gone = {"name": "toy.next", "why": "there is no bare route"}
    assert list(table.trouble([measured("toy_legacy", figure("toy.healthz", ratio=1), missing=[gone])])) == []


def test_what_could_not_be_measured_stays_as_it_was_and_says_so():
    before = {"runs": {"old": {**RUN, "date": "2026-11-24"}}, "figures": {"toy.next": {"value": 7, "unit": "/s", "run": "old"}}}
    why = {"name": "toy.next", "why": "nothing to measure it with"}
    after = table.taken_in(before, [measured("toy_legacy", figure("toy.healthz", ratio=2), missing=[why])])
    text = table.table(after)
    assert "**7/s**" in text and "not measured on 2026-12-01: nothing to measure it with" in text
    assert "24 November 2026" in text and "1 December 2026" in text and "not measured yet" in text


def test_the_table_in_the_repository_is_that_of_its_figures_and_fits():
    subprocess.run([sys.executable, ROOT / "Benchmarks/table.py", "--check"], check=True)
    assert len((ROOT / "docs/performance.md").read_text().splitlines()) <= table.MOST_LINES
    assert {row["program"] for row in rows().values()} <= {file.stem for file in (ROOT / "Benchmarks").glob("*.py")}
    for name, row in rows().items():
        assert row["better"] in ("lower", "higher") and row["source"], name


@pytest.mark.parametrize("value, kept", [(690_620, 690_620), (3.14159, 3.142), (0.000123456, 0.0001235)])
def test_a_program_writes_each_figure_as_soon_as_it_has_it(tmp_path, monkeypatch, value, kept):
    monkeypatch.setattr("results.FOLDER", tmp_path)
    results = Results("memory_peaks")
    results.record("memory.import", value, "MB", n=2)
    [one] = json.loads((tmp_path / "memory_peaks.json").read_text())["figures"]
    assert one == {"name": "memory.import", "value": kept, "unit": "MB", "n": 2, "better": "lower"}
