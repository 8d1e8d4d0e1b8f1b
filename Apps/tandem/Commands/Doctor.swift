import ArgumentParser
import Foundation
import HubKit
import HubServer
import NIOCore
import NIOPosix
import Storage
import TLS

/// `tandem doctor`
struct Doctor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Looks at ports, disk, database, clock and screens, and says what to do.",
        discussion: """
            Exits with 1 when something needs you.

            Example:
              tandem doctor --data /var/lib/tandem --port 8080
              tandem doctor --data /var/lib/tandem --lan
            """)

    @OptionGroup var options: ServeOptions

    /// Less than this and a hub soon stores nothing more.
    private static let leastFreeBytes = 200 << 20

    func run() async throws {
        let (settings, web, _) = try await options.settings()
        try DataFolder.checkOwner(of: settings.dataFolder)
        var findings: [Finding] = []
        let isRunning = Self.isRunning(settings.dataFolder)
        findings.append(
            isRunning
                ? Finding(isFine: true, "A hub is running on \(settings.dataFolder).")
                : Finding(isFine: true, "No hub is running on \(settings.dataFolder)."))
        if !isRunning {
            findings.append(await Self.port(settings.port, host: settings.host, flag: "--port"))
            findings.append(await Self.port(settings.mqttPort, host: settings.host, flag: "--mqtt-port"))
            if let legacyHost = settings.legacyHost {
                findings.append(await Self.port(settings.legacyPort, host: legacyHost, flag: "--legacy-port"))
            }
            if let lan = settings.lan {
                findings.append(await Self.port(lan.httpsPort, host: "0.0.0.0", flag: "--https-port"))
                findings.append(await Self.port(lan.mqttsPort, host: "0.0.0.0", flag: "--mqtts-port"))
            }
        }
        if settings.lan != nil, settings.lan?.ownCertificate == nil {
            findings.append(await Self.authority(settings))
            findings.append(Self.announcer())
        }
        findings += Self.legacy(settings)
        findings.append(Self.disk(settings.dataFolder))
        findings += Self.files(settings.dataFolder)
        findings += Self.database(settings)
        findings.append(Self.screens(web))
        for finding in findings { print("\(finding.isFine ? "✓" : "✗") \(finding.words)") }
        if findings.contains(where: { !$0.isFine }) { throw ExitCode.failure }
    }

    private struct Finding {
        var isFine: Bool
        var words: String

        init(isFine: Bool, _ words: String) {
            self.isFine = isFine
            self.words = words
        }
    }

    private static func isRunning(_ folder: String) -> Bool {
        guard FileManager.default.fileExists(atPath: folder + "/tandem.lock") else { return false }
        return (try? DataFolder(path: folder).lock()) == nil
    }

    private static func port(_ port: Int, host: String, flag: String) async -> Finding {
        do {
            let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .bind(host: host, port: port).get()
            try await channel.close()
            return Finding(isFine: true, "Port \(port) is free.")
        } catch {
            return Finding(
                isFine: false,
                "Port \(port) on \(host) cannot be used: another program has it, or it needs more rights. Choose another with \(flag)."
            )
        }
    }

    /// Where the clients of original systems come to, who sign in with nothing.
    private static func legacy(_ settings: HubSettings) -> [Finding] {
        settings.legacy.sorted().compactMap { slug in
            companions.first { $0.slug == slug }?.legacy.map {
                Finding(isFine: true, Terminal.legacy(slug, $0, settings))
            }
        }
    }

    /// The files by which phones trust the hub.
    private static func authority(_ settings: HubSettings) async -> Finding {
        let fresh = Finding(isFine: true, "There is no certificate authority yet; the first start with --lan makes it.")
        do {
            if let authority = try AuthorityFolder(dataFolder: settings.dataFolder).load(now: Date()) {
                return Finding(
                    isFine: true, "The certificate authority is whole, fingerprint \(authority.fingerprint).")
            }
            guard FileManager.default.fileExists(atPath: settings.dataFolder + "/tandem.sqlite") else { return fresh }
            let hub = try Hub(settings: settings, log: Log.quiet)
            guard let remembered = try await hub.settingsStore.get(.authorityFingerprint) else { return fresh }
            throw AuthorityError.gone(
                folder: AuthorityFolder(dataFolder: settings.dataFolder).path, remembered: remembered)
        } catch {
            return Finding(isFine: false, "\(error)")
        }
    }

    /// Whether phones can find the hub by its name.
    private static func announcer() -> Finding {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":")
        guard folders.contains(where: { FileManager.default.isExecutableFile(atPath: "\($0)/avahi-publish") }) else {
            return Finding(
                isFine: false,
                "Avahi is not installed, so that nothing announces the hub’s name: apt-get install avahi-daemon avahi-utils"
            )
        }
        return Finding(isFine: true, "Avahi’s programs are installed.")
    }

    /// Whether passwords' hashes, children's data and keys are for the hub's user alone.
    private static func files(_ folder: String) -> [Finding] {
        guard FileManager.default.fileExists(atPath: folder), let exposed = try? DataFolder(path: folder).exposed()
        else {
            return []
        }
        guard !exposed.isEmpty else { return [Finding(isFine: true, "What is in \(folder) is for its owner alone.")] }
        let paths = exposed.map(\.quoted).joined(separator: " ")
        return [
            Finding(
                isFine: false,
                "Other users of this machine can read what the hub stores. Take that away with: chmod go-rwx \(paths)")
        ]
    }

    private static func disk(_ folder: String) -> Finding {
        var path = URL(fileURLWithPath: folder).standardizedFileURL
        while !FileManager.default.fileExists(atPath: path.path), path.path != "/" { path.deleteLastPathComponent() }
        guard let attributes = try? FileManager.default.attributesOfFileSystem(forPath: path.path),
            let free = (attributes[.systemFreeSize] as? NSNumber)?.intValue
        else {
            return Finding(isFine: false, "The disk of \(folder) cannot be looked at. Check that the folder is yours.")
        }
        let words = "The disk of \(folder) has \(free >> 20) MB free."
        return free >= leastFreeBytes
            ? Finding(isFine: true, words)
            : Finding(isFine: false, words + " Free some, or the hub will soon store nothing more.")
    }

    private static func database(_ settings: HubSettings) -> [Finding] {
        let path = settings.dataFolder + "/tandem.sqlite"
        guard FileManager.default.fileExists(atPath: path) else {
            return [Finding(isFine: true, "There is no database yet; the first start makes it.")]
        }
        do {
            let hub = try Hub(settings: settings, log: Log.quiet)
            let problems = try hub.database.integrityProblems()
            guard problems.isEmpty else {
                return [
                    Finding(
                        isFine: false,
                        "The database is damaged (\(problems[0])). Stop the hub, move the file away and restore a copy."
                    )
                ]
            }
            let newest = try hub.database.pool.read { db in
                try db.latestReadings().map(\.reading.at).max()
            }
            return [
                Finding(isFine: true, "The database is whole, \(try hub.database.bytes() >> 20) MB."),
                clock(hub.clock.now(), newest: newest),
            ]
        } catch {
            return [Finding(isFine: false, "\(error)")]
        }
    }

    /// A clock that has stood still or jumped shows against what it was when the newest reading came.
    private static func clock(_ now: Int64, newest: Int64?) -> Finding {
        let year = Calendar(identifier: .gregorian).component(.year, from: Date(milliseconds: now))
        guard (2026...2100).contains(year) else {
            return Finding(
                isFine: false, "The clock says it is the year \(year). Set it, or let the system fetch the time.")
        }
        if let newest, newest > now + 60_000 {
            let minutes = (newest - now) / 60_000
            return Finding(
                isFine: false,
                "The newest reading lies \(minutes) minutes in the future: the clock was or is wrong. Check `date`.")
        }
        return Finding(isFine: true, "The clock is plausible.")
    }

    private static func screens(_ named: String?) -> Finding {
        guard let path = WebFolder.find(named: named) else {
            return Finding(isFine: false, "The screens were not found. Run `make web`, or name them with --web.")
        }
        do {
            return Finding(isFine: true, "The screens are in \(path), build \(try WebFolder(path: path).build).")
        } catch {
            return Finding(isFine: false, "\(error)")
        }
    }
}
