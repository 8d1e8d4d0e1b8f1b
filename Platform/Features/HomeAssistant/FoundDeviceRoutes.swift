import Crypto
import Devices
import Foundation
import HubKit
import Localization
import Storage

/// The sensors of other makers that were found, and their adoption as devices of the household.
struct FoundDeviceRoutes: Sendable {
    let home: HomeAssistant

    func add(to routes: Routes) {
        routes.get(
            "/api/found-devices", .adult,
            "The sensors that other programs announce to Home Assistant, with what they said last, and whether they can be taken over."
        ) { request in
            let household = try request.member.household
            home.nearby?.look()
            return try .json(
                found(household).map { FoundDeviceResponse($0, home, in: request.language) }
                    + nearby().map { device in
                        FoundDeviceResponse(device, home, isAdopted: home.nearby?.isAdopted(device.address) ?? false)
                    })
        }
        routes.post(
            "/api/found-devices/{id}/key", .adult,
            "Sets the key of a sensor that encrypts what it broadcasts: 32 hexadecimal digits, as its maker’s app or its page has them.",
            takes: KeyInput.self
        ) { request, input in
            let id = try request.path("id")
            guard let device = nearby().first(where: { FoundDevice.id($0.address, at: .bluetooth) == id }) else {
                throw Problem.notFound("This sensor is not heard any more. Look whether it is near.")
            }
            try await home.nearby?.setKey(input.key, of: device.address)
            return .nothing
        }
        routes.post(
            "/api/found-devices/{id}/adopt", .adult,
            "Makes a device of the household of a sensor that was found: its values are the device’s readings from now on.",
            takes: AdoptionInput.self
        ) { request, input in
            let household = try request.member.household
            let id = try request.path("id")
            if let device = nearby().first(where: { FoundDevice.id($0.address, at: .bluetooth) == id }) {
                return try await adopt(device, name: input.name, request)
            }
            guard let device = found(household).first(where: { $0.id == id }) else {
                throw Problem.notFound("This sensor is not announced any more. Look whether it is switched on.")
            }
            let matched = device.matched(home)
            guard let kind = matched.first?.kind else {
                throw Problem.field("id", "Nothing that this sensor measures can be taken over.")
            }
            guard !matched.contains(where: { home.adopted.holds($0.sensor, at: device.source) }) else {
                throw Problem(.conflict, "Already there", "This sensor is one of your devices already.", field: "id")
            }
            let (record, _) = try await home.devices.add(
                kind: kind, name: input.name ?? device.name, household: household
            ) { record, db in
                for one in matched where one.kind == kind {
                    try AdoptedSensorRecord(
                        device: record.id, quantity: one.quantity, household: household, source: device.source,
                        uniqueId: one.sensor.uniqueID, topic: one.sensor.stateTopic, template: one.sensor.template,
                        factor: one.factor, offset: one.offset
                    ).insert(db)
                }
                request.hub.live.publish(.device(record.id), household: household, after: db)
            }
            try await home.adopted.load(request.hub.database)
            if device.source == .bluetooth { try await home.nearby?.reload() }
            home.changed(all: true)
            // What it said last is its first reading, so that its page is not empty for an hour.
            for one in matched {
                guard let heard = home.found.heard(at: device.place(of: one.sensor)),
                    let value = one.template.value(of: Array(heard.text.utf8).span)
                else { continue }
                home.broker.take(
                    [
                        .init(
                            device: record.id, quantity: one.quantity, value: value * one.factor + one.offset,
                            at: heard.at)
                    ], topic: one.sensor.stateTopic, household: household)
            }
            return try .created(AdoptedResponse(id: record.id, kind: kind, name: record.name))
        }
    }

    /// What the radio finds besides sensors that say what they measure.
    private func nearby() -> [NearbyDevice] { home.nearby?.nearby ?? [] }

