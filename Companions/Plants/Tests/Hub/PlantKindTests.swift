import HubKit
import PlantsEngine
import Testing

@testable import PlantsHub

@Suite("Kinds of plants")
struct PlantKindTests {
    @Test("Each line of the table can be read, there are at least 150, and none twice under any name")
    func table() {
        #expect(PlantKind.all.count == PlantKind.lines.count)
        #expect(PlantKind.all.count >= 150)
        for names in [PlantKind.all.map(\.latin), PlantKind.all.map(\.english), PlantKind.all.map(\.german)] {
            #expect(Set(names.map { $0.lowercased() }).count == names.count)
            #expect(names.allSatisfy { !$0.isEmpty && $0.trimmingSpaces == $0 && $0.count <= PlantRules.longestName })
        }
    }

    @Test("Limits of each kind are such as a person could type, and its source is named")
    func limits() throws {
        for kind in PlantKind.all {
            try PlantRules.check(low: kind.moisture.low, high: kind.moisture.high)
            for quantity in kind.likes.quantities {
                let limits = try #require(kind.likes[quantity])
                try PlantRules.check(quantity, low: limits.low, high: limits.high)
            }
            #expect(kind.likes.temperature != nil && kind.likes.dailyLight != nil, "\(kind.latin)")
            #expect(kind.fertiliseWeeks.map { (1...12).contains($0) } ?? true, "\(kind.latin)")
            #expect(kind.repotYears.map { (1...6).contains($0) } ?? true, "\(kind.latin)")
            #expect(kind.source.hasSuffix(kind.latin), "\(kind.latin)")
        }
    }

    @Test(
        "A kind is found by its Latin, English or German name, without capitals and accents",
        arguments: [
            ("monstera del", "Monstera deliciosa"), ("PEACE lil", "Spathiphyllum wallisii"),
            ("einblatt", "Spathiphyllum wallisii"), ("glucksfeder", "Zamioculcas zamiifolia"),
            ("Glücksfeder", "Zamioculcas zamiifolia"), (" bogenhanf ", "Dracaena trifasciata"),
        ])
    func search(text: String, latin: String) {
        #expect(PlantKind.named(text).first?.latin == latin)
    }

    @Test("A search that finds nothing, or is odd, answers with nothing, and one for much with a dozen at most")
    func odd() {
        #expect(PlantKind.named("qqqq").isEmpty)
        #expect(PlantKind.named("%' OR 1=1 --").isEmpty)
        #expect(PlantKind.named(String(repeating: "a", count: 10_000)).isEmpty)
        #expect(PlantKind.named("a").count == PlantKind.mostFound)
        #expect(PlantKind.named("").count == PlantKind.mostFound)
    }

    @Test("A plant of a kind gets its limits, and those that somebody gives instead; neither is needed")
    func added() async throws {
        let app = try await PlantsTestApp()
        let fern = try await app.send(.post, "/api/plants", #"{"name":"Ferdinand","kind":"Nephrolepis exaltata"}"#)
        #expect(fern.status == 201)
        let likes = try #require(fern["likes"] as? [String: Any])
        #expect((likes["temperature"] as? [String: Any])?["low"] as? Double == 12)
        #expect((fern["limits"] as? [String: Any])?["low"] as? Double == 38)
        #expect(fern["art"] as? String == "fern")
        let own = try await app.send(
            .post, "/api/plants",
            #"{"name":"Own","kind":"Nephrolepis exaltata","limits":{"low":20,"high":60},"likes":{}}"#)
        #expect((own["limits"] as? [String: Any])?["low"] as? Double == 20)
        #expect((own["likes"] as? [String: Any])?["temperature"] == nil)
        #expect(try await app.send(.post, "/api/plants", #"{"name":"Bare"}"#).status == 201)
        let id = try #require(fern["id"] as? String)
        let without = try await app.send(.patch, "/api/plants/\(id)", #"{"kind":""}"#)
        #expect(without["kind"] == nil)
    }

    @Test("A kind that there is none of is refused")
    func unknown() async throws {
        let app = try await PlantsTestApp()
        let answer = try await app.send(.post, "/api/plants", #"{"name":"Triffid","kind":"Triffidus celestus"}"#)
        #expect(answer.status == 422)
        #expect(answer.detail.contains("Triffidus celestus"))
    }
}
