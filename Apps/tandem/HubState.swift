import Backups
import Diagnosis
import Foundation
import HubKit
import HubServer
import Storage
import TLS

/// The findings of `tandem doctor` for which the hub's own parts are asked: its folder, authority, database and screens.
enum HubState {
    /// Whether a hub holds a data folder, and whether the disk's locks would keep a second one out.
    static func holder(_ folder: String) -> (isRunning: Bool, findings: [Finding]) {
        switch DataFolder.holder(of: folder) {
        case .nobody: (false, [.well("hub", "No hub is running on \(folder).")])
        case .hub: (true, [.well("hub", "A hub is running on \(folder).")])
        case .hubWithoutLock(let process, let host):
            (
                true,
                [
                    .well("hub", "A hub is running on \(folder)."),
                    .fault(
                        "locks",
                        "The disk’s locks keep nobody out: a hub (process \(process) on \(host)) has \(folder), and its lock could be taken all the same.",
                        "Copy the folder to a disk of this machine and start with --data there."),
                ]
            )
        case .unknown(let reason):
            (
                false,
                [
                    .fault(
                        "hub",
                        "Whether a hub is running on \(folder) cannot be told: its file tandem.lock cannot be opened (\(reason)).",
                        "Ask again as the hub’s user or as root, such as with: sudo tandem doctor --data \(folder.quoted)"
                    )
                ]
            )
        case .noLocks(let reason):
            (
                false,
                [
                    .well("hub", "Whether a hub is running on \(folder) cannot be told."),
                    .fault(
                        "locks",
                        "The disk that holds \(folder) gives no locks (\(reason)), so that the hub does not start there.",
                        "Network disks do that where their lock service does not run. Copy the folder to a disk of this machine and start with --data there."
                    ),
                ]
            )
        }
    }

    /// Whether a backup waits to be taken over by the next start.
    static func restoration(_ folder: String) -> [Finding] {
        guard let path = Restoration.waiting(in: folder) else { return [] }
        return [
            .warning(
                "restore",
                "A backup waits in \(path): the next start takes it over, and moves what is there then aside.",
                "Stop the hub and start it. If the backup stays, its log says why. To give it up, delete that file: rm \(path.quoted)"
            )
        ]
    }

    /// The addresses for clients of original systems, who sign in with nothing.
    static func legacy(_ settings: HubSettings) -> [Finding] {
        settings.legacy.sorted().compactMap { slug in
            companions.first { $0.slug == slug }?.legacy.map {
                .well("legacy", Terminal.legacy(slug, $0, settings))
            }
        }
    }

    /// The files by which phones trust the hub.
    static func authority(_ settings: HubSettings) async -> Finding {
        let fresh = Finding.well(
            "authority", "There is no certificate authority yet; the first start with --lan makes it.")
        do {
            if let authority = try AuthorityFolder(dataFolder: settings.dataFolder).load(now: Date()) {
                return .well("authority", "The certificate authority is whole, fingerprint \(authority.fingerprint).")
            }
            guard FileManager.default.fileExists(atPath: settings.dataFolder + "/tandem.sqlite") else { return fresh }
            let hub = try HubContext(settings: settings, log: Log.quiet)
            guard let remembered = try await hub.settingsStore.get(.authorityFingerprint) else { return fresh }
            throw AuthorityError.gone(
                folder: AuthorityFolder(dataFolder: settings.dataFolder).path, remembered: remembered)
        } catch {
            return .fault("authority", "\(error)")
        }
    }

    /// Whether passwords' hashes, children's data and keys are for the hub's user alone.
    static func files(_ folder: String) -> [Finding] {
        guard FileManager.default.fileExists(atPath: folder), let exposed = try? DataFolder(path: folder).exposed()
        else {
            return []
        }
        guard !exposed.isEmpty else { return [.well("files", "What is in \(folder) is for its owner alone.")] }
        let paths = exposed.map(\.quoted).joined(separator: " ")
        return [
            .fault(
                "files", "Other users of this machine can read what the hub stores.",
                "Take that away with: chmod go-rwx \(paths)")
        ]
    }

    /// Whether the database is whole, page by page, and the time of its newest reading.
    static func database(_ settings: HubSettings) -> (finding: Finding, newestReading: Int64?) {
        let path = settings.dataFolder + "/tandem.sqlite"
        let sqlite = "SQLite \(HubDatabase.sqliteVersion)"
        guard FileManager.default.fileExists(atPath: path) else {
            return (.well("database", "There is no database yet; the first start makes it, with \(sqlite)."), nil)
        }
        do {
            let hub = try HubContext(settings: settings, log: Log.quiet)
            let problems = try hub.database.integrityProblems()
            guard problems.isEmpty else {
                return (
                    .fault(
                        "database", "The database is damaged (\(problems[0])).",
                        "Stop the hub, move the file away and restore a backup: tandem restore."), nil
                )
            }
            let (newest, difference) = try hub.database.pool.read { db in
                (
                    try db.latestReadings().map(\.reading.at).max(),
                    try HubDatabase.schemaDifference(of: db, migrations: Registry.migrations)
                )
            }
            if let difference {
                return (
                    .warning(
                        "database", "The database is whole, but it has \(difference).",
                        "A backup of it would be refused by `tandem restore`: "
                            + (difference.removal.map {
                                "stop the hub and take that back with: sqlite3 \(path.quoted) \($0.quoted)"
                            } ?? "take back what was changed by hand.")),
                    newest
                )
            }
            return (
                .well("database", "The database is whole, \(try hub.database.bytes() >> 20) MB, with \(sqlite)."),
                newest
            )
        } catch {
            return (.fault("database", "\(error)"), nil)
        }
    }

    /// Whether the screens are found.
    static func screens(_ named: String?) -> Finding {
        guard let path = WebFolder.find(named: named) else {
            return .fault("screens", "The screens were not found.", "Run `make web`, or name them with --web.")
        }
        do {
            return .well("screens", "The screens are in \(path), build \(try WebFolder(path: path).build).")
        } catch {
            return .fault("screens", "\(error)")
        }
    }
}
