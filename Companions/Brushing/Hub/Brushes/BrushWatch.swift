import HubKit
import ServiceLifecycle

/// The service that lets time pass for toothbrushes that are not heard any more.
struct BrushWatch: Service {
    let brushes: Brushes

    private static let interval = Duration.seconds(10)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: Self.interval)) != nil { await brushes.timePassed() }
        }
    }
}
