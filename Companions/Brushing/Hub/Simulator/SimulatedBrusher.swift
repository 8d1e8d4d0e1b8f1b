import BrushingEngine
import Foundation
import HubKit

/// A member of a simulated family, who brushes as people do: with slips at the weekend, in a hurry, with the phone out
/// of reach of the hub.
struct SimulatedBrusher: Sendable {
    /// The habits of somebody who brushes. Chances are 0 to 1.
    struct Habits: Sendable {
        /// The chances of brushing at all on a weekday.
        var morning, evening: Double
        /// The share of those chances that is left at the weekend.
        var weekend: Double
        /// The usual times, in minutes of the day.
        var morningMinute, eveningMinute: Double
        /// The chances of brushing to the end, on the first day and on the last.
        var care: (first: Double, last: Double)

        /// An adult, who seldom forgets and is sometimes in a hurry.
        static let grownUp = Habits(
            morning: 0.97, evening: 0.95, weekend: 0.93, morningMinute: 6 * 60 + 50, eveningMinute: 22 * 60 + 40,
            care: (0.93, 0.95))
        /// A child who does it because it is done every day.
        static let diligent = Habits(
            morning: 0.98, evening: 0.985, weekend: 0.985, morningMinute: 7 * 60 + 5, eveningMinute: 19 * 60 + 35,
            care: (0.95, 0.98))
        /// A child who does not like it at first.
        static let learning = Habits(
            morning: 0.93, evening: 0.96, weekend: 0.9, morningMinute: 7 * 60 + 15, eveningMinute: 19 * 60 + 10,
            care: (0.55, 0.96))
    }

    /// A session, and how it comes to the hub.
    struct Delivery: Sendable {
        var session: BrushingSession
        /// UTC milliseconds: mostly at once, sometimes days later with others.
        var at: Int64
        /// Whether the phone did not hear the answer, and sends it again.
        var isTwice: Bool
    }

    /// The person's id in the hub.
    let person: String
    let habits: Habits
    let routine: Routine
    let calendar: LocalCalendar
    let seed: UInt64

    /// The sessions of these days and their delivery; the same numbers give the same sessions, byte for byte.
    ///
    /// - Parameters:
    ///   - days: brushing days.
    ///   - frozen: on these it is done now and then.
    ///   - now: later sessions have not been brushed yet, UTC milliseconds.
    /// - Throws: a `SessionCodecError` where the person's id or the routine is none that the engine takes.
    func deliveries(days: ClosedRange<Int32>, frozen: Set<Int32>, now: Int64) throws -> [Delivery] {
        var deliveries: [Delivery] = []
        var offlineUntil = Int64.min
        for day in days {
            // A stream for each day, so that one day more changes none of the others.
            var random = SeededRandom(seed: seed, stream: UInt64(day - days.lowerBound))
            let progress = Double(day - days.lowerBound) / Double(max(days.count - 1, 1))
            let care = habits.care.first + (habits.care.last - habits.care.first) * progress
            let isWeekend = CivilDate(day: day).weekday >= 6
            if random.once(every: 14) {
                offlineUntil = calendar.instant(day: day + 1, minute: 0) + Int64(random.between(4, 60) * 3_600_000)
            }
            for isMorning in [true, false] {
                var chance = isMorning ? habits.morning : habits.evening
                if isWeekend { chance *= habits.weekend }
                if frozen.contains(day) { chance *= 0.3 }
                var minute = isMorning ? habits.morningMinute : habits.eveningMinute
                if isMorning, isWeekend { minute += 85 }
                minute += random.normal() * (isMorning ? 12 : 25)
                guard random.unit() < chance else { continue }
                let start = calendar.start(day: day, minute: Int32(minute), secondsLater: random.between(0, 60))
                let session = try session(at: start, care: care, &random)
                let end = session.result.endedAt + 2_000
                guard end <= now else { continue }
                deliveries.append(
                    Delivery(session: session, at: max(end, offlineUntil), isTwice: random.once(every: 20)))
            }
        }
        return deliveries
    }

    /// A session as the page records it.
    private func session(at start: Int64, care: Double, _ random: inout SeededRandom) throws -> BrushingSession {
        var now = BrushingEngine.Instant(wall: start, monotonic: Int64(random.between(800, 90_000)))
        func pass(_ milliseconds: Int64) {
            now.wall += milliseconds
            now.monotonic += milliseconds
        }
        let offset = calendar.timeZone.secondsFromGMT(for: Date(milliseconds: start)) / 60
        var session = try BrushingSession(
            id: (0..<BrushingSession.Limits.id).map { _ in UInt8.random(in: .min ... .max, using: &random) },
            person: Array(person.utf8), utcOffsetMinutes: Int16(clamping: offset), routine: routine)
        _ = session.handle(.start, at: now)
        let isCareful = random.unit() < care
        // Who is not: somewhere in the middle it is enough.
        let stopsAfter = isCareful ? nil : Int(random.between(0, Double(session.segments.count) * 0.6))
        while !session.view.isDone {
            let view = session.view
            let part = Int64(Double(view.remainingMilliseconds) * random.between(0.15, 0.9))
            if random.once(every: 40) {
                pass(part)
                _ = session.handle(.pause, at: now)
                pass(Int64(random.between(3_000, 70_000)))
                _ = session.handle(.resume, at: now)
            } else if view.segmentIndex == stopsAfter {
                pass(part)
                _ = session.handle(.stop, at: now)
            } else if random.once(every: view.kind == .brush ? 80 : 15) {
                pass(part)
                _ = session.handle(.skip, at: now)
            } else {
                // The page looks at each frame that it draws.
                pass(view.remainingMilliseconds + Int64(random.between(0, 17)))
                _ = session.handle(.tick, at: now)
            }
        }
        pass(Int64(random.between(200, 2_000)))
        _ = session.handle(.finish, at: now)
        return session
    }
}

extension LocalCalendar {
    /// A moment of a brushing day, which goes on past midnight.
    fileprivate func start(day: Int32, minute: Int32, secondsLater: Double) -> Int64 {
        let isNextDay = minute >= 1_440
        return instant(day: isNextDay ? day + 1 : day, minute: isNextDay ? minute - 1_440 : minute)
            + Int64(secondsLater * 1_000)
    }
}
