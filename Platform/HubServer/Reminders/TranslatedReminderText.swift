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

    /// One notice of several texts, which there is at least one of. It leads to the page of them all, or to Today.
    init(of texts: [TranslatedReminderText]) {
        let first = texts[0]
        self = first
        guard texts.count > 1 else { return }
        let title = [LocalizedText("\(spelled: texts.count) things for today")]
        english = ReminderText(
            title: title.string(in: .english, from: .server), body: texts.map(\.english.body).joined(separator: " "),
            path: texts.allSatisfy { $0.english.path == first.english.path } ? first.english.path : "/")
        for language in StringCatalog.hub.languages where language != .english {
            let bodies = texts.map { $0.translations[language.tag]?.body ?? $0.english.body }
            translations[language.tag] = Words(
                title: title.string(in: language, from: .server), body: bodies.joined(separator: " "))
        }
    }

    /// The other languages as they are stored; nil where there are none.
    var json: String? {
        translations.isEmpty
            ? nil : (try? JSONEncoder().encode(translations)).flatMap { String(data: $0, encoding: .utf8) }
    }

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
        translations = words.json
    }

    /// What was said, in a language; in English where it was not said in that.
    func words(in language: Language) -> TranslatedReminderText.Words {
        TranslatedReminderText.Words(title: title ?? "", body: body ?? "").or(translations, in: language)
    }
}

extension ReminderEventRecord {
    /// What was said, in a language; nil where nothing was.
    func words(in language: Language) -> TranslatedReminderText.Words? {
        title.map { TranslatedReminderText.Words(title: $0, body: body ?? "").or(translations, in: language) }
    }
}

extension TranslatedReminderText.Words {
    /// In another language, as far as it was said in that.
    fileprivate func or(_ translations: String?, in language: Language) -> Self {
        guard language != .english, let translations else { return self }
        return (try? JSONDecoder().decode([String: Self].self, from: Data(translations.utf8)))?[language.tag] ?? self
    }
}
