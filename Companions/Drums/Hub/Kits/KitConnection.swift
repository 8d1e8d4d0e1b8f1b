import ClientKit
import Foundation
import HubKit
import Synchronization

/// A virtual kit's connection to a hub, kept as a kit with a Wi-Fi radio keeps its own.
struct KitConnection: Sendable {
    let player: VirtualKitPlayer
    let address: DeviceLink.Address

    /// A kit that vanished is known as such after one and a half of it, MQTT 3.1.1, section 3.1.2.10.
    static let keepAliveSeconds: UInt16 = 5
    /// The time that a kit's radio takes to start.
    private static let start = Duration.milliseconds(500)
    private static let check = Duration.milliseconds(100)

    /// The way that the kit's events take while there is a connection.
    private final class Outlet: Sendable {
        private let way = Mutex<AsyncStream<VirtualKit.Event>.Continuation?>(nil)

        func open() -> AsyncStream<VirtualKit.Event> {
            let (events, continuation) = AsyncStream.makeStream(of: VirtualKit.Event.self)
            way.withLock { $0 = continuation }
            return events
        }

        func tell(_ event: VirtualKit.Event) { way.withLock { $0 }?.yield(event) }
        func close() { way.withLock { $0 = nil } }
    }

    /// Runs the kit until it is cancelled.
    ///
    /// - Throws: an exit code where trying again is of no use: the hub does not know the device.
    func run() async throws {
        let outlet = Outlet()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await player.play { outlet.tell($0) } }
            group.addTask {
                while !Task.isCancelled {
                    try await DeviceLink.keepOpen(address, keepAliveSeconds: Self.keepAliveSeconds) { link in
                        try await converse(&link, outlet)
                    }
                    outlet.close()
                    CommandOutput.say("The kit is out of reach.")
                    // Its radio was lost, or it was reset.
                    repeat { try await Task.sleep(for: Self.check) } while player.isLost
                    try await Task.sleep(for: Self.start)
                }
            }
            try await group.next()
            group.cancelAll()
        }
    }

    /// Exchanges messages with the hub until the kit is out of reach.
    private func converse(_ link: inout DeviceLink.Conversation, _ outlet: Outlet) async throws {
        try await link.subscribe(to: "command")
        let events = outlet.open()
        let speaker = link.speaker
        let isOut = try await withThrowingTaskGroup(of: Void.self) { group in
            let gone = Mutex(false)
            group.addTask {
                for await event in events {
                    guard case .notification(let bytes) = event else {
                        gone.withLock { $0 = true }
                        return await speaker.hangUp()
                    }
                    try await speaker.say("hit", bytes)
                }
            }
            group.addTask {
                while !Task.isCancelled {
                    try await Task.sleep(for: .seconds(Int(Self.keepAliveSeconds)) / 2)
                    try await speaker.ping()
                }
            }
            defer { group.cancelAll() }
            while let message = try await link.message() { player.take(.bytes(message)) }
            return gone.withLock { $0 }
        }
        guard isOut else { throw DeviceLink.Lost() }
    }
}
