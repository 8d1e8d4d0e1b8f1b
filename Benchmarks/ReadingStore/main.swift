// Fills and asks the store of readings, for Benchmarks/decades.py:
//   reading-store kinds FOLDER DAYS [KIND...]  bytes a reading of each kind, as rows and sealed; KIND.csv beside, for PostgreSQL
//   reading-store fill FILE DEVICE COUNT NOW   so many readings of a device, sealed as they would be by NOW
//   reading-store insert FILE DEVICE COUNT NOW how many a second go in on top
//   reading-store ask FILE DEVICE NOW          how long questions take
//   reading-store codec                        how long a day of each kind takes to be packed and unpacked, processor time
import Foundation
import GRDB
import Storage

let day = RollupSpan.day.rawValue
let arguments = CommandLine.arguments
let usage =
    "reading-store kinds FOLDER DAYS [KIND...] | fill FILE DEVICE COUNT NOW | insert FILE DEVICE COUNT NOW | ask FILE DEVICE NOW | codec\n"

func number(_ place: Int) -> Int64 {
    guard arguments.count > place, let number = Int64(arguments[place]) else {
        FileHandle.standardError.write(Data(usage.utf8))
        exit(64)
    }
    return number
}

/// Of its wall time.
func seconds(_ work: () throws -> Void) rethrows -> Double {
    let started = ContinuousClock.now
    try work()
    let passed = ContinuousClock.now - started
    return Double(passed.components.seconds) + Double(passed.components.attoseconds) / 1e18
}

func measureKinds(_ folder: String, days: Int64, of kinds: [Kind]) throws {
    let end = Int64(20_700) * day
    for kind in kinds {
        let store = try Store(path: "\(folder)/\(kind).sqlite", isDurable: false)
        // Of slow ones several, so that what the file has besides does not count.
        let isSlow = kind.interval >= 900_000
        var feeds: [Feed] = []
        for index in 0..<(isSlow ? 20 : 1) {
            feeds.append(
                Feed(series: try store.addSeries("q\(index)", device: "d\(index)"), kind: kind, from: end - days * day))
        }
        let empty = try store.bytes()
        var csv = Data()
        var count = 0
        for today in stride(from: end - days * day, to: end, by: Int(day)) {
            for index in feeds.indices {
                let readings = feeds[index].next(before: today + day)
                count += readings.count
                try store.store(readings)
                for reading in readings { csv.append(Data("\(reading.series),\(reading.at),\(reading.value)\n".utf8)) }
            }
        }
        try csv.write(to: URL(fileURLWithPath: "\(folder)/\(kind).csv"))
        let rows = try store.bytes() - empty
        let took = try seconds { for feed in feeds { try store.seal(feed.series, before: end - 3 * day) } }
        let sealed = try store.bytes() - empty
        let each = [rows, sealed].map { String(format: "%.2f", Double($0) / Double(count)) }
        print(
            "\(kind)\t\(kind.words)\t\(count)\t\(each[0])\t\(each[1])\t\(String(format: "%.2f", took / Double(count) * 1e6))"
        )
    }
}

/// One series of a year and one of ten, each of a quarter of all where it is not slower than each ten seconds, and 38 more.
func feeds(_ store: Store, device: String, count: Int64, now: Int64) throws -> [Feed] {
    let year = 365 * day
    func step(_ length: Int64, _ share: Int64) -> Int64 { max(10_000, length / max(1, share)) }
    let first = Feed(
        series: try store.addSeries("moisture", device: device), kind: .moisture, from: now - year,
        step: step(year, count / 4))
    let second = Feed(
        series: try store.addSeries("temperature", device: device), kind: .temperature, from: now - 10 * year,
        step: step(10 * year, count / 4))
    let rest = count - year / step(year, count / 4) - 10 * year / step(10 * year, count / 4)
    let kinds: [Kind] = [.temperature, .humidity, .light, .moisture]
    return try [first, second]
        + (0..<38).map { index in
            Feed(
                series: try store.addSeries("q\(index)", device: device), kind: kinds[index % 4], from: now - year,
                step: max(1_000, year / max(1, rest / 38)))
        }
}

