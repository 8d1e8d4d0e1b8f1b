import HubKit

/// Looks at the inputs of a form one after the other, so that whoever filled it in reads all that is wrong at once.
struct FieldChecks {
    private var problems: [Problem] = []

    /// Runs one check, and goes on where an input does not pass it.
    ///
    /// - Throws: what is no problem of an input.
    mutating func run(_ check: () throws -> some Any) throws {
        do {
            _ = try check()
        } catch let problem as Problem where problem.field != nil {
            problems.append(problem)
        }
    }

    /// - Throws: the first problem, with all of them in its `errors`; nothing where there is none.
    func finish() throws {
        guard var first = problems.first else { return }
        first.errors = problems.compactMap { problem in
            problem.field.map { Problem.FieldError(field: $0, detail: problem.detail) }
        }
        throw first
    }
}
