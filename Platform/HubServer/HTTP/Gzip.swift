import CZlib
import NIOCore

/// The writer of gzip (RFC 1952), by zlib.
enum Gzip {
    /// zlib's largest window, and 16 more for the frame of gzip instead of zlib's own (zlib.h, deflateInit2).
    private static let windowBits: Int32 = 15 + 16
    /// The memory of the compressor as zlib has it by default: 256 kB with its window.
    private static let memoryLevel: Int32 = 8

    /// The bytes as one gzip member; nil if zlib has no memory for it.
    static func compressed(_ bytes: ByteBuffer) -> ByteBuffer? {
        // Not on the stack: zlib looks whether its state still belongs to the stream at this address.
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer { stream.deallocate() }
        let begun = deflateInit2_(
            stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, windowBits, memoryLevel, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard begun == Z_OK else { return nil }
        defer { deflateEnd(stream) }
        let most = Int(deflateBound(stream, UInt(bytes.readableBytes)))
        var written = ByteBuffer()
        let isWhole = bytes.withUnsafeReadableBytes { input in
            var status = Z_STREAM_ERROR
            stream.pointee.next_in = input.bindMemory(to: UInt8.self).baseAddress
            stream.pointee.avail_in = UInt32(input.count)
            written.writeWithUnsafeMutableBytes(minimumWritableBytes: most) { output in
                stream.pointee.next_out = output.bindMemory(to: UInt8.self).baseAddress
                stream.pointee.avail_out = UInt32(output.count)
                status = deflate(stream, Z_FINISH)
                return output.count - Int(stream.pointee.avail_out)
            }
            return status == Z_STREAM_END
        }
        return isWhole ? written : nil
    }
}
