import MotionLabEngine
import Signals
import VectorLines
import Wire

/// Orientation, movement, altitude and clocks.
struct MotionVector {
    private var filter = OrientationFilter()
    private var integral = RotationIntegral()
    private var fall = FreeFallTimer()
    private var steps = StepCounter()
    private var altitude = RelativeAltitude()
    private var clock = ClockAlignment()
    private var watch = StreamWatch()

    mutating func answer(_ command: Span<UInt8>, _ line: VectorLine, _ text: inout TextWriter) -> Bool {
        if turning(command, line, &text) || moving(command, line, &text) { return true }
        if matches(command, "normalize") {
            guard let source: SensorSource = line.choice(1), let kind = SensorKind(name: line.text(2).span) else {
                return text.refuse()
            }
            var values: [Double?] = []
            for index in 3..<max(line.words.count, 3) { values.append(line.decimal(index)) }
            guard let normalized = source.normalized(values, as: kind) else {
                text.write("no sample")
                return true
            }
            for (place, value) in normalized.enumerated() { text.write(place > 0 ? " " : "", value) }
        } else if matches(command, "altitude") {
            guard let pressure = line.decimal(1), let reference = line.decimal(2) else { return text.refuse() }
            text.write(
                "",
                Altitude.metres(
                    pressure: pressure, reference: reference, celsius: line.decimal(3) ?? Altitude.usualCelsius))
        } else if matches(command, "pressure") {
            guard let pressure = line.decimal(1) else { return text.refuse() }
            altitude.add(pressure)
            text.write("", altitude.metres)
        } else if matches(command, "celsius") {
            guard let celsius = line.decimal(1) else { return text.refuse() }
            altitude.celsius = celsius
            text.write("", altitude.metres)
        } else if matches(command, "exchange") {
            guard let asked = line.integer(1), let received = line.integer(2), let answered = line.integer(3),
                let returned = line.integer(4)
            else { return text.refuse() }
            clock.add(.init(asked: asked, received: received, answered: answered, returned: returned))
            guard let offset = clock.offset else {
                text.write("none")
                return true
            }
            text.write(offset.microseconds)
            text.write(" within ", offset.uncertainty)
        } else if matches(command, "watch") {
            guard let time = line.integer(1), let value = line.decimal(2) else { return text.refuse() }
            watch.add([value], at: time)
            state(time, &text)
        } else if matches(command, "watch-at") {
            guard let time = line.integer(1) else { return text.refuse() }
            state(time, &text)
        } else {
            return false
        }
        return true
    }

    private func state(_ time: Int64, _ text: inout TextWriter) {
        switch watch.state(at: time) {
        case .waiting: text.write("waiting")
        case .live: text.write("live")
        case .silent(let since): text.write("silent since ", since)
        case .stuck(let since): text.write("stuck since ", since)
        }
    }

    /// `turn` and `rest` play a gyroscope that turns about an axis, and the gravity that belongs to it.
    private mutating func turning(_ command: Span<UInt8>, _ line: VectorLine, _ text: inout TextWriter) -> Bool {
        if matches(command, "turn") {
            // Rates in rad/s, samples a second, how many; a bias on all axes.
            guard let x = line.decimal(1), let y = line.decimal(2), let z = line.decimal(3), let hertz = line.count(4),
                hertz > 0, let count = line.count(5)
            else { return text.refuse() }
            let bias = line.decimal(6) ?? 0
            (filter, integral) = (OrientationFilter(), RotationIntegral())
            var truth = Quaternion.identity
            let rate = Vector3(x, y, z)
            for place in 0..<count {
                let time = Int64(place) * 1_000_000 / Int64(hertz)
                let measured = rate + Vector3(bias, bias, bias)
                integral.add(measured, at: time)
                filter.add(rate: measured, acceleration: truth.up, at: time)
                truth = (truth * Quaternion(rotation: rate * (1 / Double(hertz)))).normalized
            }
            write("angles", integral.angles, &text)
            text.write(" away ", integral.awayDegrees)
            text.write(" drift ", integral.driftDegrees)
            if let up = filter.gravity { write(" up", up, &text) }
        } else if matches(command, "tilt") {
            guard let x = line.decimal(1), let y = line.decimal(2), let z = line.decimal(3) else {
                return text.refuse()
            }
            guard let tilt = Tilt(Vector3(x, y, z)) else {
                text.write("none")
                return true
            }
            text.write("roll ", tilt.rollDegrees)
            text.write(" pitch ", tilt.pitchDegrees)
            text.write(" inclination ", tilt.inclinationDegrees)
        } else if matches(command, "rotate") {
            // A vector, about an axis by degrees.
            guard let x = line.decimal(1), let y = line.decimal(2), let z = line.decimal(3), let ax = line.decimal(4),
                let ay = line.decimal(5), let az = line.decimal(6), let degrees = line.decimal(7),
                let axis = Vector3(ax, ay, az).normalized
            else { return text.refuse() }
            write("to", Quaternion(rotation: axis * (degrees * .pi / 180)).rotating(Vector3(x, y, z)), &text)
        } else {
            return false
        }
        return true
    }

