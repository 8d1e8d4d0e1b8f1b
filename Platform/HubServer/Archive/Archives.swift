import Foundation
import HubKit
import Localization
import NIOPosix
import ServiceLifecycle
import Storage
import Synchronization

/// The archive of all that the household has, which an adult asks for in the page: made in the background, held for a day, and
/// downloaded.
public struct Archives: Service {
    /// One that is whole.
    struct Kept: Sendable, Equatable {
        /// When it was made, UTC milliseconds.
        var at: Int64
        var bytes: Int
    }

    /// How it stands.
    struct State: Sendable {
        var progress: ArchiveProgress?
        /// Why the newest try came to nothing; nil where it came to something.
        var problem: LocalizedText?
    }

    private final class Box: Sendable {
        let value = Mutex(State())
        let companions = Mutex<[any Companion.Type]>([])
    }

    /// One that nobody wants any more is removed after this, milliseconds: it holds all that there is.
    static let keptMilliseconds: Int64 = 86_400_000
    private static let pause = Duration.seconds(600)

    private let hub: Hub
    private let box = Box()
    private let asked = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    init(hub: Hub) { self.hub = hub }

    /// From now on an archive has the parts of these.
    func install(_ companions: [any Companion.Type]) { box.companions.withLock { $0 = companions } }

    /// Below the data folder; backups leave it out.
    var path: String { "\(hub.settings.dataFolder)/\(DataFolder.exports)/household.zip" }

    var state: State { box.value.withLock { $0 } }

    /// The one that is there.
    func kept() -> Kept? {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
            let bytes = attributes[.size] as? Int, let date = attributes[.modificationDate] as? Date
        else { return nil }
        return Kept(at: Int64(date.timeIntervalSince1970 * 1_000), bytes: bytes)
    }

    /// Asks the service for one now.
    func ask() {
        box.value.withLock { state in
            guard state.progress == nil else { return }
            state = State(progress: ArchiveProgress(done: 0, total: 0))
            asked.continuation.yield()
        }
    }

    /// Removes the one that is there.
    func remove() async {
        try? FileManager.default.removeItem(atPath: path)
        await tell()
    }

    public func run() async throws {
        try? FileManager.default.removeItem(atPath: path + ".part")
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                group.addTask {
                    repeat { await removeOld() } while (try? await Task.sleep(for: Self.pause)) != nil
                }
                for await _ in asked.stream { await make() }
                group.cancelAll()
            }
        }
    }

    func removeOld() async {
        guard let kept = kept(), hub.clock.now() - kept.at > Self.keptMilliseconds else { return }
        await remove()
    }

    func make() async {
        await tell()
        var problem: LocalizedText?
        do {
            let (database, settings, now, path) = (hub.database, hub.settings, hub.clock.now(), path)
            let companions = box.companions.withLock { $0 }
            try BackupFile.makeFolder((path as NSString).deletingLastPathComponent)
            let (reports, continuation) = AsyncStream.makeStream(
                of: ArchiveProgress.self, bufferingPolicy: .bufferingNewest(1))
            let isStopped = Stopped()
            try await withTaskCancellationHandler {
                async let work = NIOThreadPool.singleton.runIfActive {
                    defer { continuation.finish() }
                    return try ArchiveExport.write(
                        database, in: DataFolder(path: settings.dataFolder), companions: companions, to: path,
                        now: now
                    ) { progress in
                        if isStopped.value.withLock({ $0 }) { throw CancellationError() }
                        continuation.yield(progress)
                    }
                }
                for await progress in reports {
                    let isNews = box.value.withLock { state in
                        // A page hears of each hundredth.
                        let before = state.progress.map { $0.total > 0 ? $0.done * 100 / $0.total : -1 }
                        state.progress = progress
                        return before != (progress.total > 0 ? progress.done * 100 / progress.total : -1)
                    }
                    if isNews { await tell() }
                }
                let made = try await work
                hub.log.info("an archive was made", metadata: ["rows": "\(made.rows)", "readings": "\(made.readings)"])
            } onCancel: {
                isStopped.value.withLock { $0 = true }
            }
        } catch {
            let reason = (error as? ArchiveError ?? .notWritable(path)).words
            problem = reason
            hub.log.error("no archive was made", metadata: ["reason": "\(reason.english)"])
        }
        box.value.withLock { [problem] state in state = State(problem: problem) }
        await tell()
    }

    private final class Stopped: Sendable { let value = Mutex(false) }

    private func tell() async {
        guard let household = try? await hub.household() else { return }
        hub.live.tell(.changed(companion: "hub", what: "archive", id: ""), household: household.id)
    }
}
