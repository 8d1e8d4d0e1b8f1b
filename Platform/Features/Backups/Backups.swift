import Foundation
import GRDB
import HubKit
import Localization
import NIOPosix
import ServiceLifecycle
import Storage
import Synchronization

/// A service that makes the hub's backups: one each night, kept by rotation, and one whenever an adult requests it.
public struct Backups: Service {
    /// A backup that is kept.
    struct Kept: Sendable, Equatable {
        var name: String
        /// The time at which it was made, in UTC milliseconds.
        var at: Int64
        var bytes: Int
    }

    /// The state of the service.
    final class State: Sendable {
        struct Value: Sendable {
            var isRunning = false
            /// The reason why the last attempt failed; nil if it did not.
            var problem: LocalizedText?
        }
        let value = Mutex(Value())
    }

    /// The time of night from which a backup is due, in minutes of the local day.
    private static let minute: Int32 = 3 * 60
    /// The pause between two checks of the clock; the first one comes after the work of a start.
    private static let pause = Duration.seconds(300)
    /// The age above which the newest backup deserves a warning, in milliseconds: two nights.
    static let oldMilliseconds: Int64 = 2 * 86_400_000 + 6 * 3_600_000
    /// The prefix of the names of backups.
    private static let prefix = "tandem-"
    private static let suffix = ".backup"

    private let hub: HubContext
    let state = State()
    private let asked = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    private let rotation = BackupRotation()

    /// Creates the service.
    public init(hub: HubContext) { self.hub = hub }

    /// The folder of the backups.
    var folder: String { hub.settings.backupFolder ?? hub.settings.dataFolder + "/backups" }

    /// Requests a backup.
    func ask() { asked.continuation.yield() }

    /// Makes backups until graceful shutdown.
    public func run() async throws {
        sweep()
        await cancelWhenGracefulShutdown {
            let (looks, continuation) = AsyncStream.makeStream(of: Bool.self)
            await withDiscardingTaskGroup { group in
                group.addTask { for await _ in asked.stream { continuation.yield(true) } }
                group.addTask {
                    while (try? await Task.sleep(for: Self.pause)) != nil { continuation.yield(false) }
                }
                for await isAsked in looks {
                    if isAsked { await make() } else if await isDue() { await make() }
                }
                group.cancelAll()
            }
        }
    }

    /// Removes what a process that was killed left of a backup, where the folder is on another disk than the data.
    func sweep() {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        where name.hasSuffix(".part") && Self.time(of: String(name.dropLast(5))) != nil {
            try? FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        }
    }

    /// Whether this night's backup is missing.
    func isDue() async -> Bool {
        guard hub.settings.backsUpNightly, let household = try? await hub.household(), !household.isDemo else {
            return false
        }
        let calendar = LocalCalendar(timeZone: TimeZone(identifier: household.timeZone) ?? .gmt)
        let moment = calendar.moment(of: hub.clock.now())
        let night = calendar.instant(
            day: moment.minute < Self.minute ? moment.day - 1 : moment.day, minute: Self.minute)
        return (kept().map(\.at).max() ?? .min) < night
    }

    /// Makes a backup, and deletes those that the rotation does not keep. Errors are logged, and shown to adults.
    func make() async {
        let began = state.value.withLock { value in
            defer { value.isRunning = true }
            return !value.isRunning
        }
        guard began else { return }
        await tell()
        var problem: LocalizedText?
        do {
            let (settings, folder, now) = (hub.settings, folder, hub.clock.now())
            let file = "\(folder)/\(Self.prefix)\(Restoration.name(of: now))\(Self.suffix)"
            try DurableFiles.makeFolder(folder)
            // Reading all of the database waits for the disk: not on the threads that answer requests.
            let backup = try await NIOThreadPool.singleton.runIfActive {
                try BackupFile.make(
                    of: DataFolder(path: settings.dataFolder), to: file, now: now, migrations: Registry.migrations)
            }
            if let refusal = backup.refusal {
                problem = refusal.words
                hub.log.error("a backup was made that could not be restored", metadata: ["reason": "\(refusal)"])
            } else {
                hub.log.info(
                    "a backup was made", metadata: ["file": "\(backup.path)", "rows": "\(backup.rows)"])
            }
            await rotate()
        } catch is CancellationError {
            hub.log.debug("the hub stops before a backup is made")
        } catch {
            let reason: BackupError = error as? BackupError ?? .notWritable(folder)
            problem = reason.words
            hub.log.error("no backup was made", metadata: ["reason": "\(reason)"])
        }
        state.value.withLock { [problem] value in value = State.Value(isRunning: false, problem: problem) }
        await tell()
    }

    /// The time of the newest backup, in UTC milliseconds; nil if there is none.
    public var newestAt: Int64? { kept().first?.at }

    /// The existing backups, newest first.
    func kept() -> [Kept] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.compactMap { name in
            guard let at = Self.time(of: name),
                let bytes = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")[.size] as? Int
            else { return nil }
            return Kept(name: name, at: at, bytes: bytes)
        }.sorted { $0.at > $1.at }
    }

    private func rotate() async {
        let zone = (try? await hub.household())?.flatMap { TimeZone(identifier: $0.timeZone) } ?? .gmt
        let all = kept()
        let wanted = rotation.kept(all.map(\.at), LocalCalendar(timeZone: zone))
        for one in all where !wanted.contains(one.at) {
            try? FileManager.default.removeItem(atPath: "\(folder)/\(one.name)")
        }
    }

    /// The time of a backup by its name, such as `tandem-2026-11-24T0300Z.backup`.
    static func time(of name: String) -> Int64? {
        guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return nil }
        let stamp = name.dropFirst(prefix.count).dropLast(suffix.count)
        guard stamp.utf8.count == 16, stamp.hasSuffix("Z"), let date = CivilDate(String(stamp.prefix(10))),
            stamp.dropFirst(10).first == "T", let clock = Int32(stamp.dropFirst(11).dropLast()), clock >= 0,
            clock / 100 < 24, clock % 100 < 60
        else { return nil }
        return LocalCalendar(timeZone: .gmt).instant(day: date.day, minute: clock / 100 * 60 + clock % 100)
    }

    private func tell() async {
        guard let household = try? await hub.household() else { return }
        hub.live.publish(.changed(companion: "hub", what: "backups", id: ""), household: household.id)
    }
}
