import GRDB
import HubKit
import Storage

/// The hub's clock.
struct ClockResponse: Codable, Sendable {
    /// The times by the hub's clock at which the question came and was answered, UTC microseconds; the clock counts
    /// milliseconds.
    var receivedMicroseconds, answeredMicroseconds: Int64
}

/// A class, as its guests see it: of each other nothing.
struct GuestStateResponse: Codable, Sendable {
    /// The recording that is to be sent of the last run.
    struct Recording: Codable, Sendable {
        /// The recording's id, in small hexadecimal digits: 16 bytes of its header.
        var id: String
        /// The number of bytes of it that have come, and whether that is all.
        var receivedBytes: Int
        var isWhole: Bool
    }

    /// The version of the class, to be sent as `seen`.
    var version: Int
    var name: String
    /// The slug; empty for none.
    var experiment: String
    /// The sensors, as `SensorKind` names them, and the samples a second of each.
    var sensors: [String]
    var hertz: Double
    /// The seconds after which a run ends by itself.
    var seconds: Int
    /// UTC milliseconds by the hub's clock; until it is over.
    var endsAt: Int64
    var isOpen: Bool
    /// The guest's id, which the recording's header has in place of a person's; their number within the class, from 1;
    /// and the name that they gave.
    var guest: String
    var number: Int
    var guestName: String?
    /// The last run, and the guest's recording of it.
    var run: ClassResponse.Run?
    var recording: Recording?
}

/// The answer to a guest who has joined.
struct JoinedClassResponse: Codable, Sendable {
    /// The token for the header `Authorization: Bearer …`, which is said once.
    var token: String
    var state: GuestStateResponse
}

/// The answer to a chunk of a recording.
struct SentResponse: Codable, Sendable {
    /// The id of the recording, once it is whole.
    var recording: String?
}

extension GuestStateResponse {
    init(_ guest: GuestRecord, _ found: ClassRecord, _ classes: Classes, _ db: Database) throws {
        let now = classes.hub.clock.now()
        self.init(
            version: found.version, name: found.name, experiment: found.experiment, sensors: found.sensors,
            hertz: found.hertz, seconds: found.seconds, endsAt: found.endsAt, isOpen: found.isOpen(now),
            guest: guest.id, number: guest.number,
            guestName: guest.name, run: ClassResponse.Run(found, now: now))
        guard found.run > 0 else { return }
        let id = GuestRequest.recording(guest.id, run: found.run)
        let whole = try GuestRecordingRecord.find(id, household: found.household, db)
        recording = Recording(
            id: id,
            receivedBytes: try whole?.content.count ?? GuestChunkRecord.position(guest.id, run: found.run, db).offset,
            isWhole: whole != nil)
    }
}
