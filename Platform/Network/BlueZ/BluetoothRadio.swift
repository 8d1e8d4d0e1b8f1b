/// The Bluetooth radio of this machine, by BlueZ: who is in reach and broadcasts what, and connections to devices.
public actor BluetoothRadio {
    /// An event of the radio.
    public enum Event: Sendable {
        /// A device was heard, or something of it has changed.
        case heard(BluetoothDevice)
        /// A characteristic that somebody listens to has a new value.
        case notified(BluetoothCharacteristic, [UInt8])
        /// The radio may be in another state than before.
        case stateChanged
        /// A connection has ended.
        case disconnected(address: String)
    }

    /// Whether the radio can be used.
    public enum State: Sendable, Equatable {
        /// BlueZ does not run, or this machine has no radio.
        case none
        /// It is switched off.
        case off
        case on
    }

    /// The reason why something with a device was not possible.
    public enum Fault: Error, Sendable, Equatable {
        /// It is not in reach.
        case notInReach
        /// It has no such characteristic.
        case noCharacteristic(String)
        case bus(BusError)
    }

    /// The events, in their order.
    public nonisolated let events: AsyncStream<Event>
    private let event: AsyncStream<Event>.Continuation
    private let bus: MessageBus
    private var objects = BluetoothObjects()
    private var isSearching = false
    private var resolved: [String: [CheckedContinuation<Void, Never>]] = [:]
    private var isThere = false

    private static let bluez = "org.bluez"
    private static let manager = "org.freedesktop.DBus.ObjectManager"
    private static let propertiesInterface = "org.freedesktop.DBus.Properties"
    private static let mostEvents = 4_096
    /// The time within which a connected device names its services.
    private static let resolving = Duration.seconds(15)

    /// Creates a radio on a bus, which ``run()`` uses.
    public init(bus: MessageBus) {
        self.bus = bus
        (events, event) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(Self.mostEvents))
    }

    /// The state now.
    public var state: State {
        let adapters = objects.paths(with: BluetoothObjects.Interface.adapter)
        guard isThere, !adapters.isEmpty else { return .none }
        return adapter == nil ? .off : .on
    }

    /// The first radio that is switched on.
    private var adapter: String? {
        objects.paths(with: BluetoothObjects.Interface.adapter).first {
            objects.properties[$0]?[BluetoothObjects.Interface.adapter]?["Powered"]?.bool ?? false
        }
    }

    /// The devices that are known now.
    public var devices: [BluetoothDevice] {
        objects.paths(with: BluetoothObjects.Interface.device).compactMap { objects.device($0) }
    }

    /// Follows BlueZ until the bus is gone or it is cancelled.
    public func run() async {
        let bus = self.bus
        await withDiscardingTaskGroup { group in
            group.addTask { await bus.run() }
            group.addTask { await self.follow() }
        }
        event.finish()
    }

    private func follow() async {
        do throws(BusError) {
            for rule in [
                "type='signal',sender='\(Self.bluez)',interface='\(Self.manager)'",
                "type='signal',sender='\(Self.bluez)',interface='\(Self.propertiesInterface)',member='PropertiesChanged'",
                "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(Self.bluez)'",
            ] { try await bus.match(rule) }
        } catch {
            return
        }
        await lookAgain()
        for await signal in bus.signals { await take(signal) }
    }

    /// Reads everything anew: at the start, and when BlueZ has started.
    private func lookAgain() async {
        do throws(BusError) {
            let answer = try await bus.call(Self.bluez, path: "/", interface: Self.manager, "GetManagedObjects")
            if let all = answer.first { objects.replace(all) }
            isThere = true
        } catch {
            objects = BluetoothObjects()
            isThere = false
        }
        event.yield(.stateChanged)
        for device in devices { event.yield(.heard(device)) }
        if isSearching { await beginSearch() }
    }

    private func take(_ signal: MessageBus.Signal) async {
        let arguments = signal.arguments
        switch signal.member {
        case "InterfacesAdded":
            guard let path = arguments.first?.text, arguments.count > 1, let interfaces = arguments[1].members else {
                return
            }
            objects.add(path, interfaces)
            if interfaces[BluetoothObjects.Interface.device] != nil, let device = objects.device(path) {
                event.yield(.heard(device))
            }
            guard interfaces[BluetoothObjects.Interface.adapter] != nil else { return }
            event.yield(.stateChanged)
            if isSearching { await beginSearch() }
        case "InterfacesRemoved":
            guard let path = arguments.first?.text, arguments.count > 1 else { return }
            if let device = objects.device(path), device.isConnected {
                event.yield(.disconnected(address: device.address))
            }
            let gone = (arguments[1].array ?? []).compactMap(\.text)
            objects.remove(path, gone)
            if gone.contains(BluetoothObjects.Interface.adapter) { event.yield(.stateChanged) }
        case "PropertiesChanged":
            guard let interface = arguments.first?.text, arguments.count > 1, let changed = arguments[1].members else {
                return
            }
            let without = arguments.count > 2 ? (arguments[2].array ?? []).compactMap(\.text) : []
            objects.change(signal.path, interface, changed, without: without)
            await report(signal.path, interface, changed)
        case "NameOwnerChanged":
            // BlueZ has ended, or started: what it knew is gone either way.
            for device in devices where device.isConnected { event.yield(.disconnected(address: device.address)) }
            await lookAgain()
        default: break
        }
    }

    private func report(_ path: String, _ interface: String, _ values: [String: BusValue]) async {
        switch interface {
        case BluetoothObjects.Interface.characteristic:
            guard let bytes = values["Value"]?.bytes,
                let uuid = objects.properties[path]?[interface]?["UUID"]?.text
            else { return }
            event.yield(.notified(BluetoothCharacteristic(path: path, uuid: uuid.lowercased(), flags: []), bytes))
        case BluetoothObjects.Interface.device:
            guard let device = objects.device(path) else { return }
            if values["Connected"]?.bool == false { event.yield(.disconnected(address: device.address)) }
            if values["Connected"]?.bool == false || values["ServicesResolved"]?.bool == true {
                for waiting in resolved.removeValue(forKey: path) ?? [] { waiting.resume() }
            }
            if !Set(values.keys).isDisjoint(with: ["ServiceData", "ManufacturerData", "Name", "RSSI", "UUIDs"]) {
                event.yield(.heard(device))
            }
        case BluetoothObjects.Interface.adapter:
            guard values["Powered"] != nil else { return }
            event.yield(.stateChanged)
            if values["Powered"]?.bool == true, isSearching { await beginSearch() }
        default: break
        }
    }

    // MARK: Searching

    /// Listens to what is broadcast, or no longer.
    public func search(_ isOn: Bool) async {
        guard isOn != isSearching else { return }
        isSearching = isOn
        if isOn { await beginSearch() } else if let adapter { _ = try? await call(adapter, "StopDiscovery") }
    }

    private func beginSearch() async {
        guard let adapter else { return }
        // Each broadcast, also one that says again what was said: that a sensor still speaks is news.
        _ = try? await call(
            adapter, "SetDiscoveryFilter",
            [.options([("Transport", .string("le")), ("DuplicateData", .bool(true))])])
        _ = try? await call(adapter, "StartDiscovery")
    }

    private func call(_ adapter: String, _ member: String, _ arguments: [BusArgument] = []) async throws(BusError) {
        try await bus.call(
            Self.bluez, path: adapter, interface: BluetoothObjects.Interface.adapter, member, arguments)
    }

    // MARK: Connections

    /// Connects to a device, and gives what it has.
    ///
    /// - Parameter address: the address of a device that has been heard.
    public func connect(to address: String) async throws(Fault) -> [BluetoothCharacteristic] {
        guard let path = objects.path(of: address) else { throw .notInReach }
        if objects.device(path)?.isConnected != true {
            do throws(BusError) {
                try await bus.call(Self.bluez, path: path, interface: BluetoothObjects.Interface.device, "Connect")
            } catch {
                throw .bus(error)
            }
        }
        let timer = Task { [weak self] in
            guard (try? await Task.sleep(for: Self.resolving)) != nil else { return }
            await self?.giveUpResolving(path)
        }
        defer { timer.cancel() }
        if objects.device(path)?.isResolved != true {
            await withCheckedContinuation { resolved[path, default: []].append($0) }
        }
        guard objects.device(path)?.isConnected ?? false else { throw .notInReach }
        return objects.characteristics(of: path)
    }

    private func giveUpResolving(_ path: String) {
        for waiting in resolved.removeValue(forKey: path) ?? [] { waiting.resume() }
    }

    /// Ends a connection.
    public func disconnect(from address: String) async {
        guard let path = objects.path(of: address) else { return }
        _ = try? await bus.call(
            Self.bluez, path: path, interface: BluetoothObjects.Interface.device, "Disconnect")
    }

    /// Listens to a characteristic.
    public func listen(to characteristic: BluetoothCharacteristic) async throws(Fault) {
        try await characteristicCall(characteristic, "StartNotify")
    }

    /// Writes a characteristic.
    ///
    /// - Parameter withResponse: whether the device has to answer; without, it is on its way an exchange earlier.
    public func write(
        _ bytes: [UInt8], to characteristic: BluetoothCharacteristic, withResponse: Bool
    ) async throws(Fault) {
        try await characteristicCall(
            characteristic, "WriteValue",
            [.bytes(bytes), .options([("type", .string(withResponse ? "request" : "command"))])])
    }

    /// Reads a characteristic.
    public func read(_ characteristic: BluetoothCharacteristic) async throws(Fault) -> [UInt8] {
        try await characteristicCall(characteristic, "ReadValue", [.options([])]).first?.bytes ?? []
    }

    @discardableResult
    private func characteristicCall(
        _ characteristic: BluetoothCharacteristic, _ member: String, _ arguments: [BusArgument] = []
    ) async throws(Fault) -> [BusValue] {
        do throws(BusError) {
            return try await bus.call(
                Self.bluez, path: characteristic.path, interface: BluetoothObjects.Interface.characteristic, member,
                arguments)
        } catch {
            throw .bus(error)
        }
    }
}
