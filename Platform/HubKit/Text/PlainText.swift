import Wire

extension String {
    /// The text without characters that nobody sees and that change what is seen, see `UnseenCharacters`: for names, titles and
    /// notes that do not come in the JSON of a request, of which ``APIRequest/body(_:)`` takes them out.
    public var withoutUnseenCharacters: String {
        // Nearly every text has none.
        guard
            unicodeScalars.contains(where: {
                UnseenCharacters.isDirection($0.value) || UnseenCharacters.isWithoutWidth($0.value)
                    || UnseenCharacters.isControl($0.value)
            })
        else { return self }
        return String(decoding: UnseenCharacters.removed(from: Array(utf8)), as: UTF8.self)
    }
}

/// An input whose texts may have controls when it is decoded, because it refuses them itself, in words about its field.
public protocol RefusesControls {}
