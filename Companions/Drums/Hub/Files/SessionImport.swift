import DrumsEngine
import Foundation
import GRDB
import HubKit
import Localization
import Storage

/// The sessions of one of the original's files, made somebody's.
struct SessionImport: Sendable {
    /// The largest file that is taken from a page, in bytes: a thousand sessions and more.
    static let longestFromPage = 8 << 20
    /// The most sessions of such a file, some years of practice: a page waits for its answer.
    static let mostFromPage = 2_000

    /// The outcome of importing a file.
    struct Report: Sendable, Equatable {
        /// A session that was not taken.
        struct Refused: Sendable, Equatable {
            /// The number of the session, from 1.
            var session: Int
            /// The entry of the session in which the fault lies; nil for the whole.
            var key: String?
            /// The fault, and how it should be, with the session's number and key.
            var detail: LocalizedText
        }

        /// The number of sessions in the file.
        var sessions: Int
        /// The number of sessions that are new here, and that of sessions that were here before.
        var stored = 0
        var again = 0
        var refused: [Refused] = []

        mutating func refuse(_ number: Int, _ key: OriginalSession.Key?, _ words: LocalizedText) {
            let detail =
                if let key {
                    LocalizedText("Session \(number), \(key.rawValue): \(words)")
                } else {
                    LocalizedText("Session \(number): \(words)")
                }
            refused.append(Refused(session: number, key: key?.rawValue, detail: detail))
        }
    }

    private let sessions: [Result<OriginalSession, OriginalSession.Failure>]

    /// Reads a file of the original's.
    ///
    /// - Throws: `SessionDataFile.Failure` for a file that is none of the original's.
    init(_ file: [UInt8]) throws(SessionDataFile.Failure) { sessions = try SessionDataFile.read(file) }

    /// The number of sessions in the file, with those that cannot be taken.
    var count: Int { sessions.count }

    /// Plays what is good of it again, which can take seconds: before the transaction, which everybody else waits for.
    ///
    /// - Parameter now: the hub's time, UTC milliseconds.
    func prepared(for person: PersonRecord, _ household: HouseholdRecord, now: Int64, _ database: HubDatabase)
        async throws -> PreparedImport
    {
        var seconds: Set<Int64> = []
        for case .success(let session) in sessions { seconds.insert(session.toTheSecond.date) }
        var known = KnownOriginals(of: person.id, seconds: seconds)
        known.add(try await database.pool.read { [known] db in try known.stored(db) })
        var made = PreparedImport(known: known)
        let calendar = LocalCalendar(timeZone: person.zone(household))
        var places: [OriginalSession: Int] = [:]
        for (index, session) in sessions.enumerated() {
            let step: PreparedImport.Step
            do {
                let original = try session.get()
                let second = original.toTheSecond
                if known.holds(original, of: person.id) {
                    step = .again
                } else if let first = places[second] {
                    step = .same(as: first)
                } else {
                    places[second] = index
                    let made = try Self.played(original, of: person, calendar, now: now)
                    step = .new(second, DeliveredSession(closing: made))
                }
            } catch let failure as OriginalSession.Failure {
                step = .refused(failure.key, failure.message)
            } catch let error as SessionCodecError {
                step = .refused(nil, SessionText.refused(error))
            }
            made.steps.append(step)
            // A file of thousands leaves the hub's few threads to others in between.
            await Task.yield()
        }
        return made
    }

    private static func played(
        _ original: OriginalSession, of person: PersonRecord, _ calendar: LocalCalendar, now: Int64
    ) throws -> DrumSession {
        let (day, minute) = calendar.moment(of: original.date)
        let offset = (Int64(day) * 1_440 + Int64(minute)) - Int64((Double(original.date) / 60_000).rounded(.down))
        let made = try original.session(of: person, utcOffsetMinutes: Int16(clamping: offset))
        try checkHits(original, made)
        try checkTime(original, made, now: now)
        return made
    }

    /// A session is whole or refused: what the engine would leave out is not lost without a word.
    private static func checkHits(_ original: OriginalSession, _ made: DrumSession) throws {
        let hits = original.hitSequence.count { !$0.isEmpty }
        let taken = made.events.count { event in
            if case .imported = event.input { true } else { false }
        }
        guard taken < hits else { return }
        throw OriginalSession.Failure(
            key: .hitSequence,
            message:
                LocalizedText(
                    "of its \(hits) hits only \(taken) can be played again. Between two of them lie more than \(SessionRules.longestAbsence / 60_000) minutes, or they are too many for one session."
                )
        )
    }

    private static func checkTime(_ original: OriginalSession, _ made: DrumSession, now: Int64) throws {
        do throws(Problem) {
            try made.origin.checkTime(now: now)
        } catch {
            throw OriginalSession.Failure(key: .date, message: error.detail)
        }
    }
}
