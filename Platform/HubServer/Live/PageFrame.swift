import Foundation
import HubKit
import NIOCore

/// What a page says on its live socket.
struct PageFrame: Decodable {
    enum Kind: String, Codable, CaseIterable { case attach, detach, send }

    var type: Kind
    var device: String
    /// With `send`: each character one byte, U+0000 to U+00FF.
    var data: String?

    /// The bytes of `data`; nil where it holds a character beyond U+00FF.
    var bytes: ByteBuffer? {
        var bytes = ByteBuffer()
        for scalar in (data ?? "").unicodeScalars {
            guard let byte = UInt8(exactly: scalar.value) else { return nil }
            bytes.writeInteger(byte)
        }
        return bytes
    }
}

/// What a page is sent of the devices it plays with. None of it has a place in the resumable stream.
enum DeviceNews {
    /// Whether the device itself is connected.
    case link(device: String, isConnected: Bool)
    /// Another page has taken the device over.
    case taken(device: String)
    /// So many of its messages did not reach this page.
    case lost(device: String, count: Int)
    /// What was asked for is not done, in words for the screen.
    case refused(device: String?, reason: String)

    /// The frame's text. Strings, numbers and truth values can always be encoded.
    var text: ByteBuffer {
        let message = message
        let data = try? JSONEncoder().encode(message)
        return ByteBuffer(bytes: data ?? Data())
    }

    /// A device's message as a frame's text, written by hand: it is on the way from a cue to its answer.
    ///
    /// - Parameters:
    ///   - device: an id, of letters and digits alone.
    ///   - bytes: any; each becomes one character.
    ///   - now: UTC milliseconds.
    static func message(device: String, _ bytes: ByteBuffer, now: Int64) -> ByteBuffer {
        var text = ByteBuffer()
        text.reserveCapacity(80 + device.utf8.count + 6 * bytes.readableBytes)
        text.writeString("{\"type\":\"device.message\",\"device\":\"\(device)\",\"at\":\(now),\"data\":\"")
        for byte in bytes.readableBytesView {
            switch byte {
            case 0x20...0x7E where byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\"): text.writeInteger(byte)
            default:
                text.writeStaticString("\\u00")
                text.writeInteger(hexadecimal(byte >> 4))
                text.writeInteger(hexadecimal(byte & 15))
            }
        }
        text.writeStaticString("\"}")
        return text
    }

    private static func hexadecimal(_ digit: UInt8) -> UInt8 {
        digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
    }
}
