/// The message of the original kit about a beat: `(wrong SP)* drum SP milliseconds SP force`, such as `0 1 3 1 2 1450
/// 320.00`.
public struct KitMessage: Sendable, Equatable {
    /// The drums that were hit first, in their order.
    public var wrong: [Drum]
    /// The drum that was hit last: as a rule the one that had been asked for, and else the other hand's, just after it.
    public var drum: Drum
    /// The time from the drum's light to its hit, by the kit's clock.
    public var milliseconds: Int32
    /// The force, without a unit, in hundredths. Nil is the original's -1.00: the drum has no sensor.
    public var forceHundredths: Int32?

    /// A message of these parts.
    public init(wrong: [Drum], drum: Drum, milliseconds: Int32, forceHundredths: Int32?) {
        self.wrong = wrong
        self.drum = drum
        self.milliseconds = milliseconds
        self.forceHundredths = forceHundredths
    }

    /// Reads all that a kit sent, without `END`. Nil for bytes that are not a message: another shape, a drum that the
    /// kit does not have, a time of more than ``SessionRules/longestReaction``. Spaces and line ends behind it are none of it.
    public init?(text: [UInt8]) {
        let end = (text.lastIndex { $0 != 0x20 && $0 != 0x0D && $0 != 0x0A } ?? -1) + 1
        var rest: ArraySlice<UInt8>? = text[..<end]
        guard let force = Self.lastWord(&rest), let time = Self.lastWord(&rest), let last = Self.lastWord(&rest),
            let drum = Self.drum(last), let milliseconds = Self.number(time, digits: 6),
            milliseconds <= SessionRules.longestReaction
        else { return nil }
        var wrong: [Drum] = []
        while let word = Self.lastWord(&rest) {
            guard let other = Self.drum(word) else { return nil }
            wrong.append(other)
        }
        wrong.reverse()
        let noSensor: [UInt8] = [0x2D, 0x31, 0x2E, 0x30, 0x30]
        if force.elementsEqual(noSensor) {
            forceHundredths = nil
        } else {
            let point = force.endIndex - 3
            guard force.count >= 4, force[point] == 0x2E, let whole = Self.number(force[..<point], digits: 7),
                let part = Self.number(force[(point + 1)...], digits: 2)
            else { return nil }
            forceHundredths = whole * 100 + part
        }
        self.wrong = wrong
        self.drum = drum
        self.milliseconds = milliseconds
    }

    /// Removes the last word and the space before it; of the only word, all.
    private static func lastWord(_ rest: inout ArraySlice<UInt8>?) -> ArraySlice<UInt8>? {
        guard let text = rest else { return nil }
        guard let space = text.lastIndex(of: 0x20) else {
            rest = nil
            return text
        }
        rest = text[..<space]
        return text[(space + 1)...]
    }

    private static func drum(_ word: ArraySlice<UInt8>) -> Drum? {
        guard word.count == 1, let digit = word.first, digit >= 0x30 else { return nil }
        return Drum(rawValue: digit - 0x30)
    }

    private static func number(_ word: ArraySlice<UInt8>, digits: Int) -> Int32? {
        guard (1...digits).contains(word.count) else { return nil }
        var number: Int32 = 0
        for byte in word {
            guard (0x30...0x39).contains(byte) else { return nil }
            number = number * 10 + Int32(byte - 0x30)
        }
        return number
    }
}

/// Assembles a kit's notifications to messages: each ends at its first NUL, and all up to one that ends with `END` are a
/// message. The kit sends `END` on its own; one that comes with the last piece, or before a line's end, closes it as well.
package struct MessageAssembler: Sendable {
    /// The text between two `END`s.
    package enum Message {
        case readable(KitMessage)
        /// A text that cannot be read.
        case noise
        case empty
    }

    /// The most bytes of a message: the right drum, and some 250 wrong ones before it.
    static let most = 512

    private var text: [UInt8] = []
    private var isTooLong = false

    /// An assembler without any text.
    package init() {}

    /// Takes a notification.
    ///
    /// - Returns: the message that this notification closes.
    package mutating func take(_ notification: [UInt8]) -> Message? {
        var part = notification.prefix { $0 != 0 }
        let end: [UInt8] = [0x45, 0x4E, 0x44]
        let bare = part.prefix((part.lastIndex { $0 != 0x0D && $0 != 0x0A } ?? -1) + 1)
        let isLast = bare.suffix(3).elementsEqual(end)
        if isLast { part = bare.dropLast(3) }
        if text.count + part.count > Self.most { isTooLong = true }
        if !isTooLong { text.append(contentsOf: part) }
        guard isLast else { return nil }
        let message = isTooLong ? nil : KitMessage(text: text)
        let isEmpty = text.isEmpty && !isTooLong
        forget()
        return message.map { .readable($0) } ?? (isEmpty ? .empty : .noise)
    }

    /// Discards the text that was not closed: the link is another, or was gone.
    mutating func forget() {
        // The next message needs as much.
        text.removeAll(keepingCapacity: true)
        isTooLong = false
    }
}
