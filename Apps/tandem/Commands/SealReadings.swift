import ArgumentParser
import Foundation
import HubKit
import HubServer
import Storage

/// `tandem seal`
struct SealReadings: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seal",
        abstract: "Packs old readings into blocks now, and gives the disk back what that leaves free.",
        discussion: """
            The hub does it by itself, bit by bit. Each reading stays as it is, to the last bit, and in every chart and export.
            The hub may be running; only a file that was made before there were blocks is rewritten while it stands still.

            Example:
              tandem seal --data /var/lib/tandem
            """)

    @OptionGroup var data: DataOption

    @Option(help: ArgumentHelp("How old readings stay as they are, in days.", valueName: "days"))
    var afterDays = HubSettings.usualSealAfterDays

    func validate() throws {
        guard HubSettings.sealAfterDaysBounds.contains(afterDays) else {
            throw ValidationError(HubSettings.sealAfterDaysRefusal(flag: "--after-days"))
        }
    }

    func run() async throws {
        try data.check()
        // What SQLite wants beside the file is as private as the file, and on its disk.
        setenv("SQLITE_TMPDIR", data.folder, 1)
        umask(0o077)
        let database = try data.database()
        try await database.emptyLog()
        let before = try await database.space().bytes
        let sealing = Sealing(database, olderThanDays: afterDays, now: HubClock.system.now(), isPatient: false)
        var told = ContinuousClock.now
        let done = try await sealing.seal { progress in
            guard ContinuousClock.now - told >= .seconds(1) else { return }
            told = .now
            print("\(progress.series) of \(progress.allSeries) series, \(progress.readings) readings")
        }
        let problem = try await giveBack(database)
        try await database.emptyLog()
        let after = try await database.space().bytes
        print("Sealed \(done.readings) readings of \(done.allSeries) series.")
        print("The database had \(Self.megabytes(before)), and has \(Self.megabytes(after)) now.")
        if let problem { print(problem) }
        try database.close()
    }

    /// - Returns: why it was not done, in words; nil where it was, or nothing is free.
    private func giveBack(_ database: HubDatabase) async throws -> String? {
        let space = try await database.space()
        if space.isIncremental {
            while try await database.giveBack(pages: 4_096) {}
            return nil
        }
        guard space.freeBytes > 0, let folder = try? DataFolder(path: data.folder) else { return nil }
        // While the file is rewritten nobody else writes, and a hub would not wait for so long.
        guard let lock = try? folder.lock() else {
            return """
                \(Self.megabytes(space.freeBytes)) of it are free, which the hub will use again. To give them back to the disk, stop \
                the hub and run this once more.
                """
        }
        let needed = 2 * (space.bytes - space.freeBytes) + (32 << 20)
        let disk = try? FileManager.default.attributesOfFileSystem(forPath: data.folder)[.systemFreeSize] as? NSNumber
        guard let free = disk?.intValue, free >= needed else {
            return """
                \(Self.megabytes(space.freeBytes)) of it are free, which the hub will use again. To give them back, the disk of \
                \(data.folder) needs \(Self.megabytes(needed)) for a while, and has \(Self.megabytes(disk?.intValue ?? 0)).
                """
        }
        try await database.rewrite()
        withExtendedLifetime(lock) {}
        return nil
    }

    private static func megabytes(_ bytes: Int) -> String {
        String(format: "%.1f MB", Double(bytes) / 1e6)
    }
}
