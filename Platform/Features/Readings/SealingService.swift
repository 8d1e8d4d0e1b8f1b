import HubKit
import ServiceLifecycle
import Storage

/// A service that seals readings that are some days old, a while after the hub has started and then every hour, until
/// graceful shutdown.
public struct SealingService: Service {
    private let hub: HubContext

    /// The pause after the start, which serves waiting people first.
    private static let delay = Duration.seconds(60)
    /// The pause between two runs. There is new work only once a day, after midnight (UTC).
    private static let pause = Duration.seconds(3_600)

    /// Creates the service.
    public init(hub: HubContext) { self.hub = hub }

    /// Runs until graceful shutdown.
    public func run() async throws {
        await cancelWhenGracefulShutdown {
            var pause = Self.delay
            while (try? await Task.sleep(for: pause)) != nil {
                await seal()
                pause = Self.pause
            }
        }
    }

    /// Seals once. Errors are logged, and it is tried again the next time.
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
