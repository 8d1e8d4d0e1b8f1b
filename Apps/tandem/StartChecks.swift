import Diagnosis
import HubKit
import Logging

/// The checks of `tandem doctor` that the hub makes at each start, in the same words.
struct StartChecks {
    let folder: DataFolder

    /// Warns of what may cost data, and refuses to open a database that is no longer whole: to write on would lose more.
    ///
    /// - Throws: `StartFault`.
    func run(_ log: Logger) throws {
        try checkDatabase()
        let written = ClockCheck.written(database: folder.databasePath)
        let warnings = [
            DiskKindCheck(folder: folder.path).run(), FileOwnerCheck(folder: folder.path).run(),
            DiskSpaceCheck(folder: folder.path).run(),
            ClockCheck(now: HubClock.system.now()).run(newestReading: nil, written: written),
        ]
        for finding in warnings where finding.grade == .fault { log.warning("\(finding.words)") }
    }

    /// Refuses a database that is no longer whole.
    ///
    /// - Throws: `StartFault`.
    func checkDatabase() throws {
        if let finding = DatabaseFileCheck(path: folder.databasePath).run(), finding.grade == .fault {
            throw StartFault(finding: finding)
        }
    }
}

/// The reason why the hub does not start, as a check found it.
struct StartFault: Error, CustomStringConvertible {
    let finding: Finding

    var description: String { finding.words }
}
