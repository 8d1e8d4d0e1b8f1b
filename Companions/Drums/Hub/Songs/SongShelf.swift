import DrumsEngine
import GRDB
import HubKit

/// All songs that a household can play.
enum SongShelf {
    /// Those that come with the house, then the household's own, the newest first.
    static func all(household: String, _ db: Database) throws -> [SongReply] {
        let own = try SongRecord.fetchAll(
            db, sql: "SELECT * FROM drums_song WHERE household = ? ORDER BY created_at DESC, id",
            arguments: [household])
        return SongLibrary.replies + own.map(SongReply.init)
    }

    /// One of them.
    ///
    /// - Throws: a 404 problem where there is none.
    static func find(_ id: String, household: String, _ db: Database) throws -> SongReply {
        if let reply = SongLibrary.replies.first(where: { $0.id == id }) { return reply }
        return SongReply(try SongRecord.find(id, household: household, db))
    }
}

/// The songs that come with the house: melodies that nobody owns any more, written down for it.
enum SongLibrary {
    /// A song as it is written, under the name that it keeps for ever: sessions refer to it.
    struct Page: Sendable {
        var id: String
        var text: String
    }

    /// In the order of the list: the easy ones first.
    static let pages: [Page] = [
        .hotCrossBuns, .maryHadALittleLamb, .odeToJoy, .twinkleTwinkle, .frereJacques, .auClairDeLaLune, .londonBridge,
        .lightlyRow, .rowYourBoat, .jingleBells, .whenTheSaints, .yankeeDoodle, .ohSusanna, .brahmsLullaby,
        .silentNight, .auldLangSyne, .greensleeves,
    ]

    /// All of them. The tests read each; one that could not be read would be left out rather than keep the hub from
    /// starting.
    static let songs: [Song] = pages.compactMap { try? Song.fromText(Array($0.text.utf8), id: Array($0.id.utf8)) }

    static let replies: [SongReply] = songs.map { SongReply($0, isLibrary: true) }
}
