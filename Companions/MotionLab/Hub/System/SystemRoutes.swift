import Foundation
import HubKit
import Synchronization

/// The route to what measuring costs the hub: the system view's part that no page can know.
struct SystemRoutes: Sendable {
    let lab: MotionLab

    private struct SystemResponse: Codable {
        /// The hub's time, UTC milliseconds.
        var at: Int64
        /// The number of processors of the hub's machine.
        var processors: Int
        /// The share of one processor that the hub's process used in `seconds`, by difference; nothing at the first
        /// question, and where the machine does not say.
        var cpuShare: Double?
        /// The part of that share that reading and storing the lab's samples took.
        var labShare: Double?
        /// The seconds over which the shares are.
        var seconds: Double?
        /// The bytes of main memory that are the hub's now; nothing where the machine does not say.
        var residentBytes: Int64?
        /// The processor's time that reading and storing the lab's samples took since the hub started.
        var labMicroseconds: Int64
    }

    /// The use at an instant.
    private struct Mark {
        var at: ContinuousClock.Instant
        var usage: ProcessUsage
        var labMicroseconds: Int64
    }

    /// The last differences are over a second at least: shorter ones are ticks of the kernel's clock, of ten
    /// milliseconds.
    private static let least = Duration.seconds(1)

    func add(to routes: Routes) {
        let marks = Mutex<[Mark]>([])
        routes.get(
            "/api/lab/system", .member,
            "What the hub’s process uses of its machine, and how much of it for the lab, since about a second ago."
        ) { request in
            var response = SystemResponse(
                at: request.hub.clock.now(), processors: ProcessInfo.processInfo.activeProcessorCount,
                labMicroseconds: lab.meter.microseconds)
            guard let usage = ProcessUsage.now() else { return try .json(response) }
            response.residentBytes = usage.residentBytes
            let now = Mark(at: ContinuousClock.now, usage: usage, labMicroseconds: response.labMicroseconds)
            let before = marks.withLock { marks in
                // The newest that is old enough, and those after it.
                let place = marks.lastIndex { now.at - $0.at >= Self.least }
                if let place { marks.removeFirst(place) }
                if marks.last.map({ now.at - $0.at >= Self.least / 4 }) ?? true { marks.append(now) }
                return place == nil ? nil : marks.first
            }
            if let before {
                let seconds = (now.at - before.at) / .seconds(1)
                response.seconds = seconds
                response.cpuShare =
                    Double(usage.cpuMicroseconds - before.usage.cpuMicroseconds) / seconds / 1_000_000
                response.labShare =
                    Double(now.labMicroseconds - before.labMicroseconds) / seconds / 1_000_000
            }
            return try .json(response)
        }
    }
}
