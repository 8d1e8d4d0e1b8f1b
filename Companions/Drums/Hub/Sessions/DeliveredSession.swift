import DrumsEngine
import GRDB
import HubKit
import Storage

/// A session that is to be stored, understood: the hub's own engine has replayed its events.
struct DeliveredSession: Sendable {
    /// The most sessions of one person on one local day.
    static let mostADay = 200

    /// What came of storing it.
    enum Outcome: Sendable, Equatable {
        /// Under which id it stands now: its own, or where another device went on with it and played, one made for it.
        case stored(id: String, Sessions.Stored)
        /// It holds no hit that the copy of the device that plays it still does not hold: nothing was stored, and nothing
        /// is missing.
        case isRunning
    }

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

    /// A session that this hub made itself, such as one of a file, or that nobody goes on with: then ended by the hub with
    /// its reason. What was played stays as it was.
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
    /// Where two devices went on with one session and both played, nothing of either is lost, finished or not: the one
    /// that comes second is stored under an id of its own, made of its old id and its content, so that it is stored once
    /// however often it comes. Its figures begin where the two went apart.
    ///
    /// - Parameters:
    ///   - now: when it came, UTC milliseconds.
    ///   - isLimited: false for what the hub closes by itself: nobody could be told of the limit.
    /// - Throws: a 409 problem where its id is that of a session that it does not share its beginning with; a 422 problem
    ///   for more than ``mostADay``.
    func store(
        of person: PersonRecord, _ household: HouseholdRecord, now: Int64, isLimited: Bool = true, _ db: Database
    ) throws -> Outcome {
        let id = session.origin.id
        let place = Place(person: person, household: household, now: now, isLimited: isLimited)
        let running = try RunningRecord.fetchOne(db, key: ["household": household.id, "id": id])
        if let known = running?.session, !session.isContinuation(of: known), !isEndOfWhatStood(at: known) {
            guard let count = fork(from: known) else { throw RunningRecord.elsewhere }
            guard session.isPlayed(after: count) else { return .isRunning }
            return try storeFork(of: .init(id: id, session: known), in: place, db)
        }
        if let record = try Sessions.find(id, household: household.id, db),
            record.companion == Drums.slug, record.person == person.id, Array(record.content) != content,
            let known = try? DrumSession.decoded(Array(record.content)), relation(to: known) == .other,
            let count = fork(from: known), session.isPlayed(after: count)
        {
            return try storeFork(of: .init(id: id, session: known), in: place, db)
        }
        let stored = try store(nil, in: place, db)
        try running?.delete(db)
        return .stored(id: id, stored)
    }

    /// Whose it is and when it came.
    private struct Place {
        var person: PersonRecord
        var household: HouseholdRecord
        var now: Int64
        var isLimited: Bool
    }

    /// Stores it under its own id.
    private func store(_ fork: SessionFork?, in place: Place, _ db: Database) throws -> Sessions.Stored {
        let origin = session.origin
        let moment = origin.moment(of: place.person, place.household)
        if place.isLimited, try Sessions.find(origin.id, household: place.household.id, db) == nil {
            try checkDay(moment.day, of: place.person, db)
        }
        let record = SessionRecord(
            household: place.household.id, id: origin.id, person: place.person.id, companion: Drums.slug,
            startedAt: session.result.startedAt, endedAt: session.result.endedAt,
            engineVersion: Int(session.recordedVersion), content: content, claimDiffers: session.claimDiffers,
            receivedAt: place.now)
        let stored = try Sessions.store(record, db) { stored in
            guard let known = try? DrumSession.decoded(Array(stored.content)) else { return .other }
            return relation(to: known)
        }
        if stored != .again {
            try PlayedRecord(session, origin, of: place.person, place.household, moment, fork: fork).save(db)
        }
        return stored
    }

