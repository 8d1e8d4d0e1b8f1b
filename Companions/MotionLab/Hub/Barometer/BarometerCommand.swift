import ArgumentParser
import ClientKit
import DeviceHAL
import HubKit
import MotionLabDevice

/// `tandem barometer`
struct BarometerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "barometer", abstract: "Reads a BME280 barometer on this machine’s I2C bus for a hub.",
        discussion: """
            For a Raspberry Pi with Bosch’s BME280. To the hub it is a phone that has nothing but a barometer: its pressure \
            and height are shown live and recorded as a phone’s are. What it measures while the hub is away is kept, and \
            sent later. With --simulated the sensor is a model of its registers that rides in a lift.

            Example:
              tandem device add --kind phone --name Barometer --data ./data --json
              tandem barometer --bus /dev/i2c-1 --address 0x76 --hub mqtt://hub.local:1883 --device k7fq2m9x --token-file token
            """)

    @Option(help: "The bus, a device file of Linux’s i2c-dev.")
    var bus = "/dev/i2c-1"

    @Option(help: "The sensor’s address, 0x76 or 0x77.")
    var address = BarometerAddress(argument: "0x76")!  // The literal is such an address.

    @OptionGroup var options: DeviceOptions

    @Option(help: "Measurements a second, 1 to 25.")
    var hertz: Int = 15

    @Flag(help: "Measures on a model of the sensor, in a lift.")
    var simulated = false

    func validate() throws {
        guard (1...25).contains(hertz) else { throw ValidationError("--hertz is a number from 1 to 25.") }
    }

    func run() async throws {
        if simulated {
            let model = BME280(board: BME280Model(address: address.value), address: address.value)
            return try await run(BarometerProbe(model, hertz: hertz) { LiftRide.move(&$0, atSeconds: $1) })
        }
        #if os(Linux)
            let board: LinuxI2CBus
            do throws(LinuxI2CBus.OpenError) {
                board = try LinuxI2CBus(path: bus)
            } catch {
                throw ExitCode.saying("\(error)", code: 74)
            }
            try await run(BarometerProbe(BME280(board: board, address: address.value), hertz: hertz))
        #else
            throw ExitCode.saying("An I2C bus is read on Linux only. --simulated works here.", code: 69)
        #endif
    }

    private func run<Board>(_ probe: BarometerProbe<Board>) async throws {
        // A second of measurements takes a second.
        try await DeviceLoop(options, interval: .milliseconds(1), topic: PhoneMessageDecoder.topic).run {
            await probe.message()
        }
    }
}

/// An address on the bus: `0x76`, or `118`.
struct BarometerAddress: ExpressibleByArgument, Sendable {
    var value: UInt8

    init?(argument: String) {
        let isHex = argument.lowercased().hasPrefix("0x")
        guard let value = isHex ? UInt8(argument.dropFirst(2), radix: 16) : UInt8(argument),
            (0x76...0x77).contains(value)
        else { return nil }
        self.value = value
    }

    var defaultValueDescription: String { "0x\(String(value, radix: 16))" }
}
