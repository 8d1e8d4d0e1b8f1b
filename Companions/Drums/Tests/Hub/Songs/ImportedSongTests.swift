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
