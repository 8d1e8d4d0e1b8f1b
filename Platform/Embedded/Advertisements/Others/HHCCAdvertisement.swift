/// An advertisement of the pink plant sensor HHCCJCY10: nine bytes, the most significant first.
///
/// The format is nowhere published; it is as Home Assistant's parser (Bluetooth-Devices/xiaomi-ble) and ble_monitor read it.
public enum HHCCAdvertisement {
    /// The UUID of the service.
    public static let service: UInt16 = 0xFD50

    /// Decodes the service data: moisture, temperature, illuminance, battery and conductivity; nil for another number of
    /// bytes, since Tuya's other devices use the same UUID.
    public static func measurements(of data: [UInt8]) -> [SensorMeasurement]? {
        guard data.count == 9 else { return nil }
        var measurements: [SensorMeasurement] = []
        measurements.append(.moisture, thousandths: Int64(data[0]) * 1_000)
        measurements.append(
            .temperature,
            thousandths: Int64(Int16(truncatingIfNeeded: Int64(clamping: bigEndian(data[1..<3])))) * 100)
        measurements.append(.illuminance, thousandths: Int64(clamping: bigEndian(data[3..<6])) * 1_000)
        measurements.append(.battery, thousandths: Int64(data[6]) * 1_000)
        measurements.append(.conductivity, thousandths: Int64(clamping: bigEndian(data[7..<9])) * 1_000)
        return measurements
    }
}
