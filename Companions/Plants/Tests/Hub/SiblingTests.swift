import HubInstruments
import HubKit
import Storage
import Testing

@testable import PlantsHub

@Suite("Plants are the household’s")
struct SiblingTests {
    @Test("No route about plants says more of a sibling than that it was they who watered one")
    func walk() async throws {
        let app = try await PlantsTestApp()
        _ = try await app.send(.patch, "/api/people/mila", "{\"timeZone\":\"Asia/Tokyo\",\"birthYear\":2017}")
        let plant = try await app.plant().id
        let at = app.now - 4 * 3_600_000
        let noted = try await app.plants.water(plant, at: at, person: "mila", household: "linden").id
        try await app.use("ines", profile: "theo")
        let walk = SiblingWalk(about: "mila") {
            $0.hasPrefix("/api/plants")
        } send: { method, path, body, bytes in
            try await app.send(method, path, body, bytes: bytes)
        }
        // Of a watering, whose it is says the person.
        let name: Set<String> = ["id", "name", "person", "at", "by", "words", "undone", "what", "note", "photo"]
        let care = "/api/plants/\(plant)/care"
        let done = try await app.send(.post, care, "{\"what\":\"fertilised\",\"person\":\"mila\"}", as: "tom")
        let entry = try #require(done["id"] as? String)
        let pictured = try await app.send(.post, "/api/plants/\(plant)/photos", bytes: PhotoTests.jpeg, as: "ines")
        let photo = try #require(pictured["id"] as? String)
        let waterings = "/api/plants/\(plant)/waterings"
        let faults = try await walk.faults([
            "GET /api/plants": .says(name, "/api/plants"),
            "GET /api/plants/{id}": .says(name, "/api/plants/\(plant)"),
            "GET /api/plants/{id}/chart": .says(name, "/api/plants/\(plant)/chart"),
            "GET /api/plants/kinds": .says(name, "/api/plants/kinds?search=fern"),
            "POST /api/plants/{id}/snooze": .says(name, "/api/plants/\(plant)/snooze", "{}"),
            "DELETE /api/plants/{id}/snooze": .says(name, "/api/plants/\(plant)/snooze"),
            "GET /api/plants/{id}/care": .says(name, care),
            "POST /api/plants/{id}/care": .refused(care, "{\"what\":\"repotted\",\"person\":\"mila\"}"),
            "DELETE /api/plants/{id}/care/{entry}": .says(name, "\(care)/\(entry)"),
            "POST /api/plants/{id}/care/{entry}/restore": .says(name, "\(care)/\(entry)/restore"),
            "POST /api/plants/{id}/photos": .says(name, "/api/plants/\(plant)/photos", bytes: PhotoTests.jpeg),
            "GET /api/plants/{id}/photos/{entry}": .says(name, "/api/plants/\(plant)/photos/\(photo)"),
            "POST /api/plants/update": .says(name, "/api/plants/update"),
            "GET /api/plants/legacy": .says(name, "/api/plants/legacy"),
            "GET /api/plants/{id}/waterings": .says(name, waterings),
            "POST /api/plants/{id}/waterings": .refused(waterings, "{\"person\":\"mila\"}"),
            "DELETE /api/plants/{id}/waterings/{watering}": .says(name, "\(waterings)/\(noted)"),
            "POST /api/plants/{id}/waterings/{watering}/restore": .says(name, "\(waterings)/\(noted)/restore"),
        ])
        #expect(faults == [])
    }

    @Test(
        "Whoever uses the page writes down in their own name; adults, and whoever holds the family's device, in everybody's",
        arguments: ["care", "waterings"])
    func names(path: String) async throws {
        let app = try await PlantsTestApp()
        let plant = try await app.plant().id
        func noted(_ person: String?) async throws -> (status: Int, person: String?) {
            app.advance(milliseconds: 3 * 3_600_000)
            let named = person.map { ",\"person\":\"\($0)\"" } ?? ""
            let answer = try await app.send(
                .post, "/api/plants/\(plant)/\(path)", "{\"what\":\"note\",\"note\":\"New leaf\"\(named)}")
            return (answer.status, answer["person"] as? String)
        }
        try await app.use("ines", profile: "theo")
        #expect(try await noted("mila").status == 403)
        #expect(try await noted("tom").status == 403)
        #expect(try await noted("theo") == (201, "Theo"))
        #expect(try await noted(nil) == (201, "Theo"))
        // Who has moved out since is nobody, and what waited on the phone of an adult is theirs.
        #expect(try await noted("gone") == (201, nil))
        #expect(try await noted("ines") == (201, "Ines"))
        try await app.use("ines", profile: "theo", isShared: true)
        #expect(try await noted("mila") == (201, "Mila"))
        try await app.use("ines", profile: "ines")
        #expect(try await noted("mila") == (201, "Mila"))
    }
}
