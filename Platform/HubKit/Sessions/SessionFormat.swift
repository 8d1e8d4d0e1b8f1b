import GRDB
import HTTPTypes
import Localization
import Storage

/// What a companion brings to the sessions that the platform keeps: how its bytes are read, what closes and goes on with
/// a session, and what it stores beside one. All else is the platform's, see ``ActiveSessions``, once the companion declares
/// its format (``Companion/sessionFormat``).
///
/// A session has two forms of bytes. Its *recording* only ever grows, so that it can be sent and stored in pieces; its
/// *content* is what stands in the table of sessions for ever. They may be the same.
public protocol SessionFormat: Sendable {
    /// A session that was read and played through.
    associatedtype Session: Sendable
    /// The companion's row of results beside each session that is stored, which has the columns `household`, `id`, `person`
    /// and `day`.
    associatedtype StoredResult: Storage.TableRecord
    /// What is answered of a session that is stored; what each caller may look at.
    associatedtype Response: Codable & Sendable & SendableMetatype
    /// What there is to do once a session is stored, such as telling pages.
    associatedtype Effect: Sendable
    /// What is said of a session in a file of all that somebody has, beside its bytes.
    associatedtype Exported: Encodable

    /// The slug of the companion.
    static var companion: String { get }
    /// What it calls a session in a log: `drum session`.
    static var noun: String { get }
    /// The most events of a session, for who sends more bytes than any has.
    static var mostEvents: Int { get }
    /// What `/openapi.json` says of the route that takes a session whole.
    static var deliverySummary: String { get }
    var limits: ActiveSessionLimits { get }
    /// The messages that people read.
    var messages: ActiveSessionMessages { get }

    /// Whose session a recording is, by its first chunk.
    ///
    /// - Throws: a 422 problem where the chunk does not say it.
    func origin(ofBeginning recording: [UInt8]) throws(Problem) -> SessionOrigin
    /// The content that a recording comes to.
    ///
    /// - Parameter isComplete: whether nothing more of it comes. Where more could have come, an end that was cut off is left
    ///   out.
    /// - Throws: a 422 problem in words for each way in which bytes are no session.
    func content(ofRecording recording: [UInt8], isComplete: Bool) throws(Problem) -> [UInt8]
    /// The recording of a session, without what the hub itself added where it closed it.
    func recording(ofContent content: [UInt8]) throws(Problem) -> [UInt8]
    /// Reads a session and plays it through. It is called outside of the database's writer, and may take its time.
    ///
    /// - Throws: a 422 problem in words for each way in which bytes are no session.
    func session(_ content: [UInt8]) throws(Problem) -> Session

    /// As it is stored.
    func content(of session: Session) -> [UInt8]
    func origin(of session: Session) -> SessionOrigin
    /// The session, ended by the hub with its reason where nobody had ended it.
    func closed(_ session: Session) -> Session
    /// Whether nobody but the hub ended it: it may be gone on with.
    func isUnended(_ session: Session) -> Bool
    /// The same session under another identifier.
    func identified(_ session: Session, as id: String) throws -> Session
    /// How a session stands to another one with the same id.
    func relation(of session: Session, to known: Session, as place: KnownSessionPlace) -> SessionRelation

    /// The platform's record of a session.
    func record(of session: Session, person: PersonRecord, receivedAt: Int64) -> SessionRecord
    /// The day that a session counts on, for ``ActiveSessionLimits/perDay``, from its local date and minute.
    func day(of moment: (day: Int32, minute: Int32)) -> Int32
    /// The companion's result of a session, which is stored in place of what there was.
    func result(of session: Session, _ context: SessionContext) throws -> StoredResult
    /// Whether somebody removed the session with an id: what comes of it once more, such as from another phone, is
    /// answered like what is known, and not stored.
    func isRemoved(_ id: String, household: String, _ db: Database) throws -> Bool
    /// What is done in the same transaction for a session that is new or more than before, such as giving awards.
    func effect(of context: SessionContext, _ db: Database) throws -> Effect
    /// After the transaction. Pages were notified already that there is a session.
    func follow(_ effect: Effect, hub: Hub) async

    /// A session that is stored, as much of it as `member` may look at.
    func response(_ id: String, to member: Member, of person: PersonRecord, _ hub: Hub, _ db: Database) throws
        -> Response
    /// What a file of all that somebody has says of a session. Keys are added, never changed or taken away.
    func exported(_ stored: StoredSession<Self>) throws -> Exported
    /// A session of which nothing was stored, because all of it is in what another device goes on with, or because it was
    /// removed.
    func responseWhileActive(_ session: Session, of person: PersonRecord, _ household: HouseholdRecord) throws
        -> Response
}

extension SessionFormat {
    public func day(of moment: (day: Int32, minute: Int32)) -> Int32 { moment.day }
    public func follow(_ effect: Effect, hub: Hub) async {}
    public func isRemoved(_ id: String, household: String, _ db: Database) throws -> Bool { false }
}

extension SessionFormat where Effect == Void {
    public func effect(of context: SessionContext, _ db: Database) throws {}
}

/// Where a session is known from that another one is compared with.
public enum KnownSessionPlace: Sendable {
    /// It goes on.
    case active
    /// It is stored under the id that was delivered.
    case stored
    /// It is stored as a branch of that.
    case branch
}

/// How a session stands to another one with the same id, as the companion's engine sees it.
public enum SessionRelation: Sendable, Equatable {
    /// It is another session.
    case unrelated
    /// The other one holds all of it.
    case contained
    /// It takes the place of the other one.
    case extends
    /// Both hold what the other has not, after so much in common.
    case diverged(common: Int)
}

/// Whose session is stored, and when.
public struct SessionContext: Sendable {
    /// Its own, under which it is stored.
    public var id: String
    public var person: PersonRecord
    public var household: HouseholdRecord
    /// The local day and minute of its start.
    public var moment: (day: Int32, minute: Int32)
    /// The hub's time, UTC milliseconds.
    public var now: Int64
    /// Where it went another way than the session whose id it was sent under; nil for most.
    public var branch: SessionBranchRecord?
}

/// The messages that people read of active sessions.
public struct ActiveSessionMessages: Sendable {
    /// A page sends what does not go on from what the hub has.
    public var diverged: Problem
    /// A page sends more of a session that is over.
    public var over: Problem
    /// The hub cannot read what it has.
    public var unreadable: Problem
    /// There is none of the id.
    public var notFound: Problem
    /// So many go on already, and no more are stored.
    public var tooMany: @Sendable (Int) -> LocalizedText
    /// Somebody may not take it up; with the name of whose it is.
    public var somebodyElses: @Sendable (String) -> Problem

    /// - Parameters:
    ///   - notFound: says that nobody records one of the id.
    ///   - somebodyElses: says whose it is, and who may take it up or end it.
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
