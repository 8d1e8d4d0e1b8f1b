import BoardImages
import Crypto
import Foundation
import NIOCore
import Storage
import Wire

/// An image on its way to a device: its signed file, of which the device asks for part after part.
struct ImageDelivery: Sendable {
    /// The most bytes of a part, as devices take them.
    static let part = 256

    /// The header, which is what is offered.
    let header: ImageHeader
    private let file: [UInt8]
    /// The number of bytes that the device has.
    private(set) var delivered = 0

    /// Signs an image for a device.
    ///
    /// - Throws: an `ImageFault` for a file that is no image.
    init(
        _ file: Data, mayBeOlder: Bool, attempt: Int, key: Curve25519.Signing.PrivateKey
    ) throws {
        let unsigned = Array(file)
        var header = try ImageHeader(checking: unsigned.span)
        header.mayBeOlder = mayBeOlder
        header.attempt = UInt8(truncatingIfNeeded: attempt)
        var signed: [UInt8] = []
        header.encode(into: &signed)
        signed += unsigned[ImageHeader.size...]
        signed += Array(try key.signature(for: signed))
        self.header = header
        self.file = signed
    }

    /// The number of bytes of the signed file.
    var total: Int { file.count }

    /// The message by which it is offered.
    var offer: ByteBuffer { ByteBuffer(bytes: file.prefix(ImageHeader.size)) }

    /// The message with the part from a place on; nil for a place where none begins.
    mutating func part(from offset: Int) -> ByteBuffer? {
        guard offset >= 0, offset < file.count, offset.isMultiple(of: Self.part) else { return nil }
        let bytes = file[offset..<min(offset + Self.part, file.count)]
        delivered = offset
        var message = ByteBuffer()
        message.writeInteger(UInt32(offset), endianness: .little)
        message.writeInteger(crc32(bytes), endianness: .little)
        message.writeBytes(bytes)
        return message
    }
}

/// What a device asks for, on `firmware/want`: the number of the offer and where the part begins, 4 bytes each, the lowest first.
struct PartRequest: Equatable {
    let offer: UInt32
    let offset: Int

    /// Reads a request; nil for other bytes.
    init?(_ payload: ByteBuffer) {
        var payload = payload
        guard payload.readableBytes == 8, let offer = payload.readInteger(endianness: .little, as: UInt32.self),
            let offset = payload.readInteger(endianness: .little, as: UInt32.self)
        else { return nil }
        self.offer = offer
        self.offset = Int(offset)
    }
}
