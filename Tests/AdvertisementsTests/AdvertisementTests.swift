import Advertisements
import TestInstruments
import Testing

@Suite("Addresses and structures")
struct AdvertisementTests {
    private func parsed(_ text: String) -> BluetoothAddress? { BluetoothAddress(text: Array(text.utf8).span) }

    @Test("An address is read as it is written", arguments: ["A4:C1:38:8D:18:B2", "a4-c1-38-8d-18-b2", "a4c1388D18B2"])
    func read(text: String) throws {
        let address = try #require(parsed(text))
        #expect(address.bytes == hex("A4C1388D18B2"))
        #expect(address.reversedBytes == hex("B2188D38C1A4"))
        #expect(String(decoding: address.text, as: UTF8.self) == "A4:C1:38:8D:18:B2")
        #expect(BluetoothAddress(hex("A4C1388D18B2")[...]) == address)
        #expect(BluetoothAddress(reversed: hex("B2188D38C1A4")[...]) == address)
        #expect(BluetoothAddress(value: 0xFFFF_A4C1_388D_18B2) == address)
    }

    @Test(
        "Another text is no address",
        arguments: [
            "", "A4:C1:38:8D:18", "A4:C1:38:8D:18:G2", "A4:C1:38:8D:18:B2:", "A4C1:38:8D:18:B2:0", "A4.C1.38.8D.18.B2",
        ])
    func refused(text: String) { #expect(parsed(text) == nil) }

    @Test("Five or seven bytes are no address")
    func lengths() {
        #expect(BluetoothAddress([1, 2, 3, 4, 5]) == nil)
        #expect(BluetoothAddress(reversed: [1, 2, 3, 4, 5, 6, 7]) == nil)
    }

    @Test("A UUID of 16 bits is found in one that is written out, and in no other")
    func uuids() {
        func short(_ text: String) -> UInt16? { Advertisement.shortUUID(Array(text.utf8).span) }
        #expect(short("0000fcd2-0000-1000-8000-00805f9b34fb") == 0xFCD2)
        #expect(short("0000FE95-0000-1000-8000-00805F9B34FB") == 0xFE95)
        #expect(short("1000fe95-0000-1000-8000-00805f9b34fb") == nil)
        #expect(short("0000fe95-0000-1000-8000-00805f9b34fc") == nil)
        #expect(short("0000fe9g-0000-1000-8000-00805f9b34fb") == nil)
        #expect(short("0000fe95+0000-1000-8000-00805f9b34fb") == nil)
        #expect(short("fe95") == nil)
    }

    @Test("The structures of an advertisement are taken apart, and one that is cut off is left out")
    func structures() {
        let sender = BluetoothAddress(value: 1)
        let whole = Advertisement(
            address: sender, structures: hex("020106 05084142 4344 030941 42 04FFDC000A 0416D2FC40 0216D2 050000"))
        #expect(whole.localName == Array("AB".utf8))
        #expect(whole.manufacturerData(of: 0x00DC) == [0x0A])
        #expect(whole.serviceData(of: 0xFCD2) == [0x40])
        #expect(whole.serviceData(of: 0xFE95) == nil)
        #expect(whole.manufacturerData(of: 1) == nil)
        #expect(whole.serviceData.count == 1)
        let cutOff = Advertisement(address: sender, structures: hex("04FFDC000A 0516D2FC40"))
        #expect(cutOff.manufacturerData.count == 1)
        #expect(cutOff.serviceData == [])
        let ended = Advertisement(address: sender, structures: hex("00 04FFDC000A"))
        #expect(ended.manufacturerData == [])
    }
}

@Suite("Sensors' advertisements")
struct SensorAdvertisementTests {
    private static let sender = BluetoothAddress(value: 0xA4C1_3881_24C4)

