"""What a family sees of Drums: the fullscreen view on small windows, a song in flow mode afterwards, and addresses of nothing."""

import struct

import pytest
from playwright.sync_api import expect

import drums_blobs
from drums_page import (  # noqa: F401
    add_song, answer, browser, is_delivered, looks, me, open_songs, page, play, play_through, played, settings,
)  # fmt: skip
from pages import assert_nothing_overflows, hub, sign_in  # noqa: F401

# A tall phone, one with the bars of its browser, a small one with them, a very small one, one on its side, a tablet.
WINDOWS = [(390, 844), (390, 664), (375, 553), (320, 568), (844, 390), (768, 1024)]
IN_SIGHT = """() => {
    const edges = [...document.querySelectorAll('.pad')].map((pad) => pad.getBoundingClientRect());
    return edges.every(({ top, bottom, left, right, width }) => top >= 0 && bottom <= innerHeight && left >= 0
        && right <= innerWidth && width >= 88);
}"""


@pytest.fixture
def song(hub):  # noqa: F811
    return add_song(hub)


def test_the_four_drums_are_in_sight_in_any_window(hub, page, song):  # noqa: F811
    open_songs(page)
    play(page)
    answer(page)
    for width, height in WINDOWS:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(IN_SIGHT)
        over = page.evaluate("document.documentElement.scrollHeight - innerHeight")
        assert over <= 1, (width, height, over)
        assert_nothing_overflows(page)


@pytest.mark.by_the_clock
def test_a_song_in_flow_mode_is_shown_by_how_early_and_late_it_was(hub, page, song):  # noqa: F811
    settings(hub, mode="flow")
    open_songs(page)
    play(page)
    play_through(page)
    identifier = played(page)
    is_delivered(hub)
    page.goto(f"/drums/session/{identifier}")
    expect(page.get_by_role("heading", name="Early and late")).to_be_visible()
    expect(page.get_by_role("heading", name="Reaction time")).to_have_count(0)
    expect(page.locator(".facts")).to_contain_text("Late")
    expect(page.get_by_text("Hit; the tail is how early or late")).to_be_visible()
    expect(page.get_by_text("400 ms wide, as for everybody at first")).to_be_visible()


@pytest.mark.parametrize("tenths, says", [(423, "42.3"), (0, "not measured: part of each reaction")])
def test_a_session_tells_what_its_screen_takes(hub, page, tenths, says):  # noqa: F811
    strikes = []
    for step in range(4):
        due = (step + 1) * drums_blobs.BEAT + 2_000
        strikes += [
            (drums_blobs.CUE, due, struct.pack("<H", step)),
            (drums_blobs.STRIKE, due + 400_000, bytes([0, 0, drums_blobs.SCREEN])),
        ]
    blob = drums_blobs.session(
        me(hub), 1_700_000_000_000, 0, beats=4, more=strikes, claim=(4, 4), link=drums_blobs.SCREEN, latency=tenths
    )
    headers = {"Content-Type": "application/octet-stream"}
    _, data, _ = hub.request("POST", "/api/drums/sessions", blob, headers)
    sign_in(page, f"/drums/session/{data['id']}")
    link = page.locator(".facts > div", has_text="Connection")
    expect(link).to_contain_text(says)
    expect(link).to_be_visible()  # on a phone too
    median = hub.get(f"/api/drums/sessions/{data['id']}")["reaction"]["median"]
    assert median == int(400 - tenths / 10)


def test_addresses_of_nothing_lead_on(hub, page):  # noqa: F811
    open_songs(page)
    page.goto("/drums/day/banana")
    page.wait_for_url("**/drums/data")
    page.goto(f"/drums/session/{'0' * 32}")
    expect(page.get_by_role("heading", name="Not here")).to_be_visible()
    expect(page.get_by_role("button", name="Download")).to_be_hidden()
    page.get_by_role("link", name="All practice").click()
    page.wait_for_url("**/drums/data")
    page.wrongs[:] = [one for one in page.wrongs if "404" not in one]
