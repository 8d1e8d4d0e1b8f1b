extension Int {
    private static let words = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    ]

    /// The number within a sentence: small ones as words, `no` for zero, others as digits.
    public var spelled: String { Self.words.indices.contains(self) ? Self.words[self] : "\(self)" }
}

extension [String] {
    /// The elements as a list in a sentence, such as `Mila, Theo and Ines`.
    public var listed: String {
        guard let last, count > 1 else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " and " + last
    }
}

extension String {
    /// The text with a capital first letter and nothing else changed, as at the beginning of a sentence.
    public var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
