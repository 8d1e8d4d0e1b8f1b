import Foundation
import GRDB
import HubKit
import MotionLabEngine
import Storage

/// A recording, as pages and programs get it.
struct RecordingResponse: Codable, Sendable {
    struct Stream: Codable, Sendable {
        /// Such as `accelerometer`, and the unit of its values.
        var sensor, unit: String
        var axes: [String]
        var samples: Int
        /// UTC microseconds by the phone's clock.
        var firstMicroseconds, lastMicroseconds: Int64?
        /// As measured, and as the phone says; nothing where too little came, or nothing was said.
        var hertz, claimedHertz: Double?
        /// `slower`, `faster` or `interrupted` than the phone says.
        var verdict: String?
        /// `stopped`, `notPermitted` or the like.
        var state: String?
    }

    struct Clock: Codable, Sendable {
        /// To be added to the phone's time for the hub's.
        var offsetMicroseconds: Int64
        /// The truth is at most so far from it.
        var uncertaintyMicroseconds: Int64
    }

    struct Messages: Codable, Sendable {
        /// Of an app: that came, that came once more, and that never came.
        var received, repeated, missing: Int
        /// Readings of them that could not be used, and that came out of order.
        var refusedReadings, reorderedReadings: Int
    }

    struct Annotation: Codable, Sendable {
        /// UTC, by the phone's clock.
        var atMicroseconds: Int64
        var text: String
    }

    var id: String
    var person, device: String?
    var origin: StoredRecording.Origin
    /// The local day.
    var day: String
    /// UTC microseconds by the phone's clock.
    var startMicroseconds, endMicroseconds: Int64
    /// Empty for none.
    var name, experiment: String
    var samples: Int
    /// Whether the phone ended it.
    var isEnded: Bool
    var streams: [Stream]
    var clock: Clock?
    var messages: Messages?
    var annotations: [Annotation]
}

/// A recording for somebody who may have it stored, and not look at it.
struct UnseenRecordingResponse: Codable, Sendable {
    var id: String
    /// The local day.
    var day: String
}

extension RecordingResponse {
    /// - Parameter own: annotations that are in its own bytes.
    init(_ recording: StoredRecording, _ db: Database, own: [Annotation] = []) throws {
        let given = try NameRecord.fetchOne(
            db, key: ["household": recording.household, "recording": recording.id])
        let written = try AnnotationRecord.fetchAll(
            db,
            sql: """
                SELECT * FROM lab_annotation WHERE household = ? AND recording = ? ORDER BY at_microseconds, text
                """, arguments: [recording.household, recording.id]
        ).map { Annotation(atMicroseconds: $0.atMicroseconds, text: $0.text) }
        self.init(
            id: recording.id, person: recording.person, device: recording.device, origin: recording.origin,
            day: "\(CivilDate(day: recording.day))", startMicroseconds: recording.startMicroseconds,
            endMicroseconds: recording.endMicroseconds, name: given?.name ?? recording.name,
            experiment: recording.experiment, samples: recording.samples, isEnded: recording.isEnded,
            streams: recording.streams.map { Stream($0) },
            clock: recording.clockOffset.map {
                Clock(offsetMicroseconds: $0, uncertaintyMicroseconds: recording.clockUncertainty ?? 0)
            },
            messages: recording.origin == .push
                ? Messages(
                    received: recording.messages, repeated: recording.repeatedMessages,
                    missing: recording.missingMessages, refusedReadings: recording.refusedSamples,
                    reorderedReadings: recording.reorderedSamples) : nil,
            annotations: (own + written).sorted { $0.atMicroseconds < $1.atMicroseconds })
    }
}

extension RecordingResponse.Stream {
    fileprivate init(_ stream: StoredRecording.Stream) {
        let kind = SensorKind.allCases.first { "\($0.name)" == stream.sensor }
        self.init(
            sensor: stream.sensor, unit: kind.map { "\($0.unit)" } ?? "", axes: kind?.axes.map { "\($0)" } ?? [],
            samples: stream.samples, firstMicroseconds: stream.firstMicroseconds,
            lastMicroseconds: stream.lastMicroseconds, hertz: stream.hertz, claimedHertz: stream.claimedHertz,
            verdict: stream.verdict, state: stream.state)
    }
}
