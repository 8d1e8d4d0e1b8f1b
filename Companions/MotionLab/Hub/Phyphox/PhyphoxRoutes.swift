import GRDB
import HubKit
import Localization
import Storage

/// The routes by which an adult has the hub read phyphox on a phone, and members see how that goes.
struct PhyphoxRoutes: Sendable {
    let lab: MotionLab

    private struct ConnectInput: Decodable {
        /// The id of the phone that what is read is stored for.
        var device: String
        /// The address as phyphox shows it.
        var address: String
        /// The sensors that are read of it, as `SensorKind` names them; all where it is left out.
        var sensors: [String]?
        /// Whether the measurement begins at once; it does where this is left out.
        var starts: Bool?
    }

    private struct LookInput: Decodable {
        /// The address as phyphox shows it.
        var address: String
    }

    /// The experiment that is open in phyphox.
    private struct PhyphoxExperimentResponse: Codable {
        struct Sensor: Codable {
            /// The sensor as `SensorKind` names it, and as phyphox does.
            var sensor, source: String
            /// The experiment's buffers that are read.
            var buffers: [String]
        }

        /// The address as it was understood.
        var address: String
        /// The title of the experiment, as phyphox says it.
        var title: String
        /// Whether phyphox measures now.
        var isMeasuring: Bool
        var sensors: [Sensor]
        /// The sensors of the experiment that the lab does not know, as phyphox names them.
        var unknown: [String]
    }

    private struct PhyphoxResponse: Codable {
        /// The id of the phone.
        var device, address: String
        /// The title of the experiment, as phyphox says it.
        var title: String
        /// The sensors, as `SensorKind` names them.
        var sensors: [String]
        /// Whether the hub asks the phone still, and whether phyphox measures.
        var isConnected, isMeasuring: Bool
        /// The number of samples that were stored since it was connected.
        var samples: Int
        /// The words about what is wrong now, in the asker's language.
        var trouble: String?
    }

    private struct PhyphoxListResponse: Codable { var phones: [PhyphoxResponse] }

    func add(to routes: Routes) {
        let hub = lab.hub
        routes.post(
            "/api/lab/phyphox", .adult,
            "Has the hub read the experiment that is open in phyphox on a phone in the house, and starts it.",
            takes: ConnectInput.self
        ) { request, input in
            let household = try request.member.household
            let device = try await hub.database.pool.read { db in try Self.phone(input.device, household, db) }
            let link = try PhyphoxLink(hub, household: household, address: input.address)
            let status = try await lab.phyphox.start(
                link, for: device, chosen: input.sensors.map { Set($0) }, begins: input.starts ?? true, of: lab)
            return try .created(Self.response(device.id, status, request))
        }
        routes.post(
            "/api/lab/phyphox/look", .adult,
            "What experiment is open in phyphox at an address in the house, and what of it the lab can read. Nothing is stored.",
            takes: LookInput.self
        ) { request, input in
            let link = try PhyphoxLink(hub, household: try request.member.household, address: input.address)
            return try .created(try await Self.look(link))
        }
        routes.post(
            "/api/lab/phyphox/{device}/{command}", .adult,
            "Has phyphox `start`, `stop` or `clear` its experiment, which the hub goes on reading."
        ) { request in
            let household = try request.member.household
            let id = try request.path("device")
            guard let command = PhyphoxLink.Command(rawValue: try request.path("command")) else {
                throw Problem.notFound("phyphox can start, stop and clear.")
            }
            guard let status = lab.phyphox.all(household: household)[id] else {
                throw Problem.notFound("The hub does not read phyphox on this phone.")
            }
            guard try await PhyphoxLink(hub, household: household, address: status.address).control(command) else {
                throw PhyphoxText.problem(PhyphoxText.didNot)
            }
            return .nothing
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

    private static func look(_ link: PhyphoxLink) async throws -> PhyphoxExperimentResponse {
        let configuration = try await link.configuration()
        let pollings = PhyphoxReaders.pollings(of: configuration)
        guard let first = pollings.first else { throw Problem.field("address", detail: PhyphoxText.noSensor) }
        let values = try await link.values(first.path)
        func text(_ bytes: [UInt8]) -> String {
            String(decoding: bytes.prefix(120), as: UTF8.self).withoutUnseenCharacters
        }
        return PhyphoxExperimentResponse(
            address: link.address, title: text(configuration.title), isMeasuring: values.isMeasuring,
            sensors: pollings.compactMap { polling in
                guard let input = configuration.inputs.first(where: { $0.kind == polling.kind }) else { return nil }
                return PhyphoxExperimentResponse.Sensor(
                    sensor: "\(polling.kind.name)", source: text(input.source), buffers: polling.buffers.map(text))
            },
            unknown: Set(configuration.inputs.filter { $0.kind == nil }.map { text($0.source) }).sorted())
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
