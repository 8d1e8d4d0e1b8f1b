import GRDB
import HTTPTypes
import Localization
import Storage

/// The definition of a companion's recorded sessions: how their bytes are read, when one is closed or continued, and what
/// the companion stores beside it. The platform does the rest, see ``ActiveSessions``, once the companion declares its
/// definition as ``Companion/sessionDefinition``.
///
/// The *content* of a session are its bytes, which only grow: they are sent and stored in chunks while it goes on, and as
/// they are for good. Their checksum is stored beside them.
public protocol SessionDefinition: Sendable {
    /// A session that was read and replayed.
    associatedtype Session: Sendable
    /// The companion's row of results beside each stored session, with the columns `household`, `id`, `person` and
    /// `day`.
    associatedtype StoredResult: Storage.TableRecord
    /// The API response for a stored session, limited to what its caller may see.
    associatedtype Response: Codable & Sendable & SendableMetatype
    /// The description of a session in an export, beside its bytes.
    associatedtype Exported: Encodable

    /// The slug of the companion.
    static var companion: String { get }
    /// The name of a session in the log, such as `drum session`.
    static var noun: String { get }
    /// The number of events of the longest session, for the error message about a larger body.
    static var mostEvents: Int { get }
    /// The summary of the route that receives a whole session, for `/openapi.json`.
    static var deliverySummary: String { get }
    /// The limits for active sessions.
    var limits: ActiveSessionLimits { get }
    /// The error messages about active sessions.
    var messages: ActiveSessionMessages { get }

    /// The origin of a session, read from the first chunk of its content.
    ///
    /// - Throws: a 422 problem if the chunk does not contain it.
    func origin(ofBeginning content: [UInt8]) throws(Problem) -> SessionOrigin
    /// Reads and replays a session. Called outside of the database's writer, so it may take its time.
    ///
    /// - Parameters:
    ///   - content: the bytes so far.
    ///   - isComplete: whether no more come. If some may, an event that is cut off at the end is left out.
    /// - Throws: a 422 problem if the bytes are not a session, in words for each reason.
    func session(_ content: [UInt8], isComplete: Bool) throws(Problem) -> Session

    /// The content of bytes in the form of 0.1.0's first builds, of which some may wait on a phone; nil for others.
    func content(ofSealed bytes: [UInt8]) -> [UInt8]?

    /// The content of a session, as it is stored.
    func content(of session: Session) -> [UInt8]
    /// The content of a session as its device recorded it, without the end that the hub itself added when it closed it.
    func recorded(of session: Session) -> [UInt8]
    /// The origin of a session.
    func origin(of session: Session) -> SessionOrigin
    /// The session with an end added by the hub, if it has none.
    func closed(_ session: Session) -> Session
    /// Whether the session has no end but the one that the hub added, so that it may be continued.
    func isUnended(_ session: Session) -> Bool
    /// The same session with another id.
    func identified(_ session: Session, as id: String) throws -> Session
    /// The relation of a session to a known one with the same id.
    func relation(of session: Session, to known: Session, as place: KnownSessionPlace) -> SessionRelation

    /// The platform's record of a session.
    func record(of session: Session, person: PersonRecord, receivedAt: Int64) -> SessionRecord
    /// The day for which a session counts in ``ActiveSessionLimits/perDay``, from its local date and minute.
    func day(of moment: (day: Int32, minute: Int32)) -> Int32
    /// The companion's result of a session, which replaces any earlier one.
    func result(of session: Session, _ context: SessionContext) throws -> StoredResult
    /// Whether somebody removed the session with an id. If it is delivered again, such as by another phone, it is
    /// acknowledged but not stored.
    func isRemoved(_ id: String, household: String, _ db: Database) throws -> Bool
    /// Changes other tables in the transaction that stores new content of a session, such as by giving awards. Open pages
    /// are notified of the session after its commit, before what follows it here.
    func stored(_ context: SessionContext, _ hub: HubContext, _ db: Database) throws

