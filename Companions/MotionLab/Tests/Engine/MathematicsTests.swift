import Foundation
import MotionLabEngine
import TestInstruments
import Testing

import func Signals.asin
import func Signals.atan2
import func Signals.cos
import func Signals.sin

@Suite("Sines, transforms and spectra against what is known of them")
struct MathematicsTests {
    @Test("Sine, cosine and angles are the C library's, within a few units in the last place")
    func againstLibrary() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<20_000 {
            let x = Double.random(in: -1_000_000...1_000_000, using: &random)
            let small = Double.random(in: -4...4, using: &random)
            for angle in [x, small] {
                #expect(abs(Signals.sin(angle) - Foundation.sin(angle)) <= 2.3e-16, "sin \(angle)")
                #expect(abs(Signals.cos(angle) - Foundation.cos(angle)) <= 2.3e-16, "cos \(angle)")
            }
            let angle = Foundation.atan2(small, x / 1e6)
            #expect(abs(Signals.atan2(small, x / 1e6) - angle) <= 4 * angle.ulp, "\(small) \(x)")
            #expect(abs(Signals.asin(small / 4) - Foundation.asin(small / 4)) <= 4.5e-16)
        }
        #expect(Signals.sin(.infinity).isNaN && Signals.cos(.nan).isNaN && Signals.atan2(.nan, 1).isNaN)
    }

    /// The definition, a sum for each line.
    private func slow(_ real: [Double], _ imaginary: [Double]) -> ([Double], [Double]) {
        let count = real.count
        var answer = ([Double](), [Double]())
        for line in 0..<count {
            var (re, im) = (0.0, 0.0)
            for place in 0..<count {
                let angle = -2 * Double.pi * Double(line * place % count) / Double(count)
                re += real[place] * Foundation.cos(angle) - imaginary[place] * Foundation.sin(angle)
                im += real[place] * Foundation.sin(angle) + imaginary[place] * Foundation.cos(angle)
            }
            answer.0.append(re)
            answer.1.append(im)
        }
        return answer
    }

    @Test("The transform is the sum that defines it", arguments: [2, 4, 8, 16, 32, 64, 128, 512])
    func definition(count: Int) throws {
        var random = SeededGenerator(seed: UInt64(count))
        var real = (0..<count).map { _ in Double.random(in: -1...1, using: &random) }
        var imaginary = (0..<count).map { _ in Double.random(in: -1...1, using: &random) }
        let expected = slow(real, imaginary)
        let transform = try #require(FastFourierTransform(count: count))
        transform.transform(real: &real, imaginary: &imaginary)
        for line in 0..<count {
            #expect(abs(real[line] - expected.0[line]) < 1e-10)
            #expect(abs(imaginary[line] - expected.1[line]) < 1e-10)
        }
    }

    @Test("Every power of two up to 16,384 has the energy that went in", arguments: (1...14).map { 1 << $0 })
    func energy(count: Int) throws {
        var random = SeededGenerator(seed: UInt64(count))
        var real = (0..<count).map { _ in Double.random(in: -1...1, using: &random) }
        var imaginary = [Double](repeating: 0, count: count)
        let before = real.reduce(0) { $0 + $1 * $1 }
        let transform = try #require(FastFourierTransform(count: count))
        transform.transform(real: &real, imaginary: &imaginary)
        let after = zip(real, imaginary).reduce(0) { $0 + $1.0 * $1.0 + $1.1 * $1.1 } / Double(count)
        #expect(abs(after - before) < 1e-9 * before)
    }

    @Test("Other counts are none that can be transformed", arguments: [-4, 0, 1, 3, 100, 32_768])
    func counts(count: Int) {
        #expect(FastFourierTransform(count: count) == nil)
    }

    @Test("A frequency between two lines is found to a hundredth of one, and its height to a hundredth")
    func interpolation() throws {
        let transform = try #require(FastFourierTransform(count: 1_024))
        for step in 0..<20 {
            let hertz = 5 + Double(step) * 0.005
            let values = (0..<1_024).map { 2 * Foundation.sin(2 * Double.pi * hertz * Double($0) / 100) }
            let spectrum = try #require(AmplitudeSpectrum(values, hertz: 100, transform: transform))
            let peak = try #require(spectrum.dominant())
            #expect(abs(peak.hertz - hertz) < 0.02 * spectrum.hertzPerLine)
            #expect(abs(peak.amplitude - 2) < 0.02)
        }
    }

    @Test("It prints what a transform of 4,096 values takes, which nobody is held to")
    func figure() throws {
        let transform = try #require(FastFourierTransform(count: 4_096))
        let start = (0..<4_096).map { Foundation.sin(Double($0)) }
        var sum = 0.0
        let clock = ContinuousClock()
        let rounds = 50
        let elapsed = clock.measure {
            for _ in 0..<rounds {
                var (real, imaginary) = (start, [Double](repeating: 0, count: 4_096))
                transform.transform(real: &real, imaginary: &imaginary)
                sum += real[1]
            }
        }
        print("FFT of 4,096 values: \(elapsed / rounds)")
        #expect(sum.isFinite)
    }
}
