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
        { visit in
            let household = try visit.member.household
            let devices = try await visit.hub.database.pool.read { db in
                try db.plants(household: household).flatMap { try db.sensors(ofPlant: $0.id).map(\.device) }
            }
            let answered = await plants.readingWaiters.ask(
                Set(devices.map(\.id)), since: plants.hub.clock.now() - 60_000, within: Self.answerTime
            ) {
                for device in devices {
                    plants.hub.messages.publish(
                        topic: "tandem/\(device.id)/command", payload: ByteBuffer(string: "read"))
                    if device.isVirtual { plants.virtual.poke(device.id) }
                }
            }
            return try .accepted(UpdateReply(asked: devices.count, answered: answered))
        }
    }

    private func addReading(to routes: Routes) {
        let plants = plants
        routes.get("/api/plants", .member, "Every plant, how it is, and what to do next.") { visit in
            let household = try visit.member.household
            let calendar = try await plants.calendar()
            let people = try await plants.names(household: household)
            let situations = try await visit.hub.database.pool.read { db in
                try plants.observer.situations(household: household, db, calendar)
            }
            let words = HouseholdWords(
                situations.map {
                    HouseholdWords.Plant(
                        name: $0.plant.name, state: $0.state, hasSensor: !$0.sensors.isEmpty,
                        latest: $0.leading?.latest,
                        forecast: $0.forecast)
                }, calendar: calendar)
            return try .json(
                ListReply(
                    headline: words.headline, lead: words.lead,
                    plants: situations.map { PlantReply($0, people: people, calendar) }))
        }
        routes.get("/api/plants/{id}", .member, "One plant.") { visit in
            try .json(try await plants.reply(visit.path("id"), household: visit.member.household))
        }
    }

    private func addWriting(to routes: Routes) {
        let plants = plants
        routes.post(
            "/api/plants", .adult, "Adds a plant; `virtual` gives it a sensor that the hub plays.",
            takes: PlantInput.self
        ) { visit, body in
            let plant = try await plants.add(body, household: visit.member.household)
            return try .created(try await plants.reply(plant.id, household: plant.household))
        }
        routes.patch(
            "/api/plants/{id}", .adult, "Changes a plant.", takes: PlantInput.self
        ) { visit, body in
            let plant = try await plants.change(visit.path("id"), body, household: visit.member.household)
            return try .json(try await plants.reply(plant.id, household: plant.household))
        }
        routes.delete("/api/plants/{id}", .adult, "Removes a plant. What its sensor measured stays.") { visit in
            try await plants.remove(visit.path("id"), household: visit.member.household)
            return .nothing
        }
    }
}

private struct UpdateReply: Codable { var asked, answered: Int }

private struct ListReply: Codable {
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
    var kinds = PlantArt.allCases.map(Kind.init)
    var plants: [PlantReply]
}
