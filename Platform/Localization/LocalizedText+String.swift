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

extension LocalizedText.Argument {
    fileprivate var count: Int? {
        if case .count(let count) = self { count } else { nil }
    }

    fileprivate func string(in language: Language, from catalog: StringCatalog) -> String {
        switch self {
        case .text(let text): return text
        case .count(let count): return NumberFormat(language).whole(count)
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
