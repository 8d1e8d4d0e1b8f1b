import Foundation
import HubInstruments
import Localization
import Testing

@testable import DrumsHub

@Suite("What is said of everybody’s drumming, as the table has it")
struct OverviewSentenceTests {
    static let table = try? SentenceTable(
        Bundle.module.resourceURL?.appendingPathComponent("Sentences/overview.tsv"))

    @Test("The table is there")
    func present() throws { #expect(try #require(Self.table).rows.count > 15) }

    /// `new` or `old`, then each person: minutes practised (`0` is less than one, `-` nothing), of how many planned, and
    /// `Sunday` where the week ends today, `15each` for a plan of 15 minutes at a time, `30today` for 30 that are left today.
    private static func read(_ facts: String) -> OverviewText {
        let parts = facts.components(separatedBy: " | ")
        let people = parts.dropFirst().map { part in
            let words = part.components(separatedBy: " ")
            let numbers = words[1].components(separatedBy: "/")
            return OverviewText.Person(
                name: words[0], minutes: Int(numbers[0]) ?? 0, hasPlayed: numbers[0] != "-",
                isSunday: words.contains("Sunday"), plannedMinutes: numbers.count > 1 ? Int(numbers[1]) : nil,
                leftTodayMinutes: words.number(before: "today"), minutesAtATime: words.number(before: "each"))
        }
        return OverviewText(people, isEmpty: people.isEmpty, isNew: parts[0] == "new")
    }

    @Test("Each row is said as it stands there, in English and in German", arguments: table?.rows ?? [])
    func row(row: SentenceTable.Row) {
        let words = Self.read(row.facts)
        let said = [Language.english, .german].flatMap { language in
            [words.headline, words.lead].map { $0.string(in: language, from: .drums) }
        }
        #expect(said == row.sentences, "\(SentenceTable.Row.text(row.facts, said))")
    }
}

extension [String] {
    /// The number in the word that ends so, such as 15 in `15each`.
    fileprivate func number(before ending: String) -> Int? {
        first { $0.hasSuffix(ending) }.flatMap { Int($0.dropLast(ending.count)) }
    }
}
