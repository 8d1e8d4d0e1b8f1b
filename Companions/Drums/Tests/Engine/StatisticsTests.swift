import Testing

@testable import DrumsEngine
@testable import Signals

@Suite("What is counted of sessions")
struct StatisticsTests {
    /// A stream of numbers that a failure can be played again with.
    private struct Numbers: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ (state >> 29)
        }
    }

    @Test("The whole square root is the largest whose square is not too large")
    func roots() {
        var numbers = Numbers(state: 1)
        for bits in 0..<64 {
            let value = numbers.next() >> UInt64(bits)
            let root = integerSquareRoot(value)
            #expect(root * root <= value)
            let (next, isTooLarge) = (root + 1).multipliedReportingOverflow(by: root + 1)
            #expect(isTooLarge || next > value)
        }
        #expect(integerSquareRoot(0) == 0)
        #expect(integerSquareRoot(.max) == 4_294_967_295)
    }

    @Test("Numbers are sorted, and found by their place, below nought and at the ends of their type too")
    func sorting() {
        var numbers = Numbers(state: 3)
        for count in [0, 1, 2, 3, 40, 300, 5_000] {
            for bits in [2, 7, 8, 9, 20, 31, 63] {
                let wide = (0..<count).map { _ in
                    Int64(truncatingIfNeeded: numbers.next() >> (64 - UInt64(bits))) - 1 << (bits - 1)
                }
                var looked = wide
                for (place, value) in wide.sorted().enumerated() where place % 97 == 0 {
                    #expect(selected(place, of: &looked) == value)
                }
                let narrow = wide.map { Int32(truncatingIfNeeded: $0) } + [.min, .max, 0, -1]
                #expect(radixSorted(narrow) == narrow.sorted())
            }
        }
        var ends: [Int64] = [.max, .min, 0, .max, -1]
        #expect((0..<5).map { selected($0, of: &ends) } == [.min, -1, 0, .max, .max])
    }

    @Test("A Wilson interval holds its share, stays between none and all, and narrows with more trials")
    func wilson() throws {
        var widths: [Int32] = []
        for count in [1, 2, 6, 20, 100, 1_000, 100_000] {
            for successes in stride(from: 0, through: count, by: max(1, count / 7)) {
                let interval = try #require(WilsonInterval(successes, of: count))
                #expect(0 <= interval.lower && interval.lower <= interval.share)
                #expect(interval.share <= interval.upper && interval.upper <= 1_000)
                // The mirrored share has the mirrored interval, to a rounding.
                let other = try #require(WilsonInterval(count - successes, of: count))
                #expect(abs(other.lower - (1_000 - interval.upper)) <= 1)
            }
            guard count > 1 else { continue }
            let half = try #require(WilsonInterval(count / 2, of: count))
            widths.append(half.upper - half.lower)
        }
        #expect(widths == widths.sorted(by: >))
    }

    @Test("The difference of two samples, swapped, is the same with the other sign; moved, it moves as far")
    func difference() throws {
        var numbers = Numbers(state: 42)
        for _ in 0..<50 {
            let one = (0..<Int.random(in: 5...60, using: &numbers)).map { _ in
                Int32.random(in: 150...1_500, using: &numbers)
            }
            let other = (0..<Int.random(in: 5...60, using: &numbers)).map { _ in
                Int32.random(in: 150...1_500, using: &numbers)
            }
            let there = try #require(MedianDifference(from: one, to: other))
            let back = try #require(MedianDifference(from: other, to: one))
            #expect(there.tenths == -back.tenths && there.marginTenths == back.marginTenths)
            let moved = try #require(MedianDifference(from: one, to: other.map { $0 + 77 }))
            #expect(moved.tenths == there.tenths + 770 && moved.marginTenths == there.marginTenths)
        }
    }

    @Test("A line through points on a line is that line, and its interval is nothing but its slope")
    func line() throws {
        let trend = try #require(TheilSenLine((0..<30).map { .init(x: $0 * 2, y: 5_000 - 7 * $0) }))
        #expect(trend.slope == -3_500_000)
        #expect(trend.lowerSlope == -3_500_000 && trend.upperSlope == -3_500_000)
        #expect(!trend.holdsNought)
        #expect(trend.value(at: 0) == 5_000 && trend.value(at: 58) == 4_797)
    }

    @Test("A third of the days out of the ordinary do not turn a trend")
    func robust() throws {
        let points = (Int32(0)..<30).map { day in
            TheilSenLine.Point(x: day, y: day % 4 == 3 ? 90_000 : 6_000 - 10 * day)
        }
        let trend = try #require(TheilSenLine(points))
        #expect(trend.slope == -10_000_000)
    }

    @Test("The largest numbers there are overflow nothing")
    func extremes() {
        let wild: [Int32] = [.min, .max, 0, .max, .min, 1, -1]
        _ = MedianDifference(from: wild, to: wild.reversed())
        let points = wild.enumerated().map { TheilSenLine.Point(x: wild[($0.offset * 3) % 7], y: $0.element) }
        for x in wild {
            _ = TheilSenLine(points)?.band(at: x)
            _ = TheilSenLine(points)?.value(at: x)
        }
        var window = AdaptiveWindow()
        window.learn(Array(repeating: .min, count: 30) + Array(repeating: .max, count: 30))
        #expect(window == AdaptiveWindow())
        // One microsecond before the click, which is less than half a tenth of a millisecond.
        #expect(TapCalibration.offsetTenths(ofTap: .min, period: .max) == 0)
        #expect(throws: CalibrationError.self) { try TapCalibration.latency(of: wild + wild) }
    }

    @Test("Whatever is played, the window stays in its bounds and takes no more than a step a session")
    func window() {
        var numbers = Numbers(state: 7)
        for _ in 0..<100 {
            var window = AdaptiveWindow()
            for _ in 0..<20 {
                let before = window.timing
                let middle = Int32.random(in: -900...900, using: &numbers)
                let spread = Int32.random(in: 0...500, using: &numbers)
                window.learn(
                    (0..<Int.random(in: 0...80, using: &numbers)).map { _ in
                        middle + Int32.random(in: -spread...spread, using: &numbers)
                    })
                let now = window.timing
                #expect(SessionRules.windowCentre.contains(now.centreMilliseconds))
                #expect(SessionRules.windowHalf.contains(now.halfMilliseconds))
                #expect(abs(Int(now.centreMilliseconds) - Int(before.centreMilliseconds)) <= Int(AdaptiveWindow.step))
                #expect(abs(Int(now.halfMilliseconds) - Int(before.halfMilliseconds)) <= Int(AdaptiveWindow.step))
            }
        }
    }
}
