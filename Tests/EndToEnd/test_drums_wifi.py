"""Drums on Wi-Fi: a kit's cues and hits between a page and a device, through a real hub."""

import itertools
import json
import re
import socket

import pytest
import websocket

from drum_kit import PahoKit, Page, Simulated, add_kit
from hub import Hub, eventually, tandem
from live import Closed
from mqtt import Wire, mosquitto_pub, mosquitto_sub, publish_packet
from shared_hub import shared_hub

hub = shared_hub()
MACHINE = ["--reaction-ms", "200", "--spread-percent", "0", "--wrong-percent", "0"]
BEAT = re.compile(r"([0-3] )*[0-3] \d+ (\d+\.\d\d|-1\.00)")


@pytest.fixture
def kit(hub):
    return add_kit(hub)


def test_a_cue_reaches_the_kit_and_its_answer_the_page(hub, kit):
    with PahoKit.of(kit) as drums, Page(hub) as page:
        assert page.attach(kit) == {"type": "device.link", "device": kit.id, "isConnected": True}
        page.cue(kit, "2")
        assert drums.next() == (f"tandem/{kit.id}/command", b"2", False)
        drums.says(b"0 1 3 1 2 1450 320.\0", b"00\0", b"END\0")
        assert [page.message(kit) for _ in range(3)] == ["0 1 3 1 2 1450 320.\0", "00\0", "END\0"]
    # What was played is the page's to record: the hub keeps none of it as readings.
    assert kit.show()["series"] == [] and kit.show()["errorCount"] == 0


def test_foreign_clients_play_too(hub, kit):
    with mosquitto_sub(kit, "-t", f"tandem/{kit.id}/command", "-q", "0") as drums, Page(hub) as page:
        page.attach(kit)
        page.cue(kit, "3")
        drums.until("3")
        mosquitto_pub(kit, "-t", f"tandem/{kit.id}/hit", "-m", "3 512 -1.00")
        mosquitto_pub(kit, "-t", f"tandem/{kit.id}/hit", "-m", "END")
        assert page.beat(kit) == "3 512 -1.00"


def test_the_page_learns_when_the_kit_comes_and_vanishes(hub, kit):
    with Page(hub) as page:
        assert page.attach(kit)["isConnected"] is False
        drums = PahoKit.of(kit).connect().listen()
        assert page.next() == {"type": "device.link", "device": kit.id, "isConnected": True}
        drums.vanish()
        assert page.until(lambda frame: frame["type"] == "device.link")["isConnected"] is False
        # A cue to a kit that is away goes nowhere, and is not stored for it.
        page.cue(kit, "1")
        with PahoKit.of(kit) as drums:
            assert page.until(lambda frame: frame["type"] == "device.link")["isConnected"] is True
            page.cue(kit, "2")
            assert drums.next()[1] == b"2"


def test_a_kit_that_was_reset_and_signs_in_before_its_old_connection_is_missed_is_seen_to_break(hub, kit):
    # Its old connection is still open as far as the hub can tell: the cue that it has forgotten must be sent again.
    with PahoKit.of(kit, client_id="kit"), Page(hub) as page:
        assert page.attach(kit)["isConnected"] is True
        with PahoKit.of(kit, client_id="kit") as drums:
            assert page.next()["isConnected"] is False
            assert page.next()["isConnected"] is True
            page.cue(kit, "3")
            assert drums.next()[1] == b"3"


def test_another_page_takes_the_kit_over_and_the_first_is_told(hub, kit):
    with PahoKit.of(kit) as drums, Page(hub) as first, Page(hub) as second:
        first.attach(kit)
        second.attach(kit)
        assert first.next() == {"type": "device.taken", "device": kit.id}
        drums.says(b"1 300 -1.00\0", b"END\0")
        assert second.beat(kit) == "1 300 -1.00"
        first.cue(kit, "1")
        assert first.next()["reason"] == "This page does not play with this device now."
        # And back, by asking again.
        assert first.attach(kit)["type"] == "device.link"
        assert second.next()["type"] == "device.taken"


def test_a_page_that_comes_back_attaches_anew_and_nothing_is_sent_twice(hub, kit):
    with PahoKit.of(kit) as drums:
        with Page(hub) as page:
            page.attach(kit)
            drums.says(b"END\0")
            page.message(kit)
        with Page(hub) as page:
            page.attach(kit)
            drums.says(b"3 1 -1.00\0")
            assert page.message(kit) == "3 1 -1.00\0"


