import ArgumentParser
import ClientKit
import HubKit
import PlantsEngine

/// `tandem simulate plant`
struct SimulatePlantCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plant", abstract: "Plays a plant sensor for a hub, as one that stands in a pot.",
        discussion: """
            It publishes moisture, temperature, light, humidity and battery, and goes on after a broken connection. \
            The same seed is the same plant.

            Example:
              tandem device add --kind plant-sensor --name Basil --data ./data --json
              tandem simulate plant --device k7fq2m9x --token-file token --interval-seconds 5
            """)

    @OptionGroup var options: DeviceOptions

    @Option(help: "Which plant and which weather: any whole number.")
    var seed: UInt64 = 1

    @Option(help: "Seconds between two readings.")
    var intervalSeconds: Int = 10

    func validate() throws {
        guard (1...86_400).contains(intervalSeconds) else {
            throw ValidationError("--interval-seconds is a number from 1 to 86400.")
        }
    }

    func run() async throws {
        let now = HubClock.system.now()
        let art = PlantArt.allCases[Int(seed % UInt64(PlantArt.allCases.count))]
        let life = VirtualLife(
            VirtualPlantRecord(
                device: options.device, household: "", seed: Int64(bitPattern: seed), art: art,
                startedAt: now - 14 * HouseholdCalendar.dayLength, troubledUntil: 0), pours: [], utcOffset: 0)
        let player = SimulatedSensor(life)
        try await DeviceLoop(options, interval: .seconds(intervalSeconds)).run { await player.measure() }
    }
}

/// The simulated plant of the command line.
private actor SimulatedSensor {
    private var life: VirtualLife

    init(_ life: VirtualLife) { self.life = life }

    func measure() -> String? {
        let now = HubClock.system.now()
        _ = life.live(to: now)
        return life.reading(at: now)?.payload
    }
}
