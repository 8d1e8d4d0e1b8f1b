import Foundation
import Testing

@testable import PlantsHub

@Suite("The chart")
struct ChartTests {
    private let day: Int64 = 86_400_000

    private func app(_ samples: (Int64) -> [(at: Int64, value: Double)]) async throws -> (PlantsTestApp, PlantRecord) {
        let app = try await PlantsTestApp()
        let sensor = try await app.sensor()
        let plant = try await app.plant(sensors: [sensor.id])
        try await app.store(samples(app.now), of: sensor)
        return (app, plant)
    }

    @Test("Two plunges to what air reads are doubtful in each span, and the longest gap is one number in all of them")
    func doubtful() async throws {
        let app = try await PlantsTestApp()
        let sensor = try await app.sensor()
        let plant = try await app.plant(sensors: [sensor.id])
        let (first, second) = (app.now - 9 * 3_600_000, app.now - 5 * 3_600_000)
        let silence = (app.now - 20 * 3_600_000)..<(app.now - 14 * 3_600_000)
        let curve = PlantsTestApp.curve(from: app.now - 3 * day, to: app.now, start: 60, perDay: 6)
            .filter { !silence.contains($0.at) }
            .map { (at: $0.at, value: (first..<first + 2_400_000).contains($0.at) || $0.at == second ? 0.8 : $0.value) }
        try await app.store(curve, of: sensor)
        for span in ChartSpan.allCases where span != .decade {
            let chart = try await app.chart(plant, span)
            #expect(chart.doubtful.count == 2, "\(span)")
            for (stretch, at) in zip(chart.doubtful, [first, second]) {
                #expect(abs(stretch[0] - at) <= 3_600_000 && stretch[1] > stretch[0], "\(span)")
            }
            #expect(chart.longestGap == Int64(22_500_000), "\(span): from reading to reading")
        }
    }

    @Test("Each span sums up all of its readings, and only those", arguments: ChartSpan.allCases)
    func spans(span: ChartSpan) async throws {
        let (app, plant) = try await app { now in
            PlantsTestApp.curve(from: now - 400 * day, to: now, start: 60, perDay: 0.1)
        }
        let chart = try await app.chart(plant, span)
        let expected = Int(min(span.length, 400 * day) / 900_000)
        // A point that begins before the chart does is left out, or whole.
        #expect(abs(chart.count - expected) <= Int(span.width / 900_000) + 1)
        #expect(chart.points.allSatisfy { $0.low <= $0.mean && $0.mean <= $0.high })
        #expect(zip(chart.points, chart.points.dropFirst()).allSatisfy { $0.at < $1.at })
        #expect(chart.gaps.isEmpty)
        #expect(chart.points.count <= 400)
    }

    @Test("A silence is a gap, and one that lasts until now is one too")
    func gaps() async throws {
        let (app, plant) = try await app { now in
            PlantsTestApp.curve(from: now - 6 * day, to: now, start: 60, perDay: 3).filter {
                !(now - 3 * day...now - 2 * day).contains($0.at) && $0.at < now - day / 2
            }
        }
        let chart = try await app.chart(plant, .week)
        #expect(chart.gaps.count == 2)
        #expect(abs(chart.gaps[0][0] - (app.now - 3 * day)) <= 1_800_000)
        #expect(abs(chart.gaps[0][1] - (app.now - 2 * day)) <= 1_800_000)
        #expect(chart.gaps[1][1] == app.now)
        #expect(chart.ahead == nil)
    }

    @Test("A sensor that was silent all the time is one gap from edge to edge")
    func silence() async throws {
        let (app, plant) = try await app { now in
            PlantsTestApp.curve(from: now - 12 * day, to: now - 10 * day, start: 60, perDay: 3)
        }
        let chart = try await app.chart(plant, .week)
        #expect(chart.points.isEmpty)
        #expect(chart.gaps == [[chart.from, chart.to]])
    }

    @Test("Before its first reading nothing is claimed, not even a gap")
    func beginning() async throws {
        let (app, plant) = try await app { now in
            PlantsTestApp.curve(from: now - 2 * day, to: now, start: 60, perDay: 3)
        }
        #expect(try await app.chart(plant, .month).gaps.isEmpty)
    }

    @Test("With some dry-downs seen, the curve goes on ahead to its limit")
    func ahead() async throws {
        let (app, plant) = try await app { now in
            let waterings = (0..<6).map { (at: now - Int64(6 - $0) * 6 * day + day, to: 65.0) }
            return PlantsTestApp.curve(from: now - 36 * day, to: now, start: 60, perDay: 6, waterings: waterings)
        }
        let sensor = try #require(try await app.situation(plant).sensors.first?.device.id)
        try await app.plants.watch.examine(sensor, from: 0)
        let ahead = try #require(try await app.chart(plant, .week).ahead)
        #expect(ahead.crossing.earliest <= ahead.crossing.at)
        #expect(ahead.crossing.at <= ahead.crossing.latest)
        #expect(ahead.crossing.at > app.now)
    }

    @Test("Points are rows of numbers")
    func encoding() async throws {
        let (app, plant) = try await app { now in [(now - 1_800_000, 41.256)] }
        let json = try JSONEncoder().encode(try await app.chart(plant, .day))
        let object = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
        let points = try #require(object["points"] as? [[Double]])
        #expect(points.map { Array($0.dropFirst()) } == [[41.26, 41.26, 41.26, 1]])
    }

