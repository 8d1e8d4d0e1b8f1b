import Foundation
import HubKit
import Localization
import NIOCore

/// A frame from a page on its live socket.
public struct PageFrame: Decodable {
    enum Kind: String, Codable, CaseIterable { case attach, detach, send }

    var type: Kind
    var device: String
    /// The bytes to `send`, each as one character from U+0000 to U+00FF.
    var data: String?

    /// The bytes of `data`; nil if it has a character beyond U+00FF.
    var bytes: ByteBuffer? {
        var bytes = ByteBuffer()
        for scalar in (data ?? "").unicodeScalars {
            guard let byte = UInt8(exactly: scalar.value) else { return nil }
            bytes.writeInteger(byte)
        }
        return bytes
    }
}

/// The notices to a page about its devices. They have no position in the resumable stream.
enum DeviceNews {
    /// The device connected or disconnected.
    case link(device: String, isConnected: Bool)
    /// The device was taken over by another page.
    case taken(device: String)
    /// Some of the device's messages did not reach this page.
    case lost(device: String, count: Int)
    /// The request was refused, with a reason for the screen.
    case refused(device: String?, reason: LocalizedText)

    /// The text of the frame, with words in the page's language. Strings, numbers and Booleans can always be encoded.
    func text(in language: Language) -> ByteBuffer {
        let data = try? JSONEncoder().encode(message(in: language))
        return ByteBuffer(bytes: data ?? Data())
    }

    /// A device's message as the text of a frame, written by hand since latency matters: it is between a cue and its
    /// answer.
    ///
    /// - Parameters:
    ///   - device: the id, of letters and digits only.
    ///   - bytes: the message; each byte becomes one character.
    ///   - now: the current time, in UTC milliseconds.
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
