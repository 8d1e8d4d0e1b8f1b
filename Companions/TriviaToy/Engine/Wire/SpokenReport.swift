import Wire

/// A report of what a virtual toy's speech module was told to say, so that the hub can play it. A real toy is heard by
/// itself.
public struct SpokenReport: Equatable, Sendable {
    /// Bytes before the text.
    public static var headerSize: Int { 11 }

    /// The fact; 0 for something else.
    public var fact: UInt32
    /// The voice of the speech module.
    public var voice: UInt8
    /// The volume, in decibels.
    public var volume: Int8
    /// The speed of speech, in words a minute.
    public var wordsPerMinute: UInt16
    /// The language it is spoken in.
    public var language: FactLanguage
    /// The index of the piece of the fact.
    public var piece: UInt8
    /// The range of the text, in the bytes of the message.
    public var text: Range<Int> = 0..<0

    /// Creates a report without its text.
    public init(
        fact: UInt32, voice: UInt8, volume: Int8, wordsPerMinute: UInt16, language: FactLanguage, piece: UInt8
    ) {
        self.fact = fact
        self.voice = voice
        self.volume = volume
        self.wordsPerMinute = wordsPerMinute
        self.language = language
        self.piece = piece
    }

    /// Appends the message.
    public func encode(text: Span<UInt8>, into sink: inout some ByteSink) throws(MessageFault) {
        guard text.count <= Self.longestText else { throw .textTooLong(bytes: text.count) }
        guard isUTF8(text) else { throw .textNotUTF8 }
        sink.append(ToyTopic.version)
        sink.put(fact)
        sink.append(voice)
        sink.append(UInt8(bitPattern: volume))
        sink.put(wordsPerMinute)
        sink.append(language.rawValue)
        sink.append(piece)
        sink.put(bytes: text)
    }

    /// Reads a message. The text extends to its end.
    public init(decoding bytes: Span<UInt8>) throws(MessageFault) {
        var reader = SpanReader()
        let version = reader.uint8(bytes)
        guard bytes.count == 0 || version == ToyTopic.version else { throw .unknownVersion(version) }
        let (fact, voice, volume) = (reader.uint32(bytes), reader.uint8(bytes), Int8(bitPattern: reader.uint8(bytes)))
        let (rate, language) = (reader.uint16(bytes), FactLanguage(rawValue: reader.uint8(bytes)))
        let piece = reader.uint8(bytes)
        guard !reader.isCutOff else { throw .cutOff(count: bytes.count) }
        guard voice <= 8 else { throw .outOfRange(.voice) }
        guard (-48...18).contains(volume) else { throw .outOfRange(.volume) }
        guard (75...600).contains(rate) else { throw .outOfRange(.rate) }
        guard let language else { throw .outOfRange(.language) }
        self.init(
            fact: fact, voice: voice, volume: volume, wordsPerMinute: rate, language: language, piece: piece)
        text = reader.offset..<bytes.count
        guard text.count <= Self.longestText else { throw .textTooLong(bytes: text.count) }
        guard isUTF8(bytes.extracting(text)) else { throw .textNotUTF8 }
    }

    /// The longest text in bytes: 1,023 letters of ISO 8859-1, each of which may be two bytes of UTF-8.
    public static var longestText: Int { 2 * 1_023 }
}
