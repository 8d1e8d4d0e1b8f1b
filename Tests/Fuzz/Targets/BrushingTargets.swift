import BrushingEngine
import Wire

extension FuzzTarget {
    static var brushing: [FuzzTarget] {
        [
            FuzzTarget("brushing-codec", seeds: sessionBytes) { bytes throws(BrokenProperty) in
                try checkSession(bytes)
                try checkGrowing(bytes)
            },
            FuzzTarget("brushing-live", longestInput: 1_024, seeds: [[1, 6, 0, 0, 0, 0, 1, 9, 9, 9, 9, 2, 9, 9, 5, 1]])
            {
                bytes throws(BrokenProperty) in try playSession(bytes)
            },
            FuzzTarget("brushing-progress", longestInput: 512, seeds: [BrushingProgress(perDay: 2).bytes]) {
                bytes throws(BrokenProperty) in try checkProgress(bytes)
            },
        ]
    }

    private static func session(_ routine: Routine) -> BrushingSession? {
        try? BrushingSession(id: Array(1...16), person: Array("theo".utf8), utcOffsetMinutes: 60, routine: routine)
    }

    /// Sessions of more and more events.
    private static var sessionBytes: [[UInt8]] {
        guard var session = session(.original) else { return [] }
        var seeds: [[UInt8]] = []
        var now = Instant(wall: 1_795_244_400_000, monotonic: 0)
        for input: SessionInput in [.start, .pause, .resume, .skip, .opened, .tick, .finish] {
            _ = session.handle(input, at: now)
            seeds.append(session.encoded())
            now = Instant(wall: now.wall + 9_000, monotonic: now.monotonic + 9_000)
        }
        return seeds
    }

    /// Bytes that a device appended: what is whole of them is a session, which is written as far as it was read.
    private static func checkGrowing(_ bytes: [UInt8]) throws(BrokenProperty) {
        _ = try? BrushingSession.beginning(of: bytes)
        guard let session = try? BrushingSession.decoded(bytes, isComplete: false) else { return }
        try require(bytes.starts(with: session.encoded()), "a session is given back as far as it is whole")
    }

    /// A session that is read is written as it was, and whatever happens next it stays within its bounds.
    private static func checkSession(_ bytes: [UInt8]) throws(BrokenProperty) {
        var session: BrushingSession
        do throws(SessionCodecError) {
            session = try BrushingSession.decoded(bytes)
        } catch {
            return try require((1...16).contains(error.number), "an error has its number")
        }
        try require(session.encoded() == bytes, "a session is written as it was read")
        try checkBounds(session)
        for input in SessionInput.allCases { _ = session.handle(input, at: Instant(wall: .max, monotonic: .min)) }
        _ = session.handle(.tick, at: Instant(wall: .min, monotonic: .max))
        try checkBounds(session)
    }

    private static func checkBounds(_ session: BrushingSession) throws(BrokenProperty) {
        let view = session.view, result = session.result
        try require(result.milliseconds == view.elapsedMilliseconds, "the result is what the screen says")
        try require(view.elapsedMilliseconds <= view.plannedMilliseconds, "no more is done than was planned")
        try require(view.remainingMilliseconds >= 0, "no less than nothing remains")
        try require(result.endedAt >= result.startedAt, "it ends after it began")
        try require(session.events.count <= BrushingSession.Limits.events, "events are bounded")
    }

    /// Whatever is done to a session, its bytes play through to the same result.
    private static func playSession(_ input: [UInt8]) throws(BrokenProperty) {
        var input = InputBytes(input)
        let routines = [Routine.original] + [1, 2, 3].compactMap { Routine.preset(minutes: $0) }
        guard var session = session(routines[Int(input.byte()) % routines.count]) else { return }
        var now = Instant(wall: 1_795_244_400_000, monotonic: 0)
        while !input.isEmpty {
            let number = input.byte()
            guard let deed = SessionInput(rawValue: number % 16) else {
                // The clocks go apart.
                if number & 0x80 == 0 {
                    now.wall = now.wall.plusClamped(input.milliseconds())
                } else {
                    now.monotonic = now.monotonic.plusClamped(input.milliseconds())
                }
                continue
            }
            let step = input.milliseconds()
            now = Instant(wall: now.wall.plusClamped(step), monotonic: now.monotonic.plusClamped(step))
            let output = session.handle(deed, at: now)
            try checkBounds(session)
            guard output.contains(.recorded) else { continue }
            let again = try succeeds("what was recorded is read") { () throws(SessionCodecError) in
                try BrushingSession.decoded(session.encoded())
            }
            try require(again.result == session.result, "it plays through to the same result")
            try require(again.view == session.view, "it plays through to the same screen")
            try require(!again.claimDiffers, "its own claim is right")
        }
    }

    /// Progress and routines are read as they were written, and counting on keeps them in their bounds.
    private static func checkProgress(_ bytes: [UInt8]) throws(BrokenProperty) {
        if let routine = try? Routine(bytes: bytes) {
            try require(routine.bytes == bytes, "a routine is written as it was read")
            try require(routine.plannedMilliseconds > 0, "a routine takes time")
        }
        var input = InputBytes(bytes)
        guard var progress = BrushingProgress(bytes: bytes) ?? BrushingProgress(bytes: Array(bytes.dropLast(8))) else {
            return
        }
        try require(BrushingProgress(bytes: progress.bytes) == progress, "progress is read as it was written")
        for _ in 0..<8 {
            let day = Int32(truncatingIfNeeded: input.milliseconds())
            progress.freeze(day)
            _ = progress.record(
                day: day &- 1, isMorning: day % 2 == 0, counts: true, milliseconds: input.milliseconds())
            progress.advance(to: day)
            try require((0...100).contains(progress.habitPercent), "habit is a percentage")
        }
    }
}
