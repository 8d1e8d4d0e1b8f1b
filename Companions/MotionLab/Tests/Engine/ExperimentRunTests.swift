import Foundation
import MotionLabEngine
import Testing

@Suite("An experiment while it is done")
struct ExperimentRunTests {
    private func run(_ slug: String) throws -> ExperimentRun {
        let found = Experiment.builtIn.first { $0.slug == Array(slug.utf8) }
        return ExperimentRun(try #require(found))
    }

    @Test("A pendulum of half a metre swings in 1.42 s, and says gravity")
    func pendulum() throws {
        var run = try run("pendulum")
        for step in 0..<3_000 {
            let seconds = Double(step) / 100
            let rate = 0.3 * sin(2 * .pi * seconds / 1.4187)
            run.add([0, rate, 0], of: .gyroscope, at: 1_000_000 + Int64(step) * 10_000)
        }
        let results = run.results
        #expect(results.map(\.quantity) == [.period, .gravity])
        #expect(abs(results[0].value - 1.4187) < 0.001)
        #expect(abs(results[1].value - 9.81) < 0.05)
        let points = run.points(of: 0, most: 500)
        #expect(points.count <= 500 * 4 && points.count >= 250 * 4)
        #expect(run.every(0, most: 500) == 1)
    }

    @Test("A plot over time shows the one moment at which something was, and follows what a person enters")
    func shown() throws {
        var run = try run("pendulum")
        for step in 0..<3_000 {
            run.add([0, step == 1_777 ? 5 : 0, 0], of: .gyroscope, at: 1_000_000 + Int64(step) * 10_000)
            // Drawn as it comes, as a page does.
            if step % 100 == 0 { _ = run.points(of: 0, most: 600) }
        }
        let points = run.points(of: 0, most: 600)
        let (times, rates) = (
            stride(from: 0, to: points.count, by: 4).map { points[$0] },
            stride(from: 2, to: points.count, by: 4).map { points[$0] }
        )
        #expect(rates.max() == 5 && rates.min() == 0)
        let place = try #require(rates.firstIndex(of: 5))
        #expect(abs(times[place] - 17.77) < 0.16, "within its column of sixteen hundredths of a second")
        #expect(times == times.sorted())
    }

    @Test("A ride in a lift says how high it went")
    func lift() throws {
        var run = try run("lift")
        for step in 0..<400 {
            run.add(
                [LiftSimulation.pressure(at: Double(step) / 10)], of: .barometer, at: 1_000_000 + Int64(step) * 100_000)
        }
        let climb = try #require(run.results.first)
        #expect(climb.quantity == .climb && abs(climb.value - 12) < 0.3)
    }

    /// Heights by the barometric formula of the engine's own inverse, which LiveInstrumentTests hold to the standard atmosphere.
    @Test(
        "A ride counts to its very top, however short the stay and however long the way, and a gust of wind does not",
        arguments: [(stay: 2, metres: 12.0), (stay: 60, metres: 40), (stay: 2, metres: 3)])
    func shortStay(stay: Int, metres: Double) throws {
        var run = try run("lift")
        // 100 s below and as long a way, ten readings a second; one reading is of a door that slams: 20 Pa, 1.7 m.
        let heights =
            Array(repeating: 0, count: 1_000) + (0..<1_000).map { metres * Double($0) / 1_000 }
            + Array(repeating: metres, count: stay * 10)
        for (step, height) in heights.enumerated() {
            let gust = step == 300 ? 0.02 : 0
            run.add(
                [Altitude.pressure(metres: height, reference: 101.325, celsius: Altitude.usualCelsius) + gust],
                of: .barometer, at: Int64(step) * 100_000)
        }
        let climb = try #require(run.results.first)
        #expect(abs(climb.value - metres) < 0.01)
    }

    @Test("Samples of a sensor that the experiment has not, and those that go back in time, are passed over")
    func foreign() throws {
        var run = try run("pendulum")
        run.add([1], of: .barometer, at: 1)
        run.add([0, 0, 0], of: .gyroscope, at: 10)
        run.add([0, 0, 0], of: .gyroscope, at: 5)
        #expect(run.times == [10])
        #expect(run.results.isEmpty)
    }
}
