extension SessionSetup {
    /// As the codec writes it.
    public var bytes: [UInt8] { [] }

    /// The setup that these bytes are.
    public init(bytes: [UInt8]) throws(SessionCodecError) { throw .cutOff }
}
