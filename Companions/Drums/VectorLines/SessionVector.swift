import DrumsEngine
import VectorLines
import Wire

/// The commands of a vector file that are about one session.
struct SessionVector {
    private var setups = SetupVector()
    private var session: DrumSession?
    /// The page's clock that the loops drive, microseconds.
    private var now: Int64 = 0

    mutating func answer(_ command: Span<UInt8>, _ arguments: VectorLine, _ text: inout TextWriter) -> Bool {
        if setups.answer(command, arguments, &text) { return true }
        if matches(command, "begin") {
            guard let wall = arguments.integer(1), let at = arguments.integer(2) else { return text.refuse() }
            do throws(SessionCodecError) {
                var begun = try DrumSession(setup: setups.setup)
                write(begun.handle(.start(wall: wall), atMicroseconds: at), begun, &text)
                session = begun
                now = at
            } catch {
                text.write(error)
            }
            return true
        }
        return input(command, arguments, &text) || loop(command, arguments, &text) || shown(command, arguments, &text)
            || bytes(command, arguments, &text)
    }

    // MARK: - Inputs

    /// Passes an input; its last word is the time of the page's clock, microseconds.
    private mutating func input(_ command: Span<UInt8>, _ line: VectorLine, _ text: inout TextWriter) -> Bool {
        let input: SessionInput
        if matches(command, "tick") {
            input = .tick
        } else if matches(command, "cue") {
            guard let step = line.count(1) else { return text.refuse() }
            input = .cueShown(step: step)
        } else if matches(command, "notification") {
            input = .message(line.text(1))
        } else if matches(command, "strike") {
            guard let drum = line.choice(1) as Drum?, let hard = line.count(2), let link = line.choice(3) as LinkKind?
            else { return text.refuse() }
            input = .strike(drum, velocity: UInt8(clamping: hard), link: link)
        } else if matches(command, "pause") {
            input = .pause
        } else if matches(command, "resume") {
            input = .resume
        } else if matches(command, "link-lost") {
            input = .linkLost
        } else if matches(command, "link-back") {
            guard let link = line.choice(1) as LinkKind?, let tenths = line.count(2) else { return text.refuse() }
            input = .linkBack(link, latencyTenths: UInt16(clamping: tenths))
        } else if matches(command, "crosstalk") {
            guard let drum = line.choice(1) as Drum?, let milliseconds = line.count(2), let percent = line.count(3)
            else { return text.refuse() }
            input = .crosstalk(
                drum, Crosstalk(milliseconds: UInt8(clamping: milliseconds), percent: UInt8(clamping: percent)))
        } else if matches(command, "opened") {
            guard let wall = line.integer(1) else { return text.refuse() }
            input = .opened(wall: wall)
        } else if matches(command, "stop") {
            input = .stop
        } else if matches(command, "finish") {
            input = .finish
        } else if matches(command, "imported") {
            guard let step = line.count(1) else { return text.refuse() }
            input = .imported(step: step, text: line.text(2))
        } else if matches(command, "closed") {
            guard let wall = line.integer(1) else { return text.refuse() }
            input = .closed(wall: wall)
        } else {
            return false
        }
        guard let at = line.integer(line.words.count - 1), session != nil else { return text.refuse() }
        now = at
        let output = session?.handle(input, atMicroseconds: at) ?? []
        guard let session else { return true }
        write(output, session, &text)
        return true
    }

    // MARK: - Loops

    private mutating func loop(_ command: Span<UInt8>, _ line: VectorLine, _ text: inout TextWriter) -> Bool {
        if matches(command, "answer") {
            // A kit's message in notifications of 19 characters, then END.
            guard let at = line.integer(2), session != nil else { return text.refuse() }
            now = at
            var rest = line.text(1)[...]
            while !rest.isEmpty {
                _ = session?.handle(.message(Array(rest.prefix(19))), atMicroseconds: at)
                rest = rest.dropFirst(19)
            }
            let output = session?.handle(.message([0x45, 0x4E, 0x44]), atMicroseconds: at) ?? []
            guard let session else { return true }
            write(output, session, &text)
        } else if matches(command, "play") {
            // To the end: a tick each so many milliseconds, each cue answered after so many, each so-manieth beat with
            // another drum first.
            guard let grain = line.count(1), grain > 0, let reaction = line.count(2), let wrong = line.count(3),
                session != nil
            else { return text.refuse() }
            play(Int64(grain) * 1_000, Int64(reaction) * 1_000, wrong)
            shown(&text)
        } else if matches(command, "again") {
            // Encoded and decoded: the same session, at its last event.
            guard let bytes = session?.encoded() else { return text.refuse() }
            take(bytes)
            shown(&text)
        } else if matches(command, "reload-each-event") {
            guard let session else { return text.refuse() }
            reloads(session, &text)
        } else if matches(command, "walk") {
            guard let seed = line.integer(1), let count = line.count(2) else { return text.refuse() }
            var walk = SessionWalk(seed: UInt32(truncatingIfNeeded: seed))
            walk.run(setups.setup, count, &text)
        } else {
            return false
        }
        return true
    }

