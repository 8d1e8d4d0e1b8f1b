extension Int {
    private static let words = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    ]

    /// A number within a sentence: small ones as words, `no` for none, others as digits.
    public var spelled: String { Self.words.indices.contains(self) ? Self.words[self] : "\(self)" }
}

extension [String] {
    /// `Mila`, `Mila and Theo`, `Mila, Theo and Ines`.
    public var listed: String {
        guard let last, count > 1 else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " and " + last
    }
}

extension String {
    /// With a capital at its beginning, and nothing else changed: how a sentence begins.
    public var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
