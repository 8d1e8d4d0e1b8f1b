"""A sensor is calibrated in three taps with a real MQTT client, and a picture is kept in a plant's log."""

import re

import pytest
from playwright.sync_api import expect

from hub import eventually
from mqtt import Client
from pages import DESKTOP, EACH_WAY, add_plant, assert_nothing_overflows, browser, sign_in, watched  # noqa: F401
from shared import shared_hub

hub = shared_hub(web=True)


@pytest.fixture
def looks():
    return DESKTOP, "light"


@pytest.fixture
def page(hub, browser, looks):
    yield from watched(hub, browser, looks)


@EACH_WAY
def test_a_sensor_learns_what_dry_and_wet_is_in_three_taps(hub, page, looks):
    plant, device = add_plant(hub)
    sensor = Client(hub, device.id, device.token).connect()
    sensor.publish(device.topic("capacitance"), "700")
    sign_in(page)
    page.goto(f"/plants/{plant['id']}")
    page.get_by_role("button", name=re.compile("^Calibrate")).click()
    sheet = page.get_by_role("dialog")
    expect(sheet).to_contain_text("It counts 300 as dry and 1,000 as wet")
    assert_nothing_overflows(page)
    sheet.get_by_role("button", name="It is dry").click()
    # What it said before the tap does not count.
    expect(sheet.get_by_role("progressbar", name="Waiting for a reading")).to_be_visible()
    sensor.publish(device.topic("capacitance"), "420")
    expect(sheet).to_contain_text("In air it read 420")
    sheet.get_by_role("button", name="It is in water").click()
    expect(sheet.get_by_role("progressbar", name="Waiting for a reading")).to_be_visible()
    sensor.publish(device.topic("capacitance"), "780")
    expect(sheet).to_contain_text("in water 780")
    sheet.get_by_role("button", name="Save").click()
    expect(page.get_by_text("is calibrated")).to_be_visible()
    # Half way between the two is half wet now; on the usual scale it would be 43 percent.
    sensor.publish(device.topic("capacitance"), "600")
    eventually(lambda: round(hub.get(f"/api/plants/{plant['id']}")["moisture"]["value"]) == 50, what="the new scale")
    sensor.disconnect()


def test_a_sensor_that_was_hardly_in_the_water_is_told_so(hub, page):
    plant, device = add_plant(hub)
    sensor = Client(hub, device.id, device.token).connect()
    sensor.publish(device.topic("moisture"), "40")
    sign_in(page)
    page.goto(f"/plants/{plant['id']}")
    page.get_by_role("button", name=re.compile("^Calibrate")).click()
    sheet = page.get_by_role("dialog")
    for word, value in (("It is dry", "11"), ("It is in water", "13")):
        sheet.get_by_role("button", name=word).click()
        expect(sheet.get_by_role("progressbar", name="Waiting for a reading")).to_be_visible()
        sensor.publish(device.topic("moisture"), value)
    sheet.get_by_role("button", name="Save").click()
    expect(sheet).to_contain_text("In water the probe read almost what it reads in air")
    expect(sheet.get_by_role("button", name="It is dry")).to_be_visible()
    page.wrongs = [one for one in page.wrongs if "422" not in one]
    sensor.disconnect()


@EACH_WAY
def test_a_picture_is_small_says_its_words_and_is_kept_while_the_hub_is_away(hub, page, looks):
    plant, _ = add_plant(hub)
    sign_in(page)
    page.goto(f"/plants/{plant['id']}")
    # A picture as a camera makes it: much larger than any screen.
    picture = page.evaluate(
        "async () => { const canvas = new OffscreenCanvas(4000, 3000); const drawn = canvas.getContext('2d');"
        " drawn.fillStyle = 'seagreen'; drawn.fillRect(0, 0, 4000, 3000);"
        " return [...new Uint8Array(await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer())]; }"
    )
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Take a picture").click()
    chooser.value.set_files({"name": "IMG_1.png", "mimeType": "image/png", "buffer": bytes(picture)})
    sheet = page.get_by_role("dialog")
    expect(sheet.get_by_role("img", name="The picture that you chose")).to_be_visible()
    assert_nothing_overflows(page)
    sheet.get_by_label("A few words about it").fill("Two new leaves 🌿")
    sheet.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Two new leaves 🌿")).to_be_visible()
    [entry] = hub.get(f"/api/plants/{plant['id']}/care")
    assert entry["photo"] and entry["note"] == "Two new leaves 🌿"
    page.get_by_role("button", name=re.compile("^Show the picture of")).click()
    image = page.get_by_role("dialog").get_by_role("img")
    expect(image).to_be_visible()
    assert image.evaluate("(image) => [image.naturalWidth, image.naturalHeight]") == [1600, 1200]


def test_what_is_no_picture_is_told_before_anything_is_sent(hub, page):
    plant, _ = add_plant(hub)
    sign_in(page)
    page.goto(f"/plants/{plant['id']}")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Take a picture").click()
    chooser.value.set_files({"name": "IMG_1.heic", "mimeType": "image/heic", "buffer": b"\x00\x00\x00\x18ftypheic"})
    expect(page.get_by_role("dialog")).to_contain_text("This browser cannot open that picture. Choose a JPEG or PNG.")
    assert hub.get(f"/api/plants/{plant['id']}/care") == []
