import MotionLabEngine
import Signals
import VectorLines
import Wire

/// Series of values, and what is made of them.
struct SignalVector {
    private var times: [Int64] = []
    private var values: [Double] = []

    mutating func answer(_ command: Span<UInt8>, _ line: VectorLine, _ text: inout TextWriter) -> Bool {
        if series(command, line, &text) { return true }
        if matches(command, "bits-sin") { return bits(line, &text) { sin($0) } }
        if matches(command, "bits-cos") { return bits(line, &text) { cos($0) } }
        if matches(command, "bits-asin") { return bits(line, &text) { asin($0) } }
        if matches(command, "bits-atan2") {
            guard let y = line.decimal(1), let x = line.decimal(2) else { return text.refuse() }
            text.write(bits: atan2(y, x))
        } else if matches(command, "spectrum") {
            guard let hertz = line.decimal(1), let size = line.count(2), let window: SpectralWindow = line.choice(3),
                let transform = FastFourierTransform(count: size),
                let spectrum = AmplitudeSpectrum(values, hertz: hertz, transform: transform, window: window)
            else { return text.refuse() }
            guard let peak = spectrum.dominant() else {
                text.write("no peak")
                return true
            }
            // The other half of a sine, at the frequency below nought, leaks a little into these.
            text.write(decimal: peak.hertz, places: 3)
            text.write(" Hz amplitude ")
            text.write(decimal: peak.amplitude, places: 3)
            text.write(peak.prominence > 10 ? " clear" : " in noise")
        } else if matches(command, "fft-bits") {
            guard let transform = FastFourierTransform(count: values.count) else { return text.refuse() }
            var (real, imaginary) = (values, [Double](repeating: 0, count: values.count))
            transform.transform(real: &real, imaginary: &imaginary)
            // Of all numbers, so that builds must agree in every bit of each.
            var bytes: [UInt8] = []
            for number in real + imaginary { bytes.append(littleEndian: number.bitPattern) }
            text.write("crc ", Int64(crc32(bytes[...])))
        } else if matches(command, "goertzel") {
            guard let frequency = line.decimal(1), let hertz = line.decimal(2) else { return text.refuse() }
            text.write("", goertzelAmplitude(of: frequency, in: values, hertz: hertz))
        } else if matches(command, "rate") {
            guard let rate = SamplingRate(times) else { return text.refuse() }
            text.write("", rate.hertz)
            text.write(" Hz jitter ", rate.jitterMicroseconds)
            text.write(" gaps ", Int64(rate.gaps))
            text.write(" coverage ", rate.coverage)
            if let claimed = line.decimal(1) {
                text.write(" verdict ", Int64(rate.verdict(claimed: claimed).rawValue))
            }
        } else if matches(command, "resample") {
            guard let interval = line.integer(1), let gap = line.integer(2),
                let series = ResampledSeries(times: times, samples: values, interval: interval, gap: gap)
            else { return text.refuse() }
            for (place, value) in series.values.enumerated() where place < 40 {
                text.write(place > 0 ? " " : "", value)
            }
            text.write(" longest ", Int64(series.longestRun.count))
        } else if matches(command, "statistics") {
            guard let statistics = RobustStatistics(values) else { return text.refuse() }
            text.write("median ", statistics.median)
            text.write(" quartiles ", statistics.lowerQuartile)
            text.write(" ", statistics.upperQuartile)
            text.write(" spread ", statistics.spread)
        } else if matches(command, "period") {
            guard let period = OscillationPeriod(times: times, values: values) else {
                text.write("none")
                return true
            }
            text.write("", period.seconds)
            text.write(" s of ", Int64(period.count))
            text.write(" amplitude ", period.amplitude)
            if let length = line.decimal(1),
                let gravity = PendulumGravity(
                    period: period, length: length, amplitude: line.decimal(2) ?? 0)
            {
                text.write(" g ", gravity.metresPerSecondSquared)
            }
        } else if matches(command, "room") {
            guard let sound = RoomSound(values) else { return text.refuse() }
            text.write("equivalent ", sound.equivalent)
            text.write(" loud ", sound.loud)
            text.write(" usual ", sound.usual)
            text.write(" background ", sound.background)
        } else if matches(command, "reverberation") {
            text.write("", ReverberationTime(times: times, levels: values)?.seconds)
        } else {
            return false
        }
        return true
    }

    /// Commands that make the series.
    private mutating func series(_ command: Span<UInt8>, _ line: VectorLine, _ text: inout TextWriter) -> Bool {
        let isSine = matches(command, "sine")
        if isSine || matches(command, "chirp") || matches(command, "decay") || matches(command, "constant") {
            // hertz of the samples, how many, then: frequency, amplitude, phase or end.
            guard let hertz = line.decimal(1), hertz > 0, let count = line.count(2), let one = line.decimal(3),
                let two = line.decimal(4)
            else { return text.refuse() }
            let three = line.decimal(5) ?? 0
            times = []
            values = []
            for place in 0..<count {
                let seconds = Double(place) / hertz
                times.append(Int64((seconds * 1_000_000).rounded()))
                if isSine {
                    values.append(two * sin(2 * Double.pi * one * seconds + three))
                } else if matches(command, "chirp") {
                    // From `one` to `two` Hz over all of it.
                    let length = Double(count) / hertz
                    values.append(sin(2 * Double.pi * (one * seconds + (two - one) * seconds * seconds / (2 * length))))
                } else if matches(command, "decay") {
                    // From `one` dB, `two` dB a second down, to `three`.
                    values.append(max(one - two * seconds, three))
                } else {
                    values.append(one)
                }
            }
            text.write(Int64(values.count))
        } else if matches(command, "values") || matches(command, "times") {
            var numbers: [Double] = []
            for index in 1..<max(line.words.count, 1) {
                guard let number = line.decimal(index), number.magnitude < 1e15 else { return text.refuse() }
                numbers.append(number)
            }
            if matches(command, "values") { values = numbers } else { times = numbers.map { Int64($0) } }
            text.write(Int64(numbers.count))
        } else if matches(command, "add") {
            // Another sine on top of the series.
            guard let hertz = line.decimal(1), hertz > 0, let frequency = line.decimal(2),
                let amplitude = line.decimal(3)
            else { return text.refuse() }
            for place in values.indices {
                values[place] += amplitude * sin(2 * Double.pi * frequency * Double(place) / hertz)
            }
            text.write(Int64(values.count))
        } else {
            return false
        }
        return true
    }

    private func bits(_ line: VectorLine, _ text: inout TextWriter, _ function: (Double) -> Double) -> Bool {
        guard let x = line.decimal(1) else { return text.refuse() }
        text.write(bits: function(x))
        return true
    }
}
