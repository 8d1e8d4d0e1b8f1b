import HubKit
import ServiceLifecycle
import Storage

/// Seals readings that are some days old, a while after the hub has started and each hour, until graceful shutdown.
public struct SealingService: Service {
    private let hub: Hub

    /// After the start: whoever waits for the hub comes first.
    private static let delay = Duration.seconds(60)
    /// Between two times. A day has more to seal but once, after midnight (UTC).
    private static let pause = Duration.seconds(3_600)

    public init(hub: Hub) { self.hub = hub }

    public func run() async throws {
        await cancelWhenGracefulShutdown {
            var pause = Self.delay
            while (try? await Task.sleep(for: pause)) != nil {
                await seal()
                pause = Self.pause
            }
        }
    }

    /// Once. What goes wrong is logged, and tried again the next time.
    func seal() async {
        let sealing = Sealing(
            hub.database, olderThanDays: hub.settings.sealAfterDays, now: hub.clock.now(), isPatient: true)
        do {
            let done = try await sealing.seal()
            if done.readings > 0 {
                hub.log.info(
                    "old readings were sealed",
                    metadata: ["readings": "\(done.readings)", "series": "\(done.allSeries)"])
            }
            try await sealing.giveBack()
        } catch is CancellationError {
            return
        } catch {
            hub.storage.failed(error)
            hub.log.error("old readings could not be sealed", metadata: ["reason": "\(error)"])
        }
    }
}
