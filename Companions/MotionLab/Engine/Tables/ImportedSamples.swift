import Wire

/// Samples of one sensor out of a table that an app exported.
public struct ImportedSamples: Sendable, Equatable {
    /// The kind of the samples.
    public var kind: SensorKind
    /// The times: UTC microseconds where ``isAbsolute``, and otherwise from the start of the recording.
    public var times: [Int64]
    /// The values in the lab's units, of each sample one of each axis.
    public var values: [[Double]]
    /// Whether the times are UTC.
    public var isAbsolute: Bool
    /// The number of lines in which the time or a value was missing.
    public var skipped: Int

    /// The samples in the rows of a table.
    ///
    /// - Parameters:
    ///   - places: the columns of the axes, in their order.
    ///   - isSparse: whether a row without any of them is of another sensor, and nothing is missing in it.
    ///   - time: the time of a row; nil where there is none.
    static func rows(
        of table: NumberTable, _ places: [Int], _ kind: SensorKind, _ source: SensorSource, isAbsolute: Bool,
        isSparse: Bool = false, time: (Int) -> Int64?
    ) -> ImportedSamples {
        var imported = ImportedSamples(kind: kind, times: [], values: [], isAbsolute: isAbsolute, skipped: 0)
        for row in 0..<table.rowCount {
            let cells = places.map { table.columns[$0][row] }
            if isSparse, !cells.contains(where: { $0 != nil }) { continue }
            guard let at = time(row), let values = source.normalized(cells, as: kind) else {
                imported.skipped += 1
                continue
            }
            imported.times.append(at)
            imported.values.append(values)
        }
        return imported
    }

    /// Converts seconds from the start of a recording, at most a year.
    static func microseconds(_ seconds: Double?) -> Int64? {
        guard let seconds, seconds.magnitude < 31_536_000 else { return nil }
        return Int64((seconds * 1_000_000).rounded())
    }
}

// MARK: - Sensor Logger

extension ImportedSamples {
    /// The samples of a CSV file of Sensor Logger's, `Accelerometer.csv` with `time,seconds_elapsed,z,y,x`.
    ///
    /// - Parameters:
    ///   - fileName: says the sensor; with or without its folder and ending.
    ///   - source: `sensorLoggerIOS` or `sensorLoggerAndroid`.
    /// - Returns: one for each thing that the sensor measures; a barometer's two.
    public static func sensorLogger(
        _ bytes: [UInt8], fileName: [UInt8], source: SensorSource, limits: NumberTable.Limits = .init()
    ) throws(TableError) -> [ImportedSamples] {
        guard let sensor = SensorLoggerSensor(fileName: fileName) else { throw .noSensor }
        return try sensorLogger(
            try NumberTable(bytes, exact: "time", limits: limits), of: sensor, source: source)
    }

    /// The samples of a table of Sensor Logger's.
    ///
    /// - Parameter table: read with the column `time` as its exact one.
    static func sensorLogger(_ table: NumberTable, of sensor: SensorLoggerSensor, source: SensorSource)
        throws(TableError) -> [ImportedSamples]
    {
        let elapsed = table.place(of: "seconds_elapsed")
        let isAbsolute = table.place(of: "time") != nil
        guard isAbsolute || elapsed != nil else { throw .noTime }
        var places: [Int] = []
        for field in sensor.fields { if let place = table.place(of: field) { places.append(place) } }
        guard places.count == sensor.fields.count || sensor == .barometer && places.count == 1 else { throw .noSensor }
        let start = isAbsolute ? roundedStart(of: table) : nil
        var imported: [ImportedSamples] = []
        for (number, kind) in sensor.kinds.enumerated() {
            let own = sensor == .barometer ? Array(places.dropFirst(number).prefix(1)) : places
            guard !own.isEmpty else { continue }
            let isInG = sensor == .accelerometerUncalibrated && source == .sensorLoggerIOS
            imported.append(
                rows(of: table, own, kind, isInG ? .coreMotion : source, isAbsolute: isAbsolute) { row in
                    guard isAbsolute, start == nil || elapsed == nil else {
                        guard let seconds = elapsed.flatMap({ microseconds(table.columns[$0][row]) }) else {
                            return nil
                        }
                        return seconds + (start ?? 0)
                    }
                    let time = table.exact(row)
                    return EpochTime.microseconds(fromNanoseconds: time.span)
                        ?? EpochTime.microseconds(ofOtherUnit: time.span)
                })
        }
        return imported
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

extension SensorLoggerSensor {
    /// The sensor that a file's name says, with or without its folders and ending.
    init?(fileName: [UInt8]) {
        var base = fileName
        if let slash = base.lastIndex(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }) {
            base.removeFirst(slash + 1)
        }
        if let point = base.lastIndex(of: UInt8(ascii: ".")) { base.removeLast(base.count - point) }
        // A second one of the same name, as browsers and phones call it: `Gravity (1)`.
        if base.last == UInt8(ascii: ")"), let open = base.lastIndex(of: UInt8(ascii: "(")) {
            base.removeLast(base.count - open)
        }
        var name = trimmedRange(base.span)
        if Self(name: base.span.extracting(name)) == nil {
            // A copy, as systems call it: `Gravity - Kopie`, `Gravity 2`, `Gravity_copy`; or `Gravity.csv.txt`.
            var end = name.lowerBound
            while end < name.upperBound, (base[end] | 0x20) &- UInt8(ascii: "a") < 26 { end += 1 }
            name = name.lowerBound..<end
        }
        self.init(name: base.span.extracting(name))
    }
}