    /// Stores it beside those that it shares its beginning with, the forks that are stored among them: one of these may
    /// be an earlier delivery of this very one.
    ///
    /// - Parameter known: under the id that was delivered.
    private func storeFork(of known: SessionFork.Known, in place: Place, _ db: Database) throws -> Outcome {
        let forks = try SessionFork.all(of: known.id, household: place.household.id, db)
        for other in forks {
            guard let count = session.commonBeginning(with: other.session) else { continue }
            if count >= session.playedEventCount { return .stored(id: other.id, .again) }
            if count >= other.session.playedEventCount, other.session.isClosedByHub {
                return .stored(id: other.id, try identified(as: other.id).store(other.fork, in: place, db))
            }
        }
        let shared = (forks + [known]).map { ($0.id, session.commonBeginning(with: $0.session) ?? 0) }
        guard let most = shared.max(by: { $0.1 < $1.1 }) else { throw RunningRecord.elsewhere }
        let id = SessionOrigin.name(
            of: SessionOrigin.identifier(
                of: [known.id, SessionOrigin.name(of: content)], count: DrumSession.Limits.id))
        let fork = SessionFork(root: known.id, of: most.0, events: most.1)
        return .stored(id: id, try identified(as: id).store(fork, in: place, db))
    }

    /// - Parameter id: small hexadecimal digits.
    private func identified(as id: String) throws(SessionCodecError) -> DeliveredSession {
        let digits = Array(id)
        let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
            UInt8(String(digits[$0...$0 + 1]), radix: 16)
        }
        let other = try session.identified(as: bytes)
        return Self(content: other.encoded(), session: other)
    }

    private func relation(to known: DrumSession) -> Sessions.Relation {
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
    ///
    /// - Parameter fork: what of it counts elsewhere.
    init(
        _ session: DrumSession, _ origin: SessionOrigin, of person: PersonRecord, _ household: HouseholdRecord,
        _ moment: (day: Int32, minute: Int32), fork: SessionFork? = nil
    ) {
        let result = fork.map { session.result(after: $0.events) } ?? session.result
        let setup = session.setup
        let told = ReactionClock.most(of: result.beats)
        let reaction = told?.reactions
        self.init(
            household: household.id, id: origin.id, person: person.id, day: moment.day, minute: moment.minute,
            startedAt: result.startedAt, endedAt: result.endedAt, milliseconds: result.milliseconds,
            songId: String(decoding: setup.songID, as: UTF8.self),
            songTitle: String(decoding: setup.songTitle, as: UTF8.self), level: Int(setup.level.rawValue),
            mode: setup.mode.name, hands: setup.hands.name, link: setup.link.name, beats: result.beats.count,
            judged: result.judged, answered: result.answered, right: result.right,
            reactionClock: told?.clock, reactionCount: reaction?.count ?? 0,
            reactionLowerTenths: reaction?.lowerQuartileTenths, reactionMedianTenths: reaction?.medianTenths,
            reactionUpperTenths: reaction?.upperQuartileTenths, forceCount: result.force?.count ?? 0,
            forceLowerTenths: result.force?.lowerQuartileTenths, forceMedianTenths: result.force?.medianTenths,
            forceUpperTenths: result.force?.upperQuartileTenths, latencyCount: result.latency?.count ?? 0,
            latencyLowerTenths: result.latency?.lowerQuartileTenths, latencyMedianTenths: result.latency?.medianTenths,
            latencyUpperTenths: result.latency?.upperQuartileTenths, implausible: result.implausible,
            waits: result.waits, lostMilliseconds: result.lostMilliseconds, stray: result.stray,
            end: (session.end ?? .left).name, isClosedByHub: session.isClosedByHub, forkRoot: fork?.root,
            forkOf: fork?.of, forkEvents: fork?.events,
            forkBeats: fork.map { session.beatsJudged(by: $0.events) } ?? 0,
            timing: TimingErrors(setup.mode == .flow ? result.beats : []).bytes)
    }
}
