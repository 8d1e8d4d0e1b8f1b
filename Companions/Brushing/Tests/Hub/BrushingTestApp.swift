import BrushingEngine
import HubInstruments

@testable import BrushingHub

/// A hub with the Brushing companion, and sessions for it.
typealias BrushingTestApp = CompanionTestApp<Brushing>

extension BrushingTestApp {
    var brushing: Brushing { companion }

    /// A session as a phone records it: the whole routine from `at` on, or as much of it as `seconds` say.
    static func recorded(
        _ person: String, at: Int64, id: UInt8 = 1, routine: Routine = .original, seconds: Int64? = nil,
        utcOffsetMinutes: Int16 = 60
    ) throws -> BrushingSession {
        var bytes = [UInt8](repeating: 0, count: 16)
        bytes[0] = id
        for (index, byte) in person.utf8.prefix(6).enumerated() { bytes[1 + index] = byte }
        // Sessions of other times are other sessions.
        for index in 0..<8 { bytes[8 + index] = UInt8(truncatingIfNeeded: at >> Int64(8 * index)) }
        var session = try BrushingSession(
            id: bytes, person: Array(person.utf8), utcOffsetMinutes: utcOffsetMinutes, routine: routine)
        func moment(_ milliseconds: Int64) -> BrushingEngine.Instant {
            .init(wall: at + milliseconds, monotonic: 5_000 + milliseconds)
        }
        _ = session.handle(.start, at: moment(0))
        if let seconds {
            _ = session.handle(.stop, at: moment(seconds * 1_000))
        } else {
            _ = session.handle(.tick, at: moment(routine.plannedMilliseconds))
        }
        _ = session.handle(.finish, at: moment((seconds ?? routine.plannedMilliseconds / 1_000) * 1_000 + 500))
        return session
    }
}
