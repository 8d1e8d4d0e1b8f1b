import Foundation
import GRDB
import HubKit
import Localization
import NIOPosix
import ServiceLifecycle
import Storage
import Synchronization

/// The hub's own backups: one each night, kept by rotation, and one whenever an adult asks for it.
public struct Backups: Service {
    /// One of those that are kept.
    struct Kept: Sendable, Equatable {
        var name: String
        /// When it was made, UTC milliseconds.
        var at: Int64
        var bytes: Int
    }

    /// How it stands.
    final class State: Sendable {
        struct Value: Sendable {
            var isRunning = false
            /// Why the newest try came to nothing; nil where it came to something.
            var problem: LocalizedText?
        }
        let value = Mutex(Value())
    }

    /// The local minute of the night from which on a new day wants its backup.
    private static let minute: Int32 = 3 * 60
    /// Between two looks at the clock; the first comes later than what a start has to do.
    private static let pause = Duration.seconds(300)
    /// A backup older than this is worth a warning, milliseconds: two nights.
    static let oldMilliseconds: Int64 = 2 * 86_400_000 + 6 * 3_600_000
    /// What backups in the folder are called.
    private static let prefix = "tandem-"
    private static let suffix = ".backup"

    private let hub: Hub
    let state = State()
    private let asked = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    private let rotation = BackupRotation()

    init(hub: Hub) { self.hub = hub }

    /// Where they are kept.
    var folder: String { hub.settings.backupFolder ?? hub.settings.dataFolder + "/backups" }

    /// Asks the service for one now.
    func ask() { asked.continuation.yield() }

    public func run() async throws {
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

    /// Whether this night's is missing.
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

    /// Makes one, and takes away those that the rotation does not keep. What goes wrong is logged, and shown to adults.
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
            try BackupFile.makeFolder(folder)
            // Reading all of the database waits for the disk: not on the threads that answer requests.
            let backup = try await NIOThreadPool.singleton.runIfActive {
                try BackupFile.make(of: DataFolder(path: settings.dataFolder), to: file, now: now)
            }
            hub.log.info(
                "a backup was made", metadata: ["file": "\(backup.path)", "rows": "\(backup.rows)"])
            await rotate()
        } catch {
            let reason = (error as? BackupError ?? .notWritable(folder)).words
            problem = reason
            hub.log.error("no backup was made", metadata: ["reason": "\(reason.english)"])
        }
        state.value.withLock { [problem] value in value = State.Value(isRunning: false, problem: problem) }
        await tell()
    }

    /// Those that are there, the newest first.
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

    /// When a backup of that name was made: `tandem-2026-11-24T0300Z.backup`.
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
        hub.live.tell(.changed(companion: "hub", what: "backups", id: ""), household: household.id)
    }
}
