import DrumsEngine
import Foundation
import GRDB
import Storage

/// The result of a session by the hub's engine, from the time when it came.
struct ResultRecord: Storage.TableRecord {
    static let databaseTableName = "drums_session"

    var household: String
    var id: String
    var person: String
    /// The local date of its start, in days since 1 January 1970 by the person's clock at that time.
    var day: Int32
    /// The minute of that day by that clock at which it began.
    var minute: Int32
    /// UTC milliseconds.
    var startedAt: Int64
    var endedAt: Int64
    /// The time that was practised: without pauses and absences.
    var milliseconds: Int64
    var songId: String
    var songTitle: String
    /// The level, 1 to 3.
    var level: Int
    var mode: PlayMode.Name
    var hands: Hands.Name
    /// The link with which it began.
    var link: LinkKind.Name
    /// The numbers of beats that were asked for, judged, answered and right.
    var beats: Int
    var judged: Int
    var answered: Int
    var right: Int
    /// The clock that measured the reactions: that of most of them. Nil where there are none.
    var reactionClock: ReactionClock?
    /// The count and the quartiles of plausible reactions by that clock only, tenths of milliseconds.
    var reactionCount: Int
    var reactionLowerTenths: Int32?
    var reactionMedianTenths: Int32?
    var reactionUpperTenths: Int32?
    /// The count and the quartiles of the forces, tenths without a unit.
    var forceCount: Int
    var forceLowerTenths: Int32?
    var forceMedianTenths: Int32?
    var forceUpperTenths: Int32?
    /// The count and the quartiles of the latencies, tenths of milliseconds.
    var latencyCount: Int
    var latencyLowerTenths: Int32?
    var latencyMedianTenths: Int32?
    var latencyUpperTenths: Int32?
    /// The number of answers that were faster than a person can be.
    var implausible: Int
    /// The number of times that the music waited.
    var waits: Int
    var lostMilliseconds: Int64
    var stray: Int
    var end: SessionEnd.Name
    /// Whether the hub ended it, because the page that played it did not come back.
    var isClosedByHub: Bool
    /// The session with which it shares a part that counts there: `SessionBranchRecord`. Most sessions have nil here,
    /// and 0 beats.
    var forkOf: String?
    var forkEvents: Int?
    /// The number of shared beats at the beginning of the engine's result, which are in none of the numbers above.
    var forkBeats: Int
    /// The tempo in percent of the song's own.
    var tempoPercent: Int
    /// The ``TimingErrors`` of flow mode, of the beats that count here.
    var timing: Data
    /// The ``PlayedBeats``; nil for a session of before there were any.
    var played: Data?
}

extension ResultRecord {
    init(row: Row) throws { try self.init(row, ColumnPlaces(in: row)) }

    /// Reads a row of a query whose columns were looked up once: a year's rows, read by name or by their decoder, take longer than
    /// all that is calculated of them.
    init(_ row: Row, _ places: ColumnPlaces) throws {
        var columns = ColumnReader(row: row, places: places.indices)
        household = try columns.next()
        id = try columns.next()
        person = try columns.next()
        day = try columns.next()
        minute = try columns.next()
        startedAt = try columns.next()
        endedAt = try columns.next()
        milliseconds = try columns.next()
        songId = try columns.next()
        songTitle = try columns.next()
        level = try columns.next()
        mode = try columns.next()
        hands = try columns.next()
        link = try columns.next()
        beats = try columns.next()
        judged = try columns.next()
        answered = try columns.next()
        right = try columns.next()
        reactionClock = try columns.next()
        reactionCount = try columns.next()
        reactionLowerTenths = try columns.next()
        reactionMedianTenths = try columns.next()
        reactionUpperTenths = try columns.next()
        forceCount = try columns.next()
        forceLowerTenths = try columns.next()
        forceMedianTenths = try columns.next()
        forceUpperTenths = try columns.next()
        latencyCount = try columns.next()
        latencyLowerTenths = try columns.next()
        latencyMedianTenths = try columns.next()
        latencyUpperTenths = try columns.next()
        implausible = try columns.next()
        waits = try columns.next()
        lostMilliseconds = try columns.next()
        stray = try columns.next()
        end = try columns.next()
        isClosedByHub = try columns.next()
        forkOf = try columns.next()
        forkEvents = try columns.next()
        forkBeats = try columns.next()
        tempoPercent = try columns.next()
        timing = try columns.next()
        played = try columns.next()
    }

    /// The places of the record's columns in the rows of a query.
    struct ColumnPlaces {
        fileprivate let indices: [Int]

        /// Looks up the columns by their names.
        ///
        /// - Throws: an error of the database's for a column that the query does not have.
        init(in row: Row) throws {
            let known = Dictionary(row.columnNames.enumerated().map { ($1, $0) }) { first, _ in first }
            indices = try Self.names.map { name in
                guard let index = known[name] else { throw DatabaseError(message: "no column \(name)") }
                return index
            }
        }

        /// The columns, in the order in which they are read.
        private static let names = [
            "household", "id", "person", "day", "minute",
            "started_at", "ended_at", "milliseconds", "song_id", "song_title",
            "level", "mode", "hands", "link", "beats",
            "judged", "answered", "right", "reaction_clock", "reaction_count",
            "reaction_lower_tenths", "reaction_median_tenths", "reaction_upper_tenths", "force_count",
            "force_lower_tenths",
            "force_median_tenths", "force_upper_tenths", "latency_count", "latency_lower_tenths",
            "latency_median_tenths",
            "latency_upper_tenths", "implausible", "waits", "lost_milliseconds", "stray",
            "end", "is_closed_by_hub", "fork_of", "fork_events", "fork_beats",
            "tempo_percent", "timing", "played",
        ]
    }

    /// The columns of a row, one after the other.
    private struct ColumnReader {
        let row: Row
        let places: [Int]
        private var index = 0

        init(row: Row, places: [Int]) { (self.row, self.places) = (row, places) }

        mutating func next<Value: DatabaseValueConvertible & StatementColumnConvertible>() throws -> Value {
            defer { index += 1 }
            return try row.decode(atIndex: places[index])
        }

        mutating func next<Value: DatabaseValueConvertible>() throws -> Value {
            defer { index += 1 }
            return try row.decode(atIndex: places[index])
        }
    }
}
