import GRDB
import HubKit
import MotionLabEngine
import Storage

/// The stored description of a recording, beside its samples.
struct StoredRecording: Storage.TableRecord {
    static let databaseTableName = "lab_recording"

    /// The source of a recording.
    enum Origin: String, Codable, Sendable, CaseIterable {
        /// A page of the lab's.
        case page
        /// An app on a phone, which sends by itself.
        case push
        /// A file that somebody imported.
        case file
        /// The page of a guest of a class.
        case guest
    }

    /// A stream: one sensor of the recording.
    struct Stream: Codable, Sendable, Equatable {
        /// The sensor, as `SensorKind` names it.
        var sensor: String
        var samples: Int
        /// UTC microseconds by the phone's clock.
        var firstMicroseconds, lastMicroseconds: Int64?
        /// The rate as measured, and as the phone says; nil where too little came, or nothing was said.
        var hertz, claimedHertz: Double?
        /// The verdict on the rate beside what the phone says, such as `slower`; nil where nothing is wrong, or it says
        /// nothing.
        var verdict: String?
        /// The sensor's state, such as `stopped`; nil where nothing happened.
        var state: String?
        /// Whether it was simulated: true, or nil where it was measured.
        var isSimulated: Bool?
        /// The `SensorSource` by whose units and signs an acceleration of an app was stored, and true where nothing had
        /// proved that.
        var frame: UInt8?
        var isFrameGuessed: Bool?
    }

    var household: String
    /// The id, in small hexadecimal digits.
    var id: String
    /// The person who recorded; nil of a phone that is nobody's own.
    var person: String?
    /// The device; nil of a page's on a phone that is no device of the hub's.
    var device: String?
    var origin: Origin
    /// The local date of its start, days since 1 January 1970.
    var day: Int32
    /// The start by the phone's clock, UTC.
    var startMicroseconds: Int64
    var endMicroseconds: Int64
    /// The name that it was given while it was recorded.
    var name = ""
    /// The slug of its experiment; empty for none.
    var experiment = ""
    var streams: [Stream] = []
    /// The number of samples of all streams.
    var samples = 0
    var isEnded = false
    /// The microseconds to be added to the phone's time for the hub's, and the most by which the truth is off from
    /// that.
    var clockOffset: Int64?
    var clockUncertainty: Int64?
    var messages = 0
    var repeatedMessages = 0
    var missingMessages = 0
    var refusedSamples = 0
    var reorderedSamples = 0

    /// Finds a recording of a household; nil where there is none.
    static func find(_ id: String, household: String, _ db: Database) throws -> StoredRecording? {
        try StoredRecording.fetchOne(db, key: ["household": household, "id": id])
    }

    /// The bytes that it is read from; nil of an app's, whose samples are in the streams of its phone. Empty where they are
    /// damaged.
    func content(_ db: Database) throws -> [UInt8]? {
        switch origin {
        case .push: nil
        case .guest: try GuestRecordingRecord.find(id, household: household, db).map { $0.intactContent ?? [] }
        case .page, .file: try Sessions.find(id, household: household, db).map { $0.intactContent ?? [] }
        }
    }

    /// Counts samples of a sensor.
    ///
    /// - Parameter hertz: as measured among them; nil where they are too few.
    mutating func add(_ count: Int, of kind: SensorKind, first: Int64, last: Int64, hertz: Double?) {
        let name = "\(kind.name)"
        samples += count
        reach(first)
        reach(last)
        guard let place = streams.firstIndex(where: { $0.sensor == name }) else {
            streams.append(
                Stream(
                    sensor: name, samples: count, firstMicroseconds: first, lastMicroseconds: last, hertz: hertz))
            return
        }
        streams[place].samples += count
        streams[place].hertz = hertz ?? streams[place].hertz
        streams[place].firstMicroseconds = min(streams[place].firstMicroseconds ?? first, first)
        streams[place].lastMicroseconds = max(streams[place].lastMicroseconds ?? last, last)
    }

    /// Extends the recording to a time at which something of it happened.
    mutating func reach(_ time: Int64) {
        startMicroseconds = min(startMicroseconds, time)
        endMicroseconds = max(endMicroseconds, time)
    }
}

/// A note that somebody wrote down at a time of a recording.
struct AnnotationRecord: Storage.TableRecord {
    static let databaseTableName = "lab_annotation"

    var household: String
    var recording: String
    /// UTC, by the phone's clock.
    var atMicroseconds: Int64
    var text: String
}

/// The name that a recording was given since.
struct NameRecord: Storage.TableRecord {
    static let databaseTableName = "lab_name"

    var household: String
    var recording: String
    var name: String
}
