import BrushingEngine
import Foundation
import GRDB
import HubKit
import Storage

/// The state of a person's progress at the beginning of a month, from which a history is folded on.
///
/// A row is right as long as nothing before its day changes: triggers of the table delete it when a session or a day off is
/// stored, changed or removed there, whoever does it, and one of another number of sessions a day is read by nobody. It is derived,
/// so it is in no archive; what is missing is folded from the beginning and stored with the next session.
struct KeptProgress: Sendable {
    /// The first day whose sessions are not in it.
    let day: Int32
    let progress: BrushingProgress
    /// The number of days before it on which the goal was reached, without the frozen ones.
    let completeDays: Int

    /// The newest state of a person that begins on a day or earlier; nil where none is kept.
    ///
    /// - Parameter perDay: the number of sessions that keep a day; a state of another is none.
    static func newest(of person: String, perDay: Int, upTo day: Int32, _ db: Database) throws -> KeptProgress? {
        try Row.fetchOne(
            db, cached: "SELECT * FROM brushing_progress WHERE person = ? AND day <= ? ORDER BY day DESC LIMIT 1",
            arguments: [person, day]
        ).flatMap { KeptProgress($0, perDay: perDay) }
    }

    /// The oldest state of a person that begins on a day or later; nil where none is kept. Since the first session of each month
    /// has one, no session lies between that day and its own.
    ///
    /// - Parameter perDay: as of ``newest(of:perDay:upTo:_:)``.
    static func oldest(of person: String, perDay: Int, from day: Int32, _ db: Database) throws -> KeptProgress? {
        try Row.fetchOne(
            db, cached: "SELECT * FROM brushing_progress WHERE person = ? AND day >= ? ORDER BY day LIMIT 1",
            arguments: [person, day]
        ).flatMap { KeptProgress($0, perDay: perDay) }
    }

    private init?(_ row: Row, perDay: Int) {
        guard let progress = BrushingProgress(bytes: Array(row["progress"] as Data)), progress.perDay == perDay else {
            return nil
        }
        self.init(day: row["day"], progress: progress, completeDays: row["complete_days"])
    }

    init(day: Int32, progress: BrushingProgress, completeDays: Int) {
        (self.day, self.progress, self.completeDays) = (day, progress, completeDays)
    }

    /// Stores it, in the transaction in which everything before its day was folded.
    func store(of person: PersonRecord, _ db: Database) throws {
        try db.execute(
            cached: "INSERT OR REPLACE INTO brushing_progress VALUES (?, ?, ?, ?, ?)",
            arguments: [person.id, day, person.household, Data(progress.bytes), completeDays])
    }

    /// The first day of the month of a day.
    static func month(of day: Int32) -> Int32 { MonthHistory.days(around: day).lowerBound }
}

extension BrushingTables {
    /// The table, and what makes a row of it wrong.
    static let progress = """
        CREATE TABLE brushing_progress(
            person TEXT NOT NULL REFERENCES person ON DELETE CASCADE, day INTEGER NOT NULL,
            household TEXT NOT NULL REFERENCES household,
            -- In the engine's codec.
            progress BLOB NOT NULL,
            complete_days INTEGER NOT NULL,
            PRIMARY KEY(person, day)) WITHOUT ROWID;
        CREATE TRIGGER brushing_progress_session_stored AFTER INSERT ON brushing_session BEGIN
            DELETE FROM brushing_progress WHERE person = NEW.person AND day > NEW.day;
        END;
        CREATE TRIGGER brushing_progress_session_changed AFTER UPDATE ON brushing_session BEGIN
            DELETE FROM brushing_progress WHERE person IN (OLD.person, NEW.person) AND day > min(OLD.day, NEW.day);
        END;
        CREATE TRIGGER brushing_progress_session_removed AFTER DELETE ON brushing_session BEGIN
            DELETE FROM brushing_progress WHERE person = OLD.person AND day > OLD.day;
        END;
        CREATE TRIGGER brushing_progress_frozen AFTER INSERT ON brushing_frozen_day BEGIN
            DELETE FROM brushing_progress WHERE person = NEW.person AND day > NEW.day;
        END;
        CREATE TRIGGER brushing_progress_thawed AFTER DELETE ON brushing_frozen_day BEGIN
            DELETE FROM brushing_progress WHERE person = OLD.person AND day > OLD.day;
        END;
        """
}
