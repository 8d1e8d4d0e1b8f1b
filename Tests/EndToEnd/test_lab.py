"""The lab in a real browser whose sensors are at known values: the numbers on the page must be those."""

import re

import pytest
from playwright.sync_api import expect

from hub import Hub, eventually
from lab_page import Phone, at_rest, number_of
from pages import PHONE, new_page, sign_in, whole_browser as browser  # noqa: F401
from shared_hub import shared_hub

hub = shared_hub(web=True)


@pytest.fixture
def page(hub, browser):  # noqa: F811
    page = new_page(hub, browser, (PHONE, "light"))
    yield page
    page.context.close()
    assert not page.wrongs, page.wrongs


@pytest.fixture
def phone(page):
    return Phone(page)


def readout(page, name):
    return page.locator("dl.readouts div").filter(has=page.locator("dt", has_text=name)).first.locator("dd").first


def say(page, words):
    expect(page.locator("h1")).to_have_text(words)


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def test_the_gyroscope_shows_what_the_sensor_says_and_moves_the_rectangle(page, phone):
    phone.set(gyroscope=(0.5, -1.0, 0.25), **at_rest())
    sign_in(page, "/lab/gyroscope")
    press(page, "Start")
    for axis, value in (("x", "0.50"), ("y", "−1.00"), ("z", "0.25")):
        expect(readout(page, axis)).to_have_text(value)
    # Half of its size, 80 pixels, times the rate; a browser rounds rates to a tenth of a degree a second.
    moved = eventually(lambda: page.evaluate(
        "() => { const { style } = document.querySelector('.specimen');"
        " const at = [...'xy'].map((one) => parseFloat(style.getPropertyValue(`--${one}`)));"
        " return Math.abs(at[0] - 20) < 0.2 && Math.abs(at[1] + 40) < 0.2; }"))  # fmt: skip
    assert moved
    say(page, "Leaning to the left, slowly")
    # The original's 15 a second, of the browser's 60.
    eventually(lambda: 13.5 <= (number_of(page, ".instrument-name .fine") or 0) <= 16.5, what="15 Hz")
    page.get_by_text("What measuring costs").click()
    expect(page.get_by_role("row", name="Engine and drawing")).to_contain_text("ms")
    expect(page.get_by_role("row", name="Hub process")).to_have_count(0)
    page.get_by_text("What it costs the hub").click()
    expect(page.get_by_role("row", name="Hub process")).to_contain_text("%")
    press(page, "Stop")
    expect(page.get_by_role("button", name="Start", exact=True)).to_be_visible()


def test_nothing_runs_after_the_page_was_left(page, phone):
    page.add_init_script(
        "(() => { const { requestAnimationFrame: real, addEventListener: add } = window; window.drawn = 0; window.read = 0;"
        " window.requestAnimationFrame = (work) => real((at) => { window.drawn += 1; work(at); });"
        " window.addEventListener = (type, work, more) => add.call(window, type, type !== 'devicemotion' ? work"
        " : (event) => { window.read += 1; work(event); }, more); })();")  # fmt: skip
    phone.set(gyroscope=(0.1, 0, 0), **at_rest())
    sign_in(page, "/lab/gyroscope")
    press(page, "Start")
    page.wait_for_function("() => window.read > 5 && window.drawn > 5")
    page.get_by_role("link", name="Lab", exact=True).first.click()
    say(page, "What shall we measure?")
    runs = page.evaluate(
        "async () => { const before = window.read; const drawn = window.drawn;"
        " await new Promise((done) => { setTimeout(done, 400); }); return [window.read - before, window.drawn - drawn]; }")  # fmt: skip
    assert runs[0] == 0 and runs[1] < 12, runs


def test_the_accelerometer_reads_one_g_at_rest_and_nought_in_free_fall(page, phone):
    phone.set(gyroscope=(0, 0, 0), **at_rest())
    sign_in(page, "/lab/accelerometer")
    press(page, "Start")
    expect(readout(page, "z")).to_have_text("1.00")
    expect(readout(page, "all")).to_have_text("1.00")
    say(page, "It feels 1.00 g")
    expect(readout(page, "from lying on its back")).to_have_text("0°")
    phone.set(accelerometer=(0, 0, 0), **{"linear-acceleration": (0, 0, -9.80665)})
    say(page, "Free fall: nothing is felt")
    expect(readout(page, "all")).to_have_text("0.00")
    phone.set(**at_rest())
    say(page, "It feels 1.00 g")


