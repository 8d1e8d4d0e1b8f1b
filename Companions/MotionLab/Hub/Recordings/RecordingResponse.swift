import GRDB
import HubKit
import Localization
import MotionLabEngine
import Storage

/// A recording, as pages and programs get it.
struct RecordingResponse: Codable, Sendable {
    struct Stream: Codable, Sendable {
        /// The name of the sensor, such as `accelerometer`, and the unit of its values.
        var sensor, unit: String
        var axes: [String]
        var samples: Int
        /// UTC microseconds by the phone's clock.
        var firstMicroseconds, lastMicroseconds: Int64?
        /// The rate as measured, and as the phone says; nothing where too little came, or nothing was said.
        var hertz, claimedHertz: Double?
        /// The verdict on the rate beside what the phone says: `slower`, `faster` or `interrupted`.
        var verdict: String?
        /// The sensor's state, such as `stopped` or `notPermitted`.
        var state: String?
        /// Whether it was simulated, and not measured; true or nothing.
        var isSimulated: Bool?
    }

    struct Clock: Codable, Sendable {
        /// The microseconds to be added to the phone's time for the hub's.
        var offsetMicroseconds: Int64
        /// The most by which the truth is off from that.
        var uncertaintyMicroseconds: Int64
    }

    struct Messages: Codable, Sendable {
        /// The numbers of an app's messages that came, that came once more, and that never came.
        var received, repeated, missing: Int
        /// The numbers of their readings that could not be used, and that came out of order.
        var refusedReadings, reorderedReadings: Int
    }

    struct Guest: Codable, Sendable {
        /// The id of the class.
        var inClass: String
        /// The run of the class, from 1.
        var run: Int
        /// The guest's within the class, from 1, and the name that they gave.
        var number: Int
        var name: String?
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
    /// The name and the experiment; empty for none.
    var name, experiment: String
    var samples: Int
    /// Whether the phone ended it.
    var isEnded: Bool
    var streams: [Stream]
    var clock: Clock?
    var messages: Messages?
    /// The guest of a class whose recording it is.
    var guest: Guest?
    var annotations: [Annotation]
    /// The oddities of the recording, in sentences in the asker's language; none in a file.
    var findings: [String]?
}

/// A recording for somebody who may have it stored, and not look at it.
struct UnseenRecordingResponse: Codable, Sendable {
    var id: String
    /// The local day.
    var day: String
}

extension RecordingResponse {
    /// Answers one recording.
    init(_ recording: StoredRecording, _ db: Database) throws {
        let found = try Self.all([recording], db)
        // As many as were asked for.
        self = found[0]
    }

    /// The responses of many recordings, with three queries.
    static func all(_ recordings: [StoredRecording], _ db: Database) throws -> [RecordingResponse] {
        guard let household = recordings.first?.household else { return [] }
        let ids = try Database.jsonText(recordings.map(\.id))
        let names = try NameRecord.fetchAll(
            db,
            cached: "SELECT * FROM lab_name WHERE household = ? AND recording IN (SELECT value FROM json_each(?))",
            arguments: [household, ids])
        let annotations = try AnnotationRecord.fetchAll(
            db,
            cached: """
                SELECT * FROM lab_annotation WHERE household = ? AND recording IN (SELECT value FROM json_each(?))
                ORDER BY at_microseconds, text
                """, arguments: [household, ids])
        let guests = try Row.fetchAll(
            db,
            cached: """
                SELECT recording, lab_guest_recording.in_class, run, number, name
                FROM lab_guest_recording JOIN lab_guest ON lab_guest.id = guest
                WHERE lab_guest_recording.household = ? AND recording IN (SELECT value FROM json_each(?))
                """, arguments: [household, ids])
        let guestOf = Dictionary(
            guests.map {
                (
                    $0["recording"] as String,
                    Guest(inClass: $0["in_class"], run: $0["run"], number: $0["number"], name: $0["name"])
                )
            }
        ) { first, _ in first }
        let nameOf = Dictionary(names.map { ($0.recording, $0.name) }) { first, _ in first }
        let annotationsOf = Dictionary(grouping: annotations, by: \.recording)
        return recordings.map { recording in
            RecordingResponse(
                recording, name: nameOf[recording.id], guestOf[recording.id],
                annotationsOf[recording.id, default: []].map {
                    Annotation(atMicroseconds: $0.atMicroseconds, text: $0.text)
                })
        }
    }

    /// The responses of many recordings, with what is odd about them.
    static func all(_ recordings: [StoredRecording], in language: Language, _ db: Database) throws
        -> [RecordingResponse]
    {
        try zip(recordings, all(recordings, db)).map { recording, response in
            var response = response
            response.findings = RecordingFindings.texts(recording).map { $0.string(in: language, from: .motionLab) }
            return response
        }
    }

    /// Takes in what was written down while it was recorded.
    mutating func add(_ own: [Annotation]) {
        annotations = (own + annotations).sorted { $0.atMicroseconds < $1.atMicroseconds }
    }

    private init(_ recording: StoredRecording, name: String?, _ guest: Guest?, _ annotations: [Annotation]) {
        self.init(
            id: recording.id, person: recording.person, device: recording.device, origin: recording.origin,
            day: "\(CivilDate(day: recording.day))", startMicroseconds: recording.startMicroseconds,
            endMicroseconds: recording.endMicroseconds, name: name ?? recording.name,
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
            guest: guest,
            annotations: annotations)
    }
}

extension RecordingResponse.Stream {
    fileprivate init(_ stream: StoredRecording.Stream) {
        let kind = SensorKind(sensor: stream.sensor)
        self.init(
            sensor: stream.sensor, unit: kind.map { "\($0.unit)" } ?? "", axes: kind?.axes.map { "\($0)" } ?? [],
            samples: stream.samples, firstMicroseconds: stream.firstMicroseconds,
            lastMicroseconds: stream.lastMicroseconds, hertz: stream.hertz, claimedHertz: stream.claimedHertz,
            verdict: stream.verdict, state: stream.state,
            isSimulated: stream.isSimulated)
    }
}
