import ArgumentParser
import Configuration
import Foundation
import HomeAssistant
import HubKit
import HubServer
import Logging
import SystemPackage

/// How the hub is started. Each setting comes from its flag, else from the environment, else from the file. A hyphen of the flag is
/// a dot of the key.
struct ServeOptions: ParsableArguments {
    @Option(help: "The address to listen on. 0.0.0.0 lets other machines in. (default: 127.0.0.1)")
    var host: String?

    @Option(help: "The port of the page and the API. (default: 8080)")
    var port: Int?

    @Option(help: "The port of MQTT. (default: 1883)")
    var mqttPort: Int?

    @OptionGroup(title: "The local network") var lan: LANOptions

    @Option(help: ArgumentHelp("The folder that holds everything. (default: ./data)", valueName: "folder"))
    var data: String?

    @Option(
        help: ArgumentHelp(
            "Where a backup is kept each night, such as on another disk, or `off`. (default: backups in the data folder)",
            valueName: "folder"))
    var backups: String?

    @Option(
        help: ArgumentHelp(
            "How old readings are, in days, when they are packed into blocks. (default: \(HubSettings.usualSealAfterDays))",
            valueName: "days"))
    var sealAfterDays: Int?

    @Option(
        help: ArgumentHelp(
            "The screens, as `make web` assembles them. (default: found beside the executable)", valueName: "folder"))
    var web: String?

    @Option(
        help: ArgumentHelp(
            "Original systems whose own protocols are spoken, such as `plants`. Off by default: their clients sign in with nothing.",
            valueName: "names"))
    var legacy: String?

    @Option(
        help: ArgumentHelp(
            "The address at which the clients of --legacy find the hub, such as this machine’s in your network: plain MQTT, for the original’s topics alone. (default: where MQTT’s plain port is)",
            valueName: "address"))
    var legacyHost: String?

    @Option(help: "The port of --legacy-host. (default: 1883, which the original apps ask for)")
    var legacyPort: Int?

    @Option(
        name: .customLong("legacy-http-port"),
        help: ArgumentHelp(
            "A port at --legacy-host for plain HTTP, with the routes of the original systems alone. (default: none; the original toy asks for 80)",
            valueName: "port"))
    var legacyHTTPPort: Int?

    @Option(
        name: .customLong("plain-mqtt-host"),
        help: ArgumentHelp(
            "This machine’s address in your network, for devices that speak no TLS, such as toys: plain MQTT for their own topics alone. Whoever reads along there can pass for such a device. (default: none)",
            valueName: "address"))
    var plainMQTTHost: String?

    @Option(name: .customLong("plain-mqtt-port"), help: "The port of --plain-mqtt-host. (default: 1884)")
    var plainMQTTPort: Int?

    @Option(
        help: ArgumentHelp(
            "The broker of the house, of which the hub is a client: mqtt://name:password@host, or mqtts. It stands before the one that is chosen on the page. (default: that one)",
            valueName: "url"))
    var broker: String?

    @Flag(help: "Lets anybody publish and subscribe: for MQTT conformance suites, on loopback only.")
    var mqttOpen = false

    @OptionGroup(title: "MQTT’s limits") var mqttLimits: MQTTLimitOptions

    @Option(
        help: ArgumentHelp(
            "The least time from one commit of few readings to the next, in milliseconds: more of them gather in it, and the disk is written to less often. 0 commits at once. (default: 0)",
            valueName: "milliseconds"))
    var commitInterval: Int?

    @Option(help: "trace, debug, info, notice, warning or error. (default: info)")
    var logLevel: String?

    @Option(
        help: ArgumentHelp("A JSON file with any of these settings: {\"tandem\": {\"port\": 8081}}.", valueName: "file")
    )
    var config: String?

    /// The settings, and how much is logged.
    func settings() async throws -> (settings: HubSettings, web: String?, logLevel: Logger.Level) {
        let reader = try await reader()
        var settings = HubSettings(dataFolder: reader.string(forKey: "data", default: "./data"))
        settings.host = reader.string(forKey: "host", default: settings.host)
        settings.port = reader.int(forKey: "port", default: settings.port)
        settings.mqttPort = reader.int(forKey: "mqtt.port", default: settings.mqttPort)
        let backups = reader.string(forKey: "backups", default: "")
        settings.backsUpNightly = backups != "off"
        settings.backupFolder = backups.isEmpty || backups == "off" ? nil : backups
        settings.sealAfterDays = reader.int(forKey: "seal.after.days", default: settings.sealAfterDays)
        guard HubSettings.sealAfterDaysBounds.contains(settings.sealAfterDays) else {
            throw ValidationError(HubSettings.sealAfterDaysRefusal(flag: "--seal-after-days"))
        }
        try lan.read(reader, into: &settings)
        settings.isMQTTOpen = reader.bool(forKey: "mqtt.open", default: false)
        if settings.isMQTTOpen { settings.messageLimits = .conformance }
        try mqttLimits.read(reader, into: &settings.messageLimits)
        let interval = reader.int(
            forKey: "commit.interval", default: Int(settings.commitIntervalMilliseconds))
        guard (0...1_000).contains(interval) else {
            throw ValidationError("--commit-interval is a number of milliseconds from 0 to 1000.")
        }
        settings.commitIntervalMilliseconds = Int64(interval)
        try checkedPort(settings.port, flag: "--port")
        try checkedPort(settings.mqttPort, flag: "--mqtt-port")
        settings.legacy = Set(
            reader.string(forKey: "legacy.systems", default: "").split(separator: ",").map {
                $0.trimmingCharacters(in: .whitespaces)
            })
        let known = companions.filter { $0.legacy != nil }.map { $0.slug }
        if let unknown = settings.legacy.sorted().first(where: { !known.contains($0) }) {
            throw ValidationError("--legacy knows no “\(unknown)”. It knows: \(known.joined(separator: ", ")).")
        }
        try readLegacyAddress(reader, into: &settings)
        settings.plainMQTTPort = reader.int(forKey: "plain.mqtt.port", default: settings.plainMQTTPort)
        try checkedPort(settings.plainMQTTPort, flag: "--plain-mqtt-port")
        settings.plainMQTTHost = reader.string(forKey: "plain.mqtt.host")
        settings.broker = reader.string(forKey: "broker", isSecret: true)
        if let broker = settings.broker {
            do { try HomeAssistant.checkBroker(broker) } catch let problem as Problem {
                throw ValidationError("--broker: \(problem.detail.english)")
            }
        }
        guard !settings.isMQTTOpen || settings.isLoopback else {
            throw ValidationError(
                "--mqtt-open works on loopback only: it lets anybody in. Leave --host, --legacy-host and --plain-mqtt-host out."
            )
        }
        let level = reader.string(forKey: "log.level", default: "info")
        guard let logLevel = Logger.Level(rawValue: level) else {
            throw ValidationError(
                "--log-level knows no “\(level)”. It knows trace, debug, info, notice, warning and error.")
        }
        return (settings, reader.string(forKey: "web"), logLevel)
    }

