import Foundation
import Localization

/// A table of facts and of what is said of them, for people to read: a row a line, cells with a tab between. The first
/// cell holds the facts, the others what is said; `-` is nothing. Lines that begin with `#` are remarks.
public struct SentenceTable: Sendable {
    /// One line.
    public struct Row: Sendable, CustomStringConvertible {
        /// From 1.
        public var line: Int
        public var facts: String
        public var sentences: [String]

        public var description: String { "line \(line): \(facts)" }

        /// The row as it would have to be for what is said.
        public static func text(_ facts: String, _ sentences: [String]) -> String {
            ([facts] + sentences.map { $0.isEmpty ? "-" : $0 }).joined(separator: "\t")
        }
    }

    public var rows: [Row]

    /// - Parameter file: a resource of the tests.
    public init(_ file: URL?) throws {
        guard let file else { throw CocoaError(.fileNoSuchFile) }
        let text = try String(contentsOf: file, encoding: .utf8)
        rows = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap { index, line in
            guard !line.isEmpty, !line.hasPrefix("#") else { return nil }
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            return Row(
                line: index + 1, facts: cells[0], sentences: cells.dropFirst().map { $0 == "-" ? "" : $0 })
        }
    }
}

extension Language {
    public static let german = Language("de")
}
