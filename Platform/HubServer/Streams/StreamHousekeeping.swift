import GRDB
import HubKit
import ServiceLifecycle
import Storage

extension HubApp {
    /// - Parameter now: UTC milliseconds.
    /// - Returns: UTC microseconds.
    private static func daysBefore(_ now: Int64, _ days: Int) -> Int64 { (now - Int64(days) * 86_400_000) * 1_000 }

    /// Removes samples and summaries that are older than what companions declare to keep.
    func expireStreams() async throws {
        let now = hub.clock.now()
        for companion in companions {
            for kind in type(of: companion).deviceKinds {
                for declared in kind.streams where declared.retention != StreamRetention() {
                    let samplesBefore = declared.retention.sampleDays.map { Self.daysBefore(now, $0) }
                    let summariesBefore = declared.retention.summaryDays.map { Self.daysBefore(now, $0) }
                    try await hub.database.pool.write { db in
                        for stream in try db.streams(named: declared.name, ofKind: kind.name) {
                            try db.expire(
                                stream, samplesBefore: samplesBefore, summariesBefore: summariesBefore)
                        }
                    }
                }
            }
        }
    }
}

/// Removes old samples when the hub starts and some times a day, until graceful shutdown.
public struct StreamHousekeeping: Service {
    private let app: HubApp

    /// Between two times.
    static let pause = Duration.seconds(6 * 3_600)

    public init(app: HubApp) { self.app = app }

    public func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    try await app.expireStreams()
                } catch is CancellationError {
                    return
                } catch {
                    app.hub.log.error("old samples could not be removed", metadata: ["reason": "\(error)"])
                }
                try? await Task.sleep(for: Self.pause)
            }
        }
    }
}
