"""The pages in a real browser: as a phone and as a desktop, by day and by night."""

import contextlib
import json
import re
import time

import pytest
from playwright.sync_api import TimeoutError as PlaywrightTimeout
from playwright.sync_api import expect

from hub import Hub, copy_of, eventually
from mqtt import Client, mosquitto_pub
from pages import (  # noqa: F401
    DESKTOP, EACH_WAY, PHONE, add_plant, assert_nothing_overflows, browser, fill_in, hub, kept_open, sign_in,
    sign_in_by_hand, watched,
)  # fmt: skip


@pytest.fixture
def looks():
    return DESKTOP, "light"


@pytest.fixture
def page(hub, browser, looks):
    """A page that is signed in, and fails the test at its end if anything was wrong in the console."""
    yield from watched(hub, browser, looks)


@EACH_WAY
def test_a_visitor_signs_in_and_a_bar_moves_as_a_real_client_publishes(hub, page, looks):
    plant, device = add_plant(hub)
    sign_in_by_hand(page)
    row = page.get_by_role("link", name=re.compile("Fern"))
    bar = row.get_by_role("meter", name="Moisture")
    for value in ("41.5", "12"):
        mosquitto_pub(device, "-q", "1", "-t", device.topic(), "-m", value)
        expect(bar).to_have_attribute("aria-valuenow", value)
    expect(row).to_contain_text("12")
    assert_nothing_overflows(page)


def test_a_reading_that_comes_between_an_answer_and_the_live_connection_is_shown(hub, page):
    plant, device = add_plant(hub)
    sockets, held, answers, greeted = [], [], [], []

    def hold(route):
        if held:
            return route.fallback()
        held.append(route)  # before it is fetched: meanwhile the page may ask again
        answers.append(route.fetch())

    page.route_web_socket("**/api/live*", lambda socket: sockets.append(socket))
    page.route("**/api/plants", hold)
    sign_in(page)
    eventually(lambda: page.evaluate("0") or answers and sockets, what="the page's question and its connection")
    mosquitto_pub(device, "-q", "1", "-t", device.topic(), "-m", "41.5")
    [socket] = sockets
    server = socket.connect_to_server()
    server.on_message(lambda message: (socket.send(message), greeted.append(message)))
    eventually(lambda: page.evaluate("0") or greeted, what="the hub's greeting")
    held[0].fulfill(response=answers[0])
    expect(page.get_by_role("meter", name="Moisture")).to_have_attribute("aria-valuenow", "41.5")


def test_a_wrong_password_is_told_under_the_field(hub, page):
    page.goto("/")
    fill_in(page, password="wrong")
    expect(page.get_by_label("Password", exact=True)).to_have_attribute("aria-invalid", "true")


def test_one_stays_signed_in_and_may_sign_out(hub, page):
    sign_in_by_hand(page)
    page.reload()
    expect(page.get_by_role("navigation", name="Places")).to_be_visible()
    page.goto("/settings")
    page.get_by_role("button", name=re.compile("Sign out")).first.click()
    expect(page.get_by_label("Email")).to_be_visible()


@EACH_WAY
def test_a_new_device_turns_green_at_its_first_reading(hub, page, looks):
    sign_in(page)
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name=re.compile("^Add device")).click()
    page.get_by_label("Name").fill("Fern's <b>sensor</b> 🌿")
    page.get_by_role("dialog").get_by_role("button", name="Add device").click()
    status = page.get_by_role("dialog").get_by_role("status")
    expect(status).to_contain_text("Waiting for its first reading")
    assert_nothing_overflows(page)
    [device] = hub.get("/api/devices")
    assert device["name"] == "Fern's <b>sensor</b> 🌿"
    command = page.get_by_role("dialog").get_by_text("mosquitto_pub").first.inner_text()
    token = re.search(r"-P (\S+)", command).group(1)
    client = Client(hub, device["id"], token).connect()
    # It is there, however late its clock is.
    late = round(time.time() * 1000) - 600_000
    client.publish(f"tandem/{device['id']}/moisture", json.dumps({"value": 41.5, "at": late}))
    expect(status).to_have_attribute("data-state", "here")
    expect(status).to_contain_text("First reading: Moisture 41.5%")
    client.disconnect()