def test_what_a_page_may_not_have_is_refused_in_words(hub, kit, device):
    unknown = "There is no such device in this house that a page can play with."
    with Page(hub) as page:
        # A device of another kind, none at all, and topics dressed as ids.
        for name in (device.id, "k7fq2m9x", "", f"{kit.id}/#", "+", "../" + kit.id):
            assert page.attach(name) == {"type": "refused", "device": name, "reason": unknown}
        page.cue(kit, "2")
        assert page.next()["reason"] == "This page does not play with this device now."
        page.attach(kit)
        for data in ("", "2" * 21, "ü2", "\u20ac", "2\u0101"):
            page.cue(kit, data)
            if data == "ü2":  # U+00FC is one byte.
                continue
            assert page.next()["reason"] == "What is said to this device has 1 to 20 bytes."
        for text in ("", "[]", "{", '{"type":"attach"}', '{"type":"eat","device":"x"}', "\0"):
            page.socket.send(text)
            assert page.next()["reason"] == "The hub did not understand this message of the page."
        # A frame takes what the largest channel takes: packets of MIDI, of 512 bytes, each six in a frame (PageChannelLimits).
        page.socket.send(json.dumps({"type": "send", "device": kit.id, "data": "2" * (392 + 6 * 512)}))
        assert page.next()["reason"] == "This message is too long for the hub."
        # After all that it still plays.
        with PahoKit.of(kit) as drums:
            page.until(lambda frame: frame["type"] == "device.link")
            page.cue(kit, "0")
            assert drums.next()[1] == b"0"


def test_a_page_holds_a_few_kits_and_no_more(hub):
    kits = [add_kit(hub, f"Kit {number}") for number in range(5)]
    with Page(hub) as page:
        for kit in kits[:4]:
            assert page.attach(kit)["type"] == "device.link"
        assert page.attach(kits[4])["reason"] == "A page plays with at most 4 devices."
        page.say(type="detach", device=kits[0].id)
        assert page.attach(kits[4])["type"] == "device.link"


def test_a_page_that_says_too_much_is_told_and_then_closed(hub, kit):
    with Page(hub) as page:
        page.attach(kit)
        code = None
        try:
            for _ in range(2_000):
                page.socket.send('{"type":"x","device":"y"}')
        except OSError:
            pass
        reasons = set()
        with pytest.raises((Closed, websocket.WebSocketException, OSError)) as closed:
            while True:
                reasons.add(page.next()["reason"])
        assert "This page says more than the hub can take. Load it again." in reasons
        code = getattr(closed.value, "code", None)
        assert code in (1008, None)
    with Page(hub) as page:
        assert page.attach(kit)["type"] == "device.link"


def test_another_household_has_no_way_to_the_kit(hub, kit, tmp_path):
    other = Hub(tmp_path / "other")
    tandem("user", "add", "--data", other.data, "--name", "Ola", "--email", "ola@example.org", stdin="a long password\n")
    other.start().sign_in("ola@example.org", "a long password")
    try:
        with Page(other) as page:
            assert page.attach(kit)["type"] == "refused"
    finally:
        other.close()


def test_a_device_cannot_speak_as_another_kit(hub, kit):
    other = add_kit(hub, "Other")
    with Page(hub) as page:
        page.attach(kit)
        wire = Wire(hub, other.id, other.token)
        wire.send(publish_packet(f"tandem/{kit.id}/hit", b"2 200 -1.00\0", 1))
        assert wire.exactly(4)[:2] == b"\x40\x02"  # acknowledged and put aside
        with PahoKit.of(kit) as drums:
            drums.says(b"1 200 -1.00\0")
            assert page.message(kit) == "1 200 -1.00\0"


def test_hostile_notifications_reach_the_page_as_they_are_or_not_at_all(hub, kit):
    hostile = [bytes([0]), bytes(range(20)), bytes(range(236, 256)), b'"},{"type":"x"\\u', b"\xff\xfe\x00END", b"9 9 9 NaN"]
    with PahoKit.of(kit) as drums, Page(hub) as page:
        page.attach(kit)
        for notification in hostile:
            drums.says(notification)
            assert page.message(kit).encode("latin-1") == notification
        # Too long, empty, or on another topic: counted as the kit's error, and the page hears none of it.
        drums.says(b"x" * 21, b"", b"y" * 5_000)
        drums.publish(f"tandem/{kit.id}/force", b"3", quality=0)
        drums.says(b"END\0")
        assert page.message(kit) == "END\0"
        eventually(lambda: kit.show()["errorCount"] == 4, what="four errors")
        assert re.search("1 to 20 bytes|publishes what was struck|publishes to “hit” alone", kit.show()["lastError"]["message"])


def test_a_flood_of_a_kit_is_cut_and_counted(hub, kit):
    with PahoKit.of(kit) as drums, Page(hub) as page:
        page.attach(kit)
        drums.says(*[b"2 200 -1.00\0"] * 3_000)
        # Then one after another, until there is room again and one is heard.
        heard = lost = 0
        for number in itertools.count(1):
            drums.publish(f"tandem/{kit.id}/hit", b"%d" % number)
            page.say(type="send", device="nobody", data="1")  # refused, behind what is on its way to the page
            over = None
            while (frame := page.next())["type"] != "refused":
                heard += frame["type"] == "device.message"
                lost += frame.get("count", 0)
                if frame.get("data", "").isdigit():
                    over = int(frame["data"]), heard + lost
            if over:
                break
        assert over == (over[0], 3_000 + over[0]) and lost > 1_000


