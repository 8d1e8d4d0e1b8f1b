import ArgumentParser
import Foundation
import HubKit
import HubServer
import Readings
import Storage

/// `tandem seal`
struct SealReadings: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seal",
        abstract: "Packs old readings into blocks now, and gives the disk back what that leaves free.",
        discussion: """
            The hub does it by itself, bit by bit. Each reading stays as it is, to the last bit, and in every chart and export.
            The hub may be running.

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
        while try await database.giveBack(pages: 4_096) {}
        try await database.emptyLog()
        let after = try await database.space().bytes
        print("Sealed \(done.readings) readings of \(done.allSeries) series.")
        print("The database had \(Self.megabytes(before)), and has \(Self.megabytes(after)) now.")
        try database.close()
    }

    private static func megabytes(_ bytes: Int) -> String {
        String(format: "%.1f MB", Double(bytes) / 1e6)
    }
}