def test_a_virtual_plant_is_one_tap_away_and_soon_has_a_value(hub, page):
    sign_in(page)
    page.get_by_role("button", name="Try it without a sensor").click()
    bar = page.get_by_role("link", name=re.compile("Virtual basil")).get_by_role("meter")
    expect(bar).not_to_have_attribute("aria-valuenow", "0", timeout=30_000)


@pytest.mark.parametrize("is_chosen", [True, False])
def test_what_was_typed_stays_with_a_plant_that_is_tried_without_a_sensor(hub, page, is_chosen):
    sign_in(page)
    page.get_by_role("button", name="Add plant").first.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Kind of plant").fill("Nephrolepis")
    if is_chosen:
        dialog.get_by_role("list", name="Kinds found").get_by_role("button", name=re.compile("Nephrolepis")).first.click()
        dialog.get_by_label("Name").fill("Aunt Olga")
    dialog.get_by_label("Place").fill("Stairs")
    dialog.get_by_role("button", name="Try it without a sensor").click()
    name = "Aunt Olga" if is_chosen else "Nephrolepis"
    expect(page.get_by_role("link", name=re.compile(name))).to_be_visible()
    [plant] = hub.get("/api/plants")["plants"]
    assert (plant["name"], plant["place"]) == (name, "Stairs")
    assert plant.get("kind", "").startswith("Nephrolepis") == is_chosen
    assert [one["virtual"] for one in plant["sensors"]] == [True]


def test_two_sensors_of_one_name_are_told_apart_wherever_they_are_listed(hub, page):
    plant, device = add_plant(hub)
    hub.request("PATCH", f"/api/devices/{device.id}", {"name": "Soil"})
    twins = [device.id, hub.add_device("Soil").id]
    other = hub.add_device("Balcony").id
    sign_in(page, "/settings")
    devices = page.get_by_role("region", name="Devices")
    for one in twins:
        expect(devices.get_by_role("listitem").filter(has_text=f"ID {one}")).to_have_count(1)
    expect(devices.get_by_text(other)).to_have_count(0)  # its name is enough
    page.goto(f"/plants/{plant['id']}")
    page.get_by_role("button", name="Edit Fern").click()
    dialog = page.get_by_role("dialog")
    for one in twins:
        dialog.get_by_role("checkbox", name=re.compile(f"Soil.*{one}")).check()
    dialog.get_by_role("button", name="Save").click()
    sensors = page.get_by_role("region", name="Sensor")
    for one in twins:
        expect(sensors.get_by_role("listitem").filter(has_text=f"ID {one}")).to_have_count(1)
        expect(sensors.get_by_role("button", name=re.compile(f"^Calibrate Soil.*{one}"))).to_be_visible()


def test_no_line_runs_solid_through_what_the_chart_calls_doubtful(hub, page):
    plant, device = add_plant(hub)
    now = hub.get("/api/hub")["now"]
    with Client.of(device) as client:
        for step in range(24, 0, -1):
            # A probe out of the soil for an hour reads what air reads.
            moisture = 0.8 if 10 <= step <= 13 else 52 - step / 24
            client.publish(device.topic("readings"), json.dumps({"moisture": moisture, "at": now - step * 900_000}))
    page.add_init_script(
        "globalThis.dashes = []; const set = CanvasRenderingContext2D.prototype.setLineDash;"
        "CanvasRenderingContext2D.prototype.setLineDash = function (dash) { dashes.push(dash.join()); set.call(this, dash); };"
    )
    sign_in(page, f"/plants/{plant['id']}")
    page.get_by_text("Day", exact=True).click()
    expect(page.get_by_text("Doubtful: the probe may have been out of the soil")).to_be_visible()
    page.wait_for_function("() => dashes.includes('3,4')")