    /// What a thermometer with other firmware sends at once (bthome-ble, tests/test_parser_v2.py, of a LYWSD03MMC).
    private static let atc = Advertisement.ServiceData(uuid: 0x181A, bytes: hex("a4c1388124c400a22f5f0bf819"))
    private static let miBeacon = Advertisement.ServiceData(uuid: 0xFE95, bytes: hex("30585b0501c424813 8c1a4280100"))
    private static let bthome = Advertisement.ServiceData(uuid: 0xFCD2, bytes: hex("40015d025d0903b718"))

    @Test("Of several formats at once the first that gives measurements counts, in whatever order they come")
    func several() throws {
        func format(_ data: [Advertisement.ServiceData]) throws -> SensorFormat? {
            try SensorAdvertisement.decoded(Advertisement(address: Self.sender, serviceData: data))?.format
        }
        #expect(try format([Self.atc, Self.miBeacon, Self.bthome]) == .bthome)
        #expect(try format([Self.bthome, Self.miBeacon, Self.atc]) == .bthome)
        #expect(try format([Self.miBeacon, Self.atc]) == .atc)
        #expect(try format([Self.miBeacon]) == .miBeacon)
        let sealed = Advertisement.ServiceData(uuid: 0xFCD2, bytes: hex("41a47266c95f730011223378237214"))
        #expect(try format([sealed, Self.atc]) == .atc)
        #expect(try format([sealed]) == .bthome)
    }

    @Test("Data of a known service that are wrong do not hide good ones, and alone they are an error")
    func wrong() throws {
        let broken = Advertisement.ServiceData(uuid: 0xFCD2, bytes: [])
        let both = Advertisement(address: Self.sender, serviceData: [broken, Self.atc])
        #expect(try SensorAdvertisement.decoded(both)?.format == .atc)
        #expect(throws: AdvertisementError.truncated) {
            try SensorAdvertisement.decoded(Advertisement(address: Self.sender, serviceData: [broken]))
        }
    }

    @Test("A device without any of the services is no sensor")
    func none() throws {
        let other = Advertisement(
            address: Self.sender, localName: Array("Flower care".utf8),
            manufacturerData: [.init(company: 0x004C, bytes: [1, 2, 3])],
            serviceData: [.init(uuid: 0x180F, bytes: [99])])
        #expect(try SensorAdvertisement.decoded(other) == nil)
        #expect(try SensorAdvertisement.decoded(Advertisement(address: Self.sender)) == nil)
    }

    @Test("Only a counter that the key has proved is given for the watch")
    func counters() throws {
        let sealed = Advertisement(
            address: BluetoothAddress(value: 0x5448_E68F_80A5),
            serviceData: [.init(uuid: 0xFCD2, bytes: hex("41a47266c95f730011223378237214"))])
        let cipher = try #require(TestAES(key: hex("231d39c1d7cc1ab1aee224cd096db932")))
        let other = try #require(TestAES(key: hex("331d39c1d7cc1ab1aee224cd096db932")))
        #expect(try SensorAdvertisement.decoded(sealed, cipher: cipher)?.counter == 0x3322_1100)
        let unopened = try #require(try SensorAdvertisement.decoded(sealed, cipher: other))
        #expect(unopened.counter == nil)
        #expect(unopened.wrongKey)
        #expect(!unopened.needsKey)
        #expect(try SensorAdvertisement.decoded(sealed)?.needsKey == true)
    }

