import ArgumentParser
import ClientKit
import Devices
import Firmware
import Foundation
import HubKit
import HubServer

/// `tandem firmware`
struct FirmwareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "firmware", abstract: "Images of boards.", subcommands: [Add.self])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract:
                "Adds an image of a board. Devices that it is for are offered it in Settings, and the hub signs it.",
            discussion: """
                Example:
                  tandem firmware add --data ./data .build-firmware/images/PlantSensor-MPS2AN386.image
                """)

        @OptionGroup var data: DataOption
        @Argument(help: "The file of the image.") var file: String

        func run() async throws {
            let bytes: [UInt8]
            do throws(CommandFile.Failure) {
                bytes = try CommandFile.read(file, upTo: Firmware.mostBytes)
            } catch {
                throw ExitCode.saying("\(file) \(error.message)", code: error.code)
            }
            let services = try data.services()
            let household = try await services.hub.requiredHousehold()
            let firmware = Firmware(hub: services.hub, devices: services.devices)
            let image = try await firmware.add(bytes, household: household.id)
            print("Version \(image.version) of \(image.kind) for \(image.board) is there.")
        }
    }
}
