import GRDB
import HubKit
import PlantsEngine
import Storage

/// The chart of a plant: what was measured, what is not known, and what lies ahead.
struct ChartRoutes: Sendable {
    let plants: Plants

    func add(to routes: Routes) {
        let plants = plants
        routes.get(
            "/api/plants/{id}/chart", .member, "A plant’s curve over `span` (day, week, month, year) of `quantity`.",
            query: [.span, .quantity]
        ) { request in
            guard let span = ChartSpan(rawValue: request.query(.span) ?? "week") else {
                throw Problem.field("span", "A span is day, week, month or year.")
            }
            let quantity = request.query(.quantity) ?? "moisture"
            let id = try request.path("id")
            let household = try request.member.household
            let calendar = try await plants.calendar()
            return try await request.calculated { db in
                let plant = try plants.observer.stored(try db.plant(id, household: household), db, calendar)
                return try StoredChart(of: plant, span, quantity, db, now: calendar.now)
            } _: { stored in
                try .json(Chart(stored, plants.observer.situation(stored.plant, calendar)))
            }
        }
    }
}

/// How much of the past a chart shows.
enum ChartSpan: String, Sendable, CaseIterable {
    case day, week, month, year

    /// Milliseconds.
    var length: Int64 {
        switch self {
        case .day: 86_400_000
        case .week: 7 * 86_400_000
        case .month: 30 * 86_400_000
        case .year: 365 * 86_400_000
        }
    }

    /// The width of a point, milliseconds: it divides by a rollup's width, so that a year costs what a day does.
    var width: Int64 {
        switch self {
        case .day: 5 * 60_000
        case .week: 30 * 60_000
        case .month: 3 * 3_600_000
        case .year: 86_400_000
        }
    }
}

/// A chart as pages get it.
struct Chart: Codable {
    /// `[at, mean, low, high, n]`, and of what lies ahead without n.
    struct Point: Codable {
        var at: Int64
        var mean, low, high: Double
        var count: Int?

        init(at: Int64, mean: Double, low: Double, high: Double, count: Int?) {
            (self.at, self.mean, self.low, self.high, self.count) = (at, mean, low, high, count)
        }

        init(from decoder: any Decoder) throws {
            var row = try decoder.unkeyedContainer()
            at = try row.decode(Int64.self)
            mean = try row.decode(Double.self)
            low = try row.decode(Double.self)
            high = try row.decode(Double.self)
            count = try row.decodeIfPresent(Int.self)
        }

        func encode(to encoder: any Encoder) throws {
            var row = encoder.unkeyedContainer()
            try row.encode(at)
            try row.encode(mean.rounded(places: 2))
            try row.encode(low.rounded(places: 2))
            try row.encode(high.rounded(places: 2))
            if let count { try row.encode(count) }
        }
    }
    struct Mark: Codable {
        var at: Int64
        var by: WateringRecord.Source
        var confidence: Double?
    }
    struct Crossing: Codable { var at, earliest, latest: Int64 }
    struct Ahead: Codable {
        var points: [Point]
        var crossing: Crossing
    }

    var quantity: String
    var unit: String
    var from, to, now, bucket: Int64
    /// Of readings.
    var count: Int
    var points: [Point]
    var gaps: [[Int64]]
    /// The longest of them, milliseconds; nil where there is none.
    var longestGap: Int64?
    /// Stretches `[from, to]` of which the probe says what soil cannot.
    var doubtful: [[Int64]]
    var limits: PlantResponse.Limits
    var waterings: [Mark]
    var ahead: Ahead?

    /// - Parameter situation: of the plant.
    init(_ stored: StoredChart, _ situation: PlantSituation) {
        quantity = stored.quantity
        (from, to, now, bucket) = (stored.from, stored.to, stored.to, stored.span.width)
        let plant = stored.plant.plant
        limits = PlantResponse.Limits(low: plant.low, high: plant.high)
        waterings = stored.waterings.map {
            Mark(at: $0.at, by: $0.by, confidence: $0.confidence?.rounded(places: 2))
        }
        (unit, count, points, gaps, doubtful) = ("", 0, [], [], [])
        guard let curve = stored.curve else { return }
        unit = curve.unit
        count = curve.buckets.reduce(0) { $0 + $1.count }
        points = curve.buckets.map { Point(at: $0.start, mean: $0.mean, low: $0.low, high: $0.high, count: $0.count) }
        gaps = curve.gaps.map { [$0.lowerBound, $0.upperBound] }
        longestGap = gaps.map { $0[1] - $0[0] }.max()
        doubtful = curve.doubtful(in: stored)
        if stored.isMoisture, situation.state != .silent, case .day(let forecast) = situation.forecast {
            ahead = Ahead(
                points: forecast.points.map {
                    Point(at: $0.at, mean: $0.percent, low: $0.low, high: $0.high, count: nil)
                },
                crossing: Crossing(at: forecast.at, earliest: forecast.earliestAt, latest: forecast.latestAt))
        }
    }
}

extension QueryParameter {
    fileprivate static let span = QueryParameter(
        "span", "How far the curve goes back; a week where it is left out.", values: ChartSpan.allCases.map(\.rawValue))
    fileprivate static let quantity = QueryParameter("quantity", "What was measured; moisture where it is left out.")
}
