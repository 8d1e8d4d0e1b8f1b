import Wire

/// An advertisement of a thermometer with the firmware of atc1441 or of pvvx: of 13 bytes with the most significant first,
/// of 15 with the least significant first, or encrypted (github.com/pvvx/ATC_MiThermometer, src/custom_beacon.h).
public struct ATCAdvertisement: Equatable, Sendable {
    /// The UUID of the service, Environmental Sensing, which is not theirs alone.
    public static let service: UInt16 = 0x181A

    /// The protection of the measurements.
    public let protection: Protection
    /// The number of the measurement, by which a repetition is known. It has one byte, too little against an attack.
    public let counter: UInt8
    /// Temperature, humidity, battery, and of what is not encrypted the voltage; none where they could not be opened.
    public let measurements: [SensorMeasurement]

    /// Decodes the service data; nil where they are of another format: of another number of bytes, or with an address that is
    /// not the sender's.
    ///
    /// - Parameters:
    ///   - data: the bytes after the UUID.
    ///   - sender: the sender, which the data name or the nonce has in it.
    ///   - cipher: AES with the device's key; nil where there is none.
    public static func decoded<Cipher: BlockCipher>(
        _ data: [UInt8], from sender: BluetoothAddress, cipher: Cipher?
    ) -> ATCAdvertisement? {
        let plain: Protection = cipher == nil ? .plain : .downgraded
        switch data.count {
        case 13 where BluetoothAddress(data[0..<6]) == sender:
            return ATCAdvertisement(plain, counter: data[12], original(data[6...]))
        case 15 where BluetoothAddress(reversed: data[0..<6]) == sender:
            return ATCAdvertisement(plain, counter: data[13], custom(data[6...]))
        case 8, 11: return opened(data, from: sender, cipher: cipher)
        default: return nil
        }
    }

    private init(_ protection: Protection, counter: UInt8, _ measurements: [SensorMeasurement]) {
        self.protection = protection
        self.counter = counter
        self.measurements = protection == .downgraded ? [] : measurements
    }

    /// Opens encrypted data: a counter, three or six bytes, and a tag of four. The nonce has the sender, and the first bytes
    /// of the structure: its length, its type, the UUID and the counter.
    private static func opened<Cipher: BlockCipher>(
        _ data: [UInt8], from sender: BluetoothAddress, cipher: Cipher?
    ) -> ATCAdvertisement {
        guard let cipher else { return ATCAdvertisement(.needsKey, counter: data[0], []) }
        let nonce = sender.reversedBytes + [UInt8(clamping: data.count + 3), 0x16, 0x1A, 0x18, data[0]]
        do throws(CCMError) {
            let values = try AESCCM.opened(
                Array(data[1..<data.count - 4]), tag: Array(data.suffix(4)), nonce: nonce, associatedData: [0x11],
                with: cipher)
            return ATCAdvertisement(
                .opened, counter: data[0], values.count == 3 ? openedOriginal(values) : openedCustom(values))
        } catch {
            return ATCAdvertisement(.wrongKey, counter: data[0], [])
        }
    }

    /// Temperature in tenths, humidity, battery, millivolts; the most significant byte first.
    private static func original(_ values: ArraySlice<UInt8>) -> [SensorMeasurement] {
        let bytes = Array(values)
        guard bytes.count >= 6 else { return [] }
        var measurements: [SensorMeasurement] = []
        measurements.append(
            .temperature, thousandths: Int64(Int16(truncatingIfNeeded: Int64(clamping: bigEndian(bytes[0..<2])))) * 100)
        measurements.append(.humidity, thousandths: Int64(bytes[2]) * 1_000)
        measurements.append(.battery, thousandths: Int64(bytes[3]) * 1_000)
        measurements.append(.voltage, thousandths: Int64(clamping: bigEndian(bytes[4..<6])))
        return measurements
    }

    /// Temperature and humidity in hundredths, millivolts, battery; the least significant byte first.
    private static func custom(_ values: ArraySlice<UInt8>) -> [SensorMeasurement] {
        var reader = LittleEndianReader(values)
        var measurements: [SensorMeasurement] = []
        measurements.append(.temperature, thousandths: Int64(reader.int16()) * 10)
        measurements.append(.humidity, thousandths: Int64(reader.uint16()) * 10)
        let millivolts = Int64(reader.uint16())
        measurements.append(.battery, thousandths: Int64(reader.uint8()) * 1_000)
        measurements.append(.voltage, thousandths: millivolts)
        return measurements
    }

    /// Temperature in halves from −40, humidity in halves, and battery in seven bits.
    private static func openedOriginal(_ values: [UInt8]) -> [SensorMeasurement] {
        var reader = LittleEndianReader(values[...])
        var measurements: [SensorMeasurement] = []
        measurements.append(.temperature, thousandths: Int64(reader.uint8()) * 500 - 40_000)
        measurements.append(.humidity, thousandths: Int64(reader.uint8()) * 500)
        measurements.append(.battery, thousandths: Int64(reader.uint8() & 0x7F) * 1_000)
        return measurements
    }

    /// Temperature and humidity in hundredths, and battery.
    private static func openedCustom(_ values: [UInt8]) -> [SensorMeasurement] {
        var reader = LittleEndianReader(values[...])
        var measurements: [SensorMeasurement] = []
        measurements.append(.temperature, thousandths: Int64(reader.int16()) * 10)
        measurements.append(.humidity, thousandths: Int64(reader.uint16()) * 10)
        measurements.append(.battery, thousandths: Int64(reader.uint8()) * 1_000)
        return measurements
    }
}
