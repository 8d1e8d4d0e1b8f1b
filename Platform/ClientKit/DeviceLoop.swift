import ArgumentParser
import Foundation
import HubKit
import Synchronization
import UnixSignals

/// The main loop of a device: it measures at intervals, publishes, stores measurements while the hub cannot be reached,
/// and reconnects with growing pauses.
public struct DeviceLoop: Sendable {
    private let address: DeviceLink.Address
    private let interval: Duration
    private let topic: String

    /// The number of payloads that are stored; the oldest are dropped.
    static let mostStored = 10_000
    /// The time after which an idle connection sends a PINGREQ.
    private static let idle = Duration.seconds(30)

    /// Creates the loop.
    ///
    /// - Parameters:
    ///   - options: the hub's address and the device's token.
    ///   - interval: the pause between two measurements.
    ///   - topic: the topic for the measurements, below `tandem/<id>/`.
    /// - Throws: a `ValidationError` without a token.
    public init(_ options: DeviceOptions, interval: Duration, topic: String = "readings") throws {
        address = try options.address()
        self.interval = interval
        self.topic = topic
    }

    /// Runs until the process is ended by SIGTERM or SIGINT.
    ///
    /// - Parameter measure: returns a payload, or nil if there is nothing to send. It includes the time, so that it can
    ///   be sent later.
    /// - Throws: an exit code if trying again is of no use: the hub does not know the device.
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

    /// The measurements that were not acknowledged yet.
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
