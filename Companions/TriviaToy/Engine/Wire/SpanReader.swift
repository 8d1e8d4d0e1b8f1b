import Wire

/// A position in a span of bytes from which little-endian numbers are read; beyond the end it returns zeros and
/// remembers that.
struct SpanReader {
    private(set) var offset = 0
    private(set) var isCutOff = false

    func remaining(_ bytes: Span<UInt8>) -> Int { bytes.count - offset }

    mutating func uint8(_ bytes: Span<UInt8>) -> UInt8 {
        guard offset < bytes.count else {
            isCutOff = true
            return 0
        }
        offset += 1
        return bytes[offset - 1]
    }

    mutating func uint16(_ bytes: Span<UInt8>) -> UInt16 { UInt16(uint8(bytes)) | UInt16(uint8(bytes)) << 8 }
    mutating func uint32(_ bytes: Span<UInt8>) -> UInt32 { UInt32(uint16(bytes)) | UInt32(uint16(bytes)) << 16 }
}
