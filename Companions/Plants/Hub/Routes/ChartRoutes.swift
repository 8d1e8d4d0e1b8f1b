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
            let chart = try await request.hub.database.pool.read { db in
                try Chart(try db.plant(id, household: household), span, quantity, plants.observer, db, calendar)
            }
            return try .json(chart)
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

    init(
        _ plant: PlantRecord, _ span: ChartSpan, _ quantity: String, _ observer: PlantObserver, _ db: Database,
        _ calendar: HouseholdCalendar
    ) throws {
        let situation = try observer.situation(plant, db, calendar)
        self.quantity = quantity
        now = calendar.now
        to = now
        from = now - span.length
        bucket = span.width
        limits = PlantResponse.Limits(low: plant.low, high: plant.high)
        waterings = try db.standingWaterings(ofPlant: plant.id, from: from).map {
            Mark(at: $0.at, by: $0.by, confidence: $0.confidence?.rounded(places: 2))
        }
        (unit, count, points, gaps, doubtful) = ("", 0, [], [], [])
        let isMoisture = quantity == "moisture"
        let source = Self.source(situation, quantity)
        guard let source else {
            guard isMoisture || Quantity(name: quantity.utf8.span) != nil else { throw Problem.notFound("quantity") }
            return
        }
        unit = source.unit ?? ""
        let start = max(from, source.since)
        let buckets = try db.buckets(series: source.series, from: start, to: to + 1, width: bucket)
        count = buckets.reduce(0) { $0 + $1.count }
        points = buckets.map { Point(at: $0.start, mean: $0.mean, low: $0.low, high: $0.high, count: $0.count) }
        gaps = try Self.gaps(source.series, from: start, to: to, db)
        longestGap = gaps.map { $0[1] - $0[0] }.max()
        if isMoisture { doubtful = try Self.doubtful(source.series, span, from: start, to: to, db) }
        if isMoisture, situation.state != .silent, case .day(let forecast) = situation.forecast {
            ahead = Ahead(
                points: forecast.points.map {
                    Point(at: $0.at, mean: $0.percent, low: $0.low, high: $0.high, count: nil)
                },
                crossing: Crossing(at: forecast.at, earliest: forecast.earliestAt, latest: forecast.latestAt))
        }
    }

    /// The series that shows a quantity: for moisture the one that speaks for the plant, else the newest.
    private static func source(
        _ situation: PlantSituation, _ quantity: String
    ) -> (series: Int64, since: Int64, unit: String?)? {
        if quantity == "moisture" {
            return situation.leading.map { ($0.series, $0.since, "%") }
        }
        var best: (latest: PlantSituation.Latest, since: Int64)?
        for sensor in situation.sensors {
            guard let latest = sensor.latest(quantity), latest.at > best?.latest.at ?? .min else { continue }
            best = (latest, sensor.since)
        }
        return best.map { ($0.latest.series.id, $0.since, $0.latest.series.unit) }
    }

    /// The stretches in which the series said nothing, by its own pace.
    private static func gaps(_ series: Int64, from: Int64, to: Int64, _ db: Database) throws -> [[Int64]] {
        let pace = try db.silentAfter(series: series)
        // It may have been slower once: while it was, a longer silence was usual.
        let long = max(pace, Staleness.unlearned)
        let recent = max(from, to - 2 * 86_400_000)
        var gaps = try db.gaps(series: series, from: from, to: to, longerThan: long)
        for gap in try db.gaps(series: series, from: recent, to: to, longerThan: pace)
        where !gaps.contains(where: { $0.overlaps(gap) }) { gaps.append(gap) }
        // The first point may come after a silence that began before the chart, or never come at all.
        let before = try db.latestReading(series: series, atOrBefore: from)?.at
        let first = try Int64.fetchOne(
            db, sql: "SELECT min(at) FROM reading WHERE series = ? AND at > ? AND at < ?",
            arguments: [series, from, to])
        if before != nil || first == nil, (first ?? to) - (before ?? from) > long,
            !gaps.contains(where: { $0.contains(from) })
        {
            gaps.append(from..<(first ?? to))
        }
        return try gaps.sorted { $0.lowerBound < $1.lowerBound }.map { gap in
            // From reading to reading: the edges of rollups would make another length of it in each span.
            let last = try db.latestReading(series: series, atOrBefore: gap.lowerBound)?.at ?? gap.lowerBound
            let next = try Int64.fetchOne(
                db, sql: "SELECT min(at) FROM reading WHERE series = ? AND at >= ?",
                arguments: [series, gap.upperBound])
            return [max(last, from), min(next ?? to, to)]
        }
    }

    /// The stretches in which the probe fell at once to what air reads, in steps finer than a chart's points.
    private static func doubtful(_ series: Int64, _ span: ChartSpan, from: Int64, to: Int64, _ db: Database) throws
        -> [[Int64]]
    {
        let step: Int64 = span == .year ? 3_600_000 : 300_000
        let samples = try db.buckets(series: series, from: from, to: to + 1, width: step).map {
            MoistureSample(at: $0.start, percent: $0.low)
        }
        return ProbeFault.all(in: samples).map { [max($0.from, from), min($0.to + step, to)] }
    }
}

extension QueryParameter {
    fileprivate static let span = QueryParameter(
        "span", "How far the curve goes back; a week where it is left out.", values: ChartSpan.allCases.map(\.rawValue))
    fileprivate static let quantity = QueryParameter("quantity", "What was measured; moisture where it is left out.")
}
