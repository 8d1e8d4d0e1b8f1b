/// Writes Standard MIDI Files byte by byte, as wrong as a test wants them.
enum MIDIFileBytes {
    static func number(_ value: Int, bytes: Int) -> [UInt8] {
        (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    /// A variable-length quantity of RP-001.
    static func length(_ value: Int) -> [UInt8] {
        var bytes = [UInt8(value & 0x7F)]
        var rest = value >> 7
        while rest > 0 {
            bytes.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
            rest >>= 7
        }
        return bytes
    }

    static func header(type: Int, tracks: Int, division: Int) -> [UInt8] {
        Array("MThd".utf8) + number(6, bytes: 4) + number(type, bytes: 2) + number(tracks, bytes: 2)
            + number(division, bytes: 2)
    }

    static func track(_ events: [UInt8]...) -> [UInt8] {
        let content = events.flatMap { $0 }
        return Array("MTrk".utf8) + number(content.count, bytes: 4) + content
    }

    static func file(type: Int = 0, division: Int = 96, tracks: [UInt8]...) -> [UInt8] {
        header(type: type, tracks: tracks.count, division: division) + tracks.flatMap { $0 }
    }

    static let end: [UInt8] = [0, 0xFF, 0x2F, 0]

    static func tempo(_ microseconds: Int, after delta: Int = 0) -> [UInt8] {
        length(delta) + [0xFF, 0x51, 3] + number(microseconds, bytes: 3)
    }

    static func meter(_ upper: UInt8, power: UInt8) -> [UInt8] { [0, 0xFF, 0x58, 4, upper, power, 24, 8] }

    /// A note with its end.
    static func note(
        _ pitch: UInt8, after delta: Int = 0, ticks: Int = 96, velocity: UInt8 = 90, channel: UInt8 = 0
    ) -> [UInt8] {
        length(delta) + [0x90 | channel, pitch, velocity] + length(ticks) + [0x80 | channel, pitch, 0]
    }
}
