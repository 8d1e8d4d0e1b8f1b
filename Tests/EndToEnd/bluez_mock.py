"""BlueZ without a radio, for bluetooth_radio.py: python-dbusmock's template of it on a message bus of its own. A program of
Debian's own Python, which has D-Bus: it takes a command a line on its standard input, as JSON, and prints what happens.

    {"do": "adapter"}                                   a radio; "powered": false for one that is off
    {"do": "advertise", "address": …, "name": …, "service_data": {uuid: hex}, "manufacturer_data": {number: hex}, "services": […]}
    {"do": "service", "address": …, "uuid": …, "characteristics": [{"uuid": …, "flags": […], "value": hex,
        "answers": {written hex: [uuid of another, its value from then on]}}]}
    {"do": "notify", "address": …, "uuid": …, "value": hex}
    {"do": "lose", "address": …}                        the connection ends
"""

import json
import subprocess
import sys

import dbus
import dbus.mainloop.glib
import dbusmock
from gi.repository import GLib

ADAPTER = "org.bluez.Adapter1"
DEVICE = "org.bluez.Device1"
SERVICE = "org.bluez.GattService1"
CHARACTERISTIC = "org.bluez.GattCharacteristic1"
CONNECT = f"""self.connected = True
self.UpdateProperties("{DEVICE}", {{"Connected": dbus.Boolean(True), "ServicesResolved": dbus.Boolean(True)}})"""
DISCONNECT = f"""self.connected = False
self.UpdateProperties("{DEVICE}", {{"Connected": dbus.Boolean(False), "ServicesResolved": dbus.Boolean(False)}})"""
READ = f'ret = self.props["{CHARACTERISTIC}"]["Value"]'


def say(**what):
    print(json.dumps(what), flush=True)


def taken(value):
    return dbus.Array(bytes.fromhex(value), signature="y", variant_level=1)


class Radio:
    def __init__(self):
        dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
        dbusmock.DBusTestCase.start_system_bus()
        self.bus = dbusmock.DBusTestCase.get_dbus(system_bus=True)
        self.server, self.bluez = dbusmock.DBusTestCase.spawn_server_template("bluez5", {}, stdout=subprocess.DEVNULL)
        self.mock = dbus.Interface(self.bluez, "org.bluez.Mock")
        self.devices, self.characteristics = {}, {}
        self.bus.add_signal_receiver(
            self.called, "MethodCalled", dbusmock.MOCK_IFACE, path_keyword="path", byte_arrays=True)

    def object(self, path):
        return dbus.Interface(self.bus.get_object("org.bluez", path), dbusmock.MOCK_IFACE)

    def called(self, method, arguments, path=None):
        written = bytes(arguments[0]).hex() if method == "WriteValue" else None
        uuid = next((uuid for (_, uuid), other in self.characteristics.items() if other == path), None)
        say(event=method, path=path, uuid=uuid, value=written)

    def adapter(self, powered=True):
        path = self.mock.AddAdapter("hci0", "hub")
        self.object(path).UpdateProperties(ADAPTER, {"Powered": dbus.Boolean(powered)})

    def power(self, on):
        self.object("/org/bluez/hci0").UpdateProperties(ADAPTER, {"Powered": dbus.Boolean(on)})

    def device(self, address, name):
        if address not in self.devices:
            path = self.mock.AddDevice("hci0", address, name or "")
            self.object(path).AddMethod(DEVICE, "Connect", "", "", CONNECT)
            self.object(path).AddMethod(DEVICE, "Disconnect", "", "", DISCONNECT)
            self.devices[address] = path
        return self.devices[address]

    def advertise(self, address, name=None, service_data=None, manufacturer_data=None, services=()):
        changed = {"RSSI": dbus.Int16(-60, variant_level=1)}
        if service_data:
            changed["ServiceData"] = dbus.Dictionary(
                {uuid: taken(data) for uuid, data in service_data.items()}, signature="sv", variant_level=1)
        if manufacturer_data:
            changed["ManufacturerData"] = dbus.Dictionary(
                {dbus.UInt16(int(company)): taken(data) for company, data in manufacturer_data.items()}, signature="qv",
                variant_level=1)
        if services:
            changed["UUIDs"] = dbus.Array(services, signature="s", variant_level=1)
        # A signal alone: what is broadcast once is no property that somebody asks for later.
        self.object(self.device(address, name)).EmitSignal(
            dbus.PROPERTIES_IFACE, "PropertiesChanged", "sa{sv}as", [DEVICE, changed, dbus.Array([], signature="s")])

    def service(self, address, uuid, characteristics):
        device = self.devices[address]
        path = f"{device}/service0010"
        self.object("/").AddObject(path, SERVICE, {"UUID": uuid, "Primary": True}, dbus.Array([], signature="(ssss)"))
        for number, one in enumerate(characteristics):
            self.characteristics[address, one["uuid"]] = f"{path}/char{number:04x}"
        for one in characteristics:
            own = self.characteristics[address, one["uuid"]]
            properties = {
                "UUID": one["uuid"], "Service": dbus.ObjectPath(path, variant_level=1), "Notifying": False,
                "Flags": dbus.Array(one["flags"], signature="s", variant_level=1), "Value": taken(one.get("value", "")),
            }
            answers = {
                written: [self.characteristics[address, other], value]
                for written, (other, value) in one.get("answers", {}).items()
            }
            write = f"""found = {answers!r}.get(bytes(args[0]).hex())
if found:
    objects[found[0]].props["{CHARACTERISTIC}"]["Value"] = dbus.Array(bytes.fromhex(found[1]), signature="y", variant_level=1)"""
            self.object("/").AddObject(own, CHARACTERISTIC, properties, [
                ("StartNotify", "", "", ""), ("StopNotify", "", "", ""), ("ReadValue", "a{sv}", "ay", READ),
                ("WriteValue", "aya{sv}", "", write)])
            self.object("/").EmitSignal(
                dbusmock.OBJECT_MANAGER_IFACE, "InterfacesAdded", "oa{sa{sv}}",
                [dbus.ObjectPath(own), dbus.Dictionary({CHARACTERISTIC: properties}, signature="sa{sv}")])

    def notify(self, address, uuid, value):
        path = self.characteristics[address, uuid]
        self.object(path).UpdateProperties(CHARACTERISTIC, {"Value": taken(value)})

    def lose(self, address):
        self.bus.get_object("org.bluez", self.devices[address]).Disconnect(dbus_interface=DEVICE)

    def close(self):
        self.server.terminate()
        self.server.wait()
        dbusmock.DBusTestCase.tearDownClass()


def main():
    import os

    radio = Radio()
    loop = GLib.MainLoop()
    say(event="bus", address=os.environ["DBUS_SYSTEM_BUS_ADDRESS"])

    def read(_, __):
        line = sys.stdin.readline()
        if not line:
            loop.quit()
            return False
        command = json.loads(line)
        try:
            getattr(radio, command.pop("do"))(**command)
            say(event="done")
        except Exception as error:  # noqa: BLE001 - the test is told
            say(event="failed", why=repr(error))
        return True

    GLib.io_add_watch(sys.stdin.fileno(), GLib.IO_IN | GLib.IO_HUP, read)
    loop.run()
    radio.close()


main()
