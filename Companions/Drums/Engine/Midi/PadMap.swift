/// Which pad of a MIDI kit is which drum. A household hits each pad once to say so.
public struct PadMap: Sendable, Equatable {
    /// A drum's number for each of MIDI's 128 notes, ``none`` where a note means nothing.
    private var drums: [UInt8]
    private static let none: UInt8 = 0xFF
    private static let version: UInt8 = 1

    /// As General MIDI names the drums (General MIDI System Level 1, percussion key map): both snares red, the high toms
    /// orange, the middle ones blue, the floor toms yellow. The bass drum is for a foot, and means nothing.
    public init() {
        self = PadMap.empty
        for note: UInt8 in [38, 40] { assign(note: note, to: .red) }
        for note: UInt8 in [48, 50] { assign(note: note, to: .orange) }
        for note: UInt8 in [45, 47] { assign(note: note, to: .blue) }
        for note: UInt8 in [41, 43] { assign(note: note, to: .yellow) }
    }

    private init(drums: [UInt8]) { self.drums = drums }

    /// A map in which no pad means anything yet.
    public static let empty = PadMap(drums: [UInt8](repeating: none, count: 128))

    /// The drum that a note stands for.
    public func drum(ofNote note: UInt8) -> Drum? { note < 128 ? Drum(rawValue: drums[Int(note)]) : nil }

    /// Says what a note stands for from now on; several may stand for the same drum, as the rim and the head of a pad do.
    ///
    /// - Parameters:
    ///   - note: 0 to 127; another changes nothing.
    ///   - drum: nil for none.
    public mutating func assign(note: UInt8, to drum: Drum?) {
        guard note < 128 else { return }
        drums[Int(note)] = drum?.rawValue ?? Self.none
    }

    /// 130 bytes: the version, how many notes, and a drum or 255 for each.
    public var bytes: [UInt8] { [Self.version, 128] + drums }

    /// The map that these bytes are; nil where they are none.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 130, bytes[0] == Self.version, bytes[1] == 128 else { return nil }
        for byte in bytes.dropFirst(2) where byte > 3 && byte != Self.none { return nil }
        drums = Array(bytes.dropFirst(2))
    }
}
