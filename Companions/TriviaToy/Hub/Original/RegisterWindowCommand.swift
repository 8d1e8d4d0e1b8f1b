import ArgumentParser
import Foundation
import HubKit
import Storage

/// `tandem toy`
struct ToyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "toy", abstract: "What is decided about the original trivia toy’s users.",
        subcommands: [RegisterWindowCommand.self])
}

/// `tandem toy register-window`
struct RegisterWindowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "register-window", abstract: "Lets users of the original’s app sign up for five minutes.",
        discussion: """
            The hub may be running, with --legacy toy. Whoever signs up in these minutes gets a number, by which the \
            original’s app and toy are known to the hub. An adult can do the same in the page.

            Example:
              tandem toy register-window --data ./data
            """)

    @OptionGroup var data: DataOption

    func run() throws {
        let database = try data.database()
        print(try Self.open(database, now: HubClock.system.now()))
        try database.close()
    }

    /// Opens it in the household of a hub.
    ///
    /// - Returns: what is said of it.
    /// - Throws: `NoHousehold` while there is none.
    static func open(_ database: HubDatabase, now: Int64) throws -> String {
        let limits = ToyLimits()
        let until = try database.pool.write { db in
            guard let household = try HouseholdRecord.fetchOne(db) else { throw NoHousehold() }
            return try Registration.open(household: household.id, now: now, limits, db)
        }
        let time = Date(timeIntervalSince1970: Double(until) / 1_000).formatted(date: .omitted, time: .standard)
        return "Users of the original’s app can sign up until \(time)."
    }
}
