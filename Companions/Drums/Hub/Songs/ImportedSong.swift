import DrumsEngine
import Foundation
import GRDB
import HubKit
import Localization
import Storage

/// A song that somebody brought as a file: a Standard MIDI File, or text in Tandem's own form.
struct ImportedSong: Sendable {
    /// The most bytes of such a file.
    static let longest = MIDIFile.Limits.bytes

    /// The reason why a file is no song, in words.
    struct Rejection: Error { var message: LocalizedText }

    let song: Song
    /// The part of the file that was left out, in words; nil for one that was understood whole.
    private(set) var leftOut: LocalizedText?

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - name: what the file is called, after which a song from MIDI is called too that has no title of its own.
    ///   - title: what it is to be called instead.
    init(_ bytes: [UInt8], name: String?, title: String? = nil) throws(Rejection) {
        let id = Array(Secret.identifier().utf8)
        var song: Song
        if MIDIFile.isMIDI(bytes) {
            do throws(MIDIFileError) {
                let read = try Song.readingMIDI(bytes, id: id) { own in
                    let called = title.map { Self.title($0) } ?? Self.title(inMIDI: own)
                    return Array((called ?? Self.title(name ?? "", isFile: true)).utf8)
                }
                song = read.song
                leftOut = read.leftOut.map { fault in
                    LocalizedText("Part of the file could not be understood and was left out. \(fault.message)")
                }
            } catch {
                throw Rejection(message: error.message)
            }
        } else {
            guard !bytes.contains(0) else { throw Rejection(message: Self.neither) }
            do throws(SongTextError) {
                song = try Song.fromText(bytes, id: id)
            } catch {
                throw Rejection(message: error.failure == .notText ? Self.neither : error.message)
            }
            if let title { song.title = Array(Self.title(title).utf8) }
        }
        self.song = song
    }

    private static let neither =
        LocalizedText(
            "This is neither a MIDI file, which begins with MThd, nor a song as text. A recording is added under “Your own recording”."
        )

    /// The name of a file without `.mid` and the folder before it.
    private static func withoutEnding(_ name: String) -> String {
        let last = name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init) ?? name
        guard let dot = last.lastIndex(of: "."), dot != last.startIndex else { return last }
        return String(last[..<dot])
    }

    /// The names that programs write where nobody has given a title.
    private static let placeholders = [
        "untitled", "no", "title", "midi", "out", "tempo", "conductor", "control", "track", "piano",
    ]

    /// The title that a MIDI file has; nil where it is none.
    private static func title(inMIDI bytes: [UInt8]) -> String? {
        guard let text = UnlabelledText.decoded(bytes) else { return nil }
        // “Track 1” and “tempo track” are no titles either.
        let words = text.lowercased().split { !$0.isLetter }
        return words.contains { !placeholders.contains(String($0)) } ? title(text) : nil
    }

    /// The format characters by which letters and emoji are joined.
    private static let joiners: Set<Unicode.Scalar> = ["\u{200C}", "\u{200D}"]

    /// A title of what may be any text: a line that fits.
    ///
    /// - Parameter isFile: whether it is what a file is called.
    static func title(_ text: String, isFile: Bool = false) -> String {
        let text = isFile ? withoutEnding(text).replacingOccurrences(of: "_", with: " ") : text
        // Neither control characters nor those that turn the direction of what follows.
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: scalars.append(" ")
            case .format: if joiners.contains(scalar) { scalars.append(scalar) }
            default: scalars.append(scalar)
            }
        }
        let line = String(scalars).trimmingCharacters(in: .whitespaces)
        var title = ""
        for character in line {
            guard title.utf8.count + character.utf8.count <= Song.Limits.title else { break }
            title.append(character)
        }
        return title.isEmpty ? "A song" : title
    }

    /// Adds it to the household's songs.
    ///
    /// - Parameters:
    ///   - person: who brought it; nil from a terminal.
    ///   - now: UTC milliseconds.
    func add(household: String, by person: String?, now: Int64, _ db: Database) throws -> SongRecord {
        try SongRecord.checkRoom(forRecording: false, household: household, db)
        let record = SongRecord(
            id: String(decoding: song.id, as: UTF8.self), household: household,
            title: String(decoding: song.title, as: UTF8.self), content: Data(song.encoded()), createdAt: now,
            createdBy: person)
        try record.insert(db)
        return record
    }
}
