/// The drum of each pad of a MIDI kit. A household hits each pad once to assign it.
public struct PadMap: Sendable, Equatable {
    /// The drum's number for each of MIDI's 128 notes; ``none`` for a note without a drum.
    private var drums: [UInt8]
    private static let none: UInt8 = 0xFF
    private static let version: UInt8 = 1

    /// The map of General MIDI (General MIDI System Level 1, percussion key map): both snares red, the high toms
    /// orange, the middle ones blue, the floor toms yellow. The bass drum is for a foot, and has no drum here.
    public init() {
        self = PadMap.empty
        for note: UInt8 in [38, 40] { assign(note: note, to: .red) }
        for note: UInt8 in [48, 50] { assign(note: note, to: .orange) }
        for note: UInt8 in [45, 47] { assign(note: note, to: .blue) }
        for note: UInt8 in [41, 43] { assign(note: note, to: .yellow) }
    }

    private init(drums: [UInt8]) { self.drums = drums }

    /// A map without any drums.
    public static let empty = PadMap(drums: [UInt8](repeating: none, count: 128))

    /// The drum of a note.
    public func drum(ofNote note: UInt8) -> Drum? { note < 128 ? Drum(rawValue: drums[Int(note)]) : nil }

    /// Assigns a drum to a note; several notes may have the same drum, as the rim and the head of a pad do.
    ///
    /// - Parameters:
    ///   - note: 0 to 127; another changes nothing.
    ///   - drum: nil for none.
    public mutating func assign(note: UInt8, to drum: Drum?) {
        guard note < 128 else { return }
        drums[Int(note)] = drum?.rawValue ?? Self.none
    }

    /// The map as 130 bytes: the version, the number of notes, and a drum or 255 for each.
    public var bytes: [UInt8] { [Self.version, 128] + drums }

    /// The map of these bytes; nil if they are not a map.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 130, bytes[0] == Self.version, bytes[1] == 128 else { return nil }
        for byte in bytes.dropFirst(2) where byte > 3 && byte != Self.none { return nil }
        drums = Array(bytes.dropFirst(2))
    }
}
