import PlantsEngine
import Signals
import VectorLines
import Wire

/// The engine on a line: a command in, its answer out, both as text, so that one file of examples runs through every
/// build of the engine and the answers can be compared byte for byte.
///
/// A command is words separated by tabs. The commands are those of the switch below; `Companions/Plants/Vectors` shows
/// each. What it remembers from line to line is one garden, one monitor and one series of samples.
public struct EngineVector {
    private var garden = LegacyGarden()
    private var spam = SpamRule()
    private var sensors: [(id: [UInt8], value: LegacySensorValue)] = []
    private var monitor = MoistureMonitor(limits: MoistureLimits(low: 30, high: 70))
    private var samples: [MoistureSample] = []

    /// A runner that remembers nothing yet.
    public init() {}

    /// Answers one line; `unknown command` where it knows no such command, `bad arguments` where they do not fit it.
    public mutating func answer(_ line: [UInt8]) -> [UInt8] {
        let arguments = VectorLine(line)
        var text = TextWriter()
        guard let command = arguments.command else { return text.bytes }
        if !plants(command.span, arguments, &text), !legacy(command.span, arguments, &text),
            !numbers(command.span, arguments, &text), !pictures(command.span, arguments, &text)
        {
            text.write("unknown command")
        }
        return text.bytes
    }

    // MARK: - Plants

    private mutating func plants(_ command: Span<UInt8>, _ arguments: VectorLine, _ text: inout TextWriter) -> Bool {
        if matches(command, "reading") {
            reading(arguments, &text)
        } else if matches(command, "name") {
            do throws(PlantRules.Failure) {
                try PlantRules.check(name: arguments.text(1).span)
                text.write("fine")
            } catch {
                text.write("fault ", Int64(error.rawValue))
            }
        } else if matches(command, "limits") {
            guard let low = arguments.decimal(1), let high = arguments.decimal(2) else { return text.refuse() }
            do throws(PlantRules.Failure) {
                try PlantRules.check(low: low, high: high)
                monitor = MoistureMonitor(limits: MoistureLimits(low: low, high: high))
                text.write("fine")
            } catch {
                text.write("fault ", Int64(error.rawValue))
            }
        } else if matches(command, "moisture") {
            guard let percent = arguments.decimal(1), let at = arguments.integer(2) else { return text.refuse() }
            monitor.handle(percent: percent, at: at)
            write(monitor.state(now: at, silentAfter: .max), &text)
            text.write(monitor.isSinceFirst ? " at least since " : " since ", monitor.since ?? 0)
        } else if matches(command, "state") {
            guard let now = arguments.integer(1), let after = arguments.integer(2) else { return text.refuse() }
            write(monitor.state(now: now, silentAfter: after), &text)
        } else if matches(command, "samples") {
            guard let start = arguments.integer(1), let step = arguments.integer(2) else { return text.refuse() }
            samples.removeAll()
            for index in 3..<max(arguments.words.count, 3) {
                guard let percent = arguments.decimal(index) else { return text.refuse() }
                samples.append(MoistureSample(at: start &+ step &* Int64(index - 3), percent: percent))
            }
            text.write(Int64(samples.count))
        } else if matches(command, "waterings") {
            waterings(&text)
        } else if matches(command, "doubtful") {
            doubtful(&text)
        } else if matches(command, "claim") {
            guard let claim = claim(arguments) else { return text.refuse() }
            text.write(claim)
        } else if matches(command, "forecast") {
            guard let limit = arguments.decimal(1), let now = arguments.integer(2) else { return text.refuse() }
            forecast(limit: limit, now: now, &text)
        } else {
            return false
        }
        return true
    }

    /// `picture` and a file's bytes as hexadecimal digits.
    private func pictures(_ command: Span<UInt8>, _ arguments: VectorLine, _ text: inout TextWriter) -> Bool {
        guard matches(command, "picture") else { return false }
        guard let file = arguments.hex(1) else { return text.refuse() }
        do throws(PictureFile.Failure) {
            let picture = try PictureFile(withoutMetadata: file)
            text.write("format ", Int64(picture.format.rawValue))
            text.write(" ")
            text.write(hex: picture.bytes)
        } catch {
            text.write("fault ", Int64(error.rawValue))
        }
        return true
    }

    private struct WrittenReadings: MeasurementCollector {
        var text = TextWriter()

        mutating func collect(quantity: Span<UInt8>, value: Double, at: Int64?) {
            if !text.bytes.isEmpty { text.write(", ") }
            text.write(bytes: quantity)
            text.write(" ")
            text.write(decimal: value, places: 6)
            if let at {
                text.write(" at ", at)
            }
        }
    }

    private func reading(_ arguments: VectorLine, _ text: inout TextWriter) {
        var collector = WrittenReadings()
        var words: [UInt8] = []
        do throws(SensorMessageError) {
            try SensorMessage.decode(
                tail: arguments.text(1).span, payload: arguments.text(3).span, now: arguments.integer(2) ?? 0,
                into: &collector)
        } catch {
            words = error.message()
        }
        text.write(bytes: collector.text.bytes)
        if !words.isEmpty {
            if !collector.text.bytes.isEmpty { text.write("; ") }
            text.write("error: ")
            text.write(bytes: words)
        }
    }

    private func waterings(_ text: inout TextWriter) {
        let found = WateringDetector.waterings(in: samples)
        if found.isEmpty { text.write("none") }
        for (index, watering) in found.enumerated() {
            if index > 0 { text.write(", ") }
            text.write(watering.at)
            text.write(" from ")
            text.write(decimal: watering.from, places: 3)
            text.write(" to ")
            text.write(decimal: watering.to, places: 3)
            text.write(" confidence ")
            text.write(decimal: watering.confidence, places: 6)
        }
    }