    /// Makes a device of the household of one that the radio brings.
    private func adopt(_ device: NearbyDevice, name: String?, _ request: APIRequest) async throws -> APIResponse<
        Created<AdoptedResponse>
    > {
        let household = try request.member.household
        guard let kind = device.kind, let nearby = home.nearby else {
            throw Problem.field("id", "This sensor encrypts what it measures. Enter its key first.")
        }
        guard !nearby.isAdopted(device.address) else {
            throw Problem(.conflict, "Already there", "This is one of your devices already.", field: "id")
        }
        let (record, _) = try await home.devices.add(kind: kind, name: name ?? device.name, household: household) {
            record, db in
            try BluetoothDeviceRecord(device: record.id, household: household, address: device.address).insert(db)
            request.hub.live.publish(.device(record.id), household: household, after: db)
        }
        try await nearby.reload()
        return try .created(AdoptedResponse(id: record.id, kind: kind, name: record.name))
    }

    /// The devices that were found, those with something to take over first.
    private func found(_ household: String) -> [FoundDevice] {
        var devices: [String: FoundDevice] = [:]
        for (place, sensors) in home.found.all(household: household) {
            for sensor in sensors {
                let id = FoundDevice.id(sensor.deviceID, at: place.source)
                devices[id, default: FoundDevice(id: id, source: place.source)].sensors.append(sensor)
            }
        }
        return devices.values.filter { $0.isOfInterest(home) }.sorted {
            ($0.name.lowercased(), $0.id) < ($1.name.lowercased(), $1.id)
        }
    }
}

private struct AdoptionInput: Decodable { var name: String? }
private struct KeyInput: Decodable { var key: String }
private struct AdoptedResponse: Codable { var id, kind, name: String }

/// A device that was announced, with its sensors.
struct FoundDevice: Sendable {
    let id: String
    let source: AdoptedSensorSource
    var sensors: [AnnouncedSensor] = []

    /// The id by which pages name it.
    static func id(_ deviceID: String, at source: AdoptedSensorSource) -> String {
        let hash = SHA256.hash(data: Array("\(source) \(deviceID)".utf8))
        return hash.prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// What people call it.
    var name: String { sensors.first?.deviceName ?? "" }

    func place(of sensor: AnnouncedSensor) -> FoundSensors.Place {
        .init(source: source, topic: sensor.stateTopic)
    }

    /// What can be taken over: of two sensors of one quantity the first by its id.
    func matched(_ home: HomeAssistant) -> [MatchedSensor] {
        var quantities: Set<String> = []
        return sensors.sorted { $0.uniqueID < $1.uniqueID }.compactMap { sensor in
            guard case .matched(let matched) = home.match(sensor), quantities.insert(matched.quantity).inserted else {
                return nil
            }
            return matched
        }
    }

    /// Whether it measures anything that a companion keeps, besides its own battery.
    func isOfInterest(_ home: HomeAssistant) -> Bool {
        sensors.contains { sensor in
            switch home.match(sensor) {
            case .matched(let matched): matched.quantity != "battery"
            case .unknownUnit, .unknownTemplate: true
            case .otherQuantity: false
            }
        }
    }
}

/// A sensor that was found, as a page shows it.
struct FoundDeviceResponse: Codable {
    /// A place where sensors are heard.
    enum Source: String, Codable, CaseIterable {
        case listener, broker, bluetooth

        init(_ source: AdoptedSensorSource) {
            switch source {
            case .listener: self = .listener
            case .broker: self = .broker
            case .bluetooth: self = .bluetooth
            }
        }
    }

    struct Sensor: Codable {
        var quantity, title: String
        var unit: String?
        /// What it said last, and when, UTC milliseconds; nil where it has said nothing since the hub started.
        var value: Double?
        var at: Int64?
        /// The reason why it cannot be taken over; nil where it can.
        var problem: String?
    }

    var id, name: String
    /// Its maker and model.
    var model: String
    /// The kind of device that it becomes; nil where nothing of it can be taken over.
    var kind: String?
    /// The slug of the companion whose device it becomes.
    var companion: String?
    /// The place where it is heard.
    var source: Source
    /// Whether it is a device of the household already.
    var isAdopted: Bool
    /// Whether anything of it can be taken over.
    var isAdoptable: Bool
    /// Whether it says itself that it is not there.
    var isAway: Bool
    /// Whether it encrypts what it measures, and its key is wanted; with a reason where the one that is stored is not its key.
    var needsKey: Bool
    var isKeyWrong: Bool
    var sensors: [Sensor]

