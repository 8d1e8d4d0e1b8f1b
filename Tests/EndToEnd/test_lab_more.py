"""More of the lab in a real browser: two recordings on one chart, a file that is brought in, an experiment of one's own,
phones and their apps, and what every measuring screen says where its sensor is denied, absent or silent."""

import json
import re

import pytest
from playwright.sync_api import expect

from hub import eventually
from lab_page import Phone, at_rest
from pages import PHONE, new_page, sign_in, whole_browser as browser  # noqa: F401
from shared_hub import shared_hub

hub = shared_hub(web=True)

MOTION_DENIED = "DeviceMotionEvent.requestPermission = async () => 'denied';"
NO_MOTION = "addEventListener('devicemotion', (event) => event.stopImmediatePropagation(), true);"
NO_MICROPHONE = "navigator.mediaDevices.getUserMedia = async () => { throw new DOMException('', 'NotAllowedError'); };"
CSV = "Time (s),Acceleration x (m/s^2),Acceleration y (m/s^2),Acceleration z (m/s^2)\n" + "\n".join(
    f"{i / 100},0,0,9.80665" for i in range(200)
)


@pytest.fixture
def page(hub, browser):  # noqa: F811
    page = new_page(hub, browser, (PHONE, "light"))
    yield page
    page.context.close()
    assert not page.wrongs, page.wrongs


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def say(page, words):
    expect(page.locator("h1")).to_have_text(words)


def bring_in(page, tmp_path, name):
    (tmp_path / name).write_text(CSV)
    press(page, "Bring in a file")
    sheet = page.get_by_role("dialog")
    sheet.get_by_role("button", name="phyphox").click()
    sheet.get_by_label("The file").set_input_files(tmp_path / name)
    sheet.get_by_role("button", name="Bring it in").click()
    expect(page.get_by_text("Brought in.").last).to_be_visible()  # what was said of the file before may still stand


@pytest.mark.own_hub
def test_files_are_brought_in_compared_and_removed_with_a_way_back(hub, page, tmp_path):  # noqa: F811
    sign_in(page, "/lab/recordings")
    say(page, "Nothing recorded yet")
    press(page, "Bring in a file")
    sheet = page.get_by_role("dialog")
    sheet.get_by_role("button", name="Bring it in").click()
    expect(sheet.get_by_text("Choose a file first.")).to_be_visible()
    page.keyboard.press("Escape")
    bring_in(page, tmp_path, "Accelerometer.csv")
    bring_in(page, tmp_path, "Acceleration.csv")
    say(page, "2 recordings")
    for box in page.get_by_role("checkbox", name="Compare this one").all():
        box.check()
    press(page, "Compare")
    say(page, "One over the other")
    # One g for both, as the hub computes it.
    expect(page.get_by_role("img", name=re.compile("^Acceleration of 2 recordings over 2 s"))).to_be_visible()
    page.get_by_role("link", name="Recordings").first.click()
    page.get_by_role("link", name="Acceleration.csv").click()
    press(page, "Remove")
    say(page, "1 recording")
    press(page, "Undo")
    say(page, "2 recordings")
    page.get_by_role("link", name="Acceleration.csv").click()
    press(page, "Remove")
    say(page, "1 recording")
    page.mouse.move(5, 5)  # a sentence under the pointer stays, and waits with it
    eventually(lambda: len(hub.get("/api/lab/recordings")["recordings"]) == 1, within=30, what="its removal")


def test_an_experiment_of_ones_own_is_held_to_the_rules_done_and_removed(hub, page):  # noqa: F811
    Phone(page).set(gyroscope=(0.5, 0, 0), **at_rest())
    sign_in(page, "/lab/experiments")
    press(page, "Write one")
    file = page.get_by_label("The file")
    text = json.loads(file.input_value())
    file.fill("{")
    press(page, "Save")
    expect(page.get_by_text("This is no JSON")).to_be_visible()
    file.fill(json.dumps({**text, "formulas": [{"name": "odd", "formula": "1 +"}]}))
    press(page, "Save")
    expect(page.get_by_role("dialog").locator(".problem, .notice")).not_to_have_count(0)
    assert [one for one in hub.get("/api/lab/experiments")["experiments"] if not one["isBuiltIn"]] == []
    file.fill(json.dumps({**text, "seconds": 5}))
    press(page, "Save")
    page.get_by_role("link", name="My experiment").click()
    press(page, "Start")
    expect(page.locator("h1")).to_have_text(re.compile(r"\d s left"))
    # It ends by itself, though this sensor says the same all the time.
    expect(page.get_by_role("button", name="Start", exact=True)).to_be_visible()
    expect(page.locator("h1")).to_have_text("Measuring is over")
    page.wrongs[:] = [wrong for wrong in page.wrongs if "422" not in wrong]  # the browser writes each to its console
    page.get_by_role("link", name="Experiments").first.click()
    press(page, "Remove")
    page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(page.get_by_role("link", name="My experiment")).to_have_count(0)


