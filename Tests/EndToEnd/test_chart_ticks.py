"""What stands at the axes of charts, by its words and not by its pixels.

The rule, which is that of most charts on paper: ticks a round step apart, which is 1, 2 or 5 times a power of ten and the
smallest of these of which no more fit than there is room for; all with as many decimals as that step has; a true minus (U+2212);
the unit once, by the last of them or in the chart's head.
"""

import decimal
import json
import math

import pytest

from every_screen import EMAIL, PASSWORD, household, paths, visit
from pages import DESKTOP, browser, new_page  # noqa: F401
from single_modules import modules  # noqa: F401

MINUS = "−"


def round_step(reach, most):
    """The smallest of ..., 0.1, 0.2, 0.5, 1, 2, 5, 10, ... of which at most so many make up the reach."""
    power = decimal.Decimal(1).scaleb(-6)
    while True:
        for times in (1, 2, 5):
            if times * power * most >= reach * decimal.Decimal("0.999"):
                return times * power
        power *= 10


def expected(low, high, most=5, is_whole=False):
    """The ticks from `low` to `high`, or from one tick to another."""
    low, high = decimal.Decimal(str(low)), decimal.Decimal(str(high))
    step = round_step(high - low, most)
    first = (low / step).to_integral_value(decimal.ROUND_FLOOR if is_whole else decimal.ROUND_CEILING)
    last = (high / step).to_integral_value(decimal.ROUND_CEILING if is_whole else decimal.ROUND_FLOOR)
    decimals = max(0, -step.adjusted())
    values = [n * step for n in range(int(first), int(last) + 1)]
    return [f"{value:,.{decimals}f}".replace("-", MINUS) if value else f"{0:.{decimals}f}" for value in values]


def test_the_rule_says_what_one_would_write_by_hand():
    assert expected(-1.2, 1.2) == ["−1.0", "−0.5", "0.0", "0.5", "1.0"]
    assert expected(0, 1600) == ["0", "500", "1,000", "1,500"]
    assert expected(101.16, 101.34) == ["101.20", "101.25", "101.30"]
    assert expected(646, 1600) == ["800", "1,000", "1,200", "1,400", "1,600"]
    assert expected(0, 14, 4, is_whole=True) == ["0", "5", "10", "15"]


@pytest.mark.parametrize("steps", [2, 3, 4, 5])
@pytest.mark.parametrize("is_whole", [False, True])
def test_an_axis_has_the_ticks_of_the_rule(modules, steps, is_whole):
    ranges = [(low, high) for low in (-9.81, -1.2, -0.004, 0, 3, 99.9, 101.16) for high in (low + r for r in (0.003, 0.18, 2.4, 7, 14, 1600))]
    ranges = [(low, round(high, 6)) for low, high in ranges]
    found = modules.evaluate(
        """async ([ranges, steps, isWhole]) => {
            const { chartAxis } = await import("/elements/chart-axis.js");
            return ranges.map(([low, high]) => chartAxis(low, high, { steps, isWhole }).ticks.map(({ label }) => label));
        }""",
        [ranges, steps, is_whole],
    )
    wrong = [
        (one, labels, expected(*one, steps + 1, is_whole))
        for one, labels in zip(ranges, found, strict=True)
        if labels != expected(*one, steps + 1, is_whole)
    ]
    assert wrong == []


def chart_of(seconds, value):
    """An answer of the hub about a recording at 100 Hz, of one point in 0.2 s."""
    points = [
        {"seconds": n / 5, "count": 20, "low": [value(n / 5) - 0.1], "mean": [value(n / 5)], "high": [value(n / 5) + 0.1]} for n in range(seconds * 5 + 1)
    ]
    return {"axes": ["pressure"], "unit": "kPa", "points": points, "gaps": [], "widthMicroseconds": 200_000}


TICKS = """(node) => ({
    values: [...node.querySelectorAll(".ends > span:not(.strong)")].map((one) => one.textContent),
    along: [...node.querySelectorAll("svg.plot > text")].map((one) => one.textContent),
})"""