    private mutating func moving(_ command: Span<UInt8>, _ line: VectorLine, _ text: inout TextWriter) -> Bool {
        if matches(command, "fall") {
            // Samples a second, seconds of the fall, the phase of the samples in it as a share of an interval.
            guard let hertz = line.count(1), hertz > 0, let seconds = line.decimal(2), seconds < 100,
                let phase = line.decimal(3)
            else { return text.refuse() }
            fall = FreeFallTimer()
            var found = 0
            let count = Int((seconds + 1) * Double(hertz))
            for place in 0..<max(count, 0) {
                let at = (Double(place) + phase) / Double(hertz)
                let felt = at < 0.5 || at >= 0.5 + seconds ? 1.0 : 0.0
                if let fall = fall.add(Vector3(0, 0, felt), at: Int64((at * 1_000_000).rounded())) {
                    found += 1
                    text.write("fell ", fall.seconds)
                    text.write(" s, ", fall.metres)
                    text.write(" m within ", fall.metresUncertainty)
                }
            }
            if found == 0 { text.write("no fall") }
        } else if matches(command, "walk") {
            // Samples a second, seconds, steps a second, how far the magnitude swings, g.
            guard let hertz = line.count(1), hertz > 0, let seconds = line.count(2), let pace = line.decimal(3),
                let swing = line.decimal(4), hertz * seconds <= 100_000
            else { return text.refuse() }
            steps = StepCounter()
            for place in 0..<hertz * seconds {
                let at = Double(place) / Double(hertz)
                let felt = 1 + swing * sin(2 * Double.pi * pace * at)
                steps.add(Vector3(0, felt * 0.6, felt * 0.8), at: Int64((at * 1_000_000).rounded()))
            }
            text.write("steps ", Int64(steps.count))
        } else if matches(command, "shaken") {
            // Samples a second, seconds, how often a second and how strongly it is shaken sideways, g, lying flat.
            guard let hertz = line.count(1), hertz > 0, let seconds = line.count(2), let frequency = line.decimal(3),
                let amplitude = line.decimal(4), hertz * seconds <= 100_000
            else { return text.refuse() }
            steps = StepCounter()
            for place in 0..<hertz * seconds {
                let at = Double(place) / Double(hertz)
                let felt = Vector3(amplitude * sin(2 * Double.pi * frequency * at), 0, 1)
                steps.add(felt, at: Int64((at * 1_000_000).rounded()))
            }
            text.write("steps ", Int64(steps.count))
        } else if matches(command, "spin") {
            // The radius, and the rates.
            guard let radius = line.decimal(1) else { return text.refuse() }
            var (rates, accelerations) = ([Double](), [Double]())
            for index in 2..<max(line.words.count, 2) {
                guard let rate = line.decimal(index) else { return text.refuse() }
                rates.append(rate)
                accelerations.append(rate * rate * radius / SensorSource.standardGravity)
            }
            guard let spin = CentripetalSpin(rates: rates, accelerations: accelerations) else {
                text.write("none")
                return true
            }
            text.write("radius ", spin.radius)
            text.write(" explained ", spin.explained)
        } else {
            return false
        }
        return true
    }

    private func write(_ words: StaticString, _ vector: Vector3, _ text: inout TextWriter) {
        text.write(words)
        text.write(" ", vector.x)
        text.write(" ", vector.y)
        text.write(" ", vector.z)
    }
}
