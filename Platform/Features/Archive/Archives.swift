import Backups
import Foundation
import HubKit
import Localization
import NIOPosix
import ServiceLifecycle
import Storage
import Synchronization

/// A service that makes the archive of a household's data when an adult requests it: in the background, to be
/// downloaded within a day.
public struct Archives: Service {
    /// A complete archive.
    struct Kept: Sendable, Equatable {
        /// The time at which it was made, in UTC milliseconds.
        var at: Int64
        var bytes: Int
    }

    /// The state of the service.
    struct State: Sendable {
        var progress: ArchiveProgress?
        /// The reason why the last attempt failed; nil if it did not.
        var problem: LocalizedText?
        /// A note about the newest archive.
        var notice: LocalizedText?
    }

    private final class Box: Sendable {
        let value = Mutex(State())
        let companions = Mutex<[any Companion.Type]>([])
    }

    /// The time after which an archive is deleted, in milliseconds, since it contains everything.
    static let keptMilliseconds: Int64 = 86_400_000
    private static let pause = Duration.seconds(600)

    private let hub: HubContext
    private let box = Box()
    private let asked = AsyncStream.makeStream(of: TableForm.self, bufferingPolicy: .bufferingNewest(1))

    /// Creates the service.
    public init(hub: HubContext) { self.hub = hub }

    /// Sets the companions whose parts archives contain.
    public func install(_ companions: [any Companion.Type]) { box.companions.withLock { $0 = companions } }

    /// The path of the archive below the data folder; backups leave it out.
    var path: String { "\(hub.settings.dataFolder)/\(DataFolder.exports)/household.zip" }

    var state: State { box.value.withLock { $0 } }

    /// The archive that can be downloaded; nil if there is none.
    func kept() -> Kept? {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
            let bytes = attributes[.size] as? Int, let date = attributes[.modificationDate] as? Date
        else { return nil }
        return Kept(at: Int64(date.timeIntervalSince1970 * 1_000), bytes: bytes)
    }

    /// Requests an archive, with tables in a form.
    func ask(_ form: TableForm = .plain) {
        box.value.withLock { state in
            guard state.progress == nil else { return }
            state = State(progress: ArchiveProgress(done: 0, total: 0), notice: state.notice)
            asked.continuation.yield(form)
        }
    }

    /// Deletes the archive.
    func remove() async {
        try? FileManager.default.removeItem(atPath: path)
        await tell()
    }

    /// Makes archives on request until graceful shutdown.
    public func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                group.addTask {
                    repeat { await removeOld() } while (try? await Task.sleep(for: Self.pause)) != nil
                }
                for await form in asked.stream { await make(form) }
                group.cancelAll()
            }
        }
    }

    func removeOld() async {
        guard let kept = kept(), hub.clock.now() - kept.at > Self.keptMilliseconds else { return }
        await remove()
    }

    func make(_ form: TableForm = .plain) async {
        await tell()
        var problem: LocalizedText?
        // The one that was there before stays until another is whole.
        var notice = state.notice
        do {
            let (database, settings, now, path) = (hub.database, hub.settings, hub.clock.now(), path)
            let companions = box.companions.withLock { $0 }
            try DurableFiles.makeFolder((path as NSString).deletingLastPathComponent)
            let (reports, continuation) = AsyncStream.makeStream(
                of: ArchiveProgress.self, bufferingPolicy: .bufferingNewest(1))
            let isStopped = Stopped()
            let made: ArchiveSummary = try await withTaskCancellationHandler {
                async let work = NIOThreadPool.singleton.runIfActive {
                    defer { continuation.finish() }
                    return try ArchiveExport.write(
                        database, in: DataFolder(path: settings.dataFolder), companions: companions, to: path,
                        form: form, now: now
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
                return try await work
            } onCancel: {
                isStopped.value.withLock { $0 = true }
            }
            hub.log.info("an archive was made", metadata: ["rows": "\(made.rows)", "readings": "\(made.readings)"])
            notice =
                made.damagedStretches > 0
                ? LocalizedText(
                    "Some readings are damaged on the hub’s disk, and are not in the file; its README says which. A backup from before has them."
                ) : nil
        } catch is CancellationError {
            hub.log.debug("the hub stops before an archive is made")
        } catch ArchiveError.cancelled {
            hub.log.debug("the hub stops while an archive is made")
        } catch {
            let reason: ArchiveError = error as? ArchiveError ?? .notWritable(path)
            problem = reason.words
            hub.log.error("no archive was made", metadata: ["reason": "\(reason)"])
        }
        box.value.withLock { [problem, notice] state in state = State(problem: problem, notice: notice) }
        await tell()
    }

    private final class Stopped: Sendable { let value = Mutex(false) }

    private func tell() async {
        guard let household = try? await hub.household() else { return }
        hub.live.publish(.changed(companion: "hub", what: "archive", id: ""), household: household.id)
    }
}
