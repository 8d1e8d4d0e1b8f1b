import Wire

/// An app whose exports are read.
public enum ExportingApp: Sendable, Equatable {
    /// Sensor Logger, with the units and signs of its phone where a file does not say them.
    case sensorLogger(SensorSource)
    /// phyphox.
    case phyphox
    /// Physics Toolbox Sensor Suite.
    case physicsToolbox
}

/// The samples in a file that an app exported: a table, a workbook with a sheet of each sensor, or a ZIP file of tables.
///
/// Each table stands alone: one that cannot be read leaves the others in.
public struct ImportedRecording: Sendable, Equatable {
    /// The samples, of each kind those of one sensor.
    public private(set) var samples: [ImportedSamples] = []
    /// The units and signs in which they were written.
    public private(set) var source: SensorSource
    /// The names of the tables of which nothing could be read, though they should be of a sensor.
    public private(set) var unread: [[UInt8]] = []
    /// The lines that were left out, of all sensors.
    public var left: ImportedSamples.LeftLines {
        var left = ImportedSamples.LeftLines()
        for one in samples {
            left.withoutTime += one.left.withoutTime
            left.withoutValue += one.left.withoutValue
            if left.example.isEmpty { left.example = one.left.example }
        }
        return left
    }
    /// Whether a file of an app that says the time of each sample does not say it so that it is understood: then no sample has
    /// one, and whoever brings the file in is told.
    public private(set) var lacksTime = false

    /// Reads a file.
    ///
    /// - Parameter fileName: what it is called, which says the sensor of a single table of Sensor Logger's.
    public init(
        _ file: [UInt8], fileName: [UInt8], app: ExportingApp, limits: NumberTable.Limits = .init()
    ) throws(TableError) {
        guard file.count <= limits.bytes else { throw .tooLarge }
        let tables: TableFile
        do throws(TableFileError) {
            tables = try TableFile(file, name: fileName)
        } catch {
            throw TableError(error)
        }
        unread = tables.damaged
        switch app {
        case .sensorLogger(let told):
            source = Self.metadata(tables.tables) ?? told
            try addSensorLogger(tables.tables, fileName, limits)
            lacksTime = !samples.contains { $0.isAbsolute }
        case .phyphox:
            source = .phyphox
            try addPhyphox(tables.tables, limits)
        case .physicsToolbox:
            source = .physicsToolbox
            try add(tables.tables) { table throws(TableError) in
                try ImportedSamples.physicsToolbox(
                    try NumberTable(table.text, exact: "time", or: ["Zeit"], limits: limits))
            }
        }
    }

    /// Adds what each table holds.
    ///
    /// - Parameter areKnown: whether each is of a sensor by its name; else one may be of something else.
    /// - Throws: where none holds anything: what is wrong with the first that should.
    private mutating func add(
        _ tables: [TableFile.Table], areKnown: Bool = false,
        _ read: (TableFile.Table) throws(TableError) -> [ImportedSamples]
    ) throws(TableError) {
        var failure: TableError?
        for table in tables {
            do throws(TableError) {
                for found in try read(table) where !samples.contains(where: { $0.kind == found.kind }) {
                    samples.append(found)
                }
            } catch {
                // Tables of no sensor, and sensors that measured nothing, are no mistakes beside others.
                let isNothing = error == .empty || !areKnown && (error == .noSensor || error == .noTime)
                if !isNothing { unread.append(table.name) }
                if failure == nil || failure == .noSensor { failure = error }
            }
        }
        if samples.isEmpty { throw failure ?? .noSensor }
    }

    // MARK: - Sensor Logger

    private mutating func addSensorLogger(
        _ tables: [TableFile.Table], _ fileName: [UInt8], _ limits: NumberTable.Limits
    ) throws(TableError) {
        let source = source
        // Those that the phone has calibrated first: of a kind there is one.
        var known: [(sensor: SensorLoggerSensor, table: TableFile.Table)] = []
        for table in tables {
            // A spreadsheet calls the sheet of a single table as it likes.
            let sensor =
                SensorLoggerSensor(fileName: table.name)
                ?? (tables.count == 1 ? SensorLoggerSensor(fileName: fileName) : nil)
            guard let sensor else { continue }
            let place = known.firstIndex { $0.sensor.preference > sensor.preference } ?? known.count
            known.insert((sensor, table), at: place)
        }
        var next = 0
        try add(known.map { $0.table }, areKnown: true) { table throws(TableError) in
            let sensor = known[next].sensor
            next += 1
            return try ImportedSamples.sensorLogger(
                try NumberTable(table.text, exact: "time", or: SensorLoggerClock.names, limits: limits), of: sensor,
                source: source)
        }
    }

    /// The frame that the table `Metadata` says: the phone's system, and whether *Standardise Units & Frames* was on, with
    /// which an iPhone writes as Android does (Sensor Logger's CROSSPLATFORM.md). Nil where there is no such table.
    private static func metadata(_ tables: [TableFile.Table]) -> SensorSource? {
        for table in tables {
            let text = table.text.bytes.span
            var rows = TableRows(table.text)
            guard let names = rows.next(in: text), let values = rows.next(in: text) else { continue }
            func value(_ name: StaticString) -> [UInt8]? {
                for (place, cell) in names.cells.enumerated() where place < values.cells.count {
                    guard matches(TableRows.content(of: cell, in: text).span, name) else { continue }
                    return TableRows.content(of: values.cells[place], in: text)
                }
                return nil
            }
            guard let platform = value("platform") else { continue }
            if matchesIgnoringCase(platform.span, oneOf: ["android"]) { return .sensorLoggerAndroid }
            guard matchesIgnoringCase(platform.span, oneOf: ["ios", "ipados", "iphone"]) else { continue }
            let isStandard = value("standardisation").map {
                matchesIgnoringCase($0.span, oneOf: ["true", "1", "yes", "on"])
            }
            return isStandard == true ? .sensorLoggerAndroid : .sensorLoggerIOS
        }
        return nil
    }

    // MARK: - phyphox

    private mutating func addPhyphox(_ tables: [TableFile.Table], _ limits: NumberTable.Limits) throws(TableError) {
        var clock: PhyphoxClock?
        try add(tables) { table throws(TableError) in
            let numbers = try NumberTable(table.text, exact: "event", limits: limits)
            if clock == nil, let found = PhyphoxClock(numbers) {
                clock = found
                return []
            }
            return try ImportedSamples.phyphox(numbers)
        }
        guard let clock else { return }
        for place in samples.indices {
            samples[place].isAbsolute = true
            for row in samples[place].times.indices {
                samples[place].times[row] = clock.time(samples[place].times[row])
            }
        }
    }
}

extension SensorLoggerSensor {
    /// The order in which sensors of one kind are taken, the first alone.
    fileprivate var preference: Int {
        switch self {
        case .accelerometerUncalibrated, .gyroscopeUncalibrated, .magnetometerUncalibrated: 1
        default: 0
        }
    }
}
