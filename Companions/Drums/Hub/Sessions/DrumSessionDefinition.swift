import DrumsEngine
import GRDB
import HTTPTypes
import HubKit
import Localization
import Storage

/// The format of drum sessions, by which the platform keeps them while they are played, and stores them.
struct DrumSessionDefinition: SessionDefinition {
    static let companion = Drums.slug
    static let noun = "drum session"
    static let mostEvents = DrumSession.Limits.events
    static let deliverySummary =
        "Stores a session, once under the id that is in it: 201, and 200 when it comes again. Where another device went on with it too and both were played, it is stored under an id of its own, which the answer tells, and its figures begin at the `fork`; where that device plays it still and has every hit of it, 200 with `isRunning`. The body is its events in the engine’s codec. Takes an Idempotency-Key. Who may deliver it and not look at it gets its id, day and song alone."
    static let limits = ActiveSessionLimits(
        sessionBytes: DrumSession.Limits.bytes, perDay: 200, patienceMilliseconds: SessionRules.longestAbsence)
    static let messages = {
        var messages = ActiveSessionMessages(
            notFound: LocalizedText("There is no song that is being played here. It may have been removed.")
        ) {
            LocalizedText(
                "\($0) plays this. It can be taken up or ended when an adult uses this page, or on a device that the family shares."
            )
        }
        messages.diverged.title = LocalizedText("Played elsewhere")
        messages.diverged.detail =
            LocalizedText(
                "Another device went on with this session, and it stays as that one plays it. End it there, or go on with it here."
            )
        messages.over.detail =
            LocalizedText(
                "This session is over: another device ended it, or the hub did when nobody came back to it. What you still play counts when it is delivered at its end."
            )
        messages.unreadable.detail =
            LocalizedText(
                "This version of the hub cannot read what the page sent of this song. It is kept as it is; update the hub."
            )
        messages.tooMany = {
            LocalizedText("\($0) songs are being played in this household, and no more are kept. End some of them.")
        }
        return messages
    }()

    var limits: ActiveSessionLimits { Self.limits }
    var messages: ActiveSessionMessages { Self.messages }

    func origin(ofBeginning content: [UInt8]) throws(Problem) -> SessionOrigin {
        try read { () throws(SessionCodecError) in
            let beginning = try SessionBeginning(content)
            return SessionOrigin(
                id: beginning.setup.id, person: beginning.setup.person, startedAt: beginning.startedAt,
                utcOffsetMinutes: beginning.setup.utcOffsetMinutes)
        }
    }

    func session(_ content: [UInt8], isComplete: Bool) throws(Problem) -> DeliveredSession {
        try DeliveredSession(content, isComplete: isComplete)
    }
    func content(ofSealed bytes: [UInt8]) -> [UInt8]? {
        SealedContent.opened(bytes, eventsIndex: DrumSession.eventsIndex)
    }
    func content(of session: DeliveredSession) -> [UInt8] { session.content }
    func origin(of session: DeliveredSession) -> SessionOrigin { session.session.origin }
    func isUnended(_ session: DeliveredSession) -> Bool { session.session.isClosedByHub }
    func recorded(of session: DeliveredSession) -> [UInt8] { session.session.encodedWithoutClosing() }

    func closed(_ session: DeliveredSession) -> DeliveredSession {
        session.session.end == nil ? DeliveredSession(closing: session.session) : session
    }

