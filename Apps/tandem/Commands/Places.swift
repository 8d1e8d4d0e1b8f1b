import ArgumentParser
import HubKit
import HubServer

/// `tandem simulate`
struct Simulate: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "simulate",
            abstract: "Plays what speaks to a hub: a device, or a family that brushes for months.",
            subcommands: companions.flatMap { $0.commands(.simulate) }
        )
    }
}

/// `tandem import`
struct Import: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "import",
            abstract: "Brings in files of the original systems, or all that another hub’s household had.",
            subcommands: [ImportEverything.self] + companions.flatMap { $0.commands(.import) })
    }
}

/// `tandem export`
struct Export: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "export",
            abstract: "Writes all that there is, readings, or files of the original systems.",
            subcommands: [ExportEverything.self, ExportPerson.self, ExportReadings.self]
                + companions.flatMap { $0.commands(.export) })
    }
}