    @Test("A quantity that nobody measures has no points; one that nobody knows is not there")
    func quantities() async throws {
        let (app, plant) = try await app { now in [(now, 40)] }
        #expect(try await app.chart(plant, .day, "light").points.isEmpty)
        await #expect(throws: (any Error).self) { try await app.chart(plant, .day, "love") }
    }

    @Test("A page back shows that stretch and nothing of now: no forecast, and the waterings of then")
    func paged() async throws {
        let (app, plant) = try await app { now in
            PlantsTestApp.curve(from: now - 30 * day, to: now, start: 60, perDay: 1)
        }
        let end = app.now - 10 * day
        _ = try await app.plants.water(plant.id, at: end - day, person: "ines", household: app.household.id)
        _ = try await app.plants.water(plant.id, at: app.now - day, person: "ines", household: app.household.id)
        let chart = try await app.chart(plant, .week, end: end)
        #expect(chart.to == end && chart.from == end - 7 * day && chart.now == app.now)
        #expect(chart.points.allSatisfy { $0.at >= chart.from - 1_800_000 && $0.at <= end })
        #expect(chart.waterings.map(\.at) == [end - day])
        #expect(chart.ahead == nil && chart.gaps.isEmpty)
        let beginning = try #require(chart.beginning)
        #expect(abs(beginning - (app.now - 30 * day)) <= day)
    }

    @Test(
        "Two stretches lie over each other, and the reply stays bounded",
        arguments: ChartSpan.allCases.filter { $0 != .decade })
    func compared(span: ChartSpan) async throws {
        let (app, plant) = try await app { now in
            PlantsTestApp.curve(from: now - 760 * day, to: now, start: 90, perDay: 0.1)
        }
        for against in ChartComparison.allCases {
            let chart = try await app.chart(plant, span, against: against)
            let earlier = try #require(chart.earlier)
            #expect(earlier.shift == against.shift(span) && earlier.shift % day == 0)
            #expect(abs(earlier.points.count - chart.points.count) <= 1)
            #expect(earlier.points.allSatisfy { $0.at >= chart.from - span.width && $0.at <= chart.to })
            // It dries by a tenth a day: what was earlier was as much wetter.
            let (first, then) = (try #require(chart.points.dropFirst().first), earlier.points)
            let twin = try #require(then.first { $0.at == first.at })
            #expect(abs(twin.mean - first.mean - Double(earlier.shift / day) * 0.1) < 1)
            #expect(try JSONEncoder().encode(chart).count < 60_000)
        }
    }

    @Test("Ten years are a point a week, from the first reading on, with the stretches that nobody knows")
    func decade() async throws {
        let app = try await PlantsTestApp()
        let sensor = try await app.sensor()
        let plant = try await app.plant(sensors: [sensor.id])
        let first = app.now - 1_500 * day
        let silence = (app.now - 900 * day)..<(app.now - 870 * day)
        let samples = stride(from: first, through: app.now, by: 21_600_000).filter { !silence.contains($0) }
        try await app.store(samples.map { ($0, 40) }, of: sensor)
        _ = try await app.plants.water(plant.id, at: app.now - day, person: "ines", household: app.household.id)
        let chart = try await app.chart(plant, .decade)
        #expect((first - day...first).contains(chart.from))
        #expect(chart.count == samples.count)
        #expect(chart.points.allSatisfy { $0.at % (7 * day) == 0 })
        #expect((205...216).contains(chart.points.count))
        #expect(chart.gaps == [[silence.lowerBound - 21_600_000, silence.upperBound]], "from reading to reading")
        #expect(chart.ahead == nil && chart.doubtful.isEmpty && chart.waterings.isEmpty)
    }

    @Test("Ten years of a plant that came lately are its last year")
    func short() async throws {
        let (app, plant) = try await app { now in [(now - 3 * day, 41), (now, 40)] }
        let chart = try await app.chart(plant, .decade)
        #expect(chart.from == app.now - ChartSpan.year.length)
    }

    @Test("Limits of moisture are not drawn over another quantity")
    func otherLimits() async throws {
        let (app, plant) = try await app { now in [(now, 40)] }
        #expect(try await app.chart(plant, .day).limits?.low == 28)
        #expect(try await app.chart(plant, .day, "light").limits == nil)
    }

    @Test(
        "A day that is none, one in the future and a comparison that there is none of are refused in words",
        arguments: [
            ("end=yesterday", "The end of a chart is a time in milliseconds since 1970, not before 2020."),
            ("end=-5", "The end of a chart is a time in milliseconds since 1970, not before 2020."),
            ("end=99999999999999999999", "The end of a chart is a time in milliseconds since 1970, not before 2020."),
            ("end=9000000000000000000", "This day lies in the future."),
            ("against=tomorrow", "A chart is compared with the stretch before, or the same a year ago."),
            ("span=decade&against=year", "Ten years are compared with none before them."),
            ("span=century", "A span is day, week, month, year or decade."),
        ])
    func refused(query: String, detail: String) async throws {
        let app = try await PlantsTestApp()
        let plant = try await app.plant()
        let answer = try await app.send(.get, "/api/plants/\(plant.id)/chart?\(query)")
        #expect(answer.status == 422)
        #expect(answer.detail == detail)
    }
}
