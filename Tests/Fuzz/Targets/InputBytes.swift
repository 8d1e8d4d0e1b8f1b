/// Takes numbers and runs of bytes from an input, for targets that are driven by deeds rather than by one text. What is
/// not there any more is nought.
package struct InputBytes {
    private var rest: ArraySlice<UInt8>

    package init(_ bytes: [UInt8]) { rest = bytes[...] }

    package var isEmpty: Bool { rest.isEmpty }

    package mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    package mutating func uint16() -> UInt16 { UInt16(byte()) | UInt16(byte()) << 8 }

    /// A number as life has them, or of the far ends: the first byte says which.
    package mutating func milliseconds() -> Int64 {
        let kind = byte()
        switch kind {
        case 0..<250: return Int64(kind) * Int64(byte())
        case 250: return Int64(uint16()) * 1_000
        case 251: return -Int64(uint16())
        case 252: return .max
        case 253: return .min
        case 254: return Int64(uint16()) << 40
        default: return -1
        }
    }

    /// So many bytes as the next byte says, at most `most`.
    package mutating func run(most: Int = 255) -> [UInt8] {
        let count = min(Int(byte()), most)
        let taken = rest.prefix(count)
        rest = rest.dropFirst(taken.count)
        return Array(taken)
    }

    /// All that is left.
    package mutating func remainder() -> [UInt8] {
        defer { rest = [] }
        return Array(rest)
    }
}
