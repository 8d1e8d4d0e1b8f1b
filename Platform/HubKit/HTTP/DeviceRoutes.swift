import Foundation
import GRDB
import Hummingbird
import Storage

/// The household's devices.
struct DeviceRoutes: Sendable {
    let house: House

    func add(to routes: Routes) {
        let house = house
        routes.get("/api/devices", .member, "Every device with its newest readings and its last error.") { visit in
            let devices = try await visit.hub.devices.all(household: visit.member.household)
            return try .json(try await replies(devices, visit.hub))
        }
        routes.get("/api/device-kinds", .member, "The kinds of device that can be added.") { _ in
            try .json(
                house.companions.flatMap { companion in
                    type(of: companion).deviceKinds.map {
                        DeviceKindReply(kind: $0.name, title: $0.title, companion: type(of: companion).slug)
                    }
                })
        }
        routes.post(
            "/api/devices", .adult, "Adds a device. Its token is in this answer and never again.",
            takes: DeviceBody.self
        ) { visit, body in
            guard house.companion(forKind: body.kind) != nil else {
                let known = house.companions.flatMap { type(of: $0).deviceKinds.map(\.name) }.joined(separator: ", ")
                throw Problem.field("kind", "There is no such kind of device. There are: \(known).")
            }
            let (device, token) = try await visit.hub.devices.add(
                kind: body.kind, name: body.name, household: visit.member.household)
            let reply = try await replies([device], visit.hub)[0]
            return try .created(NewDeviceReply(device: reply, id: device.id, token: token))
        }
        routes.get("/api/devices/{id}", .member, "One device.") { visit in
            let device = try await visit.hub.devices.device(visit.path("id"), household: visit.member.household)
            return try .json(try await replies([device], visit.hub)[0])
        }
        routes.patch("/api/devices/{id}", .adult, "Renames a device.", takes: NameBody.self) { visit, body in
            let device = try await visit.hub.devices.rename(
                visit.path("id"), to: body.name, household: visit.member.household)
            visit.hub.live.tell(.device(device.id), household: device.household)
            return try .json(try await replies([device], visit.hub)[0])
        }
        routes.delete("/api/devices/{id}", .adult, "Removes a device. Its readings stay, its token ends.") { visit in
            let id = try visit.path("id")
            let member = try visit.member
            let events = try await visit.hub.devices.remove(id, household: member.household)
            visit.hub.messages.remove(device: id)
            visit.hub.live.channels.removed(id)
            for companion in house.companions { companion.removed(device: id) }
            for event in events { visit.hub.live.tell(event, household: member.household) }
            return .nothing
        }
        routes.post("/api/devices/{id}/token", .adult, "Gives a device a new token and ends the old one.") { visit in
            let id = try visit.path("id")
            let token = try await visit.hub.devices.renewToken(id, household: visit.member.household)
            visit.hub.messages.disconnect(device: id)
            return try .json(TokenReply(id: id, token: token))
        }
    }

    private func replies(_ devices: [DeviceRecord], _ hub: Hub) async throws -> [DeviceReply] {
        try await hub.database.pool.read { db in
            let latest = Dictionary(
                grouping: try db.latestReadings(ofDevices: devices.map(\.id)), by: \.series.device)
            return devices.map { device in
                let series = latest[device.id, default: []].map { series, reading in
                    DeviceReply.Latest(
                        quantity: series.quantity, unit: series.unit, at: reading.at, value: reading.value)
                }
                return DeviceReply(
                    id: device.id, kind: device.kind, name: device.name, createdAt: device.createdAt,
                    lastSeenAt: series.map(\.at).max(), errorCount: device.errorCount,
                    lastError: device.errorMessage.map {
                        .init(at: device.errorAt ?? 0, topic: device.errorTopic ?? "", message: $0)
                    }, connected: hub.devices.isConnected(device.id), virtual: device.isVirtual, series: series)
            }
        }
    }
}

private struct DeviceBody: Decodable { var kind, name: String }
private struct TokenReply: Codable { var id, token: String }
private struct DeviceKindReply: Codable { var kind, title, companion: String }

private struct DeviceReply: Codable {
    struct Latest: Codable {
        var quantity: String
        var unit: String?
        var at: Int64
        var value: Double
    }
    struct LastError: Codable {
        var at: Int64
        var topic, message: String
    }
    var id, kind, name: String
    var createdAt: Int64
    var lastSeenAt: Int64?
    var errorCount: Int
    var lastError: LastError?
    var connected, virtual: Bool
    var series: [Latest]
}

private struct NewDeviceReply: Codable {
    var device: DeviceReply
    var id, token: String
}
