import Foundation
import Signals
import TestInstruments
import Testing

@Suite("Mathematics in Swift alone")
struct SignalsTests {
    /// How far two numbers lie apart, in units of the second one's last place.
    private func ulps(_ value: Double, _ expected: Double) -> Double {
        value == expected ? 0 : (value - expected).magnitude / expected.ulp
    }

    @Test("exp agrees with the C library within one unit in the last place")
    func exponential() {
        var random = SeededGenerator(seed: 5)
        var worst = 0.0
        for _ in 0..<200_000 {
            let x = Double.random(in: -40...40, using: &random)
            worst = max(worst, ulps(Signals.exp(x), Foundation.exp(x)))
        }
        for _ in 0..<50_000 {
            let x = Double.random(in: -744...709.7, using: &random)
            worst = max(worst, ulps(Signals.exp(x), Foundation.exp(x)))
        }
        print("exp: at most \(worst) units in the last place from the C library")
        #expect(worst <= 1)
    }

    @Test("log agrees with the C library within two units in the last place")
    func logarithm() {
        var random = SeededGenerator(seed: 6)
        var worst = 0.0
        for round in 0..<250_000 {
            let x =
                round % 2 == 0
                ? Double.random(in: 0.25...4, using: &random)
                : Foundation.exp(Double.random(in: -700...700, using: &random))
            worst = max(worst, ulps(Signals.log(x), Foundation.log(x)))
        }
        print("log: at most \(worst) units in the last place from the C library")
        #expect(worst <= 2)
    }

    @Test("The edges are those of IEEE 754")
    func edges() {
        #expect(Signals.exp(0) == 1)
        #expect(Signals.exp(.infinity) == .infinity)
        #expect(Signals.exp(-.infinity) == 0)
        #expect(Signals.exp(.nan).isNaN)
        #expect(Signals.exp(709.79) == .infinity)
        #expect(Signals.exp(-746) == 0)
        #expect(Signals.log(1) == 0)
        #expect(Signals.log(0) == -.infinity)
        #expect(Signals.log(.infinity) == .infinity)
        #expect(Signals.log(-1).isNaN)
        #expect(Signals.log(.nan).isNaN)
        #expect(ulps(Signals.log(.leastNonzeroMagnitude), Foundation.log(.leastNonzeroMagnitude)) <= 2)
    }

    @Test("Quantiles are those of R's and NumPy's default")
    func quantiles() throws {
        // numpy.quantile([3, 1, 4, 1, 5, 9, 2, 6], [0, 0.1, 0.25, 0.5, 0.75, 0.9, 1])
        let values = [3.0, 1, 4, 1, 5, 9, 2, 6]
        let expected = [(0, 1.0), (0.1, 1.0), (0.25, 1.75), (0.5, 3.5), (0.75, 5.25), (0.9, 6.9), (1, 9.0)]
        for (fraction, value) in expected {
            let found = try #require(quantile(values, fraction))
            #expect((found - value).magnitude < 1e-12)
        }
        let (lower, middle, upper) = try #require(quartiles(values))
        #expect(lower == 1.75 && middle == 3.5 && upper == 5.25)
        #expect(median([2, 1, 3]) == 2)
        #expect(median([7]) == 7)
        #expect(median([]) == nil)
        #expect(quartiles([]) == nil)
        #expect(quantile(values, 2) == 9)
        #expect(quantile(values, -1) == 1)
    }
}
