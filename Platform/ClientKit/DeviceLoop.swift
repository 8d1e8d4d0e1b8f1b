import ArgumentParser
import Foundation
import HubKit
import Synchronization
import UnixSignals

/// Keeps a device's connection to a hub: measures at its pace, publishes, keeps what it measured while the hub is away,
/// and tries again, later each time.
public struct DeviceLoop: Sendable {
    private let address: DeviceLink.Address
    private let interval: Duration
    private let topic: String

    /// The most payloads that are stored; the oldest go first.
    static let mostStored = 10_000
    /// How long the connection may be idle before a sign of life.
    private static let idle = Duration.seconds(30)

    /// - Parameters:
    ///   - interval: the pause between two measurements.
    ///   - topic: where they are published, below `tandem/<id>/`.
    /// - Throws: a `ValidationError` without a token.
    public init(_ options: DeviceOptions, interval: Duration, topic: String = "readings") throws {
        address = try options.address()
        self.interval = interval
        self.topic = topic
    }

    /// Until the process is ended, by SIGTERM or SIGINT.
    ///
    /// - Parameter measure: the payload, or nil while there is nothing to say. It holds its
    ///   own time, so that it may be sent later.
    /// - Throws: an exit code where trying again is of no use: the hub does not know the device.
    public func run(_ measure: @escaping @Sendable () async -> String?) async throws {
        let backlog = Backlog()
        let (cues, cue) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                while true {
                    if let payload = await measure() { backlog.add(payload) }
                    cue.yield()
                    try await Task.sleep(for: interval)
                }
            }
            group.addTask {
                while true {
                    try await Task.sleep(for: Self.idle)
                    cue.yield()
                }
            }
            group.addTask { try await connect(cues, backlog) }
            group.addTask {
                for await _ in await UnixSignalsSequence(trapping: .sigterm, .sigint) { return }
            }
            try await group.next()
            group.cancelAll()
        }
    }

    private func connect(_ cues: AsyncStream<Void>, _ backlog: Backlog) async throws {
        try await DeviceLink.keepOpen(address) { link in
            for await _ in cues {
                let payloads = backlog.all
                guard !payloads.isEmpty else {
                    try await link.ping()
                    continue
                }
                try await link.publish(payloads.map { (topic, $0) })
                backlog.sent(payloads.count)
                for payload in payloads { print(payload) }
                fflush(nil)
            }
        }
    }

    /// What was measured and not yet acknowledged.
    private final class Backlog: Sendable {
        private let payloads = Mutex<[String]>([])

        var all: [String] { payloads.withLock { $0 } }

        func add(_ payload: String) {
            payloads.withLock { payloads in
                if payloads.count == DeviceLoop.mostStored { payloads.removeFirst() }
                payloads.append(payload)
            }
        }

        func sent(_ count: Int) { payloads.withLock { $0.removeFirst(min(count, $0.count)) } }
    }
}
