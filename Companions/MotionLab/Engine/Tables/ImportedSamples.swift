import Wire

/// Samples of one sensor out of a file that an app exported.
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

    /// The samples of a CSV file of Sensor Logger's, `Accelerometer.csv` with `time,seconds_elapsed,z,y,x`.
    ///
    /// - Parameters:
    ///   - fileName: says the sensor; with or without its folder and ending.
    ///   - source: `sensorLoggerIOS` or `sensorLoggerAndroid`.
    /// - Returns: one for each thing that the sensor measures; a barometer's two.
    public static func sensorLogger(
        _ bytes: [UInt8], fileName: [UInt8], source: SensorSource, limits: NumberTable.Limits = .init()
    ) throws(TableError) -> [ImportedSamples] {
        guard let sensor = SensorLoggerSensor(name: baseName(fileName).span) else { throw .noSensor }
        let table = try NumberTable(bytes, exact: "time", limits: limits)
        let text = table.text.span
        let isAbsolute = table.place(of: "time") != nil
        guard isAbsolute || table.place(of: "seconds_elapsed") != nil else { throw .noTime }
        let elapsed = table.place(of: "seconds_elapsed")
        var places: [Int] = []
        for field in sensor.fields { if let place = table.place(of: field) { places.append(place) } }
        guard places.count == sensor.fields.count || sensor == .barometer && places.count == 1 else { throw .noSensor }
        var imported: [ImportedSamples] = []
        for (number, kind) in sensor.kinds.enumerated() {
            let own = sensor == .barometer ? Array(places.dropFirst(number).prefix(1)) : places
            guard !own.isEmpty else { continue }
            let isInG = sensor == .accelerometerUncalibrated && source == .sensorLoggerIOS
            imported.append(
                rows(of: table, own, kind, isInG ? .coreMotion : source, isAbsolute: isAbsolute) { row in
                    isAbsolute
                        ? EpochTime.microseconds(fromNanoseconds: text.extracting(table.exactColumn[row]))
                        : elapsed.flatMap { microseconds(table.columns[$0][row]) }
                })
        }
        return imported
    }

    /// The samples of a CSV file of phyphox's, `"Time (s)","Acceleration x (m/s^2)",…`, with either separator.
    public static func phyphox(_ bytes: [UInt8], limits: NumberTable.Limits = .init()) throws(TableError)
        -> [ImportedSamples]
    {
        let table = try NumberTable(bytes, limits: limits)
        guard let time = table.place(of: "Time (s)") ?? table.place(of: "t (s)") else { throw .noTime }
        var imported: [ImportedSamples] = []
        for (kind, columns) in phyphoxColumns {
            var places: [Int] = []
            for column in columns { if let place = table.place(of: column) { places.append(place) } }
            guard places.count == columns.count else { continue }
            imported.append(
                rows(of: table, places, kind, .phyphox, isAbsolute: false) { microseconds(table.columns[time][$0]) })
        }
        guard !imported.isEmpty else { throw .noSensor }
        return imported
    }

    /// The columns of the experiments that come with phyphox. It writes the sensors of both systems with Android's
    /// signs.
    private static var phyphoxColumns: [(SensorKind, [StaticString])] {
        [
            (.accelerometer, ["Acceleration x (m/s^2)", "Acceleration y (m/s^2)", "Acceleration z (m/s^2)"]),
            (
                .linearAcceleration,
                ["Linear Acceleration x (m/s^2)", "Linear Acceleration y (m/s^2)", "Linear Acceleration z (m/s^2)"]
            ),
            (.gyroscope, ["Gyroscope x (rad/s)", "Gyroscope y (rad/s)", "Gyroscope z (rad/s)"]),
            (.magnetometer, ["Magnetic field x (µT)", "Magnetic field y (µT)", "Magnetic field z (µT)"]),
            (.barometer, ["Pressure (hPa)"]),
            (.light, ["Illuminance (lx)"]),
            (.sound, ["Sound pressure level (dB)"]),
        ]
    }

    private static func rows(
        of table: NumberTable, _ places: [Int], _ kind: SensorKind, _ source: SensorSource, isAbsolute: Bool,
        time: (Int) -> Int64?
    ) -> ImportedSamples {
        var imported = ImportedSamples(kind: kind, times: [], values: [], isAbsolute: isAbsolute, skipped: 0)
        for row in 0..<table.rowCount {
            guard let at = time(row), let values = source.normalized(places.map { table.columns[$0][row] }, as: kind)
            else {
                imported.skipped += 1
                continue
            }
            imported.times.append(at)
            imported.values.append(values)
        }
        return imported
    }

    /// Converts seconds from the start of a recording, at most a year.
    private static func microseconds(_ seconds: Double?) -> Int64? {
        guard let seconds, seconds.magnitude < 31_536_000 else { return nil }
        return Int64((seconds * 1_000_000).rounded())
    }

    /// A file's name without its folders and extension.
    private static func baseName(_ name: [UInt8]) -> [UInt8] {
        var base = name
        if let slash = base.lastIndex(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }) {
            base.removeFirst(slash + 1)
        }
        if let point = base.lastIndex(of: UInt8(ascii: ".")) { base.removeLast(base.count - point) }
        return base
    }
}
