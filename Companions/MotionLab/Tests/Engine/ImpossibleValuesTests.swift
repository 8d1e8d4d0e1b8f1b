import MotionLabEngine
import Testing
import Wire

/// Values and times that no sensor measures, in the middle of those that one does: nothing traps, and what comes after them
/// is as if they had not been there.
@Suite("Values and times that cannot be")
struct ImpossibleValuesTests {
    static let impossible: [Double] = [.nan, .infinity, -.infinity, 1e300, 1e16]

    @Test("One impossible rate does not stay in the orientation for ever", arguments: impossible)
    func orientation(value: Double) throws {
        var (filter, untouched) = (OrientationFilter(), OrientationFilter())
        for place in 0..<200 as Range<Int64> {
            filter.add(rate: Vector3(0, 0, 0.1), acceleration: Vector3(0, 0.6, 0.8), at: place * 10_000)
            untouched.add(rate: Vector3(0, 0, 0.1), acceleration: Vector3(0, 0.6, 0.8), at: place * 10_000)
            if place % 50 == 25 {
                filter.add(rate: Vector3(0, value, 0), acceleration: Vector3(0, 0, 1), at: place * 10_000 + 5_000)
                filter.add(rate: .zero, acceleration: Vector3(value, 0, 1), at: place * 10_000 + 6_000)
            }
        }
        #expect(filter.orientation == untouched.orientation && filter.bias == untouched.bias)
        #expect(try #require(filter.orientation).angle > 0.1)
    }

    @Test("After a gap a device that is being moved does not take its movement for up")
    func movementAfterGap() throws {
        var filter = OrientationFilter()
        for place in 0..<100 as Range<Int64> {
            filter.add(rate: .zero, acceleration: Vector3(0, 0, 1), at: place * 10_000)
        }
        filter.add(rate: .zero, acceleration: Vector3(3, 0, 1), at: 10_000_000)
        #expect(filter.gaps == 1 && filter.gravity == Vector3(0, 0, 1))
        filter.add(rate: .zero, acceleration: Vector3(1, 0, 0), at: 20_000_000)
        #expect(try #require(filter.gravity).x > 0.999)
    }

    @Test("Nor in the sum of rotations", arguments: impossible)
    func rotation(value: Double) {
        var integral = RotationIntegral()
        for place in 0...100 as ClosedRange<Int64> {
            integral.add(Vector3(0, 0, 1), at: place * 10_000)
            integral.add(Vector3(0, value, 0), at: place * 10_000 + 5_000)
        }
        #expect(abs(integral.angles.z - 1) < 1e-9 && integral.angles.y == 0)
    }

    @Test("A fall with an infinite impact is none that traps", arguments: impossible)
    func fall(value: Double) {
        var timer = FreeFallTimer()
        for place in 0..<40 as Range<Int64> {
            let felt = place < 10 ? 1 : place < 30 ? 0.05 : value
            _ = timer.add(Vector3(0, 0, felt), at: place * 10_000)
        }
        let after = timer.add(Vector3(0, 0, 1), at: 400_000)
        #expect(after == nil || after?.metres.isFinite == true)
    }