def test_a_plant_is_added_changed_and_deleted_in_the_page(hub, page):
    hub.add_device("Window sensor")
    sign_in(page)
    page.get_by_role("button", name="Add plant").first.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("Chilli")
    dialog.get_by_label("Place").fill("Balcony")
    dialog.get_by_role("checkbox", name=re.compile("Window sensor")).check()
    dialog.get_by_role("button", name="Add plant").click()
    page.get_by_role("link", name=re.compile("Chilli")).click()
    page.get_by_role("button", name="Edit Chilli").click()
    dialog.get_by_label("Name").fill("Pepper & <i>co</i>")
    dialog.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Pepper & <i>co</i>").first).to_be_visible()
    [plant] = hub.get("/api/plants")["plants"]
    assert plant["name"] == "Pepper & <i>co</i>" and plant["place"] == "Balcony" and len(plant["sensors"]) == 1
    page.get_by_role("button", name=re.compile("^Edit Pepper")).click()
    dialog.get_by_role("button", name="Delete plant").click()
    page.get_by_role("dialog", name=re.compile("Delete Pepper")).get_by_role("button", name="Delete plant").click()
    expect(page.get_by_role("heading", name="No plants yet", exact=True)).to_be_visible()
    assert hub.get("/api/plants")["plants"] == []


@EACH_WAY
def test_a_plants_page_draws_its_chart_for_each_span(hub, page, looks):
    plant, device = add_plant(hub)
    now = hub.get("/api/hub")["now"]
    with Client.of(device) as client:
        for hour in range(72, 0, -1):
            if not 30 < hour < 40:  # a gap
                reading = {"moisture": 80 - (72 - hour) / 2, "temperature": 20, "at": now - hour * 3_600_000}
                client.publish(device.topic("readings"), json.dumps(reading))
    sign_in(page, f"/plants/{plant['id']}")
    for span in ("Day", "Week", "Month", "Year", "Years"):
        page.get_by_text(span, exact=True).click()
        expect(page.locator("canvas")).to_be_visible()
        page.wait_for_function(
            "() => { const canvas = document.querySelector('canvas'); const { width, height } = canvas;"
            " const copy = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });"
            " copy.drawImage(canvas, 0, 0); return copy.getImageData(0, 0, width, height).data.some((one) => one > 0); }"
        )
        assert_nothing_overflows(page)
    page.get_by_role("button", name="As a table").click()
    expect(page.get_by_role("table")).to_be_visible()


def test_a_watering_is_noted_by_hand_and_undone(hub, page):
    plant, device = add_plant(hub)
    sign_in(page, f"/plants/{plant['id']}")
    page.get_by_role("button", name="I watered it").click()
    log = page.get_by_role("region", name="Watering log")
    expect(log.get_by_role("listitem")).to_have_count(1)
    log.get_by_role("button", name=re.compile("Undo")).click()
    expect(log.get_by_role("button", name="Restore")).to_be_visible()
    [watering] = hub.get(f"/api/plants/{plant['id']}/waterings")
    assert watering["undone"] is True and watering["by"] == "hand"


def test_what_somebody_has_watered_is_believed_at_once_and_said_once(hub, page):
    plant, device = add_plant(hub)
    with Client.of(device) as client:
        client.publish(device.topic(), "12.5")
    sign_in(page, f"/plants/{plant['id']}")
    say = page.get_by_role("heading", level=1)
    expect(say).to_have_text("Water today")
    page.get_by_role("button", name="I watered it").click()
    expect(say).to_have_text("Just watered")
    expect(page.locator(".lead").first).to_contain_text("its sensor said 13%")
    page.get_by_role("button", name="I watered it").click()
    expect(page.locator(".toast")).to_have_count(1)
    page.goto(f"{hub.url}/")
    expect(page.get_by_role("heading", level=1)).to_have_text("The fern is well.")
    expect(page.locator(".card[data-companion=plants]")).to_contain_text("its sensor has yet to see it")


def test_an_error_of_a_sensor_is_told_where_it_happened(hub, page):
    plant, device = add_plant(hub)
    sign_in(page)
    expect(page.get_by_role("link", name=re.compile("Fern"))).to_be_visible()
    with Client.of(device) as client:
        client.publish(device.topic(), "banana <img src=x onerror=alert(1)>")
    message = hub.get(f"/api/plants/{plant['id']}")["errors"][0]["message"]
    expect(page.get_by_role("link", name=re.compile("Fern"))).to_contain_text(message)


