import ArgumentParser
import ClientKit
import HubKit
import Storage

/// `tandem simulate phone`
struct SimulatePhoneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "phone", abstract: "Plays a phone with Sensor Logger for a hub, on a ride in a lift.",
        discussion: """
            Each second it publishes what Sensor Logger would: fifty accelerations and five pressures. The lift goes up \
            four floors and down again, until the command is ended or its seconds are over. The same seed is the same ride.

            Example:
              tandem device add --kind phone --name Pixel --data ./data --json
              tandem simulate phone --device k7fq2m9x --token-file token --seconds 60
            """)

    @OptionGroup var options: DeviceOptions

    @Option(help: "Which noise: any whole number.")
    var seed: UInt64 = 1

    @Option(help: "How long it rides; until it is ended where this is left out.")
    var seconds: Int?

    func validate() throws {
        guard seconds.map({ (1...86_400).contains($0) }) ?? true else {
            throw ValidationError("--seconds is a number from 1 to 86400.")
        }
    }

    func run() async throws {
        let ride = SimulatedRide(ride: LiftRide(seed: seed), start: HubClock.system.now() * 1_000)
        let seconds = seconds
        try await DeviceLink.keepOpen(try options.address()) { link in
            while await ride.second < seconds ?? .max {
                // A second that is lost with the connection is sent again.
                try await link.publish([(PhoneMessageDecoder.topic, ride.message)])
                await ride.next()
                try await Task.sleep(for: .seconds(1))
            }
        }
    }
}

/// The progress of the command line's ride.
private actor SimulatedRide {
    private let ride: LiftRide
    private let start: Int64
    private let session = Secret.identifier()
    private(set) var second = 0

    init(ride: LiftRide, start: Int64) {
        self.ride = ride
        self.start = start
    }

    var message: String { ride.message(second: second, start: start, session: session) }

    func next() { second += 1 }
}
