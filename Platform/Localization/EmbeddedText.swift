import CEmbeddedText

extension [UInt8] {
    /// The bytes of a text that is part of the executable.
    public init(_ text: EmbeddedText) {
        self.init(UnsafeBufferPointer(start: text.bytes, count: text.count))
    }
}
