import BrushingEngine
import GRDB
import HTTPTypes
import HubKit
import Localization
import Storage

/// The format of brushing sessions, by which the platform keeps them while somebody brushes, and stores them.
struct BrushingSessionDefinition: SessionDefinition {
    static let companion = Brushing.slug
    static let noun = "brushing session"
    static let mostEvents = BrushingSession.Limits.events
    static let deliverySummary =
        "Stores a session, once under the id that is in it: 201, and 200 when it comes again. The body is its events in the engine’s codec. Takes an Idempotency-Key. Who may deliver it and not look at it gets its id, person, day and half of the day alone."
    /// The limits of sessions. A day has few of them, because each that comes has all before it folded anew.
    static let limits = ActiveSessionLimits(
        sessionBytes: BrushingSession.Limits.bytes, perDay: 100, patienceMilliseconds: ClockRules.longestAbsence)
    static let messages = ActiveSessionMessages(
        notFound: LocalizedText("There is no brushing that goes on here. It may have been removed.")
    ) {
        LocalizedText(
            "\($0) is brushing. It can be taken up or ended when an adult uses this page, or on a device that the family shares."
        )
    }

    var limits: ActiveSessionLimits { Self.limits }
    var messages: ActiveSessionMessages { Self.messages }

    func origin(ofBeginning content: [UInt8]) throws(Problem) -> SessionOrigin {
        try read { () throws(SessionCodecError) in
            let (session, startedAt) = try BrushingSession.beginning(of: content)
            return SessionOrigin(
                id: session.id, person: session.person, startedAt: startedAt,
                utcOffsetMinutes: session.utcOffsetMinutes)
        }
    }

    func session(_ content: [UInt8], isComplete: Bool) throws(Problem) -> DeliveredSession {
        try DeliveredSession(content, isComplete: isComplete)
    }
    func content(ofSealed bytes: [UInt8]) -> [UInt8]? {
        SealedContent.opened(bytes, eventsIndex: BrushingSession.eventsIndex)
    }
    func content(of session: DeliveredSession) -> [UInt8] { session.content }
    func origin(of session: DeliveredSession) -> SessionOrigin { session.origin }

    /// A session that nobody ended is as it was left: the engine tells so from its events.
    func closed(_ session: DeliveredSession) -> DeliveredSession { session }
    func isUnended(_ session: DeliveredSession) -> Bool { session.session.end == nil }

    /// The session as it is: two devices never brush one session, and so it has one id.
    func identified(_ session: DeliveredSession, as id: String) throws -> DeliveredSession { session }

    func relation(of session: DeliveredSession, to known: DeliveredSession, as place: KnownSessionPlace)
        -> SessionRelation
    {
        let (session, known) = (session.session, known.session)
        switch place {
        case .active: return session.isContinuation(of: known) ? .extends : .unrelated
        case .stored: return known.end == nil && session.isContinuation(of: known) ? .extends : .unrelated
        case .branch: return .unrelated
        }
    }

    func record(of session: DeliveredSession, person: PersonRecord, receivedAt: Int64) -> SessionRecord {
        let (brushed, result) = (session.session, session.session.result)
        return SessionRecord(
            household: person.household, id: session.origin.id, person: person.id, companion: Brushing.slug,
            startedAt: result.startedAt, endedAt: result.endedAt, engineVersion: Int(brushed.recordedVersion),
            content: session.content, claimDiffers: brushed.claimDiffers, receivedAt: receivedAt)
    }

    func day(of moment: (day: Int32, minute: Int32)) -> Int32 {
        LocalMoment(day: moment.day, minute: moment.minute).brushingDay
    }

    func result(of session: DeliveredSession, _ context: SessionContext) -> ResultRecord {
        let result = session.session.result
        let local = LocalMoment(day: context.moment.day, minute: context.moment.minute)
        return ResultRecord(
            household: context.household.id, id: session.origin.id, person: context.person.id, day: local.brushingDay,
            minute: local.minute, isMorning: local.isMorning, startedAt: result.startedAt,
            brushMilliseconds: result.brushMilliseconds, flossMilliseconds: result.flossMilliseconds,
            rinseMilliseconds: result.rinseMilliseconds, pausedMilliseconds: result.pausedMilliseconds,
            skipped: result.skipped, isComplete: result.isComplete, counts: result.counts,
            reason: ResultRecord.Reason(result.reason))
    }

    /// Gives what somebody's new session has earned, silences the reminders of what was brushed, and tells the programs
    /// that were granted it.
    func stored(_ context: SessionContext, _ hub: HubContext, _ db: Database) throws {
        let person = context.person
        try BrushRecorder.removeRecorded(at: context, db)
        let day = LocalMoment(day: context.moment.day, minute: context.moment.minute).brushingDay
        let history = try SessionHistory(person, context.household, now: context.now, from: { min($0, day) }, db)
        try history.giveAwards(isThisMonth: day >= KeptProgress.month(of: history.today), db)
        // One that comes days later is no reason not to brush today.
        let settled = try BrushingReminder.allCases.filter { try $0.isSilent(on: history.today, person, db) }
        try hub.reminders.settle(
            companion: Brushing.slug, person: person.id, names: Set(settled.map(\.rawValue)), db)
        guard let event = try BrushedEvent(context, db) else { return }
        db.afterCommit { event.publish(through: hub.messages) }
    }

    func response(_ id: String, to member: Member, of person: PersonRecord, _ hub: HubContext, _ db: Database) throws
        -> DeliveryResponse
    {
        let answer = try BrushingSessionResponse.find(id, household: person.household, db)
        let isShown = hub.policy.allowsViewing(member, of: person, now: hub.clock.now())
        return isShown ? .first(answer) : .second(StoredResponse(answer))
    }

    func exported(_ stored: StoredSession<Self>) -> ExportedSession { ExportedSession(stored) }

    /// Answers nothing, since no part of a brushing session is contained in another.
    func responseWhileActive(_ session: DeliveredSession, of person: PersonRecord, _ household: HouseholdRecord) throws
        -> DeliveryResponse
    { throw messages.diverged }

    private func read<Value>(_ work: () throws(SessionCodecError) -> Value) throws(Problem) -> Value {
        do throws(SessionCodecError) {
            return try work()
        } catch {
            throw .field("events", detail: SessionText.refused(error))
        }
    }
}

/// The answer to a delivery: the session, for those who may look at it.
typealias DeliveryResponse = OneOf<BrushingSessionResponse, StoredResponse>

/// A session for somebody who may have it stored, and not look at it.
struct StoredResponse: Codable, Sendable {
    var id, person: String
    /// The brushing day.
    var day: String
    var slot: BrushingSessionResponse.Slot

    init(_ answer: BrushingSessionResponse) {
        id = answer.id
        person = answer.person
        day = answer.day
        slot = answer.slot
    }
}
