@testable import DrumsEngine

/// Whole files and events with their times, as wrong as a test wants them.
extension MIDIFileBytes {
    static func file(type: Int = 0, division: Int = 96, tracks: [UInt8]...) -> [UInt8] {
        header(type: type, tracks: tracks.count, division: division) + tracks.flatMap { $0 }
    }

    static func tempo(_ microseconds: Int, after delta: Int = 0) -> [UInt8] {
        length(delta) + tempoEvent(microseconds)
    }

    static func meter(_ upper: UInt8, power: UInt8) -> [UInt8] { [0] + meterEvent(upper, power: power) }

    /// A note with its end.
    static func note(
        _ pitch: UInt8, after delta: Int = 0, ticks: Int = 96, velocity: UInt8 = 90, channel: UInt8 = 0
    ) -> [UInt8] {
        length(delta) + [0x90 | channel, pitch, velocity] + length(ticks) + [0x80 | channel, pitch, 0]
    }
}
