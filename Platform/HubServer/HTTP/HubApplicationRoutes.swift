import Foundation
import HubKit
import Hummingbird
import MQTT
import NIOCore
import Storage

/// The routes about the hub itself.
struct HubApplicationRoutes: Sendable {
    let app: HubApplication
    let catalog: RouteCatalog
    let lan: LAN?

    func add(to routes: Routes) {
        let probe = StorageProbe(hub: app.hub)
        routes.get(
            "/healthz", .anyone,
            "Whether the hub answers, and its database does and stores: 503 while nothing can be stored."
        ) { request in
            _ = try await request.hub.household()
            guard await probe.canStore() else { throw Problem.storesNothing(request.hub.storage.fault) }
            return try .json(HealthResponse())
        }
        // Anybody may ask, a hundred times in one packet: it takes milliseconds to write. All routes are there by then.
        let slugs = app.summaries.map(\.slug)
        let document = LazyBytes {
            ByteBuffer(bytes: try catalog.openAPI(version: HubVersion.current, companions: slugs))
        }
        routes.get("/openapi.json", .anyone, "This document.") { _ in
            .file(try document.bytes, OpenAPIMedia.json)
        }
        routes.get("/api/hub", .member, "Addresses, ports, and how the hub is.") { request in
            let hub = request.hub
            let settings = hub.settings
            let counts = await hub.messages.statistics()
            let now = hub.clock.now()
            let (bytes, readings, aheadAt) = try await hub.database.pool.read { db in
                (
                    try Int.fetchOne(
                        db, cached: "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()") ?? 0,
                    try db.readingCount(), try db.presentReadings(now: now).compactMap(\.aheadAt).max()
                )
            }
            let asked = request.source.host ?? "\(settings.host):\(settings.port)"
            return try .json(
                HubResponse(
                    name: settings.name, version: HubVersion.current, boot: hub.boot, now: now,
                    timeZone: try await hub.timeZone().identifier, addresses: [request.origin],
                    http: .init(host: settings.host, port: settings.port),
                    mqtt: mqtt(asked: asked.hostWithoutPort, settings, lan: lan, counts: counts),
                    legacy: settings.legacy.sorted(),
                    legacyRisks: app.deviceContext.legacy.map(\.protocol.risk), database: .init(bytes: bytes),
                    readings: .init(stored: readings, aheadAt: aheadAt)))
        }
    }
}

/// The address at which a device near the page reaches MQTT: plain on the hub's own machine, and elsewhere with TLS if
/// the hub offers that.
private func mqtt(asked host: String, _ settings: HubSettings, lan: LAN?, counts: ListenerStatistics)
    -> HubResponse.MQTTResponse
{
    let isSameMachine = host == "localhost" || host == "::1" || host.hasPrefix("127.")
    if let lan, let network = settings.lan, !isSameMachine {
        return .init(
            host: lan.hostName, port: network.mqttsPort, isTLS: true,
            certificate: lan.authority == nil ? nil : CertificateFile.pem.rawValue, connections: counts.connections,
            dropped: counts.dropped)
    }
    return .init(
        host: host, port: settings.mqttPort, isTLS: false, certificate: nil, connections: counts.connections,
        dropped: counts.dropped)
}

extension String {
    /// The host of `host:port`, `[::1]:port` or `host`.
    fileprivate var hostWithoutPort: String {
        if hasPrefix("["), let end = firstIndex(of: "]") { return String(self[index(after: startIndex)..<end]) }
        return String(split(separator: ":").first ?? "")
    }
}

extension Problem {
    fileprivate static func storesNothing(_ fault: StorageState.Fault?) -> Problem {
        switch fault {
        case .full: storesNothingOnFullDisk
        case .damaged: storesNothingInDamage
        case .refused, nil: storesNothingOnDisk
        }
    }

    private static let storesNothingOnFullDisk = Problem(
        .serviceUnavailable, "Not stored",
        "The hub’s disk is full, so nothing is stored. Free some space on it; the hub goes on by itself.")
    private static let storesNothingInDamage = Problem(
        .serviceUnavailable, "The database is damaged",
        "The hub’s database is damaged, so nothing is stored. Make a copy of the hub’s folder, then put a backup back: Settings, Backups."
    )
    private static let storesNothingOnDisk = Problem(
        .serviceUnavailable, "Not stored",
        "The hub’s disk cannot be written, so nothing is stored. Look whether it is connected, worn out, or mounted for reading only; the hub goes on by itself."
    )
}

private struct HealthResponse: Codable {
    enum Status: String, Codable, CaseIterable { case ok }
    var status = Status.ok
}

/// The media type of the OpenAPI document, which has a schema of its own.
private enum OpenAPIMedia: FileMedia {
    case json
    var mediaType: String { "application/json" }
}

private struct HubResponse: Codable {
    struct Address: Codable {
        var host: String
        var port: Int
    }
    struct MQTTResponse: Codable {
        var host: String
        var port: Int
        var isTLS: Bool
        /// The path of the authority's certificate, which a client needs to trust the port.
        var certificate: String?
        var connections, dropped: Int
    }
    struct DatabaseResponse: Codable { var bytes: Int }
    struct ReadingResponse: Codable {
        var stored: Int
        /// The time of the last reading that is in the future; nil if there is none.
        var aheadAt: Int64?
    }
    var name, version, boot: String
    var now: Int64
    var timeZone: String
    var addresses: [String]
    var http: Address
    var mqtt: MQTTResponse
    var legacy, legacyRisks: [String]
    var database: DatabaseResponse
    var readings: ReadingResponse
}
