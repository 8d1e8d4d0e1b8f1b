#!/usr/bin/env python3
"""Writes packaging/grafana/tandem.json, a Grafana dashboard of what /metrics says: scripts/grafana.py [--check]

A panel is a title, a unit of Grafana's, and queries of Prometheus with their legends. With --check it says whether the file is that of
this script, and writes nothing.
"""

import json
import pathlib
import sys

FILE = pathlib.Path(__file__).resolve().parents[1] / "packaging/grafana/tandem.json"

PANELS = [
    ("Readings stored", "short", [("rate(tandem_readings_stored_total[5m])", "a second")]),
    ("Commits", "short", [
        ("rate(tandem_commits_total[5m])", "made durable, a second"), ("increase(tandem_commit_failures_total[5m])", "failed"),
    ]),
    ("MQTT clients", "short", [
        ("tandem_mqtt_connections", "connected"), ("tandem_mqtt_sessions", "sessions"),
        ("tandem_mqtt_half_open_connections", "not signed in yet"),
    ]),
    ("MQTT messages", "short", [
        ("sum(rate(tandem_mqtt_messages_received_total[5m]))", "received a second"),
        ("sum(rate(tandem_mqtt_messages_sent_total[5m]))", "sent a second"),
    ]),
    ("What waits", "short", [
        ("tandem_mqtt_queued_messages", "for clients that are away"), ("tandem_mqtt_in_flight_messages", "for an acknowledgement"),
    ]),
    ("Dropped, refused, closed", "short", [
        ("sum by (reason) (increase(tandem_mqtt_messages_dropped_total[1h]))", "dropped: {{reason}}"),
        ("sum by (reason) (increase(tandem_mqtt_messages_refused_total[1h]))", "refused: {{reason}}"),
        ("sum by (reason) (increase(tandem_mqtt_connections_closed_total[1h]))", "closed: {{reason}}"),
    ]),
    ("Pages", "short", [
        ("tandem_open_pages", "open"), ("sum by (status) (rate(tandem_http_requests_total[5m]))", "answers {{status}} a second"),
    ]),
    ("Memory", "bytes", [("process_resident_memory_bytes", "resident")]),
    ("Processor", "percentunit", [("rate(process_cpu_seconds_total[5m])", "of one core")]),
]  # fmt: skip


def dashboard():
    width, height = 12, 8
    panels = [
        {
            "id": number + 1, "type": "timeseries", "title": title,
            "datasource": {"type": "prometheus", "uid": "${datasource}"},
            "gridPos": {"x": width * (number % 2), "y": height * (number // 2), "w": width, "h": height},
            "fieldConfig": {"defaults": {"unit": unit, "min": 0}, "overrides": []},
            "targets": [
                {"refId": chr(ord("A") + index), "expr": query, "legendFormat": legend}
                for index, (query, legend) in enumerate(queries)
            ],
        }
        for number, (title, unit, queries) in enumerate(PANELS)
    ]  # fmt: skip
    return {
        "title": "Tandem", "uid": "tandem", "schemaVersion": 39, "tags": ["tandem"], "timezone": "browser", "refresh": "1m",
        "time": {"from": "now-24h", "to": "now"}, "panels": panels,
        "templating": {"list": [{"name": "datasource", "type": "datasource", "query": "prometheus", "label": "Source"}]},
    }  # fmt: skip


text = json.dumps(dashboard(), indent=2) + "\n"
if "--check" in sys.argv:
    if not FILE.exists() or FILE.read_text() != text:
        sys.exit(f"{FILE.name} is not what scripts/grafana.py writes; run it")
else:
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text(text)
