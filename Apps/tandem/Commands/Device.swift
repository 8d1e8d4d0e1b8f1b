import ArgumentParser
import Devices
import Foundation
import HubKit
import HubServer
import MQTT

/// `tandem device`
struct Device: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: "Devices of the household.", subcommands: [Add.self, List.self, Token.self])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Adds a device and prints its id and token, this once.",
            discussion: """
                Examples:
                  tandem device add --kind plant-sensor --name "Basil’s sensor"
                  tandem device add --data /var/lib/tandem --kind plant-sensor --name Basil --json
                """)

        @OptionGroup var data: DataOption
        @Option(help: ArgumentHelp("The kind of device: \(kinds.joined(separator: ", ")).")) var kind: String
        @Option(help: "What the household calls it.") var name: String
        @Flag(help: "Prints a JSON object with id and token.") var json = false

        static var kinds: [String] { companions.flatMap { $0.deviceKinds.map(\.name) } }

        func validate() throws {
            guard Self.kinds.contains(kind) else {
                throw ValidationError("There is no kind “\(kind)”. There are: \(Self.kinds.joined(separator: ", ")).")
            }
        }

        func run() async throws {
            let services = try data.services()
            let household = try await services.hub.requiredHousehold()
            let (device, token) = try await services.devices.add(kind: kind, name: name, household: household.id)
            try IDAndToken(id: device.id, token: token).print(asJSON: json)
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Lists the devices.",
            discussion: """
                Example:
                  tandem device list --data ./data
                """)

        @OptionGroup var data: DataOption

        func run() async throws {
            let services = try data.services()
            for device in try await services.devices.all(household: services.hub.requiredHousehold().id) {
                print("\(device.id)\t\(device.kind)\t\(device.name)")
            }
        }
    }
}

extension Device {
    /// `tandem device token`
    struct Token: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "token",
            abstract: "Gives a device a new token and prints it, this once. The old one holds no longer.",
            discussion: """
                Example:
                  tandem device token k7fq2m9x --data ./data
                """)

        @OptionGroup var data: DataOption
        @Argument(help: "The device’s id.") var id: String
        @Flag(help: "Prints a JSON object with id and token.") var json = false

        func run() async throws {
            let services = try data.services()
            do {
                let token = try await services.devices.renewToken(
                    id, household: services.hub.requiredHousehold().id)
                try IDAndToken(id: id, token: token).print(asJSON: json)
            } catch let problem as Problem where problem.status == .notFound {
                throw ValidationError("There is no device \(id). `tandem device list` shows them.")
            }
        }
    }
}

/// `tandem integration`
struct Integration: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "integration",
        abstract: "Programs that may use MQTT, such as another home hub.",
        subcommands: [Add.self, List.self, Remove.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Lists the programs that were let in, with their filters.",
            discussion: """
                Example:
                  tandem integration list --data ./data
                """)

        @OptionGroup var data: DataOption

        func run() async throws {
            let services = try data.services()
            for program in try await services.devices.integrations(household: services.hub.requiredHousehold().id) {
                print(
                    "\(program.id)\t\(program.name)\t\(program.filters.split(separator: "\n").joined(separator: " "))")
            }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Sends a program away; a running hub closes its connections within seconds.",
            discussion: """
                Example:
                  tandem integration remove k7fq2m9x
                """)

        @OptionGroup var data: DataOption
        @Argument(help: "The program’s id.") var id: String

        func run() async throws {
            guard try await data.services().devices.removeIntegration(id) else {
                throw ValidationError("There is no program \(id). `tandem integration list` shows them.")
            }
            print("Removed.")
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Lets a program in with the MQTT filters it is granted, and prints its id and token, this once.",
            discussion: """
                Example:
                  tandem integration add --name "Home Assistant" --filter 'tandem/#'
                """)

        @OptionGroup var data: DataOption
        @Option(help: "What the household calls it.") var name: String
        @Option(help: "A topic filter it may publish and subscribe to. Can be given several times.") var filter:
            [String]
        @Flag(help: "Prints a JSON object with id and token.") var json = false

        func validate() throws {
            guard !filter.isEmpty else { throw ValidationError("Name at least one --filter, such as 'tandem/#'.") }
            for text in filter where (try? TopicFilter(text)) == nil {
                throw ValidationError(
                    "“\(text)” is not an MQTT topic filter: + and # stand alone in their level, # at the end.")
            }
        }

        func run() async throws {
            let services = try data.services()
            let household = try await services.hub.requiredHousehold()
            let (integration, token) = try await services.devices.addIntegration(
                name: name, filters: filter, household: household.id)
            try IDAndToken(id: integration.id, token: token).print(asJSON: json)
        }
    }
}

/// What a new device or program is given, once.
private struct IDAndToken: Encodable {
    var id: String
    var token: String

    func print(asJSON: Bool) throws {
        if asJSON {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            Swift.print(String(decoding: try encoder.encode(self), as: UTF8.self))
        } else {
            Swift.print(
                "id     \(id)\ntoken  \(token)\n\nThe id is the MQTT user name, the token its password. The token is not shown again."
            )
        }
    }
}
