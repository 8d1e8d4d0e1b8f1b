/// The version of a release: numbers with dots between them, as semver.org has them, and what distinguishes a preview.
struct ReleaseVersion: Sendable, Comparable {
    private let numbers: [Int]
    private let isPreview: Bool

    /// Reads a version such as `0.2.0`, or a tag such as `v0.2.0`.
    ///
    /// - Returns: nil for what is no version; it may come from anybody.
    init?(_ text: String) {
        // It comes to templates and pages: no letters but those of semver.org, 2.
        guard text.utf8.count <= 40, text.utf8.allSatisfy(Self.isAllowed) else { return nil }
        let bare = text.hasPrefix("v") ? text.dropFirst() : text[...]
        let parts = bare.split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false)[0]
            .split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        let numbers = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        guard (2...4).contains(numbers.count), numbers.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
        else { return nil }
        let values = numbers.compactMap { Int($0) }
        guard values.count == numbers.count else { return nil }
        self.numbers = values
        isPreview = parts.count > 1
    }

    /// Whether one comes before another (semver.org, 11). Previews of one version are not told apart: nobody is told of them.
    static func < (left: ReleaseVersion, right: ReleaseVersion) -> Bool {
        for index in 0..<max(left.numbers.count, right.numbers.count) {
            let (one, other) = (left.number(index), right.number(index))
            if one != other { return one < other }
        }
        return left.isPreview && !right.isPreview
    }

    static func == (left: ReleaseVersion, right: ReleaseVersion) -> Bool { !(left < right) && !(right < left) }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "+"):
            true
        default: false
        }
    }

    private func number(_ index: Int) -> Int { index < numbers.count ? numbers[index] : 0 }
}
