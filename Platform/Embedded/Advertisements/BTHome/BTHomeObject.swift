import Wire

/// An object of a BTHome advertisement: one value of a property.
public struct BTHomeObject: Equatable, Sendable {
    /// The value.
    public enum Content: Equatable, Sendable {
        /// A number in millionths of the property's unit.
        case number(millionths: Int64)
        /// The state of a binary sensor.
        case flag(Bool)
        /// A press of a button.
        case button(BTHomeButton)
        /// An operation and its arguments.
        case command(operation: UInt8, arguments: [UInt8])
        /// The steps by which a dimmer was turned, to the right where positive; 0 where it was not.
        case dimmer(steps: Int)
        /// A text, raw bytes, or a version with its most significant part first.
        case bytes([UInt8])
    }

    /// The object's identifier.
    public let id: UInt8
    /// The property.
    public let property: BTHomeProperty
    /// The value.
    public let content: Content

    /// Creates an object.
    public init(id: UInt8, property: BTHomeProperty, content: Content) {
        self.id = id
        self.property = property
        self.content = content
    }

    /// The number in thousandths, rounded, halves away from zero; nil where it is none.
    public var thousandths: Int64? {
        guard case .number(let millionths) = content else { return nil }
        let (quotient, rest) = millionths.quotientAndRemainder(dividingBy: 1_000)
        return rest.magnitude < 500 ? quotient : quotient + (millionths < 0 ? -1 : 1)
    }

    /// Reads the next object of version 2; nil, with nothing taken, where its identifier is unknown or its bytes are cut off.
    static func next(_ bytes: inout ArraySlice<UInt8>) -> BTHomeObject? {
        guard let id = bytes.first, let field = BTHomeField.row(id) else { return nil }
        let rest = bytes.dropFirst()
        let width: Int
        let skipped: Int
        switch field.form {
        case .unsigned(let count, _), .signed(let count, _), .version(let count): (skipped, width) = (0, count)
        case .flag, .button: (skipped, width) = (0, 1)
        case .dimmer: (skipped, width) = (0, 2)
        case .counted:
            guard let count = rest.first else { return nil }
            (skipped, width) = (1, Int(count))
        case .command:
            // The three high bits are reserved: something else may be meant.
            guard let length = rest.first, length < 32 else { return nil }
            (skipped, width) = (1, Int(length) + 1)
        }
        guard rest.count >= skipped + width else { return nil }
        let value = rest.dropFirst(skipped).prefix(width)
        bytes = rest.dropFirst(skipped + width)
        return BTHomeObject(id: id, property: field.property, content: Content(value, form: field.form))
    }
}

extension BTHomeObject.Content {
    /// Reads a value whose length has been checked.
    init(_ value: ArraySlice<UInt8>, form: BTHomeField.Form) {
        let first = value.first ?? 0
        switch form {
        case .unsigned(_, let factor):
            self = .number(millionths: Int64(clamping: littleEndian(value)).timesClamped(factor))
        case .signed(_, let factor): self = .number(millionths: signedLittleEndian(value).timesClamped(factor))
        case .flag: self = .flag(first != 0)
        case .version: self = .bytes(value.reversed())
        case .counted: self = .bytes(Array(value))
        case .button: self = .button(BTHomeButton(byte: first))
        case .command: self = .command(operation: first, arguments: Array(value.dropFirst()))
        case .dimmer:
            let steps = Int(value.last ?? 0)
            self = .dimmer(steps: first == 1 ? -steps : first == 2 ? steps : 0)
        }
    }
}

/// A press of a button, or none: an advertisement of several buttons says so of those that were not pressed.
public enum BTHomeButton: Equatable, Sendable {
    /// Not pressed.
    case none
    /// Pressed once.
    case press
    /// Pressed twice.
    case doublePress
    /// Pressed three times.
    case triplePress
    /// Pressed long.
    case longPress
    /// Pressed twice, long.
    case longDoublePress
    /// Pressed three times, long.
    case longTriplePress
    /// Held.
    case hold
    /// Pressed in a way that this build does not know.
    case other(UInt8)

    /// Reads the byte of an event.
    init(byte: UInt8) {
        self =
            switch byte {
            case 0x00: .none
            case 0x01: .press
            case 0x02: .doublePress
            case 0x03: .triplePress
            case 0x04: .longPress
            case 0x05: .longDoublePress
            case 0x06: .longTriplePress
            case 0x80: .hold
            default: .other(byte)
            }
    }
}
