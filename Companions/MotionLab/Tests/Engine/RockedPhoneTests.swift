import Foundation
import MotionLabEngine
import Testing

/// A phone that is rocked in place (Zhao 2010 counts what swings along the vertical; gravity that leaves it and comes back is
/// as long as before, |(sin a, 0, cos a)| = 1).
@Suite("Steps of a phone that is rocked")
struct RockedPhoneTests {
    private static func steps(_ acceleration: (Double) -> Vector3) -> Int {
        var counter = StepCounter()
        for place in 0..<2_000 as Range<Int64> { counter.add(acceleration(Double(place) / 100), at: place * 10_000) }
        return counter.count
    }

    @Test("Gravity alone makes no steps, however far and often it is turned", arguments: [20.0, 40, 90], [0.7, 1, 2])
    func rocked(degrees: Double, hertz: Double) {
        let steps = Self.steps { seconds in
            let angle = degrees * .pi / 180 * sin(2 * .pi * hertz * seconds)
            return Vector3(sin(angle), 0, cos(angle))
        }
        #expect(steps == 0)
    }

    @Test("Who rocks the phone as they walk is counted", arguments: [0.0, 10, 20])
    func walking(degrees: Double) {
        // 1.8 steps a second of 0.3 g along the vertical, twenty seconds long: 36.
        let steps = Self.steps { seconds in
            let angle = degrees * .pi / 180 * sin(2 * .pi * 0.9 * seconds)
            let felt = 1 + 0.3 * sin(2 * .pi * 1.8 * seconds)
            return Vector3(felt * sin(angle), 0, felt * cos(angle))
        }
        #expect((33...37).contains(steps), "\(steps)")
    }
}
