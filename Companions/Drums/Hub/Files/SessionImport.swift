import DrumsEngine
import Foundation
import GRDB
import HubKit
import Storage

/// The sessions of one of the original's files, made somebody's.
struct SessionImport: Sendable {
    /// The largest file that is taken from a page, in bytes: a thousand sessions and more.
    static let longestFromPage = 8 << 20

    /// What became of a file.
    struct Report: Encodable, Sendable, Equatable {
        /// A session that was not taken.
        struct Refused: Encodable, Sendable, Equatable {
            /// From 1.
            var session: Int
            /// In which of its entries the fault lies; nil for the whole.
            var key: String?
            /// What is wrong, and how it should be, with its number and key.
            var detail: String
        }

        /// In the file.
        var sessions: Int
        /// Those that are new here, and those that were here before.
        var stored = 0
        var again = 0
        var refused: [Refused] = []

        mutating func refuse(_ number: Int, _ key: OriginalSession.Key?, _ words: String) {
            let place = key.map { "Session \(number), \($0.rawValue)" } ?? "Session \(number)"
            refused.append(Refused(session: number, key: key?.rawValue, detail: "\(place): \(words)"))
        }
    }

    private let sessions: [Result<OriginalSession, OriginalSession.Fault>]

    /// - Throws: `SessionDataFile.Fault` for a file that is none of the original's.
    init(_ file: [UInt8]) throws(SessionDataFile.Fault) { sessions = try SessionDataFile.read(file) }

    /// Stores what is good of it, each session once, in the caller's transaction.
    ///
    /// - Parameter now: the hub's time, UTC milliseconds.
    func store(of person: PersonRecord, _ household: HouseholdRecord, now: Int64, _ db: Database) throws -> Report {
        var report = Report(sessions: sessions.count)
        let calendar = LocalCalendar(timeZone: person.zone(household))
        for (index, session) in sessions.enumerated() {
            do {
                let original = try session.get()
                if try Self.isKnown(original, of: person, db) {
                    report.again += 1
                    continue
                }
                let (day, minute) = calendar.moment(of: original.date)
                let offset =
                    (Int64(day) * 1_440 + Int64(minute)) - Int64((Double(original.date) / 60_000).rounded(.down))
                let made = try original.session(of: person, utcOffsetMinutes: Int16(clamping: offset))
                try Self.checkHits(original, made)
                try Self.checkTime(original, made, now: now)
                _ = try DeliveredSession(made.encoded()).store(of: person, household, now: now, db)
                report.stored += 1
            } catch let fault as OriginalSession.Fault {
                report.refuse(index + 1, fault.key, fault.words)
            } catch let error as SessionCodecError {
                report.refuse(index + 1, nil, SessionWords.refused(error))
            } catch let problem as Problem {
                report.refuse(index + 1, nil, problem.detail)
            }
        }
        return report
    }

    /// A session is whole or refused: what the engine would leave out is not lost without a word.
    private static func checkHits(_ original: OriginalSession, _ made: DrumSession) throws {
        let hits = original.hitSequence.count { !$0.isEmpty }
        let taken = made.events.count { event in
            if case .imported = event.input { true } else { false }
        }
        guard taken < hits else { return }
        throw OriginalSession.Fault(
            key: .hitSequence,
            words:
                "of its \(hits) hits only \(taken) can be played again. Between two of them lie more than \(SessionRules.longestAbsence / 60_000) minutes, or they are too many for one session."
        )
    }

    private static func checkTime(_ original: OriginalSession, _ made: DrumSession, now: Int64) throws {
        do throws(Problem) {
            try made.origin.checkTime(now: now)
        } catch {
            throw OriginalSession.Fault(key: .date, words: error.detail)
        }
    }

    /// Whether a session is here: imported before, or played here and exported since. The XML form tells the second that
    /// a session began, so that what began in it is compared.
    private static func isKnown(_ original: OriginalSession, of person: PersonRecord, _ db: Database) throws -> Bool {
        let id = SessionOrigin.name(of: original.identifier(of: person.id))
        if try Sessions.find(id, household: person.household, db)?.person == person.id { return true }
        let second = original.toTheSecond.date
        return try Data.fetchAll(
            db,
            sql: """
                SELECT s.content FROM drums_session p JOIN session s ON s.household = p.household AND s.id = p.id
                WHERE p.person = ? AND p.started_at >= ? AND p.started_at < ?
                """, arguments: [person.id, second, second + 1_000]
        ).contains { content in
            guard let session = try? DrumSession.decoded(Array(content)) else { return false }
            return OriginalSession(session).toTheSecond == original.toTheSecond
        }
    }
}