    /// The API response for a stored session, limited to what `member` may see.
    func response(_ id: String, to member: Member, of person: PersonRecord, _ hub: HubContext, _ db: Database) throws
        -> Response
    /// The description of a session in an export. Later versions only add keys.
    func exported(_ stored: StoredSession<Self>) throws -> Exported
    /// The API response for a session of which nothing was stored, because another device's active session contains all
    /// of it, or because it was removed.
    func responseWhileActive(_ session: Session, of person: PersonRecord, _ household: HouseholdRecord) throws
        -> Response
}

extension SessionDefinition {
    /// The answer of a companion whose sessions had no other form.
    public func content(ofSealed bytes: [UInt8]) -> [UInt8]? { nil }
    /// The content as it is stored: the hub adds no end.
    public func recorded(of session: Session) -> [UInt8] { content(of: session) }
    /// The local date.
    public func day(of moment: (day: Int32, minute: Int32)) -> Int32 { moment.day }
    /// Never removed.
    public func isRemoved(_ id: String, household: String, _ db: Database) throws -> Bool { false }
    /// Changes nothing.
    public func stored(_ context: SessionContext, _ hub: HubContext, _ db: Database) throws {}
}

/// The place of a known session that a new one is compared with.
public enum KnownSessionPlace: Sendable {
    /// The active sessions.
    case active
    /// The stored sessions, under the id that was delivered.
    case stored
    /// The stored branches of that session.
    case branch
}

/// The relation of a session to a known one with the same id, as the companion's engine finds it.
public enum SessionRelation: Sendable, Equatable {
    /// Different sessions.
    case unrelated
    /// The known session contains all of the new one.
    case contained
    /// The new session continues and replaces the known one.
    case extends
    /// Each session has events that the other has not, after `common` events that they share.
    case diverged(common: Int)
}

/// The circumstances in which a session is stored.
public struct SessionContext: Sendable {
    /// The id under which the session is stored.
    public var id: String
    /// The person of the session.
    public var person: PersonRecord
    /// The household of the person.
    public var household: HouseholdRecord
    /// The local date (days since 1 January 1970) and minute of the day of its start.
    public var moment: (day: Int32, minute: Int32)
    /// The current time, in UTC milliseconds.
    public var now: Int64
    /// The branch, if the session differs from the one whose id it was delivered under; nil for most.
    public var branch: SessionBranchRecord?
}

/// The error messages about active sessions.
public struct ActiveSessionMessages: Sendable {
    /// The problem of a page whose bytes do not continue what the hub has.
    public var diverged: Problem
    /// The problem of a page that continues a session that is over.
    public var over: Problem
    /// The problem of bytes that this version of the hub cannot read.
    public var unreadable: Problem
    /// The problem of an unknown id.
    public var notFound: Problem
    /// The message that so many sessions are active, and no more are accepted.
    public var tooMany: @Sendable (Int) -> LocalizedText
    /// The problem of a caller who may not continue the session of the person with this name.
    public var somebodyElses: @Sendable (String) -> Problem

    /// Creates the messages, with the platform's words where they are the same for all companions.
    ///
    /// - Parameters:
    ///   - notFound: the message that no session with this id is being recorded.
    ///   - somebodyElses: the message that the session belongs to the person with this name, and who may continue or
    ///     end it.
    public init(
        notFound: LocalizedText, somebodyElses: @escaping @Sendable (String) -> LocalizedText
    ) {
        self.notFound = Problem(.notFound, title: LocalizedText("Not found"), detail: notFound)
        diverged = Problem(
            .conflict, "Goes on elsewhere",
            "Another device went on with this session, and it stays as it is there. End it there, or go on with it here.",
            field: "events")
        over = Problem(
            .conflict, "Over already",
            "This session is over: another device ended it, or the hub did when nobody came back to it. What was recorded here counts when it is delivered at its end.",
            field: "events")
        unreadable = Problem(
            .conflict, "Cannot be read",
            "This version of the hub cannot read what the page sent of this session. It is kept as it is; update the hub.",
            field: "events")
        tooMany = {
            LocalizedText("\($0) sessions go on in this household, and no more are kept. End some of them.")
        }
        self.somebodyElses = {
            Problem(.forbidden, title: LocalizedText("Somebody else’s"), detail: somebodyElses($0))
        }
    }
}