def move(page, felt, rate="{ alpha: 0, beta: 0, gamma: 0 }"):
    """Has the page feel a formula of `s`, its seconds, in m/s², and turn by one in degrees a second."""
    page.evaluate(
        "([felt, rate]) => { const [feel, turn] = [felt, rate].map((one) => Function('s', `return ${one}`));"
        " setInterval(() => { const s = performance.now() / 1000; dispatchEvent(new DeviceMotionEvent('devicemotion',"
        " { accelerationIncludingGravity: feel(s), rotationRate: turn(s), interval: 16 })); }, 16); }", [felt, rate])  # fmt: skip


def figures(page, selector):
    return [float(one) for one in re.findall(r"\d+(?:\.\d+)?", page.locator(selector).first.text_content() or "")]


def test_a_phone_that_is_shaken_sideways_is_said_to_shake_along_x_as_often_and_as_strongly_as_it_is(page):
    sign_in(page, "/lab/accelerometer")
    # Lying flat, at 2 Hz with 0.31 g.
    move(page, "({ x: 0.31 * 9.80665 * Math.sin(4 * Math.PI * s), y: 0, z: 9.80665 })")
    press(page, "Start")
    spectrum = page.locator("section", has=page.get_by_role("heading", name="Spectrum"))
    found = lambda words: spectrum.locator(".lead", has_text=words).count() > 0 and figures(page, "section:has(h2:text-is('Spectrum')) .lead")  # noqa: E731
    def is_right(words, hertz, g):  # fmt: skip
        numbers = found(words)
        return bool(numbers) and abs(numbers[0] - hertz) < 0.05 and abs(numbers[2] - g) < 0.01

    eventually(lambda: is_right("Strongest along x", 2, 0.31), within=30, what="2 Hz with 0.31 g along x")
    press(page, "y")
    expect(spectrum.locator(".lead")).to_have_text("No frequency stands out.")
    # Without a direction it is twice as fast, and 4 / 3π as strong: said where somebody asks for it.
    press(page, "Length")
    eventually(lambda: is_right("In the length", 4, 0.1316), what="4 Hz in the length")
    expect(spectrum).to_contain_text("The length has no direction")


def test_what_somebody_turns_is_not_called_drift(page):
    sign_in(page, "/lab/gyroscope")
    page.evaluate("() => { window.turning = 40; }")
    move(page, "({ x: 0, y: 0, z: 9.80665 })", "({ alpha: 0, beta: 0, gamma: window.turning * Math.cos(s) + 0.1 * Math.sin(900 * s) })")
    press(page, "Start")
    expect(page.locator("main")).to_contain_text("Put it down for some seconds")
    page.evaluate("() => { window.turning = 0; }")
    expect(page.locator("main")).to_contain_text("Lying still it says", timeout=15_000)


def test_what_measuring_costs_is_this_devices_own_where_the_browser_tells_nothing(page, phone):
    # As on an iPhone: no battery, no pressure, no memory of scripts.
    page.add_init_script(
        "Object.defineProperty(performance, 'memory', { value: undefined }); delete Navigator.prototype.getBattery;"
        "delete Performance.prototype.measureUserAgentSpecificMemory;"
        " delete window.PressureObserver;")  # fmt: skip
    phone.set(gyroscope=(0.5, 0, 0), **at_rest())
    sign_in(page, "/lab/gyroscope")
    press(page, "Start")
    page.get_by_text("What measuring costs").click()
    row = lambda name: page.get_by_role("row", name=name)  # noqa: E731
    eventually(lambda: float(re.search(r"(\d+\.\d)%", row("Processor").text_content())[1]) > 0, what="a share of a core")
    expect(row("Memory")).to_contain_text("of the engine, as it tells itself")
    expect(row("Memory")).to_contain_text(re.compile(r"([1-9]\d*\.\d|0\.[1-9])\sMB"))
    # The hub's own part is folded away, and not asked for before somebody looks.
    expect(page.locator("table.cost").first.get_by_text("not told").locator("visible=true")).to_have_count(0)
    expect(page.locator("main")).to_contain_text("This browser tells no page: its battery, how hard the device works.")


