import Advertisements
import BlueZ
import HomeAssistant
import HubKit
import Logging
import Storage

/// The reader of plant sensors' own memories: one is read after the hub has not heard it for a while, so that its chart has no gap.
actor SensorMemories {
    private let bluetooth: Bluetooth
    private let radio: BluetoothRadio
    private var isReading = false
    private let due: AsyncStream<Due>
    private let dueContinuation: AsyncStream<Due>.Continuation

    /// A sensor whose memory is to be read.
    private struct Due: Sendable {
        var address, device: String
        var sensor: HeardSensors.Sensor
        var now: Int64
    }

    /// The times at which each was read last, UTC milliseconds.
    private var readAt: [String: Int64] = [:]

    /// The silence in milliseconds after which a memory is read: it has an entry an hour.
    static let silence: Int64 = 2 * 3_600_000
    /// The age in milliseconds of what is read of a memory, at most.
    static let longest: Int64 = 90 * 86_400_000
    /// The least time in milliseconds between two readings of the battery, which is not broadcast.
    private static let batteryInterval: Int64 = 86_400_000

    init(bluetooth: Bluetooth, radio: BluetoothRadio) {
        self.bluetooth = bluetooth
        self.radio = radio
        (due, dueContinuation) = AsyncStream.makeStream(of: Due.self)
    }

    /// Reads memories, one after the other, until it is cancelled: connecting takes seconds, in which others are heard.
    func run() async {
        for await one in due {
            await read(one.address, one.sensor, of: one.device, now: one.now)
            isReading = false
        }
    }

    /// Has the memory of a sensor that was heard read, where it is due.
    func heard(_ address: String) {
        guard !isReading, let (device, sensor) = bluetooth.adoptedSensor(address), sensor.model == .flowerCare else {
            return
        }
        let now = bluetooth.hub.clock.now()
        if sensor.absence < Self.silence, let last = readAt[address], now - last < Self.batteryInterval, now >= last {
            return
        }
        readAt[address] = now
        isReading = true
        dueContinuation.yield(Due(address: address, device: device, sensor: sensor, now: now))
    }

    private func read(_ address: String, _ sensor: HeardSensors.Sensor, of device: String, now: Int64) async {
        do {
            guard let household = try await bluetooth.hub.household()?.id else { return }
            let last = try await lastReading(of: device, before: now)
            let characteristics = try await radio.connect(to: address)
            let all = Dictionary(characteristics.map { ($0.uuid, $0) }, uniquingKeysWith: { first, _ in first })
            var nearby = sensor.nearby
            for quantity in SensorQuantity.allCases where MiFlora.quantities.contains(quantity) {
                let name = "\(quantity.name)"
                guard !nearby.quantities.contains(where: { $0.name == name }) else { continue }
                nearby.quantities.append(.init(name: name, unit: quantity.unit))
            }
            if let battery = try await battery(all) {
                await bluetooth.store(["battery": battery], of: nearby, device: device, at: now, household)
            }
            if let last, now - last > Self.silence {
                for entry in try await history(all, since: max(last, now - Self.longest), now: now) {
                    var values: [String: Double] = [:]
                    for one in entry.measurements { values["\(one.quantity.name)"] = Double(one.thousandths) / 1_000 }
                    await bluetooth.store(values, of: nearby, device: device, at: entry.at, household)
                }
            }
        } catch {
            bluetooth.hub.log.notice(
                "a plant sensor’s own memory could not be read",
                metadata: ["device": "\(device)", "reason": "\(error)"])
        }
        await radio.disconnect(from: address)
    }

    /// The time of the device's newest reading of before it was heard again; nil for a device that is new.
    private func lastReading(of device: String, before now: Int64) async throws -> Int64? {
        try await bluetooth.hub.database.pool.read { db in
            var last: Int64?
            for (series, _) in try db.latestReadings(ofDevices: [device]) {
                guard let reading = try db.latestReading(series: series.id, atOrBefore: now - 1) else { continue }
                last = max(last ?? .min, reading.at)
            }
            return last
        }
    }

    private func characteristic(
        _ which: MiFlora.Characteristic, _ all: [String: BluetoothCharacteristic]
    ) throws(BluetoothRadio.Fault) -> BluetoothCharacteristic {
        let uuid = String(decoding: which.uuid, as: UTF8.self)
        guard let found = all[uuid] else { throw .noCharacteristic(uuid) }
        return found
    }

    private func battery(_ all: [String: BluetoothCharacteristic]) async throws(BluetoothRadio.Fault) -> Double? {
        let answer = try await radio.read(try characteristic(.device, all))
        return (try? MiFloraDevice(answer: answer)).map { Double($0.battery) }
    }

    private func history(
        _ all: [String: BluetoothCharacteristic], since: Int64, now: Int64
    ) async throws(BluetoothRadio.Fault) -> [HistoryReading.Entry] {
        var reading = HistoryReading(newerThan: since)
        while true {
            switch reading.step {
            case .write(let which, let bytes):
                try await radio.write(bytes, to: try characteristic(which, all), withResponse: true)
                reading.written()
            case .read(let which):
                reading.read(try await radio.read(try characteristic(which, all)), at: now)
            case .finished: return reading.entries.reversed()
            }
        }
    }
}

extension MiFlora {
    /// The quantities that the sensor measures.
    fileprivate static let quantities: Set<SensorQuantity> = [
        .moisture, .temperature, .illuminance, .conductivity, .battery,
    ]
}
