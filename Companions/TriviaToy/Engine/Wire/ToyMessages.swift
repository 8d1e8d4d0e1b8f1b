import Wire

/// The reason why a message between hub and toy is refused.
public enum MessageFault: Error, Equatable, Sendable {
    /// An unknown version: the toy's firmware, or the hub, is older than the other.
    case unknownVersion(UInt8)
    /// A message of `count` bytes that ends before its last field.
    case cutOff(count: Int)
    /// A message that goes on after its last field.
    case trailingBytes(count: Int)
    /// A field has a value that it cannot have.
    case outOfRange(Field)
    /// The text is longer than a toy stores.
    case textTooLong(bytes: Int)
    /// The text is not UTF-8.
    case textNotUTF8

    /// The fields that can be out of range.
    public enum Field: UInt8, Sendable {
        case category, difficulty, language, kind, vote, cause, ending, quietHours, volume, rate, voice, percent
        case flags, id
    }
}

/// The topics of a toy, below `tandem/<device-id>/`, and the version of their messages.
///
/// Every message is a version byte followed by the fields in the order of the type's properties; numbers are
/// little-endian. All are MQTT messages of QoS 1, none retained but ``status``.
public enum ToyTopic {
    /// The topic of a ``FactMessage``, from hub to toy.
    public static var fact: StaticString { "fact" }
    /// The topic of a ``RulesMessage``, from hub to toy, sent at each connection.
    public static var rules: StaticString { "rules" }
    /// The topic of a ``PlayReport``, from toy to hub.
    public static var play: StaticString { "play" }
    /// The topic of a ``VoteReport``, from toy to hub.
    public static var vote: StaticString { "vote" }
    /// The topic of a ``StatusReport``, from toy to hub. One with `wanted` above 0 requests that many facts.
    public static var status: StaticString { "status" }
    /// The topic of a ``SpokenReport``, from a virtual toy to the hub.
    public static var said: StaticString { "said" }

    /// The version that this build writes, and the only one it reads.
    public static var version: UInt8 { 1 }
    /// The longest text of a fact, bytes of UTF-8.
    public static var longestText: Int { 1_500 }
    /// The longest message of all, bytes.
    public static var longestMessage: Int { FactMessage.headerSize + longestText }
}

/// A message with a fact for the toy to store. Its text follows the header.
public struct FactMessage: Equatable, Sendable {
    /// The kind of thing to play.
    public enum Kind: UInt8, Sendable {
        /// A fact, spoken from its text.
        case fact = 0
        /// A message that somebody recorded; the text is spoken where the sound cannot be played.
        case recording = 1
    }

    /// The size of the version and the fields before the text, in bytes.
    public static var headerSize: Int { 10 }

    /// The fact's number; for a recording the recording's.
    public var id: UInt32
    /// The kind of thing to play.
    public var kind: Kind
    /// The category.
    public var category: FactCategory
    /// The difficulty.
    public var difficulty: FactDifficulty
    /// The language it is spoken in.
    public var language: FactLanguage
    /// The range of the text, in the bytes of the message.
    public var text: Range<Int> = 0..<0

    /// Creates a message without its text.
    public init(
        id: UInt32, kind: Kind = .fact, category: FactCategory = .general, difficulty: FactDifficulty = .easy,
        language: FactLanguage = .english
    ) {
        self.id = id
        self.kind = kind
        self.category = category
        self.difficulty = difficulty
        self.language = language
    }

    /// Appends the message. One byte is always zero, for a later version.
    public func encode(text: Span<UInt8>, into sink: inout some ByteSink) throws(MessageFault) {
        guard text.count <= ToyTopic.longestText else { throw .textTooLong(bytes: text.count) }
        guard id != 0 else { throw .outOfRange(.id) }
        guard isUTF8(text) else { throw .textNotUTF8 }
        sink.append(ToyTopic.version)
        sink.put(id)
        sink.append(kind.rawValue)
        sink.append(category.rawValue)
        sink.append(difficulty.rawValue)
        sink.append(language.rawValue)
        sink.append(0)
        sink.put(bytes: text)
    }

    /// Reads a message. The text extends to its end.
    public init(decoding bytes: Span<UInt8>) throws(MessageFault) {
        var reader = SpanReader()
        let version = reader.uint8(bytes)
        guard bytes.count == 0 || version == ToyTopic.version else { throw .unknownVersion(version) }
        let id = reader.uint32(bytes)
        let (kind, category) = (Kind(rawValue: reader.uint8(bytes)), FactCategory(rawValue: reader.uint8(bytes)))
        let (difficulty, language) = (
            FactDifficulty(rawValue: reader.uint8(bytes)), FactLanguage(rawValue: reader.uint8(bytes))
        )
        _ = reader.uint8(bytes)
        guard !reader.isCutOff else { throw .cutOff(count: bytes.count) }
        guard id != 0 else { throw .outOfRange(.id) }
        guard let kind else { throw .outOfRange(.kind) }
        guard let difficulty else { throw .outOfRange(.difficulty) }
        guard let language else { throw .outOfRange(.language) }
        // A category of a later version is still a fact.
        self.init(
            id: id, kind: kind, category: category ?? .general, difficulty: difficulty, language: language)
        text = reader.offset..<bytes.count
        guard text.count <= ToyTopic.longestText else { throw .textTooLong(bytes: text.count) }
        guard isUTF8(bytes.extracting(text)) else { throw .textNotUTF8 }
    }
}

