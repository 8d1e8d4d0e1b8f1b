import Backups
import Foundation
import HubKit
import Localization
import NIOPosix
import ServiceLifecycle
import Storage
import Synchronization

/// A service that makes archives when an adult requests them, of all that the household has or of what is kept of one person: in
/// the background, one after the other, to be downloaded within a day.
public struct Archives: Service {
    /// Whose data an archive has.
    enum Subject: Hashable, Sendable {
        /// All that the household has.
        case household
        /// What is kept of the person with an id.
        case person(String)

        /// The id of the person; nil for the household.
        var person: String? { if case .person(let id) = self { id } else { nil } }
    }

    /// An archive that was asked for.
    private struct Request: Sendable {
        var subject: Subject
        var form: TableForm
    }

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
        let states = Mutex<[Subject: State]>([:])
        let companions = Mutex<[any Companion.Type]>([])
    }

    /// The time after which an archive is deleted, in milliseconds, since it contains everything.
    static let keptMilliseconds: Int64 = 86_400_000
    private static let pause = Duration.seconds(600)

    private let hub: HubContext
    private let box = Box()
    private let asked = AsyncStream.makeStream(of: Request.self)

    /// Creates the service.
    public init(hub: HubContext) { self.hub = hub }

    /// Sets the companions whose parts archives contain.
    public func install(_ companions: [any Companion.Type]) { box.companions.withLock { $0 = companions } }

    private static let extensionOfFiles = "zip"
    private static let personPrefix = "person-"

    private var folder: String { "\(hub.settings.dataFolder)/\(DataFolder.exports)" }

    /// The path of an archive below the data folder; backups leave it out.
    func path(of subject: Subject = .household) -> String {
        switch subject {
        case .household: "\(folder)/household.\(Self.extensionOfFiles)"
        case .person(let id): "\(folder)/\(Self.personPrefix)\(id).\(Self.extensionOfFiles)"
        }
    }

    func state(of subject: Subject = .household) -> State { box.states.withLock { $0[subject] ?? State() } }

    /// The archive that can be downloaded; nil if there is none.
    func kept(of subject: Subject = .household) -> Kept? {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path(of: subject)),
            let bytes = attributes[.size] as? Int, let date = attributes[.modificationDate] as? Date
        else { return nil }
        return Kept(at: Int64(date.timeIntervalSince1970 * 1_000), bytes: bytes)
    }

    /// Requests an archive, with tables in a form. One that is being made, or waits for its turn, is not requested again.
    func ask(of subject: Subject = .household, _ form: TableForm = .plain) {
        box.states.withLock { states in
            let before = states[subject] ?? State()
            guard before.progress == nil else { return }
            states[subject] = State(progress: ArchiveProgress(done: 0, total: 0), notice: before.notice)
            asked.continuation.yield(Request(subject: subject, form: form))
        }
    }

    /// Deletes an archive.
    func remove(of subject: Subject = .household) async {
        try? FileManager.default.removeItem(atPath: path(of: subject))
        await tell(subject)
    }

    /// Makes archives on request until graceful shutdown.
    public func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                group.addTask {
                    repeat { await removeOld() } while (try? await Task.sleep(for: Self.pause)) != nil
                }
                for await request in asked.stream { await make(of: request.subject, request.form) }
                group.cancelAll()
            }
        }
    }

    /// Deletes the archives whose day is over, and those of people who were removed.
    func removeOld() async {
        for subject in subjectsOfFiles() {
            guard let kept = kept(of: subject) else { continue }
            if hub.clock.now() - kept.at > Self.keptMilliseconds { await remove(of: subject) }
            guard let id = subject.person else { continue }
            let isHere = try? await hub.database.pool.read { db in try PersonRecord.fetchOne(db, key: id) != nil }
            if isHere == false { await remove(of: subject) }
        }
    }

    private func subjectsOfFiles() -> [Subject] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return [.household]
            + names.filter { $0.hasPrefix(Self.personPrefix) && $0.hasSuffix(".\(Self.extensionOfFiles)") }.map {
                .person(String($0.dropFirst(Self.personPrefix.count).dropLast(Self.extensionOfFiles.count + 1)))
            }
    }

    func make(of subject: Subject = .household, _ form: TableForm = .plain) async {
        await tell(subject)
        var problem: LocalizedText?
        // The one that was there before stays until another is whole.
        var notice = state(of: subject).notice
        let path = path(of: subject)
        do {
            let (database, settings, now) = (hub.database, hub.settings, hub.clock.now())
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
                        of: subject.person, form: form, now: now
                    ) { progress in
                        if isStopped.value.withLock({ $0 }) { throw CancellationError() }
                        continuation.yield(progress)
                    }
                }
                for await progress in reports {
                    let isNews = box.states.withLock { states in
                        // A page hears of each hundredth.
                        let before = states[subject]?.progress.map { $0.total > 0 ? $0.done * 100 / $0.total : -1 }
                        states[subject, default: State()].progress = progress
                        return before != (progress.total > 0 ? progress.done * 100 / progress.total : -1)
                    }
                    if isNews { await tell(subject) }
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
        box.states.withLock { [problem, notice] states in
            states[subject] = State(problem: problem, notice: notice)
        }
        await tell(subject)
    }

    private final class Stopped: Sendable { let value = Mutex(false) }

    private func tell(_ subject: Subject) async {
        guard let household = try? await hub.household() else { return }
        hub.live.publish(
            .changed(companion: "hub", what: "archive", id: subject.person ?? ""), household: household.id)
    }
}
