import Foundation
import Localization
import Wire

extension String {
    /// The name without characters that nobody sees, as a person, a household or a device may have it.
    ///
    /// - Parameter field: the input's name in the request.
    /// - Throws: a 422 problem for a name of nothing, or of more than 60 characters or one line.
    public func checkedName(field: String = "name") throws(Problem) -> String {
        let name = trimmingCharacters(in: .whitespacesAndNewlines)
        let seen = name.withoutUnseenCharacters
        // A joiner or a variation selector alone is a name of nothing.
        let isSeen = seen.unicodeScalars.contains {
            !UnseenCharacters.isNothingAlone($0.value) && !$0.properties.isWhitespace
        }
        guard isSeen, name.count <= 60,
            !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { throw Problem.field(field, "A name has between 1 and 60 characters, on one line.") }
        return seen
    }
}