def test_a_recording_has_round_values_and_times_and_stays_so_when_it_is_looked_at_closer(modules):
    chart = chart_of(80, lambda seconds: 101 + math.sin(seconds))
    modules.route(
        "http://modules.test/api/lab/recordings/**",
        lambda route: route.fulfill(body=json.dumps(chart), content_type="application/json"),
    )
    found = modules.evaluate(
        f"""async () => {{
            const {{ recordingChart }} = await import("/lab/recordings/recording-chart.js");
            const node = await recordingChart({{ id: "a", name: "b" }}, "barometer", new AbortController().signal);
            document.body.replaceChildren(node);
            const ticks = {TICKS};
            const press = (key, more) => node.querySelector("input").dispatchEvent(new KeyboardEvent("keydown", {{ key, bubbles: true, ...more }}));
            const all = [ticks(node)];
            press("+");
            all.push(ticks(node));
            press("ArrowRight", {{ shiftKey: true }});
            all.push(ticks(node));
            press("0");
            return [...all, ticks(node)];
        }}"""
    )
    # From 99.9 to 102.1, and a twentieth of that more at either end.
    values = [0.1 + 101 + math.sin(n / 5) for n in range(401)]
    low, high = min(values) - 0.2, max(values)
    room = (high - low) * 0.05

    def times(start, end):
        labels = expected(start, end, 6)
        return [*labels[:-1], f"{labels[-1]} s"]

    assert [one["values"] for one in found] == [expected(low - room, high + room)] * 4
    assert [one["along"] for one in found] == [times(0, 80), times(20, 60), times(30, 70), times(0, 80)]


def test_a_class_has_the_same_round_axis_for_each_phone(modules):
    chart = chart_of(10, lambda seconds: math.sin(seconds))
    found = modules.evaluate(
        f"""async (chart) => {{
            const {{ classCurves }} = await import("/lab/class/class-curves.js");
            const node = classCurves({{ curves: [{{ guest: "1", chart }}, {{ guest: "2", chart }}], sensor: "barometer" }},
                (guest) => guest, 60, "pressure");
            return [...node.children].map({TICKS});
        }}""",
        chart,
    )
    values = [math.sin(n / 5) for n in range(51)]
    low, high = min(values) - 0.1, max(values) + 0.1
    room = (high - low) * 0.08
    assert found == [{"values": expected(low - room, high + room, 4), "along": ["0", "10", "20", "30", "40", "50", "60 s"]}] * 2


def test_a_live_chart_and_an_experiment_say_their_unit_once_in_their_head(modules):
    [live, at_once, experiment, two] = modules.evaluate(
        """async () => {
            const { liveChart } = await import("/lab/measure/live-chart.js");
            const { experimentPlot } = await import("/lab/experiments/experiment-plot.js");
            const style = document.createElement("style");
            style.textContent = ".live-plot { display: block; width: 300px; height: 170px; }";
            document.body.replaceChildren(style);
            const words = (node) => ({
                head: node.querySelector(".live-head .fine")?.textContent ?? "",
                values: [...node.querySelectorAll(".live-ends > span")].map((one) => one.textContent),
                along: [...node.querySelectorAll(".live-along > span")].map((one) => one.textContent),
            });
            const chart = liveChart({ title: "Live", label: "Live", axes: ["x"], unit: "g", least: 1 });
            document.body.append(chart.node);
            await new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); });
            chart.draw(new Float32Array([0, -1.3, 0.5, 0.2, 1, 1.4]), 1);
            chart.say({ came: null, silent: 0 });
            const first = words(chart.node);
            // The names go with the lines: some frames pass before what came is said the next time, or it never is.
            chart.draw(new Float32Array([0, -1.3, 0.5, 0.2, 1, 14]), 1);
            // What an engine answers: the place along, and each line's value.
            const engine = (points) => ({ call: { experimentPlot: () => 0, experimentEvery: () => 1 }, answer: () => new Uint8Array(new Float32Array(points).buffer) });
            const plot = experimentPlot({ title: "Turning", x: "time", y: ["gyroscope.x", "gyroscope.y"] });
            const named = [{ name: "squared", unit: "rad²/s²" }];
            const other = experimentPlot({ title: "Both", x: "squared", y: ["accelerometer.x", "gyroscope.x"] }, named);
            document.body.append(plot.node, other.node);
            plot.draw(engine([0, -3, 1, 15, 4, 2, 30, 0, 0]), 0);
            other.draw(engine([0, 0, 0.1, 4, 1, 0.2]), 0);
            const key = [...other.node.querySelectorAll(".key > span")].map((one) => one.textContent);
            return [first, words(chart.node), words(plot.node), { ...words(other.node), key }];
        }"""
    )
    # The scale of a live chart is the next 1, 2 or 5 times a power of ten: 1.4 and a tenth more is below 2.
    assert live == {"head": "g", "values": expected(-2, 2), "along": []}
    assert at_once == {"head": "g", "values": expected(-20, 20), "along": []}
    # A twelfth of the reach, 0.08, is left free above and below.
    assert experiment == {
        "head": "rad/s", "values": expected(-3 - 0.56, 4 + 0.56), "along": [*expected(0, 30, 6)[:-1], "30 s"],
    }  # fmt: skip
    assert two["head"] == "" and two["key"] == ["x, g", "x, rad/s"] and two["along"][-1] == "4 rad²/s²"


