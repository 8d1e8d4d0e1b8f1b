import DrumsEngine
import GRDB
import HubKit
import Storage

/// A session that is to be stored, understood: the hub's own engine has replayed its events.
struct DeliveredSession: Sendable {
    /// The most sessions of one person on one local day.
    static let mostADay = 200

    /// As they are stored: as delivered, and where the session was not over, with the hub's own end.
    let content: [UInt8]
    let session: DrumSession

    /// - Parameter content: in the engine's codec.
    /// - Throws: a 422 problem with words for each way in which bytes are no session.
    init(_ content: [UInt8]) throws(Problem) {
        let session = try Self.decoded(content)
        self = session.end == nil ? Self(closing: session) : Self(content: content, session: session)
    }

    private init(content: [UInt8], session: DrumSession) {
        self.content = content
        self.session = session
    }

    /// A session that nobody goes on with, ended by the hub with its reason. What was played stays as it was.
    init(closing session: DrumSession) {
        var session = session
        if session.end == nil, let last = session.events.indices.last {
            _ = session.handle(
                .closed(wall: session.wallMilliseconds(ofEvent: last)),
                atMicroseconds: session.events[last].atMicroseconds)
        }
        self.init(content: session.encoded(), session: session)
    }

    /// - Throws: a 422 problem with words for each way in which bytes are no session.
    static func decoded(_ content: [UInt8]) throws(Problem) -> DrumSession {
        do throws(SessionCodecError) {
            return try DrumSession.decoded(content)
        } catch {
            throw .field("events", SessionWords.refused(error))
        }
    }

    /// Stores it with the hub's own result, once, in the caller's transaction. What the hub knew of it as running is
    /// over with it.
    ///
    /// - Parameters:
    ///   - now: when it came, UTC milliseconds.
    ///   - isLimited: false for what the hub closes by itself: nobody could be told of the limit.
    /// - Throws: a 409 problem where other content has its id, or another device goes on with it; a 422 problem for more
    ///   than ``mostADay``.
    func store(
        of person: PersonRecord, _ household: HouseholdRecord, now: Int64, isLimited: Bool = true, _ db: Database
    ) throws -> Sessions.Stored {
        let origin = session.origin
        let moment = origin.moment(of: person, household)
        let key = ["household": household.id, "id": origin.id]
        if let running = try RunningRecord.fetchOne(db, key: key), let known = running.session {
            guard session.isContinuation(of: known) || isEndOfWhatStood(at: known) else {
                throw RunningRecord.elsewhere
            }
        }
        if isLimited, try Sessions.find(origin.id, household: household.id, db) == nil {
            try checkDay(moment.day, of: person, db)
        }
        let record = SessionRecord(
            household: household.id, id: origin.id, person: person.id, companion: Drums.slug,
            startedAt: session.result.startedAt, endedAt: session.result.endedAt,
            engineVersion: Int(session.recordedVersion), content: content, claimDiffers: session.claimDiffers,
            receivedAt: now)
        let stored = try Sessions.store(record, db) { stored in relation(to: stored) }
        if stored != .again {
            try PlayedRecord(session, origin, of: person, household, moment).save(db)
        }
        try RunningRecord.deleteOne(db, key: key)
        return stored
    }

    private func relation(to stored: SessionRecord) -> Sessions.Relation {
        guard let known = try? DrumSession.decoded(Array(stored.content)) else { return .other }
        if known.isContinuation(of: session) { return .known }
        if known.isClosedByHub, session.isContinuation(of: known) { return .goesOn }
        guard let count = fork(from: known) else { return .other }
        let isPlayed = session.isPlayed(after: count)
        if known.isClosedByHub, !known.isPlayed(after: count), isPlayed || !session.isClosedByHub { return .goesOn }
        return isPlayed ? .other : .known
    }

    /// Whether another page took the session up and nobody played there, while this is how it ended where it came from.
    private func isEndOfWhatStood(at known: DrumSession) -> Bool {
        guard !session.isClosedByHub, let count = fork(from: known) else { return false }
        return !known.isPlayed(after: count)
    }

    /// How many events it has in common with a record of the same session by another page; nil where only one page
    /// played it, for that one contradicts itself.
    private func fork(from known: DrumSession) -> Int? {
        session.commonBeginning(with: known).flatMap { count in
            session.isTakenUp(after: count) || known.isTakenUp(after: count) ? count : nil
        }
    }

