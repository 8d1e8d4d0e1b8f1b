import GRDB
import HubKit
import Localization
import MotionLabEngine
import Storage

/// The format of recordings, by which the platform takes them in while they go on, and stores them.
struct RecordingDefinition: SessionDefinition {
    static let companion = MotionLab.slug
    static let noun = "recording"
    static let mostEvents = RecordingLimits.standard.samples
    static let deliverySummary =
        "Stores a recording, once under the id that is in it: 201, and 200 when it comes again. Where another device went on with it too, it is stored under an id of its own, which the answer says. The body is its bytes in the engine’s codec. Takes an Idempotency-Key. Who may deliver it and not look at it gets its id and day alone."
    /// A recording that nobody goes on with for ten minutes is closed as it is; when its phone comes back, it goes on.
    static let limits = ActiveSessionLimits(
        sessionBytes: RecordingLimits.standard.bytes, perDay: 400, patienceMilliseconds: 600_000)
    static let messages = ActiveSessionMessages(
        notFound: LocalizedText("There is no recording that goes on here. It may have been removed.")
    ) {
        LocalizedText(
            "\($0) records this. It can be taken up or ended when an adult uses this page, or on a device that the family shares."
        )
    }

    var limits: ActiveSessionLimits { Self.limits }
    var messages: ActiveSessionMessages { Self.messages }

    func origin(ofBeginning content: [UInt8]) throws(Problem) -> SessionOrigin {
        try read { () throws(RecordingError) in try RecordingReader(content, isComplete: false).header.origin }
    }

    func session(_ content: [UInt8], isComplete: Bool) throws(Problem) -> ReadRecording {
        try ReadRecording(content, isComplete: isComplete)
    }
    func content(ofSealed bytes: [UInt8]) -> [UInt8]? { SealedContent.opened(bytes) }
    func content(of session: ReadRecording) -> [UInt8] { session.content }
    func origin(of session: ReadRecording) -> SessionOrigin { session.origin }

    /// The recording as it is: one that nobody ended stays as it was left, and its records say so.
    func closed(_ session: ReadRecording) -> ReadRecording { session }
    func isUnended(_ session: ReadRecording) -> Bool { !session.summary.isEnded }

    /// The recording under another id.
    ///
    /// - Parameter id: small hexadecimal digits.
    func identified(_ session: ReadRecording, as id: String) throws -> ReadRecording {
        let digits = Array(id)
        var header = session.header
        header.id = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
            UInt8(String(digits[$0...$0 + 1]), radix: 16)
        }
        let records = session.content[try RecordingReader(session.content, isComplete: true).offset...]
        return try ReadRecording(try header.encoded() + records)
    }

    func relation(of session: ReadRecording, to known: ReadRecording, as place: KnownSessionPlace)
        -> SessionRelation
    {
        // Under a branch's own id both have the same beginning behind their headers.
        var content = session.content
        if place == .branch, let other = try? identified(session, as: known.origin.id) { content = other.content }
        return switch try? RecordingRelation.of(content, to: known.content) {
        case .contained: .contained
        case .extends: .extends
        case .diverged(let common): .diverged(common: common)
        case .unrelated, nil: .unrelated
        }
    }

    func record(of session: ReadRecording, person: PersonRecord, receivedAt: Int64) -> SessionRecord {
        let start = session.header.startedAt
        return SessionRecord(
            household: person.household, id: session.origin.id, person: person.id, companion: MotionLab.slug,
            startedAt: start / 1_000, endedAt: (start + session.summary.duration) / 1_000, engineVersion: 1,
            content: session.content, claimDiffers: false, receivedAt: receivedAt)
    }

    func result(of session: ReadRecording, _ context: SessionContext) -> StoredRecording {
        StoredRecording(session, of: context.person, day: context.moment.day)
    }

    func isRemoved(_ id: String, household: String, _ db: Database) throws -> Bool {
        try RemovedRecord.isRemoved(id, household: household, db)
    }

    func response(_ id: String, to member: Member, of person: PersonRecord, _ hub: HubContext, _ db: Database) throws
        -> OneOf<RecordingResponse, UnseenRecordingResponse>
    {
        guard let recording = try StoredRecording.find(id, household: person.household, db) else {
            throw Problem.notFound("There is no recording here. It may have been removed.")
        }
        guard hub.policy.allowsViewing(member, of: person, now: hub.clock.now()) else {
            return .second(UnseenRecordingResponse(id: id, day: "\(CivilDate(day: recording.day))"))
        }
        return .first(try RecordingResponse(recording, db))
    }

    func exported(_ stored: StoredSession<Self>) throws -> UnseenRecordingResponse {
        UnseenRecordingResponse(id: stored.record.id, day: "\(CivilDate(day: stored.result.day))")
    }

    func responseWhileActive(_ session: ReadRecording, of person: PersonRecord, _ household: HouseholdRecord) throws
        -> OneOf<RecordingResponse, UnseenRecordingResponse>
    {
        let day = session.origin.moment(of: person, household).day
        return .second(UnseenRecordingResponse(id: session.origin.id, day: "\(CivilDate(day: day))"))
    }

    private func read<Value>(_ work: () throws(RecordingError) -> Value) throws(Problem) -> Value {
        do throws(RecordingError) {
            return try work()
        } catch {
            throw .field("events", detail: RecordingText.refused(error))
        }
    }
}

extension StoredRecording {
    /// Describes a recording of a page or a file by what the engine made of it.
    init(_ session: ReadRecording, of person: PersonRecord, day: Int32) {
        let isOfFile = session.header.streams.allSatisfy { $0.source.isOfFile }
        self.init(
            session, household: person.household, person: person.id, origin: isOfFile ? .file : .page, day: day)
    }

    /// Describes a recording of somebody, or of nobody whom the hub knows, by what the engine made of it.
    init(_ session: ReadRecording, household: String, person: String?, origin: Origin, day: Int32) {
        let (header, summary) = (session.header, session.summary)
        self.init(
            household: household, id: session.origin.id, person: person,
            device: header.device.isEmpty ? nil : String(decoding: header.device, as: UTF8.self),
            origin: origin, day: day,
            startMicroseconds: header.startedAt, endMicroseconds: header.startedAt + summary.duration,
            name: String(decoding: summary.name, as: UTF8.self).withoutUnseenCharacters,
            experiment: String(decoding: header.experiment, as: UTF8.self))
        isEnded = summary.isEnded
        clockOffset = summary.clock?.microseconds
        clockUncertainty = summary.clock?.uncertainty
        for (place, stream) in summary.streams.enumerated() {
            let claimed = header.streams[place].claimedMillihertz
            streams.append(
                Stream(
                    sensor: "\(stream.kind.name)", samples: stream.samples, firstMicroseconds: stream.first,
                    lastMicroseconds: stream.last, hertz: stream.rate?.hertz,
                    claimedHertz: claimed > 0 ? Double(claimed) / 1_000 : nil,
                    verdict: stream.verdict.flatMap { $0 == .asClaimed ? nil : "\($0)" },
                    state: stream.state.map { "\($0)" },
                    isSimulated: header.streams[place].source == .simulated ? true : nil))
            samples += stream.samples
        }
    }
}

extension SensorSource {
    /// Whether an app's exports are in its units; a page never is.
    var isOfFile: Bool {
        switch self {
        case .sensorLoggerIOS, .sensorLoggerAndroid, .phyphox, .physicsToolbox: true
        case .lab, .coreMotion, .android, .webKitMotion, .chromiumMotion, .genericSensor, .simulated: false
        }
    }
}