def test_what_a_hand_did_is_drawn_on_round_axes(modules):
    [bars, habit, few, late, warm] = modules.evaluate(
        """async () => {
            const { barAxis } = await import("/brushing/history/brush-chart.js");
            const { timingAxis } = await import("/drums/session-page/timing.js");
            const { namedOnce, valueAxis } = await import("/plants/chart-axis.js");
            const labels = ({ ticks }) => ticks.map(({ label }) => label);
            return [labels(barAxis(false, 14)), labels(barAxis(true, 14)), labels(barAxis(false, 1)), labels(timingAxis(260)),
                namedOnce(valueAxis({ points: [[0, 20, 17.6, 24.2, 4]] }).ticks, "°C")];
        }"""
    )
    assert bars == expected(0, 14, 4, is_whole=True) == ["0", "5", "10", "15"]
    assert habit == ["0", "50", "100"] and few == ["0", "1"]
    # As far down as up: 260 needs at most three round steps, which are 100.
    assert late == expected(-300, 300, 5, is_whole=True)
    ticks = expected(17.6, 24.2, 5, is_whole=True)
    assert warm == [*ticks[:-1], f"{ticks[-1]} °C"]


# The words at the axes of whatever chart a page shows, those of the points that were measured left out.
SHOWN = """() => [
    ...[...document.querySelectorAll("figure.chart .ends, .live-ends, .hand-axis")].map((one) =>
        [...one.querySelectorAll("span:not(.strong)")].map((tick) => tick.textContent)),
    ...[...document.querySelectorAll("canvas")].flatMap((one) => {
        const chart = globalThis.Chart?.getChart(one);
        return chart ? [chart.scales.y.ticks.map(({ label }) => String(label))] : [];
    }),
]"""
CHARTS = ["/plants/", "/brushing/history", "/drums/session/", "/drums/data", "/drums/report", "/lab/recordings/", "/lab/compare?"]


def number_of(words):
    """What a tick says, without its unit; nothing for words such as "1 beat" and "30 dry"."""
    number = words.split(" ")[0].rstrip("%").replace(",", "").replace(MINUS, "-").removeprefix("+")
    try:
        return decimal.Decimal(number) if "beat" not in words and "dry" not in words and "wet" not in words else None
    except decimal.InvalidOperation:
        return None


@pytest.fixture(scope="module")
def family(tmp_path_factory, web):
    hub = household(tmp_path_factory.mktemp("charts") / "data", web)
    yield hub
    hub.close()


def test_every_chart_of_a_household_stands_on_round_values(family, browser):  # noqa: F811
    page = new_page(family, browser, (DESKTOP, "light"))
    page.context.add_cookies([{"name": "tandem_session", "value": family.page_cookie(EMAIL, PASSWORD), "url": family.url}])
    wrong, seen = [], 0
    for path in (one for one in paths(family) if any(one.startswith(chart) for chart in CHARTS)):
        visit(page, path)
        for labels in page.evaluate(SHOWN):
            values = sorted(one for one in map(number_of, labels) if one is not None)
            if any("-" in one for one in labels):
                wrong.append((path, "no true minus", labels))
            if len(values) < 2:
                continue
            seen += 1
            apart = min(later - earlier for earlier, later in zip(values, values[1:], strict=False))
            # Of equal ticks some may be left out where other words stand: the next larger step is round, too.
            if apart.normalize().as_tuple().digits not in ((1,), (2,), (4,), (5,)) or any(one % apart for one in values):
                wrong.append((path, "not round", labels))
            if len({-value.as_tuple().exponent for value in values}) > 1:
                wrong.append((path, "decimals differ", labels))
            if sum(any(letter.isalpha() or letter == "°" for letter in one) and number_of(one) is not None for one in labels) > 1:
                wrong.append((path, "the unit more than once", labels))
    page.context.close()
    assert not wrong, "\n".join(map(str, wrong))
    assert seen >= 8, seen
