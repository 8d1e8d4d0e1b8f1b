import GRDB
import HubKit
import PlantsEngine
import Storage

/// The chart of a plant: what was measured, what is not known, and what lies ahead.
struct ChartRoutes: Sendable {
    let plants: Plants

    func add(to routes: Routes) {
        routes.get(
            "/api/plants/{id}/chart", .member,
            "A plant’s curve over `span` (day, week, month, year, decade) of `quantity`, up to `end`, `against` an earlier one.",
            query: [.span, .quantity, .end, .against]
        ) { request in
            let quantity = request.query(.quantity) ?? "moisture"
            let id = try request.path("id")
            let household = try request.member.household
            let calendar = try await plants.calendar()
            let window = try ChartWindow(
                span: request.query(.span), end: request.query(.end), against: request.query(.against),
                now: calendar.now)
            return try await request.calculated { db in
                let plant = try plants.observer.stored(try db.plant(id, household: household), db, calendar)
                return try StoredChart(of: plant, window, quantity, db)
            } _: { stored in
                try .json(Chart(stored, plants.observer.situation(stored.plant, calendar)))
            }
        }
    }
}

/// The stretch of the past that a chart shows.
enum ChartSpan: String, Sendable, CaseIterable {
    case day, week, month, year
    /// A stretch of ten years, or since the first reading where that is less; of a year at least.
    case decade

    /// Milliseconds.
    var length: Int64 {
        switch self {
        case .day: 86_400_000
        case .week: 7 * 86_400_000
        case .month: 30 * 86_400_000
        case .year: 365 * 86_400_000
        case .decade: 3_650 * 86_400_000
        }
    }

    /// The width of a point, milliseconds: it divides by a rollup's width, so that a year costs what a day does.
    var width: Int64 {
        switch self {
        case .day: 5 * 60_000
        case .week: 30 * 60_000
        case .month: 3 * 3_600_000
        case .year: 86_400_000
        case .decade: 7 * 86_400_000
        }
    }

    /// The steps in which a fault of the probe is looked for, milliseconds; nil where a point hides what lasts some
    /// hours.
    var fineWidth: Int64? {
        switch self {
        case .day, .week, .month: 300_000
        case .year: 3_600_000
        case .decade: nil
        }
    }
}

/// The earlier stretch that a chart is laid over.
enum ChartComparison: String, Sendable, CaseIterable {
    /// The one just before it: this week over last week.
    case before
    /// The same one a year ago.
    case year

    /// The time by which the stretch is earlier, milliseconds: whole days, so that the points of both lie over each
    /// other, and in `year` of a day or a week whole weeks, so that Monday lies over Monday.
    func shift(_ span: ChartSpan) -> Int64 {
        switch (self, span) {
        case (.before, _): span.length
        case (.year, .day), (.year, .week): 364 * 86_400_000
        case (.year, .month), (.year, .year), (.year, .decade): 365 * 86_400_000
        }
    }
}

/// The stretch of time that a chart is asked for.
struct ChartWindow: Sendable {
    var span: ChartSpan
    /// UTC milliseconds.
    var end, now: Int64
    var against: ChartComparison?

    var from: Int64 { end - span.length }
    /// Whether it shows the present, and with it what lies ahead.
    var isNow: Bool { end == now }

    init(_ span: ChartSpan, now: Int64, end: Int64? = nil, against: ChartComparison? = nil) {
        (self.span, self.now, self.end, self.against) = (span, now, min(end ?? now, now), against)
    }

