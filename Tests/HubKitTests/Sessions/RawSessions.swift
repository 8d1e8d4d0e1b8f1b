import Foundation
import GRDB
import HTTPTypes
import HubInstruments
import Localization
import Storage
import Synchronization
import Wire

@testable import HubKit

/// A companion whose sessions are raw bytes: the first 24 say whose they are, see ``RawSession/header(id:person:at:)``.
final class Raw: Companion {
    static let slug = "raw"
    static let title = "Raw"
    static let migrations = [
        Migration("raw-001") { db in
            try db.execute(
                sql: """
                    CREATE TABLE raw_session(
                        household TEXT NOT NULL, id TEXT NOT NULL, person TEXT NOT NULL, day INTEGER NOT NULL,
                        bytes INTEGER NOT NULL, common INTEGER, PRIMARY KEY(household, id))
                    """)
        }
    ]

    let hub: HubContext
    let format = RawFormat()

    init(hub: HubContext) async throws { self.hub = hub }

    var sessions: ActiveSessions<RawFormat> { ActiveSessions(format, hub: hub) }
    var sessionDefinition: (any SessionDefinition)? { format }

    func addRoutes(to routes: Routes) {}
}

/// A session as it was recorded, and whether the hub closed it.
struct RawSession: Sendable, Equatable {
    /// 8 bytes of an identifier, 8 of a person's, padded with spaces, 8 of when it began.
    static let headerCount = 24

    /// The byte with which the hub closes one.
    static let hubsEnd: UInt8 = 0xEE

    var recorded: [UInt8]
    var isClosedByHub: Bool

    static func header(id: UInt8, person: String, at: Int64) -> [UInt8] {
        var bytes = [UInt8](repeating: id, count: 8)
        bytes += Array(person.utf8) + [UInt8](repeating: 32, count: 8 - person.utf8.count)
        bytes.append(littleEndian: at)
        return bytes
    }

    var origin: SessionOrigin {
        var reader = LittleEndianReader(recorded[...])
        let id = reader.take(8)
        let person = reader.take(8).filter { $0 != 32 }
        return SessionOrigin(id: id, person: person, startedAt: reader.int64(), utcOffsetMinutes: 60)
    }
}

/// A row of `raw_session`.
struct RawResult: Storage.TableRecord {
    static let databaseTableName = "raw_session"

    var household, id, person: String
    var day: Int32
    var bytes: Int
    var common: Int?
}

struct RawFormat: SessionDefinition {
    static let companion = Raw.slug
    static let noun = "raw session"
    static let mostEvents = 1
    static let deliverySummary = "Stores a session."

    /// What a test does while a session is played through.
    final class Replay: Sendable {
        let hook = Mutex<(@Sendable () -> Void)?>(nil)
    }

    var limits = ActiveSessionLimits(sessionBytes: 64 << 20, perDay: 3, patienceMilliseconds: 60_000)
    let messages = ActiveSessionMessages(
        notFound: LocalizedText("There is no raw session here."),
        somebodyElses: { LocalizedText("\($0) records.") })
    let replay = Replay()

    func origin(ofBeginning content: [UInt8]) throws(Problem) -> SessionOrigin {
        guard content.count >= RawSession.headerCount else { throw .field("events", "No header.") }
        return RawSession(recorded: content, isClosedByHub: false).origin
    }

    func session(_ content: [UInt8], isComplete: Bool) throws(Problem) -> RawSession {
        guard content.count > RawSession.headerCount else { throw .field("events", "No header.") }
        guard content.last != 0xFF else { throw .field("events", "It cannot be read.") }
        replay.hook.withLock { $0 }?()
        let isClosedByHub = content.last == RawSession.hubsEnd
        return RawSession(
            recorded: isClosedByHub ? content.dropLast() : content, isClosedByHub: isClosedByHub || !isComplete)
    }

    func content(ofSealed bytes: [UInt8]) -> [UInt8]? {
        SealedContent.opened(bytes, eventsIndex: { _ in RawSession.headerCount })
    }

    func content(of session: RawSession) -> [UInt8] {
        session.recorded + (session.isClosedByHub ? [RawSession.hubsEnd] : [])
    }
    func recorded(of session: RawSession) -> [UInt8] { session.recorded }
    func origin(of session: RawSession) -> SessionOrigin { session.origin }
    func closed(_ session: RawSession) -> RawSession { session }
    func isUnended(_ session: RawSession) -> Bool { session.isClosedByHub }

    func identified(_ session: RawSession, as id: String) throws -> RawSession {
        var session = session
        let digits = Array(id)
        for index in 0..<8 {
            session.recorded[index] = UInt8(String(digits[2 * index...2 * index + 1]), radix: 16) ?? 0
        }
        return session
    }

