import Wire

/// Why a message between hub and toy is refused.
public enum MessageFault: Error, Equatable, Sendable {
    /// A version that this build does not know: the toy's firmware, or the hub, is older than the other.
    case unknownVersion(UInt8)
    /// It is `count` bytes long and ends before its last field.
    case cutOff(count: Int)
    /// It goes on after its last field.
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

/// The topics of a toy, below `tandem/<device-id>/`, and the version of what is sent to them.
///
/// Every message is a version byte and then its fields in the order of the type's properties; numbers have their lowest
/// byte first. All are MQTT messages of QoS 1, none retained but ``status``.
public enum ToyTopic {
    /// Hub to toy, a ``FactMessage``.
    public static var fact: StaticString { "fact" }
    /// Hub to toy, a ``RulesMessage``, retained by the hub for the time of a connection: it is sent at each one.
    public static var rules: StaticString { "rules" }
    /// Toy to hub, a ``PlayReport``.
    public static var play: StaticString { "play" }
    /// Toy to hub, a ``VoteReport``.
    public static var vote: StaticString { "vote" }
    /// Toy to hub, a ``StatusReport``. One with `wanted` above 0 asks for that many facts.
    public static var status: StaticString { "status" }
    /// Virtual toy to hub, a ``SpokenReport``.
    public static var said: StaticString { "said" }

    /// The version that this build writes, and the only one it reads.
    public static var version: UInt8 { 1 }
    /// The longest text of a fact, bytes of UTF-8.
    public static var longestText: Int { 1_500 }
    /// The longest message of all, bytes.
    public static var longestMessage: Int { FactMessage.headerSize + longestText }
}

/// A fact for the toy to store. Its text is what follows the header.
public struct FactMessage: Equatable, Sendable {
    /// What is to be played.
    public enum Kind: UInt8, Sendable {
        /// A fact, spoken from its text.
        case fact = 0
        /// A message that somebody recorded; the text is spoken where the sound cannot be played.
        case recording = 1
    }

    /// Version, then these fields: bytes before the text.
    public static var headerSize: Int { 10 }

    /// Its number; for a recording the recording's.
    public var id: UInt32
    /// What it is.
    public var kind: Kind
    /// What it is about.
    public var category: FactCategory
    /// How hard it is.
    public var difficulty: FactDifficulty
    /// The language it is spoken in.
    public var language: FactLanguage
    /// Of the text, in the bytes of the message.
    public var text: Range<Int> = 0..<0

    /// A fact without its text.
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

    /// Appends the message. A byte is kept at nought, for a later version.
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

    /// Reads one. The text ends where the message ends.
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

/// What made the toy speak.
public enum PlayCause: UInt8, CaseIterable, Sendable {
    case thrown = 0
    case dropped = 1
    case shaken = 2
    /// By the original's rule.
    case jolted = 3
    case button = 4
}

/// How a fact ended.
public enum PlayEnding: UInt8, CaseIterable, Sendable {
    /// It was heard to the end.
    case finished = 0
    /// Somebody stopped it, by another throw or by a button.
    case stopped = 1
    /// The power went, or the speech module did not answer any more.
    case cutOff = 2
}

/// A fact was spoken. The hub stores each sequence number of a toy once.
public struct PlayReport: Equatable, Sendable {
    /// Bytes of the message.
    public static var size: Int { 15 }

    /// Counts a toy's plays and votes, from 1 on.
    public var sequence: UInt32
    /// The fact.
    public var fact: UInt32
    /// When it began, seconds since 1970; 0 where the toy did not know the time.
    public var time: UInt32
    /// Why it was spoken.
    public var cause: PlayCause
    /// How it ended.
    public var ending: PlayEnding

    /// A report.
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

    /// Reads one.
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

    /// Counts a toy's plays and votes, from 1 on.
    public var sequence: UInt32
    /// The fact.
    public var fact: UInt32
    /// Seconds since 1970; 0 where the toy did not know the time.
    public var time: UInt32
    /// The vote; of several on one fact the one with the highest sequence number stands.
    public var vote: FactVote

    /// A report.
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

    /// Reads one.
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
