import Foundation
import GRDB
import HubKit
import Storage
import TriviaToyTexts

/// The facts that come with Tandem, as they stand in `Pack`.
enum FactPack {
    /// A line of a file.
    private struct Line: Decodable {
        struct Source: Decodable { var title, url: String }
        var id: String
        var difficulty: DifficultyName
        var age: Int
        var en, de: String
        var source: Source
    }

    /// The files, each with the category that it is.
    static let files: [(category: CategoryName, lines: [UInt8])] = [
        (.animals, [UInt8](animalsFacts())), (.humanBody, [UInt8](bodyFacts())),
        (.food, [UInt8](foodFacts())), (.geography, [UInt8](geographyFacts())),
        (.history, [UInt8](historyFacts())), (.inventions, [UInt8](inventionsFacts())),
        (.kitchenChemistry, [UInt8](kitchenChemistryFacts())), (.languages, [UInt8](languagesFacts())),
        (.numbers, [UInt8](mathematicsFacts())), (.music, [UInt8](musicFacts())),
        (.oceans, [UInt8](oceansFacts())), (.physics, [UInt8](physicsFacts())),
        (.plants, [UInt8](plantsFacts())), (.space, [UInt8](spaceFacts())),
        (.sports, [UInt8](sportsFacts())), (.weather, [UInt8](weatherFacts())),
    ]

    /// The facts of the pack, in both languages. A line that could not be read would be left out rather than keep the
    /// hub from starting; the tests and `scripts/check-facts.py` read each.
    static let facts: [NewFact] = {
        let decoder = JSONDecoder()
        return files.flatMap { file in
            file.lines.split(separator: 0x0A).flatMap { bytes -> [NewFact] in
                guard let line = try? decoder.decode(Line.self, from: Data(bytes)) else { return [] }
                return [(LanguageName.en, line.en), (.de, line.de)].map { language, text in
                    NewFact(
                        origin: .pack, key: line.id, language: language, category: file.category,
                        difficulty: line.difficulty, youngestAge: line.age, text: text, sourceTitle: line.source.title,
                        sourceURL: line.source.url)
                }
            }
        }
    }()

    /// The digest of the pack, which is unlike that of any other version.
    static let digest: Data = Secret.hash(
        files.map { "\($0.category.rawValue)\n" + String(decoding: $0.lines, as: UTF8.self) }.joined())

    /// Gives a household the pack, or what is new in it.
    static func install(household: String, now: Int64, _ db: Database) throws {
        let installed = try Data.fetchOne(
            db, cached: "SELECT digest FROM toy_pack WHERE household = ?", arguments: [household])
        guard installed != digest else { return }
        for fact in facts { _ = try fact.store(household: household, now: now, db) }
        try db.execute(
            cached: "INSERT OR REPLACE INTO toy_pack(household, digest) VALUES (?, ?)", arguments: [household, digest])
    }
}
