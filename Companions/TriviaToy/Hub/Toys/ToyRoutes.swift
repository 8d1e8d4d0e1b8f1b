import GRDB
import HubKit
import Localization
import Storage
import TriviaToyEngine

/// The household's toys, and who plays with them.
struct ToyRoutes: Sendable {
    let toy: TriviaToy

    func add(to routes: Routes) {
        routes.get(
            "/api/toy/toys", .member,
            "Every toy with its battery, its facts, what does not work, and who plays with it."
        ) {
            request in
            let member = try request.member
            let (hub, language, now) = (request.hub, request.language, request.hub.clock.now())
            return try .json(
                try await hub.database.pool.read { db in
                    ToysResponse(toys: try ToyResponse.all(for: member, hub: hub, now: now, in: language, db))
                })
        }
        routes.put(
            "/api/toy/toys/{id}", .adult,
            "Says who plays with a toy: their rules hold, and its facts stand in their history. Without a `person` nobody’s in particular.",
            takes: ToyInput.self
        ) { request, input in
            let household = try request.member.household
            let (hub, id, language) = (request.hub, try request.path("id"), request.language)
            let response = try await hub.database.pool.write { db in
                guard let device = try DeviceRecord.fetchOne(db, key: id), device.household == household,
                    device.removedAt == nil, device.kind == TriviaToy.toyKind
                else { throw Problem.notFound("There is no toy here. It may have been removed.") }
                if let person = input.person {
                    guard let known = try PersonRecord.fetchOne(db, key: person), known.household == household else {
                        throw Problem.field("person", "Choose somebody of this household.")
                    }
                }
                var record = try ToyRecord.of(device, db)
                record.person = input.person
                // Whoever decides this has read that there were two.
                record.twinAt = nil
                try record.update(db)
                toy.publish("toy", of: device, after: db)
                return try ToyResponse(device, in: language, db)
            }
            toy.delivery.serve(id)
            return try .json(response)
        }
    }

    private struct ToyInput: Decodable {
        /// The person who plays with the toy; nothing for nobody in particular.
        var person: String?
    }
}

/// The answer of `GET /api/toy/toys`.
struct ToysResponse: Codable {
    var toys: [ToyResponse]
}

/// A toy, as a page shows it.
struct ToyResponse: Codable {
    struct Battery: Codable {
        var percent, millivolts: Int
        var isLow: Bool
    }

    var id, name: String
    var isVirtual: Bool
    /// The time at which it last said how it is, UTC milliseconds; nothing of it is known before.
    var lastSeen: Int64?
    var battery: Battery?
    /// The numbers of facts in it, those that nobody has heard yet, and plays that it has not reported; nil where a
    /// page may not see how much whoever plays with it hears.
    var stored, unheard, unreported: Int?
    /// The faults of the toy, in sentences.
    var faults: [String]
    /// The person who plays with it.
    var person: String?
    /// The advice where two toys have this one's identity.
    var twin: String?

    /// The household's, as a page may see them: that a toy wants charging or is broken is everybody's, how much a
    /// brother hears is his.
    static func all(for member: Member, hub: HubContext, now: Int64, in language: Language, _ db: Database) throws
        -> [ToyResponse]
    {
        let people = try PersonRecord.all(of: member.household, db)
        return try db.devices(household: member.household).filter { $0.kind == TriviaToy.toyKind }.map { device in
            var response = try ToyResponse(device, in: language, db)
            if let player = people.first(where: { $0.id == response.person }),
                !hub.policy.allowsViewing(member, of: player, now: now)
            {
                (response.stored, response.unheard, response.unreported) = (nil, nil, nil)
            }
            return response
        }
    }

    init(_ device: DeviceRecord, in language: Language, _ db: Database) throws {
        func text(_ text: LocalizedText) -> String { text.string(in: language, from: .triviaToy) }
        id = device.id
        name = device.name
        isVirtual = device.isVirtual
        faults = []
        let record = try ToyRecord.fetchOne(db, key: device.id)
        person = record?.person
        if record?.twinAt != nil {
            twin = text(
                LocalizedText(
                    "Two toys report as this one, or it has lost its memory. Nothing was lost. If there are two, set one of them up anew."
                ))
        }
        guard let status = try ToyStatusRecord.fetchOne(db, key: device.id) else { return }
        let bits = StatusReport.Faults(rawValue: UInt8(clamping: status.faults))
        lastSeen = status.at
        battery = Battery(
            percent: status.batteryPercent, millivolts: status.batteryMillivolts, isLow: bits.contains(.batteryLow))
        (stored, unheard, unreported) = (status.stored, status.unheard, status.unreported)
        faults = ToyText.words(bits).map(text)
    }
}
