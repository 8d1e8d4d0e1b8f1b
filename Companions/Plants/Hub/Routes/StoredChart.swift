import GRDB
import HubKit
import PlantsEngine
import Storage

/// The stored data of the stretch of time that a chart shows: the chart is calculated from it, without the database.
struct StoredChart: Sendable {
    let plant: StoredPlant
    let window: ChartWindow
    let quantity: String
    /// UTC milliseconds.
    let from: Int64
    /// The waterings that count, the oldest first; none in ten years, which are a thousand.
    let waterings: [WateringRecord]
    /// The curve of the quantity; nil where nothing measures it.
    let curve: StoredCurve?
    /// The points of an earlier stretch, where the two are compared.
    let earlier: [Bucket]
    /// The time at which the quantity was first measured here, UTC milliseconds; nil where nothing was.
    let beginning: Int64?

    var isMoisture: Bool { quantity == "moisture" }
    var span: ChartSpan { window.span }
    var to: Int64 { window.end }
    /// Whether what lies ahead belongs to it: some days, which nobody sees beside ten years.
    var showsAhead: Bool { window.isNow && span != .decade }

    /// Reads the data of a chart.
    ///
    /// - Throws: a 404 problem for a quantity that nobody knows.
    init(of plant: StoredPlant, _ window: ChartWindow, _ quantity: String, _ db: Database) throws {
        (self.plant, self.window, self.quantity) = (plant, window, quantity)
        let (to, span) = (window.end, window.span)
        let source = Self.source(plant, quantity)
        beginning = try source.flatMap { try db.firstDay(series: $0.series, from: $0.since) }
        var from = window.from
        if span == .decade { from = max(from, min(beginning ?? to, to - ChartSpan.year.length)) }
        self.from = from
        waterings =
            span == .decade ? [] : try db.standingWaterings(ofPlant: plant.plant.id, from: from, to: to + 1)
        guard let source else {
            guard quantity == "moisture" || Quantity(name: quantity.utf8.span) != nil else {
                throw Problem.notFound("There is no quantity here. It may have been removed.")
            }
            (curve, earlier) = (nil, [])
            return
        }
        curve = try StoredCurve(
            of: source.series, unit: source.unit, window, from: max(from, source.since),
            isMoisture: quantity == "moisture", db)
        earlier =
            try window.against.map { [from] against in
                let shift = against.shift(span)
                return try db.buckets(
                    series: source.series, from: max(from - shift, source.since), to: to - shift, width: span.width)
            } ?? []
    }

    /// The series that shows a quantity: for moisture the one that speaks for the plant, else the newest.
    private static func source(_ plant: StoredPlant, _ quantity: String) -> (series: Int64, since: Int64, unit: String)?
    {
        if quantity == "moisture" { return plant.leading.map { ($0.series, $0.since, "%") } }
        return plant.sensors.compactMap { sensor in sensor.latest(quantity).map { (latest: $0, since: sensor.since) } }
            .max { $0.latest.at < $1.latest.at }
            .map { ($0.latest.series.id, $0.since, $0.latest.series.unit ?? "") }
    }
}

/// The stored data of one series in that stretch.
struct StoredCurve: Sendable {
    let unit: String
    /// The points.
    let buckets: [Bucket]
    /// The moisture in steps finer than a chart's points; empty for other quantities.
    let fine: [Bucket]
    /// Milliseconds.
    private let fineWidth: Int64?
    /// The stretches in which the series said nothing, by its own pace, from reading to reading.
    let gaps: [Range<Int64>]
    /// The time from which on the readings are the plant's, within the chart.
    private let from: Int64

    init(
        of series: Int64, unit: String, _ window: ChartWindow, from: Int64, isMoisture: Bool, _ db: Database
    ) throws {
        (self.unit, self.from) = (unit, from)
        let (to, span) = (window.end, window.span)
        buckets = try db.buckets(series: series, from: from, to: to + 1, width: span.width)
        fineWidth = isMoisture ? span.fineWidth : nil
        fine = try fineWidth.map { try db.buckets(series: series, from: from, to: to + 1, width: $0) } ?? []
        let pace = try db.silentAfter(series: series, now: window.now)
        gaps = try Self.gaps(series, from: from, to: to, pace: pace, db)
    }

    /// The stretches in which the probe fell at once to what air reads.
    func doubtful(in chart: StoredChart) -> [[Int64]] {
        guard let fineWidth else { return [] }
        let samples = fine.map { MoistureSample(at: $0.start, percent: $0.low) }
        return ProbeFault.all(in: samples).map {
            [max($0.from, from), min($0.to + fineWidth, chart.to)]
        }
    }

    private static func gaps(_ series: Int64, from: Int64, to: Int64, pace: Int64, _ db: Database) throws
        -> [Range<Int64>]
    {
        // It may have been slower once: while it was, a longer silence was usual.
        let long = max(pace, Staleness.unlearned)
        let recent = max(from, to - 2 * 86_400_000)
        var gaps = try db.gaps(series: series, from: from, to: to, longerThan: long)
        for gap in try db.gaps(series: series, from: recent, to: to, longerThan: pace)
        where !gaps.contains(where: { $0.overlaps(gap) }) { gaps.append(gap) }
        // The first point may come after a silence that began before the chart, or never come at all.
        let before = try db.latestReading(series: series, atOrBefore: from)?.at
        let first = try db.firstReadingTime(series: series, from: from + 1, to: to)
        if before != nil || first == nil, (first ?? to) - (before ?? from) > long,
            !gaps.contains(where: { $0.contains(from) })
        {
            gaps.append(from..<(first ?? to))
        }
        gaps.sort { $0.lowerBound < $1.lowerBound }
        // From reading to reading: the edges of rollups would make another length of it in each span.
        return zip(gaps, try db.readingTimes(around: gaps, series: series)).map { gap, times in
            let begin = max(times.last ?? gap.lowerBound, from)
            return begin..<max(begin, min(times.next ?? to, to))
        }
    }
}
