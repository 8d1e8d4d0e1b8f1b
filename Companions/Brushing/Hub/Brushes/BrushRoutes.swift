import BrushingEngine
import GRDB
import HubKit
import Storage

/// The routes of toothbrushes that speak by Bluetooth: how each brushes now, and whose it is.
struct BrushRoutes: Sendable {
    let brushing: Brushing

    func add(to routes: Routes) {
        routes.get(
            "/api/brushing/brushes", .member,
            "The toothbrushes that speak by Bluetooth, of those whose brushing the caller may see, and how each brushes now."
        ) { request in
            let member = try request.member
            let (policy, now) = (request.hub.policy, request.hub.clock.now())
            let brushes = try await request.hub.database.pool.read { db in
                try BrushRecord.all(household: member.household, db).filter { _, owner in
                    guard let person = try owner.flatMap({ try PersonRecord.fetchOne(db, key: $0) }) else {
                        return policy.isAdult(member)
                    }
                    return policy.allowsViewing(member, of: person, now: now)
                }
            }
            var responses: [BrushResponse] = []
            for (device, person) in brushes {
                responses.append(BrushResponse(device, person, await brushing.brushes.state(of: device.id)))
            }
            return try .json(responses)
        }
        routes.put(
            "/api/brushing/brushes/{device}", .adult,
            "Decides whose a toothbrush is: what it brushes while nobody has the page open is that person’s. Nobody’s without a person.",
            takes: OwnerInput.self
        ) { request, input in
            let household = try request.member.household
            let id = try request.path("device")
            try await request.hub.database.pool.write { db in
                guard let device = try DeviceRecord.fetchOne(db, key: id), device.household == household,
                    device.kind == Brushing.brushKind, device.removedAt == nil
                else { throw Problem.notFound("There is no toothbrush here. It may have been removed.") }
                try BrushRecord.deleteOne(db, key: id)
                if let person = input.person {
                    guard try PersonRecord.fetchOne(db, key: person)?.household == household else {
                        throw Problem.field("person", "There is no such person in this household.")
                    }
                    try BrushRecord(device: id, household: household, person: person).insert(db)
                }
                let changed = LiveEvent.changed(companion: Brushing.slug, what: "brush", id: id)
                request.hub.live.publish(changed, household: household, after: db)
            }
            return .nothing
        }
    }
}

private struct OwnerInput: Decodable { var person: String? }

/// A toothbrush, as pages show it.
struct BrushResponse: Codable, Sendable {
    var id, name: String
    /// The id of its owner; nil for nobody's.
    var person: String?
    /// The state of its brushing; nil while it does not brush.
    var now: BrushState?

    init(_ device: DeviceRecord, _ person: String?, _ state: BrushState?) {
        id = device.id
        name = device.name
        self.person = person
        now = state
    }
}

/// A toothbrush while it brushes.
struct BrushState: Codable, Sendable, Equatable {
    /// The seconds that it has brushed.
    var seconds: Int
    /// The part of the mouth by the brush's own timer, from 1; nil where it does not say.
    var part: Int?
    /// Whether it is pressed too hard.
    var isTooHard: Bool
}
