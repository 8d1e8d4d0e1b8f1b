import Foundation
import MotionLabEngine
import Testing

@Suite("What a page shows while it measures")
struct LiveInstrumentTests {
    /// Samples of a kind at a rate from a second on, microseconds.
    private func fed(
        _ values: [Double?], of kind: SensorKind, hertz: Double, seconds: Double, wanted: Double = 0,
        from source: SensorSource = .lab
    ) -> LiveInstrument {
        var instrument = LiveInstrument()
        instrument.want(hertz: wanted)
        for step in 0...Int(hertz * seconds) {
            instrument.take(values, of: kind, from: source, at: 1_000_000 + Int64(Double(step) / hertz * 1_000_000))
        }
        return instrument
    }

    @Test("15 of 60 samples a second are shown where 15 are wanted, and the rotation is counted of all")
    func thinned() throws {
        let instrument = fed([0, 0, 0.5], of: .gyroscope, hertz: 60, seconds: 10, wanted: 15)
        let sensor = try #require(instrument.sensor(.gyroscope))
        #expect(abs(try #require(sensor.hertz(at: 11_000_000)) - 15) < 0.2)
        #expect((148...152).contains(sensor.history.count))
        #expect(abs(instrument.rotation.angles.z - 5) < 1e-6)
    }

    @Test("A rate that was asked for is held between 1 and 1,000, and all that comes is shown where none was")
    func wanted() {
        var instrument = LiveInstrument()
        instrument.want(hertz: 0.01)
        #expect(instrument.wantedHertz == 1)
        instrument.want(hertz: 1e9)
        #expect(instrument.wantedHertz == 1_000)
        instrument.want(hertz: -.infinity)
        #expect(instrument.wantedHertz == 0)
        #expect(fed([0, 0, 0], of: .gyroscope, hertz: 100, seconds: 2).sensor(.gyroscope)?.history.count == 201)
    }

    @Test("The green rectangle is moved by the rate times half of its size")
    func rectangle() {
        #expect(Movement.rectangleOffset(rate: 0.5, size: 80) == 20)
        #expect(Movement.rectangleOffset(rate: -1, size: 80) == -40)
    }

    @Test(
        "What is done with the device is said by the strongest axis",
        arguments: [
            (Vector3(0, 0, 0.05), Movement.Direction.still, false), (Vector3(0.4, 0.1, 0), .tippingBack, false),
            (Vector3(-2, 0, 0), .tippingForward, true), (Vector3(0, -0.3, 0.1), .leaningLeft, false),
            (Vector3(0, 0.3, 0.1), .leaningRight, false), (Vector3(0, 0, 1.5), .turningLeft, true),
            (Vector3(0, 0, -0.2), .turningRight, false),
        ])
    func movement(rate: Vector3, direction: Movement.Direction, isFast: Bool) {
        let movement = Movement(rate: rate)
        #expect(movement.direction == direction && movement.isFast == isFast)
    }

    @Test("A value with an axis missing is refused, counted, and leaves what was measured before")
    func missingAxis() throws {
        var instrument = fed([0, 0, 1], of: .accelerometer, hertz: 60, seconds: 1)
        #expect(instrument.take([0, nil, 1], of: .accelerometer, from: .lab, at: 3_000_000) == .refused)
        #expect(instrument.take([0, .nan, 1], of: .accelerometer, from: .lab, at: 3_100_000) == .refused)
        let sensor = try #require(instrument.sensor(.accelerometer))
        #expect(sensor.refused == 2 && sensor.latest == [0, 0, 1])
    }

    @Test("What comes out of order is passed over")
    func outOfOrder() {
        var instrument = fed([0, 0, 1], of: .accelerometer, hertz: 60, seconds: 1)
        #expect(instrument.take([9, 9, 9], of: .accelerometer, from: .lab, at: 1_500_000) == .refused)
        #expect(instrument.sensor(.accelerometer)?.latest == [0, 0, 1])
    }

