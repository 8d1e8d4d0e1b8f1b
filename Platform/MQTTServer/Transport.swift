import NIOCore

/// What carries the bytes of one client. Called on the listener's event loop only.
protocol Transport: AnyObject {
    /// Whether it takes more; where it is full, `Connection.writabilityChanged()` is called once it is not.
    var isWritable: Bool { get }
    /// Lets in what comes next.
    func read()
    /// Sends the bytes behind all that was sent before.
    func write(_ bytes: ByteBuffer)
    /// Says that nothing more will be sent. What the client still sends may come.
    func finish()
    /// Ends it now.
    func close()
    /// The client was let in.
    func admit()
}
