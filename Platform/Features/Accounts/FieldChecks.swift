import HubKit

/// A check of all inputs of a form, so that all mistakes are reported at once.
struct FieldChecks {
    private var problems: [Problem] = []

    /// Runs one check, and continues if an input fails it.
    ///
    /// - Throws: errors that are not about an input.
    mutating func run(_ check: () throws -> some Any) throws {
        do {
            _ = try check()
        } catch let problem as Problem where problem.field != nil {
            problems.append(problem)
        }
    }

    /// Ends the check.
    ///
    /// - Throws: the first problem, with all of them in its `errors`; nothing if there is none.
    func finish() throws {
        guard var first = problems.first else { return }
        first.errors = problems.compactMap { problem in
            problem.field.map { Problem.FieldError(field: $0, detail: problem.detail) }
        }
        throw first
    }
}
