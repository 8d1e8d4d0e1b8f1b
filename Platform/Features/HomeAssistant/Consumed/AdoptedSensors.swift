import Devices
import GRDB
import HubKit
import NIOCore
import Storage
import Synchronization

/// The sensors of other makers that stand for devices of the household: by the topics of their values, as the listener's event
/// loop asks for each message that is not a device's own.
final class AdoptedSensors: Sendable {
    private struct Adopted {
        var record: AdoptedSensorRecord
        var template: ValueTemplate
    }

    private let state = Mutex<[FoundSensors.Place: [Adopted]]>([:])
    private let movedRecords = Mutex<[String: AdoptedSensorRecord]>([:])
    /// The time at which it was read last, UTC milliseconds.
    private let loadedAt = Mutex<Int64>(0)

    /// The age at which what was read is read again, for devices that were removed since.
    private static let patience: Int64 = 60_000

    /// The topics at the broker whose messages are values.
    var brokerTopics: Set<String> {
        state.withLock { state in Set(state.keys.lazy.filter { $0.source == .broker }.map(\.topic)) }
    }

    /// The devices whose values the hub's radio hears, by the addresses at which they broadcast.
    var devicesByAddress: [String: String] {
        state.withLock { state in
            var devices: [String: String] = [:]
            for (place, adopted) in state where place.source == .bluetooth {
                let levels = place.topic.split(separator: "/")
                if levels.count == 3, let one = adopted.first { devices[String(levels[1])] = one.record.device }
            }
            return devices
        }
    }

    /// Reads what is stored again, where that was long ago.
    func reload(_ database: HubDatabase, now: Int64) async throws {
        let isDue = loadedAt.withLock { at in
            guard now - at >= Self.patience || now < at else { return false }
            at = now
            return true
        }
        if isDue { try await load(database) }
    }

    /// Reads what is stored. What was read of values since is kept.
    func load(_ database: HubDatabase) async throws {
        let records = try await database.pool.read { db in
            try AdoptedSensorRecord.fetchAll(
                db,
                cached: """
                    SELECT adopted_sensor.* FROM adopted_sensor JOIN device ON device.id = device WHERE removed_at IS NULL
                    """)
        }
        state.withLock { state in
            var known: [String: AdoptedSensorRecord] = [:]
            for one in state.values.joined() { known["\(one.record.device) \(one.record.quantity)"] = one.record }
            var all: [FoundSensors.Place: [Adopted]] = [:]
            for var record in records {
                record.last = known["\(record.device) \(record.quantity)"]?.last ?? record.last
                // What was understood when it was adopted is understood now.
                guard let template = try? record.template.map({ try ValueTemplate($0) }) ?? .bare else { continue }
                all[FoundSensors.Place(source: record.source, topic: record.topic), default: []].append(
                    Adopted(record: record, template: template))
            }
            state = all
        }
    }

    /// What a message measures, of the household's devices; nil where none has its values there.
    ///
    /// - Parameter isRetained: whether it is a broker's memory: a value that is known already is no new one then.
    func values(of payload: ByteBuffer, at place: FoundSensors.Place, isRetained: Bool) -> [ForeignMeaning.Value]? {
        state.withLock { state in
            guard let adopted = state[place] else { return nil }
            var values: [ForeignMeaning.Value] = []
            for (index, one) in adopted.enumerated() {
                guard let raw = one.template.value(of: payload.readableBytesUInt8Span) else { continue }
                let value = raw * one.record.factor + one.record.offset
                guard value.isFinite else { continue }
                if isRetained, one.record.last == value { continue }
                let (device, quantity) = (one.record.device, one.record.quantity)
                var found = ForeignMeaning.Value(device: device, quantity: quantity, value: value)
                if one.record.last != value {
                    state[place]?[index].record.last = value
                    // With the reading, so that what is retained says nothing new after a restart either.
                    found.work = { db in
                        try db.execute(
                            cached: "UPDATE adopted_sensor SET last = ? WHERE device = ? AND quantity = ?",
                            arguments: [value, device, quantity])
                    }
                }
                values.append(found)
            }
            return values
        }
    }

    /// Whether a sensor stands for a device already.
    func holds(_ sensor: AnnouncedSensor, at source: AdoptedSensorSource) -> Bool {
        state.withLock { state in
            state[FoundSensors.Place(source: source, topic: sensor.stateTopic)]?.contains {
                $0.record.uniqueId == sensor.uniqueID
            } ?? false
        }
    }

    /// Follows sensors that are announced with another topic, template or unit than they were adopted with.
    ///
    /// - Returns: whether any is; ``takeMoved()`` has their records to be stored.
    func move(_ sensors: [MatchedSensor], at source: AdoptedSensorSource) -> Bool {
        state.withLock { state in
            var moved = false
            for sensor in sensors {
                for (place, adopted) in state where place.source == source {
                    for one in adopted
                    where one.record.uniqueId == sensor.sensor.uniqueID && one.record.quantity == sensor.quantity {
                        var record = one.record
                        record.topic = sensor.sensor.stateTopic
                        record.template = sensor.sensor.template
                        (record.factor, record.offset) = (sensor.factor, sensor.offset)
                        guard record != one.record else { continue }
                        state[place]?.removeAll {
                            $0.record.device == record.device && $0.record.quantity == record.quantity
                        }
                        let next = FoundSensors.Place(source: source, topic: record.topic)
                        state[next, default: []].append(Adopted(record: record, template: sensor.template))
                        movedRecords.withLock { $0["\(record.device) \(record.quantity)"] = record }
                        moved = true
                    }
                }
            }
            return moved
        }
    }

    /// The records that have moved since this was last asked.
    func takeMoved() -> [AdoptedSensorRecord] {
        movedRecords.withLock { moved in
            defer { moved = [:] }
            return Array(moved.values)
        }
    }
}