    private mutating func play(_ grain: Int64, _ reaction: Int64, _ wrong: Int) {
        var answerAt: Int64?
        for _ in 0..<100_000 where session?.end == nil {
            now += grain
            _ = session?.handle(.tick, atMicroseconds: now)
            guard let view = session?.view else { return }
            if view.isCueDue, !view.isCueShown, let step = view.cueStep {
                _ = session?.handle(.cueShown(step: step), atMicroseconds: now)
                answerAt = now + reaction
            }
            guard let at = answerAt, at <= now, let drum = view.cueDrum, let asked = session?.view.beatsAsked else {
                continue
            }
            answerAt = nil
            if wrong > 0, asked % wrong == 0, let other = Drum(rawValue: (drum.rawValue + 1) & 3) {
                _ = session?.handle(.strike(other, velocity: 64, link: .screen), atMicroseconds: at)
            }
            _ = session?.handle(.strike(drum, velocity: 64, link: .screen), atMicroseconds: at)
        }
    }

    private mutating func take(_ bytes: [UInt8]) {
        do throws(SessionCodecError) {
            session = try DrumSession.decoded(bytes)
        } catch {
            session = nil
        }
    }

    /// Writes the result after a reload at each event: the session so far as bytes, continued by another page a minute
    /// later.
    private func reloads(_ session: DrumSession, _ text: inout TextWriter) {
        var all = TextWriter()
        for index in session.events.indices {
            guard var part = session.beginning(events: index + 1) else { continue }
            let wall = part.wallMilliseconds(ofEvent: index) + 60_000
            do throws(SessionCodecError) {
                var again = try DrumSession.decoded(part.encoded())
                if again.result != part.result { all.write("differs ") }
                _ = again.handle(.opened(wall: wall), atMicroseconds: 0)
                _ = again.handle(.resume, atMicroseconds: 1_000_000)
                _ = again.handle(.tick, atMicroseconds: 3_000_000)
                part = again
            } catch {
                all.write("refused ")
            }
            all.write(part)
            all.write(part.result)
            all.write("\n")
        }
        text.write(Int64(session.events.count))
        text.write(" reloads ", Int64(crc32(all.bytes[...])))
    }

    // MARK: - What it shows

    private func shown(_ command: Span<UInt8>, _ line: VectorLine, _ text: inout TextWriter) -> Bool {
        guard let session else {
            let isMine = matches(command, "result") || matches(command, "beats") || matches(command, "upcoming")
            return isMine || matches(command, "song-at") || matches(command, "events") ? text.refuse() : false
        }
        if matches(command, "result") {
            text.write(session.result)
            if session.claim != nil { text.write(session.claimDiffers ? " claims another" : " claims the same") }
        } else if matches(command, "beats") {
            for beat in session.result.beats { text.write(beat) }
        } else if matches(command, "upcoming") {
            guard let count = line.count(1) else { return text.refuse() }
            for beat in session.upcoming(count) {
                text.write(Int64(beat.step))
                text.write(":")
                text.write(beat.drum)
                text.write(beat.side == .left ? " left @" : " right @", beat.positionMicroseconds)
                text.write("; ")
            }
        } else if matches(command, "song-at") {
            guard let at = line.integer(1) else { return text.refuse() }
            text.write(session.songMicroseconds(atMicroseconds: at))
        } else if matches(command, "events") {
            for (index, event) in session.events.enumerated() {
                text.write(Int64(event.input.kind))
                text.write("@", event.atMicroseconds)
                text.write("=", session.wallMilliseconds(ofEvent: index))
                text.write(" ")
            }
        } else {
            return false
        }
        return true
    }

    private func shown(_ text: inout TextWriter) {
        guard let session else {
            text.write("no session")
            return
        }
        text.write(session)
    }

    private func write(_ output: SessionOutput, _ session: DrumSession, _ text: inout TextWriter) {
        text.write(output)
        text.write("| ")
        text.write(session)
    }

    // MARK: - Bytes

    private mutating func bytes(_ command: Span<UInt8>, _ line: VectorLine, _ text: inout TextWriter) -> Bool {
        if matches(command, "blob") {
            guard let session else { return text.refuse() }
            text.write(hex: session.encoded())
        } else if matches(command, "decode") {
            guard let bytes = line.hex(1) else { return text.refuse() }
            do throws(SessionCodecError) {
                let decoded = try DrumSession.decoded(bytes)
                session = decoded
                text.write(decoded.encoded() == bytes ? "fine: " : "other bytes: ")
                text.write(decoded.result)
                if decoded.claim != nil { text.write(decoded.claimDiffers ? " claims another" : " claims the same") }
            } catch {
                text.write(error)
            }
        } else if matches(command, "extends") {
            // Whether the session goes on with what these bytes hold.
            guard let bytes = line.hex(1), let session else { return text.refuse() }
            do throws(SessionCodecError) {
                text.write(session.isContinuation(of: try DrumSession.decoded(bytes)) ? "yes" : "no")
            } catch {
                text.write(error)
            }
        } else {
            return text.write(cuts: command, of: session?.encoded()) { (bytes) throws(SessionCodecError) in
                try DrumSession.decoded(bytes)
            }
        }
        return true
    }
}
