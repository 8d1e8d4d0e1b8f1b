import DrumsEngine
import Foundation
import GRDB
import HubKit
import Localization
import Storage

extension Drums {
    /// The companion's tables and recordings in the archive of a household's data.
    public static var archivePart: ArchivePart {
        ArchivePart(
            tables: [
                "drums_session", "drums_song", "drums_settings", "drums_plan", "drums_self_report", "drums_goal",
                "drums_clinic_score",
            ],
            leftOut: [
                LeftOutTables(
                    ["drums_latency"],
                    LocalizedText("How fast the sound of each phone is: tap along once on each, and it is known again.")
                )
            ],
            folders: [ArchivedFolder("songs") { db in try recordings(db) }],
            words: [
                LocalizedText(
                    "drums: for everybody the original app’s sessiondata.plist and a table (CSV) with a row for each beat, whose columns say their units. The household’s own songs are MIDI files, and its recordings are as they were added."
                )
            ])
    }

    private static func recordings(_ db: Database) throws -> [(name: String, archived: String)] {
        try SongRecord.fetchAll(db, cached: "SELECT * FROM drums_song WHERE audio_type IS NOT NULL ORDER BY id").map {
            song in
            let ending = RecordingType.allCases.first { $0.mediaType == song.audioType }.map { "\($0)" } ?? "audio"
            return (song.id, "recordings/\(ReadableFiles.name(song.title, id: song.id)).\(ending)")
        }
    }

    /// Adds each person's sessions and beats to the archive, in the original's format and as a table.
    public static func addReadableFiles(to files: ReadableFiles) throws {
        for person in files.people {
            let name = ReadableFiles.name(person.name, id: person.id)
            let plist = try ExportedDrums(person: person, household: files.household).file(
                .plist, isBinary: false, now: files.now, in: files.database)
            try files.add("\(name)/sessiondata.plist") { try $0(Array(plist)) }
            let reports = try SessionSelfReports.all(of: person.id, files.db)
            try files.add("\(name)/beats.csv") { sink in
                var table = TableWriter(files.form)
                BeatTable.addHeader(to: &table)
                _ = try SessionExport(DrumSessionDefinition()).sessions(of: person.id, in: files.database) { stored in
                    if let session = stored.session?.session {
                        BeatTable.addRows(
                            of: session, DrumSessionResponse(stored), by: person.name,
                            reports: reports[stored.record.id], to: &table)
                        try sink(table.take())
                    }
                    return Never?.none
                }
                try sink(table.take())
            }
        }
        // The household's songs are everybody's.
        guard files.onlyPerson == nil else { return }
        let songs = try Row.fetchCursor(files.db, sql: "SELECT id, title, content FROM drums_song ORDER BY id")
        while let row = try songs.next() {
            guard let content = row["content"] as Data?, let song = try? Song.decoded(Array(content)),
                !song.notes.isEmpty
            else { continue }
            try files.add("songs/\(ReadableFiles.name(row["title"], id: row["id"])).mid") { try $0(song.midiFile) }
        }
    }
}
