import Foundation
import HubInstruments
import HubKit
import Localization
import TestInstruments
import Testing

@testable import BrushingHub

@Suite("What is said of everybody’s brushing")
struct OverviewTextTests {
    static let table = try? SentenceTable(file("overview"))
    static let reminderTable = try? SentenceTable(file("reminders"))

    private static func file(_ name: String) -> URL? {
        Bundle.module.resourceURL?.appendingPathComponent("Sentences/\(name).tsv")
    }

    private static func spoken(_ texts: [LocalizedText], _ language: Language) -> String {
        texts.string(in: language, from: .brushing)
    }

    @Test("The tables are there")
    func present() throws {
        #expect(try #require(Self.table).rows.count > 200)
        #expect(try #require(Self.reminderTable).rows.count > 30)
    }

    @Test("Each row of the table is said as it stands there, in English and in German", arguments: table?.rows ?? [])
    func row(row: SentenceTable.Row) throws {
        let words = OverviewText(try OverviewFacts.people(row.facts))
        let said = [Language.english, .german].flatMap {
            [Self.spoken(words.headline, $0), Self.spoken(words.lead, $0)]
        }
        #expect(said == row.sentences, "\(SentenceTable.Row.text(row.facts, said))")
    }

    @Test("A reminder says what fits the hour at which it is read", arguments: reminderTable?.rows ?? [])
    func reminder(row: SentenceTable.Row) throws {
        let cells = row.facts.split(separator: " | ").map(String.init)
        let minutes = cells[0].split(separator: ":").compactMap { Int32($0) }
        let person = try #require(try OverviewFacts.people("7:00 | " + cells[1]).first)
        let words = DailyReminderText(
            name: person.name, person: "mila", part: DayPart(minute: minutes[0] * 60 + minutes[1]),
            isChild: cells.count > 2, plannedSeconds: person.plannedSeconds, streakDays: person.streakDays)
        let said = [Language.english, .german].flatMap {
            [Self.spoken([words.title], $0), Self.spoken(words.body, $0)]
        }
        #expect(said == row.sentences, "\(SentenceTable.Row.text(row.facts, said))")
    }

    // MARK: What is never said

    /// Households of every size, with anything that may be known of them.
    private static func people(at minute: Int32, using random: inout SeededGenerator) -> [OverviewText.Person] {
        let names = ["Mila", "Theo", "Ines", "Tom", "Ada", "Ben", "Cleo", "Dora"]
        return names.prefix(Int.random(in: 1...8, using: &random)).map { name in
            var person = OverviewText.Person(name: name, part: DayPart(minute: minute))
            let sinceFour = (minute + 1_440 - 240) % 1_440
            person.minutes = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                (240 + Int32.random(in: 0...max(sinceFour, 1), using: &random)) % 1_440
            }
            person.perDay = Int.random(in: 1...3, using: &random)
            if Int.random(in: 0..<6, using: &random) == 0 {
                person.dayOff = FrozenDay.Reason.allCases.randomElement(using: &random)
            }
            person.isNew = person.minutes.isEmpty && Int.random(in: 0..<6, using: &random) == 0
            if Bool.random(using: &random) {
                person.reminderNext = .init(
                    days: Int32.random(in: 0...3, using: &random), minute: Int32.random(in: 0..<1_440, using: &random))
            }
            return person
        }
    }

    @Test(
        "At no hour is a part of the day claimed that it is not, nor “all” said while one is open",
        arguments: [1, UInt64.random(in: 2...UInt64.max)])
    func truth(seed: UInt64) {
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for minute in stride(from: Int32(0), to: 1_440, by: 5) {
            for _ in 0..<20 {
                let people = Self.people(at: minute, using: &random)
                let words = OverviewText(people)
                let headline = Self.spoken(words.headline, .english)
                let all = headline + " " + Self.spoken(words.lead, .english)
                let part = DayPart(minute: minute)
                let active = people.filter { $0.dayOff == nil && !$0.isNew }
                let missing = active.filter { !$0.isDone }
                let place = "\(minute / 60):\(minute % 60) \(people): \(all)"
                if headline.contains("brushed this morning") {
                    #expect(part == .morning || part == .afternoon, "\(place)")
                }
                if headline.contains("not brushed this morning") { #expect(part == .morning, "\(place)") }
                if headline.contains("this evening") { #expect(part == .evening, "\(place)") }
                if all.contains("this evening") { #expect(part != .night, "\(place)") }
                if headline.contains("before bed") { #expect(part == .night, "\(place)") }
                if headline.hasPrefix("All ") || headline.hasPrefix("Everybody") {
                    #expect(missing.isEmpty && (active.isEmpty || active.count == people.count), "\(place)")
                }
                if headline.hasPrefix("Nobody has brushed "), !headline.contains("here") {
                    #expect(active.allSatisfy { !$0.isDone }, "\(place)")
                }
                if headline.contains("have brushed today."), missing.isEmpty, part == .afternoon {
                    #expect(active.allSatisfy { $0.isComplete }, "\(place)")
                }
                for person in missing where missing.count < 3 { #expect(headline.contains(person.name), "\(place)") }
                if all.contains("Next this evening.") {
                    #expect(active.allSatisfy { !$0.isComplete }, "\(place)")
                }
            }
        }
    }

    @Test("Every sentence is there in German, and asks for nothing that it does not have")
    func translated() throws {
        for row in try #require(Self.table).rows where row.sentences.count == 4 {
            for (english, german) in [(row.sentences[0], row.sentences[2]), (row.sentences[1], row.sentences[3])] {
                #expect(english != german || english.isEmpty, "\(row)")
                #expect(!german.contains("%") && !english.contains("%"), "\(row)")
            }
        }
    }

    // MARK: Plural forms

    @Test(
        "One is not many",
        arguments: [
            (0, "0 days in a row so far.", "Bisher 0 Tage hintereinander."), (1, "One day so far.", "Bisher ein Tag."),
            (2, "Two days in a row so far.", "Bisher zwei Tage hintereinander."),
            (13, "13 days in a row so far.", "Bisher 13 Tage hintereinander."),
        ])
    func days(count: Int, english: String, german: String) {
        let text = [LocalizedText("\(spelled: count) days in a row so far.")]
        #expect(Self.spoken(text, .english) == english)
        #expect(Self.spoken(text, .german) == german)
    }

    @Test(
        "Several names are many, one is one",
        arguments: [
            (1, "Mila has not yet.", "Mila hat heute Abend geputzt."),
            (2, "Mila and Theo have not yet.", "Mila und Theo haben heute Abend geputzt."),
            (3, "Mila, Theo and Ines have not yet.", "Mila, Theo und Ines haben heute Abend geputzt."),
        ])
    func names(count: Int, english: String, german: String) {
        let names = Array(["Mila", "Theo", "Ines"].prefix(count))
        #expect(Self.spoken([LocalizedText("\(list: names) have not yet.")], .english) == english)
        #expect(Self.spoken([LocalizedText("\(list: names) brushed this evening.")], .german) == german)
    }
}