    /// The session under another id.
    ///
    /// - Parameter id: small hexadecimal digits.
    func identified(_ session: DeliveredSession, as id: String) throws -> DeliveredSession {
        let digits = Array(id)
        let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
            UInt8(String(digits[$0...$0 + 1]), radix: 16)
        }
        let other = try session.session.identified(as: bytes)
        return DeliveredSession(content: other.encoded(), session: other)
    }

    func relation(of session: DeliveredSession, to known: DeliveredSession, as place: KnownSessionPlace)
        -> SessionRelation
    {
        let (session, known) = (session.session, known.session)
        return switch place {
        case .active: session.relation(toActive: known)
        case .stored: session.relation(toStored: known)
        case .branch: session.relation(toBranch: known)
        }
    }

    func record(of session: DeliveredSession, person: PersonRecord, receivedAt: Int64) -> SessionRecord {
        let (played, result) = (session.session, session.session.result)
        return SessionRecord(
            household: person.household, id: played.origin.id, person: person.id, companion: Drums.slug,
            startedAt: result.startedAt, endedAt: result.endedAt, engineVersion: Int(played.recordedVersion),
            content: session.content, claimDiffers: played.claimDiffers, receivedAt: receivedAt)
    }

    func result(of session: DeliveredSession, _ context: SessionContext) -> ResultRecord {
        ResultRecord(
            session.session, session.session.origin, of: context.person, context.household, context.moment,
            branch: context.branch)
    }

    func exported(_ stored: StoredSession<Self>) -> OneOf<SessionScore, DrumSessionResponse> {
        let response = DrumSessionResponse(stored)
        return stored.session.map { .first(SessionScore(response, $0.session)) } ?? .second(response)
    }

    /// Settles the reminder of practice for a person who has practised and need not be asked to, and tells programs of the song.
    func stored(_ context: SessionContext, _ hub: HubContext, _ db: Database) throws {
        try hub.reminders.settle(
            companion: Drums.slug, person: context.person.id, names: [PracticeReminder.name], db)
        guard let event = try PlayedEvent(context, db) else { return }
        db.afterCommit { event.publish(through: hub.messages) }
    }

    func response(_ id: String, to member: Member, of person: PersonRecord, _ hub: HubContext, _ db: Database) throws
        -> DeliveryResponse
    {
        try Drums.response(id, to: member, of: person, hub, db)
    }

    func responseWhileActive(_ session: DeliveredSession, of person: PersonRecord, _ household: HouseholdRecord) throws
        -> DeliveryResponse
    {
        .second(StoredResponse(active: session.session, of: person, household))
    }

    private func read<Value>(_ work: () throws(SessionCodecError) -> Value) throws(Problem) -> Value {
        do throws(SessionCodecError) {
            return try work()
        } catch {
            throw .field("events", detail: SessionText.refused(error))
        }
    }
}

extension DrumSession {
    /// The relation to a session that another device, or this one, plays still.
    fileprivate func relation(toActive known: DrumSession) -> SessionRelation {
        if isContinuation(of: known) { return .extends }
        guard let count = fork(from: known) else { return .unrelated }
        // Another page took it up and nobody played there, while this is how it ended where it came from.
        if !isClosedByHub, !known.isPlayed(after: count) { return .extends }
        return isPlayed(after: count) ? .diverged(common: count) : .contained
    }

    fileprivate func relation(toStored known: DrumSession) -> SessionRelation {
        if known.isContinuation(of: self) { return .contained }
        if known.isClosedByHub, isContinuation(of: known) { return .extends }
        guard let count = fork(from: known) else { return .unrelated }
        let isPlayed = isPlayed(after: count)
        if known.isClosedByHub, !known.isPlayed(after: count), isPlayed || !isClosedByHub { return .extends }
        return isPlayed ? .diverged(common: count) : .contained
    }

    fileprivate func relation(toBranch other: DrumSession) -> SessionRelation {
        guard let count = commonBeginning(with: other) else { return .unrelated }
        if count >= playedEventCount { return .contained }
        return count >= other.playedEventCount && other.isClosedByHub ? .extends : .diverged(common: count)
    }

    /// The number of events that it has in common with a record of the same session by another page; nil where only one
    /// page played it, for that one contradicts itself.
    private func fork(from known: DrumSession) -> Int? {
        commonBeginning(with: known).flatMap { count in
            isTakenUp(after: count) || known.isTakenUp(after: count) ? count : nil
        }
    }
}