    /// Describes a device that the radio brings.
    init(_ device: NearbyDevice, _ home: HomeAssistant, isAdopted: Bool) {
        id = FoundDevice.id(device.address, at: .bluetooth)
        name = device.name
        model = device.model
        kind = device.kind
        companion = device.kind.flatMap { home.slug(ofKind: $0) }
        source = .bluetooth
        self.isAdopted = isAdopted
        isAdoptable = device.kind != nil
        isAway = false
        needsKey = device.kind == nil
        isKeyWrong = device.isKeyWrong
        sensors = []
    }

    init(_ device: FoundDevice, _ home: HomeAssistant, in language: Language) {
        let localized = Localizer(language, from: home.sentences)
        id = device.id
        name = device.name
        model = [device.sensors.first?.maker, device.sensors.first?.model].compactMap { $0 }.filter { !$0.isEmpty }
            .joined(separator: " ")
        source = Source(device.source)
        (needsKey, isKeyWrong) = (false, false)
        let matched = device.matched(home)
        isAdoptable = !matched.isEmpty
        kind = matched.first?.kind
        companion = kind.flatMap { home.slug(ofKind: $0) }
        isAdopted = matched.contains { home.adopted.holds($0.sensor, at: device.source) }
        isAway = device.sensors.lazy.flatMap(\.availability).contains { one in
            home.found.heard(at: .init(source: device.source, topic: one.topic)).map { heard in
                let word =
                    one.member.isEmpty ? heard.text : (try? JSONValue(Array(heard.text.utf8).span))?[one.member]?.text
                return word == one.notAvailable
            } ?? false
        }
        sensors =
            matched.map { one in
                let heard = home.found.heard(at: device.place(of: one.sensor))
                let value = heard.flatMap { one.template.value(of: Array($0.text.utf8).span) }
                return Sensor(
                    quantity: one.quantity,
                    title: localized.string(home.title(ofQuantity: one.quantity, kind: one.kind)),
                    unit: home.unit(ofQuantity: one.quantity, kind: one.kind),
                    value: value.map { (($0 * one.factor + one.offset) * 100).rounded() / 100 }.flatMap {
                        $0.isFinite ? $0 : nil
                    },
                    at: heard?.at)
            }
            + device.sensors.compactMap { sensor in
                let name = sensor.name.isEmpty ? sensor.uniqueID : sensor.name
                switch home.match(sensor) {
                case .unknownUnit(let unit):
                    return Sensor(
                        quantity: sensor.uniqueID, title: name, unit: sensor.unit,
                        problem: localized(
                            "Its unit “\(unit)” is not understood. Set one of those in the list of units."))
                case .unknownTemplate(.notUnderstood(let word)):
                    return Sensor(
                        quantity: sensor.uniqueID, title: name, unit: sensor.unit,
                        problem: localized(
                            "Its template has “\(word)”, which is not understood. Have it publish the number alone."))
                case .unknownTemplate(.tooLong):
                    return Sensor(
                        quantity: sensor.uniqueID, title: name, unit: sensor.unit,
                        problem: localized(
                            "Its template is too long to be understood. Have it publish the number alone."))
                case .matched, .otherQuantity: return nil
                }
            }
    }
}

extension HomeAssistant {
    private func companion(ofKind kind: String) -> (any Companion.Type)? {
        companions.lazy.map { type(of: $0) }.first { $0.adoptedKinds.contains { $0.kind == kind } }
    }

    /// The slug of the companion of a kind of device.
    func slug(ofKind kind: String) -> String? {
        companions.lazy.map { type(of: $0) }.first { $0.deviceKinds.contains { $0.name == kind } }?.slug
    }

    /// The first quantity that a kind of device measures; nil for one that sensors of other makers cannot become.
    func quantity(ofKind kind: String) -> String? {
        kinds.first { $0.kind == kind }?.quantities.first?.name
    }

    /// The title of a quantity of a kind of device.
    func title(ofQuantity quantity: String, kind: String) -> LocalizedText {
        companion(ofKind: kind)?.title(ofQuantity: quantity) ?? .name(ofQuantity: quantity)
    }

    /// The unit of a quantity of a kind of device.
    func unit(ofQuantity quantity: String, kind: String) -> String? {
        companion(ofKind: kind)?.adoptedKinds.first { $0.kind == kind }?.quantities.first { $0.name == quantity }?
            .units.first?.name
    }
}
