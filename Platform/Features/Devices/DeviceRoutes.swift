import Foundation
import GRDB
import HubKit
import Hummingbird
import Storage

/// The household's devices.
struct DeviceRoutes: Sendable {
    let context: DeviceContext

    func add(to routes: Routes) {
        routes.get("/api/devices", .member, "Every device with its newest readings and its last error.") { request in
            let devices = try await context.devices.all(household: request.member.household)
            return try .json(try await responses(devices, request))
        }
        routes.get("/api/device-kinds", .member, "The kinds of device that can be added.") { request in
            let localized = request.localized
            return try .json(
                context.companions.flatMap { companion in
                    type(of: companion).deviceKinds.filter { !$0.isOnlyFound }.map {
                        DeviceKindResponse(
                            kind: $0.name, title: localized.string($0.title), companion: type(of: companion).slug)
                    }
                })
        }
        routes.post(
            "/api/devices", .adult, "Adds a device. Its token is in this answer and never again.",
            takes: DeviceBody.self
        ) { request, body in
            guard context.companion(forKind: body.kind) != nil else {
                let known = context.companions.flatMap { type(of: $0).deviceKinds.map(\.name) }.joined(separator: ", ")
                throw Problem.field("kind", "There is no such kind of device. There are: \(known).")
            }
            let (device, token) = try await context.devices.add(
                kind: body.kind, name: body.name, household: request.member.household)
            let response = try await responses([device], request)[0]
            return try .created(NewDeviceResponse(device: response, id: device.id, token: token))
        }
        routes.get("/api/devices/{id}", .member, "One device.") { request in
            let device = try await context.devices.device(request.path("id"), household: request.member.household)
            return try .json(try await responses([device], request)[0])
        }
        routes.patch("/api/devices/{id}", .adult, "Renames a device.", takes: NameBody.self) { request, body in
            let device = try await context.devices.rename(
                request.path("id"), to: body.name, household: request.member.household)
            return try .json(try await responses([device], request)[0])
        }
        routes.delete("/api/devices/{id}", .adult, "Removes a device. Its readings stay, its token ends.") { request in
            let id = try request.path("id")
            try await context.devices.remove(id, household: request.member.household)
            request.hub.messages.remove(device: id)
            context.channels.removed(id)
            for companion in context.companions { companion.removed(device: id) }
            return .nothing
        }
        routes.post("/api/devices/{id}/token", .adult, "Gives a device a new token and ends the old one.") { request in
            let id = try request.path("id")
            let token = try await context.devices.renewToken(id, household: request.member.household)
            request.hub.messages.disconnect(device: id)
            return try .json(TokenResponse(id: id, token: token))
        }
    }

    private func responses(_ devices: [DeviceRecord], _ request: APIRequest) async throws -> [DeviceResponse] {
        let (hub, localized) = (request.hub, request.localized)
        return try await hub.database.pool.read { db in
            let latest = Dictionary(
                grouping: try db.presentReadings(ofDevices: devices.map(\.id), now: hub.clock.now()),
                by: \.series.device)
            // Some kinds of devices send no readings, and are heard all the same.
            var heardAt: [String: Int64] = [:]
            for companion in context.companions {
                heardAt.merge(try companion.lastHeard(of: devices.map(\.id), db)) { max($0, $1) }
            }
            return devices.map { device in
                let present = latest[device.id, default: []]
                let companion = context.companion(forKind: device.kind).map { type(of: $0) }
                let series = present.compactMap { present in
                    present.reading.map {
                        let quantity = present.series.quantity
                        let title = companion?.title(ofQuantity: quantity) ?? .name(ofQuantity: quantity)
                        return DeviceResponse.Latest(
                            quantity: quantity, title: localized.string(title), unit: present.series.unit, at: $0.at,
                            value: $0.value)
                    }
                }
                return DeviceResponse(
                    id: device.id, kind: device.kind, name: device.name, createdAt: device.createdAt,
                    lastSeenAt: (series.map(\.at) + [heardAt[device.id]].compactMap { $0 }).max(),
                    errorCount: device.errorCount,
                    lastError: device.errorMessage.map {
                        .init(at: device.errorAt ?? 0, topic: device.errorTopic ?? "", message: $0)
                    }, connected: context.devices.isConnected(device.id), virtual: device.isVirtual, series: series,
                    aheadAt: present.compactMap(\.aheadAt).max())
            }
        }
    }
}

private struct DeviceBody: Decodable { var kind, name: String }
private struct NameBody: Decodable { var name: String }
private struct TokenResponse: Codable { var id, token: String }
private struct DeviceKindResponse: Codable { var kind, title, companion: String }

private struct DeviceResponse: Codable {
    struct Latest: Codable {
        var quantity: String
        /// The quantity in words, in the caller's language.
        var title: String
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
    /// The time of the last reading that lies ahead of the hub's clock; nil where none does.
    var aheadAt: Int64?
}

private struct NewDeviceResponse: Codable {
    var device: DeviceResponse
    var id, token: String
}
