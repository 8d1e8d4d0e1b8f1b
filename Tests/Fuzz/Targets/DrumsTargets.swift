import DrumsEngine
import Wire

extension FuzzTarget {
    static var drums: [FuzzTarget] {
        [
            FuzzTarget(
                "song-text",
                dictionary: [
                    "title: ", "meter: 4/4", "tempo: 120", "repeat: 2", "composer: ", "level 1: 2 | x... ..x. |",
                    "| C4 ", "[tempo 90]", "F#4/8", "Bb3/4.", "~", "-/2", "year: 1857", "upbeat",
                ],
                seeds: songTexts
            ) { bytes throws(BrokenProperty) in
                if let song = try? Song.fromText(bytes, id: [0x74]) { try checkSong(song) }
            },
            FuzzTarget(
                "midi-file", longestInput: 8_192,
                dictionary: [
                    "MThd\\x00\\x00\\x00\\x06", "MTrk", "\\xff\\x2f\\x00", "\\xff\\x51\\x03", "\\xff\\x58\\x04",
                    "\\x90",
                ],
                seeds: [midiFile]
            ) { bytes throws(BrokenProperty) in
                if let song = try? Song.fromMIDI(bytes, id: [0x6D], title: [0x6D]) { try checkSong(song) }
            },
            FuzzTarget("song-codec", seeds: songTexts.compactMap { songBytes($0) }) { bytes throws(BrokenProperty) in
                try checkSongBytes(bytes)
                var sealed = bytes
                Seal.close(&sealed)
                try checkSongBytes(sealed)
            },
            FuzzTarget("drums-codec", seeds: drumSessionBytes) { bytes throws(BrokenProperty) in
                try checkDrumSession(bytes)
                try checkGrowing(bytes)
            },
            FuzzTarget(
                "drums-kit", longestInput: 1_024, dictionary: ["END\\x00", "0 1 3 1 2 1450 320.00", "-1.00", " 1450 "],
                seeds: [[0, 2, 2, 9] + Array("2 1450 320.00\0".utf8) + [9, 3] + Array("END\0".utf8)]
            ) { bytes throws(BrokenProperty) in try playDrums(bytes) },
            FuzzTarget("midi-live", longestInput: 512, seeds: [[0x80, 0x80, 0x99, 38, 90, 0x81, 0x89, 38, 0]]) {
                bytes throws(BrokenProperty) in try checkLiveMIDI(bytes)
            },
        ]
    }

    private static var songTexts: [[UInt8]] {
        let head = "title: T\nmeter: 4/4\ntempo: 120\n"
        return [
            head + "| C4 F#4/8 Bb3/8 -/4 A4/4 |",
            head + "level 1: 2 | x... ..x. |\nC4/8 | C4~ C4/8 D4/8 [tempo 90] E4/2 | F#4/1 | -/2. |",
            "title: T\ncomposer: C\nyear: 1857\nsource: S\nmeter: 6/8\ntempo: 60\nrepeat: 2\n| C4/4. D4/4 E4/8 |",
        ].map { Array($0.utf8) }
    }

    private static func songBytes(_ text: [UInt8]) -> [UInt8]? {
        (try? Song.fromText(text, id: [0x74])).map { $0.encoded().dropLast(4) }
    }

    /// Two tracks: a tempo, and four quarters of which the last is a drum.
    private static var midiFile: [UInt8] {
        func track(_ events: [UInt8]) -> [UInt8] {
            Array("MTrk".utf8) + [0, 0, 0, UInt8(events.count)] + events
        }
        let tempo: [UInt8] = [0, 0xFF, 0x51, 3, 7, 0xA1, 0x20, 0, 0xFF, 0x58, 4, 3, 2, 24, 8, 0, 0xFF, 0x2F, 0]
        let notes: [UInt8] = [60, 62, 64].flatMap { [0, 0x90, $0, 90, 96, 0x80, $0, 0] }
        let drum: [UInt8] = [0, 0x99, 38, 90, 96, 0x89, 38, 0, 0, 0xFF, 0x2F, 0]
        return Array("MThd".utf8) + [0, 0, 0, 6, 0, 1, 0, 2, 0, 96] + track(tempo) + track(notes + drum)
    }

    private static func checkSong(_ song: Song) throws(BrokenProperty) {
        let bytes = song.encoded()
        let again = try succeeds("a song's own bytes are read") { () throws(SongCodecError) in
            try Song.decoded(bytes)
        }
        try require(again == song, "a song is read as it was written")
        try require(song.notes.count <= Song.Limits.notes, "notes are bounded")
        try require(song.charts.allSatisfy { $0.steps.count <= DrumSession.Limits.steps }, "charts are bounded")
    }

    private static func checkSongBytes(_ bytes: [UInt8]) throws(BrokenProperty) {
        guard let song = try? Song.decoded(bytes) else { return }
        try require(song.encoded() == bytes, "a song is written as it was read")
        try checkSong(song)
    }

    private static func setup(_ link: LinkKind, _ mode: PlayMode) -> SessionSetup {
        SessionSetup(
            id: Array(1...16), person: Array("mila".utf8), utcOffsetMinutes: 60, songID: Array("ode".utf8),
            songTitle: Array("Ode".utf8),
            chart: Chart(
                stepsPerBeat: 1, tempo: [TempoChange(step: 0, microsecondsPerBeat: 500_000)],
                steps: Array(repeating: true, count: 6)),
            level: .one, mode: mode, hands: .both, drums: .all, seed: 42, link: link, countInBeats: 0,
            window: .initial, leadMilliseconds: 600, stop: StopRules())
    }

