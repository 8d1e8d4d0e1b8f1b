extension LocalizedText {
    /// The sentence as somebody reads it.
    ///
    /// - Parameters:
    ///   - language: where the catalog has no words in it, the nearest, and at last the English sentence as it is written.
    ///   - catalog: of the module whose sentence it is, or of all.
    public func string(in language: Language, from catalog: StringCatalog) -> String {
        let format: String
        switch catalog.translation(of: key, in: language) {
        case .one(let text)?: format = text
        case .plural(let forms)?:
            let count = arguments.lazy.compactMap(\.count).first
            let category = count.map { PluralCategory($0, in: language) } ?? .other
            format = forms[category] ?? forms[.other] ?? key
        case nil: format = key
        }
        var text = ""
        for part in Placeholders.parts(of: format) {
            switch part {
            case .text(let words): text += words
            case .argument(let index):
                if arguments.indices.contains(index) { text += arguments[index].string(in: language, from: catalog) }
            }
        }
        return text
    }
}

extension [LocalizedText] {
    /// Whole sentences one after the other, each with a capital at its beginning.
    ///
    /// - Parameters:
    ///   - language: of whoever reads them.
    ///   - catalog: of the module whose sentences they are, or of all.
    public func string(in language: Language, from catalog: StringCatalog) -> String {
        map {
            let sentence = $0.string(in: language, from: catalog)
            return sentence.prefix(1).uppercased() + sentence.dropFirst()
        }.joined(separator: " ")
    }
}

extension LocalizedText {
    /// The word for a small number, two to twelve; nil for those that stand in digits. One is none of them: its words
    /// differ with what is counted, so sentences have a form for it.
    static func word(for count: Int) -> LocalizedText? {
        switch count {
        case 2: LocalizedText("two")
        case 3: LocalizedText("three")
        case 4: LocalizedText("four")
        case 5: LocalizedText("five")
        case 6: LocalizedText("six")
        case 7: LocalizedText("seven")
        case 8: LocalizedText("eight")
        case 9: LocalizedText("nine")
        case 10: LocalizedText("ten")
        case 11: LocalizedText("eleven")
        case 12: LocalizedText("twelve")
        default: nil
        }
    }
}

extension LocalizedText.Argument {
    fileprivate var count: Int? {
        switch self {
        case .count(let count), .spelled(let count): count
        case .list(let items): items.count
        case .text, .decimal, .localized: nil
        }
    }

    fileprivate func string(in language: Language, from catalog: StringCatalog) -> String {
        switch self {
        case .text(let text): return text
        case .count(let count): return NumberFormat(language).whole(count)
        case .spelled(let count):
            return LocalizedText.word(for: count)?.string(in: language, from: catalog)
                ?? NumberFormat(language).whole(count)
        case .decimal(let thousandths, let decimals):
            return NumberFormat(language).decimal(thousandths: thousandths, decimals: decimals)
        case .localized(let text): return text.string(in: language, from: catalog)
        case .list(let items):
            let texts = items.map { $0.string(in: language, from: catalog) }
            guard let last = texts.last, texts.count > 1 else { return texts.first ?? "" }
            let before = texts.dropLast().joined(separator: ", ")
            return LocalizedText("\(before) and \(last)").string(in: language, from: catalog)
        }
    }
}
