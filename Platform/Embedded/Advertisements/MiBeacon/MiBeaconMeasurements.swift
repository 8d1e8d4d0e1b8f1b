extension MiBeaconFrame {
    /// The measurements of the objects that plant sensors and thermometers send; other objects, and values that no sensor
    /// measures, are put aside.
    ///
    /// - Parameter model: the sensor, for an illuminance is in lux only of those that measure it.
    public func measurements(of model: SensorModel) -> [SensorMeasurement] {
        var measurements: [SensorMeasurement] = []
        for object in objects { object.append(to: &measurements, of: model) }
        return measurements
    }
}

extension MiBeaconFrame.Object {
    /// Appends what the object measured (Mijia BLE object definition; 0x48xx to 0x50xx as Home Assistant's parser reads them).
    func append(to measurements: inout [SensorMeasurement], of model: SensorModel) {
        switch (id, value.count) {
        case (0x1004, 2): measurements.append(.temperature, thousandths: signed * 100)
        case (0x1006, 2): measurements.append(.humidity, thousandths: unsigned * 100)
        case (0x1007, 3) where model.measuresIlluminance:
            measurements.append(.illuminance, thousandths: unsigned * 1_000)
        case (0x1008, 1): measurements.append(.moisture, thousandths: unsigned * 1_000)
        case (0x1009, 2): measurements.append(.conductivity, thousandths: unsigned * 1_000)
        case (0x100A, 1), (0x4803, 1), (0x4C03, 1), (0x5003, 1):
            measurements.append(.battery, thousandths: unsigned * 1_000)
        case (0x100D, 4):
            measurements.append(.temperature, thousandths: signedLittleEndian(value.prefix(2)) * 100)
            measurements.append(.humidity, thousandths: Int64(clamping: littleEndian(value.suffix(2))) * 100)
        case (0x4802, 1), (0x4C02, 1): measurements.append(.humidity, thousandths: unsigned * 1_000)
        case (0x4801, 4), (0x4C01, 4): append(.temperature, to: &measurements)
        case (0x4808, 4), (0x4C08, 4): append(.humidity, to: &measurements)
        case (0x4805, 4): append(.illuminance, to: &measurements)
        default: return
        }
    }

    private var unsigned: Int64 { Int64(truncatingIfNeeded: littleEndian(value.prefix(4))) }
    private var signed: Int64 { signedLittleEndian(value.prefix(4)) }

    /// Appends a single-precision number.
    private func append(_ quantity: SensorQuantity, to measurements: inout [SensorMeasurement]) {
        guard let value = thousandths(ofSingle: UInt32(truncatingIfNeeded: littleEndian(value.prefix(4)))) else {
            return
        }
        measurements.append(quantity, thousandths: value)
    }
}
