import DrumsEngine
import Foundation
import GRDB
import HubKit
import Storage

/// A song of the household's own.
struct SongRecord: Storage.TableRecord {
    static let databaseTableName = "drums_song"
    /// The most songs of a household, and the most of them that are recordings.
    static let mostSongs = 100
    static let mostRecordings = 20

    var id: String
    var household: String
    var title: String
    /// The song in the engine's codec; nil for a recording whose tempo is not known yet.
    var content: Data?
    /// The type of the recording; nil for a song of notes.
    var audioType: String?
    var audioBytes: Int?
    var audioMilliseconds: Int64?
    /// UTC milliseconds.
    var createdAt: Int64
    var createdBy: String?

    var isRecording: Bool { audioType != nil }

    /// The song, where it can be played. What a later engine refuses cannot; it is listed all the same.
    var song: Song? { content.flatMap { try? Song.decoded(Array($0)) } }

    /// Finds a song of a household.
    ///
    /// - Throws: a 404 problem for one that is not of the household.
    static func find(_ id: String, household: String, _ db: Database) throws -> SongRecord {
        guard let record = try fetchOne(db, key: id), record.household == household else {
            throw Problem.notFound("There is no song here. It may have been removed.")
        }
        return record
    }

    /// Checks that there is room for one more.
    ///
    /// - Throws: a 409 problem.
    static func checkRoom(forRecording isRecording: Bool, household: String, _ db: Database) throws {
        let songs = try fetchAll(
            db, cached: "SELECT * FROM drums_song WHERE household = ?", arguments: [household])
        guard songs.count < mostSongs else {
            throw Problem(
                .conflict, "No room", "The household has \(mostSongs) songs of its own already. Remove one first.")
        }
        guard !isRecording || songs.filter(\.isRecording).count < mostRecordings else {
            throw Problem(
                .conflict, "No room", "The household has \(mostRecordings) recordings already. Remove one first.")
        }
    }
}
