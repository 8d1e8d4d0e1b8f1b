import Advertisements
import BlueZ
import HomeAssistant
import HubKit
import Wire

/// The sensors that the radio has heard: what each is known to measure, and which of what it says is new.
struct HeardSensors: Sendable {
    /// A sensor.
    struct Sensor: Sendable {
        var nearby: NearbySensor
        var model: SensorModel
        /// UTC milliseconds.
        var at: Int64
        /// The time in milliseconds for which it had not been heard before; 0 for one that is new.
        var absence: Int64 = 0
        var needsKey = false
        var isKeyWrong = false
        fileprivate var replay = ReplayGuard()
        fileprivate var sequence: UInt32?
        /// The times at which a reading of each quantity was last stored, UTC milliseconds.
        fileprivate var storedAt: [String: Int64] = [:]
    }

    /// Values that are news.
    struct News: Sendable, Equatable {
        var sensor: NearbySensor
        /// The values of all quantities that it said.
        var values: [String: Double]
        /// Those of them that become readings, if it is a device of the household.
        var due: [String: Double]
    }

    /// The most sensors that are kept: the one that was heard longest ago makes room.
    static let most = 512
    /// The least time between two readings of a quantity, in milliseconds: a sensor broadcasts many times a minute.
    static let interval: Int64 = 60_000

    private(set) var sensors: [String: Sensor] = [:]

    /// Takes what a device has broadcast.
    ///
    /// - Returns: the values that it says, if it is a sensor and says something new.
    mutating func hear(_ device: BluetoothDevice, cipher: SensorCipher?, now: Int64) -> News? {
        let text = Array(device.address.utf8)
        guard let address = BluetoothAddress(text: text.span) else { return nil }
        let advertisement = Advertisement(
            address: address, localName: device.name.map { Array($0.utf8) },
            serviceData: device.serviceData.compactMap { uuid, bytes in
                let uuid = Array(uuid.utf8)
                return Advertisement.shortUUID(uuid.span).map { .init(uuid: $0, bytes: bytes) }
            }.sorted { $0.uuid < $1.uuid })
        guard !advertisement.serviceData.isEmpty else { return nil }
        let heard: SensorAdvertisement?
        do throws(AdvertisementError) {
            heard = try SensorAdvertisement.decoded(advertisement, cipher: cipher)
        } catch {
            return nil
        }
        guard let heard else { return nil }
        return take(heard, of: device, now: now)
    }

    private mutating func take(_ heard: SensorAdvertisement, of device: BluetoothDevice, now: Int64) -> News? {
        makeRoom(for: device.address)
        var sensor =
            sensors[device.address]
            ?? Sensor(
                nearby: NearbySensor(
                    address: device.address, name: Self.name(heard.model, device), model: "\(heard.model.name)",
                    quantities: []), model: heard.model, at: now)
        defer { sensors[device.address] = sensor }
        sensor.absence = max(0, now.minusClamped(sensor.at))
        sensor.at = now
        (sensor.needsKey, sensor.isKeyWrong) = (heard.needsKey, heard.wrongKey)
        guard heard.protection == .plain || heard.protection == .opened, !heard.measurements.isEmpty else { return nil }
        if let counter = heard.counter {
            // Somebody may play back what was recorded.
            switch sensor.replay.judge(counter) {
            case .new, .restarted: break
            case .repeated, .replayed: return nil
            }
        } else if let sequence = heard.sequence {
            guard sequence != sensor.sequence else { return nil }
            sensor.sequence = sequence
        }
        var values: [String: Double] = [:]
        for measurement in heard.measurements where measurement.ordinal == 0 {
            let (name, unit) = ("\(measurement.quantity.name)", measurement.quantity.unit)
            values[name] = Double(measurement.thousandths) / 1_000
            if !sensor.nearby.quantities.contains(where: { $0.name == name }) {
                sensor.nearby.quantities.append(.init(name: name, unit: unit))
            }
        }
        let due = values.filter { name, _ in
            sensor.storedAt[name].map { now - $0 >= Self.interval || now < $0 } ?? true
        }
        for name in due.keys { sensor.storedAt[name] = now }
        return News(sensor: sensor.nearby, values: values, due: due)
    }

    /// Forgets the sensor that was heard longest ago, where there are too many.
    private mutating func makeRoom(for address: String) {
        guard sensors[address] == nil, sensors.count >= Self.most,
            let oldest = sensors.min(by: { $0.value.at < $1.value.at })?.key
        else { return }
        sensors[oldest] = nil
    }

    /// The name for screens: what the sensor says, or its model, with the end of its address where several are alike.
    private static func name(_ model: SensorModel, _ device: BluetoothDevice) -> String {
        let end = String(device.address.suffix(5)).replacing(":", with: "")
        if let name = device.name, !name.isEmpty, name.replacing("-", with: ":") != device.address {
            return String(name.withoutUnseenCharacters.prefix(40)) + " " + end
        }
        let model = "\(model.name)".split(separator: " (").first.map(String.init) ?? ""
        return model + " " + end
    }
}

extension SensorQuantity {
    /// The unit of its values.
    var unit: String {
        switch self {
        case .moisture, .battery, .humidity: "%"
        case .temperature: "°C"
        case .illuminance: "lx"
        case .conductivity: "µS/cm"
        case .pressure: "hPa"
        case .voltage: "V"
        }
    }
}