@pytest.mark.own_hub
def test_what_is_recorded_reaches_the_hub_with_its_note(hub, page, phone):  # noqa: F811
    phone.set(gyroscope=(0.5, 0, 0), **at_rest())
    sign_in(page, "/lab/gyroscope")
    press(page, "Record")
    expect(readout(page, "x")).to_have_text("0.50")
    expect(page.locator(".record-status")).to_contain_text(re.compile(r" (?:[4-9]|\d{2,}) samples"))
    press(page, "Write something down")
    page.get_by_label("What happened just now?").fill("It was turned")
    press(page, "Write it down")
    press(page, "End the recording")
    expect(page.locator(".record-status")).to_contain_text("Recorded. The hub has it.")
    page.get_by_role("link", name="Show the recordings").click()
    page.get_by_role("link", name="Rotation").click()
    expect(page.locator("main")).to_contain_text("It was turned")
    [recording] = hub.get("/api/lab/recordings")["recordings"]
    [stream] = recording["streams"]
    assert stream["sensor"] == "gyroscope" and stream["samples"] > 3 and recording["isEnded"]
    assert recording["clock"]["uncertaintyMicroseconds"] < 5_000_000
    chart = hub.get(f"/api/lab/recordings/{recording['id']}/chart?sensor=gyroscope")
    assert all(abs(point["mean"][0] - 0.5) < 0.01 for point in chart["points"])


@pytest.mark.own_hub
def test_a_recording_without_the_hub_is_kept_and_sent_later(hub, page, phone):  # noqa: F811
    page.is_offline_expected = True
    phone.set(gyroscope=(0.5, 0, 0), **at_rest())
    sign_in(page, "/lab/gyroscope")
    page.route("**/api/lab/**", lambda route: route.abort())
    press(page, "Record")
    expect(page.locator(".record-status")).to_contain_text("samples")
    press(page, "End the recording")
    expect(page.locator(".record-status")).to_contain_text("Recorded. It is kept here until the hub has it.")
    assert hub.get("/api/lab/recordings")["recordings"] == []
    page.unroute("**/api/lab/**")
    page.get_by_role("link", name="Show the recordings").click()
    eventually(lambda: len(hub.get("/api/lab/recordings")["recordings"]) == 1, within=60, what="the recording")


def test_a_sensor_that_is_not_allowed_says_how_it_is(page):
    page.add_init_script("DeviceMotionEvent.requestPermission = async () => 'denied';")
    sign_in(page, "/lab/accelerometer")
    press(page, "Start")
    expect(page.get_by_text("The motion sensors are not allowed")).to_be_visible()
    expect(page.locator("ol.steps li").first).to_be_visible()


def test_a_device_without_the_sensor_is_told_so(page):
    page.add_init_script("addEventListener('devicemotion', (event) => event.stopImmediatePropagation(), true);")
    sign_in(page, "/lab/gyroscope")
    press(page, "Start")
    expect(page.get_by_text("Nothing comes from this sensor")).to_be_visible()


def test_a_value_with_an_axis_missing_is_no_value(page):
    sign_in(page, "/lab/accelerometer")
    page.evaluate(
        "() => setInterval(() => dispatchEvent(new DeviceMotionEvent('devicemotion',"
        " { accelerationIncludingGravity: { x: 1, y: null, z: 9 }, interval: 16 })), 20)")  # fmt: skip
    press(page, "Start")
    say(page, "This phone sends only part of each value")


def test_a_simulated_lift_says_the_pressure_and_the_height(page):
    sign_in(page, "/lab/barometer")
    press(page, "A simulated lift")
    press(page, "Start")
    say(page, "As high as at the start")
    assert abs(float(readout(page, "Pressure").text_content()) - 101.325) < 0.01


def test_a_device_that_does_not_vibrate_says_so_and_a_pattern_is_held_to_the_rules(page):
    sign_in(page, "/lab/haptics")
    say(page, "This device does not vibrate")
    press(page, "Success")
    expect(page.locator("main")).to_contain_text("Success: 142 ms long")
    page.get_by_role("spinbutton").nth(1).fill("0")
    expect(page.get_by_text("Part 2 is too long, or lasts no time")).to_be_visible()
    expect(page.get_by_role("button", name="Play it")).to_be_disabled()


