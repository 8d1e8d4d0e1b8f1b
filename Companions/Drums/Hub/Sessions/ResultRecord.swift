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
    /// Reads each column by its name: a year's rows, read by their decoder, take longer than all their events replayed.
    init(row: Row) throws {
        household = try row.decode(forColumn: "household")
        id = try row.decode(forColumn: "id")
        person = try row.decode(forColumn: "person")
        day = try row.decode(forColumn: "day")
        minute = try row.decode(forColumn: "minute")
        startedAt = try row.decode(forColumn: "started_at")
        endedAt = try row.decode(forColumn: "ended_at")
        milliseconds = try row.decode(forColumn: "milliseconds")
        songId = try row.decode(forColumn: "song_id")
        songTitle = try row.decode(forColumn: "song_title")
        level = try row.decode(forColumn: "level")
        mode = try row.decode(forColumn: "mode")
        hands = try row.decode(forColumn: "hands")
        link = try row.decode(forColumn: "link")
        beats = try row.decode(forColumn: "beats")
        judged = try row.decode(forColumn: "judged")
        answered = try row.decode(forColumn: "answered")
        right = try row.decode(forColumn: "right")
        reactionClock = try row.decode(forColumn: "reaction_clock")
        reactionCount = try row.decode(forColumn: "reaction_count")
        reactionLowerTenths = try row.decode(forColumn: "reaction_lower_tenths")
        reactionMedianTenths = try row.decode(forColumn: "reaction_median_tenths")
        reactionUpperTenths = try row.decode(forColumn: "reaction_upper_tenths")
        forceCount = try row.decode(forColumn: "force_count")
        forceLowerTenths = try row.decode(forColumn: "force_lower_tenths")
        forceMedianTenths = try row.decode(forColumn: "force_median_tenths")
        forceUpperTenths = try row.decode(forColumn: "force_upper_tenths")
        latencyCount = try row.decode(forColumn: "latency_count")
        latencyLowerTenths = try row.decode(forColumn: "latency_lower_tenths")
        latencyMedianTenths = try row.decode(forColumn: "latency_median_tenths")
        latencyUpperTenths = try row.decode(forColumn: "latency_upper_tenths")
        implausible = try row.decode(forColumn: "implausible")
        waits = try row.decode(forColumn: "waits")
        lostMilliseconds = try row.decode(forColumn: "lost_milliseconds")
        stray = try row.decode(forColumn: "stray")
        end = try row.decode(forColumn: "end")
        isClosedByHub = try row.decode(forColumn: "is_closed_by_hub")
        forkOf = try row.decode(forColumn: "fork_of")
        forkEvents = try row.decode(forColumn: "fork_events")
        forkBeats = try row.decode(forColumn: "fork_beats")
        tempoPercent = try row.decode(forColumn: "tempo_percent")
        timing = try row.decode(forColumn: "timing")
        played = try row.decode(forColumn: "played")
    }
}
