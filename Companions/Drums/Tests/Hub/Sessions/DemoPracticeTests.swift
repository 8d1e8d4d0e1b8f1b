import Foundation
import GRDB
import Storage
import Testing

@testable import DrumsEngine
@testable import DrumsHub
@testable import HubKit

@Suite("The sample household practises")
struct DemoPracticeTests {
    @Test(
        "Four months of one child, with rest days, lost links, flow songs, and a right side that is slower",
        .timeLimit(.minutes(5)))
    func whole() async throws {
        let app = try await DrumsTestApp()
        try await app.drums.seedDemo(household: app.household)
        let today = try #require(CivilDate("2026-11-21")?.day)
        let songs = try await app.hub.database.pool.read { db in
            try StoredPractice.songs(of: "mila", days: today - DemoPractice.days...today, db)
        }
        let sessions = try await app.hub.database.pool.read { db in
            try Dictionary(
                uniqueKeysWithValues: Row.fetchAll(db, sql: "SELECT id, content FROM session").map { row in
                    (row["id"] as String, try DrumSession.decoded(Array(row["content"] as Data)))
                })
        }
        let played = songs.compactMap { song in sessions[song.result.id].map { (record: song.result, session: $0) } }
        #expect(played.count > 200)
        let days = Set(played.map(\.record.day))
        #expect((60..<105).contains(days.count), "\(days.count)")
        #expect(played.allSatisfy { $0.session.end != nil && !$0.session.claimDiffers })
        #expect(played.contains { $0.record.end == .linkLost })
        #expect(played.contains { $0.session.result.lostMilliseconds > 0 && $0.record.end == .finished })
        #expect(played.contains { $0.record.mode == .flow })
        #expect(played.contains { $0.session.result.waits > 0 })
        func median(_ side: Side) throws -> Int32 {
            let times = played.filter { $0.record.mode == .wait }.flatMap(\.session.result.beats)
                .filter { $0.side == side && $0.isPlausible }.compactMap(\.reactionMilliseconds).sorted()
            return try #require(times.isEmpty ? nil : times[times.count / 2])
        }
        #expect(try median(.right) > median(.left) + 60)
        #expect(try await app.count("active_session") == 0)
        // The beats that are kept are those that the engine says, which is asked where none are kept, or another engine did.
        for kept in ["played", "NULL", "x'00' || substr(played, 2)"] {
            try await app.hub.database.pool.write { db in
                try db.execute(sql: "UPDATE drums_session SET played = \(kept)")
            }
            let songs = try await app.hub.database.pool.read { db in
                try StoredPractice.songs(of: "mila", days: today - DemoPractice.days...today, db)
            }
            #expect(songs.allSatisfy { ($0.content == nil) == (kept == "played") })
            #expect(
                songs.map(\.played)
                    == played.map { PlayedBeats($0.session, after: $0.record.forkBeats) as PlayedBeats? }, "\(kept)")
        }
    }
}