    /// Stores it as ``store(of:_:now:isLimited:_:)`` does. Where two devices went on with one session and both played,
    /// nothing of either is lost: the one that comes second is stored under an id of its own, made of its old id and its
    /// content, so that it is stored once however often it comes.
    ///
    /// - Returns: also the id under which it is stored.
    func storeOrFork(of person: PersonRecord, _ household: HouseholdRecord, now: Int64, _ db: Database) throws
        -> (id: String, stored: Sessions.Stored)
    {
        let id = session.origin.id
        do {
            return (id, try store(of: person, household, now: now, db))
        } catch let problem as Problem where problem.status == .conflict {
            guard !session.isClosedByHub, let known = try Self.known(id, household.id, db),
                let count = fork(from: known), session.isPlayed(after: count)
            else { throw problem }
            let own = SessionOrigin.identifier(
                of: [id, SessionOrigin.name(of: content)], count: DrumSession.Limits.id)
            let forked = try session.identified(as: own)
            let delivered = Self(content: forked.encoded(), session: forked)
            return (forked.origin.id, try delivered.store(of: person, household, now: now, db))
        }
    }

    private static func known(_ id: String, _ household: String, _ db: Database) throws -> DrumSession? {
        if let running = try RunningRecord.fetchOne(db, key: ["household": household, "id": id]) {
            return running.session
        }
        return try Sessions.find(id, household: household, db).flatMap { record in
            try? DrumSession.decoded(Array(record.content))
        }
    }

    private func checkDay(_ day: Int32, of person: PersonRecord, _ db: Database) throws {
        let others = try PlayedRecord.filter(sql: "person = ? AND day = ?", arguments: [person.id, day]).fetchCount(db)
        guard others < Self.mostADay else {
            throw Problem.field(
                "events",
                "\(person.name) has \(others) sessions on that day, and no day takes more. Look at what sends them.")
        }
    }
}

extension DrumSession {
    /// Who it is, of whom, and since when.
    var origin: SessionOrigin {
        SessionOrigin(
            id: setup.id, person: setup.person, startedAt: result.startedAt, utcOffsetMinutes: setup.utcOffsetMinutes)
    }

    /// Whether its end is the hub's, because the page that played it did not come back.
    var isClosedByHub: Bool {
        if case .closed = events.last?.input { true } else { false }
    }
}

extension PlayedRecord {
    /// What today's engine makes of a session.
    init(
        _ session: DrumSession, _ origin: SessionOrigin, of person: PersonRecord, _ household: HouseholdRecord,
        _ moment: (day: Int32, minute: Int32)
    ) {
        let result = session.result
        let setup = session.setup
        self.init(
            household: household.id, id: origin.id, person: person.id, day: moment.day, minute: moment.minute,
            startedAt: result.startedAt, endedAt: result.endedAt, milliseconds: result.milliseconds,
            songId: String(decoding: setup.songID, as: UTF8.self),
            songTitle: String(decoding: setup.songTitle, as: UTF8.self), level: Int(setup.level.rawValue),
            mode: setup.mode.name, hands: setup.hands.name, link: setup.link.name, beats: result.beats.count,
            judged: result.judged, answered: result.answered, right: result.right,
            reactionCount: result.reaction?.count ?? 0, reactionLowerTenths: result.reaction?.lowerQuartileTenths,
            reactionMedianTenths: result.reaction?.medianTenths,
            reactionUpperTenths: result.reaction?.upperQuartileTenths, forceCount: result.force?.count ?? 0,
            forceLowerTenths: result.force?.lowerQuartileTenths, forceMedianTenths: result.force?.medianTenths,
            forceUpperTenths: result.force?.upperQuartileTenths, latencyCount: result.latency?.count ?? 0,
            latencyLowerTenths: result.latency?.lowerQuartileTenths, latencyMedianTenths: result.latency?.medianTenths,
            latencyUpperTenths: result.latency?.upperQuartileTenths, implausible: result.implausible,
            waits: result.waits, lostMilliseconds: result.lostMilliseconds, stray: result.stray,
            end: (session.end ?? .left).name, isClosedByHub: session.isClosedByHub)
    }
}