    static let extremes: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]

    @Test("Times at both ends of 64 bits do not overflow", arguments: extremes)
    func times(first: Int64) {
        var (steps, watch, timer, integral, filter) = (
            StepCounter(), StreamWatch(), FreeFallTimer(), RotationIntegral(), OrientationFilter()
        )
        for time in [first] + Self.extremes {
            for felt in [1.0, 3, 0.1, 3] {
                steps.add(Vector3(0, 0, felt), at: time)
                watch.add([1], at: time)
                _ = timer.add(Vector3(0, 0, felt), at: time)
                integral.add(Vector3(0, 0, felt), at: time)
                filter.add(rate: .zero, acceleration: Vector3(0, 0, felt), at: time)
            }
            _ = (watch.state(at: .max), watch.state(at: .min))
        }
        // A step long before 1970 and one long after it.
        var walk = StepCounter()
        for base: Int64 in [.min, .max - 1_000_000] {
            for (place, felt) in [1.0, 1, 3, 0.1, 0.1].enumerated() {
                walk.add(Vector3(0, 0, felt), at: base + Int64(place) * 100_000)
            }
        }
        #expect(walk.count == 0)
        let values = (0..<12).map { Double($0 % 3) }
        let ends = [Int64.min] + Array(-5..<5) + [Int64.max]
        _ = OscillationPeriod(times: [.min] + ends, values: values)
        #expect(OscillationPeriod(times: Array(ends.reversed()) + [0], values: values) == nil)
        _ = ReverberationTime(times: ends, levels: (0..<11).map { -4 * Double($0) })
        #expect(ResampledSeries(times: [.min, .max], samples: [0, 1], interval: 1, gap: 1) == nil)
    }

    @Test("Nanoseconds with an exponent at the end of 64 bits are no time")
    func exponent() {
        for text in ["1e-9223372036854775808", "1e9223372036854775807", "1e-9223372036854775809"] {
            #expect(EpochTime.microseconds(fromNanoseconds: Array(text.utf8).span) == nil, "\(text)")
        }
    }

    @Test("A file of many names and short lines does not become gigabytes")
    func cells() throws {
        let names = (0..<60).map { "c\($0)" }.joined(separator: ",")
        let file = Array(("time," + names + "\n" + String(repeating: "1\n", count: 100_000)).utf8)
        #expect(throws: TableError.tooLarge) { _ = try NumberTable(file) }
    }

    @Test("A recording of few bytes that says any number of samples is read to a limit")
    func samples() throws {
        let header = RecordingTests.header([.barometer])
        var writer = try RecordingWriter(header: header)
        var recording = writer.takeBytes()
        // The second piece has the times of the first, and says so in a few bytes.
        var piece: [UInt8] = []
        for _ in 0..<2 {
            for place in 0..<Int64(SampleBlock.mostSamples) { writer.add([101], to: 0, at: header.startedAt + place) }
            piece = writer.takeBytes()
            recording += piece
        }
        #expect(piece.count < 20)
        #expect(try RecordingSummary(recording, isComplete: true).streams[0].samples == 8_192)
        let most = RecordingLimits.standard.samples / SampleBlock.mostSamples
        for _ in 0..<most { recording += piece }
        #expect(throws: RecordingError.tooLong) { _ = try RecordingSummary(recording, isComplete: true) }
    }

    @Test("The rate of a slow sensor is known although few samples come at once")
    func slowSensor() throws {
        let header = RecordingTests.header([.barometer])
        var writer = try RecordingWriter(header: header)
        var recording = writer.takeBytes()
        for second in 0..<20 as Range<Int64> {
            writer.add([101], to: 0, at: header.startedAt + second * 1_000_000)
            recording += writer.takeBytes()
        }
        let rate = try #require(try RecordingSummary(recording, isComplete: true).streams[0].rate)
        #expect(abs(rate.hertz - 1) < 1e-9)
    }

    @Test("A time of phyphox's that can be none is passed over, and the next request can be asked")
    func phyphoxTimes() throws {
        let input = PhyphoxConfiguration.Input(
            source: Array("pressure".utf8),
            outputs: [(Array("x".utf8), Array("p".utf8)), (Array("t".utf8), Array("t".utf8))])
        var polling = try #require(PhyphoxPolling(input))
        let batch = polling.handle(
            PhyphoxValues(
                buffers: [
                    .init(name: Array("t".utf8), update: .full, values: [1, 1e300]),
                    .init(name: Array("p".utf8), update: .full, values: [1_000, 1_000]),
                ], session: [], isMeasuring: true))
        #expect(batch.samples.count == 1 && batch.incomplete == 1)
        #expect(String(decoding: polling.path, as: UTF8.self) == "/get?t=1&p=1%7Ct")
    }
}
