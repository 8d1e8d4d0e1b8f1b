import BlueZ
import Devices
import GRDB
import HomeAssistant
import HubKit
import Localization
import Logging
import NIOCore
import Storage
import Synchronization

/// The hub's own Bluetooth radio: the sensors and devices that it hears, and which of them are the household's.
///
/// The radio listens only while one of the household's devices speaks by it, or somebody looks for devices.
public final class Bluetooth: NearbyDevices, Sendable {
    /// A device of the household that the radio brings.
    struct Adopted: Sendable, Equatable {
        var device: String
        var kind: String
    }

    private struct State {
        var status = RadioStatus.none
        var keys = SensorKeys()
        var sensors = HeardSensors()
        var devices: [String: NearbyDevice] = [:]
        var adopted: [String: Adopted] = [:]
        /// The devices that are sensors, by their addresses.
        var adoptedSensors: [String: String] = [:]
        var lookedAt: Int64 = .min
        var household: String?
    }

    let hub: HubContext
    let home: HomeAssistant
    let devices: Devices
    let channels: DeviceChannels
    let kinds: [(companion: any Companion, kind: BluetoothKind)]
    private let state = Mutex(State())
    private let waker = Mutex<AsyncStream<Void>.Continuation?>(nil)
    private let links = Mutex<BluetoothLinks?>(nil)

    /// The time for which the radio listens after somebody has looked for devices, in milliseconds.
    static let searchMilliseconds: Int64 = 120_000
    /// The age in milliseconds from which a device that was heard is not shown any more.
    static let nearbyMilliseconds: Int64 = 180_000
    /// The most devices that are kept besides sensors.
    private static let mostDevices = 128

    /// Creates it.
    ///
    /// - Parameters:
    ///   - hub: the services that companions use.
    ///   - companions: whose kinds of Bluetooth devices these are.
    ///   - home: what makes devices of the household of found sensors.
    ///   - devices: the household's devices.
    ///   - channels: the channels between pages and devices.
    public init(
        hub: HubContext, companions: [any Companion], home: HomeAssistant, devices: Devices, channels: DeviceChannels
    ) {
        self.hub = hub
        self.home = home
        self.devices = devices
        self.channels = channels
        kinds = companions.flatMap { companion in type(of: companion).bluetoothKinds.map { (companion, $0) } }
        home.use(self)
        hub.messages.observe { [weak self] topic, payload in
            self?.links.withLock { $0 }?.send(Array(payload.readableBytesView), to: topic)
        }
    }

