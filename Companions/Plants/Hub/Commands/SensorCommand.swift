import ClientKit

#if os(Linux)
    import ArgumentParser
    import DeviceHAL
    import HubKit
    import PlantsDevice

    /// `tandem sensor`
    struct SensorCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sensor", abstract: "Reads a seesaw soil sensor on this machine’s I2C bus for a hub.",
            discussion: """
                For a Raspberry Pi with Adafruit’s soil sensor (product 4026). What it measures while the hub is away is \
                kept, and sent later.

                Example:
                  tandem sensor --bus /dev/i2c-1 --address 0x36 --hub mqtt://hub.local:1883 --device k7fq2m9x --token-file token
                """)

        @Option(help: "The bus, a device file of Linux’s i2c-dev.")
        var bus = "/dev/i2c-1"

        @Option(help: "The sensor’s address, 0x36 to 0x39.")
        var address = SensorAddress(argument: "0x36")!  // The literal is such an address.

        @OptionGroup var options: DeviceOptions

        @Option(help: "Seconds between two readings.")
        var intervalSeconds: Int = 60

        func validate() throws {
            guard (1...86_400).contains(intervalSeconds) else {
                throw ValidationError("--interval-seconds is a number from 1 to 86400.")
            }
        }

        func run() async throws {
            let board: LinuxI2CBus
            do throws(LinuxI2CBus.OpenError) {
                board = try LinuxI2CBus(path: bus)
            } catch {
                throw ExitCode.saying("\(error)", code: 74)
            }
            let probe = Probe(SeesawSoilSensor(board: board, address: address.value))
            try await DeviceLoop(options, interval: .seconds(intervalSeconds)).run { await probe.measure() }
        }
    }

    /// An address on the bus: `0x36`, or `54`.
    struct SensorAddress: ExpressibleByArgument, Sendable {
        var value: UInt8

        init?(argument: String) {
            let isHex = argument.lowercased().hasPrefix("0x")
            guard let value = isHex ? UInt8(argument.dropFirst(2), radix: 16) : UInt8(argument),
                (0x36...0x39).contains(value)
            else { return nil }
            self.value = value
        }

        var defaultValueDescription: String { "0x\(String(value, radix: 16))" }
    }

    /// The sensor, and whether it has been woken.
    private actor Probe {
        private var sensor: SeesawSoilSensor<LinuxI2CBus>
        private var hasBegun = false

        init(_ sensor: SeesawSoilSensor<LinuxI2CBus>) { self.sensor = sensor }

        func measure() -> String? {
            do throws(SeesawError) {
                if !hasBegun {
                    try sensor.begin()
                    hasBegun = true
                }
                let capacitance = try sensor.capacitance()
                let celsius = Double(try sensor.temperatureMilliCelsius()) / 1_000
                return
                    "{\"capacitance\":\(capacitance),\"temperature\":\(PlantNumber.text(celsius)),\"at\":\(HubClock.system.now())}"
            } catch {
                hasBegun = false
                CommandOutput.say("No reading: \(error.message)")
                return nil
            }
        }
    }

    extension SeesawError {
        /// The words about what is wrong with the sensor, and what to look at.
        fileprivate var message: String {
            switch self {
            case .bus(.notAcknowledged): "nothing answers at that address. Check the wiring and --address."
            case .bus(.busStuck): "a line of the bus is held low. Check the wiring, and power the sensor off and on."
            case .bus(let error): "the bus failed (\(error))."
            case .wrongDevice(let id):
                "what answers there is no seesaw soil sensor (it says 0x\(String(id, radix: 16)))."
            case .notReady: "the sensor was not ready in time."
            case .implausible: "the sensor said something that it cannot measure."
            }
        }
    }
#endif
