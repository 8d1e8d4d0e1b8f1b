import ArgumentParser

/// The `--spreadsheet` option of a command that writes tables.
public struct TableOption: ParsableArguments {
    /// The separators that spreadsheets expect.
    enum Spreadsheet: String, ExpressibleByArgument, CaseIterable { case comma, semicolon }

    @Option(
        help: ArgumentHelp(
            "Writes a table for a spreadsheet: comma (with 1.5) or semicolon (with 1,5, as Excel in German wants it).",
            valueName: "separator"))
    var spreadsheet: Spreadsheet?

    /// The form of the tables.
    public var form: TableForm {
        switch spreadsheet {
        case nil: .plain
        case .comma: .comma
        case .semicolon: .semicolon
        }
    }

    /// Creates the option with the form for programs.
    public init() {}
}
