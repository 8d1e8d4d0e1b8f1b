import DrumsEngine
import GRDB
import HubKit
import Localization
import NIOCore
import Storage

/// The routes to the songs that can be played, and to those that a household brings of its own.
struct SongRoutes: Sendable {
    private static let noRecording = Problem.notFound("There is no recording here. It may have been removed.")

    private static let songs = "/api/drums/songs"

    func add(to routes: Routes) {
        addReading(to: routes)
        addBringing(to: routes)
        addChanging(to: routes)
    }

    private func addReading(to routes: Routes) {
        routes.get(Self.songs, .member, "Every song: those that come with the house, then the household’s own.") {
            request in
            let household = try request.member.household
            let songs = try await request.hub.database.pool.read { db in try SongShelf.all(household: household, db) }
            return try .json(SongsResponse(songs: songs.map { $0.localized(request.localized) }))
        }
        routes.get("\(Self.songs)/{id}", .member, "One song.") { request in
            let household = try request.member.household
            let id = try request.path("id")
            let localized = request.localized
            return try .json(
                try await request.hub.database.pool.read { db in
                    try SongShelf.find(id, household: household, db).localized(localized)
                })
        }
        routes.get("\(Self.songs)/{id}/audio", .member, "The family’s own recording, or a range of it.") { request in
            let household = try request.member.household
            let id = try request.path("id")
            let record = try await request.hub.database.pool.read { db in
                try SongRecord.find(id, household: household, db)
            }
            guard let type = RecordingType.allCases.first(where: { $0.mediaType == record.audioType }) else {
                throw Self.noRecording
            }
            return try await request.file(
                RecordingFolder(request.hub).path(of: record.id), type, otherwise: Self.noRecording)
        }
    }

    private func addBringing(to routes: Routes) {
        routes.post(
            Self.songs, .adult,
            "Adds a song: a Standard MIDI File of type 0 or 1, or a song as text; `name` is what the file is called. Takes an Idempotency-Key.",
            query: [.fileName], media: "application/octet-stream"
        ) { request in
            let content = Array(
                buffer: try await request.bytes(
                    upTo: ImportedSong.longest,
                    otherwise: Problem(
                        .contentTooLarge, "Too large",
                        "The hub reads songs of at most \(ImportedSong.longest / 1_024) KB. Nothing was stored.",
                        field: "file")))
            let name = request.query(.fileName)
            // Read before the transaction, which others wait for.
            let imported = Result { () throws(Problem) in
                do throws(ImportedSong.Rejection) {
                    return try ImportedSong(content, name: name)
                } catch {
                    throw Problem.field("file", detail: error.message)
                }
            }
            let member = try request.member
            let now = request.hub.clock.now()
            return try await request.idempotently { db in
                let record = try imported.get().add(household: member.household, by: member.profile.id, now: now, db)
                var response = SongResponse(record)
                response.leftOut = try imported.get().leftOut.map { request.localized.string($0) }
                request.hub.live.publish(
                    changed: "songs", id: record.id, of: Drums.self, household: member.household, after: db)
                return try .created(response)
            }
        }
        routes.post(
            "\(Self.songs)/audio", .adult,
            "Adds a recording of the family’s own, in MP3, M4A, Ogg, WAV or FLAC; `name` is what the file is called. It can be played when its tempo is known.",
            query: [.fileName], media: "application/octet-stream"
        ) { request in
            let member = try request.member
            let record = try await RecordingFolder(request.hub).keep(request, member) { record, db in
                request.hub.live.publish(
                    changed: "songs", id: record.id, of: Drums.self, household: member.household, after: db)
            }
            return try .created(SongResponse(record))
        }
    }

    private func addChanging(to routes: Routes) {
        routes.put(
            "\(Self.songs)/{id}", .adult,
            "Changes a song of the household’s own: its title, its tempo, and of a recording where and how its bars lie.",
            takes: SongInput.self
        ) { request, input in
            let household = try request.member.household
            let id = try Self.own(request)
            let record = try await request.hub.database.pool.write { db in
                var record = try SongRecord.find(id, household: household, db)
                try input.apply(to: &record)
                try record.update(db)
                request.hub.live.publish(changed: "songs", id: id, of: Drums.self, household: household, after: db)
                return record
            }
            return try .json(SongResponse(record))
        }
        routes.delete(
            "\(Self.songs)/{id}", .adult,
            "Removes a song of the household’s own, with its recording. What was played of it stays."
        ) { request in
            let household = try request.member.household
            let id = try Self.own(request)
            try await request.hub.database.pool.write { db in
                try SongRecord.find(id, household: household, db).delete(db)
                request.hub.live.publish(changed: "songs", id: id, of: Drums.self, household: household, after: db)
            }
            RecordingFolder(request.hub).remove(id)
            return .nothing
        }
    }

    /// The id in the path, of a song that did not come with Tandem.
    private static func own(_ request: APIRequest) throws -> String {
        let id = try request.path("id")
        guard !SongLibrary.texts.contains(where: { $0.id == id }) else {
            throw Problem(.forbidden, "Comes with the house", "This song comes with the house, and stays as it is.")
        }
        return id
    }
}

private struct SongsResponse: Codable {
    /// The limits that the hub sets, for the fields of a page.
    struct Limits: Codable {
        /// Bytes.
        var audioBytes = RecordingFolder.mostBytes
        var fileBytes = ImportedSong.longest
        var songs = SongRecord.mostSongs
        var recordings = SongRecord.mostRecordings
    }

    var songs: [SongResponse]
    var limits = Limits()
}
