import DrumsEngine
import Foundation
import GRDB
import HubKit

/// The changes that a request makes to a song of the household's own. Fields that are left out stay.
struct SongInput: Decodable, Sendable {
    var title: String?
    var microsecondsPerBeat: UInt32?
    /// The place in a recording where the first bar begins. This and the next two, its length and the beats of a bar,
    /// are for recordings only.
    var offsetMilliseconds: Int32?
    var milliseconds: Int64?
    var beatsPerBar: UInt8?

    /// Changes a song.
    ///
    /// - Throws: a 422 problem for what cannot be taken.
    func apply(to record: inout SongRecord) throws {
        if let title {
            guard !title.trimmingCharacters(in: .whitespaces).isEmpty,
                ImportedSong.title(title) == title.trimmingCharacters(in: .whitespaces)
            else {
                throw Problem.field("title", detail: SongError.title.message)
            }
            record.title = title.trimmingCharacters(in: .whitespaces)
        }
        if record.isRecording {
            try applyToRecording(&record)
        } else {
            try applyToNotes(&record)
        }
    }

    private func applyToNotes(_ record: inout SongRecord) throws {
        guard offsetMilliseconds == nil, milliseconds == nil, beatsPerBar == nil else {
            throw Problem.field(
                "offsetMilliseconds", "Only a recording has an offset, a length and a metre that are tapped.")
        }
        guard var song = record.song else {
            throw Problem(.conflict, "Not to be read", "This song cannot be read any more. Remove it and add it anew.")
        }
        song.title = Array(record.title.utf8)
        if let microsecondsPerBeat { song.setTempo(microsecondsPerBeat: microsecondsPerBeat) }
        try Self.check(song)
        record.content = Data(song.encoded())
    }

    private func applyToRecording(_ record: inout SongRecord) throws {
        let before = record.song
        if let milliseconds {
            guard (1...Song.Limits.milliseconds).contains(milliseconds) else {
                throw Problem.field("milliseconds", detail: SongError.tooLong.message)
            }
            record.audioMilliseconds = milliseconds
        }
        guard let tempo = microsecondsPerBeat ?? before?.tempo.first?.microsecondsPerBeat else {
            guard offsetMilliseconds == nil, beatsPerBar == nil else {
                throw Problem.field("microsecondsPerBeat", "Say the tempo too: tap along with the song.")
            }
            return
        }
        guard let length = record.audioMilliseconds else {
            throw Problem.field("milliseconds", "Say how long the recording is.")
        }
        do throws(SongError) {
            record.content = Data(
                try Song.ofAudio(
                    id: Array(record.id.utf8), title: Array(record.title.utf8), microsecondsPerBeat: tempo,
                    offsetMilliseconds: offsetMilliseconds ?? before?.audioOffsetMilliseconds ?? 0,
                    lengthMilliseconds: length, beatsPerBar: beatsPerBar ?? before?.beatsPerBar ?? 4
                ).encoded())
        } catch {
            throw Problem.field(error.field, detail: error.message)
        }
    }

    private static func check(_ song: Song) throws {
        do throws(SongError) { try song.check() } catch { throw Problem.field(error.field, detail: error.message) }
    }
}

extension SongError {
    /// The input that has to change.
    fileprivate var field: String {
        switch self {
        case .title: "title"
        case .meter: "beatsPerBar"
        case .audioOffset, .beats: "offsetMilliseconds"
        case .tooLong: "milliseconds"
        default: "microsecondsPerBeat"
        }
    }
}
