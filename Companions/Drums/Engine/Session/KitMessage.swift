/// What the original kit tells of a beat: `(wrong SP)* drum SP milliseconds SP force`, such as `0 1 3 1 2 1450 320.00`.
public struct KitMessage: Sendable, Equatable {
    /// The other drums that were hit first, in their order.
    public var wrong: [Drum]
    /// The drum that had been asked for, and was hit.
    public var drum: Drum
    /// From its light to its hit, by the kit's clock.
    public var milliseconds: Int32
    /// How hard, without a unit, in hundredths. Nil is the original's -1.00: the drum has no sensor.
    public var forceHundredths: Int32?

    /// A message of these.
    public init(wrong: [Drum], drum: Drum, milliseconds: Int32, forceHundredths: Int32?) {
        self.wrong = wrong
        self.drum = drum
        self.milliseconds = milliseconds
        self.forceHundredths = forceHundredths
    }

    /// What a kit sent, all of it, without `END`. Nil for what is no message: another shape, a drum that the kit does not
    /// have, the right drum among the wrong ones, a time of more than ``SessionRules/longestReaction``.
    public init?(text: [UInt8]) {
        var words: [ArraySlice<UInt8>] = []
        var start = 0
        for index in 0...text.count where index == text.count || text[index] == 0x20 {
            words.append(text[start..<index])
            start = index + 1
        }
        guard words.count >= 3 else { return nil }
        let last = words.count - 1
        guard let drum = Self.drum(words[last - 2]), let milliseconds = Self.number(words[last - 1], digits: 6),
            milliseconds <= SessionRules.longestReaction
        else { return nil }
        var wrong: [Drum] = []
        for word in words[..<(last - 2)] {
            guard let other = Self.drum(word), other != drum else { return nil }
            wrong.append(other)
        }
        let force = words[last]
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

/// Puts a kit's notifications together: each ends at its first NUL, and all up to one that is exactly `END` are a
/// message.
struct MessageAssembler: Sendable {
    /// What came between two `END`s.
    enum Message {
        case readable(KitMessage)
        case noise
    }

    /// The longest message, bytes: the right drum, and some 250 wrong ones before it.
    static let most = 512

    private var text: [UInt8] = []
    private var isTooLong = false

    /// - Returns: the message that this notification closes.
    mutating func take(_ notification: [UInt8]) -> Message? {
        let part = notification.prefix { $0 != 0 }
        let end: [UInt8] = [0x45, 0x4E, 0x44]
        guard part.elementsEqual(end) else {
            if text.count + part.count > Self.most { isTooLong = true }
            if !isTooLong { text.append(contentsOf: part) }
            return nil
        }
        let message = isTooLong ? nil : KitMessage(text: text)
        forget()
        return message.map { .readable($0) } ?? .noise
    }

    /// What was not closed is lost: the link is another, or was gone.
    mutating func forget() {
        text = []
        isTooLong = false
    }
}
