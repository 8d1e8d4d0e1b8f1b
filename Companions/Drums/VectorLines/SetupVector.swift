import DrumsEngine
import VectorLines
import Wire

/// The commands of a vector file that change the setup, and those about a kit's messages.
struct SetupVector {
    /// The setup of the next session: one beat a step, four steps of half a second.
    private(set) var setup = SessionSetup(
        id: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16], person: [0x6D, 0x69, 0x6C, 0x61],
        utcOffsetMinutes: 60, songID: [0x6F, 0x64, 0x65], songTitle: [0x4F, 0x64, 0x65],
        chart: Chart(
            stepsPerBeat: 1, tempo: [TempoChange(step: 0, microsecondsPerBeat: 500_000)],
            steps: [true, true, true, true]), level: .one, mode: .wait, hands: .both, drums: DrumSet(rawValue: 0b1011),
        seed: 42,
        link: .screen, countInBeats: 0, window: .initial,
        leadMilliseconds: 600, stop: StopRules())

    mutating func answer(_ command: Span<UInt8>, _ line: VectorLine, _ text: inout TextWriter) -> Bool {
        if matches(command, "read") {
            read(line.text(1), &text)
            return true
        }
        if matches(command, "split") {
            split(line.text(1), &text)
            return true
        }
        if matches(command, "drums") {
            guard let bits = line.count(1), let seed = line.integer(2), let count = line.count(3) else {
                return text.refuse()
            }
            let drums = DrumSet(rawValue: UInt8(truncatingIfNeeded: bits))
            for drum in DrumChoice.drums(of: drums, seed: UInt32(truncatingIfNeeded: seed), count: count) {
                text.write(Int64(drum.rawValue))
            }
            return true
        }
        guard change(command, line, &text) else { return false }
        // What was refused has its own words.
        if text.bytes.isEmpty { describe(&text) }
        return true
    }

    private mutating func change(_ command: Span<UInt8>, _ line: VectorLine, _ text: inout TextWriter) -> Bool {
        if matches(command, "chart") {
            guard let chart = Self.chart(line) else { return text.refuse() }
            setup.chart = chart
        } else if matches(command, "level") {
            guard let level = line.choice(1) as Level? else { return text.refuse() }
            setup.level = level
        } else if matches(command, "one-handed") {
            setup.chart = setup.chart.oneHanded
        } else if matches(command, "tempo") {
            guard let percent = line.count(1) else { return text.refuse() }
            setup.tempoPercent = UInt8(clamping: percent)
        } else if matches(command, "mode") {
            guard let mode = line.choice(1) as PlayMode? else { return text.refuse() }
            setup.mode = mode
        } else if matches(command, "hands") {
            guard let hands = line.choice(1) as Hands? else { return text.refuse() }
            setup.hands = hands
        } else if matches(command, "choose") {
            guard let bits = line.count(1), let seed = line.integer(2) else { return text.refuse() }
            setup.drums = DrumSet(rawValue: UInt8(truncatingIfNeeded: bits))
            setup.seed = UInt32(truncatingIfNeeded: seed)
        } else if matches(command, "link") {
            guard let link = line.choice(1) as LinkKind?, let tenths = line.count(2) else { return text.refuse() }
            setup.link = link
            setup.latencyTenths = UInt16(clamping: tenths)
        } else if matches(command, "count-in") {
            guard let beats = line.count(1) else { return text.refuse() }
            setup.countInBeats = UInt8(clamping: beats)
        } else if matches(command, "flow-window") {
            guard let centre = line.integer(1), let half = line.count(2), let lead = line.count(3) else {
                return text.refuse()
            }
            setup.window = TimingWindow(
                centreMilliseconds: Int16(clamping: centre), halfMilliseconds: UInt16(clamping: half))
            setup.leadMilliseconds = UInt16(clamping: lead)
        } else if matches(command, "rules") {
            guard let milliseconds = line.count(1), let percent = line.count(2), let beats = line.count(3) else {
                return text.refuse()
            }
            setup.stop = StopRules(
                milliseconds: UInt32(clamping: milliseconds), belowPercent: UInt8(clamping: percent),
                beats: UInt8(clamping: beats))
        } else if matches(command, "setup") {
            guard let bytes = line.hex(1) else { return text.refuse() }
            if bytes.isEmpty {
                text.write(hex: setup.bytes)
                return true
            }
            do throws(SessionCodecError) {
                setup = try SessionSetup(bytes: bytes)
                text.write(setup.bytes == bytes ? "fine: " : "other bytes: ")
                describe(&text)
            } catch {
                text.write(error)
            }
        } else {
            return false
        }
        return true
    }

    /// Reads a chart: steps of a beat, the steps as digits, the first tempo, then pairs of a step and a tempo.
    private static func chart(_ line: VectorLine) -> Chart? {
        guard let stepsPerBeat = line.count(1), let first = line.integer(3) else { return nil }
        var tempo = [TempoChange(step: 0, microsecondsPerBeat: UInt32(clamping: first))]
        var index = 4
        while index < line.words.count {
            guard let step = line.integer(index), let microseconds = line.integer(index + 1) else { return nil }
            tempo.append(TempoChange(step: UInt16(clamping: step), microsecondsPerBeat: UInt32(clamping: microseconds)))
            index += 2
        }
        return Chart(
            stepsPerBeat: UInt8(clamping: stepsPerBeat), tempo: tempo, steps: line.text(2).map { $0 == 0x31 })
    }

    /// Writes the time at which each beat is lit, due and over, milliseconds.
    private func describe(_ text: inout TextWriter) {
        do throws(SessionCodecError) {
            try setup.check()
        } catch {
            text.write(error)
            return
        }
        let plan = SessionPlan(setup)
        text.write("from ", plan.start / 1_000)
        for index in 0..<min(plan.count, 8) {
            text.write(", ", Int64(plan.steps[index]))
            text.write(":")
            text.write(plan.drums[index])
            if setup.mode == .flow { text.write(" lit ", plan.cues[index] / 1_000) }
            text.write(" @", plan.positions[index] / 1_000)
            if setup.mode == .flow { text.write(" to ", plan.closes[index] / 1_000) }
        }
        text.write(", of ", Int64(plan.count))
        text.write(" to ", plan.end / 1_000)
    }

    // MARK: - Messages

    private func read(_ message: [UInt8], _ text: inout TextWriter) {
        guard let message = KitMessage(text: message) else {
            text.write("noise")
            return
        }
        for drum in message.wrong {
            text.write(drum)
            text.write(" ")
        }
        text.write("then ")
        text.write(message.drum)
        text.write(" ", Int64(message.milliseconds))
        text.write(" ms")
        if let force = message.forceHundredths {
            text.write(" force ")
            text.write(fixedPoint: Int64(force), places: 2)
        }
    }

    /// Cuts the message at each pair of places into three notifications, each with a NUL and rubbish after it, and
    /// counts how often it is read as a whole.
    private func split(_ message: [UInt8], _ text: inout TextWriter) {
        let whole = KitMessage(text: message)
        var same: Int64 = 0
        var other: Int64 = 0
        for first in 0...message.count {
            for second in first...message.count {
                var assembler = MessageAssembler()
                _ = assembler.take(message[..<first] + [0, 0x45])
                _ = assembler.take(message[first..<second] + [])
                _ = assembler.take(message[second...] + [0])
                switch assembler.take([0x45, 0x4E, 0x44, 0]) {
                case .readable(let read): if read == whole { same += 1 } else { other += 1 }
                case .noise, .empty: if whole == nil { same += 1 } else { other += 1 }
                case nil: other += 1
                }
            }
        }
        text.write("same ", same)
        text.write(", other ", other)
    }
}
