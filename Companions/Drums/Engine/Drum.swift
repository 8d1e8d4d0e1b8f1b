/// One of the kit's four drums, as the original numbers them on its wire.
public enum Drum: UInt8, Sendable, CaseIterable {
    case red = 0
    case orange, blue, yellow

    /// The side of the kit that it stands on as one sits before it: red and orange left, blue and yellow right.
    public var side: Side { self == .red || self == .orange ? .left : .right }
}

/// A side of the kit, and the hand that is asked to play it.
public enum Side: UInt8, Sendable, CaseIterable {
    case left = 0
    case right
}

/// A set of the four drums.
public struct DrumSet: OptionSet, Sendable, Equatable {
    /// Bit n is drum n.
    public let rawValue: UInt8

    /// Bits beyond the four drums mean nothing.
    public init(rawValue: UInt8) { self.rawValue = rawValue & 0xF }

    /// All four drums, which the original has active at first: `[1, 1, 1, 1]`.
    public static let all = DrumSet(rawValue: 0xF)

    /// Whether a drum is in the set.
    public func contains(_ drum: Drum) -> Bool { rawValue & (1 << drum.rawValue) != 0 }

    /// The number of drums in the set.
    public var count: Int { rawValue.nonzeroBitCount }

    /// The drum at a place in the set, in the order of the drums' numbers.
    public subscript(place: Int) -> Drum? {
        var left = place
        for drum in Drum.allCases where contains(drum) {
            if left == 0 { return drum }
            left -= 1
        }
        return nil
    }
}
