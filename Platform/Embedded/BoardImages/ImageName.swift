import Wire

/// The name of a board or of an image: 1 to 16 of the letters a to z, digits and hyphens, such as `plant-sensor`.
public struct ImageName: Equatable, Hashable, Sendable {
    /// The most bytes.
    public static var longest: Int { 16 }

    private var low: UInt64 = 0
    private var high: UInt64 = 0

    /// A name; nil for bytes that are none.
    public init?(_ text: Span<UInt8>) {
        guard (1...Self.longest).contains(text.count) else { return nil }
        for index in 0..<text.count {
            switch text[index] {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): break
            default: return nil
            }
            set(text[index], index)
        }
    }

    /// A name that stands in the code; nil for a text that is none.
    public init?(_ text: StaticString) {
        guard text.utf8CodeUnitCount <= Self.longest else { return nil }
        var bytes = InlineArray<16, UInt8>(repeating: 0)
        for index in 0..<text.utf8CodeUnitCount { bytes[index] = text.utf8Start[index] }
        self.init(bytes.span.extracting(0..<text.utf8CodeUnitCount))
    }

    /// Reads the 16 bytes of a header, of which those after the name are zero; nil for others.
    init?(padded bytes: Span<UInt8>) {
        var count = 0
        while count < bytes.count, bytes[count] != 0 { count += 1 }
        for index in count..<bytes.count where bytes[index] != 0 { return nil }
        self.init(bytes.extracting(0..<count))
    }

    private mutating func set(_ byte: UInt8, _ index: Int) {
        let shift = UInt64(index & 7) &* 8
        if index < 8 { low |= UInt64(byte) &<< shift } else { high |= UInt64(byte) &<< shift }
    }

    /// A byte of it; 0 after its end.
    public subscript(index: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: (index < 8 ? low : high) &>> (UInt64(index & 7) &* 8))
    }

    /// Appends its letters.
    public func put(into sink: inout some ByteSink) {
        for index in 0..<Self.longest where self[index] != 0 { sink.append(self[index]) }
    }
}
