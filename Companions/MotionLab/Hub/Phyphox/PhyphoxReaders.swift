import Foundation
import GRDB
import HubKit
import Localization
import MotionLabEngine
import ServiceLifecycle
import Storage
import Synchronization

/// Reads experiments on phones in the house while they go on, one request at a time to each phone.
final class PhyphoxReaders: Service {
    /// The limits of the readers, in number and time.
    struct Limits: Sendable {
        /// The most phones at once.
        var phones = 4
        /// The time for which one is read, until somebody connects it again.
        var duration = Duration.seconds(2 * 3_600)
        /// The time between one round of requests and the next.
        var pause = Duration.milliseconds(500)
        /// The number of failures in a row after which a phone is given up.
        var failures = 20
    }

    /// The state of the reading of one phone.
    struct Status: Sendable {
        var household: String
        var address: String
        /// The title of the experiment, as phyphox says it.
        var title: String
        /// The sensors, as `SensorKind` names them.
        var sensors: [String]
        var isMeasuring = false
        /// The number of samples that were stored since it was connected.
        var samples = 0
        /// The words about what is wrong now; nil for nothing.
        var trouble: LocalizedText?
        /// Whether it is read still.
        var isConnected = true
    }

    private struct Reader {
        var number: Int
        var status: Status
        var task: Task<Void, Never>?
    }

    private struct State {
        var readers: [String: Reader] = [:]
        var next = 0
    }

    let limits: Limits
    private let state = Mutex(State())

    init(limits: Limits = Limits()) { self.limits = limits }

    /// The state of each phone, by its device.
    func all(household: String) -> [String: Status] {
        state.withLock { state in
            state.readers.mapValues(\.status).filter { $0.value.household == household }
        }
    }

    /// Reads a phone from now on, in place of what was read for it before.
    ///
    /// - Parameters:
    ///   - chosen: what is read of it, as `SensorKind` names it; nil for all.
    ///   - begins: whether the measurement is started as well.
    /// - Throws: a problem in words where nothing can be read.
    func start(
        _ link: PhyphoxLink, for device: DeviceRecord, chosen: Set<String>?, begins: Bool, of lab: MotionLab
    ) async throws -> Status {
        stop(device.id)
        let configuration = try await link.configuration()
        let known = Self.pollings(of: configuration)
        guard !known.isEmpty else { throw Problem.field("address", detail: PhyphoxText.noSensor) }
        let pollings = known.filter { chosen?.contains("\($0.kind.name)") ?? true }
        guard !pollings.isEmpty, pollings.count == chosen?.count ?? pollings.count else {
            throw Problem.field("sensors", detail: PhyphoxText.otherSensors)
        }
        // Where it would not, somebody presses it on the phone.
        if begins { _ = try await link.control(.start) }
        let status = Status(
            household: device.household, address: link.address,
            title: String(decoding: configuration.title.prefix(120), as: UTF8.self).withoutUnseenCharacters,
            sensors: pollings.map { "\($0.kind.name)" })
        let number = try state.withLock { state throws(Problem) -> Int in
            guard state.readers.values.count(where: { $0.status.isConnected }) < limits.phones else {
                throw Problem(
                    .conflict, "Too many phones",
                    "The hub reads at most \(limits.phones) phones at once. Stop one first.")
            }
            state.next += 1
            state.readers[device.id] = Reader(number: state.next, status: status)
            return state.next
        }
        let task = Task { await self.read(link, pollings, for: device, of: lab, number) }
        state.withLock { state in
            guard state.readers[device.id]?.number == number else { return task.cancel() }
            state.readers[device.id]?.task = task
        }
        return status
    }

    /// The parts of an experiment that can be read: of each sensor the first.
    static func pollings(of configuration: PhyphoxConfiguration) -> [PhyphoxPolling] {
        var kinds: Set<SensorKind> = []
        return configuration.inputs.compactMap { PhyphoxPolling($0) }.filter { kinds.insert($0.kind).inserted }
    }

