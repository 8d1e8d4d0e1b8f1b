import Foundation
import HubInstruments
import HubKit
import Localization
import PlantsEngine
import TestInstruments
import Testing

@testable import PlantsHub

@Suite("What is said of plants, as the tables have it")
struct SentenceTests {
    static let householdTable = try? SentenceTable(file("household"))
    static let plantTable = try? SentenceTable(file("plant"))

    private static func file(_ name: String) -> URL? {
        Bundle.module.resourceURL?.appendingPathComponent("Sentences/\(name).tsv")
    }

    private static func spoken(_ texts: [LocalizedText], _ language: Language) -> String {
        texts.string(in: language, from: .plants)
    }

    @Test("The tables are there")
    func present() throws {
        #expect(try #require(Self.householdTable).rows.count > 40)
        #expect(try #require(Self.plantTable).rows.count > 60)
    }

    @Test("Of all plants together", arguments: householdTable?.rows ?? [])
    func household(row: SentenceTable.Row) throws {
        let (known, calendar) = try HouseholdFacts.read(row.facts)
        let words = HouseholdText(known.map(\.plant), calendar: calendar)
        let said = [Language.english, .german].flatMap {
            [Self.spoken(words.headline, $0), Self.spoken(words.lead, $0)]
        }
        #expect(said == row.sentences, "\(SentenceTable.Row.text(row.facts, said))")
    }

    @Test("Of one plant: in few words, in a sentence, and as its page begins", arguments: plantTable?.rows ?? [])
    func plant(row: SentenceTable.Row) throws {
        let (known, calendar) = try HouseholdFacts.read(row.facts)
        let words = try #require(known.first).text(calendar)
        let said = [Language.english, .german].flatMap {
            [Self.spoken([words.say], $0), Self.spoken(words.detail, $0), Self.spoken([words.sentence], $0)]
        }
        #expect(said == row.sentences, "\(SentenceTable.Row.text(row.facts, said))")
    }

    @Test("Nothing is left in English, and no placeholder is left over")
    func translated() throws {
        for row in try #require(Self.householdTable).rows + #require(Self.plantTable).rows {
            let half = row.sentences.count / 2
            for (english, german) in zip(row.sentences.prefix(half), row.sentences.suffix(half)) {
                #expect(english != german || english.isEmpty, "\(row)")
                #expect(!german.contains("%@") && !english.contains("%@"), "\(row)")
            }
        }
    }

    @Test(
        "Well is said of none of which it is not known, and each that wants a look is in the headline",
        arguments: [1, UInt64.random(in: 2...UInt64.max)])
    func truth(seed: UInt64) throws {
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let calendar = try HouseholdFacts.read("14:00").calendar
        let names = ["Gerda", "Willi", "Olga", "Hans", "Uschi", "Kurt", "Berta"]
        for _ in 0..<4_000 {
            let plants = names.prefix(Int.random(in: 1...7, using: &random)).map { name in
                HouseholdText.Plant(
                    name: name, state: PlantState(rawValue: UInt8.random(in: 0...4, using: &random)) ?? .none,
                    hasSensor: Bool.random(using: &random),
                    latest: MoistureSample(at: calendar.now - 32_400_000, percent: 41), forecast: .now)
            }
            let words = HouseholdText(plants, calendar: calendar)
            let said = Self.spoken(words.headline, .english)
            let fine = plants.count { $0.state == .ok }
            let place = "\(plants.map { "\($0.name) \($0.state)" }): \(said)"
            if said.hasPrefix("All ") || said.hasPrefix("Both ") { #expect(fine == plants.count, "\(place)") }
            #expect(!said.contains("Nothing to water"), "\(place)")
            for state in [PlantState.dry, .wet, .silent] {
                let such = plants.filter { $0.state == state }
                guard (1...2).contains(such.count), !said.hasPrefix("Nobody knows") else { continue }
                for plant in such { #expect(said.contains(plant.name), "\(place)") }
            }
            #expect((words.weight == .well) == (fine == plants.count), "\(place)")
        }
    }

    @Test("A watering is told by the part of the day in which it was, whatever the hour")
    func parts() throws {
        for hour in 0..<24 {
            for quarter in [0, 29, 59] {
                let (_, calendar) = try HouseholdFacts.read("23:59")
                let at = calendar.start(ofDay: calendar.day(of: calendar.now)) + Int64(hour * 60 + quarter) * 60_000
                let said = Self.spoken([calendar.watered(at)], .english)
                let part =
                    hour < 4 ? "last night" : hour < 12 ? "this morning" : hour < 18 ? "this afternoon" : "this evening"
                #expect(said == "Watered \(part).")
            }
        }
    }

    @Test(
        "One is not many",
        arguments: [
            (0, "0 plants want water.", "0 Pflanzen brauchen Wasser."),
            (1, "One plant wants water.", "Eine Pflanze braucht Wasser."),
            (2, "Two plants want water.", "Zwei Pflanzen brauchen Wasser."),
            (13, "13 plants want water.", "13 Pflanzen brauchen Wasser."),
        ])
    func plurals(count: Int, english: String, german: String) {
        let text = [LocalizedText("\(spelled: count) plants want water.")]
        #expect(Self.spoken(text, .english) == english)
        #expect(Self.spoken(text, .german) == german)
    }
}
