"""The executable as scripts use it."""

import csv
import io
import json
import re
import shutil
import subprocess

import pytest

from hub import TANDEM, Hub, free_port, tandem
from mqtt import Client

SUBCOMMANDS = [
    ["serve"], ["demo"], ["simulate"], ["simulate", "plant"], ["user", "add"], ["device", "add"], ["import", "plants"],
    ["export", "plants"], ["export", "readings"], ["doctor"], ["authority"], ["sensor"], ["integration", "add"],
    ["backup"], ["restore"], ["health"],
]  # fmt: skip


@pytest.mark.parametrize("subcommand", [[], *SUBCOMMANDS], ids=lambda words: " ".join(words) or "tandem")
def test_help_is_complete_and_ends_well(subcommand):
    result = tandem(*subcommand, "--help")
    assert "USAGE: tandem" in result.stdout
    if subcommand and subcommand != ["simulate"]:
        assert "xample" in result.stdout, "no example"


@pytest.mark.parametrize(
    "arguments",
    [
        ["serve", "--port", "banana"], ["serve", "--nonsense"], ["frobnicate"], ["device", "add"],
        ["serve", "--port", "99999"], ["serve", "--seal-after-days", "36501"], ["seal", "--after-days", "0"],
    ],
    ids=" ".join,
)
def test_a_wrong_command_line_is_told_and_exits_64(arguments, tmp_path):
    result = subprocess.run([TANDEM, *arguments], capture_output=True, text=True, timeout=30, cwd=tmp_path)
    assert result.returncode == 64, result
    assert "Error" in result.stderr


# RFC 5891: müller.example is xn--mller-kva.example in each Host header, by Python's idna codec.
@pytest.mark.parametrize(
    "origin, words",
    [
        ("https://müller.example", "begins with xn--"), ("https://hub.example.org:0", "from 1 to 65535"),
        ("https://hub.example.org:99999", "from 1 to 65535"), ("https://hub.example.org/tandem", "an address such as"),
        ("hub.example.org", "an address such as"), ("https://me@hub.example.org", "an address such as"),
    ],
)
def test_an_origin_that_no_browser_would_send_is_told_at_the_start(origin, words, tmp_path):
    result = tandem("serve", "--data", tmp_path, "--origin", origin, check=False, timeout=20)
    assert result.returncode == 64 and words in result.stderr, result.stderr


@pytest.mark.parametrize("value", ["-1", "1001"])
@pytest.mark.parametrize("place", ["flag", "environment", "file"])
def test_a_commit_interval_outside_its_range_is_told_with_the_range(value, place, tmp_path, monkeypatch):
    arguments = []
    if place == "flag":
        arguments = [f"--commit-interval={value}"]
    elif place == "environment":
        monkeypatch.setenv("TANDEM_COMMIT_INTERVAL", value)
    else:
        (tmp_path / "settings.json").write_text(json.dumps({"tandem": {"commit": {"interval": int(value)}}}))
        arguments = ["--config", "settings.json"]
    result = subprocess.run([TANDEM, "serve", *arguments], capture_output=True, text=True, timeout=30, cwd=tmp_path)
    assert result.returncode == 64, result
    assert "--commit-interval is a number of milliseconds from 0 to 1000." in result.stderr


def test_a_commit_interval_that_is_no_number_is_told_as_such(tmp_path):
    result = subprocess.run(
        [TANDEM, "serve", "--commit-interval", "soon"], capture_output=True, text=True, timeout=30, cwd=tmp_path
    )
    assert result.returncode == 64, result
    assert "soon" in result.stderr and "--commit-interval" in result.stderr


def test_a_device_is_added_while_the_hub_runs_and_may_connect_at_once(hub):
    answer = json.loads(
        tandem("device", "add", "--data", hub.data, "--kind", "plant-sensor", "--name", "Fern", "--json").stdout
    )
    assert set(answer) >= {"id", "token"}
    client = Client(hub, answer["id"], answer["token"]).connect()
    client.publish(f"tandem/{answer['id']}/moisture", "41")
    client.disconnect()
    assert [one["name"] for one in hub.get("/api/devices")] == ["Fern"]


def test_a_device_is_added_while_no_hub_runs(data):
    answer = json.loads(
        tandem("device", "add", "--data", data, "--kind", "plant-sensor", "--name", "Fern", "--json").stdout
    )
    hub = Hub(data).start()
    try:
        Client(hub, answer["id"], answer["token"]).connect().disconnect()
    finally:
        hub.close()


def test_a_user_is_added_while_the_hub_runs_and_may_sign_in(hub):
    tandem(
        "user", "add", "--data", hub.data, "--name", "Tom", "--email", "tom@example.org",
        stdin="another long password\n",
    )  # fmt: skip
    hub.sign_in("tom@example.org", "another long password")
    assert hub.get("/api/session")["person"]["name"] == "Tom"


def test_an_unknown_kind_of_device_is_told_with_the_known_ones(data):
    result = tandem("device", "add", "--data", data, "--kind", "toaster", "--name", "T", check=False)
    assert result.returncode != 0
    assert "toaster" in result.stderr and "plant-sensor" in result.stderr


