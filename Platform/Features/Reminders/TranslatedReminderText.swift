import Foundation
import HubKit
import Localization
import Storage

/// The text of a reminder in every language of the hub, since its reader may not be the person it is for.
struct TranslatedReminderText: Sendable, Equatable {
    /// The English text, which the columns of a reminder hold.
    var english: ReminderText
    /// The other languages, by their tags.
    var translations: [String: Words] = [:]

    struct Words: Codable, Sendable, Equatable { var title, body: String }

    init(_ english: ReminderText) { self.english = english }

    /// Combines several texts, at least one, into a notice. It opens their common page, or Today.
    init(of texts: [TranslatedReminderText]) {
        let first = texts[0]
        self = first
        guard texts.count > 1 else { return }
        let title = [LocalizedText("\(spelled: texts.count) things for today")]
        english = ReminderText(
            title: title.string(in: .english, from: .reminders), body: texts.map(\.english.body).joined(separator: " "),
            path: texts.allSatisfy { $0.english.path == first.english.path } ? first.english.path : "/")
        for language in StringCatalog.hub.languages where language != .english {
            let bodies = texts.map { $0.translations[language.tag]?.body ?? $0.english.body }
            translations[language.tag] = Words(
                title: title.string(in: language, from: .reminders), body: bodies.joined(separator: " "))
        }
    }

    /// The other languages as stored; nil if there are none.
    var json: String? {
        translations.isEmpty
            ? nil : (try? JSONEncoder().encode(translations)).flatMap { String(data: $0, encoding: .utf8) }
    }

    /// Asks for a text in each language; nil if there is none in English.
    ///
    /// - Parameter text: returns the text in a language.
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
    /// Stores the text that is sent now.
    mutating func store(_ words: TranslatedReminderText) {
        title = words.english.title
        body = words.english.body
        path = words.english.path
        translations = words.json
    }

    /// The text that was sent, in a language, or else in English.
    func words(in language: Language) -> TranslatedReminderText.Words {
        TranslatedReminderText.Words(title: title ?? "", body: body ?? "").or(translations, in: language)
    }
}

extension ReminderEventRecord {
    /// The text that was sent, in a language, or else in English; nil if none was.
    func words(in language: Language) -> TranslatedReminderText.Words? {
        title.map { TranslatedReminderText.Words(title: $0, body: body ?? "").or(translations, in: language) }
    }
}

extension TranslatedReminderText.Words {
    /// The text in another language, if it was stored.
    fileprivate func or(_ translations: String?, in language: Language) -> Self {
        guard language != .english, let translations else { return self }
        return (try? JSONDecoder().decode([String: Self].self, from: Data(translations.utf8)))?[language.tag] ?? self
    }
}