    /// Elements after it may be wanted that the radio listens, or no longer: for the last who asked.
    func wakes() -> AsyncStream<Void> {
        let (wakes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        waker.withLock { $0 = continuation }
        return wakes
    }

    private func wake() { waker.withLock { $0 }?.yield() }

    /// Sets where pages' messages to devices go; nil while there is no radio.
    func use(_ links: BluetoothLinks?) { self.links.withLock { $0 = links } }

    /// The channel between pages and devices of a kind.
    func channel(ofKind kind: String) -> PageChannel? { channels.channel(ofKind: kind) }

    /// Adds the route that says how it stands.
    public func addRoutes(to routes: Routes) {
        routes.get("/api/bluetooth", .adult, "How it stands with the hub’s own Bluetooth radio.") { [self] _ in
            try .json(
                state.withLock { state in
                    BluetoothResponse(
                        status: state.status, devices: Set(state.adopted.keys).union(state.adoptedSensors.keys).count)
                })
        }
    }

    // MARK: What is stored

    /// Reads the keys, and which devices of the household the radio brings.
    public func reload() async throws {
        let keys = try await SensorKeys.stored(hub.settingsStore)
        let (household, adopted) = try await hub.database.pool.read { db in
            let rows = try Row.fetchAll(
                db,
                cached: """
                    SELECT bluetooth_device.address, device.id, device.kind FROM bluetooth_device
                    JOIN device ON device.id = device WHERE removed_at IS NULL
                    """)
            let adopted: [String: Adopted] = Dictionary(
                rows.map { ($0["address"], Adopted(device: $0["id"], kind: $0["kind"])) }, uniquingKeysWith: { $1 })
            return (try HouseholdRecord.fetchOne(db)?.id, adopted)
        }
        let sensors = home.adoptedNearby()
        state.withLock { state in
            state.keys = keys
            state.household = household
            state.adopted = adopted
            state.adoptedSensors = sensors
        }
        wake()
    }

    /// Stores the key of a sensor.
    public func setKey(_ key: String, of address: String) async throws {
        var keys = try await SensorKeys.stored(hub.settingsStore)
        try keys.add(key, of: address)
        try await keys.store(hub.settingsStore)
        try await reload()
    }

    // MARK: What pages want to know

    /// Says that somebody looks for devices.
    public func look() {
        state.withLock { $0.lookedAt = hub.clock.now() }
        wake()
    }

    /// Whether the radio is to listen now.
    var isListeningWanted: Bool {
        let now = hub.clock.now()
        return state.withLock { state in
            !state.adopted.isEmpty || !state.adoptedSensors.isEmpty
                || now.minusClamped(state.lookedAt) < Self.searchMilliseconds
        }
    }

    /// Notes how it stands with the radio.
    func set(_ status: RadioStatus) { state.withLock { $0.status = status } }

    /// The devices that were heard lately besides sensors that say what they measure.
    public var nearby: [NearbyDevice] {
        let since = hub.clock.now().minusClamped(Self.nearbyMilliseconds)
        return state.withLock { state in
            state.devices.values.filter { $0.at >= since }
                + state.sensors.sensors.values.filter { $0.at >= since && ($0.needsKey || $0.isKeyWrong) }.map {
                    NearbyDevice(
                        address: $0.nearby.address, name: $0.nearby.name, model: $0.nearby.model, kind: nil, at: $0.at,
                        isKeyWrong: $0.isKeyWrong)
                }
        }.sorted { ($0.name, $0.address) < ($1.name, $1.address) }
    }

    /// Whether an address is that of a device of the household.
    public func isAdopted(_ address: String) -> Bool {
        state.withLock { $0.adopted[address] != nil || $0.adoptedSensors[address] != nil }
    }

    /// Whether there is a household yet.
    var hasHousehold: Bool { state.withLock { $0.household != nil } }

    /// The device of the household at an address, with the service to which the hub connects.
    func adopted(_ address: String) -> (device: Adopted, kind: BluetoothKind)? {
        guard let adopted = state.withLock({ $0.adopted[address] }),
            let kind = kinds.first(where: { $0.kind.kind == adopted.kind })?.kind
        else { return nil }
        return (adopted, kind)
    }

    /// The sensor of the household at an address, with its model and the time of its last reading by the radio.
    func adoptedSensor(_ address: String) -> (device: String, sensor: HeardSensors.Sensor)? {
        state.withLock { state in
            guard let device = state.adoptedSensors[address], let sensor = state.sensors.sensors[address] else {
                return nil
            }
            return (device, sensor)
        }
    }

    // MARK: What is heard

    /// Takes what a device has broadcast.
    func hear(_ device: BluetoothDevice) async {
        let now = hub.clock.now()
        let (household, news) = state.withLock { state in
            (
                state.household,
                state.sensors.hear(device, cipher: state.keys[device.address], now: now)
            )
        }
        guard let household else { return }
        if let news {
            home.take(news.sensor, values: news.values, at: now, isStored: false, household: household)
            if let own = state.withLock({ $0.adoptedSensors[device.address] }), !news.due.isEmpty {
                await store(news.due, of: news.sensor, device: own, at: now, household)
            }
        }
        let broadcast = BluetoothBroadcast(
            address: device.address, name: device.name, strength: device.strength, services: device.services,
            manufacturerData: device.manufacturerData, at: now)
        guard let (companion, kind) = kinds.first(where: { $0.kind.matches(broadcast) }) else { return }
        note(broadcast, kind)
        if let adopted = state.withLock({ $0.adopted[device.address] }) {
            await companion.heard(broadcast, of: adopted.device, household: household)
        }
    }

    /// Stores what one of the household's sensors measured.
    func store(
        _ values: [String: Double], of sensor: NearbySensor, device: String, at: Int64, _ household: String
    ) async {
        do {
            try await home.adoptMore(sensor, of: device, household: household)
        } catch {
            hub.log.error(
                "what a sensor measures besides could not be taken over", metadata: ["reason": "\(error)"])
        }
        home.take(sensor, values: values, at: at, isStored: true, household: household)
    }

    private func note(_ broadcast: BluetoothBroadcast, _ kind: BluetoothKind) {
        let name = broadcast.name.map { String($0.withoutUnseenCharacters.prefix(40)) } ?? kind.model
        state.withLock { state in
            if state.devices[broadcast.address] == nil, state.devices.count >= Self.mostDevices,
                let oldest = state.devices.min(by: { $0.value.at < $1.value.at })?.key
            {
                state.devices[oldest] = nil
            }
            state.devices[broadcast.address] = NearbyDevice(
                address: broadcast.address, name: name.isEmpty ? kind.model : name, model: kind.model, kind: kind.kind,
                at: broadcast.at)
        }
    }
}

/// The state of the radio, as a page shows it.
struct BluetoothResponse: Codable {
    var status: RadioStatus
    /// The number of the household's devices that the radio brings.
    var devices: Int
}

/// A state of the radio.
enum RadioStatus: String, Codable, Sendable, CaseIterable {
    /// This machine has no radio, or BlueZ does not run.
    case none
    case off
    /// It does not listen, since nobody wants to hear anything.
    case idle
    case listening
}
