import Devices
import GRDB
import HubKit
import NIOCore
import Storage

/// A sensor that the hub's radio hears, with all that it is known to measure.
public struct NearbySensor: Sendable, Equatable {
    /// A quantity that it measures.
    public struct Quantity: Sendable, Equatable {
        /// The name, by the device classes of Home Assistant or a word that companions know, such as `soil_moisture`.
        public var name: String
        /// The unit.
        public var unit: String

        /// Creates a quantity.
        public init(name: String, unit: String) {
            self.name = name
            self.unit = unit
        }
    }

    /// The address at which it broadcasts, such as `A4:C1:38:8D:18:B2`.
    public var address: String
    /// The name for screens until somebody gives it another.
    public var name: String
    /// Its maker and model for screens.
    public var model: String
    /// The quantities.
    public var quantities: [Quantity]

    /// Creates a sensor.
    public init(address: String, name: String, model: String, quantities: [Quantity]) {
        self.address = address
        self.name = name
        self.model = model
        self.quantities = quantities
    }

    /// The topic by which a quantity is known among what other makers' sensors say.
    func topic(of quantity: String) -> String { "bluetooth/\(address)/\(quantity)" }

    /// It as other programs announce sensors.
    var announced: [AnnouncedSensor] {
        quantities.map { quantity in
            AnnouncedSensor(
                uniqueID: "\(address)_\(quantity.name)", name: "", deviceID: address, deviceName: name, maker: "",
                model: model, stateTopic: topic(of: quantity.name), template: nil, unit: quantity.unit,
                deviceClass: nil)
        }
    }
}

/// A device that was found nearby and measures nothing by itself: one that plays, or a sensor that says nothing without its key.
public struct NearbyDevice: Sendable, Equatable {
    /// The address at which it broadcasts.
    public var address: String
    /// The name for screens until somebody gives it another.
    public var name: String
    /// Its maker and model for screens.
    public var model: String
    /// The kind of device that it becomes; nil for a sensor that needs its key first.
    public var kind: String?
    /// The time at which it was heard last, in UTC milliseconds.
    public var at: Int64
    /// Whether the key that is stored is not its key.
    public var isKeyWrong: Bool

    /// Creates a device.
    public init(address: String, name: String, model: String, kind: String?, at: Int64, isKeyWrong: Bool = false) {
        self.address = address
        self.name = name
        self.model = model
        self.kind = kind
        self.at = at
        self.isKeyWrong = isKeyWrong
    }
}

/// The devices that the hub's radio finds.
public protocol NearbyDevices: Sendable {
    /// Says that somebody looks for devices: the radio listens for a while.
    func look()
    /// The devices that were heard lately, of the kinds that companions declare, and sensors whose keys are wanted.
    var nearby: [NearbyDevice] { get }
    /// Whether an address is that of a device of the household.
    func isAdopted(_ address: String) -> Bool
    /// Reads anew which devices of the household the radio brings.
    func reload() async throws
    /// Stores the key of a sensor that encrypts, and hears what it measures from now on.
    ///
    /// - Throws: a 422 problem for a text that is no key.
    func setKey(_ key: String, of address: String) async throws
}

extension HomeAssistant {
    /// Takes what a sensor nearby measured.
    ///
    /// - Parameters:
    ///   - sensor: the sensor, with all that it is known to measure.
    ///   - values: the values by the names of their quantities.
    ///   - at: the time of the measurement in UTC milliseconds.
    ///   - isStored: whether they are readings of the device that it is; otherwise they are shown to who looks for devices.
    public func take(_ sensor: NearbySensor, values: [String: Double], at: Int64, isStored: Bool, household: String) {
        let place = FoundSensors.Place(source: .bluetooth, topic: "bluetooth/\(sensor.address)")
        _ = found.announce(sensor.announced, at: place, by: .radio, household: household)
        for (quantity, value) in values {
            let topic = sensor.topic(of: quantity)
            let place = FoundSensors.Place(source: .bluetooth, topic: topic)
            let payload = ByteBuffer(string: "\(value)")
            _ = found.note(payload, at: place, now: at)
            guard isStored, let values = adopted.values(of: payload, at: place, isRetained: false) else { continue }
            broker.take(
                values.map { value in
                    var value = value
                    value.at = at
                    return value
                }, topic: topic, household: household)
        }
    }

    /// Has a device of the household take over what its sensor turned out to measure besides: many say one quantity at a time.
    public func adoptMore(_ sensor: NearbySensor, of device: String, household: String) async throws {
        let missing = sensor.announced.compactMap { sensor -> MatchedSensor? in
            guard case .matched(let matched) = match(sensor), !adopted.holds(sensor, at: .bluetooth) else { return nil }
            return matched
        }
        guard !missing.isEmpty else { return }
        try await hub.database.pool.write { db in
            guard let kind = try DeviceRecord.fetchOne(db, key: device)?.kind else { return }
            for one in missing where one.kind == kind {
                // Of two sensors of one quantity the first stays.
                try AdoptedSensorRecord(
                    device: device, quantity: one.quantity, household: household, source: .bluetooth,
                    uniqueId: one.sensor.uniqueID, topic: one.sensor.stateTopic, template: nil, factor: one.factor,
                    offset: one.offset
                ).insert(db, onConflict: .ignore)
            }
        }
        try await adopted.load(hub.database)
        changed(all: true)
    }

    /// The devices of the household that are sensors which the radio hears, by their addresses.
    public func adoptedNearby() -> [String: String] { adopted.devicesByAddress }
}
