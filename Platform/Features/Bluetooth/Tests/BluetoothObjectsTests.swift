import Testing

@testable import BlueZ

/// What BlueZ says, kept as its signals change it (BlueZ `doc/org.bluez.Device.rst`, `doc/org.bluez.Adapter.rst`).
@Suite("BlueZ's objects")
struct BluetoothObjectsTests {
    private let path = "/org/bluez/hci0/dev_A4_C1_38_8D_18_B2"

    private func objects() -> BluetoothObjects {
        var objects = BluetoothObjects()
        objects.add(
            path,
            [
                "org.bluez.Device1": .dictionary([
                    .string("Address"): .string("a4:c1:38:8d:18:b2"), .string("Name"): .string("Fern"),
                    .string("RSSI"): .integer(-60), .string("Connected"): .bool(false),
                    .string("UUIDs"): .array([.string("6E400001-B5A3-F393-E0A9-E50E24DCCA9E")]),
                    .string("ManufacturerData"): .dictionary([.integer(0xDC): .bytes([1, 2])]),
                    .string("ServiceData"): .dictionary([
                        .string("0000fcd2-0000-1000-8000-00805f9b34fb"): .bytes([0x40])
                    ]),
                ])
            ])
        return objects
    }

    @Test("A device is read whole, and its address as people write it")
    func device() throws {
        let device = try #require(objects().device(path))
        #expect(device.address == "A4:C1:38:8D:18:B2" && device.name == "Fern" && device.strength == -60)
        #expect(device.services == ["6e400001-b5a3-f393-e0a9-e50e24dcca9e"])
        #expect(device.manufacturerData == [0xDC: [1, 2]])
        #expect(device.serviceData == ["0000fcd2-0000-1000-8000-00805f9b34fb": [0x40]])
        #expect(objects().path(of: "A4:C1:38:8D:18:B2") == path)
    }

    @Test("Changes and losses of properties hold, and those of an unknown object are put aside")
    func changes() {
        var objects = objects()
        objects.change(path, "org.bluez.Device1", ["Connected": .bool(true)], without: ["RSSI"])
        #expect(objects.device(path)?.isConnected == true && objects.device(path)?.strength == nil)
        objects.change("/elsewhere", "org.bluez.Device1", ["Address": .string("x")], without: [])
        #expect(objects.device("/elsewhere") == nil)
        objects.remove(path, ["org.bluez.Device1"])
        #expect(objects.device(path) == nil && objects.properties.isEmpty)
    }

    @Test(
        "A value of another type than BlueZ documents is as if it were not there",
        arguments: [
            ("RSSI", BusValue.string("near")), ("RSSI", .large(.max)), ("UUIDs", .string("x")),
            ("ManufacturerData", .dictionary([.integer(70_000): .bytes([1])])), ("ServiceData", .integer(1)),
            ("Name", .integer(1)), ("Connected", .string("yes")),
        ])
    func types(name: String, value: BusValue) throws {
        var objects = objects()
        objects.change(path, "org.bluez.Device1", [name: value], without: [])
        _ = try #require(objects.device(path))
    }

    @Test("More objects than are kept change nothing of those that are")
    func bounded() {
        var objects = objects()
        for number in 0..<BluetoothObjects.most + 10 {
            objects.add("/x/\(number)", ["org.bluez.Device1": .dictionary([.string("Address"): .string("\(number)")])])
        }
        #expect(objects.paths(with: "org.bluez.Device1").count == BluetoothObjects.most)
        #expect(objects.device(path) != nil)
    }
}
