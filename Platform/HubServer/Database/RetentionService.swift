import GRDB
import HubKit
import ServiceLifecycle
import Storage

extension HubApplication {
    /// Removes data that is older than companions declare to store, in transactions of limited size between which
    /// others can write. Damaged sealed readings stay, and the log names them.
    func expire() async throws {
        for kind in companions.flatMap({ type(of: $0).deviceKinds }) {
            try await expireReadings(of: kind)
            for stream in kind.streams { try await expire(stream, of: kind) }
        }
        let before = hub.clock.now() - Reminders.eventRetentionMilliseconds
        try await hub.database.pool.write { db in
            try db.execute(cached: "DELETE FROM reminder_event WHERE at < ?", arguments: [before])
        }
    }

    private func expireReadings(of kind: DeviceKind) async throws {
        guard kind.retention != ReadingRetention() else { return }
        let readingsBefore = kind.retention.readingDays.map(daysAgo)
        let minutesBefore = kind.retention.minuteDays.map(daysAgo)
        for series in try await hub.database.pool.read({ db in try db.series(ofKind: kind.name) }) {
            var lookedAt = Int64.min
            var isMore = true
            while isMore {
                let piece = try await hub.database.pool.write { [lookedAt] db in
                    try db.expire(
                        series: series, readingsBefore: readingsBefore, minutesBefore: minutesBefore,
                        lookedAt: lookedAt)
                }
                (lookedAt, isMore) = (piece.lookedAt, piece.isMore)
                if let damage = piece.damage {
                    hub.log.error("old readings could not be removed", metadata: ["reason": "\(damage)"])
                }
            }
        }
    }

    private func expire(_ declared: SampleStream, of kind: DeviceKind) async throws {
        guard declared.retention != StreamRetention() else { return }
        let samplesBefore = declared.retention.sampleDays.map { daysAgo($0) * 1_000 }
        let summariesBefore = declared.retention.summaryDays.map { daysAgo($0) * 1_000 }
        let streams = try await hub.database.pool.read { db in
            try db.streams(named: declared.name, ofKind: kind.name)
        }
        for stream in streams {
            while try await hub.database.pool.write({ db in
                try db.expire(stream, samplesBefore: samplesBefore, summariesBefore: summariesBefore)
            }) {}
        }
    }

    /// The time some days ago, in UTC milliseconds, rounded down to a UTC day, since summaries of a day were made of
    /// all of it.
    private func daysAgo(_ days: Int) -> Int64 {
        let day = RollupSpan.day.rawValue
        return (hub.clock.now() - Int64(days) * day).floored(to: day)
    }
}

/// A service that removes data older than companions declare to store, when the hub starts and several times a day,
/// until graceful shutdown.
public struct RetentionService: Service {
    private let app: HubApplication

    /// The pause between two runs.
    static let pause = Duration.seconds(6 * 3_600)

    /// Creates the service.
    public init(app: HubApplication) { self.app = app }

    /// Runs until graceful shutdown.
    public func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    try await app.expire()
                } catch is CancellationError {
                    return
                } catch {
                    app.hub.log.error("what is old could not be removed", metadata: ["reason": "\(error)"])
                }
                try? await Task.sleep(for: Self.pause)
            }
        }
    }
}