    private static var drumSessionBytes: [[UInt8]] {
        guard var session = try? DrumSession(setup: setup(.bluetooth, .wait)) else { return [] }
        var seeds: [[UInt8]] = []
        let inputs: [SessionInput] = [
            .start(wall: 1_795_244_400_000), .cueShown(step: 0), .message(Array("2 450 3.20\0".utf8)),
            .message(Array("END\0".utf8)), .pause, .resume, .linkLost, .linkBack(.wifi, latencyTenths: 30),
            .opened(wall: 1_795_244_500_000), .stop, .finish,
        ]
        for (number, input) in inputs.enumerated() {
            _ = session.handle(input, atMicroseconds: Int64(number) * 300_000)
            seeds.append(session.encoded())
        }
        return seeds
    }

    /// Bytes that a device appended: what is whole of them is a session, which is written as far as it was read.
    private static func checkGrowing(_ bytes: [UInt8]) throws(BrokenProperty) {
        _ = try? SessionBeginning(bytes)
        guard let session = try? DrumSession.decoded(bytes, isComplete: false) else { return }
        try require(bytes.starts(with: session.encoded()), "a session is given back as far as it is whole")
    }

    /// A session that is read is written as it was; whatever comes next, it can be asked for everything.
    private static func checkDrumSession(_ bytes: [UInt8]) throws(BrokenProperty) {
        var session: DrumSession
        do throws(SessionCodecError) {
            session = try DrumSession.decoded(bytes)
        } catch {
            return try require((1...19).contains(error.number), "an error has its number")
        }
        try require(session.encoded() == bytes, "a session is written as it was read")
        _ = (session.claimDiffers, session.wallMilliseconds(ofEvent: .max - 1), session.upcoming(.max))
        for count in session.unjudgedCounts.prefix(8) {
            _ = (session.result(after: count), session.isPlayed(after: count), session.isTakenUp(after: count))
        }
        try require(session.commonBeginning(with: session) == session.events.count, "it begins like itself")
        for time in [Int64.min, 0, .max] {
            for input: SessionInput in [
                .tick, .opened(wall: time), .resume, .pause, .cueShown(step: .max), .linkLost, .message([]),
                .linkBack(.wifi, latencyTenths: .max), .imported(step: .min, text: []), .closed(wall: time), .finish,
            ] {
                _ = session.handle(input, atMicroseconds: time)
                _ = (session.view, session.result, session.songMicroseconds(atMicroseconds: time))
            }
        }
        try require(session.encoded().count <= DrumSession.Limits.bytes, "its bytes are bounded")
    }

    /// A kit that sends anything: the session stays bounded, and its bytes play through to the same result.
    private static func playDrums(_ input: [UInt8]) throws(BrokenProperty) {
        var input = InputBytes(input)
        let link = LinkKind.allCases[Int(input.byte()) % LinkKind.allCases.count]
        guard var session = try? DrumSession(setup: setup(link, input.byte() % 2 == 0 ? .wait : .flow)) else { return }
        var now: Int64 = 0
        _ = session.handle(.start(wall: 1_795_244_400_000), atMicroseconds: now)
        while !input.isEmpty {
            let deed = input.byte()
            now = now.plusClamped(input.milliseconds() &* 1_000)
            let view = session.view
            let next: SessionInput =
                switch deed % 12 {
                case 0...3: .message(input.run(most: 24))
                case 4: .cueShown(step: view.cueStep ?? Int(input.byte()))
                case 5: .strike(view.cueDrum ?? .red, velocity: input.byte(), link: link)
                case 6: .pause
                case 7: .resume
                case 8: .linkLost
                case 9: .linkBack(link, latencyTenths: input.uint16())
                case 10: .opened(wall: session.result.endedAt.plusClamped(input.milliseconds()))
                default: .tick
                }
            guard session.handle(next, atMicroseconds: now).contains(.recorded) else { continue }
            try require(session.events.count <= DrumSession.Limits.events, "events are bounded")
            let again = try succeeds("what was recorded is read") { () throws(SessionCodecError) in
                try DrumSession.decoded(session.encoded())
            }
            try require(session.isContinuation(of: again), "a session goes on from its own bytes")
        }
        // Until then somebody may have looked further than the last event, which the bytes do not tell.
        _ = session.handle(.finish, atMicroseconds: now)
        try require(session.claim != nil, "whatever was sent, it can be finished")
        let again = try succeeds("a finished session is read") { () throws(SessionCodecError) in
            try DrumSession.decoded(session.encoded())
        }
        try require(again.result == session.result, "it plays through to the same result")
        try require(again.beats == session.beats, "it plays through to the same beats")
        try require(!again.claimDiffers, "its own claim is right")
    }

    /// Live MIDI, whole and in packets of Bluetooth, gives nothing but strokes that there are.
    private static func checkLiveMIDI(_ input: [UInt8]) throws(BrokenProperty) {
        var whole = MIDIStream(), pieces = MIDIStream(), packets = BluetoothMIDI(), clock = BluetoothMIDIClock()
        var strokes = whole.strokes(in: input)
        let inPieces = input.compactMap { pieces.handle($0) }
        try require(strokes == inPieces, "strokes are the same in pieces")
        strokes += packets.strokes(in: input)
        var arrival = 0.0
        for stroke in strokes {
            arrival += Double(stroke.note) * 40
            try require(stroke.note < 128 && (1...127).contains(stroke.velocity) && stroke.channel < 16, "\(stroke)")
            let time = clock.time(ofTimestamp: stroke.timestamp, arrival: arrival)
            try require(time <= arrival && time > arrival - 1_000, "a stroke was up to a second ago")
        }
        if let map = PadMap(bytes: input) { try require(map.bytes == input, "a map is written as it was read") }
        if let message = KitMessage(text: input) {
            try require(!message.wrong.contains(message.drum), "the right drum is not among the wrong ones")
        }
    }
}
