/// The bars that a file's accents tell where its time signatures do not.
///
/// abc2midi writes no metre for an upbeat, and makes the first note of each bar louder than all others (105 against 95 and 80:
/// its guide, `%%MIDI beat`). So programs write and not people, whose loudest notes are a few, and anywhere.
extension MIDIFile {
    /// The fewest bars whose first note is loud.
    private static let fewestAccents = 4

    /// The ticks before the first bar line, where every loudest note but the very first begins a bar, each bar's first note is one
    /// of them, and something comes before the first bar line; 0 where accents say nothing of the kind.
    ///
    /// - Parameter bar: the ticks of a bar.
    func accentedUpbeat(bar: Int64) -> Int64 {
        let percussion: UInt8 = 9
        var (loudest, first): (UInt8, Int64) = (0, .max)
        for note in notes where note.channel != percussion {
            loudest = max(loudest, note.velocity)
            first = min(first, note.start)
        }
        // Twelfths of a quarter: abc2midi's notes come a tick late.
        let grain = max(division / 12, 1)
        func place(_ tick: Int64) -> Int64 { (tick + grain / 2) / grain * grain % bar }
        guard bar > grain, first < bar else { return 0 }
        var (upbeat, last, accents, others): (Int64?, Int64, Int, Int) = (nil, -1, 0, 0)
        for note in notes where note.channel != percussion && note.start > first && note.velocity == loudest {
            if let upbeat, upbeat != place(note.start) { return 0 }
            upbeat = place(note.start)
            if note.start - last > grain { accents += 1 }
            last = note.start
        }
        guard let upbeat, upbeat > place(first), accents >= Self.fewestAccents else { return 0 }
        for note in notes where note.channel != percussion && note.velocity < loudest {
            if place(note.start) == upbeat { return 0 }
            others += 1
        }
        return others > accents / 2 ? upbeat : 0
    }
}
