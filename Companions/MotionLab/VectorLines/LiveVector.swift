import MotionLabEngine
import Signals
import VectorLines
import Wire

/// The commands of a vector file about live measurements, an experiment, and haptic patterns.
struct LiveVector {
    private var instrument = LiveInstrument()
    private var run: ExperimentRun?

    mutating func answer(_ command: Span<UInt8>, _ line: VectorLine, _ text: inout TextWriter) -> Bool {
        if measuring(command, line, &text) || doing(command, line, &text) { return true }
        if matches(command, "haptic") {
            guard let intensity: HapticPattern.Intensity = line.choice(1) else { return text.refuse() }
            write(HapticPattern(intensity), &text)
        } else if matches(command, "pattern") {
            var parts: [UInt16] = []
            for index in 1..<max(line.words.count, 1) {
                guard let part = line.integer(index, as: UInt16.self) else { return text.refuse() }
                parts.append(part)
            }
            do throws(HapticPattern.Failure) {
                write(try HapticPattern(parts), &text)
            } catch {
                switch error {
                case .empty: text.write("empty")
                case .tooMany: text.write("too many")
                case .part(let place): text.write("part ", Int64(place))
                }
            }
        } else if matches(command, "lift") {
            guard let seconds = line.decimal(1) else { return text.refuse() }
            text.write("", LiftSimulation.pressure(at: seconds))
        } else if matches(command, "magnitude") {
            guard let kind = SensorKind(name: line.text(1).span) else { return text.refuse() }
            var values: [Double] = []
            for index in 2..<max(line.words.count, 2) {
                guard let value = line.decimal(index) else { return text.refuse() }
                values.append(value)
            }
            text.write("", values.isEmpty ? nil : kind.magnitude(values))
        } else {
            return false
        }
        return true
    }

    private func write(_ pattern: HapticPattern, _ text: inout TextWriter) {
        text.write("", Int64(pattern.totalMilliseconds))
        text.write(" ms:")
        for part in pattern.milliseconds { text.write(" ", Int64(part)) }
    }

    // MARK: - Live

    private mutating func measuring(_ command: Span<UInt8>, _ line: VectorLine, _ text: inout TextWriter) -> Bool {
        if matches(command, "begin") {
            instrument = LiveInstrument()
            instrument.want(hertz: line.decimal(1) ?? 0)
            text.write("", instrument.wantedHertz)
        } else if matches(command, "take") {
            // A kind, a source, a time in microseconds, and the axes; empty for one that did not come.
            guard let kind = SensorKind(name: line.text(1).span), let source: SensorSource = line.choice(2),
                let time = line.integer(3)
            else { return text.refuse() }
            var values: [Double?] = []
            for index in 4..<max(line.words.count, 4) { values.append(line.decimal(index)) }
            text.write("", Int64(instrument.take(values, of: kind, from: source, at: time).rawValue))
        } else if matches(command, "steady") {
            // A kind, how many a second, for how many microseconds from a time on, and the axes.
            guard let kind = SensorKind(name: line.text(1).span), let hertz = line.integer(2),
                (1...1_000).contains(hertz),
                let count = line.count(3), let start = line.integer(4), (0...1 << 52).contains(start)
            else { return text.refuse() }
            var values: [Double?] = []
            for index in 5..<max(line.words.count, 5) { values.append(line.decimal(index)) }
            for place in 0..<min(count, 10_000) {
                instrument.take(values, of: kind, from: .lab, at: start + Int64(place) * 1_000_000 / hertz)
            }
            text.write("", Int64(instrument.sensor(kind)?.history.count ?? 0))
        } else if matches(command, "shown") {
            guard let kind = SensorKind(name: line.text(1).span), let time = line.integer(2) else {
                return text.refuse()
            }
            shown(kind, at: time, &text)
        } else if matches(command, "climb") {
            text.write("", Int64(instrument.altitude.direction.rawValue))
        } else if matches(command, "feels") {
            feels(&text)
        } else {
            return false
        }
        return true
    }

    private func shown(_ kind: SensorKind, at time: Int64, _ text: inout TextWriter) {
        guard let sensor = instrument.sensor(kind) else { return text.write("nothing") }
        for (place, value) in sensor.latest.enumerated() { text.write(place > 0 ? " " : "", value) }
        text.write(", ", sensor.magnitude)
        text.write(" altogether, ", sensor.hertz(at: time))
        text.write(" Hz, ")
        switch sensor.state(at: time) {
        case .waiting: text.write("waiting")
        case .live: text.write("live")
        case .silent: text.write("silent")
        case .stuck: text.write("stuck")
        }
        text.write(", refused ", Int64(sensor.refused))
    }

    private func feels(_ text: inout TextWriter) {
        text.write("turned ", instrument.rotation.angles.x)
        text.write(" ", instrument.rotation.angles.y)
        text.write(" ", instrument.rotation.angles.z)
        text.write("; falls ", Int64(instrument.falls))
        text.write(instrument.isFalling ? ", falling" : ", not falling")
        text.write("; steps ", Int64(instrument.steps.count))
        text.write("; height ", instrument.altitude.metres)
        text.write("; movement ", instrument.movement.map { Int64($0.direction.rawValue) } ?? -1)
    }

    // MARK: - An experiment

    private mutating func doing(_ command: Span<UInt8>, _ line: VectorLine, _ text: inout TextWriter) -> Bool {
        if matches(command, "do") {
            let all = Experiment.builtIn
            guard let place = line.count(1), place < all.count else { return text.refuse() }
            run = ExperimentRun(all[place])
            text.write(bytes: all[place].slug)
        } else if matches(command, "swing") {
            // A kind, an axis, its amplitude, a period and a length in seconds, at 100 a second.
            guard run != nil, let kind = SensorKind(name: line.text(1).span), let axis = line.count(2),
                axis < kind.axisCount, let amplitude = line.decimal(3), let period = line.decimal(4), period > 0,
                let seconds = line.count(5), seconds <= 60
            else { return text.refuse() }
            for step in 0..<seconds * 100 {
                var values = [Double](repeating: 0, count: kind.axisCount)
                values[axis] = amplitude * sin(2 * .pi * Double(step) / 100 / period)
                run?.add(values, of: kind, at: 1_000_000 + Int64(step) * 10_000)
            }
            text.write("", run?.seconds)
        } else if matches(command, "ride") {
            guard run != nil, let seconds = line.count(1), seconds <= 120 else { return text.refuse() }
            for step in 0..<seconds * 10 {
                run?.add(
                    [LiftSimulation.pressure(at: Double(step) / 10)], of: .barometer,
                    at: 1_000_000 + Int64(step) * 100_000)
            }
            text.write("", run?.seconds)
        } else if matches(command, "results") {
            guard let run else { return text.refuse() }
            let results = run.results
            text.write("", Int64(results.count))
            for result in results {
                text.write("; ", Int64(result.quantity.rawValue))
                text.write(" ")
                // What a sum over thousands of sines comes to differs behind three places.
                if !text.write(decimal: result.value, places: 3) { text.write("none") }
            }
        } else if matches(command, "left") {
            text.write("", run?.secondsLeft)
        } else if matches(command, "drawn") {
            guard run != nil, let plot = line.count(1), let most = line.count(2) else { return text.refuse() }
            text.write("", Int64(run?.points(of: plot, most: most).count ?? 0))
        } else {
            return false
        }
        return true
    }
}
