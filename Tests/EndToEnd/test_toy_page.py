"""The trivia toy's screens in a real browser, with a real hub: facts told, voted on and looked up, rules, files, messages, and a
toy at a cable."""

import re
import shutil
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import expect

from hub import Hub, eventually, free_port
from pages import PHONE, browser, new_page, sign_in, watched  # noqa: F401
from shared_hub import shared_hub

hub = shared_hub(web=True)

# A voice that has said each fact as soon as it is asked to.
VOICE = """
globalThis.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
globalThis.spoken = [];
Object.defineProperty(globalThis, "speechSynthesis", { value: {
    cancel() {},
    speak(utterance) { spoken.push(utterance.text); setTimeout(() => utterance.onend?.(), 0); },
} });
"""
# A toy at a cable, which speaks Improv Wi-Fi: the first password is wrong, and the second right.
TOY = """
(() => {
    const letters = [...new TextEncoder().encode("IMPROV")];
    const packet = (kind, data) => {
        const bytes = [...letters, 1, kind, data.length, ...data];
        return [...bytes, bytes.reduce((sum, byte) => sum + byte, 0) & 255, 10];
    };
    globalThis.heard = [];
    let tries = 0;
    let say;
    const port = {
        readable: null, writable: null,
        async open({ baudRate }) {
            heard.push(`open ${baudRate}`);
            port.readable = new ReadableStream({ start(controller) { say = (bytes) => controller.enqueue(new Uint8Array(bytes)); } });
            port.writable = new WritableStream({ write(bytes) {
                const data = [...bytes.slice(9, 9 + bytes[8])];
                heard.push(new TextDecoder().decode(new Uint8Array(data)));
                if (data[0] !== 1) return say([...packet(2, [0]), ...packet(4, [data[0], 0])]);
                tries += 1;
                if (tries === 1) return say([...new TextEncoder().encode("log: no\\n"), ...packet(1, [2]), ...packet(2, [3])]);
                say([...packet(1, [4]), ...packet(2, [0]), ...packet(4, [1, 0])]);
            } });
        },
        async close() { heard.push("close"); },
    };
    Object.defineProperty(navigator, "serial", { value: { requestPort: async () => port }, configurable: true });
})();
"""


@pytest.fixture
def looks():
    return PHONE, "light"


@pytest.fixture
def page(hub, browser, looks):  # noqa: F811
    for page in watched(hub, browser, looks):
        page.add_init_script(VOICE + TOY)
        yield page


@pytest.fixture
def mila(hub):  # noqa: F811
    return hub.post("/api/people", {"name": "Mila", "role": "child", "face": "fox", "birthYear": 2017})


def history(hub, one):  # noqa: F811
    return hub.get(f"/api/toy/people/{one['id']}/history")["plays"]