    private func doubtful(_ text: inout TextWriter) {
        let found = ProbeFault.all(in: samples)
        if found.isEmpty { text.write("none") }
        for (index, fault) in found.enumerated() {
            if index > 0 { text.write(", ") }
            text.write(fault.from)
            text.write(" to ", fault.to)
            text.write(" from ")
            text.write(decimal: fault.level, places: 3)
        }
    }

    /// `claim`, the state by the sensor (2 dry, 3 ok, 4 wet), when it was watered, by `hand` or `sensor`, `seen` or `unseen`,
    /// when was measured last, and now.
    private func claim(_ arguments: VectorLine) -> StaticString? {
        guard let number = arguments.integer(1), let state = UInt8(exactly: number).flatMap(PlantState.init(rawValue:)),
            let wateredAt = arguments.integer(2), let latestAt = arguments.integer(5), let now = arguments.integer(6)
        else { return nil }
        let claim = WateringClaim(
            state: state, wateredAt: wateredAt, isByHand: matches(arguments.text(3).span, "hand"),
            isSeen: matches(arguments.text(4).span, "seen"), latestAt: latestAt, now: now)
        return switch claim {
        case .none: "none"
        case .believed: "believed"
        case .doubted: "doubted"
        case .draining: "draining"
        case .settling: "settling"
        }
    }

    private func forecast(limit: Double, now: Int64, _ text: inout TextWriter) {
        let waterings = WateringDetector.waterings(in: samples).map { $0.at }
        let forecast = DryDownForecast.make(
            samples: samples, waterings: waterings, limit: limit, now: now, localDay: { Int($0 / 86_400_000) })
        switch forecast {
        case .now: text.write("now")
        case .notEnoughDays(let have, let need):
            text.write("days ", Int64(have))
            text.write(" of ", Int64(need))
        case .notEnoughDryDowns(let have, let need):
            text.write("dry-downs ", Int64(have))
            text.write(" of ", Int64(need))
        case .day(let ahead):
            text.write("day ", Int64(ahead.day))
            text.write(" from ", Int64(ahead.earliest))
            text.write(" to ", Int64(ahead.latest))
            text.write(" at ", ahead.at)
            text.write(" based on ", Int64(ahead.basedOn))
        }
    }

    // MARK: - The original's host

    private mutating func legacy(_ command: Span<UInt8>, _ arguments: VectorLine, _ text: inout TextWriter) -> Bool {
        if matches(command, "garden") {
            do throws(LegacyGardenFileError) {
                garden = LegacyGarden(
                    plants: arguments.words.count < 2 ? nil : try LegacyGardenFile.read(arguments.text(1)))
                text.write("fine")
            } catch {
                text.write("no garden")
            }
        } else if matches(command, "file") {
            text.write(bytes: LegacyGardenFile.write(garden.plants ?? []))
        } else if matches(command, "sensor") {
            let value = LegacySensorValue(
                capacitance: arguments.decimal(2), temperatureCelsius: arguments.decimal(3))
            sensors.removeAll { $0.id == arguments.text(1) }
            sensors.append((arguments.text(1), value))
            text.write("fine")
        } else if matches(command, "message") {
            message(arguments.text(1), &text)
        } else if matches(command, "spam") {
            // When, and the message; without one it is none that can be read.
            guard let at = arguments.integer(1) else { return text.refuse() }
            var request: LegacyRequest?
            if case .request(let read) = LegacyMessage.read(arguments.text(2)) { request = read }
            switch spam.judge(request, at: at) {
            case .fine: text.write("fine")
            case .kick: text.write("kick")
            }
        } else {
            return false
        }
        return true
    }

    private mutating func message(_ bytes: [UInt8], _ text: inout TextWriter) {
        switch LegacyMessage.read(bytes) {
        case .ignored: text.write("silence")
        case .failure(_, _, let answer): text.write(bytes: answer)
        case .request(let request):
            let known = sensors
            let outcome = garden.handle(request) { id in known.first { $0.id == id }?.value }
            if outcome.answers.isEmpty { text.write(outcome.changed ? "silence, changed" : "silence") }
            for (index, answer) in outcome.answers.enumerated() {
                if index > 0 { text.write(" / ") }
                text.write(bytes: answer)
            }
        }
    }

    // MARK: - Numbers

    private func numbers(_ command: Span<UInt8>, _ arguments: VectorLine, _ text: inout TextWriter) -> Bool {
        let value: Double?
        if matches(command, "decimal") {
            value = arguments.decimal(1)
        } else if matches(command, "exp") {
            value = arguments.decimal(1).map { exp($0) }
        } else if matches(command, "log") {
            value = arguments.decimal(1).map { log($0) }
        } else if matches(command, "percent") {
            value = arguments.decimal(1).map { MoistureScale.seesaw.percent(raw: $0) }
        } else if matches(command, "vpd") {
            guard let celsius = arguments.decimal(1), let humidity = arguments.decimal(2) else { return text.refuse() }
            value = vapourPressureDeficit(celsius: celsius, humidityPercent: humidity)
        } else {
            return false
        }
        guard let value else { return text.refuse() }
        // All 64 bits: builds must agree in every one.
        let bits = value.bitPattern
        for digit in 0..<16 {
            text.write(byte: hexDigit(UInt8(truncatingIfNeeded: (bits >> UInt64(60 - digit * 4)) & 0xF)))
        }
        return true
    }

    private func write(_ state: PlantState, _ text: inout TextWriter) {
        switch state {
        case .none: text.write("none")
        case .silent: text.write("silent")
        case .dry: text.write("dry")
        case .ok: text.write("ok")
        case .wet: text.write("wet")
        }
    }
}
