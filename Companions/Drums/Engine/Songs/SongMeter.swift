import Wire

/// The metre of a song.
struct SongMeter {
    let beatsPerBar: UInt8
    /// The parts of a beat: 2, or 3 in compound metres.
    let beatDivision: UInt8
    /// The ticks of a whole note.
    let wholeTicks: Int32
    /// The note that has no length written: the lower number.
    let unit: Int32

    var barTicks: Int32 { Int32(beatsPerBar) * Int32(Song.ticksPerBeat) }

    /// Reads 3/4, 6/8 and so on: 1 to 16 over 2, 4 or 8. Over 8, numbers that can be divided by three and are more than
    /// three are counted in dotted quarters.
    init(_ line: inout SongLine) throws(SongTextError) {
        let start = line
        guard let upper = line.wholeNumber(), (1...16).contains(upper), line.take(UInt8(ascii: "/")),
            let lower = line.wholeNumber(), lower == 2 || lower == 4 || lower == 8, line.isAtEnd
        else { throw start.error(.meter) }
        let isCompound = lower == 8 && upper > 3 && upper % 3 == 0
        beatsPerBar = UInt8(clamping: isCompound ? upper / 3 : upper)
        beatDivision = isCompound ? 3 : 2
        wholeTicks = Int32(Song.ticksPerBeat) * lower / (isCompound ? 3 : 1)
        unit = lower
    }

    /// The ticks of a length such as `/8` or `/4.`, or of the metre's unit where none is written.
    func length(_ line: inout SongLine) throws(SongTextError) -> Int32 {
        let start = line
        guard line.take(UInt8(ascii: "/")) else { return wholeTicks / unit }
        guard let part = line.wholeNumber(), (1...64).contains(part), wholeTicks % part == 0 else {
            throw start.error(.length)
        }
        let ticks = wholeTicks / part
        guard line.take(UInt8(ascii: ".")) else { return ticks }
        guard ticks % 2 == 0 else { throw start.error(.length) }
        return ticks + ticks / 2
    }
}

/// A level as written in the song's text: bars that are played over and over.
struct SongPattern {
    let stepsPerBeat: Int
    private var steps: [Bool] = []

    /// Reads a pattern such as `2 | x... x... |`.
    init(_ line: inout SongLine, _ meter: SongMeter) throws(SongTextError) {
        let start = line
        guard let perBeat = line.wholeNumber(),
            meter.beatDivision == 3 ? perBeat == 1 || perBeat == 3 : [1, 2, 4].contains(perBeat)
        else { throw start.error(.pattern) }
        stepsPerBeat = Int(perBeat)
        let expected = Int(meter.beatsPerBar) * stepsPerBeat
        var inBar = 0
        line.skipSpaces()
        while let byte = line.next {
            let here = line
            _ = line.take(byte)
            switch byte {
            case UInt8(ascii: "x"), UInt8(ascii: "."):
                steps.append(byte == UInt8(ascii: "x"))
                inBar += 1
            case UInt8(ascii: "|"):
                if inBar > 0 { try Self.check(inBar, expected, here) }
                inBar = 0
            default: throw here.error(.pattern)
            }
            line.skipSpaces()
        }
        if inBar > 0 { try Self.check(inBar, expected, line) }
        guard steps.contains(true) else { throw start.error(.pattern) }
    }

    private static func check(_ steps: Int, _ expected: Int, _ line: SongLine) throws(SongTextError) {
        guard steps == expected else {
            throw line.error(.patternBar(steps: Int32(clamping: steps), expected: Int32(clamping: expected)))
        }
    }

    /// The chart of the pattern from the first bar line on to the end of a song.
    func chart(beats: Int, upbeatBeats: Int, tempo: [TempoChange]) -> Chart {
        var chart: [Bool] = []
        for step in 0..<beats * stepsPerBeat {
            let place = step - upbeatBeats * stepsPerBeat
            chart.append(place >= 0 && steps[place % steps.count])
        }
        return Song.chart(stepsPerBeat: UInt8(clamping: stepsPerBeat), steps: chart, tempo: tempo)
    }
}
