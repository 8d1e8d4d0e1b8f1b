/// A value of CBOR (RFC 8949), of the kinds that authenticators write.
enum CBORValue: Hashable, Sendable {
    /// A number that is not negative.
    case unsigned(UInt64)
    /// A negative number by its distance: `0` is -1, `6` is -7.
    case negative(UInt64)
    case bytes([UInt8])
    case text(String)
    case array([CBORValue])
    case map([CBORValue: CBORValue])
    case boolean(Bool)
    case null

    /// The number of an integer that fits; nil for anything else.
    var integer: Int? {
        switch self {
        case .unsigned(let value): Int(exactly: value)
        case .negative(let value): Int(exactly: value).map { -1 - $0 }
        default: nil
        }
    }

    /// The bytes of a byte string; nil for anything else.
    var byteString: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }

    /// The text of a text string; nil for anything else.
    var string: String? { if case .text(let text) = self { text } else { nil } }

    /// The entries of a map; nil for anything else.
    var entries: [CBORValue: CBORValue]? { if case .map(let entries) = self { entries } else { nil } }
}

/// The reason why bytes are no CBOR of an authenticator.
enum CBORError: Error, Equatable {
    /// The bytes end within a value.
    case endsEarly
    /// A kind of value that authenticators do not write: a tag, a number with a point, a length that is not said.
    case unsupported
    /// A number or length in more bytes than it needs.
    case longForm
    /// The keys of a map in another order than the canonical one, or one of them twice.
    case keyOrder
    /// A text that is not in UTF-8.
    case notText
    /// Arrays and maps within each other beyond the four levels of CTAP2.
    case tooDeep
    /// More values than the reader takes.
    case tooMany
    /// Bytes behind the value.
    case leftOver
}
