import Foundation
import GRDB
import HubKit
import Storage

/// The folder of the family's own recordings: `songs/<id>` in the data folder, beside the database.
struct RecordingFolder: Sendable {
    /// The most bytes of a recording: half an hour of ordinary quality.
    static let mostBytes = 30 << 20

    private let hub: HubContext
    private var folder: String { hub.settings.dataFolder + "/songs" }

    init(_ hub: HubContext) { self.hub = hub }

    /// The file of a recording.
    ///
    /// - Throws: a 404 problem for an identifier that no hub has given: it may lead elsewhere.
    func path(of id: String) throws -> String {
        guard Secret.isIdentifier(id) else {
            throw Problem.notFound(
                "No hub calls a song so, and its recording is not looked for. Remove the song, and add it again.")
        }
        return "\(folder)/\(id)"
    }

    /// Keeps the recording that is a request's body: on the disk first, then in the database.
    ///
    /// - Parameter stored: a function that runs in the transaction that stores it, if it is new.
    /// - Throws: a 413, 415 or 409 problem, with nothing stored.
    func keep(
        _ request: APIRequest, _ member: Member, stored: @escaping @Sendable (SongRecord, Database) -> Void
    ) async throws -> SongRecord {
        try await hub.database.pool.read { db in
            try SongRecord.checkRoom(forRecording: true, household: member.household, db)
        }
        try makeFolder(folder)
        let id = Secret.identifier()
        let type = TypeSeen()
        let body = try await request.save(
            to: path(of: id), upTo: Self.mostBytes,
            otherwise: Problem(
                .contentTooLarge, "Too large",
                "A recording has at most \(Self.mostBytes >> 20) MB. Save the song as an MP3, or only the part that is played. Nothing was stored.",
                field: "file")
        ) { beginning in
            guard let seen = RecordingType(beginning) else {
                throw Problem(
                    .unsupportedMediaType, "Not a recording",
                    "This is neither MP3, M4A, Ogg, WAV nor FLAC. Save the song as one of these. Nothing was stored.",
                    field: "file")
            }
            type.value.withLock { $0 = seen }
        }
        let record = SongRecord(
            id: id, household: member.household,
            title: ImportedSong.title(request.query(.fileName) ?? "", isFile: true),
            audioType: type.value.withLock { $0?.mediaType }, audioBytes: body.bytes, createdAt: hub.clock.now(),
            createdBy: member.profile.id)
        do {
            if let same = try await same(as: record) {
                remove(id)
                return same
            }
            try await hub.database.pool.write { db in
                try SongRecord.checkRoom(forRecording: true, household: member.household, db)
                try record.insert(db)
                stored(record, db)
            }
        } catch {
            remove(id)
            throw error
        }
        return record
    }

    /// The household's song with the same recording, byte for byte: one whose answer was lost is sent again, and is
    /// there.
    private func same(as record: SongRecord) async throws -> SongRecord? {
        let others = try await hub.database.pool.read { db in
            try SongRecord.fetchAll(
                db, cached: "SELECT * FROM drums_song WHERE household = ? AND audio_bytes = ? ORDER BY created_at, id",
                arguments: [record.household, record.audioBytes])
        }
        let added = try path(of: record.id)
        return others.first { other in
            guard let there = try? path(of: other.id) else { return false }
            return FileManager.default.contentsEqual(atPath: there, andPath: added)
        }
    }

    /// Removes the file of a recording, if there is one.
    func remove(_ id: String) {
        if let path = try? self.path(of: id) { try? FileManager.default.removeItem(atPath: path) }
    }

    /// The folder of files that no song has, beside the recordings.
    private static let unclaimed = "lost"

    /// Tidies up after a hub that was killed: parts of files are removed; files that no song has are put aside, for
    /// where an older database was put back they are recordings that somebody may want. Those that a song has again are
    /// put back.
    func sweep() async throws {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return }
        let known = Set(
            try await hub.database.pool.read { db in
                try String.fetchAll(db, cached: "SELECT id FROM drums_song WHERE audio_type IS NOT NULL")
            })
        let aside = "\(folder)/\(Self.unclaimed)"
        for name in names where !known.contains(name) && name != Self.unclaimed {
            let place = "\(folder)/\(name)"
            guard !name.hasSuffix(".part") else {
                try? FileManager.default.removeItem(atPath: place)
                continue
            }
            try makeFolder(aside)
            try? FileManager.default.moveItem(atPath: place, toPath: "\(aside)/\(name)")
            hub.log.notice(
                "a recording that belongs to no song was put aside",
                metadata: ["file": "songs/\(Self.unclaimed)/\(name)"])
        }
        for name in known {
            guard let place = try? path(of: name), !FileManager.default.fileExists(atPath: place) else { continue }
            // Where it is not there either, the song says so when it is played.
            try? FileManager.default.moveItem(atPath: "\(aside)/\(name)", toPath: place)
        }
    }

    private func makeFolder(_ folder: String) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw Problem(
                .serviceUnavailable, "Not stored",
                "The hub could not write to its data folder. Nothing was changed; look at its disk.")
        }
    }
}