    @Test("A sensor that stops is silent after a second")
    func silent() throws {
        let sensor = try #require(fed([0, 0, 1], of: .accelerometer, hertz: 60, seconds: 1).sensor(.accelerometer))
        #expect(sensor.state(at: 2_500_000) == .live)
        #expect(sensor.state(at: 4_000_000) == .silent(since: sensor.time))
        #expect(sensor.hertz(at: 4_100_000) == nil)
    }

    @Test("A chart has a break where nothing came, and the lowest and highest of each column")
    func chart() {
        var history = SampleHistory(axisCount: 1)
        for step in 0..<1_000 { history.add([step == 500 ? 9 : 0], at: Int64(step) * 1_000) }
        for step in 0..<10 { history.add([1], at: 2_000_000 + Int64(step) * 1_000) }
        let points = history.points(from: 0, to: 2_100_000, columns: 20, gap: 100_000)
        #expect(points.count % 2 == 0 && points.count < 120)
        #expect(points.contains(9), "a peak of one sample is not lost")
        #expect(stride(from: 0, to: points.count, by: 2).count { points[$0].isNaN } == 1)
        #expect(history.points(from: 5, to: 5, columns: 10, gap: 1).isEmpty)
    }

    @Test(
        "In columns of many samples a line that only falls is drawn falling, one that rises rising, each axis for itself"
    )
    func orderOfExtremes() {
        var history = SampleHistory(axisCount: 3)
        // Ten samples a column; the third has its peak before its dip in each column.
        for step in 0..<100 {
            let place = Double(step % 10)
            history.add([Double(-step), Double(step), place == 2 ? 7 : place == 6 ? -7 : 0], at: Int64(step) * 1_000)
        }
        let points = history.points(from: 0, to: 99_999, columns: 10, gap: 5_000)
        let (falling, rising) = (axis(0, of: points), axis(1, of: points))
        #expect(falling == falling.sorted(by: >) && falling.count == 20 && falling.last == -99)
        #expect(rising == rising.sorted() && rising.last == 99)
        #expect(axis(2, of: points) == (0..<10).flatMap { _ in [7, -7] as [Float] })
    }

    private func axis(_ axis: Int, of points: [Float]) -> [Float] {
        stride(from: 0, to: points.count, by: 4).map { points[$0 + 1 + axis] }
    }

    @Test("What is held is bounded, and the newest")
    func bounded() {
        var history = SampleHistory(axisCount: 1)
        for step in 0..<SampleHistory.mostSamples * 3 { history.add([Double(step)], at: Int64(step)) }
        #expect(history.count == SampleHistory.mostSamples)
        #expect(history.series(0, last: 2) == [24_574, 24_575])
    }

    @Test("At rest it feels 1 g, and a fall of half a metre is timed")
    func fall() throws {
        var instrument = fed([0, 0, 1], of: .accelerometer, hertz: 100, seconds: 1)
        #expect(instrument.sensor(.accelerometer)?.magnitude == 1)
        let seconds = (2 * 0.5 / SensorSource.standardGravity).squareRoot()
        var time: Int64 = 2_010_000
        for _ in 0..<Int(seconds * 100) {
            instrument.take([0, 0, 0.01], of: .accelerometer, from: .lab, at: time)
            time += 10_000
        }
        #expect(instrument.isFalling)
        instrument.take([0, 0, 6], of: .accelerometer, from: .lab, at: time)
        let fall = try #require(instrument.fall)
        #expect(abs(fall.metres - 0.5) < 0.06 && instrument.falls == 1)
    }

