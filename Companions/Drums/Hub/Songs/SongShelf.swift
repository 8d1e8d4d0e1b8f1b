import DrumsEngine
import DrumsTexts
import GRDB
import HubKit
import Storage

/// The songs that a household can play.
enum SongShelf {
    /// The songs that come with Tandem, then the household's own, the newest first.
    static func all(household: String, _ db: Database) throws -> [SongResponse] {
        let own = try SongRecord.fetchAll(
            db, cached: "SELECT * FROM drums_song WHERE household = ? ORDER BY created_at DESC, id",
            arguments: [household])
        return SongLibrary.responses + own.map(SongResponse.init)
    }

    /// Finds a song that a household can play.
    ///
    /// - Throws: a 404 problem where there is none.
    static func find(_ id: String, household: String, _ db: Database) throws -> SongResponse {
        if let response = SongLibrary.responses.first(where: { $0.id == id }) { return response }
        return SongResponse(try SongRecord.find(id, household: household, db))
    }
}

/// The songs that come with Tandem: melodies that nobody owns any more, written down for it.
enum SongLibrary {
    /// The songs' files of the folder `Library`, each under the name that it keeps for ever: sessions refer to it. In
    /// the order of the list: the easy ones first.
    static let texts: [(id: String, text: [UInt8])] = [
        ("hot-cross-buns", [UInt8](hotCrossBunsSong())),
        ("mary-had-a-little-lamb", [UInt8](maryHadALittleLambSong())),
        ("ode-to-joy", [UInt8](odeToJoySong())),
        ("twinkle-twinkle", [UInt8](twinkleTwinkleSong())),
        ("frere-jacques", [UInt8](frereJacquesSong())),
        ("au-clair-de-la-lune", [UInt8](auClairDeLaLuneSong())),
        ("london-bridge", [UInt8](londonBridgeSong())),
        ("lightly-row", [UInt8](lightlyRowSong())),
        ("row-your-boat", [UInt8](rowYourBoatSong())),
        ("jingle-bells", [UInt8](jingleBellsSong())),
        ("when-the-saints", [UInt8](whenTheSaintsSong())),
        ("yankee-doodle", [UInt8](yankeeDoodleSong())),
        ("oh-susanna", [UInt8](ohSusannaSong())),
        ("brahms-lullaby", [UInt8](brahmsLullabySong())),
        ("silent-night", [UInt8](silentNightSong())),
        ("auld-lang-syne", [UInt8](auldLangSyneSong())),
        ("greensleeves", [UInt8](greensleevesSong())),
    ]

    /// The songs of the library. The tests read each; one that could not be read would be left out rather than keep the
    /// hub from starting.
    static let songs: [Song] = texts.compactMap { try? Song.fromText($0.text, id: Array($0.id.utf8)) }

    /// The English titles of the songs, by which their translations are found in the catalog.
    static let titles = Dictionary(
        songs.map { (String(decoding: $0.id, as: UTF8.self), String(decoding: $0.title, as: UTF8.self)) }
    ) { first, _ in first }

    static let responses: [SongResponse] = songs.map { SongResponse($0, isLibrary: true) }
}
