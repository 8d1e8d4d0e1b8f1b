import BrushingEngine
import VectorLines
import Wire

/// The commands of a vector file that are about one session.
struct SessionVector {
    private var id: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]
    private var person: [UInt8] = [0x6D, 0x69, 0x6C, 0x61]
    private var routine = Routine.original
    private var session: BrushingSession?
    /// The clocks that the loops drive.
    private var now = Instant(wall: 0, monotonic: 0)

    mutating func answer(_ command: Span<UInt8>, _ arguments: VectorLine, _ text: inout TextWriter) -> Bool {
        if let input = Self.input(command) { return handle(input, arguments, &text) }
        return routine(command, arguments, &text) || loop(command, arguments, &text)
            || bytes(command, arguments, &text)
    }

    private static func input(_ command: Span<UInt8>) -> SessionInput? {
        if matches(command, "tick") { return .tick }
        if matches(command, "pause") { return .pause }
        if matches(command, "resume") { return .resume }
        if matches(command, "skip") { return .skip }
        if matches(command, "stop") { return .stop }
        if matches(command, "finish") { return .finish }
        if matches(command, "opened") { return .opened }
        if matches(command, "seen") { return .seen }
        return nil
    }

    // MARK: - Routines

    private mutating func routine(
        _ command: Span<UInt8>, _ arguments: VectorLine, _ text: inout TextWriter
    ) -> Bool {
        if matches(command, "preset") {
            guard let minutes = arguments.count(1), let preset = Routine.preset(minutes: minutes) else {
                return text.refuse()
            }
            routine = preset
        } else if matches(command, "routine") {
            guard let bytes = arguments.hex(1) else { return text.refuse() }
            do throws(RoutineError) {
                routine = try Routine(bytes: bytes)
            } catch {
                text.write("fault ", Int64(error.rawValue))
                return true
            }
        } else {
            return false
        }
        text.write(hex: routine.bytes)
        text.write(" planned ", routine.plannedMilliseconds)
        let segments = routine.segments
        text.write(" segments ", Int64(segments.count))
        if segments.contains(where: { $0.place != $0.repetition - 1 }) {
            text.write(" places ")
            for segment in segments { text.write(Int64(segment.place)) }
        }
        return true
    }

    // MARK: - Inputs

    private mutating func handle(
        _ input: SessionInput, _ arguments: VectorLine, _ text: inout TextWriter
    ) -> Bool {
        guard let wall = arguments.integer(1), let monotonic = arguments.integer(2), session != nil else {
            return text.refuse()
        }
        now = Instant(wall: wall, monotonic: monotonic)
        let output = session?.handle(input, at: now) ?? []
        write(output, &text)
        text.write(" | ")
        write(view: &text)
        return true
    }

    /// Encodes, decodes and continues the session, in a page whose clock begins at `monotonic`.
    private mutating func reload(monotonic: Int64) {
        now.monotonic = monotonic
        guard let bytes = session?.encoded() else { return }
        do throws(SessionCodecError) {
            var decoded = try BrushingSession.decoded(bytes)
            _ = decoded.handle(.opened, at: now)
            session = decoded
        } catch {
            session = nil
        }
    }

    private mutating func loop(
        _ command: Span<UInt8>, _ arguments: VectorLine, _ text: inout TextWriter
    ) -> Bool {
        if matches(command, "begin") {
            guard let wall = arguments.integer(1), let monotonic = arguments.integer(2),
                let offset = arguments.integer(3, as: Int16.self)
            else { return text.refuse() }
            do throws(SessionCodecError) {
                var begun = try BrushingSession(id: id, person: person, utcOffsetMinutes: offset, routine: routine)
                now = Instant(wall: wall, monotonic: monotonic)
                write(begun.handle(.start, at: now), &text)
                session = begun
                text.write(" | ")
                write(view: &text)
            } catch {
                write(error, &text)
            }
        } else if matches(command, "ticks") {
            // So many, that many milliseconds apart by both clocks.
            guard let count = arguments.count(1), let step = arguments.count(2), session != nil else {
                return text.refuse()
            }
            for _ in 0..<count {
                now = Instant(
                    wall: now.wall.plusClamped(Int64(step)), monotonic: now.monotonic.plusClamped(Int64(step)))
                _ = session?.handle(.tick, at: now)
            }
            write(view: &text)
        } else if matches(command, "pauses") {
            // So many times: a second, a pause of a second.
            guard let count = arguments.count(1), session != nil else { return text.refuse() }
            for round in 0..<(2 * count) {
                now = Instant(wall: now.wall.plusClamped(1_000), monotonic: now.monotonic.plusClamped(1_000))
                _ = session?.handle(round % 2 == 0 ? .pause : .resume, at: now)
            }
            write(view: &text)
        } else if matches(command, "jumps") {
            // So many ticks, a second apart by the clock that is right; the other is an hour off and back.
            guard let count = arguments.count(1), session != nil else { return text.refuse() }
            for round in 0..<count {
                now.monotonic = now.monotonic.plusClamped(1_000)
                now.wall = now.wall.plusClamped(round % 2 == 0 ? 3_601_000 : -3_599_000)
                _ = session?.handle(.tick, at: now)
            }
            write(view: &text)
        } else if matches(command, "reload-each-second") {
            // So many times: a second passes, and a new page takes the session up.
            guard let count = arguments.count(1), session != nil else { return text.refuse() }
            for round in 0..<count {
                now.wall = now.wall.plusClamped(1_000)
                reload(monotonic: Int64(round % 7) * 100)
            }
            write(view: &text)
        } else if matches(command, "reload") {
            guard let wall = arguments.integer(1), let monotonic = arguments.integer(2), session != nil else {
                return text.refuse()
            }
            now.wall = wall
            reload(monotonic: monotonic)
            write(view: &text)
        } else {
            return false
        }
        return true
    }

    // MARK: - Bytes

    private mutating func bytes(
        _ command: Span<UInt8>, _ arguments: VectorLine, _ text: inout TextWriter
    ) -> Bool {
        if matches(command, "result") {
            guard let session else { return text.refuse() }
            write(session, &text)
        } else if matches(command, "events") {
            guard let session else { return text.refuse() }
            text.write(Int64(session.events.count))
        } else if matches(command, "blob") {
            guard let session else { return text.refuse() }
            text.write(hex: session.encoded())
        } else if matches(command, "decode") {
            guard let bytes = arguments.hex(1) else { return text.refuse() }
            do throws(SessionCodecError) {
                let decoded = try BrushingSession.decoded(bytes)
                session = decoded
                text.write(decoded.encoded() == bytes ? "fine: " : "other bytes: ")
                write(decoded, &text)
            } catch {
                write(error, &text)
            }
        } else if matches(command, "crc") {
            guard let bytes = arguments.hex(1) else { return text.refuse() }
            text.write(Int64(crc32(bytes[...])))
        } else {
            return text.write(cuts: command, of: session?.encoded()) { (bytes) throws(SessionCodecError) in
                try BrushingSession.decoded(bytes)
            }
        }
        return true
    }

    // MARK: - Words

    private func write(_ error: SessionCodecError, _ text: inout TextWriter) {
        text.write("error ", Int64(error.number))
        if let event = error.event { text.write(" at ", Int64(event)) }
        if case .routine(let failure) = error { text.write(" fault ", Int64(failure.rawValue)) }
        if case .seal(.newerVersion(let version)) = error { text.write(" version ", Int64(version)) }
    }

    private func write(_ output: SessionOutput, _ text: inout TextWriter) {
        if output.contains(.ignored) {
            text.write("ignored")
        } else {
            text.write(output.contains(.recorded) ? "recorded" : "looked")
        }
        if output.contains(.repetitionChanged) { text.write(" repetition") }
        if output.contains(.stepChanged) { text.write(" step") }
        if output.contains(.ended) { text.write(" ended") }
    }

    private func write(view text: inout TextWriter) {
        guard let view = session?.view else {
            text.write("no session")
            return
        }
        text.write(Int64(view.segmentIndex))
        text.write(": step ", Int64(view.stepIndex))
        write(view.kind, &text)
        text.write(" ", Int64(view.repetition))
        text.write("/", Int64(view.repetitions))
        text.write(" left ", view.remainingMilliseconds)
        text.write(" fraction ", view.fraction)
        text.write(" elapsed ", view.elapsedMilliseconds)
        text.write("/", view.plannedMilliseconds)
        if view.isPaused { text.write(" paused") }
        if view.isDone { text.write(" done") }
    }

    private func write(_ session: BrushingSession, _ text: inout TextWriter) {
        let result = session.result
        text.write(result.startedAt)
        text.write("...", result.endedAt)
        text.write(" brush ", result.brushMilliseconds)
        text.write(" floss ", result.flossMilliseconds)
        text.write(" rinse ", result.rinseMilliseconds)
        text.write(" paused ", result.pausedMilliseconds)
        text.write(" skipped ", Int64(result.skipped))
        if result.isComplete { text.write(" complete") }
        if result.counts { text.write(" counts") }
        switch session.end {
        case nil: text.write(" running")
        case .finished: text.write(" finished")
        case .stopped: text.write(" stopped")
        case .left: text.write(" left")
        }
        if session.claim != nil { text.write(session.claimDiffers ? " claims another" : " claims the same") }
    }

    private func write(_ kind: RoutineStep.Kind, _ text: inout TextWriter) {
        switch kind {
        case .brush: text.write(" brush")
        case .floss: text.write(" floss")
        case .rinse: text.write(" rinse")
        }
    }
}