def test_a_phone_that_vibrates_is_given_the_pattern(page):
    page.add_init_script(
        "navigator.vibrate = (pattern) => { (window.felt ??= []).push(pattern); return true; };"
        "const { matchMedia } = window; window.matchMedia = (query) =>"
        " query === '(pointer: coarse)' ? { matches: true } : matchMedia.call(window, query);")  # fmt: skip
    sign_in(page, "/lab/haptics")
    say(page, "This phone vibrates")
    press(page, "Error")
    press(page, "Play it")
    assert page.evaluate("() => window.felt") == [[26, 60, 26, 60, 44], [40, 80, 40]]


def test_a_pendulum_says_its_period_and_gravity(page):
    sign_in(page, "/lab/experiment/pendulum")
    # Half a metre: 1.4187 s. The clock of the events is the page's, so that they come as fast as they can.
    page.evaluate(
        "() => setInterval(() => dispatchEvent(new DeviceMotionEvent('devicemotion', { rotationRate:"
        " { alpha: 0, beta: 20 * Math.sin(2 * Math.PI * performance.now() / 1418.7), gamma: 0 }, interval: 10 })), 10)")  # fmt: skip
    press(page, "Start")
    eventually(lambda: (number_of(page, "h1") or 30) <= 23, within=30, what="seven seconds of it")
    press(page, "Stop")
    say(page, "Measuring is over")  # and no seconds are left over the result
    assert abs(float(readout(page, "Period").text_content().split()[0]) - 1.419) < 0.02
    assert abs(float(readout(page, "Gravity").text_content().split()[0]) - 9.81) < 0.3
    page.get_by_label("Length, m").fill("1")
    eventually(lambda: abs(float(readout(page, "Gravity").text_content().split()[0]) - 19.6) < 0.6, what="twice the length")


def pinch(page, plot, start, end):
    """Two fingers on a chart, so many pixels apart at first and at the end, as a touch screen tells Chromium."""
    plot.scroll_into_view_if_needed()
    box = plot.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    screen = page.context.new_cdp_session(page)

    def touch(kind, *places):
        fingers = [{"x": place, "y": y, "id": n} for n, place in enumerate(places)]
        screen.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})

    touch("touchStart", x - start / 2, x + start / 2)
    for step in range(1, 9):
        apart = start + (end - start) * step / 8
        touch("touchMove", x - apart / 2, x + apart / 2)
    touch("touchEnd")
    screen.detach()


def test_a_recording_is_drawn_looked_at_closer_by_two_fingers_and_goes_home_as_a_table(tmp_path_factory, web, browser):  # noqa: F811
    demo = Hub(tmp_path_factory.mktemp("lab") / "data", command="demo", web=web).start(within=180)
    page = new_page(demo, browser, (PHONE, "light"))
    page.goto("/")
    page.get_by_label("Email").fill("demo@tandem.local")
    page.get_by_label("Password", exact=True).fill("tandem-demo")
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("navigation", name="Places").get_by_role("link", name="Lab").click()
    page.get_by_role("link", name="Recordings").click()
    page.get_by_role("link", name="Pendulum").click()
    expect(page.get_by_role("img", name=re.compile("^Rotation over (29.9|30) s"))).to_be_visible()
    chart = page.locator("main .chart-zoomed").first
    shown = chart.get_by_role("status")
    with page.expect_response(re.compile("&from=")) as answer:
        pinch(page, chart.locator(".plot"), 50, 200)  # four times as far apart: a quarter of half a minute
    start, end = (float(word) for word in re.findall(r"[\d.]+", shown.text_content()))
    assert abs(end - start - 7.5) < 0.2 and abs((start + end) / 2 - 15) < 0.5, "it stays where the fingers were"
    # What is seen closer is finer: a quarter of it with half of that on either side, in as many points.
    assert answer.value.json()["widthMicroseconds"] <= 50_000
    pinch(page, chart.locator(".plot"), 200, 40)
    expect(chart.get_by_role("button", name="Further away")).to_be_hidden()  # all of it again
    press(page, "Take it home")
    with page.expect_download() as saved:
        page.get_by_role("button", name="A table CSV").click()
    assert saved.value.suggested_filename.endswith(".csv")
    page.context.close()
    demo.close()