    /// Advertisements of every format with their keys.
    static let samples: [(data: Advertisement.ServiceData, sender: UInt64, key: String)] = [
        (.init(uuid: 0xFCD2, bytes: hex("4002ca0903bf13")), 1, ""),
        (
            .init(uuid: 0xFCD2, bytes: hex("41a47266c95f730011223378237214")), 0x5448_E68F_80A5,
            "231d39c1d7cc1ab1aee224cd096db932"
        ),
        (.init(uuid: 0x181C, bytes: hex("2302ca090303bf13")), 1, ""),
        (
            .init(uuid: 0x181E, bytes: hex("fba435e4d3c312fb0011223357d90a99")), 0x5448_E68F_80A5,
            "231d39c1d7cc1ab1aee224cd096db932"
        ),
        (.init(uuid: 0xFE95, bytes: hex("5020aa01a3bf2e3b342d580d1004b40095020a10013b")), 0x582D_343B_2EBF, ""),
        (
            .init(uuid: 0xFE95, bytes: hex("58585b0550f4830238c1a495ef58763c26000097e2abb5")), 0xA4C1_3802_83F4,
            "e9ea895fac7cca6d30532432a516f3a8"
        ),
        (.init(uuid: 0xFD50, bytes: hex("0e006e0134a428005b")), 1, ""),
        (.init(uuid: 0x181A, bytes: hex("a4c1380283f400a22f5f0bf819")), 0xA4C1_3802_83F4, ""),
        (.init(uuid: 0x181A, bytes: hex("f4830238c1a4a9066911b60b58f70d")), 0xA4C1_3802_83F4, ""),
        (
            .init(uuid: 0x181A, bytes: hex("11d603fbfa7b6dfb1e26fd")), 0xA4C1_388D_18B2,
            "b9ea895fac7eea6d30532432a516f3a3"
        ),
    ]

    @Test(
        "A sample that is cut off anywhere gives no measurement that the whole one did not", arguments: samples.indices)
    func cutOff(index: Int) throws {
        let sample = Self.samples[index]
        func measurements(_ bytes: [UInt8]) -> [SensorMeasurement]? {
            let advertisement = Advertisement(
                address: BluetoothAddress(value: sample.sender),
                serviceData: [.init(uuid: sample.data.uuid, bytes: bytes)])
            return try? SensorAdvertisement.decoded(advertisement, cipher: TestAES(key: hex(sample.key)))?.measurements
        }
        let whole = try #require(measurements(sample.data.bytes))
        #expect(!whole.isEmpty)
        for count in sample.data.bytes.indices {
            let part = measurements(Array(sample.data.bytes.prefix(count))) ?? []
            #expect(whole.starts(with: part), "cut off at \(count)")
            if !sample.key.isEmpty { #expect(part.isEmpty, "cut off at \(count)") }
        }
    }

    @Test("No bytes trap, and every measurement is plausible", arguments: [1, 2, 3, 4] as [UInt64])
    func random(seed: UInt64) throws {
        print("advertisements seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let cipher = try #require(TestAES(key: hex("231d39c1d7cc1ab1aee224cd096db932")))
        for _ in 0..<3_000 {
            let sample = try #require(Self.samples.randomElement(using: &random))
            var bytes = sample.data.bytes
            if Bool.random(using: &random) {
                bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in .random(in: 0...255, using: &random) }
                if let first = sample.data.bytes.first, Bool.random(using: &random), !bytes.isEmpty { bytes[0] = first }
            }
            for _ in 0..<Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
                let place = Int.random(in: bytes.indices, using: &random)
                bytes[place] = .random(in: 0...255, using: &random)
            }
            let advertisement = Advertisement(
                address: BluetoothAddress(value: sample.sender),
                serviceData: [.init(uuid: sample.data.uuid, bytes: bytes)])
            for key in [cipher, nil] {
                for measurement in (try? SensorAdvertisement.decoded(advertisement, cipher: key)?.measurements) ?? [] {
                    #expect(measurement.quantity.plausible.contains(measurement.thousandths))
                }
            }
            _ = Advertisement(address: advertisement.address, structures: bytes)
            _ = try? MiFloraDevice(answer: bytes)
            _ = try? MiFloraValues(answer: bytes)
            _ = try? MiFloraEntry(answer: bytes)
        }
    }

    @Test("Every row of BTHome's table is read to its length and not beyond")
    func rows() throws {
        for id: UInt8 in 0...255 {
            for fill: UInt8 in [0, 1, 0x7F, 0xFF] {
                let data = [0x40, id] + [UInt8](repeating: fill, count: 12)
                let packet = try BTHomePacket.decoded(data, from: BluetoothAddress(value: 0), cipher: NoCipher?.none)
                if packet.objects.isEmpty { #expect(packet.putAside == 13) }
                #expect(packet.putAside <= 13)
            }
        }
    }
}
