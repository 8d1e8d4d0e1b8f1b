import Foundation
import GRDB
import HubKit
import MotionLabEngine
import Storage
import Synchronization

/// The hub's memory of phones between their messages: the units in which each sends, and the messages of a recording
/// that have come.
final class Phones: Sendable {
    /// The most recordings whose messages are distinguished; of one that is forgotten, repeated messages are stored
    /// once all the same, and are no longer counted.
    private static let mostLedgers = 512

    /// The units and signs of a recording, once they are settled.
    struct Frame: Sendable, Equatable {
        var source: SensorSource
        /// Whether nothing in it has proved them so far: then a later message may, and what was stored is put right.
        var isGuess: Bool
    }

    private struct State {
        /// The units and signs that were last proved of each phone.
        var sources: [String: SensorSource] = [:]
        /// The app of each phone by the name that it last gave itself.
        var agents: [String: SensorSource] = [:]
        /// The frames of recordings, by their ids; the newest are remembered.
        var frames: [String: Frame] = [:]
        var frameOrder: [String] = []
        var ledgers: [String: SensorLoggerLedger] = [:]
        /// The keys of the ledgers, the oldest first.
        var order: [String] = []
        /// The time at which each phone sent last, UTC milliseconds.
        var heardAt: [String: Int64] = [:]
        /// The newest values of each phone.
        var values: [String: [PhoneValue]] = [:]
        /// The refusal of what each phone sent last, where it could not be used.
        var refusals: [String: Refusal] = [:]
    }

    /// The reason why nothing of a message could be used, with the time when it came, UTC milliseconds.
    struct Refusal: Sendable {
        var error: SensorLoggerError
        var at: Int64
    }

    private let state: Mutex<State>

    init(_ hub: HubContext) async throws {
        let (records, recordings) = try await hub.database.pool.read { db in
            (
                try PhoneRecord.fetchAll(db),
                try StoredRecording.fetchAll(
                    db,
                    cached:
                        "SELECT * FROM lab_recording WHERE origin = 'push' ORDER BY start_microseconds DESC LIMIT ?",
                    arguments: [Self.mostLedgers])
            )
        }
        var state = State()
        for record in records { state.sources[record.device] = SensorSource(rawValue: record.source) }
        for recording in recordings.reversed() {
            if let frame = recording.frame { Self.remember(frame, of: recording.id, &state) }
        }
        self.state = Mutex(state)
    }

    /// The time at which a phone sent last, UTC milliseconds; nil where it has not since the hub started.
    func heardAt(_ device: String) -> Int64? { state.withLock { $0.heardAt[device] } }

    /// Notes that a phone's message has been stored.
    ///
    /// - Parameters:
    ///   - values: the newest values in it; those of other kinds stay.
    ///   - now: UTC milliseconds.
    func heard(_ device: String, _ values: [PhoneValue] = [], now: Int64) {
        state.withLock { state in
            state.heardAt[device] = now
            state.refusals[device] = nil
            let kinds = Set(values.map(\.kind))
            let others = state.values[device, default: []].filter { !kinds.contains($0.kind) }
            state.values[device] = (others + values).sorted { $0.kind.rawValue < $1.kind.rawValue }
        }
    }

    /// The newest values of a phone since the hub started.
    func values(_ device: String) -> [PhoneValue] { state.withLock { $0.values[device] ?? [] } }

    /// Notes that a phone's message could not be used.
    func refused(_ device: String, _ error: SensorLoggerError, now: Int64) {
        state.withLock { $0.refusals[device] = Refusal(error: error, at: now) }
    }

    /// The refusal of what a phone sent last; nil where it was stored.
    func refusal(_ device: String) -> Refusal? { state.withLock { $0.refusals[device] } }

    /// A removed phone is known no longer.
    func forget(_ device: String) {
        state.withLock { state in
            state.heardAt[device] = nil
            state.refusals[device] = nil
            state.values[device] = nil
            state.sources[device] = nil
            state.agents[device] = nil
            for key in state.order where key.hasPrefix("\(device)\n") { state.ledgers[key] = nil }
            state.order.removeAll { $0.hasPrefix("\(device)\n") }
        }
    }

    /// Reads a message of Sensor Logger's.
    ///
    /// Units and signs are settled for a recording: by what its messages prove, else by what the phone's did before,
    /// else by its system.
    ///
    /// - Parameter agent: what the app calls itself, which says its system; nil over MQTT.
    /// - Throws: why nothing of it can be used.
    func push(_ bytes: [UInt8], from device: String, agent: String?) throws(SensorLoggerError) -> SensorLoggerPush {
        let message = try SensorLoggerMessage.decode(bytes.span)
        if let failure = message.failure { throw failure }
        let session =
            message.sessionId.isEmpty
            ? "unnamed" : String(decoding: message.sessionId, as: UTF8.self).withoutUnseenCharacters
        let (proved, told) = (message.likelySource, Self.source(ofAgent: agent))
        let id = StoredRecording.id(ofPush: session, from: device)
        let (frame, count) = state.withLock { state in
            if let proved { state.sources[device] = proved }
            if let told { state.agents[device] = told }
            let count = message.messageId.map { Self.count($0, "\(device)\n\(session)", &state) }
            let guess = state.sources[device] ?? told ?? state.agents[device] ?? .sensorLoggerAndroid
            var frame = state.frames[id] ?? Frame(source: guess, isGuess: true)
            // What is proved once holds for the whole recording: a message that seems to say otherwise is an exception.
            if frame.isGuess, let proved { frame = Frame(source: proved, isGuess: false) }
            if message.hasFrame || !frame.isGuess { Self.remember(frame, of: id, &state) }
            return (frame, count)
        }
        return SensorLoggerPush(
            message, session: session, frame: frame, isRepeated: count?.isNew == false, missing: count?.missing ?? 0)
    }

    private static func remember(_ frame: Frame, of recording: String, _ state: inout State) {
        if state.frames.updateValue(frame, forKey: recording) == nil { state.frameOrder.append(recording) }
        if state.frameOrder.count > mostLedgers { state.frames[state.frameOrder.removeFirst()] = nil }
    }

    private static func count(_ message: Int64, _ key: String, _ state: inout State) -> (isNew: Bool, missing: Int64) {
        if state.ledgers[key] == nil {
            state.order.append(key)
            if state.order.count > mostLedgers { state.ledgers[state.order.removeFirst()] = nil }
        }
        var ledger = state.ledgers[key] ?? SensorLoggerLedger()
        let isNew = ledger.isNew(message)
        state.ledgers[key] = ledger
        return (isNew, ledger.missing)
    }

    /// The source that an agent tells: networking on iOS names itself, and so does Android's usual library.
    private static func source(ofAgent agent: String?) -> SensorSource? {
        guard let agent else { return nil }
        if agent.contains("CFNetwork") || agent.contains("Darwin") { return .sensorLoggerIOS }
        return agent.lowercased().contains("okhttp") ? .sensorLoggerAndroid : nil
    }
}

/// The stored row of a phone.
struct PhoneRecord: Storage.TableRecord {
    static let databaseTableName = "lab_phone"

    var device: String
    /// A `SensorSource`: what its messages were proved to be last.
    var source: UInt8
}