@EACH_WAY
def test_a_hub_that_is_gone_is_told_and_comes_back(hub, page, looks):
    plant, device = add_plant(hub)
    with Client.of(device) as client:
        client.publish(device.topic(), "41.5")
    sign_in(page)
    bar = page.get_by_role("link", name=re.compile("Fern")).get_by_role("meter")
    expect(bar).to_have_attribute("aria-valuenow", "41.5")
    page.is_offline_expected = True
    hub.kill()
    expect(page.get_by_text(re.compile("No hub since"))).to_be_visible()
    expect(bar).to_have_attribute("aria-valuenow", "41.5")  # as it was then
    assert_nothing_overflows(page)
    hub.start()
    # The page tries by itself too, and may be back before the button is pressed.
    with contextlib.suppress(PlaywrightTimeout):
        page.get_by_role("button", name="Try now").click(timeout=2_000)
    expect(page.get_by_text(re.compile("No hub since"))).to_be_hidden()
    mosquitto_pub(device, "-q", "1", "-t", device.topic(), "-m", "30")
    expect(bar).to_have_attribute("aria-valuenow", "30")


@pytest.fixture(scope="module")
def seen(prepared, web, browser, tmp_path_factory):
    """A page for each of the looks, of a hub that nobody changes."""
    hub = Hub(copy_of(prepared, tmp_path_factory.mktemp("seen") / "data"), web=web).start().signed_in()
    add_plant(hub, "Fern with a long name", place="On the shelf beside the window of the bathroom upstairs")
    with kept_open(hub, browser) as page_of:
        yield page_of
    hub.close()


@EACH_WAY
@pytest.mark.parametrize("path", ["/", "/plants", "/settings"])
def test_each_place_fits_and_says_what_it_is(seen, looks, path):
    page = seen(looks)
    sign_in(page, path)
    expect(page.locator("h1")).to_have_count(1)
    expect(page.locator("h1")).not_to_be_empty()
    page.wait_for_load_state("networkidle")
    assert_nothing_overflows(page)
    size = page.evaluate(
        "() => [...document.querySelectorAll('button, a[href], input')].filter((node) => node.checkVisibility() &&"
        " !node.closest('p') && node.getBoundingClientRect().width > 0 && node.getBoundingClientRect().height < 24)"
        ".map((node) => node.outerHTML.slice(0, 120))"
    )
    assert not size, size
    assert not page.wrongs, page.wrongs


@pytest.mark.parametrize("looks", [(PHONE, "light")], ids=["phone, light"])
def test_a_place_that_is_closed_says_so_and_nothing_is_promised_that_is_not_there(hub, page):
    hub.request("PUT", "/api/household/companions", {"slugs": ["plants"]})
    for path in ("/drums", "/drums/data"):
        sign_in(page, path)
        expect(page.locator("h1")).to_have_text("You have closed Drums")
        expect(page.get_by_role("link", name="Go to Settings")).to_be_visible()
    assert_nothing_overflows(page)
    for path in ("/timeline", "/nowhere"):
        sign_in(page, path)
        expect(page.locator("h1")).to_have_text("There is no such page")
    expect(page.get_by_text(re.compile("later|not built"))).to_have_count(0)


def test_the_demo_shows_plants_that_live(tmp_path, web, browser):
    """`tandem demo` as a newcomer meets it."""
    hub = Hub(tmp_path / "data", command="demo", web=web).start(within=90)
    try:
        assert "demo@tandem.local" in hub.log and "tandem-demo" in hub.log
        for page in watched(hub, browser, (PHONE, "light")):
            page.goto("/")
            fill_in(page, "demo@tandem.local", "tandem-demo")
            page.get_by_role("navigation", name="Places").get_by_role("link", name="Plants").click()
            expect(page.get_by_role("meter").first).to_be_visible()
            assert page.get_by_role("meter").count() >= 3
        assert hub.terminate() == 0
    finally:
        hub.close()


def test_a_first_load_asks_who_is_signed_in_beside_its_modules_and_once(hub, page):
    held, asked = [], []
    page.route(re.compile("/app/main-"), lambda route: held.append(route))
    page.on("request", lambda one: one.url.endswith("/api/session") and asked.append(one.url))
    page.context.add_cookies([{"name": "tandem_session", "value": Hub.cookies[0], "url": hub.url}])
    page.goto("/", wait_until="commit")
    eventually(lambda: page.evaluate("1") and held and asked, what="that both are asked for")
    held[0].continue_()
    expect(page.get_by_role("navigation", name="Places")).to_be_visible()
    assert len(asked) == 1