    /// Reads the stretch that a request asks for.
    ///
    /// - Parameters: as a request says them; nil is left out.
    /// - Throws: a 422 problem for what is none.
    init(span: String?, end: String?, against: String?, now: Int64) throws {
        guard let span = ChartSpan(rawValue: span ?? "week") else {
            throw Problem.field("span", "A span is day, week, month, year or decade.")
        }
        let comparison = against.map { ChartComparison(rawValue: $0) }
        if case .some(.none) = comparison {
            throw Problem.field("against", "A chart is compared with the stretch before, or the same a year ago.")
        }
        guard span != .decade || against == nil else {
            throw Problem.field("against", "Ten years are compared with none before them.")
        }
        let time = try end.map { text in
            guard let time = Int64(text), time >= SensorMessage.earliest else {
                throw Problem.field("end", "The end of a chart is a time in milliseconds since 1970, not before 2020.")
            }
            // A page’s clock may be a little fast.
            guard time <= now + HouseholdCalendar.dayLength else {
                throw Problem.field("end", "This day lies in the future.")
            }
            return time
        }
        self.init(span, now: now, end: time, against: comparison ?? nil)
    }
}

/// A chart as pages get it.
struct Chart: Codable {
    /// A point as `[at, mean, low, high, n]`; one of what lies ahead has no n.
    struct Point: Codable {
        var at: Int64
        var mean, low, high: Double
        var count: Int?

        init(at: Int64, mean: Double, low: Double, high: Double, count: Int?) {
            (self.at, self.mean, self.low, self.high, self.count) = (at, mean, low, high, count)
        }

        /// Makes a point from a bucket.
        ///
        /// - Parameter shift: milliseconds.
        init(_ bucket: Bucket, movedBy shift: Int64 = 0) {
            self.init(
                at: bucket.start + shift, mean: bucket.mean, low: bucket.low, high: bucket.high, count: bucket.count)
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
    /// The points of the earlier stretch. Their times are moved by `shift` to lie over this one.
    struct Earlier: Codable {
        /// Milliseconds.
        var shift: Int64
        var points: [Point]
    }

    var quantity: String
    var unit: String
    var from, to, now, bucket: Int64
    /// The number of readings.
    var count: Int
    var points: [Point]
    var gaps: [[Int64]]
    /// The longest of them, milliseconds; nil where there is none.
    var longestGap: Int64?
    /// The stretches `[from, to]` of which the probe says what soil cannot.
    var doubtful: [[Int64]]
    /// The limits that the plant likes; nil where nobody has said.
    var limits: PlantResponse.Limits?
    var waterings: [Mark]
    var ahead: Ahead?
    var earlier: Earlier?
    /// The time at which the first of it was measured here, UTC milliseconds.
    var beginning: Int64?

    /// Calculates the chart.
    ///
    /// - Parameter situation: of the plant.
    init(_ stored: StoredChart, _ situation: PlantSituation) {
        quantity = stored.quantity
        (from, to, now, bucket) = (stored.from, stored.to, stored.window.now, stored.span.width)
        let plant = stored.plant.plant
        limits = stored.isMoisture ? PlantResponse.Limits(low: plant.low, high: plant.high) : nil
        beginning = stored.beginning
        waterings = stored.waterings.map {
            Mark(at: $0.at, by: $0.by, confidence: $0.confidence?.rounded(places: 2))
        }
        (unit, count, points, gaps, doubtful) = ("", 0, [], [], [])
        guard let curve = stored.curve else { return }
        unit = curve.unit
        count = curve.buckets.reduce(0) { $0 + $1.count }
        points = curve.buckets.map { Point($0) }
        gaps = curve.gaps.map { [$0.lowerBound, $0.upperBound] }
        longestGap = gaps.map { $0[1] - $0[0] }.max()
        doubtful = curve.doubtful(in: stored)
        if let against = stored.window.against {
            let shift = against.shift(stored.span)
            earlier = Earlier(shift: shift, points: stored.earlier.map { Point($0, movedBy: shift) })
        }
        // While a watering spreads the level says nothing of the days ahead, as the words beside the chart have it.
        let isSettling = situation.claim == .believed || situation.claim == .settling
        if stored.isMoisture, stored.showsAhead, situation.state != .silent, !isSettling,
            case .day(let forecast) = situation.forecast
        {
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
    fileprivate static let end = QueryParameter(
        "end", "Up to when the curve goes, UTC milliseconds; now where it is left out.")
    fileprivate static let against = QueryParameter(
        "against", "The earlier stretch that comes with it: the one before, or the same a year ago.",
        values: ChartComparison.allCases.map(\.rawValue))
}
