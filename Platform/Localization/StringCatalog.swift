import CEmbeddedText
import Foundation
import LocalizationTexts

/// The translations of a module's texts, read from a String Catalog (`.xcstrings`, the JSON that Apple's tools and
/// translators' editors use). Strings and their plural variations are supported.
public struct StringCatalog: Sendable {
    private var translations: [String: [Language: Translation]]
    /// The languages of the translations, without English.
    public let languages: Set<Language>

    enum Translation: Hashable, Sendable {
        case one(String)
        /// The plural forms by the category of the text's first count; `other` is always among them.
        case plural([PluralCategory: String])
    }

    /// Creates an empty catalog.
    public init() {
        translations = [:]
        languages = []
    }

    /// Reads a String Catalog.
    ///
    /// - Parameter json: the bytes of the file.
    /// - Throws: `StringCatalogError` if it cannot be read, or has a translation that does not fit its key.
    public init(json: some Sequence<UInt8>) throws(StringCatalogError) {
        let file: File
        do {
            file = try JSONDecoder().decode(File.self, from: Data(json))
        } catch {
            throw .unreadable("\(error)")
        }
        guard file.sourceLanguage == Language.english.tag else { throw .wrongSource(file.sourceLanguage) }
        var translations: [String: [Language: Translation]] = [:]
        var languages: Set<Language> = []
        for (key, entry) in file.strings {
            for (tag, localization) in entry.localizations ?? [:] {
                let language = Language(tag)
                let translation = try localization.translation(key: key, language: language)
                for text in translation.texts where !Placeholders.fit(text, key: key) {
                    throw .placeholders(key: key, language: language)
                }
                translations[key, default: [:]][language] = translation
                if language != .english { languages.insert(language) }
            }
        }
        self.translations = translations
        self.languages = languages
    }

    /// A catalog that was built into the executable. Each has a test that reads it, so that none that ships is broken;
    /// one that were would leave its sentences in English.
    public init(embedded json: EmbeddedText) {
        do {
            self = try StringCatalog(json: [UInt8](json))
        } catch {
            assertionFailure("\(error)")
            self = StringCatalog()
        }
    }

    /// The words of this module: small numbers, and what joins names.
    public static let words = StringCatalog(embedded: localizationSentences())

    /// A catalog with the translations of both; those of the other take precedence.
    public func merging(_ other: StringCatalog) -> StringCatalog {
        var merged = self
        merged.translations.merge(other.translations) { $0.merging($1) { $1 } }
        return StringCatalog(merged.translations, languages.union(other.languages))
    }

    private init(_ translations: [String: [Language: Translation]], _ languages: Set<Language>) {
        self.translations = translations
        self.languages = languages
    }

    /// The translation of a text into a language or its nearest relative; nil if there is only the key.
    func translation(of key: String, in language: Language) -> Translation? {
        guard let found = translations[key] else { return nil }
        var candidate: Language? = language
        while let wanted = candidate {
            if let translation = found[wanted] { return translation }
            candidate = wanted.parent
        }
        return found[.english]
    }

    private struct File: Decodable {
        let sourceLanguage: String
        let strings: [String: Entry]
    }

    private struct Entry: Decodable {
        let localizations: [String: Localization]?
    }

    private struct Localization: Decodable {
        let stringUnit: StringUnit?
        let variations: Variations?

        func translation(key: String, language: Language) throws(StringCatalogError) -> Translation {
            if let unit = stringUnit { return .one(unit.value) }
            var forms: [PluralCategory: String] = [:]
            for (name, form) in variations?.plural ?? [:] {
                guard let category = PluralCategory(rawValue: name), let unit = form.stringUnit else {
                    throw .unknownPlural(name, key: key, language: language)
                }
                forms[category] = unit.value
            }
            guard forms[.other] != nil else { throw .incompletePlural(key: key, language: language) }
            return .plural(forms)
        }
    }

    private struct StringUnit: Decodable {
        let value: String
    }

    private struct Variations: Decodable {
        let plural: [String: Form]?

        struct Form: Decodable {
            let stringUnit: StringUnit?
        }
    }
}

extension StringCatalog.Translation {
    var texts: [String] {
        switch self {
        case .one(let text): [text]
        case .plural(let forms): Array(forms.values)
        }
    }
}

/// The reason why a String Catalog cannot be used.
public enum StringCatalogError: Error, Hashable, CustomStringConvertible {
    case unreadable(String)
    case wrongSource(String)
    case unknownPlural(String, key: String, language: Language)
    case incompletePlural(key: String, language: Language)
    case placeholders(key: String, language: Language)

    public var description: String {
        switch self {
        case .unreadable(let reason): "This is no String Catalog: \(reason)"
        case .wrongSource(let tag): "The source language of a catalog here is en, not \(tag)."
        case .unknownPlural(let name, let key, let language):
            "“\(key)” has no plural form “\(name)” in \(language): zero, one, two, few, many or other."
        case .incompletePlural(let key, let language):
            "“\(key)” wants a stringUnit, or plural forms with “other” among them, in \(language)."
        case .placeholders(let key, let language):
            "“\(key)” has other placeholders in \(language): each %@ of the sentence may be left out, none may be new."
        }
    }
}