def test_a_phone_is_added_with_its_address_and_what_the_app_was_told_stands_beside_it(hub, page):  # noqa: F811
    sign_in(page, "/lab/phones")
    press(page, "Add a phone")
    page.get_by_role("dialog").get_by_role("button", name="Add device").click()
    address = page.locator("code", has_text="/api/lab/sensor-logger?token=").text_content()
    expect(page.get_by_role("img", name="QR code of the push URL")).to_be_visible()
    expect(page.locator("code", has_text="tandem simulate phone")).to_be_visible()
    path = address.split("//")[1].split("/", 1)[1]
    assert page.request.post(f"/{path}", data="{\"payload\":7}", headers={"Content-Type": "application/json"}).status == 499
    press(page, "Done")
    expect(page.locator(".phone-refusal")).to_contain_text("no message of Sensor Logger")


def test_phyphox_is_looked_at_chosen_from_started_and_cleared(page):
    asked = []
    state = {"isMeasuring": False, "phones": []}

    def answer(route):
        request = route.request
        path = request.url.split("/api/lab/phyphox")[1]
        asked.append((request.method, path, request.post_data))
        if path == "/look":
            if "99" in json.loads(request.post_data)["address"]:
                return route.fulfill(status=502, content_type="application/problem+json", body=json.dumps(
                    {"title": "phyphox does not answer", "detail": "Nothing answers at this address."}))  # fmt: skip
            return route.fulfill(status=201, json={
                "address": "192.168.1.23:8080", "title": "Acceleration", "isMeasuring": False, "unknown": ["camera"],
                "sensors": [{"sensor": "accelerometer", "source": "accelerometer", "buffers": ["acc_time", "accX"]},
                            {"sensor": "gyroscope", "source": "gyroscope", "buffers": ["gyr_time", "gyrX"]}],
            })  # fmt: skip
        if request.method == "POST" and path == "":
            state["isMeasuring"] = True
            state["phones"] = [json.loads(request.post_data)["device"]]
            return route.fulfill(status=201, json={})
        if path.endswith("/stop"):
            state["isMeasuring"] = False
        if request.method == "DELETE":
            state["phones"] = []
        if request.method != "GET":
            return route.fulfill(status=204)
        return route.fulfill(json={"phones": [
            {"device": one, "address": "192.168.1.23:8080", "title": "Acceleration", "sensors": ["gyroscope"],
             "isConnected": True, "isMeasuring": state["isMeasuring"], "samples": 12}
            for one in state["phones"]]})  # fmt: skip

    page.route(re.compile("/api/lab/phyphox"), answer)
    page.is_offline_expected = True  # a browser writes each 502 to its console
    sign_in(page, "/lab/phones")
    press(page, "Read phyphox on a phone")
    sheet = page.get_by_role("dialog")
    sheet.get_by_label("Address that phyphox shows").fill("192.168.1.99")
    sheet.get_by_role("button", name="See what is there").click()
    expect(sheet.get_by_text("Nothing answers at this address.")).to_be_visible()
    sheet.get_by_label("Address that phyphox shows").fill("192.168.1.23:8080")
    sheet.get_by_role("button", name="See what is there").click()
    expect(sheet.get_by_text("The lab does not know: camera")).to_be_visible()
    sheet.get_by_role("checkbox", name=re.compile("^Acceleration")).uncheck()
    sheet.get_by_role("button", name="Start and record").click()
    expect(page.get_by_text("It is measuring, and this is recorded")).to_be_visible()
    expect(page.get_by_text("12 samples")).to_be_visible()
    press(page, "Stop")
    expect(page.get_by_text("phyphox is there, and does not measure now")).to_be_visible()
    press(page, "Clear")
    press(page, "Read it no longer")
    expect(page.locator(".phyphox-reader")).to_have_count(0)
    connected = next(json.loads(body) for method, path, body in asked if (method, path) == ("POST", ""))
    assert connected["sensors"] == ["gyroscope"] and connected["starts"] is True
    assert [path.rsplit("/", 1)[1] for method, path, _ in asked if method == "POST" and path.count("/") == 2] == [
        "stop", "clear"]  # fmt: skip
    page.wrongs.clear()


