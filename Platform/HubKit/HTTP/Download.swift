import HTTPTypes
import NIOCore

extension Reply {
    /// A file that the browser keeps.
    ///
    /// - Parameter name: what it is called there; plain ASCII without quotes.
    public static func download(_ bytes: ByteBuffer, type: String, named name: String) -> Reply {
        .bytes(bytes, type: type).setting(.contentDisposition, "attachment; filename=\"\(name)\"")
    }
}
