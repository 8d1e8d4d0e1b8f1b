import GRDB
import HubKit
import Logging
import ServiceLifecycle
import Storage
import Synchronization

/// Plays the virtual sensors: each signs in to the hub over MQTT and publishes, as a real one does.
final class VirtualPlants: Service {
    /// The time from one measurement of a virtual sensor to the next, in real time.
    static let interval = Duration.seconds(10)

    private enum Command: Sendable {
        case play(String)
        case stop(String)
    }

    private let hub: HubContext
    private let commands = AsyncStream.makeStream(of: Command.self)
    private let players = Mutex<[String: VirtualPlayer]>([:])

    init(hub: HubContext) { self.hub = hub }

    /// A virtual sensor was added.
    func play(_ device: String) { commands.continuation.yield(.play(device)) }

    /// A virtual sensor was removed.
    func stop(_ device: String) { commands.continuation.yield(.stop(device)) }

    /// Lets a sensor measure now.
    func poke(_ device: String) { players.withLock { $0[device] }?.poke() }

    /// Waters the plant that a virtual sensor stands in. A watering taken back is passed over when the sensor is played
    /// again.
    func water(_ device: String, at time: Int64) { players.withLock { $0[device] }?.water(at: time) }

    func run() async throws {
        let present = try await hub.database.pool.read { db in
            try String.fetchAll(
                db,
                cached: """
                    SELECT device.id FROM device JOIN virtual_plant ON virtual_plant.device = device.id
                    WHERE is_virtual AND kind = ? AND removed_at IS NULL ORDER BY created_at, id
                    """, arguments: [Plants.sensorKind])
        }
        for device in present { play(device) }
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                for await command in self.commands.stream {
                    switch command {
                    case .stop(let device): self.players.withLock { $0.removeValue(forKey: device) }?.stop()
                    case .play(let device):
                        guard self.players.withLock({ $0[device] == nil }) else { continue }
                        let player = VirtualPlayer(device: device, hub: self.hub)
                        self.players.withLock { $0[device] = player }
                        group.addTask { await player.play() }
                    }
                }
            }
        }
    }
}
