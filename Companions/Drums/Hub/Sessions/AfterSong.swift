import DrumsEngine
import GRDB
import HubKit
import Localization
import Storage

/// The facts after a song: how it was beside the last time, and which one comes next.
struct AfterSong: Sendable {
    /// A song to go on with.
    struct Next: Codable, Sendable, Equatable {
        var song, title: String
        /// Whether it was never played to its end.
        var isNew: Bool
    }

    /// The last time that the same was played, as far as the two can be compared.
    struct Before: Sendable, Equatable {
        var right, rightBefore, judged: Int
        var isFlow: Bool
    }

    let before: Before?
    let next: Next?

    /// Reads the facts about a session.
    ///
    /// - Throws: a 404 problem where there is no such session of the household.
    init(_ id: String, household: String, today: Int32, _ db: Database) throws {
        guard let record = try ResultRecord.fetchOne(db, key: ["household": household, "id": id]) else {
            throw Problem.notFound("There is no session here. It may have been removed.")
        }
        before = try Self.before(record, db)
        next = try Self.next(after: record, today: today, db)
    }

    /// The last session of the same song at the same level, in the same mode, with the same hands and as many beats, at
    /// the same tempo, both to the end: anything else is no comparison.
    private static func before(_ record: ResultRecord, _ db: Database) throws -> Before? {
        guard record.end == .finished, record.judged > 0 else { return nil }
        let right = try Int.fetchOne(
            db,
            cached: """
                SELECT right FROM drums_session
                WHERE person = ? AND song_id = ? AND level = ? AND mode = ? AND hands = ? AND judged = ? AND "end" = ?
                    AND tempo_percent = ? AND fork_of IS NULL AND started_at < ?
                ORDER BY started_at DESC LIMIT 1
                """,
            arguments: [
                record.person, record.songId, record.level, record.mode.rawValue, record.hands.rawValue, record.judged,
                record.end.rawValue, record.tempoPercent, record.startedAt,
            ])
        return right.map {
            Before(right: record.right, rightBefore: $0, judged: record.judged, isFlow: record.mode == .flow)
        }
    }

    /// The song to go on with, of the plan's songs, or of all where there is no plan: the next one in their order that
    /// was never played to its end, else the one that was played longest ago.
    private static func next(after record: ResultRecord, today: Int32, _ db: Database) throws -> Next? {
        let shelf = try SongShelf.all(household: record.household, db)
        let planned = try PracticePlans(of: record.person, db).plan(on: today)?.songIDs ?? []
        let songs = planned.isEmpty ? shelf : planned.compactMap { id in shelf.first { $0.id == id } }
        let place = songs.firstIndex { $0.id == record.songId }.map { $0 + 1 } ?? 0
        let others = (songs[place...] + songs[..<place]).filter { $0.id != record.songId }
        let last = try Row.fetchAll(
            db,
            cached: """
                SELECT song_id, max(started_at) FROM drums_session WHERE person = ? AND "end" = ? GROUP BY song_id
                """, arguments: [record.person, SessionEnd.Name.finished.rawValue]
        ).reduce(into: [String: Int64]()) { $0[$1[0]] = $1[1] }
        if let new = others.first(where: { last[$0.id] == nil }) {
            return Next(song: new.id, title: new.title, isNew: true)
        }
        return others.min { (last[$0.id] ?? 0, $0.id) < (last[$1.id] ?? 0, $1.id) }
            .map { Next(song: $0.id, title: $0.title, isNew: false) }
    }

    /// The comparison in words, such as `3 better than last time`, where it is so. Somebody who had a worse day is not
    /// told.
    var words: LocalizedText? {
        guard let before else { return nil }
        let better = before.right - before.rightBefore
        if better > 0 {
            return before.isFlow
                ? LocalizedText("\(better) better than last time: \(before.right) of \(before.judged) on the beat.")
                : LocalizedText(
                    "\(better) better than last time: \(before.right) of \(before.judged) right at the first try.")
        }
        return better == 0 ? LocalizedText("As many as last time: \(before.right) of \(before.judged).") : nil
    }
}

/// The answer of `GET /api/drums/sessions/{id}/after`.
struct AfterSongResponse: Codable {
    /// The comparison with the last time; nil where there is nothing to say.
    var comparison: String?
    var next: AfterSong.Next?
}
