import Foundation
import GRDB
import HubKit
import Localization
import NIOCore
import PlantsEngine
import Storage

/// The household's plants: seeing, adding, changing and removing them.
struct PlantRoutes: Sendable {
    let plants: Plants

    /// The time that sensors have to answer "Update plant data".
    static let answerTime = Duration.seconds(2)

    func add(to routes: Routes) {
        addReading(to: routes)
        addWriting(to: routes)
        addSnoozing(to: routes)
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
                        watered: $0.lastWatering?.at, isUncomfortable: !$0.discomforts.isEmpty)
                }, calendar: calendar)
            let language = request.language
            return try .json(
                ListResponse(
                    headline: HeadlineResponse(words, in: Localizer(language, from: .plants)),
                    plants: situations.map { PlantResponse($0, people: people, in: language, calendar) }))
        }
        routes.get(
            "/api/plants/kinds", .member, "Kinds of plants whose Latin, English or German name has `search` in it.",
            query: [.search]
        ) { request in
            try .json(KindsResponse(PlantKind.named(request.query(.search) ?? "")))
        }
        routes.get("/api/plants/{id}", .member, "One plant.") { request in
            try .json(
                try await plants.response(request.path("id"), household: request.member.household, in: request.language)
            )
        }
    }

    private func addSnoozing(to routes: Routes) {
        routes.post(
            "/api/plants/{id}/snooze", .member,
            "Not today: nobody is reminded of the plant until a time, a day from now where it is left out.",
            takes: SnoozeInput.self
        ) { request, input in
            let household = try request.member.household
            let until = input.until ?? plants.hub.clock.now() + Plants.usualSnooze
            try await plants.snooze(request.path("id"), until: until, household: household)
            return try .json(
                try await plants.response(request.path("id"), household: household, in: request.language))
        }
        routes.delete("/api/plants/{id}/snooze", .member, "The plant is reminded of again.") { request in
            let household = try request.member.household
            try await plants.snooze(request.path("id"), until: nil, household: household)
            return try .json(
                try await plants.response(request.path("id"), household: household, in: request.language))
        }
    }

    private func addWriting(to routes: Routes) {
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

private struct SnoozeInput: Decodable {
    /// UTC milliseconds.
    var until: Int64?
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
    var headline: HeadlineResponse
    var kinds = PlantArt.allCases.map(Kind.init)
    var plants: [PlantResponse]
}

/// The kinds of plants as pages get them.
private struct KindsResponse: Codable {
    struct Item: Codable {
        var latin, english, german: String
        var art: PlantArt
        var limits: PlantResponse.Limits
        var likes: PlantLikes
        /// The weeks between two fertilisings while it grows.
        var fertiliseWeeks: Int?
        var repotYears: Int?
        /// The source in which its care can be looked up.
        var source: String
    }
    var kinds: [Item]

    init(_ kinds: [PlantKind]) {
        self.kinds = kinds.map {
            Item(
                latin: $0.latin, english: $0.english, german: $0.german, art: $0.art,
                limits: PlantResponse.Limits(low: $0.moisture.low, high: $0.moisture.high), likes: $0.likes,
                fertiliseWeeks: $0.fertiliseWeeks, repotYears: $0.repotYears, source: $0.source)
        }
    }
}

extension QueryParameter {
    fileprivate static let search = QueryParameter(
        "search", "Part of a name; where it is left out, the first few of the alphabet.")
}
