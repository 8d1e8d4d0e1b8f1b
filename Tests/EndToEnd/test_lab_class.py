"""A class in real browsers: whoever leads it, and two guests who have no account."""

import csv
import re

import pytest
from playwright.sync_api import expect

from hub import eventually
from lab_page import Phone, at_rest
from pages import DESKTOP, PHONE, hub, new_page, sign_in, whole_browser as browser  # noqa: F401


@pytest.fixture
def page(hub, browser):  # noqa: F811
    page = new_page(hub, browser, (DESKTOP, "light"))
    yield page
    page.context.close()
    assert not page.wrongs, page.wrongs


@pytest.fixture
def guests(hub, browser):  # noqa: F811
    """Pages of phones that nobody has signed in on."""
    opened = [new_page(hub, browser, (PHONE, "light")) for _ in range(2)]
    yield opened
    for page in opened:
        page.context.close()
        assert not page.wrongs, page.wrongs


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def say(page, words):
    expect(page.locator("h1")).to_have_text(words)


def seconds_left(node):
    return int(re.search(r"\d+", node.text_content())[0])


def start_class(page, seconds="20"):
    """Starts a class, and returns the link that its QR code leads to."""
    sign_in(page, "/lab/classes")
    press(page, "Start a class")
    sheet = page.get_by_role("dialog")
    sheet.get_by_label("Name of the class").fill("Class 8b")
    sheet.get_by_label("How long each run takes").fill(seconds)
    sheet.get_by_role("button", name="Start a class").click()
    expect(page.get_by_role("img", name="QR code that leads into the class")).to_be_visible()
    return f"/lab/class#{page.locator('.class-code').text_content()}"


def join(guest, link, name=None):
    phone = Phone(guest)
    phone.set(**at_rest())
    guest.goto(link)
    say(guest, "Measure with us")
    if name:
        guest.get_by_label("What shall we call you?").fill(name)
    press(guest, "Join in")
    say(guest, "Get your phone ready")
    press(guest, "Get ready")
    say(guest, "Ready: wait for the start")
    return phone


