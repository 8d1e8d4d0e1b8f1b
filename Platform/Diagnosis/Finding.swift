/// The result of one check, in words for the person who runs the hub.
public struct Finding: Sendable, Equatable, Codable {
    /// The grade of a finding.
    public enum Grade: String, Sendable, Codable, CaseIterable {
        /// All is as it should be.
        case well
        /// The hub runs, but something is missing or may go wrong.
        case warning
        /// An action of somebody is needed.
        case fault
    }

    /// The name of the check, such as `port`, the same in every version, for programs.
    public var check: String
    /// The grade.
    public var grade: Grade
    /// The sentence that says what was found.
    public var sentence: String
    /// The sentence that says what to do; nil if there is nothing to do.
    public var advice: String?

    /// Creates a finding that needs nobody.
    public static func well(_ check: String, _ sentence: String) -> Finding {
        Finding(check: check, grade: .well, sentence: sentence, advice: nil)
    }

    /// Creates a finding with which the hub still runs.
    public static func warning(_ check: String, _ sentence: String, _ advice: String) -> Finding {
        Finding(check: check, grade: .warning, sentence: sentence, advice: advice)
    }

    /// Creates a finding that somebody has to do something about.
    public static func fault(_ check: String, _ sentence: String, _ advice: String? = nil) -> Finding {
        Finding(check: check, grade: .fault, sentence: sentence, advice: advice)
    }

    /// The sentence and the advice as one line.
    public var words: String { advice.map { "\(sentence) \($0)" } ?? sentence }

    /// The line for a terminal, with a mark for its grade.
    public var line: String {
        let mark =
            switch grade {
            case .well: "✓"
            case .warning: "!"
            case .fault: "✗"
            }
        return "\(mark) \(words)"
    }
}