/// The reason why the toy spoke.
public enum PlayCause: UInt8, CaseIterable, Sendable {
    case thrown = 0
    case dropped = 1
    case shaken = 2
    /// A jolt, by the original's rule.
    case jolted = 3
    case button = 4
}

/// The way in which a fact ended.
public enum PlayEnding: UInt8, CaseIterable, Sendable {
    /// The fact was spoken to its end.
    case finished = 0
    /// The fact was stopped by another throw or by a button.
    case stopped = 1
    /// The power was lost, or the speech module stopped answering.
    case cutOff = 2
}

/// A report that a fact was spoken. The hub stores each sequence number of a toy once.
public struct PlayReport: Equatable, Sendable {
    /// Bytes of the message.
    public static var size: Int { 15 }

    /// The sequence number of a toy's plays and votes, from 1 on.
    public var sequence: UInt32
    /// The fact.
    public var fact: UInt32
    /// The time at which it began, in seconds since 1970; 0 if the toy did not know the time.
    public var time: UInt32
    /// The reason why it was spoken.
    public var cause: PlayCause
    /// The way in which it ended.
    public var ending: PlayEnding

    /// Creates a report.
    public init(sequence: UInt32, fact: UInt32, time: UInt32, cause: PlayCause, ending: PlayEnding) {
        self.sequence = sequence
        self.fact = fact
        self.time = time
        self.cause = cause
        self.ending = ending
    }

    /// Appends the message.
    public func encode(into sink: inout some ByteSink) {
        sink.append(ToyTopic.version)
        sink.put(sequence)
        sink.put(fact)
        sink.put(time)
        sink.append(cause.rawValue)
        sink.append(ending.rawValue)
    }

    /// Reads a message.
    public init(decoding bytes: Span<UInt8>) throws(MessageFault) {
        var reader = SpanReader()
        let version = reader.uint8(bytes)
        guard bytes.count == 0 || version == ToyTopic.version else { throw .unknownVersion(version) }
        let (sequence, fact, time) = (reader.uint32(bytes), reader.uint32(bytes), reader.uint32(bytes))
        let (cause, ending) = (PlayCause(rawValue: reader.uint8(bytes)), PlayEnding(rawValue: reader.uint8(bytes)))
        guard !reader.isCutOff else { throw .cutOff(count: bytes.count) }
        guard reader.remaining(bytes) == 0 else { throw .trailingBytes(count: reader.remaining(bytes)) }
        guard let cause else { throw .outOfRange(.cause) }
        guard let ending else { throw .outOfRange(.ending) }
        self.init(sequence: sequence, fact: fact, time: time, cause: cause, ending: ending)
    }
}

/// A vote by the toy's buttons.
public struct VoteReport: Equatable, Sendable {
    /// Bytes of the message.
    public static var size: Int { 14 }

    /// The sequence number of a toy's plays and votes, from 1 on.
    public var sequence: UInt32
    /// The fact.
    public var fact: UInt32
    /// The time of the vote, in seconds since 1970; 0 if the toy did not know the time.
    public var time: UInt32
    /// The vote; of several on one fact, the one with the highest sequence number counts.
    public var vote: FactVote

    /// Creates a report.
    public init(sequence: UInt32, fact: UInt32, time: UInt32, vote: FactVote) {
        self.sequence = sequence
        self.fact = fact
        self.time = time
        self.vote = vote
    }

    /// Appends the message.
    public func encode(into sink: inout some ByteSink) {
        sink.append(ToyTopic.version)
        sink.put(sequence)
        sink.put(fact)
        sink.put(time)
        sink.append(UInt8(bitPattern: vote.rawValue))
    }

    /// Reads a message.
    public init(decoding bytes: Span<UInt8>) throws(MessageFault) {
        var reader = SpanReader()
        let version = reader.uint8(bytes)
        guard bytes.count == 0 || version == ToyTopic.version else { throw .unknownVersion(version) }
        let (sequence, fact, time) = (reader.uint32(bytes), reader.uint32(bytes), reader.uint32(bytes))
        let vote = FactVote(rawValue: Int8(bitPattern: reader.uint8(bytes)))
        guard !reader.isCutOff else { throw .cutOff(count: bytes.count) }
        guard reader.remaining(bytes) == 0 else { throw .trailingBytes(count: reader.remaining(bytes)) }
        guard let vote else { throw .outOfRange(.vote) }
        self.init(sequence: sequence, fact: fact, time: time, vote: vote)
    }
}
