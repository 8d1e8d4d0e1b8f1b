/// The bytes of a Standard MIDI File, read with an eye on where they end.
struct MIDIFileReader {
    private let bytes: [UInt8]
    /// The offset of the next byte.
    var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var remaining: Int { bytes.count - offset }

    /// Whether the file begins with `MThd`.
    var startsWithHeader: Bool { bytes.starts(with: [0x4D, 0x54, 0x68, 0x64]) }

    func error(_ failure: MIDIFileFailure, at offset: Int? = nil) -> MIDIFileError {
        MIDIFileError(offset: offset ?? self.offset, failure: failure)
    }

    /// A byte ahead, which is known to be there.
    func peek(_ distance: Int) -> UInt32 { UInt32(bytes[offset + distance]) }

    /// A number of a given count of bytes, at most four, the highest first.
    mutating func number(bytes count: Int, _ failure: MIDIFileFailure) throws(MIDIFileError) -> Int {
        guard remaining >= count else { throw error(failure) }
        var value: UInt32 = 0
        for _ in 0..<count {
            value = value << 8 | UInt32(bytes[offset])
            offset += 1
        }
        // A number beyond 31 bits is a length, and longer than any file.
        return Int(Int32(clamping: value))
    }

    /// The head of a chunk: whether it is a track, and where it ends.
    mutating func chunk() throws(MIDIFileError) -> (isTrack: Bool, end: Int) {
        let start = offset
        guard remaining >= 8 else { throw error(.cutOff) }
        let isTrack = bytes[offset..<offset + 4].elementsEqual([0x4D, 0x54, 0x72, 0x6B])
        offset += 4
        let length = try number(bytes: 4, .cutOff)
        guard length <= remaining else { throw error(.cutOff, at: start + 4) }
        return (isTrack, offset + length)
    }

    mutating func byte(until end: Int) throws(MIDIFileError) -> UInt8 {
        guard offset < end else { throw error(.beyondTrack) }
        offset += 1
        return bytes[offset - 1]
    }

    /// A byte of a message's data, which is below 0x80.
    mutating func dataByte(until end: Int) throws(MIDIFileError) -> UInt8 {
        let byte = try byte(until: end)
        guard byte < 0x80 else { throw error(.status(byte), at: offset - 1) }
        return byte
    }

    /// A variable-length quantity: seven bits a byte, at most four bytes (RP-001, "Variable-length quantities").
    mutating func variableLength(until end: Int) throws(MIDIFileError) -> Int {
        let start = offset
        var value: Int32 = 0
        for _ in 0..<4 {
            let byte = try byte(until: end)
            value = value << 7 | Int32(byte & 0x7F)
            if byte < 0x80 { return Int(value) }
        }
        throw error(.number, at: start)
    }
}