def test_a_page_that_reads_nothing_holds_up_nobody(hub, kit):
    second = add_kit(hub, "Second")
    with PahoKit.of(kit) as drums, PahoKit.of(second) as others, Page(hub) as good:
        good.attach(second)
        with Page(hub) as slow:
            slow.attach(kit)
            slow.socket.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_048)
            before = hub.resident_bytes()
            for _ in range(40):
                drums.says(*[b"2 200 -1.00\0"] * 100)
                others.says(b"1 1 -1.00\0")
                assert good.message(second) == "1 1 -1.00\0"
            assert hub.resident_bytes() - before < 20_000_000


def test_a_kit_that_is_removed_is_gone_from_the_page(hub, kit):
    with PahoKit.of(kit), Page(hub) as page:
        page.attach(kit)
        hub.request("DELETE", f"/api/devices/{kit.id}")
        frame = page.until(lambda frame: frame["type"] == "refused")
        assert frame == {"type": "refused", "device": kit.id, "reason": "This device was removed."}
        page.cue(kit, "1")
        assert page.until(lambda frame: frame["type"] == "refused")["reason"].startswith("This page does not play")
        assert page.attach(kit)["type"] == "refused"


@pytest.mark.own_hub
def test_a_sign_in_that_ends_takes_the_kit_with_it(hub, kit):
    with PahoKit.of(kit) as drums, Page(hub) as page:
        page.attach(kit)
        code = page.close_code()
        hub.request("DELETE", "/api/session")
        assert code() == 4401
        drums.says(b"END\0")


# The virtual kit.


def test_the_virtual_kit_plays_over_mqtt_like_the_firmware_it_is(hub, kit):
    with Simulated.of(kit, *MACHINE), Page(hub) as page:
        if not page.attach(kit)["isConnected"]:
            page.until(lambda frame: frame.get("isConnected"))
        for drum in "0213":
            page.cue(kit, drum)
            words = page.beat(kit).split(" ")
            assert words[:2] == [drum, "200"]
            assert (words[2] == "-1.00") == (drum != "0")


def test_a_virtual_kit_whose_radio_is_lost_comes_back_and_plays_on(hub, kit):
    with Simulated.of(kit, *MACHINE, "--drop-every-seconds", "1", "--drop-seconds", "1"), Page(hub) as page:
        link = page.attach(kit)["isConnected"]
        seen = [link]
        while seen[-3:] != [True, False, True]:
            seen.append(page.until(lambda frame: frame["type"] == "device.link")["isConnected"])


def test_a_virtual_kit_that_the_hub_does_not_know_says_so(hub, kit):
    result = tandem(
        "simulate", "drums", "--hub", f"mqtt://127.0.0.1:{hub.mqtt_port}", "--device", kit.id, "--token", "wrong",
        check=False,
    )  # fmt: skip
    assert result.returncode == 77
    assert "Check --device and --token" in result.stderr


def test_the_virtual_kit_behind_pipes():
    with Simulated("--stdio", *MACHINE) as drums:
        drums.write(b"2\n")
        assert drums.line() == b"2 200 -1.00\0"
        assert drums.line() == b"END\0"
        drums.write(b"xyz\xff1")
        assert drums.beat() == "1 200 -1.00"
        # A reset forgets the cue; a lost radio hears none.
        drums.write(b"3!reset\n")
        assert drums.line() == b"!reset"
        drums.write(b"!lost\n2!back\n0")
        assert [drums.line(), drums.line()] == [b"!lost", b"!back"]
        assert BEAT.fullmatch(drums.beat())


def test_the_example_of_the_help_works():
    assert "printf 2 | tandem simulate drums --stdio --reaction-ms 400" in tandem("simulate", "drums", "--help").stdout
    answer = tandem("simulate", "drums", "--stdio", "--reaction-ms", "400", stdin="2").stdout
    assert BEAT.fullmatch(answer.split("\0")[0]) and answer.endswith("END\0\n")


@pytest.mark.parametrize(
    "arguments, words",
    [
        ([], "Either --stdio, or the kit’s --device and --token."),
        (["--stdio", "--device", "a", "--token", "b"], "Either --stdio"),
        (["--device", "a"], "Either --stdio"),
        (["--stdio", "--reaction-ms", "5"], "--reaction-ms is a number from 20 to 10000."),
        (["--stdio", "--wrong-percent", "96"], "--wrong-percent is a number from 0 to 95."),
        (["--stdio", "--slower-side", "up"], "slower-side"),
    ],
)
def test_options_that_make_no_sense_are_refused_in_words(arguments, words):
    result = tandem("simulate", "drums", *arguments, check=False)
    assert result.returncode == 64 and words in result.stderr
