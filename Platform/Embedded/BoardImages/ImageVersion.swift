import Wire

/// The version of an image, such as 1.2.0: three numbers of at most 65,535, compared from the first on.
public struct ImageVersion: Equatable, Comparable, Hashable, Sendable {
    /// The number of a version that changes what others rely on.
    public var major: UInt16
    /// The number of a version that adds.
    public var minor: UInt16
    /// The number of a version that mends.
    public var patch: UInt16

    /// A version by its numbers.
    public init(_ major: UInt16, _ minor: UInt16, _ patch: UInt16) {
        self.major = major
        self.minor = minor
        self.patch = patch
    }

    /// Reads a text such as `1.2.0`: three numbers without leading zeros, and not 0.0.0, which no image has; nil for another.
    public init?(_ text: Span<UInt8>) {
        self.init(0, 0, 0)
        var place = 0
        for part in 0..<3 {
            if part > 0 {
                guard place < text.count, text[place] == UInt8(ascii: ".") else { return nil }
                place += 1
            }
            let start = place
            var number: UInt32 = 0
            while place < text.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[place]), place - start < 5 {
                number = number * 10 + UInt32(text[place] - UInt8(ascii: "0"))
                place += 1
            }
            guard place > start, number <= 65_535, place - start == 1 || text[start] != UInt8(ascii: "0") else {
                return nil
            }
            switch part {
            case 0: major = UInt16(number)
            case 1: minor = UInt16(number)
            default: patch = UInt16(number)
            }
        }
        guard place == text.count, self != ImageVersion(0, 0, 0) else { return nil }
    }

    public static func < (left: ImageVersion, right: ImageVersion) -> Bool { left.number < right.number }

    private var number: UInt64 { UInt64(major) &<< 32 | UInt64(minor) &<< 16 | UInt64(patch) }

    /// Appends it as text.
    public func put(into sink: inout some ByteSink) {
        sink.put(decimal: Int64(major))
        sink.append(UInt8(ascii: "."))
        sink.put(decimal: Int64(minor))
        sink.append(UInt8(ascii: "."))
        sink.put(decimal: Int64(patch))
    }
}