func fill(_ store: Store, device: String, count: Int64, now: Int64) throws {
    var feeds = try feeds(store, device: device, count: count, now: now)
    var stored = 0
    for today in stride(from: now - 3_650 * day, through: now, by: Int(day)) {
        let end = min(now, today.floored(to: day) + day)
        var batch: [Reading] = []
        for index in feeds.indices { batch += feeds[index].next(before: end) }
        stored += batch.count
        if !batch.isEmpty { try store.store(batch) }
        for feed in feeds { try store.seal(feed.series, before: min(end, now) - 3 * day) }
    }
    print("\(stored)\t\(try store.bytes())")
}

/// In batches as the batch writer has them under load, of all series, each committed durably.
func insert(_ store: Store, device: String, count: Int64, now: Int64) throws {
    let series = try store.pool.read { db in try db.series(ofDevice: device).map(\.id) }
    var left = count
    var at = now
    let took = try seconds {
        while left > 0 {
            var batch: [Reading] = []
            for index in 0..<1_000 {
                batch.append(Reading(series: series[index % series.count], at: at + Int64(index), value: 21.5))
            }
            at += 1_000
            left -= 1_000
            try store.store(batch)
        }
    }
    print("\(Int(Double(count) / took))")
}

func ask(_ store: Store, device: String, now: Int64) throws {
    func median(_ work: (Database) throws -> Void) throws -> String {
        var taken: [Double] = []
        for _ in 0..<21 { taken.append(try store.pool.read { db in try seconds { try work(db) } }) }
        return String(format: "%.2f", taken.sorted()[10] * 1_000)
    }
    let (first, second) = try store.pool.read { db in
        (
            try db.series(device: device, quantity: "moisture")?.id ?? 0,
            try db.series(device: device, quantity: "temperature")?.id ?? 0
        )
    }
    let questions: [(String, Int64, Int64, Int64)] = [
        ("a day, each 5 min", second, now - day, 300_000),
        ("a sealed day, each 5 min", second, now - 100 * day, 300_000),
        ("a week, each hour", second, now - 7 * day, 3_600_000), ("a year, each day", first, now - 365 * day, day),
        ("a year, each hour", first, now - 365 * day, 3_600_000),
        ("ten years, each day", second, now - 3_650 * day, day),
        ("ten years, each week", second, now - 3_650 * day, 7 * day),
    ]
    for (name, series, from, width) in questions {
        let to = name.hasPrefix("a sealed") ? from + day : now
        var count = 0
        let took = try median { db in count = try db.buckets(series: series, from: from, to: to, width: width).count }
        print("\(name)\t\(took)\t\(count)")
    }
    let latest = try median { db in _ = try db.latestReadings(ofDevices: [device]) }
    print("the newest of 40 series\t\(latest)\t40")
}

func measureCodec() throws {
    /// The least of many times, nanoseconds a reading.
    func least(_ count: Int, _ work: () throws -> Void) rethrows -> String {
        var least = Double.infinity
        for _ in 0..<200 {
            let before = clock()
            try work()
            least = min(least, Double(clock() - before) / Double(CLOCKS_PER_SEC) * 1e9)
        }
        return String(format: "%.1f", least / Double(count))
    }
    for kind in Kind.allCases where kind.interval == 10_000 {
        var feed = Feed(series: 1, kind: kind, from: 20_700 * day)
        let readings = feed.next(before: 20_701 * day)
        let block = try ReadingBlock(times: readings.map(\.at), values: readings.map(\.value))
        let encoded = block.encoded
        let packing = least(block.count) { _ = block.encoded }
        let unpacking = try least(block.count) { _ = try ReadingBlock(encoded: encoded) }
        print("\(kind)\t\(kind.words)\t\(block.count)\t\(encoded.count)\t\(packing)\t\(unpacking)")
    }
}

switch arguments.dropFirst().first {
case "codec": try measureCodec()
case "kinds":
    let named = arguments.dropFirst(4).compactMap { Kind(rawValue: $0) }
    try measureKinds(arguments[2], days: number(3), of: named.isEmpty ? Kind.allCases : named)
case "fill":
    try fill(Store(path: arguments[2], isDurable: false), device: arguments[3], count: number(4), now: number(5))
case "insert":
    try insert(Store(path: arguments[2], isDurable: true), device: arguments[3], count: number(4), now: number(5))
case "ask": try ask(Store(path: arguments[2], isDurable: true), device: arguments[3], now: number(4))
default: _ = number(.max)
}
