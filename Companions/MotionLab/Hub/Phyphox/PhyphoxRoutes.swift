import GRDB
import HubKit
import Localization
import Storage

/// How an adult has the hub read phyphox on a phone, and who sees how that goes.
struct PhyphoxRoutes: Sendable {
    let lab: MotionLab

    private struct ConnectInput: Decodable {
        /// The id of the phone that what is read is stored for.
        var device: String
        /// As phyphox shows it.
        var address: String
    }

    private struct PhyphoxResponse: Codable {
        /// The id of the phone.
        var device, address: String
        /// Of the experiment, as phyphox says it.
        var title: String
        /// As `SensorKind` names them.
        var sensors: [String]
        /// Whether the hub asks the phone still, and whether phyphox measures.
        var isConnected, isMeasuring: Bool
        /// Stored since it was connected.
        var samples: Int
        /// What is wrong now, in the asker's language.
        var trouble: String?
    }

    private struct PhyphoxListResponse: Codable { var phones: [PhyphoxResponse] }

    func add(to routes: Routes) {
        let lab = lab
        let hub = lab.hub
        routes.post(
            "/api/lab/phyphox", .adult,
            "Has the hub read the experiment that is open in phyphox on a phone in the house, and starts it.",
            takes: ConnectInput.self
        ) { request, input in
            let household = try request.member.household
            let device = try await hub.database.pool.read { db in try Self.phone(input.device, household, db) }
            let link = PhyphoxLink(hub, household: household, address: input.address)
            let status = try await lab.phyphox.start(link, for: device, of: lab)
            return try .created(Self.response(device.id, status, request))
        }
        routes.get("/api/lab/phyphox", .member, "The phones whose phyphox the hub reads.") { request in
            let all = lab.phyphox.all(household: try request.member.household)
            return try .json(
                PhyphoxListResponse(
                    phones: all.sorted { $0.key < $1.key }.map { Self.response($0.key, $0.value, request) }))
        }
        routes.delete(
            "/api/lab/phyphox/{device}", .adult, "Stops the experiment in phyphox, and the hub reads it no longer."
        ) { request in
            let household = try request.member.household
            let id = try request.path("device")
            guard lab.phyphox.all(household: household)[id] != nil, let status = lab.phyphox.stop(id) else {
                throw Problem.notFound("The hub does not read phyphox on this phone.")
            }
            // Where the phone is gone, there is nothing to stop.
            _ = try? await PhyphoxLink(hub, household: household, address: status.address).control(.stop)
            return .nothing
        }
    }

    private static func phone(_ id: String, _ household: String, _ db: Database) throws -> DeviceRecord {
        guard let device = try DeviceRecord.fetchOne(db, key: id), device.household == household,
            device.kind == MotionLab.phoneKind, device.removedAt == nil
        else { throw Problem.notFound("There is no phone here. It may have been removed.") }
        return device
    }

    private static func response(_ device: String, _ status: PhyphoxReaders.Status, _ request: APIRequest)
        -> PhyphoxResponse
    {
        PhyphoxResponse(
            device: device, address: status.address, title: status.title, sensors: status.sensors,
            isConnected: status.isConnected, isMeasuring: status.isMeasuring, samples: status.samples,
            trouble: status.trouble?.string(in: request.language, from: .motionLab))
    }
}
