import HubKit

extension QueryParameter {
    /// The person whose data are asked for.
    static let person = QueryParameter("person", "The id of somebody of the household.", isRequired: true)
    static let from = QueryParameter("from", "The first day, such as 2026-11-21.")
    static let to = QueryParameter("to", "The last day, such as 2026-11-21; today where it is left out.")
    static let until = QueryParameter("until", "The last day, such as 2026-11-21; today where it is left out.")
    static let span = QueryParameter(
        "span", "How far back the charts go; a month where it is left out.", values: DataSpan.allCases.map(\.rawValue))
    static let against = QueryParameter(
        "against", "The earlier stretch that the charts lie over: the one before, or the same a year ago.",
        values: DataComparison.allCases.map(\.rawValue))
    static let fileName = QueryParameter("name", "What the file is called.")
    static let format = QueryParameter(
        "format", "The kind of file; json where it is left out.", values: ExportedDrums.Format.allCases.map(\.rawValue))
    static let binary = QueryParameter("binary", "1 for the binary form of a property list.")
}
