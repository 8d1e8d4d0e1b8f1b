import Testing

@testable import DrumsEngine

@Suite("Songs as text")
struct SongTextTests {
    static let head = "title: T\nmeter: 4/4\ntempo: 120\n"

    static func song(_ text: String) throws(SongTextError) -> Song {
        try Song.fromText(Array(text.utf8), id: Array("t".utf8))
    }

    @Test("Notes have pitches, lengths and places")
    func notes() throws {
        let song = try Self.song(Self.head + "| C4 F#4/8 Bb3/8 -/4 A4/4 |")
        #expect(song.notes.map(\.pitch) == [60, 66, 58, 69])
        #expect(song.notes.map(\.start) == [0, 480, 720, 1440])
        #expect(song.notes.map(\.length) == [480, 240, 240, 480])
        #expect(song.beats == 4)
    }

    @Test("Dots, ties and thirds of a beat")
    func lengths() throws {
        let song = try Self.song(Self.head + "| C4/4. D4/8~ D4/2 | E4/12 F4/12 G4/12 C4/2. |")
        #expect(song.notes.map(\.length) == [720, 1200, 160, 160, 160, 1440])
    }

    @Test("An upbeat begins as many beats before the bar line, with a rest where it is no whole number of them")
    func upbeat() throws {
        let whole = try Self.song(Self.head + "C4 D4 | E4/1 |")
        #expect(whole.upbeatBeats == 2)
        #expect(whole.notes.map(\.start) == [0, 480, 960])
        let part = try Self.song(Self.head + "C4/8 | E4/1 |")
        #expect(part.upbeatBeats == 1)
        #expect(part.notes.map(\.start) == [240, 480])
    }

    @Test("In 6/8 a beat is a dotted quarter")
    func compound() throws {
        let song = try Self.song("title: T\nmeter: 6/8\ntempo: 60\n| C4/4. D4/4 E4/8 | C4 C4 C4 C4 C4 C4 |")
        #expect(song.notes.prefix(3).map(\.start) == [0, 480, 800])
        #expect(song.beatsPerBar == 2 && song.beatDivision == 3 && song.beats == 4)
        #expect(song.milliseconds == 4_000)
    }

    @Test("A tempo change holds from its beat on")
    func tempoChange() throws {
        let song = try Self.song(Self.head + "| C4 C4 [tempo 60] C4 C4 |")
        #expect(song.tempo.map(\.step) == [0, 2])
        #expect(song.microseconds(atTick: 1_920) == 3_000_000)
        #expect(song.chart(.one).tempo.last?.microsecondsPerBeat == 1_000_000)
    }

    @Test("Repeats lie whole bars apart")
    func repeats() throws {
        let song = try Self.song(Self.head + "repeat: 2\nC4 | D4/1 | E4/2. |")
        #expect(song.notes.map(\.start) == [0, 480, 2_400, 3_840, 4_320, 6_240])
        #expect(song.beats == 16)
    }

    @Test("A written level is played over and over from the first bar line")
    func pattern() throws {
        let song = try Self.song(Self.head + "level 2: 2 | x... ..x. |\nC4 | C4/1 | C4/1 |")
        let chart = song.chart(.two)
        #expect(chart.stepsPerBeat == 2)
        #expect(chart.steps.indices.filter { chart.steps[$0] } == [2, 8, 10, 16])
    }

    @Test("Remarks, empty lines, tabs, line ends of Windows and a byte order mark are no matter")
    func leniency() throws {
        let song = try Self.song("\u{FEFF}# hello\r\n\r\ntitle:  A  song \r\nmeter: 4/4\r\ntempo: 90\r\n\t| C4/1 |\r\n")
        #expect(String(decoding: song.title, as: UTF8.self) == "A  song")
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var text: String
        var line: Int32
        var column: Int32
        var failure: SongTextFailure

        init(_ name: String, _ text: String, _ line: Int32, _ column: Int32, _ failure: SongTextFailure) {
            (testDescription, self.text, self.line, self.column, self.failure) = (name, text, line, column, failure)
        }
    }

