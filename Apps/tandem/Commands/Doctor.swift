import ArgumentParser
import Diagnosis
import Foundation
import HubKit
import HubServer

/// `tandem doctor`
struct Doctor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Looks at ports, disk, database, clock, programs and screens, and says what to do.",
        discussion: """
            Exits with 1 when something needs you (✗). What is marked with ! is worth a look, and the hub runs with it.
            With --url it also asks at the address that people type, and says whether a proxy there hands on all that it has to.

            Example:
              tandem doctor --data /var/lib/tandem --port 8080
              tandem doctor --data /var/lib/tandem --lan
              tandem doctor --url https://tandem.example.org
            """)

    @OptionGroup var options: ServeOptions

    @Option(
        help: ArgumentHelp(
            "The address that people type, such as a proxy’s, to ask whether the hub is whole there.", valueName: "url")
    )
    var url: String?

    @Flag(help: "Writes the findings as JSON.")
    var json = false

    func run() async throws {
        let (settings, web, _) = try await options.settings()
        try DataFolder.checkOwner(of: settings.dataFolder)
        let folder = settings.dataFolder
        let database = folder + "/tandem.sqlite"
        // Before anything opens it.
        let written = ClockCheck.written(database: database)
        let (isRunning, held) = HubState.holder(folder)
        var findings = held
        if !isRunning { findings += await Self.ports(settings) }
        // Before a check opens it: SQLite makes a new database of an empty file, and throws its log away.
        let damage = isRunning ? nil : DatabaseFileCheck(path: database).run().flatMap { $0.grade == .fault ? $0 : nil }
        if let lan = settings.lan, lan.ownCertificate == nil {
            if damage == nil { findings.append(await HubState.authority(settings)) }
            findings.append(AnnouncerCheck().run())
        }
        findings += HubState.legacy(settings)
        findings += [
            DiskKindCheck(folder: folder).run(), DiskSpaceCheck(folder: folder).run(),
            FileOwnerCheck(folder: folder).run(),
        ]
        findings += HubState.files(folder)
        findings += HubState.restoration(folder)
        var newestReading: Int64?
        if let damage {
            findings.append(damage)
        } else {
            let (finding, newest) = HubState.database(settings)
            findings.append(finding)
            newestReading = newest
        }
        findings.append(ClockCheck(now: HubClock.system.now()).run(newestReading: newestReading, written: written))
        findings += [
            ProgramCheck(
                name: "espeak-ng", package: "espeak-ng", loss: "A toy that a computer plays has no voice."
            ).run(),
            ProgramCheck(
                name: "ffmpeg", package: "ffmpeg", loss: "Messages can only be recorded as WAV files."
            ).run(),
        ]
        findings.append(HubState.screens(web))
        if let url { findings += await ProxyCheck(url: url).run() }
        try say(findings)
        if findings.contains(where: { $0.grade == .fault }) { throw ExitCode.failure }
    }

    private func say(_ findings: [Finding]) throws {
        guard json else { return findings.forEach { print($0.line) } }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let grade: Finding.Grade =
            findings.contains { $0.grade == .fault }
            ? .fault : findings.contains { $0.grade == .warning } ? .warning : .well
        print(String(decoding: try encoder.encode(Report(grade: grade, findings: findings)), as: UTF8.self))
    }

    private struct Report: Encodable {
        var grade: Finding.Grade
        var findings: [Finding]
    }

    private static func ports(_ settings: HubSettings) async -> [Finding] {
        var checks = [
            PortCheck(port: settings.port, host: settings.host, flag: "--port"),
            PortCheck(port: settings.mqttPort, host: settings.host, flag: "--mqtt-port"),
        ]
        if let legacyHost = settings.legacyHost {
            checks.append(PortCheck(port: settings.legacyPort, host: legacyHost, flag: "--legacy-port"))
            if let port = settings.legacyHTTPPort {
                checks.append(PortCheck(port: port, host: legacyHost, flag: "--legacy-http-port"))
            }
        }
        if let plainHost = settings.plainMQTTHost {
            checks.append(PortCheck(port: settings.plainMQTTPort, host: plainHost, flag: "--plain-mqtt-port"))
        }
        if let lan = settings.lan {
            checks.append(PortCheck(port: lan.httpsPort, host: "0.0.0.0", flag: "--https-port"))
            checks.append(PortCheck(port: lan.mqttsPort, host: "0.0.0.0", flag: "--mqtts-port"))
        }
        var findings: [Finding] = []
        for check in checks { findings.append(await check.run()) }
        return findings
    }
}