    /// Reads it no longer.
    ///
    /// - Returns: what was read; nil for nothing.
    @discardableResult
    func stop(_ device: String) -> Status? {
        let reader = state.withLock { $0.readers.removeValue(forKey: device) }
        reader?.task?.cancel()
        return reader?.status
    }

    /// Runs until graceful shutdown.
    func run() async throws {
        try? await gracefulShutdown()
        let devices = state.withLock { Array($0.readers.keys) }
        for device in devices { stop(device) }
    }

    private func change(_ device: String, _ number: Int, _ change: (inout Status) -> Void) {
        state.withLock { state in
            guard state.readers[device]?.number == number, var status = state.readers[device]?.status else { return }
            change(&status)
            state.readers[device]?.status = status
        }
    }

    private func read(
        _ link: PhyphoxLink, _ pollings: [PhyphoxPolling], for device: DeviceRecord, of lab: MotionLab, _ number: Int
    ) async {
        var run = PhyphoxRun(pollings)
        var failures = 0
        let end = ContinuousClock.now + limits.duration
        while !Task.isCancelled, ContinuousClock.now < end, failures < limits.failures {
            do {
                for place in run.pollings.indices {
                    let answer = try await link.values(run.pollings[place].path)
                    guard !Task.isCancelled else { return }
                    let push = run.take(answer, of: place, now: lab.hub.clock.now())
                    change(device.id, number) { status in
                        status.isMeasuring = answer.isMeasuring
                        status.trouble = nil
                    }
                    guard let push else { continue }
                    try await lab.queue.add(push, of: device) { push, device, db in try lab.store(push, of: device, db)
                    }
                    change(device.id, number) { $0.samples += push.blocks.reduce(0) { $0 + $1.block.count } }
                }
                failures = 0
            } catch is CancellationError {
                return
            } catch {
                failures += 1
                change(device.id, number) { status in
                    status.isMeasuring = false
                    status.trouble = (error as? Problem)?.detail ?? PhyphoxText.unreachable
                }
            }
            try? await Task.sleep(for: limits.pause)
        }
        change(device.id, number) { $0.isConnected = false }
    }
}

/// A phone's experiment, answer by answer, made into what is stored.
struct PhyphoxRun: Sendable {
    var pollings: [PhyphoxPolling]
    /// The moment of the experiment's time nought, UTC microseconds by the hub's clock; nil before the first sample of
    /// a run.
    private var origin: Int64?
    private var session = ""

    init(_ pollings: [PhyphoxPolling]) { self.pollings = pollings }

    /// Takes the samples of an answer.
    ///
    /// - Parameters:
    ///   - place: of the sensor that was asked for.
    ///   - now: UTC milliseconds.
    /// - Returns: nil for nothing new.
    mutating func take(_ answer: PhyphoxValues, of place: Int, now: Int64) -> SensorLoggerPush? {
        let batch = pollings[place].handle(answer)
        let session = String(decoding: answer.session.prefix(60), as: UTF8.self)
        if session != self.session {
            self.session = session
            origin = nil
        }
        guard let last = batch.samples.last, last.seconds.magnitude <= PhyphoxPolling.mostSeconds else { return nil }
        // phyphox says the time within the experiment: the newest sample is of just now.
        let start = origin ?? now * 1_000 - Int64((last.seconds * 1_000_000).rounded())
        origin = start
        var collector = SampleCollector(kind: pollings[place].kind)
        for sample in batch.samples {
            collector.add(sample.values.map { $0 }, at: start + Int64((sample.seconds * 1_000_000).rounded()))
        }
        let blocks = collector.takeBlocks(gap: .max)
        guard !blocks.isEmpty else { return nil }
        return SensorLoggerPush(
            session: "phyphox \(session) \(start)", source: .phyphox,
            blocks: blocks.map { (pollings[place].kind, $0) }, refused: batch.incomplete + collector.report.refused)
    }
}
