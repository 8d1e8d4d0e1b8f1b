import GRDB
import HubKit
import Localization
import MotionLabEngine
import Storage

extension MotionLab {
    /// The companion's tables in the archive of a household's data.
    public static var archivePart: ArchivePart {
        ArchivePart(
            tables: [
                "lab_recording", "lab_name", "lab_annotation", "lab_phone", "lab_experiment",
                ArchivedTable("lab_class", secrets: ["code_hash": .unknowable]),
                ArchivedTable("lab_guest", secrets: ["token_hash": .null]), "lab_guest_chunk", "lab_guest_recording",
                "lab_removed",
            ],
            words: [
                LocalizedText(
                    "lab: each recording of a phone’s sensors as a table (CSV), a row for each time, with the units in the first line. The time is in microseconds since 1970, UTC, by the phone’s clock."
                )
            ])
    }

    /// Adds each recording to the archive as a table.
    public static func addReadableFiles(to files: ReadableFiles) throws {
        let recordings = try StoredRecording.fetchCursor(
            files.db,
            sql: "SELECT * FROM lab_recording WHERE ?1 IS NULL OR person = ?1 ORDER BY start_microseconds, id",
            arguments: [files.onlyPerson])
        while let recording = try recordings.next() {
            // One that today's engine cannot read is in the tables all the same.
            guard let exported = try? StoredSamples(recording, files.db).read() else { continue }
            var table = RecordingTable(kinds: recording.kinds, form: files.form)
            let name = ReadableFiles.name(recording.name, id: recording.id)
            try files.add("recordings/\(name).csv") { sink in
                table.addHeader()
                try table.addRows(of: exported, to: sink)
            }
        }
    }
}
