/// The pieces of a Standard MIDI File (RP-001) as bytes.
enum MIDIFileBytes {
    /// A number in a given count of bytes, the highest first.
    static func number(_ value: Int, bytes: Int) -> [UInt8] {
        (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    /// A variable-length quantity of at least 0: seven bits a byte.
    static func length(_ value: Int) -> [UInt8] {
        var bytes = [UInt8(value & 0x7F)]
        var rest = value >> 7
        while rest > 0 {
            bytes.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
            rest >>= 7
        }
        return bytes
    }

    /// The header chunk.
    ///
    /// - Parameter division: ticks of a quarter.
    static func header(type: Int, tracks: Int, division: Int) -> [UInt8] {
        // "MThd".
        [0x4D, 0x54, 0x68, 0x64] + number(6, bytes: 4) + number(type, bytes: 2) + number(tracks, bytes: 2)
            + number(division, bytes: 2)
    }

    /// A track chunk.
    ///
    /// - Parameter events: each with the time since the one before.
    static func track(_ events: [UInt8]...) -> [UInt8] {
        let content = events.flatMap { $0 }
        // "MTrk".
        return [0x4D, 0x54, 0x72, 0x6B] + number(content.count, bytes: 4) + content
    }

    /// The end of a track.
    static let end: [UInt8] = [0, 0xFF, 0x2F, 0]

    /// A tempo, without its time.
    ///
    /// - Parameter microseconds: of a quarter.
    static func tempoEvent(_ microseconds: Int) -> [UInt8] { [0xFF, 0x51, 3] + number(microseconds, bytes: 3) }

    /// A time signature, without its time.
    ///
    /// - Parameter power: of two, the lower number.
    static func meterEvent(_ upper: UInt8, power: UInt8) -> [UInt8] { [0xFF, 0x58, 4, upper, power, 24, 8] }

    /// The name of the piece or of a track, without its time.
    static func nameEvent(_ name: [UInt8]) -> [UInt8] { [0xFF, 0x03] + length(name.count) + name }
}