def test_readings_are_exported_as_csv_and_json(device):
    with Client.of(device) as client:
        client.publish(device.topic(), '{"value": 41.5, "at": 1795220639132}')
        client.publish(device.topic("temperature"), '{"value": -3.25, "at": 1795220639133}')
    rows = list(csv.DictReader(io.StringIO(device.hub.export(device.id, "csv"))))
    assert [(row["series"].split("/")[-1], int(row["at"]), float(row["value"])) for row in rows] == [
        ("moisture", 1795220639132, 41.5), ("temperature", 1795220639133, -3.25),
    ]  # fmt: skip
    assert [(row["at"], row["value"]) for row in device.hub.export(device.id)] == [
        (1795220639132, 41.5), (1795220639133, -3.25),
    ]  # fmt: skip


def test_an_integration_hears_and_says_what_it_was_granted_and_nothing_else(device):
    hub = device.hub
    answer = json.loads(
        tandem("integration", "add", "--data", hub.data, "--name", "Bridge", "--filter", "tandem/+/moisture", "--json").stdout
    )
    with Client(hub, answer["id"], answer["token"]) as bridge, Client.of(device) as sensor:
        assert bridge.subscribe("tandem/+/moisture") == [1]
        assert bridge.subscribe("tandem/#") == [128]
        sensor.publish(device.topic("temperature"), "20")
        sensor.publish(device.topic(), "41")
        assert bridge.next()[:2] == (device.topic(), b"41")
        bridge.publish(device.topic(), "42")
    assert device.value() == 42


def test_doctor_is_content_with_a_good_folder(data, web):
    report = tandem("doctor", "--data", data, "--web", web, "--port", free_port(), "--mqtt-port", free_port())
    assert "✗" not in report.stdout


def test_the_version_says_of_which_commit_it_is_or_that_it_is_of_none():
    words = tandem("--version").stdout
    # Semantic Versioning 2.0.0, and the words that scripts/version.sh has for packages.
    assert re.fullmatch(r"\d+\.\d+\.\d+ \((development|commit [0-9a-f]{12}(-dirty)?)\)\n", words), words


def test_health_finds_the_hub_by_the_settings_of_serve(data, monkeypatch):
    hub = Hub(data).start()
    monkeypatch.setenv("TANDEM_PORT", str(hub.port))
    monkeypatch.setenv("TANDEM_HOST", "0.0.0.0")
    assert tandem("health").stdout == f"The hub at {hub.url} says: ok\n"
    hub.terminate()
    gone = tandem("health", check=False)
    assert gone.returncode == 1
    assert gone.stderr == f"tandem: Nothing answers at {hub.url}. Is the hub running there?\n"


def test_the_simulated_sensor_speaks_real_mqtt(device):
    process = subprocess.Popen(
        [
            TANDEM, "simulate", "plant", "--hub", f"mqtt://127.0.0.1:{device.hub.mqtt_port}", "--device", device.id,
            "--token", device.token,
        ],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    from hub import eventually

    try:
        eventually(lambda: device.value() is not None, within=30, what="the simulator's first reading")
    finally:
        process.terminate()
        assert process.wait(5) == 0


@pytest.mark.parametrize("place", ["flag", "environment", "file"])
def test_an_original_system_that_there_is_none_of_is_told_with_the_known_ones(place, tmp_path, monkeypatch):
    arguments = []
    if place == "flag":
        arguments = ["--legacy", "kettle"]
    elif place == "environment":
        monkeypatch.setenv("TANDEM_LEGACY_SYSTEMS", "kettle")
    else:
        (tmp_path / "settings.json").write_text(json.dumps({"tandem": {"legacy": {"systems": "kettle"}}}))
        arguments = ["--config", "settings.json"]
    result = subprocess.run([TANDEM, "serve", *arguments], capture_output=True, text=True, timeout=30, cwd=tmp_path)
    assert result.returncode == 64, result
    assert "--legacy knows no “kettle”" in result.stderr and "plants" in result.stderr


def test_settings_come_from_the_environment_after_the_flags(data, monkeypatch):
    hub = Hub(data)
    monkeypatch.setenv("TANDEM_LOG_LEVEL", "warning")
    monkeypatch.setenv("TANDEM_PORT", "1")  # the flag wins
    hub.start()
    try:
        assert " info " not in hub.log
    finally:
        hub.close()


def test_a_command_beside_the_hub_finds_its_folder_by_the_environment_too(device, data, monkeypatch, tmp_path):
    """As in the image, where `docker exec tandem tandem export readings` names no folder."""
    with Client.of(device) as client:
        client.publish(device.topic(), "41.5")
    monkeypatch.setenv("TANDEM_DATA", str(data))
    monkeypatch.chdir(tmp_path)
    exported = tandem("export", "readings", "--device", device.id, "--format", "json")
    assert [one["value"] for one in json.loads(exported.stdout)] == [41.5]


def test_the_executable_works_from_another_place(data, tmp_path, web):
    """Web files are found beside the executable, so that both can be moved together."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    shutil.copy2(TANDEM, elsewhere / "tandem")
    shutil.copytree(web, elsewhere / "web-build")
    moved = Hub(data)
    import hub as module

    original, module.TANDEM = module.TANDEM, elsewhere / "tandem"
    try:
        moved.start()
        body = moved.request("GET", "/")[1]
        assert b"<title>" in body
    finally:
        module.TANDEM = original
        moved.close()


def test_secrets_stay_out_of_the_log(data):
    hub = Hub(data, "--log-level", "trace").start().signed_in()
    try:
        device = hub.add_device()
        with Client.of(device) as client:
            client.publish(device.topic(), "41")
        assert hub.token not in hub.log and device.token not in hub.log
        assert "a long enough password" not in hub.log
    finally:
        hub.close()
