import Wire

/// The times of the rows of one of Sensor Logger's tables: `time` has nanoseconds since 1970, and `seconds_elapsed` those since
/// the recording began.
///
/// A spreadsheet that has saved such a file may have taken digits or cells of `time`, or its name. One column says then what the
/// other does not:
/// - A row without a time that is understood has that of the row before it, or else of the first with one, and the seconds
///   between them.
/// - Where no row has one, the seconds stand alone, and the recording does not say when it was (``isAbsolute``).
struct SensorLoggerClock {
    /// The names that its column `time` has got from other programs, and from people of other languages.
    static var names: [StaticString] {
        [
            "timestamp", "Zeit", "Zeitstempel", "time_ns", "timestamp_ns", "time_ms", "timestamp_ms", "time_utc",
            "unix_time", "unix time", "unixtime", "epoch", "datetime", "date_time", "date", "Datum", "temps", "tiempo",
            "tempo", "czas", "čas", "время", "zaman",
        ]
    }

    /// The time of each row, microseconds: UTC where ``isAbsolute``, else since the recording began; nil where there is none.
    private(set) var times: [Int64?] = []
    /// Whether the times are UTC.
    private(set) var isAbsolute = false
    /// The column that should have been the time, where nothing in it is one.
    private(set) var unknown: ImportedSamples.UnknownTime?

    /// Reads the times of a table.
    ///
    /// - Parameters:
    ///   - table: read with the column of times as its exact one.
    ///   - elapsed: the column of seconds.
    init(_ table: NumberTable, elapsed: Int?) {
        let since = elapsed.map { place in table.columns[place].map { ImportedSamples.microseconds($0) } }
        guard let place = table.place(ofAny: ["time"] + Self.names), place == table.exactPlace else {
            times = since ?? []
            return
        }
        if let start = Self.roundedStart(of: table), let since {
            times = since.map { $0.map { $0 + start } }
            isAbsolute = true
            return
        }
        var anchor: Int64?
        var first: Int?
        for row in 0..<table.rowCount {
            let text = table.exact(row)
            let time =
                EpochTime.microseconds(fromNanoseconds: text.span) ?? EpochTime.microseconds(ofOtherUnit: text.span)
            let own = since.flatMap { $0[row] }
            if let time, let own {
                anchor = time - own
                if first == nil { first = row }
            }
            if time != nil { isAbsolute = true }
            times.append(time ?? (own.flatMap { own in anchor.map { own + $0 } }))
        }
        guard isAbsolute else {
            times = since ?? []
            unknown = ImportedSamples.UnknownTime(
                name: table.names[place], example: table.rowCount > 0 ? Array(table.exact(0).prefix(24)) : [])
            return
        }
        // The rows before the first with both.
        guard let since, let first, let time = times[first], let own = since[first] else { return }
        for row in 0..<first where times[row] == nil { times[row] = since[row].map { $0 + time - own } }
    }

    /// The first time of a table in which a spreadsheet has rounded them (`1,79527E+18`): the times of the rows are that and
    /// the seconds since. Nil where they are what they should be.
    ///
    /// They are rounded where all rows have the same. Where they cross a step, two rows one below the other have the same, or
    /// none has the digits of a second.
    private static func roundedStart(of table: NumberTable) -> Int64? {
        guard table.rowCount > 1 else { return nil }
        let first = table.exact(0)
        let start = EpochTime.microseconds(fromNanoseconds: first.span)
        if first == table.exact(table.rowCount - 1), first == table.exact(table.rowCount / 2) { return start }
        var last: [UInt8] = []
        var areSeconds = false
        for row in 0..<table.rowCount {
            let time = table.exact(row)
            if time.isEmpty { continue }
            guard let exponent = time.firstIndex(where: { $0 | 0x20 == UInt8(ascii: "e") }) else { return nil }
            if time == last { return start }
            last = time
            // `1.795266000`: ten digits say a second since 1970.
            if time[..<exponent].filter({ $0 &- UInt8(ascii: "0") < 10 }).count >= 10 { areSeconds = true }
        }
        return areSeconds ? nil : start
    }
}