def test_a_class_measures_at_one_instant_and_is_seen_live(hub, page, guests):  # noqa: F811
    link = start_class(page)
    say(page, "Nobody is in yet")
    expect(page.get_by_role("button", name="Start all phones")).to_be_disabled()
    noor, other = guests
    join(noor, link, "Noor")
    join(other, link)
    expect(other.locator("header")).to_contain_text("Number 2")
    say(page, "2 phones are in, and ready")
    expect(page.locator(".class-guests")).to_contain_text("Noor (1)")
    press(page, "Start all phones")
    # Until it begins nobody measures too little.
    expect(page.get_by_role("timer")).to_have_text(re.compile(r"^It starts in \d+ s$"))
    say(page, "2 phones are in, and ready")
    for guest in guests:
        expect(guest.locator("h1")).to_have_text(re.compile(r"Measuring: \d+ s left"))
    say(page, "2 phones are measuring")
    # Where the teacher stands, too, is shown how long it goes on: by the same clock.
    expect(page.get_by_role("timer")).to_have_text(re.compile(r"^\d+ s left$"))
    assert abs(seconds_left(page.get_by_role("timer")) - seconds_left(noor.locator("h1"))) <= 1
    # Live and before everything else, beside each other, each with how its clock stands to the hub's.
    expect(page.locator(".content > section").first).to_contain_text("What the phones measure")
    expect(page.locator(".class-curve")).to_have_count(2)
    expect(page.locator(".class-curve").first).to_contain_text(re.compile(r"clock [−\d,]+ ms, ±\d+ ms"))
    press(page, "Stop all phones")
    expect(page.get_by_role("timer")).to_be_hidden()
    for guest in guests:
        say(guest, "It has arrived")
    [name] = {one["guest"]["inClass"] for one in hub.get("/api/lab/recordings")["recordings"]}
    found = hub.get(f"/api/lab/recordings?class={name}")["recordings"]
    assert sorted(one["guest"]["number"] for one in found) == [1, 2]
    assert all(one["samples"] > 20 and one["isEnded"] and one["clock"] for one in found)
    # They began together, by the hub's clock.
    starts = [one["startMicroseconds"] + one["clock"]["offsetMicroseconds"] for one in found]
    assert abs(starts[0] - starts[1]) < 1_000_000
    page.get_by_role("link", name="Lay the last run over each other").click()
    # Both are of one minute and measured the same: their lines are told apart by who it was.
    expect(page.locator(".recording-chart .key")).to_contain_text(re.compile(r"Noor \(1\).*Number 2|Number 2.*Noor \(1\)"))
    page.go_back()
    # All of it in one file, with whose each row is.
    press(page, "Take the class home")
    with page.expect_download() as download:
        page.get_by_role("dialog").get_by_role("button", name=re.compile("^A table CSV")).click()
    with open(download.value.path(), newline="", encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    assert {(row["person"], row["number"], row["run"]) for row in rows} == {("Noor", "1", "1"), ("Number 2", "2", "1")}
    assert len(rows) == sum(one["samples"] for one in found)
    # A page that is loaded again is still in, with its name.
    noor.reload()
    say(noor, "Get your phone ready")
    expect(noor.locator("header")).to_contain_text("Noor")
    press(page, "End the class")
    page.get_by_role("dialog").get_by_role("button", name="End the class").click()
    say(page, "Class 8b is over")
    for guest in guests:
        say(guest, "The class is over")
    press(page, "Remove the class with all its recordings")
    page.get_by_role("dialog").get_by_role("button", name="Remove it all").click()
    say(page, "Many phones at once")
    assert hub.get("/api/lab/recordings")["recordings"] == []


def test_whoever_leads_a_class_sees_who_is_ready_and_who_measures_nothing(hub, page, guests):  # noqa: F811
    link = start_class(page)
    noor, other = guests
    join(noor, link, "Noor")
    other.goto(link)
    say(other, "Measure with us")
    press(other, "Join in")
    say(other, "Get your phone ready")
    say(page, "Ready: 1 of 2")
    rows = page.locator(".class-guests").get_by_role("listitem")
    expect(rows.filter(has_text="Noor")).to_contain_text("ready")
    expect(rows.filter(has_text="Number 2")).to_contain_text("has not pressed “Get ready” yet")
    press(page, "Start all phones")
    say(page, "Measuring: 1 of 2")
    expect(rows.filter(has_text="Noor")).to_contain_text("kB so far")
    expect(rows.filter(has_text="Number 2")).to_contain_text("measures nothing")
    press(page, "Stop all phones")
    say(noor, "It has arrived")
    press(noor, "Stop my phone")
    say(page, "Ready: 0 of 2")


def test_a_guest_whose_sensor_is_denied_is_told_how_to_grant_it_and_one_who_is_sent_away_is_out(page, guests):
    link = start_class(page)
    guest, other = guests
    other.close()
    guest.add_init_script("DeviceMotionEvent.requestPermission = async () => window.answer ?? 'denied';")
    Phone(guest).set(**at_rest())
    guest.goto(link.replace("#", "#x"))
    press(guest, "Join in")
    expect(guest.get_by_text("This code opens no class")).to_be_visible()
    guest.wrongs[:] = [wrong for wrong in guest.wrongs if "403" not in wrong]  # the browser writes it to its console
    guest.get_by_label("Code of the class").fill(link.split("#")[1])
    press(guest, "Join in")
    press(guest, "Get ready")
    expect(guest.get_by_text("The motion sensors are not allowed")).to_be_visible()
    expect(guest.locator("ol.steps li").first).to_be_visible()
    guest.evaluate("() => { window.answer = 'granted'; }")
    press(guest, "Try again")
    say(guest, "Ready: wait for the start")
    page.get_by_role("button", name=re.compile("^Send .+ away$")).click()
    page.get_by_role("dialog").get_by_role("button", name="Send away").click()
    say(guest, "You are not in the class any more")


def test_a_run_ends_in_time_though_the_hub_is_away_and_is_whole_once_it_is_back(hub, page, guests):  # noqa: F811
    link = start_class(page, "8")
    for one in (page, *guests):
        one.is_offline_expected = True
    for guest, name in zip(guests, ("Noor", "Omar"), strict=True):
        join(guest, link, name)
    press(page, "Start all phones")
    say(page, "2 phones are measuring")
    for guest in guests:
        expect(guest.locator("h1")).to_have_text(re.compile(r"Measuring: \d+ s left"))
    hub.kill()
    # The clocks are known: the room sees how long it goes on, and that it is over.
    expect(page.get_by_role("timer")).to_have_text("1 s left")
    expect(page.get_by_role("timer")).to_be_hidden()
    expect(page.locator("h1")).not_to_contain_text("measuring")
    for guest in guests:
        say(guest, "What you measured waits for the hub")
        expect(guest.get_by_text("What you measured is kept here")).to_be_visible()
    hub.start().signed_in()
    for guest in guests:
        say(guest, "It has arrived")
    expect(page.locator(".class-guests")).to_contain_text("run 1: all of it is here")
    found = eventually(lambda: [one for one in hub.get("/api/lab/recordings")["recordings"] if one["isEnded"]], what="the recordings")
    assert sorted(one["guest"]["name"] for one in found) == ["Noor", "Omar"]


def test_what_a_guest_measured_without_the_hub_is_sent_when_it_is_back(hub, page, guests):  # noqa: F811
    link = start_class(page, "4")
    guest, other = guests
    other.close()
    guest.is_offline_expected = True
    join(guest, link, "Noor")
    press(page, "Start all phones")
    expect(guest.locator("h1")).to_have_text(re.compile(r"Measuring: \d+ s left"))
    guest.route("**/api/lab/guest/runs/**", lambda route: route.abort())
    expect(guest.get_by_text("What you measured is kept here")).to_be_visible()
    guest.unroute("**/api/lab/guest/runs/**")
    say(guest, "It has arrived")
    [recording] = eventually(lambda: hub.get("/api/lab/recordings")["recordings"], what="the recording")
    assert recording["isEnded"] and recording["guest"]["name"] == "Noor"
