"""A phone whose motion sensors say what a test sets, by the DevTools protocol (Emulation.setSensorOverrideReadings)."""

import re

GRAVITY = 9.80665  # m/s²


def at_rest():
    """On its back: it feels the table, and nothing besides."""
    return {"accelerometer": (0, 0, GRAVITY), "linear-acceleration": (0, 0, 0)}


class Phone:
    def __init__(self, page):
        self.session = page.context.new_cdp_session(page)
        self.enabled = set()

    def set(self, **readings):
        """Sets sensors, each to x, y and z: in m/s² and rad/s."""
        for kind, (x, y, z) in readings.items():
            if kind not in self.enabled:
                self.session.send("Emulation.setSensorOverrideEnabled", {
                    "enabled": True, "type": kind,
                    "metadata": {"available": True, "minimumFrequency": 1, "maximumFrequency": 100},
                })  # fmt: skip
                self.enabled.add(kind)
            self.session.send(
                "Emulation.setSensorOverrideReadings", {"type": kind, "reading": {"xyz": {"x": x, "y": y, "z": z}}})  # fmt: skip


def number_of(page, selector):
    """The first number that stands there, or nothing."""
    found = re.search(r"\d+(\.\d+)?", page.locator(selector).first.text_content() or "")
    return float(found[0]) if found else None