    static let cases = [
        Case("nothing", "", 1, 1, .missing(.title)),
        Case("no metre", "title: T\ntempo: 90", 3, 1, .missing(.meter)),
        Case("no tempo", "title: T\nmeter: 3/4\n", 3, 1, .missing(.tempo)),
        Case("no notes", head, 4, 1, .noNotes),
        Case("an unknown field", "titel: T", 1, 1, .unknownField),
        Case("a field twice", "title: T\ntitle: U", 2, 1, .twice),
        Case("a year in letters", "year: then", 1, 7, .year),
        Case("a metre of 0", "meter: 0/4", 1, 8, .meter),
        Case("a metre in sixths", "meter: 3/6", 1, 8, .meter),
        Case("a tempo of 0", "tempo: 0", 1, 8, .tempo),
        Case("a tempo of a million", "tempo: 1000000", 1, 8, .tempo),
        Case("repeated a hundred times", "repeat: 100", 1, 12, .repeats),
        Case("notes before the metre", "title: T\nC4 D4", 2, 1, .notesTooEarly),
        Case("a letter that is no note", head + "| C4 H4 |", 4, 6, .symbol),
        Case("a note without an octave", head + "| C4 D |", 4, 6, .pitch),
        Case("a note above the piano", head + "| C4 D8 |", 4, 6, .pitch),
        Case("a seventh of a note", head + "| C4/7 |", 4, 5, .length),
        Case("a length of 0", head + "| C4/0 |", 4, 5, .length),
        Case("a bar of three beats", head + "| C4/1 | C4/2. | C4/1 |", 4, 16, .bar(ticks: 1_440, expected: 1_920)),
        Case("a bar of five beats", head + "| C4/1 C4 |", 4, 11, .bar(ticks: 2_400, expected: 1_920)),
        Case("a last bar of five beats", head + "| C4/1 | C4/1 C4\n", 5, 1, .bar(ticks: 2_400, expected: 1_920)),
        Case("a tie to another note", head + "| C4/2~ D4/2 |", 4, 9, .tie),
        Case("a tie to nothing", head + "| C4/1~ |", 5, 1, .tie),
        Case("a tempo within a beat", head + "| C4/8 [tempo 80] C4/8 C4/2. |", 4, 8, .tempoWithinBeat),
        Case(
            "a tempo within an upbeat of a beat and a half", head + "C4 [tempo 80] C4/8 | C4/1 |", 4, 20,
            .tempoWithinBeat),
        Case("a level without steps", "meter: 4/4\nlevel 1: x...", 2, 10, .pattern),
        Case("a level in thirds of 4/4", "meter: 4/4\nlevel 1: 3 xxx xxx xxx xxx", 2, 10, .pattern),
        Case("a level that asks for nothing", "meter: 4/4\nlevel 1: 1 ....", 2, 10, .pattern),
        Case(
            "a level with a short bar", "meter: 4/4\nlevel 1: 1 x... | x.. |", 2, 23, .patternBar(steps: 3, expected: 4)
        ),
        Case("columns count characters", "title: Ö\nmeter: 4/4\ntempo: 90\nß", 4, 1, .symbol),
        Case(
            "a title that is too long", "title: \(String(repeating: "x", count: 81))\nmeter: 4/4\ntempo: 90\nC4/1", 5,
            1, .song(.title)),
        Case("5,000 beats", head + String(repeating: "| C4/1 ", count: 1_250), 4, 7_175, .song(.beats)),
    ]

    @Test("What is wrong is named with its line and column", arguments: cases)
    func rejection(example: Case) {
        do throws(SongTextError) {
            _ = try Self.song(example.text)
            Issue.record("it was taken")
        } catch {
            #expect(error.failure == example.failure)
            #expect((error.line, error.column) == (example.line, example.column))
        }
    }

    @Test("Bytes that are no UTF-8, a zero byte, or a megabyte are refused")
    func noText() {
        for (bytes, failure) in [
            ([0x74, 0xFF], SongTextFailure.notText), ([0x74, 0x00], .notText),
            ([UInt8](repeating: 0x23, count: 1_000_000), .tooLong),
        ] {
            #expect(throws: SongTextError(line: 1, column: 1, failure: failure)) {
                try Song.fromText(bytes, id: [0x74])
            }
        }
    }
}
