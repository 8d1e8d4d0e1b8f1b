import NIOCore

/// The carrier of one client's bytes, called on the listener's event loop only.
protocol Transport: AnyObject {
    /// Whether it takes more; if not, `Connection.writabilityChanged()` is called once it does.
    var isWritable: Bool { get }
    /// Reads the next bytes.
    func read()
    /// Sends bytes after everything that was sent before.
    func write(_ bytes: ByteBuffer)
    /// Closes the sending direction. The client may still send.
    func finish()
    /// Closes at once.
    func close()
    /// Reports that the client was accepted.
    func admit()
}