    /// Where the original systems' clients come to.
    private func readLegacyAddress(_ reader: ConfigReader, into settings: inout HubSettings) throws {
        settings.legacyPort = reader.int(forKey: "legacy.port", default: settings.legacyPort)
        try checkedPort(settings.legacyPort, flag: "--legacy-port")
        settings.legacyHTTPPort = reader.int(forKey: "legacy.http.port")
        if let port = settings.legacyHTTPPort { try checkedPort(port, flag: "--legacy-http-port") }
        guard let host = reader.string(forKey: "legacy.host") else {
            guard settings.legacyHTTPPort == nil else {
                throw ValidationError("--legacy-http-port goes with --legacy-host, which says at which address.")
            }
            return
        }
        guard !settings.legacy.isEmpty else {
            throw ValidationError("--legacy-host goes with --legacy, which says whose clients may come.")
        }
        let isEverywhere = [host, settings.host].contains { $0 == "0.0.0.0" || $0 == "::" }
        guard
            settings.legacyPort != settings.mqttPort || settings.legacyPort == 0
                || (host != settings.host && !isEverywhere)
        else {
            throw ValidationError(
                "--legacy-host \(host) wants port \(settings.legacyPort), where the hub’s own MQTT is. Give this machine’s own address in your network instead of all of them, or another --mqtt-port."
            )
        }
        guard
            settings.legacyHTTPPort == nil || settings.legacyHTTPPort == 0 || settings.legacyHTTPPort != settings.port
                || (host != settings.host && !isEverywhere)
        else {
            throw ValidationError(
                "--legacy-host \(host) wants port \(settings.port) for HTTP, where the hub’s own pages are. Give another --legacy-http-port."
            )
        }
        settings.legacyHost = host
    }

    private func reader() async throws -> ConfigReader {
        var flags: [AbsoluteConfigKey: ConfigValue] = [:]
        func set(_ key: String, _ content: ConfigContent?, isSecret: Bool = false) {
            guard let content else { return }
            flags[AbsoluteConfigKey(["tandem"] + key.split(separator: ".").map(String.init))] = ConfigValue(
                content, isSecret: isSecret)
        }
        set("host", host.map { .string($0) })
        set("port", port.map { .int($0) })
        set("mqtt.port", mqttPort.map { .int($0) })
        set("mqtt.open", mqttOpen ? .bool(true) : nil)
        set("commit.interval", commitInterval.map { .int($0) })
        for (key, content) in lan.flags { set(key, content) }
        for (key, content) in try mqttLimits.flags { set(key, content) }
        set("data", data.map { .string($0) })
        set("web", web.map { .string($0) })
        set("backups", backups.map { .string($0) })
        set("seal.after.days", sealAfterDays.map { .int($0) })
        set("legacy.systems", legacy.map { .string($0) })
        set("legacy.host", legacyHost.map { .string($0) })
        set("legacy.port", legacyPort.map { .int($0) })
        set("legacy.http.port", legacyHTTPPort.map { .int($0) })
        set("plain.mqtt.host", plainMQTTHost.map { .string($0) })
        set("broker", broker.map { .string($0) }, isSecret: true)
        set("plain.mqtt.port", plainMQTTPort.map { .int($0) })
        set("log.level", logLevel.map { .string($0) })
        let environment = EnvironmentVariablesProvider()
        var providers: [any ConfigProvider] = [InMemoryProvider(name: "flags", values: flags), environment]
        let file = config ?? ConfigReader(provider: environment).string(forKey: "tandem.config")
        if let file {
            do {
                providers.append(try await FileProvider<JSONSnapshot>(filePath: FilePath(file)))
            } catch {
                throw ValidationError("The settings file \(file) cannot be read as JSON: \(error)")
            }
        }
        return ConfigReader(providers: providers).scoped(to: "tandem")
    }
}

extension DataOption {
    /// The hub with its accounts and devices, without its listeners.
    ///
    /// - Parameter isNew: whether the folder may be made; a misspelt one is not.
    /// - Throws: what ``check(orNew:)`` throws, or `StartFault` where a new database would take the place of an emptied one.
    func services(orNew isNew: Bool = false) throws -> ServerContext {
        try check(orNew: isNew)
        if isNew { try StartChecks(folder: DataFolder(path: folder)).checkDatabase() }
        return try ServerContext(settings: HubSettings(dataFolder: folder), log: Log.quiet)
    }
}
