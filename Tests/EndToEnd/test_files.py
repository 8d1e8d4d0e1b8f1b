"""The original's users' files, in and out."""

import json

import pytest

from hub import Hub, tandem

ORIGINAL = [
    {"Sensors": '["36"]', "Name": "Fern"},
    {"Sensors": '["37", "38"]', "Name": "Chilli 🌶"},
    {"Sensors": "test id", "Name": "test name"},
]


def test_a_users_file_goes_in_and_comes_out_the_same(data, tmp_path):
    file = tmp_path / "phone.json"
    file.write_text(json.dumps(ORIGINAL))
    tandem("import", "plants", file, "--client", "iPhone SE", "--data", data)
    out = tandem("export", "plants", "--client", "iPhone SE", "--data", data).stdout
    assert [plant["Name"] for plant in json.loads(out)] == [plant["Name"] for plant in ORIGINAL]
    assert json.loads(json.loads(out)[0]["Sensors"]) == ["36"]
    again = tmp_path / "again.json"
    again.write_text(out)
    tandem("import", "plants", again, "--client", "iPad", "--data", data)
    assert tandem("export", "plants", "--client", "iPad", "--data", data).stdout == out


def test_an_imported_garden_is_the_legacy_clients(data, tmp_path):
    file = tmp_path / "phone.json"
    file.write_text(json.dumps(ORIGINAL))
    tandem("import", "plants", file, "--client", "iPhone SE", "--data", data)
    hub = Hub(data, legacy=True).start().signed_in()
    try:
        [garden] = hub.get("/api/plants/legacy")["clients"]
        assert [plant["name"] for plant in garden["plants"]] == [plant["Name"] for plant in ORIGINAL]
    finally:
        hub.close()


BAD = {
    "no JSON": "plants!",
    "not a list": '{"Sensors": "36", "Name": "Fern"}',
    "no name": '[{"Sensors": "36"}]',
    "a name that is a number": '[{"Sensors": "36", "Name": 5}]',
    "nothing": "",
    "cut short": '[{"Sensors": "36", "Name": "Fern"',
}


@pytest.mark.parametrize("content", BAD.values(), ids=BAD.keys())
def test_a_file_that_is_no_users_file_is_told_and_changes_nothing(data, tmp_path, content):
    file = tmp_path / "phone.json"
    file.write_text(content)
    result = tandem("import", "plants", file, "--client", "iPhone SE", "--data", data, check=False)
    assert result.returncode not in (0, -4, -5, -6) and "phone.json" in result.stderr


def test_a_file_that_is_not_there_is_told(data, tmp_path):
    result = tandem("import", "plants", tmp_path / "none.json", "--client", "x", "--data", data, check=False)
    assert result.returncode not in (0, -4, -5, -6) and "none.json" in result.stderr
