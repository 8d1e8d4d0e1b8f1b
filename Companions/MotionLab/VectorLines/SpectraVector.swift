import MotionLabEngine
import Signals
import VectorLines
import Wire

/// Spectra of what a page measures: `shake` and `rock` play a phone that is moved by a formula, `spectra` says what is in
/// it.
struct SpectraVector {
    private var instrument = LiveInstrument()
    private var transform: FastFourierTransform?
    /// Half of the last place that a line shows, g; what is less is nothing.
    private static let least = 0.0005

    mutating func answer(_ command: Span<UInt8>, _ line: VectorLine, _ text: inout TextWriter) -> Bool {
        if matches(command, "shake") {
            // Samples a second, seconds; what is up in the device; the direction, how often a second, and how strongly, g.
            guard let (hertz, count) = Self.length(line), let up = Self.vector(line, 3)?.normalized,
                let direction = Self.vector(line, 6)?.normalized, let frequency = line.decimal(9),
                let amplitude = line.decimal(10)
            else { return text.refuse() }
            play(hertz, count) { seconds in
                (up + direction * (amplitude * sin(2 * .pi * frequency * seconds)), nil)
            }
            text.write(Int64(count))
        } else if matches(command, "rock") {
            // Samples a second, seconds; rocked about y by so many degrees so often a second; shaken along x of the device
            // so often a second, and how strongly, g; 0 without a gyroscope.
            guard let (hertz, count) = Self.length(line), let degrees = line.decimal(3), let often = line.decimal(4),
                let frequency = line.decimal(5), let amplitude = line.decimal(6), let turns = line.count(7)
            else { return text.refuse() }
            let (reach, pace) = (degrees * .pi / 180, 2 * .pi * often)
            play(hertz, count) { seconds in
                let angle = reach * sin(pace * seconds)
                let shaken = amplitude * sin(2 * .pi * frequency * seconds)
                return (
                    Vector3(shaken - sin(angle), 0, cos(angle)),
                    turns > 0 ? Vector3(0, reach * pace * cos(pace * seconds), 0) : nil
                )
            }
            text.write(Int64(count))
        } else if matches(command, "spectra") {
            guard let count = line.count(1) else { return text.refuse() }
            guard let spectra = instrument.spectra(of: .accelerometer, last: count, transform: &transform) else {
                text.write("too little")
                return true
            }
            write("x", spectra.peak(0), 3, &text)
            write("; y", spectra.peak(1), 3, &text)
            write("; z", spectra.peak(2), 3, &text)
            write("; length", spectra.peak(-1), 2, &text)
        } else if matches(command, "strongest") {
            guard let count = line.count(1) else { return text.refuse() }
            let spectra = instrument.spectra(of: .accelerometer, last: count, transform: &transform)
            guard let axis = spectra?.strongest, let peak = spectra?.peak(axis), peak.amplitude >= Self.least else {
                text.write("none")
                return true
            }
            text.write(axis == 0 ? "x" : axis == 1 ? "y" : "z")
            write("", peak, 3, &text)
        } else {
            return false
        }
        return true
    }

    private mutating func play(
        _ hertz: Int, _ count: Int, _ felt: (_ seconds: Double) -> (felt: Vector3, rate: Vector3?)
    ) {
        instrument = LiveInstrument()
        for place in 0..<count {
            let seconds = Double(place) / Double(hertz)
            let (felt, rate) = felt(seconds)
            let time = 1_000_000 + Int64((seconds * 1_000_000).rounded())
            instrument.take([felt.x, felt.y, felt.z], of: .accelerometer, from: .lab, at: time)
            if let rate { instrument.take([rate.x, rate.y, rate.z], of: .gyroscope, from: .lab, at: time) }
        }
    }

    private func write(
        _ words: StaticString, _ peak: AmplitudeSpectrum.Peak?, _ places: Int, _ text: inout TextWriter
    ) {
        text.write(words)
        guard let peak, peak.amplitude >= Self.least else { return text.write(" none") }
        text.write(" ")
        text.write(decimal: peak.hertz, places: 2)
        text.write(" Hz ")
        text.write(decimal: peak.amplitude, places: places)
        text.write(peak.standsOut ? " g" : " g in noise")
    }

    private static func length(_ line: VectorLine) -> (hertz: Int, count: Int)? {
        guard let hertz = line.count(1), (1...1_000).contains(hertz), let seconds = line.count(2), seconds <= 100,
            hertz * seconds <= 10_000
        else { return nil }
        return (hertz, hertz * seconds)
    }

    private static func vector(_ line: VectorLine, _ index: Int) -> Vector3? {
        guard let x = line.decimal(index), let y = line.decimal(index + 1), let z = line.decimal(index + 2) else {
            return nil
        }
        return Vector3(x, y, z)
    }
}