def test_a_fact_is_told_voted_on_and_stands_in_the_history(hub, page, mila):  # noqa: F811
    sign_in(page, "/toy")
    page.goto(f"/toy/play?person={mila['id']}")
    told = page.get_by_role("heading", level=1).inner_text()
    page.get_by_role("button", name="Good one").click()
    expect(page.get_by_role("button", name="Good one")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Next fact").click()
    expect(page.get_by_role("heading", level=1)).not_to_have_text(told)
    second = page.get_by_role("heading", level=1).inner_text()
    assert page.evaluate("() => spoken") == [told, second]
    page.get_by_role("button", name="Close").click()
    page.goto(f"/toy?person={mila['id']}")
    row = page.get_by_role("link", name=told)
    expect(row).to_contain_text("to the end")
    expect(row).to_contain_text("voted good")
    page.get_by_role("searchbox").fill("no fact has these words")
    expect(page.get_by_text("Nothing that was heard is like that.")).to_be_visible()
    page.get_by_role("searchbox").fill(told[:20])
    row.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(told)
    assert [play["ending"] for play in history(hub, mila)] == ["finished", "finished"]
    assert [play["fact"]["vote"] for play in history(hub, mila)] == [0, 1]


def test_in_quiet_hours_the_page_tells_nothing_and_shows_a_grown_up_whose_rule_it_is(hub, page, mila):  # noqa: F811
    # All hours but one minute, which is a quarter of a day away, whatever the clock shows.
    zone = next(one["timeZone"] for one in hub.get("/api/drums")["people"] if one["id"] == mila["id"])
    now = datetime.now(ZoneInfo(zone))
    end = (now.hour * 60 + now.minute + 360) % 1440
    hub.request("PUT", f"/api/toy/people/{mila['id']}/rules", {"quietHours": {"from": (end + 1) % 1440, "until": end}})
    sign_in(page, "/toy")
    page.goto(f"/toy/play?person={mila['id']}")
    expect(page.get_by_role("heading", level=1)).to_have_text("These are quiet hours for Mila.")
    expect(page.get_by_text(f"Facts are told again from {end // 60}:{end % 60:02}.")).to_be_visible()
    expect(page.get_by_role("button", name="Next fact")).to_have_count(0)
    assert page.evaluate("() => spoken") == []
    page.get_by_role("link", name="House rules").click()
    page.get_by_role("switch", name="The toy is silent at night").click()
    page.goto(f"/toy/play?person={mila['id']}")
    expect(page.get_by_role("button", name="Next fact")).to_be_visible()


def test_facts_in_another_language_than_the_page_s_say_whose_choice_it_is(hub, page, mila):  # noqa: F811
    hub.request("PUT", f"/api/toy/people/{mila['id']}/settings", {"language": "de"})
    sign_in(page, "/toy")
    page.goto(f"/toy/play?person={mila['id']}")
    expect(page.get_by_text("Mila hears facts in German.")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_attribute("lang", "de")
    page.get_by_role("button", name="Tell them in English").click()
    expect(page.get_by_role("heading", level=1)).to_have_attribute("lang", "en")
    expect(page.get_by_text("Mila hears facts in German.")).to_have_count(0)
    assert hub.get(f"/api/toy/people/{mila['id']}/settings")["language"] == "en"


def test_a_vote_is_changed_and_taken_back(hub, page, mila):  # noqa: F811
    fact = hub.get(f"/api/toy/people/{mila['id']}/next")["fact"]
    others = fact["upvotes"], fact["downvotes"]  # of tests before
    fact = fact["id"]
    sign_in(page, f"/toy/facts/{fact}")
    good, bad = page.get_by_role("button", name="Good one"), page.get_by_role("button", name="Not this one")
    for button, counts in [(good, (1, 0)), (bad, (0, 1)), (bad, (0, 0))]:
        with page.expect_response(re.compile("/vote")):
            button.click()
        now = hub.get(f"/api/toy/facts/{fact}")
        assert (now["upvotes"] - others[0], now["downvotes"] - others[1]) == counts
    expect(bad).to_have_attribute("aria-pressed", "false")


def test_open_pages_follow_a_vote_that_is_cast_elsewhere(hub, page, mila):  # noqa: F811
    play = hub.get(f"/api/toy/people/{mila['id']}/next")
    fact = play["fact"]
    hub.request("POST", f"/api/toy/people/{mila['id']}/plays", {"fact": fact["id"], "ending": "finished"})
    sign_in(page, "/toy")

    def vote(vote):
        page.wait_for_load_state("networkidle")  # what the page asks for by itself when it opens has come
        hub.request("PUT", f"/api/toy/facts/{fact['id']}/vote", {"vote": vote, "person": mila["id"]})

    page.goto(f"/toy?person={mila['id']}")
    row = page.get_by_role("link", name=fact["text"]).first
    expect(row).not_to_contain_text("voted")
    vote(1)
    expect(row).to_contain_text("voted good")
    page.goto(f"/toy/week?person={mila['id']}")
    good = page.locator("dl > div", has_text="Good ones")
    before = good.inner_text()
    vote(-1)
    expect(good).not_to_have_text(before)
    page.goto(f"/toy/facts/{fact['id']}")
    count = page.get_by_role("button", name="Not this one").locator(".count")
    before = int(count.inner_text())
    vote(0)
    expect(count).to_have_text(str(before - 1))


def test_rules_are_stored_and_what_cannot_be_is_said_at_the_field(hub, page, mila):  # noqa: F811
    sign_in(page, f"/toy/rules?person={mila['id']}")
    page.get_by_role("switch", name="So many facts, then the toy rests").click()
    number = page.get_by_role("spinbutton", name="Facts in a day")
    number.fill("0")
    number.press("Tab")
    expect(page.get_by_role("alert")).to_contain_text("between 1 and 1,000")
    number.fill("6")
    number.press("Tab")
    expect(page.get_by_role("alert")).to_have_count(0)
    page.get_by_role("button", name="Whisper").click()

    def stored():
        rules = hub.get(f"/api/toy/people/{mila['id']}/rules")
        return (rules["dailyLimit"], rules["loudness"]) == (6, "whisper")

    eventually(stored, what="both rules at the hub")
    page.wrongs[:] = [one for one in page.wrongs if "/rules" not in one]  # the browser writes down what was refused


def test_rows_of_a_file_that_cannot_be_taken_are_named(hub, page):  # noqa: F811
    sign_in(page, "/toy/import")
    table = b"text,category\nOur cat Minka is older than our house.,animals\n,animals\n"
    page.get_by_label("File", exact=True).set_input_files({"name": "ours.csv", "mimeType": "text/csv", "buffer": table})
    page.get_by_role("button", name="Add these facts").click()
    expect(page.get_by_text("1 fact was added")).to_be_visible()
    expect(page.get_by_role("listitem").filter(has_text="Row 3")).to_be_visible()


@pytest.mark.own_hub
def test_a_toy_at_a_cable_is_told_again_without_a_new_start(hub, page):  # noqa: F811
    # A hub whose plain MQTT is on loopback has no way in for a toy: it says so, and makes none.
    sign_in(page, "/toy/set-up")
    page.get_by_label("What the toy is called").fill("Owl")
    page.get_by_label("Name of the Wi-Fi").fill("House")
    page.get_by_label("Password of the Wi-Fi").fill("sesame open")
    page.get_by_label("Address of the hub").fill("192.168.1.20")
    page.get_by_role("button", name="Choose the cable and set it up").click()
    expect(page.get_by_text("Start it with --plain-mqtt-host")).to_be_visible()
    assert hub.get("/api/toy/toys")["toys"] == []
    page.wrongs.clear()
    port = free_port()
    hub.terminate()
    hub.flags += ["--plain-mqtt-host", "127.0.0.1", "--plain-mqtt-port", str(port)]
    hub.start()
    page.reload()
    page.wrongs.clear()  # what was asked for while the hub was away
    page.get_by_label("What the toy is called").fill("Owl")
    page.get_by_label("Name of the Wi-Fi").fill("Haus ü: \"<b>\" 🌿")
    page.get_by_label("Password of the Wi-Fi").fill("wrong")
    page.get_by_label("Address of the hub").fill("192.168.1.20")
    send = page.get_by_role("button", name="Choose the cable and set it up")
    send.click()
    expect(page.get_by_text("The toy could not join this network.")).to_be_visible()
    page.get_by_label("Password of the Wi-Fi").fill("right: it has a colon")
    send.click()
    expect(page.get_by_text("It has joined the Wi-Fi")).to_be_visible()
    [toy] = hub.get("/api/toy/toys")["toys"]
    heard = page.evaluate("() => heard")
    assert toy["name"] == "Owl" and heard[0] == "open 115200" and heard[-1] == "close" and heard.count("close") == 1
    assert all(words in heard[1] for words in ("192.168.1.20", str(port), toy["id"]))
    assert "Haus ü: \"<b>\" 🌿" in heard[-2] and heard[-2].endswith("right: it has a colon")


@pytest.mark.own_hub
def test_a_message_is_recorded_heard_and_comes_in_place_of_a_fact(hub, launched, mila):  # noqa: F811
    microphone = launched("--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream")
    page = new_page(hub, microphone, (PHONE, "light"))
    sign_in(page, "/toy/messages")
    page.get_by_role("button", name="Mila").click()
    page.get_by_label("Who speaks").fill("Grandma Vera")
    page.get_by_role("button", name="Record", exact=True).click()
    expect(page.get_by_role("timer")).to_contain_text("0:01 of 0:30")
    page.get_by_role("button", name="Stop recording").click()
    expect(page.get_by_label("What was recorded")).to_be_visible()
    page.get_by_role("button", name="Send it").click()
    if not shutil.which("ffmpeg"):
        expect(page.get_by_text("ffmpeg")).to_be_visible()
        return page.context.close()
    expect(page.get_by_text(re.compile("Grandma Vera for Mila"))).to_be_visible()
    expect(page.get_by_text("waits to be heard")).to_be_visible()
    page.goto(f"/toy/play?person={mila['id']}")
    expect(page.get_by_role("heading", name="Grandma Vera has something to tell you.")).to_be_visible()
    page.get_by_role("button", name="Next fact").click()
    expect(page.get_by_role("button", name="Good one")).to_be_visible()
    page.context.close()
    assert not page.wrongs, page.wrongs


def test_the_original_app_s_people_sign_up_sign_in_and_log_out(data, web, browser):  # noqa: F811
    hub = Hub(data, "--legacy", "toy", web=web).start().signed_in()  # noqa: F811
    try:
        page = new_page(hub, browser, (PHONE, "light"))
        sign_in(page, "/toy/original")
        page.get_by_role("button", name="Open it for five minutes").click()
        expect(page.get_by_role("timer")).to_contain_text(re.compile(r"[45]:\d\d"))
        up = page.get_by_role("region", name="Sign up here")
        up.get_by_label("Name").fill("Ada")
        up.get_by_label("Email").fill("ada@example.org")
        up.get_by_label("Password", exact=True).fill("correct horse")
        up.get_by_label("Password again").fill("another horse")
        up.get_by_role("button", name="Sign up").click()
        expect(page.get_by_text("The two passwords are not the same.")).to_be_visible()
        up.get_by_label("Password again").fill("correct horse")
        up.get_by_role("button", name="Sign up").click()
        expect(page.get_by_role("listitem").filter(has_text="ada@example.org")).to_be_visible()
        in_ = page.get_by_role("region", name="Sign in as the app does")
        in_.get_by_label("Email").fill("ada@example.org")
        in_.get_by_label("Password", exact=True).fill("wrong horse")
        in_.get_by_role("button", name="Sign in").click()
        expect(page.get_by_text("The email address or the password is wrong.")).to_be_visible()
        in_.get_by_label("Password", exact=True).fill("correct horse")
        in_.get_by_role("button", name="Sign in").click()
        expect(page.get_by_text("Signed in with the number")).to_be_visible()
        page.get_by_role("button", name="Log out").click()
        expect(page.get_by_text("Signed in with the number")).to_have_count(0)
        page.context.close()
        wrongs = [one for one in page.wrongs if "/User/" not in one]
        assert not wrongs, wrongs
    finally:
        hub.close()
