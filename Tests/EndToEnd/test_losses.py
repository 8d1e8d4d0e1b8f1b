"""What was dropped and refused, in the settings of an adult: quiet while there is nothing, else in words with what to do."""

import pytest
from playwright.sync_api import expect

from hub import eventually
from mqtt import Client, Wire, connect_packet
from pages import EACH_WAY, PHONE, assert_nothing_overflows, browser, hub, sign_in, watched  # noqa: F401
from test_accessibility import findings


@pytest.fixture
def looks():
    return PHONE, "light"


@pytest.fixture
def page(hub, browser, looks):  # noqa: F811
    yield from watched(hub, browser, looks)


def lose(hub):  # noqa: F811
    """A message that nobody understands, and two wrong tokens."""
    device = hub.add_device()
    with Client.of(device) as client:
        client.publish(device.topic(), "damp")
    for _ in range(2):
        wrong = Wire(hub, connect=False)
        wrong.send(connect_packet(device.id, "wrong"))
        assert wrong.exactly(4) == b"\x20\x02\x00\x04"
    eventually(lambda: len(hub.get("/api/losses")["losses"]) == 2, what="both reasons")


def part(page):
    return page.get_by_role("region", name="Dropped and refused")


def test_a_hub_that_lost_nothing_says_so_in_one_line(hub, page):  # noqa: F811
    sign_in(page, "/settings")
    expect(part(page)).to_contain_text("The hub has dropped and refused nothing since it started")
    expect(part(page).get_by_role("listitem")).to_have_count(0)


@EACH_WAY
def test_what_was_lost_is_told_in_words_with_what_to_do(hub, page):  # noqa: F811
    lose(hub)
    sign_in(page, "/settings")
    lines = part(page).get_by_role("listitem")
    expect(lines).to_have_count(2)
    expect(lines.first).to_contain_text("A device sent what the hub does not understand")
    expect(lines.first).to_contain_text("1 message not taken")
    expect(lines.last).to_contain_text("Somebody wanted to connect with a wrong name or token")
    expect(lines.last).to_contain_text("2 tries refused")
    expect(lines.last).to_contain_text("give it a new one")
    assert_nothing_overflows(page)
    assert not findings(page, "/settings")


def test_a_german_page_says_it_in_german(hub, browser):  # noqa: F811
    lose(hub)
    for page in watched(hub, browser, (PHONE, "light")):
        sign_in(page, "/settings")
        page.evaluate("localStorage.setItem('tandem.language', 'de')")
        page.reload()
        section = page.get_by_role("region", name="Verworfen und abgelehnt")
        expect(section).to_contain_text("2 Versuche abgelehnt")
        expect(section).to_contain_text("1 Nachricht nicht angenommen")
