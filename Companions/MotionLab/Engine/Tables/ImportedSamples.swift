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
    /// The lines that were left out, by what was missing in them.
    public var left = LeftLines()
    /// The number of lines that were left out.
    public var skipped: Int { left.withoutTime + left.withoutValue }

    /// The column of times that are none, as it is named, and its first cell: nobody can say when the recording was. Nil
    /// where there is no such column.
    public var unknownTime: UnknownTime?

    /// The lines of a table that were left out, by what was missing in them.
    public struct LeftLines: Sendable, Equatable {
        /// The number of lines without a time.
        public var withoutTime = 0
        /// The number of lines with a time and without a value.
        public var withoutValue = 0
        /// A cell that stands where a value should, such as `#N/A`, UTF-8; empty where nothing does.
        public var example: [UInt8] = []
    }

    /// A column of times that are none.
    public struct UnknownTime: Sendable, Equatable {
        /// The name, UTF-8.
        public var name: [UInt8]
        /// The first cell, UTF-8.
        public var example: [UInt8]
    }

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
        var imported = ImportedSamples(kind: kind, times: [], values: [], isAbsolute: isAbsolute)
        for row in 0..<table.rowCount {
            let cells = places.map { table.columns[$0][row] }
            if isSparse, !cells.contains(where: { $0 != nil }) { continue }
            guard let at = time(row) else {
                imported.left.withoutTime += 1
                continue
            }
            guard let values = source.normalized(cells, as: kind) else {
                imported.left.withoutValue += 1
                for place in places where imported.left.example.isEmpty && table.columns[place][row] == nil {
                    imported.left.example = table.firstWords[place]
                }
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
            try NumberTable(TableText(bytes), exact: "time", or: SensorLoggerClock.names, limits: limits), of: sensor,
            source: source)
    }

    /// The samples of a table of Sensor Logger's.
    ///
    /// - Parameter table: read with the column `time` as its exact one.
    static func sensorLogger(_ table: NumberTable, of sensor: SensorLoggerSensor, source: SensorSource)
        throws(TableError) -> [ImportedSamples]
    {
        let elapsed = table.place(of: "seconds_elapsed")
        let clock = SensorLoggerClock(table, elapsed: elapsed)
        guard clock.isAbsolute || elapsed != nil || clock.unknown != nil else { throw .noTime }
        var places: [Int] = []
        for field in sensor.fields { if let place = table.place(of: field) { places.append(place) } }
        guard places.count == sensor.fields.count || sensor == .barometer && places.count == 1 else { throw .noSensor }
        guard clock.isAbsolute || elapsed != nil else { throw .noTime }
        var imported: [ImportedSamples] = []
        for (number, kind) in sensor.kinds.enumerated() {
            let own = sensor == .barometer ? Array(places.dropFirst(number).prefix(1)) : places
            guard !own.isEmpty else { continue }
            let isInG = sensor == .accelerometerUncalibrated && source == .sensorLoggerIOS
            var samples = rows(
                of: table, own, kind, isInG ? .coreMotion : source, isAbsolute: clock.isAbsolute
            ) { clock.times[$0] }
            if !clock.isAbsolute { samples.unknownTime = clock.unknown }
            imported.append(samples)
        }
        return imported
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
