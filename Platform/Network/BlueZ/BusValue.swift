/// A value of D-Bus, as programs exchange it (D-Bus specification 0.42, "Type system").
public enum BusValue: Hashable, Sendable {
    case bool(Bool)
    /// A whole number of any of its widths.
    case integer(Int64)
    /// An unsigned number of 64 bits that no signed one holds.
    case large(UInt64)
    case double(Double)
    case string(String)
    case objectPath(String)
    case signature(String)
    /// An array of bytes.
    case bytes([UInt8])
    case array([BusValue])
    case structure([BusValue])
    case dictionary([BusValue: BusValue])
    /// A file, of which only that it was there is known.
    case file

    /// The text of a string or an object's path.
    public var text: String? {
        switch self {
        case .string(let text), .objectPath(let text): text
        default: nil
        }
    }

    /// The whole number.
    public var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
    /// The truth value.
    public var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }
    /// The elements of an array.
    public var array: [BusValue]? { if case .array(let all) = self { all } else { nil } }

    /// The bytes; an array that has none has no type that tells.
    public var bytes: [UInt8]? {
        switch self {
        case .bytes(let bytes): bytes
        case .array(let all) where all.isEmpty: []
        default: nil
        }
    }

    /// The members of a dictionary whose keys are texts; those of an empty one too.
    public var members: [String: BusValue]? {
        switch self {
        case .dictionary(let all):
            Dictionary(all.compactMap { key, value in key.text.map { ($0, value) } }, uniquingKeysWith: { $1 })
        case .array(let all) where all.isEmpty: [:]
        default: nil
        }
    }

    /// The members of a dictionary whose keys are numbers; those of an empty one too.
    public var numbered: [Int64: BusValue]? {
        switch self {
        case .dictionary(let all):
            Dictionary(all.compactMap { key, value in key.integer.map { ($0, value) } }, uniquingKeysWith: { $1 })
        case .array(let all) where all.isEmpty: [:]
        default: nil
        }
    }
}

/// An argument of a call, which has its exact type.
public enum BusArgument: Sendable {
    case bool(Bool)
    case string(String)
    case bytes([UInt8])
    /// Named options, each in a variant: `a{sv}`.
    case options([(name: String, value: BusArgument)])
    /// A variant.
    indirect case variant(BusArgument)

    /// Its signature.
    var signature: String {
        switch self {
        case .bool: "b"
        case .string: "s"
        case .bytes: "ay"
        case .options: "a{sv}"
        case .variant: "v"
        }
    }
}
