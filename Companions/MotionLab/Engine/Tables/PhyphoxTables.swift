import Wire

extension ImportedSamples {
    /// The samples of a CSV file of phyphox's, `"Time (s)","Acceleration x (m/s^2)",…`, with each of its separators.
    public static func phyphox(_ bytes: [UInt8], limits: NumberTable.Limits = .init()) throws(TableError)
        -> [ImportedSamples]
    {
        try phyphox(try NumberTable(bytes, limits: limits))
    }

    /// The samples of a table of phyphox's.
    static func phyphox(_ table: NumberTable) throws(TableError) -> [ImportedSamples] {
        guard
            let time = table.place(of: "Time (s)") ?? table.place(of: "t (s)") ?? table.place(of: "Zeit (s)")
        else { throw .noTime }
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
}

/// The times at which an experiment of phyphox's began, as its table `time` says them: the experiment's seconds stand still
/// while it is paused, and go on from each `START`.
struct PhyphoxClock {
    /// A beginning.
    private struct Start {
        /// Microseconds of the experiment.
        var experiment: Int64
        /// UTC microseconds.
        var system: Int64
    }

    private var starts: [Start] = []

    /// The clock that a table tells.
    ///
    /// - Parameter table: with the columns `event`, `experiment time` and `system time`, seconds, read with the first of them
    ///   as its exact one.
    /// - Returns: nil for another table.
    init?(_ table: NumberTable) {
        guard let event = table.place(of: "event"), let experiment = table.place(of: "experiment time"),
            let system = table.place(of: "system time"), event != experiment
        else { return nil }
        for row in 0..<table.rowCount where matches(table.exact(row).span, "START") {
            guard let seconds = ImportedSamples.microseconds(table.columns[experiment][row]),
                let since = table.columns[system][row], since > 0, since < 1e11
            else { continue }
            // phyphox writes milliseconds.
            let start = Int64((since * 1_000).rounded()) * 1_000
            guard start >= EpochTime.earliest, start <= SampleBlock.latest else { continue }
            starts.append(Start(experiment: seconds, system: start))
        }
        if starts.isEmpty { return nil }
    }

    /// The UTC microseconds of a time of the experiment.
    func time(_ experiment: Int64) -> Int64 {
        var last = starts[0]
        for start in starts where start.experiment <= experiment { last = start }
        return last.system + (experiment - last.experiment)
    }
}
