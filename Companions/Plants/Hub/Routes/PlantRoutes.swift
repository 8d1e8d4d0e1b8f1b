import Foundation
import GRDB
import HubKit
import NIOCore
import PlantsEngine
import Storage

/// The household's plants: seeing, adding, changing and removing them.
struct PlantRoutes: Sendable {
    let plants: Plants

    /// How long sensors have to answer "Update plant data".
    static let answerTime = Duration.seconds(2)

    func add(to routes: Routes) {
        addReading(to: routes)
        addWriting(to: routes)
        let plants = plants
        routes.post("/api/plants/update", .member, "Asks every sensor for a reading now, and waits a moment for them.")
        { request in
            let household = try request.member.household
            let devices = try await request.hub.database.pool.read { db in try db.sensors(household: household) }
            let answered = await plants.readingWaiters.ask(
                Set(devices.map(\.id)), since: plants.hub.clock.now() - 60_000, within: Self.answerTime
            ) {
                for device in devices {
                    plants.hub.messages.publish(
                        topic: "tandem/\(device.id)/command", payload: ByteBuffer(string: "read"))
                    if device.isVirtual { plants.virtual.poke(device.id) }
                }
            }
            return try .accepted(UpdateResponse(asked: devices.count, answered: answered))
        }
    }

    private func addReading(to routes: Routes) {
        let plants = plants
        routes.get("/api/plants", .member, "Every plant, how it is, and what to do next.") { request in
            let household = try request.member.household
            let calendar = try await plants.calendar()
            let people = try await plants.names(household: household)
            let situations = try await plants.observer.situations(
                household: household, in: request.hub.database, calendar)
            let words = HouseholdText(
                situations.map {
                    HouseholdText.Plant(
                        name: $0.plant.name, state: $0.state, hasSensor: !$0.sensors.isEmpty,
                        latest: $0.leading?.latest, forecast: $0.forecast, claim: $0.claim,
                        watered: $0.lastWatering?.at)
                }, calendar: calendar)
            let language = request.language
            return try .json(
                ListResponse(
                    headline: words.headline.string(in: language, from: .plants),
                    lead: words.lead.string(in: language, from: .plants), weight: words.weight.rawValue,
                    plants: situations.map { PlantResponse($0, people: people, in: language, calendar) }))
        }
        routes.get("/api/plants/{id}", .member, "One plant.") { request in
            try .json(
                try await plants.response(request.path("id"), household: request.member.household, in: request.language)
            )
        }
    }

    private func addWriting(to routes: Routes) {
        let plants = plants
        routes.post(
            "/api/plants", .adult, "Adds a plant; `virtual` gives it a sensor that the hub plays.",
            takes: PlantInput.self
        ) { request, body in
            let plant = try await plants.add(body, household: request.member.household)
            return try .created(try await plants.response(plant.id, household: plant.household, in: request.language))
        }
        routes.patch(
            "/api/plants/{id}", .adult, "Changes a plant.", takes: PlantInput.self
        ) { request, body in
            let plant = try await plants.change(request.path("id"), body, household: request.member.household)
            return try .json(try await plants.response(plant.id, household: plant.household, in: request.language))
        }
        routes.delete("/api/plants/{id}", .adult, "Removes a plant. What its sensor measured stays.") { request in
            try await plants.remove(request.path("id"), household: request.member.household)
            return .nothing
        }
    }
}

private struct UpdateResponse: Codable { var asked, answered: Int }

private struct ListResponse: Codable {
    /// A drawing, and the limits that a new plant of its kind gets.
    struct Kind: Codable {
        struct Limits: Codable { var low, high: Double }
        var art: String
        var limits: Limits

        init(_ art: PlantArt) {
            self.art = art.rawValue
            limits = Limits(low: art.personality.limits.low, high: art.personality.limits.high)
        }
    }
    var headline, lead: String
    /// How much the headline matters on Today: a ``HeadlineWeight``.
    var weight: Int
    var kinds = PlantArt.allCases.map(Kind.init)
    var plants: [PlantResponse]
}
