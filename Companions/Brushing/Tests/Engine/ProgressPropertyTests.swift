import BrushingEngine
import TestInstruments
import Testing

/// Progress against what a person would count by hand from the same calendar.
@Suite("Any months of brushing")
struct ProgressPropertyTests {
    /// A calendar: how many sessions that count on each day, and which days are frozen.
    private struct Months {
        let first: Int32
        var sessions: [Int]
        var frozen: Set<Int32>
        let perDay: Int

        init(_ random: inout SeededGenerator) {
            first = Int32.random(in: -1_000...21_000, using: &random)
            perDay = Int.random(in: 1...2, using: &random)
            let diligence = Int.random(in: 1...30, using: &random)
            sessions = (0..<Int.random(in: 1...420, using: &random)).map { _ in
                Int.random(in: 0..<diligence, using: &random) > 0 ? 2 : Int.random(in: 0...3, using: &random)
            }
            sessions[0] = max(sessions[0], 1)
            frozen = []
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                let from = Int32.random(in: first...(first + Int32(sessions.count) + 30), using: &random)
                for ahead in 0..<Int32.random(in: 1...12, using: &random) { frozen.insert(from + ahead) }
            }
        }

        var last: Int32 { first + Int32(sessions.count) - 1 }

        func isKept(_ day: Int32) -> Bool { day >= first && day <= last && sessions[Int(day - first)] >= perDay }

        /// Days in a row, going back from a day.
        func streak(at day: Int32) -> Int {
            var count = isKept(day) && !frozen.contains(day) ? 1 : 0
            var back = day - 1
            while back >= first, frozen.contains(back) || isKept(back) {
                if !frozen.contains(back) { count += 1 }
                back -= 1
            }
            return count
        }

        /// Loop Habit Tracker's formula, in floating point.
        func habit(at day: Int32) -> Double {
            let past = 0.9480775  // 0.5^(1/13)
            var score = 0.0
            for one in first...day where !frozen.contains(one) {
                let done = Double(min(sessions[Int(one - first)], perDay)) / Double(perDay)
                let next = score * past + done * (1 - past)
                score = one == day ? max(score, next) : next
            }
            return score
        }
    }

    @Test("Streaks, weeks and the habit are what one counts by hand", arguments: SessionPropertyTests.seeds)
    func byHand(seed: UInt64) {
        print("progress seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<12 {
            let months = Months(&random)
            var progress = BrushingProgress(perDay: months.perDay)
            for day in months.frozen.shuffled(using: &random) { progress.freeze(day) }
            var longest = 0
            var all = 0
            var awards: [Award] = []
            for (index, count) in months.sessions.enumerated() {
                let day = months.first + Int32(index)
                // Whether every day is looked at or not makes no difference.
                if Bool.random(using: &random) { progress.advance(to: day) }
                for number in 0..<count {
                    let award = progress.record(day: day, isMorning: number == 0, counts: true, milliseconds: 1_000)
                    if let award { awards.append(award) }
                    let short = progress.record(day: day, isMorning: true, counts: false, milliseconds: 500)
                    #expect(short == nil)
                }
                all += count
                longest = max(longest, months.streak(at: day))
                guard progress.currentDay == day else { continue }
                #expect(progress.streakDays == months.streak(at: day))
                #expect(progress.longestStreakDays == longest)
                #expect(progress.sessions == all && progress.totalMilliseconds == Int64(all) * 1_500)
                let habit = Double(progress.habit) / 4_294_967_296
                #expect(abs(habit - months.habit(at: day)) < 0.000_01)
                let monday = day - (day % 7 + 10) % 7
                let week = (monday...day).map { $0 < months.first ? 0 : months.sessions[Int($0 - months.first)] }
                #expect(progress.sessionsThisWeek == week.reduce(0, +))
                // As many sessions of each day that is not frozen as it needs, in each half one.
                let kept = zip(monday...day, week).reduce(0) { sum, one in
                    months.frozen.contains(one.0) ? sum : sum + min(one.1, 2, months.perDay)
                }
                #expect(progress.keptThisWeek == kept)
                for (place, one) in (monday...monday + 6).enumerated() {
                    let done = one < months.first || one > day ? 0 : months.sessions[Int(one - months.first)]
                    var pip: UInt8 = done > 1 ? 3 : UInt8(done)
                    if months.frozen.contains(one) { pip |= 4 }
                    #expect(progress.week[place] == pip)
                }
            }
            #expect(Set(awards).count == awards.count, "each is given once")
            #expect(awards.first == .first)
            for award in awards {
                if let days = award.days { #expect(longest >= days) }
                if let sessions = award.sessions { #expect(all >= sessions) }
            }
        }
    }

    @Test("A page that goes on from the bytes comes to what the hub comes to", arguments: SessionPropertyTests.seeds)
    func bytes(seed: UInt64) throws {
        print("progress seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let months = Months(&random)
            var hub = BrushingProgress(perDay: months.perDay)
            // Frozen days beyond those of the next sixty are the hub's alone.
            for day in months.frozen where day <= months.first + 60 { hub.freeze(day) }
            var page: BrushingProgress?
            for (index, count) in months.sessions.prefix(60).enumerated() {
                let day = months.first + Int32(index)
                hub.advance(to: day)
                page?.advance(to: day)
                for number in 0..<count {
                    let award = hub.record(day: day, isMorning: number == 0, counts: true, milliseconds: 1_000)
                    let same = page?.record(day: day, isMorning: number == 0, counts: true, milliseconds: 1_000)
                    #expect(page == nil || same == award)
                }
                if let page { #expect(page == hub) }
                if Int.random(in: 0..<5, using: &random) == 0 {

                    let restored = try #require(BrushingProgress(bytes: hub.bytes))
                    page = restored

                }
            }
        }
    }

    @Test("Each award can be reached")
    func reachable() {
        var progress = BrushingProgress(perDay: 2)
        var awards: Set<Award> = []
        for day in Int32(0)..<1_010 {
            for slot in 0..<2 {
                if let award = progress.record(day: day, isMorning: slot == 0, counts: true, milliseconds: 1) {
                    #expect(awards.insert(award).inserted)
                }
            }
        }
        #expect(awards == Set(Award.allCases))
        #expect(Set(Award.allCases.map { "\($0.name)" }).count == Award.allCases.count)
    }
}
