import DrumsEngine
import Foundation
import GRDB
import HubKit
import Localization
import Storage

/// The sessions of a file as they are to be stored: all that takes time is done.
struct PreparedImport: Sendable {
    enum Step: Sendable {
        /// A session that is here already.
        case again
        /// The same session as an earlier one of this file, which counts from 0.
        case same(as: Int)
        /// A session that cannot be taken, with the entry in which the fault lies, and with words about it.
        case refused(OriginalSession.Key?, LocalizedText)
        /// A session that is new here, as the file has it, to the second, and as the engine played it.
        case new(OriginalSession, DeliveredSession)
    }

    /// The sessions that were here when the import was prepared.
    var known: KnownOriginals
    /// The steps of the import, one for each session of the file, in its order.
    var steps: [Step] = []

    /// The number of sessions that are stored in one transaction: others write between two of them.
    static let batch = 25

    /// Stores what is good of it, each session once, some in each transaction. What is interrupted goes on when the
    /// same file comes again.
    ///
    /// - Parameters:
    ///   - now: the hub's time, UTC milliseconds.
    ///   - owner: whose they are, asked in each transaction.
    func stored(
        in database: HubDatabase, now: Int64,
        of owner: @escaping @Sendable (Database) throws -> (person: PersonRecord, household: HouseholdRecord)
    ) async throws -> SessionImport.Report {
        var progress = Progress(report: SessionImport.Report(sessions: steps.count), known: known)
        while progress.place < steps.count {
            let before = progress
            progress = try await database.pool.write { db in
                var progress = before
                let (person, household) = try owner(db)
                var stored = 0
                while progress.place < steps.count, stored < Self.batch {
                    if try take(&progress, person, household, now: now, db) { stored += 1 }
                    progress.place += 1
                }
                return progress
            }
        }
        return progress.report
    }

    /// The state of storing.
    private struct Progress: Sendable {
        var place = 0
        var report: SessionImport.Report
        var known: KnownOriginals
        /// The sessions that were refused, by their places.
        var refused: [Int: Rejection] = [:]
    }

    private struct Rejection: Sendable {
        var key: OriginalSession.Key?
        var message: LocalizedText
    }

    /// Stores the session at the present place, unless it is here already or cannot be taken.
    ///
    /// - Returns: whether it took time.
    private func take(
        _ progress: inout Progress, _ person: PersonRecord, _ household: HouseholdRecord, now: Int64, _ db: Database
    ) throws -> Bool {
        func refuse(_ rejection: Rejection) {
            progress.refused[progress.place] = rejection
            progress.report.refuse(progress.place + 1, rejection.key, rejection.message)
        }
        switch steps[progress.place] {
        case .again: progress.report.again += 1
        case .same(let first):
            // What was refused of the first is so of the second.
            if let rejection = progress.refused[first] { refuse(rejection) } else { progress.report.again += 1 }
        case .refused(let key, let words): refuse(Rejection(key: key, message: words))
        case .new(let original, let delivered):
            // It may have come since.
            try progress.known.look(inSecond: original.date, db)
            guard !progress.known.holds(original, id: delivered.session.origin.id) else {
                progress.report.again += 1
                return false
            }
            do {
                try delivered.store(of: person, household, now: now, db)
                progress.report.stored += 1
            } catch let problem as Problem {
                refuse(Rejection(message: problem.detail))
            }
            return true
        }
        return false
    }
}

/// The sessions of a file that are here: imported before, or played here and exported since.
///
/// The XML form tells the second that a session began, so that what began in the seconds of the file is compared. Each
/// of those is replayed once, however many of the file it is compared with.
struct KnownOriginals: Sendable {
    private let person: String
    private let seconds: Set<Int64>
    private var ids: Set<String> = []
    private var originals: Set<OriginalSession> = []

    /// Begins with no known session.
    ///
    /// - Parameter seconds: those in which sessions of the file began, UTC milliseconds.
    init(of person: String, seconds: Set<Int64>) {
        (self.person, self.seconds) = (person, seconds)
    }

    /// A session that began in one of the seconds of the file, as it is stored.
    struct Stored: Sendable {
        var id: String
        var content, digest: Data
    }

    /// The sessions that are here now and were not looked at, to be added once the database is free again.
    func stored(_ db: Database) throws -> [Stored] {
        try stored(
            "p.started_at BETWEEN ? AND ?", [seconds.min() ?? 0, (seconds.max() ?? -1_000) + 999], db)
    }

    /// Takes in what came since, of one second of those in the file; hardly ever is there anything to replay.
    mutating func look(inSecond second: Int64, _ db: Database) throws {
        // No clock is a day away from another, and days are what there is an index of.
        let day = Int32(clamping: Int64((Double(second) / 86_400_000).rounded(.down)))
        add(
            try stored(
                "p.day BETWEEN ? AND ? AND p.started_at BETWEEN ? AND ?", [day - 1, day + 1, second, second + 999], db))
    }

    private func stored(_ condition: String, _ arguments: StatementArguments, _ db: Database) throws -> [Stored] {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT p.id, p.started_at, s.content, s.digest FROM drums_session p
                JOIN session s ON s.household = p.household AND s.id = p.id
                WHERE p.person = ? AND \(condition)
                """, arguments: [person] + arguments)
        var stored: [Stored] = []
        while let row = try rows.next() {
            let id: String = row["id"]
            guard seconds.contains(OriginalSession.second(of: row["started_at"])), !ids.contains(id) else { continue }
            stored.append(Stored(id: id, content: row["content"], digest: row["digest"]))
        }
        return stored
    }

    /// Replays sessions and takes them in.
    mutating func add(_ stored: [Stored]) {
        for one in stored {
            guard ids.insert(one.id).inserted, let content = Sessions.intact(one.content, one.digest),
                let session = try? DrumSession.decoded(content)
            else { continue }
            originals.insert(OriginalSession(session).toTheSecond)
        }
    }

    /// Whether a session of the file is here.
    ///
    /// - Parameter original: of the file, as it is there.
    func holds(_ original: OriginalSession, of person: String) -> Bool {
        holds(original.toTheSecond, id: SessionOrigin.name(of: original.identifier(of: person)))
    }

    /// Whether a session is here.
    ///
    /// - Parameters:
    ///   - original: to the second.
    ///   - id: that it gets when it is imported.
    func holds(_ original: OriginalSession, id: String) -> Bool {
        ids.contains(id) || originals.contains(original)
    }
}
