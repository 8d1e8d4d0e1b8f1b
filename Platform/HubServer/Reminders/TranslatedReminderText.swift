import Foundation
import HubKit
import Localization
import Storage

/// What a reminder says, in every language that the hub speaks: whoever reads it may not be who it is said to.
struct TranslatedReminderText: Sendable, Equatable {
    /// What stands in the columns of a reminder, as ever.
    var english: ReminderText
    /// By the tag of the language.
    var translations: [String: Words] = [:]

    struct Words: Codable, Sendable, Equatable { var title, body: String }

    init(_ english: ReminderText) { self.english = english }

    /// - Parameter text: asked for each language; nil keeps silent in all.
    init?(_ text: (Language) async throws -> ReminderText?) async throws {
        guard let english = try await text(.english) else { return nil }
        self.english = english
        for language in StringCatalog.hub.languages where language != .english {
            guard let words = try await text(language) else { continue }
            translations[language.tag] = Words(title: words.title, body: words.body)
        }
    }
}

extension ReminderRecord {
    /// Keeps what is said now.
    mutating func store(_ words: TranslatedReminderText) {
        title = words.english.title
        body = words.english.body
        path = words.english.path
        translations =
            words.translations.isEmpty
            ? nil : (try? JSONEncoder().encode(words.translations)).flatMap { String(data: $0, encoding: .utf8) }
    }

    /// What was said, in a language; in English where it was not said in that.
    func words(in language: Language) -> TranslatedReminderText.Words {
        let english = TranslatedReminderText.Words(title: title ?? "", body: body ?? "")
        guard language != .english, let translations else { return english }
        let all = try? JSONDecoder().decode([String: TranslatedReminderText.Words].self, from: Data(translations.utf8))
        return all?[language.tag] ?? english
    }
}
