import ArgumentParser
import ClientKit
import Foundation
import GRDB
import HubKit
import PlantsEngine
import Storage

/// `tandem import plants`
struct ImportPlantsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plants", abstract: "Takes over a user’s plants from a file of the original Plant-Tracker.",
        discussion: """
            The file is the JSON that the original host keeps for each user: [{"Sensors": "[\\"36\\"]", "Name": "Fern"}]. \
            What the hub knew of that user’s plants is replaced. It may run while the hub does.

            Example:
              tandem import plants "iPhone SE.json" --client "iPhone SE" --data ./data
            """)

    @Argument(help: "The original’s file.")
    var file: String

    @OptionGroup var options: GardenOptions

    func run() throws {
        let plants: [LegacyPlant]
        do {
            plants = try LegacyGardenFile.read(try CommandFile.read(file, upTo: LegacyGardenFile.longest))
        } catch let failure as CommandFile.Failure {
            throw ExitCode.saying("\(file) \(failure.message) Nothing was changed.", code: failure.code)
        } catch let error as LegacyGardenFileError {
            let reason =
                switch error {
                case .tooLarge: "is larger than \(LegacyGardenFile.longest) bytes, so it is no file of the original"
                case .notJSON(let offset): "is not valid JSON at byte \(offset)"
                case .notAGarden: "is JSON, but no list of plants that each have a Name and Sensors"
                }
            throw ExitCode.saying("\(file) \(reason). Nothing was changed.", code: 65)
        }
        let (database, household) = try options.open()
        let client = options.client
        let now = HubClock.system.now()
        let before = try database.pool.write { db in
            let before =
                try db.legacyGarden(client: try db.legacyClient(client, household: household)).plants?.count ?? 0
            do {
                try db.keep(LegacyGarden(plants: plants), ofClient: client, household: household, now: now)
            } catch LegacyStoreError.tooManyClients {
                throw ExitCode.saying(
                    "The hub knows \(Database.mostLegacyClients) users of the original already; it takes no more.",
                    code: 65)
            } catch LegacyStoreError.tooManyPlants {
                throw ExitCode.saying(
                    "\(client) has \(Database.mostAdoptedPlants) plants in the household. Remove some in the page first.",
                    code: 65)
            }
            return before
        }
        try database.close()
        let replaced = before > 0 ? " in place of \(before)" : ""
        print("\(plants.count) plants of \(client) imported\(replaced). Adopt them in the page under Plants.")
    }
}

/// `tandem export plants`
struct ExportPlantsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plants", abstract: "Writes a user’s plants as the original Plant-Tracker keeps them.",
        discussion: """
            To standard output, or to a file that the original host reads.

            Example:
              tandem export plants --client "iPhone SE" --data ./data --output "iPhone SE.json"
            """)

    @OptionGroup var options: GardenOptions

    @Option(help: "The file to write; without it, standard output.")
    var output: String?

    func run() throws {
        let (database, household) = try options.open()
        let client = options.client
        let garden = try database.pool.read { db in
            try db.legacyClient(client, household: household).map { try db.legacyGarden(client: $0) }
        }
        let known = try database.pool.read { db in
            try String.fetchAll(
                db, sql: "SELECT name FROM legacy_client WHERE household = ? ORDER BY name", arguments: [household])
        }
        try database.close()
        guard let garden else {
            let names = known.isEmpty ? "It knows none yet." : "It knows: \(known.joined(separator: ", "))."
            throw ExitCode.saying("The hub knows no user of the original called “\(client)”. \(names)", code: 65)
        }
        let data = Data(LegacyGardenFile.write(garden.plants ?? []))
        guard let output else { return FileHandle.standardOutput.write(data) }
        do {
            try data.write(to: URL(fileURLWithPath: output), options: .atomic)
        } catch {
            throw ExitCode.saying("\(output) cannot be written. Check its folder and the space on its disk.", code: 73)
        }
    }
}

/// The options for a user of the original, and for the hub.
struct GardenOptions: ParsableArguments {
    @Option(help: "The user’s name: what the original app calls its device.")
    var client: String

    @OptionGroup var data: DataOption

    func validate() throws {
        guard !client.isEmpty, client.utf8.count <= 200, !client.contains(where: { $0 == ":" || $0 == ";" }) else {
            throw ValidationError("--client is a name without colons and semicolons, as the original app sends it.")
        }
    }

    /// The hub's database and its household.
    ///
    /// - Throws: what ``DataOption/database()`` throws; `NoHousehold` while there is none.
    func open() throws -> (HubDatabase, household: String) {
        let database = try data.database()
        guard let household = try database.pool.read({ db in try HouseholdRecord.fetchOne(db)?.id }) else {
            throw NoHousehold()
        }
        return (database, household)
    }
}