@pytest.mark.parametrize(
    ("path", "script", "words"),
    [
        ("gyroscope", MOTION_DENIED, "The motion sensors are not allowed"),
        ("gyroscope", NO_MOTION, "Nothing comes from this sensor"),
        ("accelerometer", NO_MOTION, "Nothing comes from this sensor"),
        ("experiment/pendulum", MOTION_DENIED, "The motion sensors are not allowed"),
        ("experiment/spin", NO_MOTION, "Nothing comes from this sensor"),
        ("experiment/free-fall", NO_MOTION, "Nothing comes from this sensor"),
        ("experiment/room-sound", NO_MICROPHONE, "The microphone is not allowed"),
        ("barometer", "", "No phone has sent a pressure yet"),
    ],
)
def test_a_sensor_that_gives_nothing_is_said_in_words_with_what_to_do(page, path, script, words):
    if script:
        page.add_init_script(script)
    sign_in(page, f"/lab/{path}")
    press(page, "Start")
    expect(page.locator(".notice-title", has_text=words)).to_be_visible()
    expect(page.get_by_role("button", name="Try again")).to_be_visible()
    expect(page.get_by_role("button", name="Start", exact=True)).to_be_enabled()


def test_a_sensor_that_falls_silent_says_what_to_do_and_goes_on_when_it_is_back(page):
    sign_in(page, "/lab/accelerometer")
    feed = (
        "() => { window.feed = setInterval(() => dispatchEvent(new DeviceMotionEvent('devicemotion',"
        " { accelerationIncludingGravity: { x: Math.random(), y: 0, z: 9.8 }, interval: 16 })), 20); }"
    )
    page.evaluate(feed)
    press(page, "Start")
    expect(page.locator("h1")).to_have_text(re.compile("^It feels"))
    page.evaluate("() => clearInterval(window.feed)")
    say(page, "The sensor has stopped")
    expect(page.get_by_text("Keep this page in front and the screen on")).to_be_visible()
    page.evaluate(feed)
    expect(page.locator("h1")).to_have_text(re.compile("^It feels"))
    page.evaluate("() => clearInterval(window.feed)")


@pytest.mark.own_hub
def test_the_lift_says_plainly_that_it_is_simulated_and_its_recording_carries_it(hub, page):  # noqa: F811
    Phone(page).set(**at_rest())
    sign_in(page, "/lab/experiment/lift")
    expect(page.get_by_text("The pressure is simulated")).to_be_visible()
    press(page, "Record")
    expect(page.locator(".record-status")).to_contain_text(re.compile(r"[1-9]\d+ samples"))
    press(page, "End the recording")
    page.get_by_role("link", name="Show the recordings").click()
    page.get_by_role("link", name="Lift ride").click()
    expect(page.locator("main")).to_contain_text("Air pressure: simulated. Nothing was measured.")
    [recording] = hub.get("/api/lab/recordings")["recordings"]
    assert [one["sensor"] for one in recording["streams"] if one.get("isSimulated")] == ["barometer"]
    page.goto("/")
    expect(page.get_by_role("link", name="Lab").filter(has_text="Recorded last: Lift ride.")).to_be_visible()


WATCHED = """(() => {
    const { requestAnimationFrame: request, setInterval: begin, clearInterval: end, addEventListener: add } = window;
    Object.assign(window, { drawn: 0, read: 0, timers: new Set() });
    window.requestAnimationFrame = (work) => request((at) => { window.drawn += 1; work(at); });
    window.setInterval = (...how) => { const one = begin(...how); window.timers.add(one); return one; };
    window.clearInterval = (one) => { window.timers.delete(one); end(one); };
    window.addEventListener = (type, work, more) => add.call(window, type, type !== 'devicemotion' ? work
        : (event) => { window.read += 1; work(event); }, more);
})();"""


def go(page, path):
    """As a link of the page's own does."""
    page.evaluate("(path) => { const link = document.createElement('a'); link.href = path; document.body.append(link);"
                  " link.click(); link.remove(); }", path)  # fmt: skip


@pytest.mark.parametrize("path", ["accelerometer", "barometer", "experiment/pendulum", "experiment/lift", "phones", "classes"])
def test_nothing_runs_after_a_page_of_the_lab_was_left(page, path):
    page.add_init_script(WATCHED)
    Phone(page).set(gyroscope=(0.1, 0, 0), **at_rest())
    sign_in(page, "/lab")
    say(page, "What shall we measure?")
    before = page.evaluate("() => window.timers.size")
    go(page, f"/lab/{path}")
    expect(page.locator("h1")).not_to_have_text("What shall we measure?")
    if path == "barometer":
        press(page, "A simulated lift")
    if path not in ("phones", "classes"):
        press(page, "Start")
        page.wait_for_function("() => window.drawn > 20")
    go(page, "/lab")
    say(page, "What shall we measure?")
    eventually(lambda: page.evaluate("() => window.timers.size") == before, what="the end of every timer")
    ran = page.evaluate(
        "async () => { const before = window.read; const drawn = window.drawn;"
        " await new Promise((done) => { setTimeout(done, 400); }); return [window.read - before, window.drawn - drawn]; }"
    )
    assert ran[0] == 0 and ran[1] < 12, ran
