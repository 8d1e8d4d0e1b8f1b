import BlueZ
import HubKit
import Logging
import ServiceLifecycle

/// The service that keeps the hub connected to this machine's Bluetooth radio, as long as there is one.
public struct BluetoothService: Service {
    private let bluetooth: Bluetooth

    /// The time after which a radio is looked for again.
    private static let pause = Duration.seconds(30)
    /// The time after which it is looked again whether the radio is to listen.
    private static let look = Duration.seconds(10)

    /// Creates the service.
    public init(bluetooth: Bluetooth) { self.bluetooth = bluetooth }

    /// Runs until graceful shutdown.
    public func run() async throws {
        try await bluetooth.reload()
        await cancelWhenGracefulShutdown {
            var isTold = false
            while !Task.isCancelled {
                do throws(BusError) {
                    let bus = try MessageBus()
                    await follow(BluetoothRadio(bus: bus))
                    isTold = false
                } catch {
                    // A machine without a message bus, such as a container, is no trouble.
                    if !isTold {
                        bluetooth.hub.log.debug("there is no Bluetooth here", metadata: ["reason": "\(error)"])
                    }
                    isTold = true
                }
                bluetooth.set(.none)
                guard (try? await Task.sleep(for: Self.pause)) != nil else { return }
            }
        }
    }

    /// Follows a radio until its bus is gone.
    private func follow(_ radio: BluetoothRadio) async {
        let links = BluetoothLinks(bluetooth: bluetooth, radio: radio)
        let memories = SensorMemories(bluetooth: bluetooth, radio: radio)
        bluetooth.use(links)
        defer { bluetooth.use(nil) }
        await withDiscardingTaskGroup { group in
            group.addTask {
                for await event in radio.events {
                    switch event {
                    case .heard(let device):
                        await bluetooth.hear(device)
                        await links.heard(device.address)
                        await memories.heard(device.address)
                    case .notified(let characteristic, let bytes): await links.notified(characteristic, bytes)
                    case .stateChanged: await look(radio, links)
                    case .disconnected(let address): await links.ended(address)
                    }
                }
            }
            group.addTask { for await _ in bluetooth.wakes() { await look(radio, links) } }
            group.addTask {
                repeat {
                    // A device may have been removed since, and the first account been made.
                    if bluetooth.isListeningWanted || !bluetooth.hasHousehold { try? await bluetooth.reload() }
                    await look(radio, links)
                } while (try? await Task.sleep(for: Self.look)) != nil
            }
            group.addTask { await links.run() }
            group.addTask { await memories.run() }
            await radio.run()
            await links.endAll()
            group.cancelAll()
        }
    }

    /// Has the radio listen or not, as is wanted now.
    private func look(_ radio: BluetoothRadio, _ links: BluetoothLinks) async {
        let isWanted = bluetooth.isListeningWanted
        await radio.search(isWanted)
        switch await radio.state {
        case .none: bluetooth.set(.none)
        case .off: bluetooth.set(.off)
        case .on: bluetooth.set(isWanted ? .listening : .idle)
        }
        await links.endRemoved()
    }
}
