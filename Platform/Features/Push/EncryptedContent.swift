import Crypto
import Foundation
import HubKit

/// The content coding `aes128gcm` (RFC 8188): a header, then records that are encrypted one by one.
///
/// ```swift
/// var content = try EncryptedContent(key: key, salt: salt, keyID: [], recordSize: 4096)
/// try content.append(text, padding: 0, isLast: true)
/// send(content.bytes)
/// ```
package struct EncryptedContent {
    /// An error for a record that is longer than the header says, or a key id that is too long.
    package struct TooLong: Error {}

    /// The number of bytes that a record adds to its content: a delimiter and the tag.
    static let overhead = 17
    static let saltLength = 16

    /// The header and the records so far.
    private(set) var bytes: [UInt8]
    let contentKey: SymmetricKey
    let nonce: [UInt8]
    private let recordSize: Int
    private var sequence: UInt64 = 0

    /// Begins the content with its header.
    ///
    /// - Parameters:
    ///   - key: the input keying material, which both sides share.
    ///   - salt: 16 bytes, different for each message.
    ///   - keyID: tells the reader which key it is; at most 255 bytes.
    ///   - recordSize: the size of each encrypted record but the last, at least 18.
    init(key: SymmetricKey, salt: [UInt8], keyID: [UInt8], recordSize: UInt32) throws(TooLong) {
        guard keyID.count <= 255 else { throw TooLong() }
        // RFC 8188, 2.2 and 2.3: both from one pseudorandom key, each with its own info.
        let root = HKDF<SHA256>.extract(inputKeyMaterial: key, salt: salt)
        contentKey = HKDF<SHA256>.expand(
            pseudoRandomKey: root, info: Data("Content-Encoding: aes128gcm\0".utf8), outputByteCount: 16)
        nonce = HKDF<SHA256>.expand(
            pseudoRandomKey: root, info: Data("Content-Encoding: nonce\0".utf8), outputByteCount: 12
        ).withUnsafeBytes { Array($0) }
        self.recordSize = Int(recordSize)
        // RFC 8188, 2.1: salt, record size, the key's name with its length.
        bytes = salt + withUnsafeBytes(of: recordSize.bigEndian) { Array($0) } + [UInt8(keyID.count)] + keyID
    }

    /// Encrypts and appends a record.
    ///
    /// - Parameters:
    ///   - content: the content.
    ///   - padding: the number of zeros after the content, which hide its length.
    ///   - isLast: whether it is the last record.
    mutating func append(_ content: [UInt8], padding: Int, isLast: Bool) throws {
        guard content.count + padding + Self.overhead <= recordSize else { throw TooLong() }
        let plain = content + [isLast ? 2 : 1] + [UInt8](repeating: 0, count: padding)
        var nonce = nonce
        // RFC 8188, 2.3: the record's number, into the last eight bytes.
        withUnsafeBytes(of: sequence.bigEndian) { number in
            for (index, byte) in number.enumerated() { nonce[nonce.count - 8 + index] ^= byte }
        }
        let box = try AES.GCM.seal(plain, using: contentKey, nonce: AES.GCM.Nonce(data: nonce))
        bytes += box.ciphertext
        bytes += box.tag
        sequence += 1
    }
}
