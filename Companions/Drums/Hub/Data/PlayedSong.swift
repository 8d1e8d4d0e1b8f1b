import DrumsEngine
import Foundation
import GRDB

/// A stored session as charts and reports list it: of ``PlayedRecord`` the columns that they want, each read by its name. A
/// year's records, read whole by their decoder, take longer than all their events replayed.
struct PlayedSong: Sendable {
    let id: String
    /// The local date of its start, in days since 1 January 1970, and the minute of it.
    let day, minute: Int32
    /// Practised.
    let milliseconds: Int64
    let songId, songTitle: String
    let level: Int
    let mode: PlayMode.Name
    let hands: Hands.Name
    let judged, right: Int
    let reactionMedianTenths: Int32?
    let latencyCount: Int
    let latencyMedianTenths: Int32?
    let end: SessionEnd.Name
    let forkBeats: Int

    private init(_ row: Row) throws {
        id = try row.decode(forColumn: "id")
        day = try row.decode(forColumn: "day")
        minute = try row.decode(forColumn: "minute")
        milliseconds = try row.decode(forColumn: "milliseconds")
        songId = try row.decode(forColumn: "song_id")
        songTitle = try row.decode(forColumn: "song_title")
        level = try row.decode(forColumn: "level")
        mode = try row.decode(forColumn: "mode")
        hands = try row.decode(forColumn: "hands")
        judged = try row.decode(forColumn: "judged")
        right = try row.decode(forColumn: "right")
        reactionMedianTenths = try row.decode(forColumn: "reaction_median_tenths")
        latencyCount = try row.decode(forColumn: "latency_count")
        latencyMedianTenths = try row.decode(forColumn: "latency_median_tenths")
        end = try row.decode(forColumn: "end")
        forkBeats = try row.decode(forColumn: "fork_beats")
    }

    /// A song with its events, in the engine's codec.
    struct Stored: Sendable {
        let song: PlayedSong
        let content: Data

        /// As today's engine replays it; nil where it cannot.
        var session: DrumSession? { try? DrumSession.decoded(Array(content)) }
    }

    /// Somebody's songs of some local days, the earliest first.
    ///
    /// - Parameter days: since 1 January 1970.
    static func all(of person: String, days: ClosedRange<Int32>, _ db: Database) throws -> [Stored] {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT p.id, day, minute, milliseconds, song_id, song_title, level, mode, hands, judged, right,
                    reaction_median_tenths, latency_count, latency_median_tenths, "end", fork_beats, content
                FROM drums_session p JOIN session s ON s.household = p.household AND s.id = p.id
                WHERE p.person = ? AND day BETWEEN ? AND ? ORDER BY day, p.started_at, p.id
                """, arguments: [person, days.lowerBound, days.upperBound])
        var songs: [Stored] = []
        while let row = try rows.next() {
            songs.append(Stored(song: try PlayedSong(row), content: try row.decode(forColumn: "content")))
        }
        return songs
    }
}

extension PlayMode.Name: DatabaseValueConvertible {}
extension Hands.Name: DatabaseValueConvertible {}
extension SessionEnd.Name: DatabaseValueConvertible {}