    func relation(of session: RawSession, to known: RawSession, as place: KnownSessionPlace) -> SessionRelation {
        let (mine, its) = (session.recorded[8...], known.recorded[8...])
        let common = zip(mine, its).prefix { $0 == $1 }.count
        guard common >= 16 else { return .unrelated }
        if common == its.count, place == .active || known.isClosedByHub { return .extends }
        return common == mine.count ? .contained : .diverged(common: common)
    }

    func record(of session: RawSession, person: PersonRecord, receivedAt: Int64) -> SessionRecord {
        SessionRecord(
            household: person.household, id: session.origin.id, person: person.id, companion: Raw.slug,
            startedAt: session.origin.startedAt, endedAt: session.origin.startedAt, engineVersion: 1,
            content: content(of: session), claimDiffers: false, receivedAt: receivedAt)
    }

    func result(of session: RawSession, _ context: SessionContext) -> RawResult {
        RawResult(
            household: context.household.id, id: session.origin.id, person: context.person.id, day: context.moment.day,
            bytes: session.recorded.count, common: context.branch?.common)
    }

    func exported(_ stored: StoredSession<RawFormat>) -> [String: String] {
        ["id": stored.record.id, "bytes": "\(stored.result.bytes)", "state": stored.session == nil ? "unread" : "read"]
    }

    struct Response: Codable {
        var id: String?
        var isActive: Bool?
    }

    func response(_ id: String, to member: Member, of person: PersonRecord, _ hub: HubContext, _ db: Database) throws
        -> Response
    {
        Response(id: id)
    }

    func responseWhileActive(_ session: RawSession, of person: PersonRecord, _ household: HouseholdRecord) throws
        -> Response
    {
        Response(isActive: true)
    }
}

/// A device that records a session, and sends what the hub does not have.
struct RawRecorder {
    /// How the link breaks.
    enum Fault: Sendable {
        /// The request does not get there.
        case beforeSending
        /// The hub's answer does not come back.
        case beforeAnswer
    }

    let app: CompanionTestApp<Raw>
    let id: String
    let account: String
    var bytes: [UInt8]
    /// How many it has sent, all requests together.
    private(set) var sent = 0

    init(
        _ app: CompanionTestApp<Raw>, person: String = "mila", id: UInt8 = 1, bytes: [UInt8] = [],
        account: String = "ines"
    ) {
        self.app = app
        self.account = account
        self.bytes = RawSession.header(id: id, person: person, at: app.now - 2_000_000) + bytes
        self.id = SessionOrigin.name(of: [UInt8](repeating: id, count: 8))
    }

    /// - Parameter session: the id in the bytes, where `path` is another one.
    func patch(
        _ range: Range<Int>, isComplete: Bool = false, path: String? = nil, session: String? = nil, key: String? = nil,
        checksum: UInt32? = nil
    ) async throws -> HTTPTestClient.Answer {
        var headers = ["Upload-Offset": "\(range.lowerBound)"]
        let before = checksum ?? crc32(bytes[..<range.lowerBound])
        headers["Upload-Checksum"] = RawRecorder.digits(before)
        if isComplete { headers["Upload-Complete"] = "?1" }
        if let key { headers["Idempotency-Key"] = key }
        return try await app.send(
            .patch, "/api/raw/active/\(path ?? id)" + (session.map { "?session=\($0)" } ?? ""),
            bytes: Array(bytes[range]), as: account, headers: headers)
    }

    func head() async throws -> HTTPTestClient.Answer {
        try await app.send(.head, "/api/raw/active/\(id)", as: account)
    }

    static func digits(_ checksum: UInt32) -> String {
        let digits = String(checksum, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    /// Sends all that the hub does not have, and the end; asks how far it is after each break.
    ///
    /// - Parameter faults: by the number of the request that each one meets, from 0.
    mutating func deliver(chunk: Int, faults: [Int: Fault] = [:]) async throws -> HTTPTestClient.Answer {
        var number = 0
        var offset: Int?
        while true {
            let position: Int
            if let offset {
                position = offset
            } else {
                let head = try await head()
                position = head.status == 404 ? 0 : head.uploadOffset ?? 0
            }
            let fault = faults[number]
            number += 1
            guard fault != .beforeSending else {
                offset = nil
                continue
            }
            let end = min(position + chunk, bytes.count)
            let answer = try await patch(position..<end, isComplete: end == bytes.count)
            sent += end - position
            guard fault == nil else {
                offset = nil
                continue
            }
            guard answer.status < 300, end < bytes.count else { return answer }
            offset = answer.uploadOffset
        }
    }
}
