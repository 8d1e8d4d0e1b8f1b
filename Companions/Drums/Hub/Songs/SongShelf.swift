import DrumsEngine
import GRDB
import HubKit

/// All songs that a household can play.
enum SongShelf {
    /// Those that come with Tandem, then the household's own, the newest first.
    static func all(household: String, _ db: Database) throws -> [SongResponse] {
        let own = try SongRecord.fetchAll(
            db, sql: "SELECT * FROM drums_song WHERE household = ? ORDER BY created_at DESC, id",
            arguments: [household])
        return SongLibrary.responses + own.map(SongResponse.init)
    }

    /// One of them.
    ///
    /// - Throws: a 404 problem where there is none.
    static func find(_ id: String, household: String, _ db: Database) throws -> SongResponse {
        if let response = SongLibrary.responses.first(where: { $0.id == id }) { return response }
        return SongResponse(try SongRecord.find(id, household: household, db))
    }
}

/// The songs that come with Tandem: melodies that nobody owns any more, written down for it.
enum SongLibrary {
    /// Each song's file of the folder `Library`, under the name that it keeps for ever: sessions refer to it. In the order of
    /// the list: the easy ones first.
    static let texts: [(id: String, text: [UInt8])] = [
        ("hot-cross-buns", PackageResources.hot_cross_buns_txt),
        ("mary-had-a-little-lamb", PackageResources.mary_had_a_little_lamb_txt),
        ("ode-to-joy", PackageResources.ode_to_joy_txt),
        ("twinkle-twinkle", PackageResources.twinkle_twinkle_txt),
        ("frere-jacques", PackageResources.frere_jacques_txt),
        ("au-clair-de-la-lune", PackageResources.au_clair_de_la_lune_txt),
        ("london-bridge", PackageResources.london_bridge_txt),
        ("lightly-row", PackageResources.lightly_row_txt),
        ("row-your-boat", PackageResources.row_your_boat_txt),
        ("jingle-bells", PackageResources.jingle_bells_txt),
        ("when-the-saints", PackageResources.when_the_saints_txt),
        ("yankee-doodle", PackageResources.yankee_doodle_txt),
        ("oh-susanna", PackageResources.oh_susanna_txt),
        ("brahms-lullaby", PackageResources.brahms_lullaby_txt),
        ("silent-night", PackageResources.silent_night_txt),
        ("auld-lang-syne", PackageResources.auld_lang_syne_txt),
        ("greensleeves", PackageResources.greensleeves_txt),
    ]

    /// All of them. The tests read each; one that could not be read would be left out rather than keep the hub from
    /// starting.
    static let songs: [Song] = texts.compactMap { try? Song.fromText($0.text, id: Array($0.id.utf8)) }

    static let responses: [SongResponse] = songs.map { SongResponse($0, isLibrary: true) }
}
