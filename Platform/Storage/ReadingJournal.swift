import Foundation
import GRDB
import Synchronization

/// Where readings of many series wait for their rows: a commit of a thousand series touches a page of each, one of the
/// journal a few pages in all. They are moved in runs, ordered by series, so that a page that is touched takes many.
///
/// All that it knows is in the database; what it holds in memory spares reading it again. So whoever else moves what waits,
/// such as another process, or a transaction that is rolled back, does no harm. Used inside of the writer's transactions.
public final class ReadingJournal: Sendable {
    /// How many readings make a run, if nobody hurries: so many that a thousand series bring more than thirty each.
    public static let runLength = 32_768

    /// What the tables say, as of the last look. The same mark means the same contents, although the journal's ids begin anew
    /// once it is empty: one journal alone appends, that of the one recorder of the folder's one hub, and looks before it does,
    /// so that it sees a journal that another process has emptied before an id of it comes again. Others only move, and from
    /// the same rows each makes the same run.
    private struct Mark: Equatable {
        /// The newest row of the journal; nil where there is none.
        var newest: Int64?
        /// The run that is being moved: its newest row, and how far it is.
        var last: Int64?
        var moved = 0
    }

    private struct State {
        var mark = Mark()
        /// The readings of the run, in its order.
        var run: [Reading] = []
        /// Those behind it, as they came.
        var waiting: [Reading] = []
        var count: Int { run.count - mark.moved + waiting.count }
    }

    private let state = Mutex(State())
    private let runLength: Int

    /// What a former run of the hub left is found with the first transaction.
    ///
    /// - Parameter runLength: how many readings make a run.
    public init(runLength: Int = ReadingJournal.runLength) { self.runLength = runLength }

    /// How many readings wait, as of the last transaction.
    public var count: Int { state.withLock { $0.count } }

    /// How many readings wait.
    public func count(_ db: Database) throws -> Int {
        try state.withLock { state in
            try Self.refresh(&state, db)
            return state.count
        }
    }

    /// The readings that wait, in the order in which they are moved.
    func waiting(_ db: Database) throws -> [Reading] {
        try state.withLock { state in
            try Self.refresh(&state, db)
            return Array(state.run.dropFirst(state.mark.moved)) + state.waiting
        }
    }

    /// Stores readings, which are behind all that wait.
    public func append(_ readings: [Reading], _ db: Database) throws {
        guard !readings.isEmpty else { return }
        try state.withLock { state in
            try Self.refresh(&state, db)
            try db.cachedStatement(sql: "INSERT INTO reading_journal(readings) VALUES (?)")
                .execute(arguments: [JournaledReadings.data(of: readings)])
            state.mark.newest = db.lastInsertedRowID
            state.waiting += readings
        }
    }

    /// Moves readings into their rows, by the caller's writer, whose `finish()` is called behind it.
    ///
    /// - Parameters:
    ///   - most: how many, at least one.
    ///   - isUrgent: whether a short run is moved too; else one begins when ``runLength`` readings wait.
    public func move(atMost most: Int, isUrgent: Bool, into writer: inout ReadingWriter, _ db: Database) throws {
        try state.withLock { state in
            try Self.refresh(&state, db)
            if state.run.isEmpty {
                guard let newest = state.mark.newest, isUrgent || state.waiting.count >= runLength else { return }
                state.run = JournaledReadings.ordered(state.waiting)
                state.waiting = []
                state.mark.last = newest
                state.mark.moved = 0
                try db.execute(sql: "INSERT INTO reading_journal_run VALUES (?, 0)", arguments: [newest])
            }
            let end = min(state.run.count, state.mark.moved + most)
            try writer.insert(Array(state.run[state.mark.moved..<end]))
            state.mark.moved = end
            guard end == state.run.count else {
                return try db.cachedStatement(sql: "UPDATE reading_journal_run SET moved = ?").execute(arguments: [end])
            }
            try db.cachedStatement(sql: "DELETE FROM reading_journal WHERE id <= ?").execute(
                arguments: [state.mark.last])
            try db.execute(sql: "DELETE FROM reading_journal_run")
            if state.mark.newest == state.mark.last { state.mark.newest = nil }
            state.mark.last = nil
            state.mark.moved = 0
            state.run = []
        }
    }

    /// Looks whether memory and tables still agree, and reads the tables where they do not.
    private static func refresh(_ state: inout State, _ db: Database) throws {
        let mark = try Self.mark(db)
        guard state.mark != mark else { return }
        state = State(mark: mark)
        let rows = try Row.fetchCursor(db, sql: "SELECT id, readings FROM reading_journal ORDER BY id")
        var run: [Reading] = []
        while let row = try rows.next() {
            let readings = try JournaledReadings.readings(of: row["readings"])
            if let last = mark.last, row["id"] <= last { run += readings } else { state.waiting += readings }
        }
        state.run = JournaledReadings.ordered(run)
    }

    private static func mark(_ db: Database) throws -> Mark {
        var mark = Mark()
        let newest = try db.cachedStatement(sql: "SELECT max(id) FROM reading_journal")
        mark.newest = try Int64.fetchOne(newest)
        let run = try db.cachedStatement(sql: "SELECT last, moved FROM reading_journal_run")
        if let row = try Row.fetchOne(run) {
            mark.last = row[0]
            mark.moved = row[1]
        }
        return mark
    }
}

extension HubDatabase {
    /// Readings that are moved in one transaction where nobody waits for them.
    public static let journalSlice = 4_096

    /// Brings all readings that wait in the journal into their rows, in transactions of some milliseconds. What comes
    /// meanwhile may wait still.
    public func emptyReadingJournal() throws {
        guard try pool.read({ db in try Self.hasJournaledReadings(db) }) else { return }
        let journal = ReadingJournal()
        var left = 1
        repeat {
            let count = try pool.write { db in try Self.moveSlice(of: journal, db) }
            // A run's end makes a slice shorter: one more.
            left = left == 1 ? count / Self.journalSlice + 2 : left - 1
        } while left > 1 && journal.count > 0
    }

    /// As ``emptyReadingJournal()``, of a copy of the database that nobody else uses.
    public static func emptyReadingJournal(_ db: Database) throws {
        let journal = ReadingJournal()
        repeat { try moveSlice(of: journal, db) } while journal.count > 0
    }

    private static func hasJournaledReadings(_ db: Database) throws -> Bool {
        try Bool.fetchOne(db, sql: "SELECT EXISTS(SELECT 1 FROM reading_journal)") ?? false
    }

    /// - Returns: how many readings waited.
    @discardableResult
    private static func moveSlice(of journal: ReadingJournal, _ db: Database) throws -> Int {
        let count = try journal.count(db)
        var writer = ReadingWriter(db)
        try journal.move(atMost: journalSlice, isUrgent: true, into: &writer, db)
        try writer.finish()
        return count
    }
}
