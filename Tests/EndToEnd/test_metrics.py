"""What a monitor sees at /metrics, with Prometheus's own reader, and who may see it."""

import json
import re
import urllib.error
import urllib.request

import pytest
from prometheus_client.parser import text_string_to_metric_families

import tls
from hub import ROOT, Hub, Problem, eventually
from mqtt import Client, Wire, connect_packet, publish_packet


def scrape(hub, **headers):
    """All samples by name and labels, and the types of the families."""
    request = urllib.request.Request(f"{hub.url}/metrics", headers=headers)
    with urllib.request.urlopen(request, timeout=10) as answer:
        assert answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
        text = answer.read().decode()
    assert text.endswith("\n")
    families = list(text_string_to_metric_families(text))
    samples = {(one.name, *one.labels.values()): one.value for family in families for one in family.samples}
    for family in families:
        assert family.documentation and family.type in ("counter", "gauge"), family
    return samples, {family.name: family.type for family in families}, text


def test_the_dashboard_of_grafana_asks_for_what_is_there(hub):
    panels = json.loads((ROOT / "packaging/grafana/tandem.json").read_text())["panels"]
    asked = {name for panel in panels for one in panel["targets"] for name in re.findall(r"\b(?:tandem|process)_\w+", one["expr"])}
    there = {sample[0] for sample in scrape(hub)[0]}
    assert asked and asked <= there, asked - there


def test_a_program_on_the_hubs_machine_reads_counters_and_gauges(device):
    hub = device.hub
    before, types, _ = scrape(hub)
    assert types["tandem_mqtt_connections"] == "gauge" and types["tandem_mqtt_messages_received"] == "counter"
    with Client.of(device) as client:
        client.subscribe(device.topic("note"), 2)
        for quality in (0, 1, 2):
            client.publish(device.topic("note"), str(quality), quality)
            client.next()
        client.publish(device.topic(), "41.5")
        now, _, _ = scrape(hub)
        assert now["tandem_mqtt_connections",] == 1 and now["tandem_mqtt_sessions",] == 1
        assert now["tandem_mqtt_messages_received_total", "0"] == 1
        assert now["tandem_mqtt_messages_received_total", "1"] == 2
        assert now["tandem_mqtt_messages_received_total", "2"] == 1
        assert now["tandem_mqtt_messages_sent_total", "2"] == 1
        assert now["tandem_readings_stored_total",] == before["tandem_readings_stored_total",] + 4
        assert now["tandem_mqtt_received_bytes_total",] > 100 and now["tandem_mqtt_sent_bytes_total",] > 50
    assert now["tandem_http_requests_total", "2xx"] > before["tandem_http_requests_total", "2xx"]
    assert abs(now["process_resident_memory_bytes",] / hub.resident_bytes() - 1) < 0.5
    assert 0 < now["process_cpu_seconds_total",] < 600 and now["process_open_fds",] > 10


def test_what_is_dropped_and_refused_is_counted_by_reason(device):
    hub = device.hub
    wrong = Wire(hub, connect=False)
    wrong.send(connect_packet(device.id, "wrong"))
    assert wrong.exactly(4) == b"\x20\x02\x00\x04"
    lost = Wire(hub, device.id, device.token)
    lost.send(publish_packet("tandem/somebody-else/moisture", b"1", 1))
    assert lost.exactly(4)[:2] == b"\x40\x02"
    with Client.of(device) as client:
        client.publish(device.topic(), "damp")
    away = Client.of(device, client_id="away", clean=False).connect()
    away.subscribe(device.topic("note"))
    away.disconnect()
    with Client.of(device) as client:
        for number in range(1_010):
            client.paho.publish(device.topic("note"), str(number), 1)
        client.publish(device.topic("note"), "last")
    samples, _, _ = scrape(hub)
    assert samples["tandem_mqtt_clients_refused_total", "sign_in"] == 1
    assert samples["tandem_mqtt_messages_refused_total", "foreign_topic"] == 1
    assert samples["tandem_mqtt_messages_refused_total", "not_understood"] >= 1
    assert samples["tandem_mqtt_messages_dropped_total", "queue_full"] == 11
    assert samples["tandem_mqtt_queued_messages",] == 1_000


def test_no_name_of_a_device_or_a_person_is_in_it(device):
    with Client.of(device, client_id="a-client-of-its-own") as client:
        client.subscribe(device.topic("note"))
        client.publish(device.topic(), "41.5")
        text = scrape(device.hub)[2]
    assert device.id not in text and "a-client-of-its-own" not in text and "Fern" not in text
    for person in device.hub.get("/api/people"):
        assert person["name"] not in text and person["id"] not in text


@pytest.mark.parametrize("field", ["X-Forwarded-For", "Forwarded", "Via"])
def test_who_comes_through_a_proxy_on_the_hubs_machine_is_nobody(hub, field):
    with pytest.raises(urllib.error.HTTPError, match="401"):
        scrape(hub, **{field: "203.0.113.9"})
    samples, _, _ = scrape(hub, **{field: "203.0.113.9", "Authorization": f"Bearer {hub.token}"})
    assert samples


def test_over_tls_too(data, tmp_path):
    hub = Hub(data, lan="linden").start().signed_in()
    try:
        assert b"\ntandem_mqtt_connections 0\n" in tls.page(hub, tls.authority(hub, tmp_path), "/metrics")
    finally:
        hub.close()


def test_a_wrong_token_from_this_machine_is_read_as_none(hub):
    assert scrape(hub, Authorization="Bearer wrong")[0]


def test_the_losses_for_the_page_are_for_adults(device):
    hub = device.hub
    assert hub.get("/api/losses")["losses"] == []
    with Client.of(device) as client:
        client.publish(device.topic(), "damp")
    losses = eventually(lambda: hub.get("/api/losses")["losses"], what="the count")
    assert losses == [{"reason": "not_understood", "kind": "refused_message", "count": 1}]
    hub.token = None
    with pytest.raises(Problem) as refused:
        hub.get("/api/losses")
    assert refused.value.status == 401
