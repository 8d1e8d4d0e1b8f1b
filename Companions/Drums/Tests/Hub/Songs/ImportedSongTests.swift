import HubKit
import Testing

@testable import DrumsEngine
@testable import DrumsHub

@Suite("A song from a MIDI file")
struct ImportedSongTests {
    private func song(named name: [UInt8], title: String? = nil, inTrack track: Int = 0) throws -> String {
        let meta = [0] + MIDIFileBytes.nameEvent(name)
        let tracks = (0...1).map { number in
            MIDIFileBytes.track(
                number == track ? meta : [], MIDIFileBytes.note(60), MIDIFileBytes.note(62), MIDIFileBytes.end)
        }
        let bytes = MIDIFileBytes.file(type: 1, tracks: tracks[0], tracks[1])
        let song = try ImportedSong(bytes, name: "scan_17.mid", title: title).song
        return String(decoding: song.title, as: UTF8.self)
    }

    @Test(
        "It keeps the title that the file has",
        arguments: [
            ("Für Elise", "Für Elise"), ("  Sarie\u{0}  ", "Sarie"), ("Piano Sonata", "Piano Sonata"), ("夢", "夢"),
        ])
    func own(name: String, title: String) throws { #expect(try song(named: Array(name.utf8)) == title) }

    // Python's codecs: "Привет".encode("cp1251"), "Frühling".encode("cp437"), "Ça va – oui".encode("cp1252").
    @Test(
        "It may be in the encoding of the program that wrote it, and has neither control nor direction characters",
        arguments: [
            ([0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2], "Привет"),
            ([0x46, 0x72, 0x81, 0x68, 0x6C, 0x69, 0x6E, 0x67], "Frühling"),
            ([0xC7, 0x61, 0x20, 0x76, 0x61, 0x20, 0x96, 0x20, 0x6F, 0x75, 0x69], "Ça va – oui"),
            ([0x49, 0x74, 0x92, 0x73, 0x20, 0x6D, 0x65], "It’s me"), ([0x9A, 0x62, 0x65, 0x72], "Über"),
            (Array("Up\u{202E}side\u{2066} down\u{200F}".utf8), "Upside down"),
            (Array("Line\u{2028}two\u{85}three".utf8), "Line two three"), (Array("\u{FEFF}Marked".utf8), "Marked"),
            (Array("\u{1F469}\u{200D}\u{1F373} cooks".utf8), "\u{1F469}\u{200D}\u{1F373} cooks"),
        ] as [([UInt8], String)])
    func encodings(name: [UInt8], title: String) throws { #expect(try song(named: name) == title) }

    // Python's codecs, in turn: cp1251, koi8_r, cp866, utf-16, utf-16-be, mac_roman, cp1252, cp850 twice; UTF-8 without its
    // end.
    @Test(
        "Titles of Unix, DOS and the Macintosh, in UTF-16, and cut off within a letter",
        arguments: [
            ([0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2, 0x20, 0xEC, 0xE8, 0xF0], "Привет мир"),
            ([0xEB, 0xC1, 0xD4, 0xC0, 0xDB, 0xC1], "Катюша"), ([0x8A, 0xA0, 0xE2, 0xEE, 0xE8, 0xA0], "Катюша"),
            ([0xFF, 0xFE, 0x5A, 0, 0x6F, 0, 0xEB, 0], "Zoë"), ([0, 0x57, 0, 0x61, 0, 0x6C, 0, 0x6B], "Walk"),
            ([0x46, 0x9F, 0x72, 0x20, 0x5A, 0x6F, 0x91], "Für Zoë"),
            ([0x93, 0x57, 0x61, 0x6C, 0x6B, 0x94], "“Walk”"), ([0x4C, 0x8E, 0x52, 0x4D], "LÄRM"),
            ([0x47, 0x72, 0x81, 0xE1, 0x65], "Grüße"), (Array("Für Zo".utf8) + [0xC3], "Für Zo"),
        ] as [([UInt8], String)])
    func olderEncodings(name: [UInt8], title: String) throws { #expect(try song(named: name) == title) }

    // "さくら" in Python's shift_jis and euc_jp.
    @Test(
        "Kana that are not read give it the name of the file, and no letters that nobody wrote",
        arguments: [[0x82, 0xB3, 0x82, 0xAD, 0x82, 0xE7], [0xA4, 0xB5, 0xA4, 0xAF, 0xA4, 0xE9]] as [[UInt8]])
    func kana(name: [UInt8]) throws { #expect(try song(named: name) == "scan 17") }

    @Test("What of a file was left out is said, and nothing of one that is whole")
    func leftOut() throws {
        let whole = MIDIFileBytes.file(tracks: MIDIFileBytes.track(MIDIFileBytes.note(60), MIDIFileBytes.end))
        #expect(try ImportedSong(whole, name: nil).leftOut == nil)
        let riff = try ImportedSong(Array("RIFF....RMIDdata....".utf8) + whole, name: nil)
        #expect(riff.leftOut == nil && riff.song.notes.count == 1)
        let cut = try ImportedSong(Array(whole.dropLast()), name: nil)
        #expect(cut.leftOut?.english.contains("left out. Byte ") == true, "\(cut.leftOut?.english ?? "")")
    }

    // Python: text.encode of cp1250, cp1254, cp1253 and cp1257.
    @Test(
        "It may be in the letters of Prague, Istanbul, Athens or Vilnius",
        arguments: [
            (
                [0x50, 0xF8, 0xED, 0x6C, 0x69, 0x9A, 0x20, 0x9E, 0x6C, 0x75, 0x9D, 0x6F, 0x75, 0xE8, 0x6B, 0xFD],
                "Příliš žluťoučký"
            ),
            ([0xDE, 0x61, 0x72, 0x6B, 0xFD, 0x20, 0xE7, 0xFD, 0xF0], "Şarkı çığ"),
            ([0xC6, 0xEF, 0xF1, 0xEC, 0xF0, 0xDC, 0xF2], "Ζορμπάς"),
            ([0xC0, 0xFE, 0x75, 0x6F, 0x6C, 0xEB, 0x6C, 0x69, 0x73], "Ąžuolėlis"),
        ] as [([UInt8], String)])
    func otherCountries(bytes: [UInt8], title: String) throws { #expect(try song(named: bytes) == title) }

    @Test("A terminal is told in a sentence why a song was not taken")
    func refusedInTerminal() {
        let problem = Problem(.conflict, "No room", "There is no room for it.")
        #expect(ImportSongCommand.words(problem) == "There is no room for it. Nothing was changed.")
    }

    @Test("It may be in Latin 1, as old programs write it")
    func latin() throws { #expect(try song(named: [0x46, 0xFC, 0x72]) == "Für") }

    @Test(
        "Where the file has none, or what a program put in its place, it is called as the file is",
        arguments: ["", " ", "untitled", "Track 1", "Tempo Track", "17", "\u{7}"])
    func placeholder(name: String) throws { #expect(try song(named: Array(name.utf8)) == "scan 17") }

    @Test("The name of a later track is that of an instrument")
    func laterTrack() throws { #expect(try song(named: Array("Violin".utf8), inTrack: 1) == "scan 17") }

    @Test("The title that a person gives goes before both")
    func given() throws { #expect(try song(named: Array("Für Elise".utf8), title: "Elise") == "Elise") }
}