    @Test(
        "A phone that is shaken sideways is not tilted by it, with a gyroscope and without", arguments: [false, true])
    func shakenIsNotTilted(turns: Bool) throws {
        var instrument = LiveInstrument()
        var farthest = 0.0
        for step in 0..<1_200 {
            let time = 1_000_000 + Int64(step) * 16_667
            let felt = 0.31 * sin(2 * .pi * 2 * Double(step) / 60)
            instrument.take([felt, 0, 1], of: .accelerometer, from: .lab, at: time)
            if turns { instrument.take([0, 0, 0], of: .gyroscope, from: .lab, at: time) }
            if step > 300 { farthest = max(farthest, abs(try #require(instrument.tilt).rollDegrees)) }
        }
        // Taken for gravity, it would be atan 0.31, 17 degrees; followed for a second, 0.31 / (2π 2) g, 1.4 degrees.
        #expect(farthest < 1.6)
        #expect(abs(try #require(instrument.linearAcceleration).z) < 0.05)
    }

    @Test("What somebody turns is no drift, and what the gyroscope reads at rest is")
    func drift() throws {
        var rotation = RotationIntegral()
        for step in 0..<600 {
            rotation.add(Vector3(0, 0.4 * sin(Double(step) / 20), 0.1), at: Int64(step) * 10_000)
        }
        #expect(rotation.driftDegrees == nil && !rotation.resting.isAtRest && rotation.awayDegrees > 10)
        // Put down for three seconds: 0.002 rad/s, 6.9 degrees a minute.
        for step in 600..<900 {
            rotation.add(Vector3(0, 0, step % 2 == 0 ? 0.001 : 0.003), at: Int64(step) * 10_000)
        }
        #expect(rotation.resting.isAtRest)
        let minute = try #require(rotation.resting.degreesPerMinute)
        #expect(abs(minute - 0.002 * 60 * 180 / .pi) < 0.1)
        rotation.add(Vector3(0, 1, 0), at: 9_010_000)
        #expect(!rotation.resting.isAtRest && rotation.resting.degreesPerMinute == minute)
    }

    @Test("Gravity is taken out of any samples, however they are spaced, and never of times that do not rise")
    func gravity() throws {
        let felt = [Vector3](repeating: Vector3(0, 0, 1), count: 4)
        #expect(withoutGravity(felt, at: [0, 1, 1, 2], turning: nil) == nil)
        #expect(withoutGravity(felt, at: [0, 1], turning: nil) == nil)
        #expect(withoutGravity([], at: [], turning: nil) == nil)
        // A day, a century, and all the time that there is, between two samples.
        for last in [86_400_000_000, 3_155_760_000_000_000, Int64.max] {
            let linear = try #require(withoutGravity(felt, at: [0, 10_000, 20_000, last], turning: nil))
            #expect(linear.count == 4 && linear.allSatisfy { $0.magnitude < 1e-9 })
        }
        let linear = try #require(
            withoutGravity(felt, at: [.min, -1, 0, .max], turning: TurningRates(times: [0], rates: [.zero])))
        #expect(linear.allSatisfy { $0.magnitude.isFinite })
    }

    @Test("A simulated lift climbs 12 m, and the height says so")
    func lift() throws {
        var altitude = RelativeAltitude()
        var highest = 0.0
        for step in 0..<400 {
            altitude.add(LiftSimulation.pressure(at: Double(step) / 10))
            highest = max(highest, altitude.metres ?? 0)
        }
        #expect(abs(highest - 12) < 0.3)
        #expect(LiftSimulation.metres(at: -1) == 0 && LiftSimulation.metres(at: .infinity) == 0)
        #expect(abs(LiftSimulation.metres(at: LiftSimulation.period)) < 1e-9)
    }

    @Test("Each intensity is a pattern that browsers take, and a pattern of one's own is held to the same")
    func haptics() throws {
        for intensity in HapticPattern.Intensity.allCases {
            #expect(try HapticPattern(HapticPattern(intensity).milliseconds).totalMilliseconds < 400)
        }
        #expect(HapticPattern(.light).milliseconds == [12])
        #expect(HapticPattern(.error).milliseconds == [26, 60, 26, 60, 44])
        #expect(HapticPattern(.selection).milliseconds == [5])
        #expect(throws: HapticPattern.Failure.empty) { try HapticPattern([]) }
        #expect(throws: HapticPattern.Failure.part(1)) { try HapticPattern([10, 0, 10]) }
        #expect(throws: HapticPattern.Failure.part(0)) { try HapticPattern([2_001]) }
        #expect(throws: HapticPattern.Failure.tooMany) { try HapticPattern([UInt16](repeating: 1, count: 33)) }
    }
}
